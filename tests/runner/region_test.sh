#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# include/firebreak.h under valgrind: what lies between the marks is counted, nothing else, and always the same.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "no valgrind"
command -v gcc >/dev/null || skip_all "no gcc"
cd "$WORK" || exit 1
echo '#include <valgrind/callgrind.h>' | gcc -fsyntax-only -xc - 2>/dev/null || skip_all "no <valgrind/callgrind.h>"
unset FIREBREAK_CTL_FIFO FIREBREAK_ACK_FIFO FIREBREAK_METRICS FIREBREAK_VALGRIND

cat >bench.c <<'C'
#include "firebreak.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

void end_elsewhere(void);

#define OWN __attribute__((noinline))
static pthread_barrier_t barrier;

/* Two instructions per round, and two, whatever the compiler; the loop does not begin where the function does. */
static OWN void spin(long n) { __asm__ volatile("nop\n1:\tdec %0\n\tjnz 1b" : "+r"(n)); }
static OWN void set_up(void) { spin(50000); }
static OWN void handle(void) { spin(1000); }
static OWN void answer(void) { handle(); }
static void on_signal(int number) { (void)number; spin(700); }
static void *early(void *n) { pthread_barrier_wait(&barrier); spin((long)n); pthread_barrier_wait(&barrier); return NULL; }
static void *marked(void *n) { firebreak_enable(); spin((long)n); firebreak_disable(); return NULL; }
static void *plain(void *n) { spin((long)n); return NULL; }
static void run_thread(void *(*start)(void *), long n)
{
	pthread_t thread;
	pthread_create(&thread, NULL, start, (void *)n);
	pthread_join(thread, NULL);
}
static OWN int once(void)
{
	int failed = firebreak_enable();
	answer();
	return failed | firebreak_disable();
}
static int fork_one(void)
{
	int status = 1;
	pid_t child = fork();
	if (child == 0) {
		spin(2000);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}
int main(int argc, char **argv)
{
	int failed = 0;
	const char *what = argc > 1 ? argv[1] : "once";
	set_up();
	if (strcmp(what, "once") == 0)
		failed = once();
	if (strcmp(what, "thrice") == 0)
		for (int i = 0; i < 3; i++, set_up())
			failed |= once();
	if (strcmp(what, "twice-on") == 0) {
		failed |= firebreak_enable() | firebreak_enable();
		answer();
		failed |= firebreak_disable() | firebreak_disable();
	}
	if (strcmp(what, "elsewhere") == 0) {
		failed |= firebreak_enable();
		answer();
		end_elsewhere();
	}
	if (strcmp(what, "workers") == 0) {
		pthread_t thread;
		pthread_barrier_init(&barrier, NULL, 2);
		pthread_create(&thread, NULL, early, (void *)30000L);
		firebreak_enable();
		answer();
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		run_thread(plain, 40000);
		firebreak_disable();
		pthread_join(thread, NULL);
	}
	if (strcmp(what, "marked") == 0)
		for (int i = 0; i < 3; i++)
			run_thread(marked, 1000);
	if (strcmp(what, "signal") == 0) {
		signal(SIGUSR1, on_signal);
		firebreak_enable();
		answer();
		raise(SIGUSR1);
		firebreak_disable();
	}
	if (strcmp(what, "fork") == 0) {
		firebreak_enable();
		answer();
		failed |= fork_one();
		firebreak_disable();
	}
	set_up();
	return failed;
}
C
cat >elsewhere.c <<'C'
#include "firebreak.h"
void end_elsewhere(void);
__attribute__((visibility("default"))) void end_elsewhere(void) { firebreak_disable(); }
C
cp "$SOURCE_DIR/include/firebreak.h" .

# builds PROGRAM COMPILER OPTION...: without one warning
builds() { "${@:2}" -Wall -Wextra -Werror -Wshadow -Wundef -pthread -I. -o "$1" bench.c elsewhere.c; }
# count PROGRAM WHAT: runs it under callgrind as the engine does; its costs in folded, their sum in $SUM
count() {
	rm -f dump.*
	FIREBREAK_VALGRIND=1 valgrind -q --tool=callgrind --collect-atstart=no --dump-before=fork --separate-callers=50 --callgrind-out-file=dump.%p "./$1" "$2" 2>valgrind.err || {
		cat valgrind.err
		return 1
	}
	"$FIREBREAK" fold -q dump.* >folded 2>fold.err
	SUM=$(awk '{ n += $NF } END { printf "%d\n", n }' folded)
}
cost() { awk -v name="$1" '$0 ~ ";" name " [0-9]+$" { n += $NF } END { printf "%d\n", n }' folded; } # cost FUNCTION
close_to() { # close_to LEAST MOST
	if [ "$SUM" -lt "$1" ] || [ "$SUM" -gt "$2" ]; then
		echo "counted $SUM, not $1 to $2"
		cat folded
		return 1
	fi
}
# works PROGRAM WHAT LEAST MOST: what its work is counted as
works() { count "$1" "$2" && close_to "$3" "$4"; }

check "C compiles without a warning" builds bench gcc -std=gnu17 -O2 -g
check "one region runs" count bench once
check "exactly its work is counted" is "$(cost spin)" 2002
check "and nearly nothing beside it" close_to 2002 2030
first=$SUM
for again in 2 3 4 5; do
	count bench once
	check "run $again counts the same" is "$SUM" "$first"
done
check "call paths are whole, with callers outside of the region" grep -qE ';main;once;answer;handle;spin 2002$' folded
check "what set the region up is not there" is "$(grep -c set_up folded)" 0
check "three regions run" count bench thrice
check "and add up" is "$SUM" $((3 * first))
check "to begin twice and end twice is one region" count bench twice-on
check "with the same work" is "$(cost spin)" 2002
check "and nearly nothing beside it" close_to 2002 2050
check "a region can end in another file" count bench elsewhere
check "and does" is "$(cost spin)" 2002
check "threads run beside a region" count bench workers
check "only the thread that began it is counted" is "$(cost spin)" 2002
check "threads with marks of their own run" count bench marked
check "and each is counted" is "$(cost spin)" 6006
check "a signal comes in a region" count bench signal
signal=$(cost spin)
check "and its handler is not counted" is "$signal" 2002
check "a process is forked in a region" count bench fork
check "and is counted with its parent" is "$(cost spin)" $((2002 + 4002))

works_bound() { LD_BIND_NOW=1 works "$@"; }

# --- other compilers and ways
check "without optimisation it compiles" builds plain gcc -std=gnu17 -O0
check "and counts the same work" works plain once 2002 2070
for compiler in clang 'g++ -x c++ -std=c++11' 'clang++ -x c++ -std=c++11'; do
	command -v "${compiler%% *}" >/dev/null || continue
	# shellcheck disable=SC2086 # several words
	check "$compiler compiles it without a warning" builds other $compiler -O2
	check "and the work is the same" works other once 2002 2030
done
check "C99 compiles" gcc -std=c99 -pedantic -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L -fsyntax-only elsewhere.c
gcc -O2 -fPIC -shared -fvisibility=hidden -o libelsewhere.so elsewhere.c
check "a shared library can be linked" gcc -O2 -pthread -o linked bench.c -L. -lelsewhere -Wl,-rpath,"$WORK"
check "and end what the program began, with the work of the dynamic linker" works linked elsewhere 2150 6000
check "which LD_BIND_NOW takes out of the region" works_bound linked elsewhere 2002 2090

# --- where valgrind is not
check "outside of valgrind nothing happens" ./bench thrice
check "nor if the variable is set" env FIREBREAK_VALGRIND=1 ./bench thrice
FIREBREAK_VALGRIND=1 valgrind -q --tool=none ./bench thrice 2>other.err
check "nor under its other tools" is "$? $(wc -c <other.err)" "0 0"
valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file=unset.out ./bench once 2>unset.err
check "under callgrind without the variable nothing is counted" grep -q 'Collected : 0$' unset.err
check "FIREBREAK_NO_VALGRIND leaves valgrind out" builds none gcc -O2 -DFIREBREAK_NO_VALGRIND
count none once
check "and nothing is counted" is "$SUM" 0
check "nor is it in the program" is "$(nm none bench | grep -c firebreak_counting)" 1
finish
