# SPDX-License-Identifier: Apache-2.0
# Head's benchmark changes its scheduling policy, so that base does not interrupt it.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	two_sides './work 10' 'chrt -b -p 0 $$ && exec ./work 10'
	gate --no-confirm --no-store
}

facts() {
	check 'policy: the report says what changed' reason_is 'changed its scheduling policy from SCHED_OTHER to SCHED_BATCH'
}
