/* SPDX-License-Identifier: Apache-2.0 */
#include "core/clock.h"

#include <time.h>

static gint64 read_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (gint64)t.tv_sec * 1000000000 + t.tv_nsec;
}

gint64 clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

gint64 clock_thread_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}
