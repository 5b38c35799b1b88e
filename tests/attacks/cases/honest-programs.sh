# SPDX-License-Identifier: Apache-2.0
# No attack: short children, threads that pin themselves within the CPUs of the run, much memory, and many messages must
# not look like CPU time that was not counted, or like a changed schedule.
# shellcheck source=tests/attacks/privileged.bash
. "$SOURCE_DIR/tests/attacks/privileged.bash"
WANTED="0 3"

attack() {
	cat >honest.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *pinned(void *set)
{
	volatile unsigned long sink = 0;
	sched_setaffinity(0, sizeof(cpu_set_t), set);
	for (int i = 0; i < 3000000; i++)
		sink += i;
	return NULL;
}
int main(void)
{
	cpu_set_t set;
	pthread_t threads[4];
	sched_getaffinity(0, sizeof set, &set);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, pinned, &set);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	memset(malloc(64 << 20), 1, 64 << 20);
	for (int i = 0; i < 60; i++) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
	return 0;
}
C
	local work='./honest; for i in 1 2 3 4 5 6 7 8 9; do ./work 1 | cat; done'
	two_sides "$work" "$work; :" 'yardstick: true' 'cc -O1 -pthread -o honest honest.c'
	gate --no-confirm --no-store
}
