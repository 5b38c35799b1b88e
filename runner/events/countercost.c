/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/countercost.h"

#include "core/clock.h"
#include "runner/events/perfopen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define TRIES 20

/* Those of runner/events/counters.c; the first leads. */
static const guint64 counted[] = {
        PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES};

static int open_counter(guint64 config, int leader)
{
	struct perf_event_attr attr = {
	        .size = sizeof attr,
	        .type = PERF_TYPE_HARDWARE,
	        .config = config,
	        .disabled = leader < 0,
	        .exclude_kernel = 1,
	        .exclude_hv = 1,
	};
	return perf_event_open_fd(&attr, 0, -1, leader);
}

static gint64 shortest_ns(int leader)
{
	gint64 shortest = G_MAXINT64;
	for (guint i = 0; i < TRIES; i++) {
		gint64 began = clock_thread_ns();
		if (ioctl(leader, PERF_EVENT_IOC_ENABLE, 0) != 0 || ioctl(leader, PERF_EVENT_IOC_DISABLE, 0) != 0)
			return 0;
		shortest = MIN(shortest, clock_thread_ns() - began);
	}
	return shortest;
}

gint64 counter_switch_ns(void)
{
	int fds[G_N_ELEMENTS(counted)];
	for (gsize i = 0; i < G_N_ELEMENTS(counted); i++)
		fds[i] = open_counter(counted[i], i == 0 ? -1 : fds[0]);
	gint64 ns = fds[0] < 0 ? 0 : shortest_ns(fds[0]);
	for (gsize i = G_N_ELEMENTS(counted); i > 0; i--)
		if (fds[i - 1] >= 0)
			close(fds[i - 1]);
	return ns;
}
