/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/libtestrun.h"

#include "core/helperprogram.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <stdlib.h>

#define LIBRARY "firebreak-libtestclock.so"
#define LOG_FILE "libtest.log"
#define TARGET_NS 1000000

gboolean libtest_can_fix(GError **error)
{
	g_autofree char *library = helper_program_path(LIBRARY, error);
	return library != NULL;
}

char **libtest_environment(const char *dir, guint iterations, char **environment)
{
	g_autofree char *library = helper_program_path(LIBRARY, NULL);
	g_autofree char *log = g_build_filename(dir, LOG_FILE, NULL);
	g_autofree char *asked = g_strdup_printf("%u", iterations);
	if (library == NULL)
		return environment;
	const char *own = g_environ_getenv(environment, "LD_PRELOAD");
	g_autofree char *all = g_strconcat(library, own != NULL ? ":" : NULL, own, NULL);
	environment = g_environ_setenv(environment, "LD_PRELOAD", all, TRUE);
	environment = g_environ_setenv(environment, "FIREBREAK_LIBTEST_LOG", log, TRUE);
	return g_environ_setenv(environment, "FIREBREAK_LIBTEST_ITERATIONS", asked, TRUE);
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
	g_autofree char *path = g_build_filename(dir, LOG_FILE, NULL);
	g_autoptr(GString) log = framework_file(path);
	g_auto(GStrv) lines = g_strsplit(log != NULL ? g_strchomp(log->str) : "", "\n", -1);
	gboolean whole = g_strv_length(lines) == cases->len;
	for (guint i = 0; whole && i < cases->len; i++)
		whole = measurements_in(lines[i]) > 0;
	for (guint i = 0; whole && i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		one->reported = iterations;
		one->iterations = measurements_in(lines[i]) * libtest_iterations(iterations);
	}
}
