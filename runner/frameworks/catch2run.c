/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/catch2run.h"

#include "runner/frameworks/clocklibrary.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>

/* A run has so many samples at least, and fewer than twice as many. One of .7 s then has samples of 20 to 40 us, which
 * is what Catch2 chooses where its clock is fine to 25 ns: an iteration that writes to a stream which grows all through
 * a sample cost twice as much in samples of 7 ms. Reading the clock around them takes .2 %. */
#define MIN_SAMPLES_LOG2 14
/* Of a run whose instructions are counted, which does far fewer iterations: what a sample costs besides would be most
 * of them. */
#define MIN_COUNTED_SAMPLES_LOG2 6
#define MAX_DOUBLINGS 24

static const ClockLibrary library = {
        "firebreak-catch2clock.so",
        "catch2.log",
        "FIREBREAK_CATCH2_LOG",
        "FIREBREAK_CATCH2_DOUBLINGS",
};

gboolean catch2_can_fix(GError **error)
{
	return clock_library_exists(&library, error);
}

/* d: a sample has 2^d iterations. */
static guint doublings(guint iterations, gboolean counted)
{
	guint bits = g_bit_storage(MAX(iterations, 1)) - 1;
	guint least = counted ? MIN_COUNTED_SAMPLES_LOG2 : MIN_SAMPLES_LOG2;
	return bits > least ? bits - least : 0;
}

char **catch2_environment(const char *dir, guint iterations, gboolean counted, char **environment)
{
	return clock_library_load(&library, dir, doublings(iterations, counted), environment);
}

guint catch2_samples(guint iterations, gboolean counted)
{
	return MAX(iterations, 1) >> doublings(iterations, counted);
}

double catch2_iterations(guint asked, gboolean counted)
{
	guint d = doublings(asked, counted);
	return ldexp(catch2_samples(asked, counted), (int)d) + ldexp(2, (int)d) - 1;
}

guint catch2_asked(double iterations)
{
	for (guint d = 0; d <= MAX_DOUBLINGS; d++) {
		double samples = (iterations - ldexp(2, (int)d) + 1) / ldexp(1, (int)d);
		if (samples >= 1 && samples == floor(samples) && samples < 2 << MIN_COUNTED_SAMPLES_LOG2 &&
		        catch2_iterations((guint)samples << d, TRUE) == iterations)
			return (guint)samples << d;
	}
	return 1;
}

typedef struct {
	guint64 readings;
	double ns; /* that passed around samples */
} Phase;

static Phase phase_of(const char *line)
{
	char *end = NULL;
	Phase phase = {.readings = g_ascii_strtoull(line, &end, 10)};
	phase.ns = g_ascii_strtod(end, NULL);
	return phase;
}

GArray *catch2_sample_times(const char *dir, guint asked, gboolean counted)
{
	guint64 choosing = 2 * ((guint64)doublings(asked, counted) + 1);
	guint64 sampling = CATCH2_WARM_READINGS + 2 * (guint64)catch2_samples(asked, counted);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
	g_auto(GStrv) lines = clock_library_log(&library, dir);
	guint64 before = 0;
	for (char **line = lines; *line != NULL; line++) {
		Phase phase = phase_of(*line);
		if (before == choosing && phase.readings == sampling)
			g_array_append_val(times, phase.ns);
		before = phase.readings;
	}
	return times;
}

void catch2_settle(const GPtrArray *cases, guint asked, gboolean counted, guint n_times)
{
	double printed = ldexp(catch2_samples(asked, counted), (int)doublings(asked, counted));
	guint results = 0;
	for (guint i = 0; i < cases->len; i++)
		results += ((const FrameworkCase *)cases->pdata[i])->repetitions;
	for (guint i = 0; i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		gboolean obeyed = results == n_times && one->reported == catch2_samples(asked, counted) &&
		                  one->iterations == one->repetitions * printed;
		one->reported = obeyed ? asked : NAN;
		one->iterations = one->repetitions * catch2_iterations(asked, counted);
		one->ns = obeyed ? one->ns : NAN;
	}
}
