/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of everything that measures, limits or orders times: CLOCK_MONOTONIC, which nobody sets, in nanoseconds.
 * g_get_monotonic_time() is the same clock in microseconds. */
#pragma once

#include <glib.h>

/* The time now. */
gint64 clock_now_ns(void);

/* The CPU time that the calling thread has used (CLOCK_THREAD_CPUTIME_ID). */
gint64 clock_thread_ns(void);
