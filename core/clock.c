/* SPDX-License-Identifier: Apache-2.0 */
#include "core/clock.h"

#include <time.h>

gint64 clock_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (gint64)t.tv_sec * 1000000000 + t.tv_nsec;
}
