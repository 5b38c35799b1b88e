/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/fixedwall.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A head whose runs beside base need that share of the CPU time that it has alone, and as long; alone both have
 * `alone_share` of a CPU, and wait so long. */
static Campaign waiting_campaign(
        ConfigBenchmark *benchmark, double head_share, double alone_share, double wait_ns, guint rounds)
{
	Campaign campaign = {.schedule = SCHEDULE_COSCHEDULED, .rounds = rounds};
	campaign.plan.benchmark = benchmark;
	for (int s = 0; s < N_SIDES; s++) {
		Measurement *measurement = measurement_new("one", "", "");
		double share = s == SIDE_HEAD ? head_share : 1;
		campaign.warm_up_wall_ns[s] = 1e9;
		campaign.warm_up_cpu_ns[s] = 1e9 * alone_share;
		campaign.warm_up_wait_ns[s] = wait_ns;
		for (guint i = 0; i < rounds; i++) {
			const RunFacts facts = {.round = i, .wall_ns = share < 1 ? 1000000000 : 2000000000};
			g_array_append_val(measurement->runs, facts);
		}
		MetricSeries *series =
		        measurement_add_metric(measurement, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
		for (guint i = 0; i < rounds; i++)
			g_array_index(series->values, double, i) = 1e9 * alone_share * share;
		campaign.plan.measurements[s] = measurement;
	}
	return campaign;
}

static void clear(Campaign *campaign)
{
	for (int s = 0; s < N_SIDES; s++)
		measurement_free(campaign->plan.measurements[s]);
}

static gboolean waiting_campaign_shows(
        ConfigBenchmark *benchmark, double head_share, double alone_share, double wait_ns, guint rounds)
{
	Campaign campaign = waiting_campaign(benchmark, head_share, alone_share, wait_ns, rounds);
	gboolean shows = campaign_is_fixed_wall(&campaign);
	clear(&campaign);
	return shows;
}

static gboolean campaign_shows(ConfigBenchmark *benchmark, double head_share, guint rounds)
{
	return waiting_campaign_shows(benchmark, head_share, 1, NAN, rounds);
}

static void one_side_that_works_for_a_fixed_time_is_enough(void **state)
{
	ConfigBenchmark benchmark = {0};
	(void)state;
	assert_true(campaign_shows(&benchmark, .5, 8));
	assert_false(campaign_shows(&benchmark, 1, 8));
	assert_false(campaign_shows(&benchmark, .5, 3));
}

/* Where runs alone are slow now and then, another side is at each look. */
static void two_sides_that_show_it_in_turns_do_a_fixed_amount_of_work(void **state)
{
	ConfigBenchmark benchmark = {0};
	(void)state;
	Campaign campaign = waiting_campaign(&benchmark, .5, 1, NAN, 8);
	campaign_note_fixed_amount(&campaign);
	assert_true(campaign_is_fixed_wall(&campaign));
	/* now head is as quick alone as beside base, and base slow */
	campaign.warm_up_cpu_ns[SIDE_HEAD] = campaign.warm_up_wall_ns[SIDE_HEAD] = .5e9;
	campaign.warm_up_cpu_ns[SIDE_BASE] = campaign.warm_up_wall_ns[SIDE_BASE] = 2e9;
	campaign_note_fixed_amount(&campaign);
	assert_false(campaign_is_fixed_wall(&campaign));
	campaign.warm_up_cpu_ns[SIDE_HEAD] = campaign.warm_up_wall_ns[SIDE_HEAD] = 1e9;
	assert_false(campaign_is_fixed_wall(&campaign));
	clear(&campaign);
}

/* Two such runs leave each other all that they want, so CPU times that differ have another cause. */
static void a_benchmark_that_waits_is_not_said_to_work_for_a_fixed_time(void **state)
{
	ConfigBenchmark benchmark = {0};
	(void)state;
	assert_true(waiting_campaign_shows(&benchmark, .5, .8, NAN, 8));
	assert_false(waiting_campaign_shows(&benchmark, .5, .4, NAN, 8));
	assert_false(waiting_campaign_shows(&benchmark, .5, .4, .6e9, 8));
}

/* The time in which others have the CPU is no wait. */
static void a_busy_machine_hides_no_work_for_a_fixed_time(void **state)
{
	ConfigBenchmark benchmark = {0};
	(void)state;
	assert_true(waiting_campaign_shows(&benchmark, .67, .5, 0, 8));
	assert_true(waiting_campaign_shows(&benchmark, .75, .33, .05e9, 8));
}

static void a_benchmark_that_says_how_much_it_does_may_work_for_a_fixed_time(void **state)
{
	ConfigBenchmark reports = {.work_reported = TRUE}, named = {.framework = FRAMEWORK_CATCH2};
	ConfigBenchmark meant = {.framework = FRAMEWORK_NONE};
	(void)state;
	assert_false(campaign_shows(&reports, .5, 8));
	assert_false(campaign_shows(&named, .5, 8));
	assert_false(campaign_shows(&meant, .5, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_sides_that_show_it_in_turns_do_a_fixed_amount_of_work),
	        cmocka_unit_test(one_side_that_works_for_a_fixed_time_is_enough),
	        cmocka_unit_test(a_busy_machine_hides_no_work_for_a_fixed_time),
	        cmocka_unit_test(a_benchmark_that_waits_is_not_said_to_work_for_a_fixed_time),
	        cmocka_unit_test(a_benchmark_that_says_how_much_it_does_may_work_for_a_fixed_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
