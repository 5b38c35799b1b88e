# SPDX-License-Identifier: Apache-2.0
# Head does most of its work in a program that its user may not read. The kernel takes all events off such a process:
# head was faster by half, though it does three times the work.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	need_user
	two_sides './work 10' './work 5; cp work helper; chmod 0111 helper; ./helper 25; rm -f helper'
	user_gate --no-confirm --no-store
}

facts() {
	check 'unreadable-helper: the report names the program and both figures' reason_is \
		'0[.][0-9]+ s of CPU time were counted, and 0[.][0-9]+ s used: helper dropped out of the counters'
}
