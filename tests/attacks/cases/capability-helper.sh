# SPDX-License-Identifier: Apache-2.0
# As setuid-helper, with a program that has file capabilities, as ping does.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	need_root
	need_user
	command -v setcap >/dev/null || skip "setcap is missing"
	work_source >helper.c && cc -O1 -o "$WORK/helper" helper.c && rm helper.c
	setcap cap_net_raw+ep "$WORK/helper" || skip "the file system has no capabilities"
	two_sides './work 10' "./work 5; $WORK/helper 25" 'privileges: allow'
	user_gate --no-confirm --no-store
}

facts() {
	check 'capability-helper: the report names the program' reason_is 'helper dropped out of the counters'
}
