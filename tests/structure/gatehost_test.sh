#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gate/ asks its GateHost for clocks, environment and processors, so that a test can say what they are.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# asks FOLDER: where gate/ reads them itself, as PATH:LINE:CODE; gatehost.c hands out those of this machine,
# and talk.c says how long something took, by the clock of whoever reads it.
asks() {
	local clocks='g_get_(monotonic|real)_time|g_date_time_new_now\w*|clock_gettime|gettimeofday|g_timer_new|time'
	local others='(secure_)?getenv|g_get_environ|g_get_num_processors|sysconf|gethostname|g_get_host_name|uname'
	(cd "$1" && grep -rnE "\\b($clocks|$others|g_usleep|u?sleep|nanosleep)\\(|\\bg_getenv\\b" --include='*.[ch]' gate) |
		grep -vE '^gate/request/(gatehost|talk)\.c:'
}
check "gate/ asks its host for clocks, environment and processors" is "$(asks .)" ''

mkdir -p "$WORK/gate/request"
printf '%s\n' 'gint64 now = g_get_monotonic_time();' 'choose(g_getenv, 1);' 'g_getenv("CI");' 'host->now_ns();' \
	'const double time_s;' 'round_time(3);' >"$WORK/gate/wrong.c"
printf '%s\n' 'return g_get_monotonic_time();' >"$WORK/gate/request/gatehost.c"
check "a clock that is read elsewhere is found, and the environment" is "$(asks "$WORK")" \
	'gate/wrong.c:1:gint64 now = g_get_monotonic_time();
gate/wrong.c:2:choose(g_getenv, 1);
gate/wrong.c:3:g_getenv("CI");'
finish
