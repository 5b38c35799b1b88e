/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/fixedwall.h"

#include "model/engine.h"
#include "model/median.h"
#include "runner/fixedtime.h"

#include <math.h>

/* Alone it wants this part of a CPU at least: two that want less do not take it from each other, and CPU times that
 * differ by chance would look the same. */
#define MIN_ALONE_SHARE .7
/* Fewer rounds may all have been disturbed. */
#define MIN_ROUNDS 4

/* Without its waits, if they are known, a run has had what others left it of the CPU. */
static gboolean wants_cpu(const Campaign *campaign, int side)
{
	double cpu_ns = campaign->warm_up_cpu_ns[side], wait_ns = campaign->warm_up_wait_ns[side];
	double wanted_ns = isnan(wait_ns) ? campaign->warm_up_wall_ns[side] : cpu_ns + wait_ns;
	return cpu_ns >= MIN_ALONE_SHARE * wanted_ns;
}

static gboolean side_shows(const Campaign *campaign, int side)
{
	const Measurement *measurement = campaign->plan.measurements[side];
	const MetricSeries *series = measurement_metric(measurement, &engine_perf, "task-clock");
	g_autoptr(GArray) cpu = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) wall = g_array_new(FALSE, FALSE, sizeof(double));
	if (campaign->fixed_amount[side] || series == NULL || measurement->runs->len < campaign->rounds ||
	        !wants_cpu(campaign, side))
		return FALSE;
	for (guint i = 0; i < campaign->rounds; i++) {
		double ran_ns = (double)g_array_index(measurement->runs, RunFacts, i).wall_ns;
		double cpu_ratio = metric_value(series, i) / campaign->warm_up_cpu_ns[side];
		double wall_ratio = ran_ns / campaign->warm_up_wall_ns[side];
		g_array_append_val(cpu, cpu_ratio);
		g_array_append_val(wall, wall_ratio);
	}
	return fixed_time_of_wall(median_of(cpu), median_of(wall));
}

void campaign_note_fixed_amount(Campaign *campaign)
{
	for (int s = 0; s < N_SIDES; s++)
		campaign->fixed_amount[s] = campaign->fixed_amount[s] || !side_shows(campaign, s);
}

gboolean campaign_is_fixed_wall(const Campaign *campaign)
{
	const ConfigBenchmark *benchmark = campaign->plan.benchmark;
	if (campaign->schedule != SCHEDULE_COSCHEDULED || campaign->rounds < MIN_ROUNDS ||
	        benchmark->framework != FRAMEWORK_AUTO || benchmark->work_reported ||
	        benchmark->measure == MEASURE_REGION)
		return FALSE;
	return side_shows(campaign, SIDE_BASE) || side_shows(campaign, SIDE_HEAD);
}
