/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/libtestrun.h"

#include "runner/frameworks/clocklibrary.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <stdlib.h>

#define TARGET_NS 1000000

static const ClockLibrary library = {
        "firebreak-libtestclock.so",
        "libtest.log",
        "FIREBREAK_LIBTEST_LOG",
        "FIREBREAK_LIBTEST_ITERATIONS",
};

gboolean libtest_can_fix(GError **error)
{
	return clock_library_exists(&library, error);
}

char **libtest_environment(const char *dir, guint iterations, char **environment)
{
	return clock_library_load(&library, dir, iterations, environment);
}

/* libtest divides 1 ms by the time of its first iteration, a whole number of nanoseconds. */
double libtest_iterations(guint asked)
{
	guint first_ns = MAX(TARGET_NS / MAX(asked, 1), 1);
	return 1 + LIBTEST_PER_ASKED * (double)(TARGET_NS / first_ns);
}

guint libtest_asked(double iterations)
{
	return (guint)CLAMP(round((iterations - 1) / LIBTEST_PER_ASKED), 1, LIBTEST_MAX_ITERATIONS);
}

/* The calls of `iter` that make so many readings; 0 if none do. */
static double measurements_in(const char *line)
{
	guint64 readings = g_ascii_strtoull(line, NULL, 10);
	return readings % LIBTEST_READINGS == 0 ? (double)readings / LIBTEST_READINGS : 0;
}

void libtest_read_log(const char *dir, guint iterations, const GPtrArray *cases)
{
	g_auto(GStrv) lines = clock_library_log(&library, dir);
	gboolean whole = g_strv_length(lines) == cases->len;
	for (guint i = 0; whole && i < cases->len; i++)
		whole = measurements_in(lines[i]) > 0;
	for (guint i = 0; whole && i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		one->reported = iterations;
		one->iterations = measurements_in(lines[i]) * libtest_iterations(iterations);
	}
}
