/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/disturbance.h"

#include "model/engine.h"
#include "model/median.h"
#include "runner/campaign/roundpair.h"

#include <math.h>

#define UNUSUAL_WAIT 1.5
#define MIN_KEPT 3

Disturbance *disturbance_new(void)
{
	Disturbance *disturbance = g_new0(Disturbance, 1);
	disturbance->kept = g_array_new(FALSE, FALSE, sizeof(double));
	return disturbance;
}

void disturbance_free(Disturbance *disturbance)
{
	if (disturbance == NULL)
		return;
	g_array_unref(disturbance->kept);
	g_free(disturbance);
}

double wait_of_round(const RunOutcome *outcomes, guint n)
{
	double least = INFINITY;
	for (guint i = 0; i < n; i++) {
		double wall_ns = (double)(outcomes[i].end_ns - outcomes[i].start_ns);
		double cpu_ns = outcome_metric(&outcomes[i], &engine_perf, "task-clock");
		if (!(wall_ns > 0 && cpu_ns > 0))
			return NAN;
		least = MIN(least, wall_ns / cpu_ns);
	}
	return least;
}

gboolean disturbance_unusual(const Disturbance *disturbance, double wait)
{
	return disturbance->kept->len >= MIN_KEPT && wait > UNUSUAL_WAIT * disturbance_usual(disturbance);
}

void disturbance_keep(Disturbance *disturbance, double wait)
{
	g_array_append_val(disturbance->kept, wait);
}

void disturbance_forget(Disturbance *disturbance)
{
	g_array_set_size(disturbance->kept, 0);
}

double disturbance_usual(const Disturbance *disturbance)
{
	return median_of(disturbance->kept);
}
