# SPDX-License-Identifier: Apache-2.0
# Head does four times the work, and tells callgrind by client requests not to count it: it passed with less than base.
# The copy does the same without any request: it works, and then gives its place to another program by a system call
# that leaves no dump of its counts.
WANTED="4"

attack() {
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	echo '#include <valgrind/callgrind.h>' | cc -E - >/dev/null 2>&1 || skip "valgrind/callgrind.h is not installed"
	cat >work.c <<'C'
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>
volatile unsigned long sink;
__attribute__((noinline)) static void burn(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++)
		sink += i;
}
int main(void)
{
	char *none[] = {"true", NULL};
	burn(WORK);
	BEFORE;
	burn(HIDDEN);
	AFTER;
	return none[0] == NULL;
}
C
	cat >firebreak.yml <<'YML'
version: 1
build: {command: "sh build.sh"}
benchmarks:
  - {name: work, engines: [callgrind], command: [./work]}
YML
	echo 'eval "cc -O2 $(cat flags) -o work work.c"' >build.sh
	echo '-DWORK=1000000 -DBEFORE= -DHIDDEN=0 -DAFTER=' >flags
	commit base
	GOT=
	for hidden in \
		'-DBEFORE=CALLGRIND_STOP_INSTRUMENTATION -DAFTER=CALLGRIND_START_INSTRUMENTATION' \
		'-DBEFORE=CALLGRIND_TOGGLE_COLLECT -DAFTER=CALLGRIND_TOGGLE_COLLECT' \
		'-DBEFORE= -DAFTER=CALLGRIND_ZERO_STATS' \
		"'-DBEFORE=VALGRIND_MONITOR_COMMAND(\"instrumentation off\")' '-DAFTER=VALGRIND_MONITOR_COMMAND(\"instrumentation on\")'" \
		"'-DBEFORE=int pid=fork();if(pid==0){' '-DAFTER=syscall(SYS_execve,\"/bin/true\",none,none);}wait(0)'"; do
		echo "-DWORK=900000 -DHIDDEN=30000000 $hidden" >flags
		git commit -qam hidden && git tag -f head >/dev/null
		gate --no-confirm --no-store
		GOT="$GOT $CODE"
	done
}

facts() {
	check "client-requests: stop, toggle, zero, monitor and a copy that leaves unseen are invalid" is "$GOT" " 4 4 4 4 4"
}
