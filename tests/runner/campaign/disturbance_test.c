/* SPDX-License-Identifier: Apache-2.0 */
/* Which rounds waited unusually long, and that this does not depend on which side is which. */
#include "runner/campaign/disturbance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The wait of a round whose runs took so much wall time, each with a CPU time of 100. */
static double wait_of(gint64 base_wall_ns, gint64 head_wall_ns, double cpu_ns)
{
	RunOutcome outcomes[2] = {
	        {.start_ns = 5, .end_ns = 5 + base_wall_ns}, {.start_ns = 7, .end_ns = 7 + head_wall_ns}};
	RunMetric metric = {&engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, cpu_ns};
	for (int i = 0; i < 2; i++) {
		outcomes[i].metrics = g_array_new(FALSE, FALSE, sizeof metric);
		g_array_append_val(outcomes[i].metrics, metric);
	}
	double wait = wait_of_round(outcomes, 2);
	for (int i = 0; i < 2; i++)
		run_outcome_clear(&outcomes[i]);
	return wait;
}

static void the_wait_of_a_round_is_that_of_the_run_that_waited_less(void **state)
{
	(void)state;
	assert_true(wait_of(300, 120, 100) == 1.2);
	assert_true(wait_of(120, 300, 100) == 1.2);
}

static void runs_without_times_have_no_wait(void **state)
{
	(void)state;
	assert_true(isnan(wait_of(0, 120, 100)));
	assert_true(isnan(wait_of(120, 120, 0)));
	assert_true(isnan(wait_of(120, 120, NAN)));
}

static void a_wait_is_unusual_above_one_and_a_half_times_the_median_of_three(void **state)
{
	(void)state;
	g_autoptr(Disturbance) watch = disturbance_new();
	disturbance_keep(watch, 2);
	disturbance_keep(watch, 1);
	assert_false(disturbance_unusual(watch, 100));
	disturbance_keep(watch, 50);
	assert_true(disturbance_usual(watch) == 2);
	assert_false(disturbance_unusual(watch, 3));
	assert_true(disturbance_unusual(watch, 3.01));
	assert_false(disturbance_unusual(watch, NAN));
}

static void a_watch_that_forgot_finds_nothing_unusual(void **state)
{
	(void)state;
	g_autoptr(Disturbance) watch = disturbance_new();
	for (int i = 0; i < 3; i++)
		disturbance_keep(watch, 1);
	assert_true(disturbance_unusual(watch, 100));
	disturbance_forget(watch);
	assert_false(disturbance_unusual(watch, 100));
	assert_true(isnan(disturbance_usual(watch)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_wait_of_a_round_is_that_of_the_run_that_waited_less),
	        cmocka_unit_test(runs_without_times_have_no_wait),
	        cmocka_unit_test(a_wait_is_unusual_above_one_and_a_half_times_the_median_of_three),
	        cmocka_unit_test(a_watch_that_forgot_finds_nothing_unusual),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
