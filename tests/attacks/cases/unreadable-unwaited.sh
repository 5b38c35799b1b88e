# SPDX-License-Identifier: Apache-2.0
# As unreadable-helper, and SIGCHLD is ignored: then wait4(2) does not tell what the program used either, so both
# witnesses of CPU time agree that there was little.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="4"

attack() {
	need_user
	cat >unwaited.c <<'C'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	signal(SIGCHLD, SIG_IGN);
	if (argc > 1 && fork() == 0)
		execv(argv[1], argv + 1);
	wait(0);
	return 0;
}
C
	two_sides './work 10' './work 5; cp work helper; chmod 0111 helper; ./unwaited ./helper 25; rm -f helper' '' \
		'cc -o unwaited unwaited.c'
	user_gate --no-confirm --no-store
}

facts() {
	check 'unreadable-unwaited: the report names the program' reason_is 'helper dropped out of the counters'
}
