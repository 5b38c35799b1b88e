#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What hardware counters cost at switches between processes: two processes on one CPU hand a byte to and fro 40,000 times,
# with no counters but a clock, with two, and with those of a run. On a CPU of one's own a switch costs about the same in
# all rows; where a hypervisor intercepts the counters, it does not (runner/events/countercost.h).
set -eu
command -v perf gcc >/dev/null || { echo "perf or gcc is missing"; exit 1; }
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cat >"$WORK/toandfro.c" <<'C'
#include <sys/wait.h>
#include <unistd.h>
static void work(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}
int main(void)
{
	int there[2], back[2];
	char byte = 0;
	if (pipe(there) != 0 || pipe(back) != 0)
		return 1;
	int child = fork() == 0;
	int *from = child ? there : back, *to = child ? back : there;
	for (int i = 0; i < 40000; i++) {
		if (!child && write(to[1], &byte, 1) != 1)
			return 1;
		work();
		if (read(from[0], &byte, 1) != 1 || (child && write(to[1], &byte, 1) != 1))
			return 1;
	}
	return child ? 0 : wait(NULL) < 0;
}
C
gcc -O1 -o "$WORK/toandfro" "$WORK/toandfro.c"
printf '%-75s %10s %12s\n' events "CPU time" "per switch"
for events in task-clock task-clock,cycles:u,instructions:u task-clock,cycles:u,instructions:u,branch-misses:u,cache-misses:u; do
	taskset -c 0 perf stat -x, -o "$WORK/stat" -e "$events,context-switches" "$WORK/toandfro"
	awk -F, -v events="$events" '/task-clock/ { ms = $1 } /context-switches/ { n = $1 }
		END { printf "%-75s %7.0f ms %9.1f us\n", events, ms, (n > 0 ? ms * 1000 / n : 0) }' "$WORK/stat"
done
