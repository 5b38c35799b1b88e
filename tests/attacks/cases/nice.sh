# SPDX-License-Identifier: Apache-2.0
# Head's benchmark gives up its share of the CPU, so that base is finished before it and head has the caches for itself.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	two_sides './work 10' 'renice -n 19 $$ >/dev/null; ./work 10'
	gate --no-confirm --no-store
}

facts() {
	check 'nice: the report says what changed' reason_is 'changed its nice value from -?[0-9]+ to 19'
}
