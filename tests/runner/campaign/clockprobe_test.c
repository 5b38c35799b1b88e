/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks that work until their CPU time is over, and those that only ask for it. */
#include "core/error.h"
#include "tests/runner/campaignfixture.h"

static void set_factors(Fixture *f, double first, double second, double third)
{
	f->fake.asks_cpu_clock = TRUE;
	f->fake.clock_factors[0] = first;
	f->fake.clock_factors[1] = second;
	for (guint i = 2; i < G_N_ELEMENTS(f->fake.clock_factors); i++)
		f->fake.clock_factors[i] = third;
}

/* The runs of that side which come before the rounds and after the warm-up. */
static guint probes(const Fixture *f, char side, gboolean slow_clocks)
{
	guint n = 0;
	for (guint i = 0; i < f->fake.runs->len; i++) {
		const FakeRun *run = &g_array_index(f->fake.runs, FakeRun, i);
		n += run->side == side && !run->recorded && run->slow_clocks == slow_clocks;
	}
	return n;
}

static void a_program_that_asks_no_such_clock_costs_no_run(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'b', TRUE) + probes(f, 'h', TRUE), 0);
	assert_int_equal(campaign->rounds, 8);
}

static void fixed_work_that_asks_costs_one_run_of_each_side(void **state)
{
	Fixture *f = *state;
	set_factors(f, 1.2, 1, 1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'b', TRUE), 1);
	assert_int_equal(probes(f, 'h', TRUE), 1);
	assert_int_equal(probes(f, 'b', FALSE) + probes(f, 'h', FALSE), 0);
	assert_int_equal(campaign->rounds, 8);
}

static void a_timer_of_one_side_is_enough(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	set_factors(f, 4, 3.5, 4.2);
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_CALIBRATES));
	assert_int_equal(firebreak_error_exit_code(error), 4);
	assert_says(error->message, "benchmark one of head: it uses 3.5 times as much CPU time");
	assert_int_equal(probes(f, 'h', TRUE), 4);
	assert_int_equal(probes(f, 'h', FALSE), 3);
}

/* A quarter of the run is work until the clock has come so far. */
static void a_timer_after_other_work_is_one_too(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	set_factors(f, 1.75, 1.7, 1.8);
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_CALIBRATES));
}

static void a_timer_in_a_region_is_one_too(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	set_factors(f, 4, 4, 4);
	((ConfigBenchmark *)f->plan.benchmark)->measure = MEASURE_REGION;
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_CALIBRATES));
}

static void one_run_that_was_disturbed_is_no_timer(void **state)
{
	Fixture *f = *state;
	set_factors(f, 4, 1.1, 4);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'h', TRUE), 2);
	assert_int_equal(campaign->rounds, 8);
}

static void a_run_that_fails_says_nothing(void **state)
{
	Fixture *f = *state;
	set_factors(f, 0, 4, 4);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'h', TRUE), 1);
	assert_int_equal(campaign->crashes[SIDE_HEAD], 0);
	assert_int_equal(campaign->rounds, 8);
}

static void who_says_how_much_it_does_is_not_asked(void **state)
{
	Fixture *f = *state;
	set_factors(f, 4, 4, 4);
	((ConfigBenchmark *)f->plan.benchmark)->framework = FRAMEWORK_NONE;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'h', TRUE), 0);
}

static void without_time_it_is_left_out(void **state)
{
	Fixture *f = *state;
	set_factors(f, 4, 4, 4);
	fixture_limit_time(f, 3);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(probes(f, 'h', TRUE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(a_program_that_asks_no_such_clock_costs_no_run),
	        FIXTURE_TEST(fixed_work_that_asks_costs_one_run_of_each_side),
	        FIXTURE_TEST(a_timer_of_one_side_is_enough),
	        FIXTURE_TEST(a_timer_after_other_work_is_one_too),
	        FIXTURE_TEST(a_timer_in_a_region_is_one_too),
	        FIXTURE_TEST(one_run_that_was_disturbed_is_no_timer),
	        FIXTURE_TEST(a_run_that_fails_says_nothing),
	        FIXTURE_TEST(who_says_how_much_it_does_is_not_asked),
	        FIXTURE_TEST(without_time_it_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
