#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows how ln(head/base) of CPU time scatters where a hypervisor takes the CPU in bursts, as a Markdown table: stolen share and
# spread of rounds that share the CPU, and of rounds back to back, with the spread that the formula of docs/STATISTICS.md
# gives in brackets (steal.c). SOURCE_DIR is the repository. Needs root or CAP_SYS_NICE, and takes some ten minutes on the
# last CPU; ROUNDS (20) says how many rounds a cell has.
set -euo pipefail

ROUNDS=${ROUNDS:-20}
CPU=$(($(nproc) - 1))
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -o "$WORK/steal" "$SOURCE_DIR/tests/bench/steal.c" -lm

echo "| program | bursts | stolen | sd, co-scheduled | stolen | sd, back to back |"
echo "|---|---|---|---|---|---|"
"$WORK/steal" "$CPU" compute .4 1 0 "$ROUNDS"
for share in .05 .1 .2 .4; do
	for burst in 1 5 20; do
		"$WORK/steal" "$CPU" compute .4 $burst $share "$ROUNDS"
	done
done
for program in cache memory; do
	for burst in 5 20; do
		"$WORK/steal" "$CPU" $program .4 $burst .1 "$ROUNDS"
	done
done
