#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures how far task-clock and what wait4(2) tells of CPU time part, in runs of which everything is counted
# (witness.c). Prints a Markdown table, used minus counted. Takes some five minutes.
# shellcheck disable=SC2016 # programs are texts for a shell of their own
# FIREBREAK names the program, SOURCE_DIR the repository; ROUNDS (12) can be lowered for a try.
set -euo pipefail

ROUNDS=${ROUNDS:-12}
BUILD=$(dirname "$FIREBREAK")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf 'witness: %s\n' "$*" >&2; }
for program in gcc make python3 xz; do
	command -v $program >/dev/null || { say "$program is missing"; exit 2; }
done

libraries=("$BUILD/runner/librunner.a" "$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a")
for file in "${libraries[@]}" "$BUILD/firebreak-spawn"; do
	[ -f "$file" ] || { say "$file is not built; run it as ./dev bench"; exit 2; }
done
read -ra flags < <(pkg-config --cflags glib-2.0)
read -ra linked < <(pkg-config --libs glib-2.0 libzstd yaml-0.1 libgit2 jansson libelf libdw capstone)
"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -I"$SOURCE_DIR" "${flags[@]}" -o "$WORK/witness" \
	"$SOURCE_DIR/tests/bench/witness.c" "${libraries[@]}" "${linked[@]}" -liberty -lm
cp "$BUILD/firebreak-spawn" "$BUILD/firebreak-symbols" "$WORK"

cd "$WORK"
# `./spin MS`: so much CPU time. `./threads N MS`: in each of N threads. `./talk N`: N messages there and back between
# two processes. `./forks N`: N children one after the other; `./forks N unwaited`: nobody waits for them.
cat >spin.c <<'E'
#include <stdlib.h>
#include <time.h>
volatile unsigned long sink;
int main(int argc, char **argv)
{
	struct timespec t;
	do {
		for (int i = 0; i < 20000; i++)
			sink += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec * 1e3 + t.tv_nsec / 1e6 < atof(argv[1]));
	return argc < 2;
}
E
cat >threads.c <<'E'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static double ms;
static void *work(void *unused)
{
	struct timespec t;
	volatile unsigned long sink = 0;
	do {
		for (int i = 0; i < 20000; i++)
			sink += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1e3 + t.tv_nsec / 1e6 < ms);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t threads[64];
	int n = atoi(argv[1]);
	ms = atof(argv[2]);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return argc < 3;
}
E
cat >talk.c <<'E'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int there[2], back[2], n = atoi(argv[1]);
	char c = 0;
	if (argc < 2 || pipe(there) != 0 || pipe(back) != 0)
		return 1;
	if (fork() == 0) {
		for (int i = 0; i < n; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (int i = 0; i < n; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	return wait(NULL) < 0;
}
E
cat >forks.c <<'E'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	volatile unsigned long sink = 0;
	if (argc > 2)
		signal(SIGCHLD, SIG_IGN);
	for (int n = atoi(argv[1]); n > 0; n--) {
		if (fork() == 0) {
			for (int i = 0; i < 200000; i++)
				sink += i;
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
E
# `./touch MB CHILDREN`: writes so much memory, then forks so many children one after the other
cat >touch.c <<'E'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	size_t bytes = (size_t)atol(argv[1]) << 20;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, bytes);
	for (int n = argc > 2 ? atoi(argv[2]) : 0; n > 0; n--) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
	return 0;
}
E
for program in spin threads talk forks touch; do
	"${CC:-gcc}" -O2 -pthread -o $program $program.c
done
awk 'BEGIN { srand(7); for (i = 0; i < 200000; i++) printf "%x ", int(rand() * 60000) }' >text
printf 'total = 0\nfor i in range(1_500_000):\n    total += i * i %% 7\nprint(total)\n' >loop.py
mkdir many && for i in $(seq 12); do
	awk -v n="$i" 'BEGIN { for (i = 0; i < 30; i++) printf "unsigned f%d_%d(unsigned *p, unsigned n) { unsigned s = %d; for (unsigned i = 0; i < n; i++) s += p[i] %% %d; return s; }\n", n, i, i, i + 2 }' >"many/$i.c"
done
printf 'O := $(patsubst %%.c,%%.o,$(wildcard *.c))\nall: $(O)\n%%.o: %%.c\n\tgcc -O1 -c $< -o /dev/null\n' >many/Makefile

echo '| program | how | runs | CPU ms | processes | switches | faults | peak MB | apart ms, least | median | most | apart %, least | median | most | refused |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
./witness "$ROUNDS" "$WORK" \
	'true' 'true' \
	'1 ms' 'exec ./spin 1' \
	'5 ms' 'exec ./spin 5' \
	'20 ms' 'exec ./spin 20' \
	'100 ms' 'exec ./spin 100' \
	'500 ms' 'exec ./spin 500' \
	'2 s' 'exec ./spin 2000' \
	'python3' 'python3 loop.py' \
	'xz' 'xz -6 -k -c text >/dev/null' \
	'xz, 4 threads' 'xz -6 -T4 --block-size=256KiB -k -c text >/dev/null' \
	'8 threads' './threads 8 40' \
	'300 programs, one by one' 'i=0; while [ $i -lt 300 ]; do ./spin 0.1; i=$((i+1)); done' \
	'300 children, one by one' './forks 300' \
	'300 children, nobody waits' './forks 300 unwaited' \
	'pipeline' 'i=0; while [ $i -lt 40 ]; do tr a b <text | sort | wc -l >/dev/null; i=$((i+1)); done' \
	'make -j4 with gcc' 'make -s -B -j4 -C many' \
	'50 MB' './touch 50' \
	'800 MB' './touch 800' \
	'100 MB, then 50 children' './touch 100 50' \
	'20000 messages' './talk 20000' \
	'100000 messages' './talk 100000'
