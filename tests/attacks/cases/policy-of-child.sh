# SPDX-License-Identifier: Apache-2.0
# As policy, in a process that the benchmark starts; the benchmark itself ends as it began.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	two_sides './work 10' './work 1; chrt -i 0 ./work 9'
	gate --no-confirm --no-store
}

facts() {
	check 'policy-of-child: the report says what changed' reason_is '(work|chrt) changed its scheduling policy from SCHED_OTHER to SCHED_IDLE'
}
