# SPDX-License-Identifier: Apache-2.0
# No attack: a benchmark whose program needs privileges fails, and is told which key allows them.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	need_root
	printf '#include <unistd.h>\nint main(void) { return geteuid() == 65533 ? 0 : 1; }\n' >helper.c
	cc -o "$CASE/helper" helper.c && rm helper.c
	chown 65533 "$CASE/helper" && chmod 4755 "$CASE/helper"
	two_sides "$CASE/helper && ./work 10" "$CASE/helper && ./work 11"
	gate --no-confirm --no-store
}

facts() {
	check 'privileges-missing: the report names program and key' reason_is \
		'helper gains no privileges here: if it needs them, set `privileges: allow` for the benchmark'
}
