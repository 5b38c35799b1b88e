# SPDX-License-Identifier: Apache-2.0
# Head's benchmark takes more CPUs than the one that it is measured on, so that it does not share that with base.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	[ "$(nproc)" -gt 1 ] || skip "there is one CPU"
	two_sides './work 10' 'taskset -pc 0-1023 $$ >/dev/null; ./work 10'
	gate --no-confirm --no-store
}

facts() {
	check 'affinity: the report says what changed' reason_is 'CPU.* not (one that it is|) ?measured on|moved to another CPU'
}
