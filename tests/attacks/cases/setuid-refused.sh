# SPDX-License-Identifier: Apache-2.0
# Head does most of its work in a setuid program. Nothing gains privileges in a benchmark, so it runs as the same user,
# is counted, and head is slower. Without that it was faster by half.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="1"

attack() {
	need_root
	work_source >helper.c && cc -O1 -o "$CASE/helper" helper.c && rm helper.c
	chown 65533 "$CASE/helper" && chmod 4755 "$CASE/helper"
	two_sides './work 10' "./work 5; $CASE/helper 25"
	gate --no-confirm --no-store
}
