# SPDX-License-Identifier: Apache-2.0
# The same where base's configuration lets programs gain privileges, as a benchmark needs that calls sudo: CPU time that
# was not counted still makes the runs invalid.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	need_root
	work_source >helper.c && cc -O1 -o "$CASE/helper" helper.c && rm helper.c
	chown 65533 "$CASE/helper" && chmod 4755 "$CASE/helper"
	two_sides './work 10' "./work 5; $CASE/helper 25" 'privileges: allow'
	gate --no-confirm --no-store
}

facts() {
	check 'setuid-helper: the report names the program' reason_is 'helper dropped out of the counters'
	check 'setuid-helper: the report says that privileges are allowed' \
		json "$REPORT" '[.findings[].code] | contains(["privileges_allowed"])'
}
