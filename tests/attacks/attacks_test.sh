#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Heads that cheat, by intent or by accident: each case in cases/ builds a repository in which head is slower than it
# looks, or in which nothing valid can be measured, and says which exit codes firebreak may end with. Prints one row
# for each case: its name, the codes wanted, the code got. The last line counts false greens, cases that ended with 0
# although that was not wanted.
#
#     attacks_test.sh [NAME...]     only these cases (file names in cases/ without .sh)
#
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/attacks/attacks.bash
. "$SOURCE_DIR/tests/attacks/attacks.bash" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
FALSE_GREENS=0
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(cd "$SOURCE_DIR/tests/attacks/cases" && printf '%s\n' *.sh | sed 's/\.sh$//')
for name in "${names[@]}"; do
	run_case "$name"
done
[ $((PASSED + FAILED)) -gt 0 ] || exit 77 # each said why it cannot run here
echo "false greens: $FALSE_GREENS of ${#names[@]}"
finish
