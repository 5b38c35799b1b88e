#include "runner/campaign/waitwatch.h"

#include "runner/campaign/median.h"
#include "runner/campaign/roundpair.h"

#include <math.h>

#define UNUSUAL_WAIT 1.5
#define LEAST_KEPT 3

WaitWatch *wait_watch_new(void)
{
	WaitWatch *watch = g_new0(WaitWatch, 1);
	watch->kept = g_array_new(FALSE, FALSE, sizeof(double));
	return watch;
}

void wait_watch_free(WaitWatch *watch)
{
	if (watch == NULL)
		return;
	g_array_unref(watch->kept);
	g_free(watch);
}

double wait_of_round(const RunOutcome *outcomes, guint n)
{
	double least = INFINITY;
	for (guint i = 0; i < n; i++) {
		double wall_ns = (double)(outcomes[i].end_ns - outcomes[i].start_ns);
		double cpu_ns = outcome_metric(&outcomes[i], "perf", "task-clock");
		if (!(wall_ns > 0 && cpu_ns > 0))
			return NAN;
		least = MIN(least, wall_ns / cpu_ns);
	}
	return least;
}

gboolean wait_watch_unusual(const WaitWatch *watch, double wait)
{
	return watch->kept->len >= LEAST_KEPT && wait > UNUSUAL_WAIT * wait_watch_usual(watch);
}

void wait_watch_keep(WaitWatch *watch, double wait)
{
	g_array_append_val(watch->kept, wait);
}

void wait_watch_forget(WaitWatch *watch)
{
	g_array_set_size(watch->kept, 0);
}

double wait_watch_usual(const WaitWatch *watch)
{
	return median_of(watch->kept);
}
