#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures what change points in a history are worth: on simulated series of which is known what happened in them, on
# series that others annotated, and in seconds. Prints Markdown tables; docs/STATISTICS.md quotes them.
#
# TCPD names a clone of github.com/alan-turing-institute/TCPD, OTAVA one of github.com/apache/otava; without them that
# part is left out. SOURCE_DIR is the repository. Takes some minutes.
set -euo pipefail
: "${SOURCE_DIR:?names the repository}"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# shellcheck disable=SC2046
gcc -O2 -std=gnu17 -ffp-contract=off -I"$SOURCE_DIR" -o "$WORK/changepoints" "$SOURCE_DIR/tests/bench/changepoints.c" \
	"$SOURCE_DIR"/compare/statistics/{changepoints,levels,order,ramps,signvectors,steps}.c \
	$(pkg-config --cflags --libs glib-2.0) -lm
if [ -n "${TCPD:-}" ] && [ -n "${OTAVA:-}" ]; then
	python3 "$SOURCE_DIR/tests/bench/changepoints.py" "$WORK/changepoints" "$TCPD" "$OTAVA"
else
	echo "changepoints: TCPD and OTAVA name no clones, so nothing is compared with what others published" >&2
fi
printf '\n'
"$WORK/changepoints" simulate
printf '\n| what | |\n|---|---|\n'
"$WORK/changepoints" speed
