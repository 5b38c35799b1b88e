#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Everything that can happen to the store, one after the other: killed at every system call, every system call failing,
# killed at random, every byte damaged, the power cut. What is acknowledged must be there, and nothing may be blocked.
# FIREBREAK names the program and SOURCE_DIR the source tree; STRIDE (1) takes every so many-th point, KILLS (10000),
# CUTS (100) and WHAT ("sweep kills flips powercut") can be lowered for a try. All of it takes hours.
set -euo pipefail
# shellcheck source=tests/faults/faults.bash
. "${SOURCE_DIR:?}/tests/faults/faults.bash"
WHAT=${WHAT:-sweep kills flips powercut} status=0
for what in $WHAT; do
	case $what in
		sweep)
			need_strace
			for operation in ${OPERATIONS:-import replace push fetch prune show list run}; do
				faults "$MEMORY" sweep kill "$operation" "${STRIDE:-1}" || status=1
				faults "$MEMORY" sweep error "$operation" "${STRIDE:-1}" || status=1
			done
			;;
		kills) faults "$MEMORY" kills "${KILLS:-10000}" || status=1 ;;
		flips) FLIPS=all TMPDIR=$MEMORY "$(dirname "$FIREBREAK")/tests/storeflips_test" 2>&1 || status=1 ;;
		powercut) faults "${TMPDIR:-/tmp}" powercut "${CUTS:-100}" || status=1 ;;
		*) echo "WHAT is some of: sweep kills flips powercut" >&2 && exit 2 ;;
	esac
done
exit $status
