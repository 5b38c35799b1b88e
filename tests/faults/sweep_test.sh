#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sample of the points at which tests/bench/faults.sh kills the store or lets system calls fail: every so many-th one.
# FIREBREAK names the program under test, SOURCE_DIR the source tree.
# shellcheck source=tests/faults/faults.bash
. "${SOURCE_DIR:?}/tests/faults/faults.bash" || exit 1
need_strace
failed=0
RUN=("kill run 250" "error run 800")
command -v valgrind >/dev/null || RUN=()
for sample in "${RUN[@]}" "kill import 30" "kill replace 40" "kill push 300" "kill fetch 300" "kill prune 150" \
	"error import 70" "error replace 90" "error show 80" "error list 90" "error push 700" "error fetch 700"; do
	# shellcheck disable=SC2086 # three words
	faults "$MEMORY" sweep $sample || failed=1
done
exit $failed
