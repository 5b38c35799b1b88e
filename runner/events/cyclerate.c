/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/cyclerate.h"

#include "core/clock.h"
#include "runner/events/perfopen.h"

#include <glib.h>
#include <unistd.h>

#define WINDOW_NS 5000000
#define MAX_WINDOWS 20
/* Two windows in a row that agree so well end the search. */
#define EQUAL_SHARE .02

static guint64 read_count(int fd)
{
	guint64 count = 0;
	return read(fd, &count, sizeof count) == sizeof count ? count : 0;
}

/* Calls into the kernel are rare here, so that nearly all of the time is spent in user mode. */
static void work_until(gint64 end_ns)
{
	volatile guint64 turns = 0;
	do
		for (guint i = 0; i < 100000; i++)
			turns += i;
	while (clock_thread_ns() < end_ns);
}

static double rate_of_window(int fd)
{
	gint64 began_ns = clock_thread_ns();
	guint64 before = read_count(fd);
	work_until(began_ns + WINDOW_NS);
	guint64 cycles = read_count(fd) - before;
	return (double)cycles / (double)(clock_thread_ns() - began_ns);
}

double cycle_rate_per_ns(void)
{
	struct perf_event_attr attr = {
	        .size = sizeof attr,
	        .type = PERF_TYPE_HARDWARE,
	        .config = PERF_COUNT_HW_CPU_CYCLES,
	        .exclude_kernel = 1,
	        .exclude_hv = 1,
	};
	int fd = perf_event_open_fd(&attr, 0, -1, -1);
	double highest = 0, last = 0;
	if (fd < 0)
		return 0;
	for (guint i = 0; i < MAX_WINDOWS; i++) {
		double rate = rate_of_window(fd);
		gboolean is_settled = last > 0 && ABS(rate - last) <= EQUAL_SHARE * rate;
		highest = MAX(highest, rate);
		last = rate;
		if (is_settled)
			break;
	}
	close(fd);
	return highest;
}
