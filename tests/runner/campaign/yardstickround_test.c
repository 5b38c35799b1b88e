/* SPDX-License-Identifier: Apache-2.0 */
/* The yardstick beside the rounds of a campaign. */
#include "core/cancel.h"
#include "tests/runner/campaignfixture.h"

#include <signal.h>

static Campaign *run_with_yardstick(Fixture *f, Schedule schedule)
{
	f->plan.yardstick = f->fake.yardstick;
	return fixture_must_run(f, schedule);
}

static double value_at(const Campaign *campaign, int side, guint i)
{
	return g_array_index(campaign->yardstick_ns[side], double, i);
}

static void it_runs_like_the_round_before_but_is_not_sampled(void **state)
{
	Fixture *f = *state;
	f->plan.n_layouts = 2;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(f->fake.yards->len, 2 + 2 * 8);
	for (guint i = 2; i < f->fake.yards->len; i++) {
		const FakeRun *yard = &g_array_index(f->fake.yards, FakeRun, i);
		const FakeRun *run = &g_array_index(f->fake.runs, FakeRun, i);
		assert_int_equal(yard->side, run->side);
		assert_int_equal(yard->layout, run->layout);
		assert_int_equal(yard->padding, run->padding);
		assert_true(yard->together && run->together);
		assert_true(run->recorded);
		assert_false(yard->recorded);
	}
}

static void it_runs_back_to_back_where_the_benchmark_does(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(f->fake.yard_calls, 2 + 2 * 8);
}

static void its_cpu_time_is_kept_for_every_round_and_side(void **state)
{
	Fixture *f = *state;
	f->fake.yard_ns[SIDE_HEAD] = 6e7;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 8);
	assert_int_equal(campaign->yardstick_ns[SIDE_HEAD]->len, 8);
	for (guint i = 0; i < 8; i++) {
		assert_true(value_at(campaign, SIDE_BASE, i) == 5e7);
		assert_true(value_at(campaign, SIDE_HEAD, i) == 6e7);
	}
	assert_false(finding_has(f->findings, "yardstick_failed"));
}

static void a_yardstick_that_lost_much_to_the_hypervisor_has_no_value(void **state)
{
	Fixture *f = *state;
	f->fake.yard_steal_share = .06;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_COSCHEDULED);
	assert_true(isnan(value_at(campaign, SIDE_BASE, 0)) && isnan(value_at(campaign, SIDE_HEAD, 7)));
	assert_int_equal(campaign->retries, 0);
	fixture_finding(f, "yardstick_failed");
}

static void a_yardstick_that_fails_on_one_side_has_no_value_on_either(void **state)
{
	Fixture *f = *state;
	f->fake.yard_fails = TRUE;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_true(isnan(value_at(campaign, SIDE_BASE, 7)));
	assert_true(isnan(value_at(campaign, SIDE_HEAD, 7)));
	assert_says(fixture_finding(f, "yardstick_failed")->text, "in 8 of 8 rounds");
}

static void a_yardstick_that_cannot_be_executed_does_not_end_the_campaign(void **state)
{
	Fixture *f = *state;
	f->fake.yard_breaks = TRUE;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_true(isnan(value_at(campaign, SIDE_BASE, 0)));
}

static void there_is_none_with_one_side_or_without_being_asked(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) without = fixture_must_run(f, SCHEDULE_AUTO);
	f->plan.sides[SIDE_HEAD] = NULL;
	g_autoptr(Campaign) single = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(f->fake.yards->len, 0);
	assert_int_equal(without->yardstick_ns[SIDE_BASE]->len, 0);
	assert_int_equal(single->yardstick_ns[SIDE_BASE]->len, 0);
}

static void a_yardstick_that_costs_much_time_is_skipped_with_a_finding(void **state)
{
	Fixture *f = *state;
	f->fake.yard_ns[SIDE_BASE] = f->fake.yard_ns[SIDE_HEAD] = 2e8;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 0);
	assert_int_equal(f->fake.yards->len, 2);
	assert_says(fixture_finding(f, "yardstick_skipped")->text,
	        "it takes 0.40 s of CPU time, a round of the benchmark 1.10 s");
	assert_says(f->talk->str, "one: 8 to 20 rounds of 1.1 s,");
}

static void beside_short_rounds_it_runs_as_long_as_all_of_it_is_short(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 5e7;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 8);
	assert_says(f->talk->str, "one: 8 to 20 rounds of 0.2 s,");
}

static void beside_short_rounds_it_is_skipped_where_the_deadline_is_near(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 5e7;
	fixture_limit_time(f, 3);
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 0);
	assert_false(campaign->out_of_time);
}

static void its_values_go_with_the_rounds_that_are_given_up(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 2;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, campaign->rounds);
}

static void beside_long_rounds_it_runs_whatever_it_costs_in_all(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 10e9;
	f->fake.yard_ns[SIDE_BASE] = f->fake.yard_ns[SIDE_HEAD] = 5e8;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 8);
}

static void a_yardstick_that_had_to_wait_is_not_skipped_for_that(void **state)
{
	Fixture *f = *state;
	f->fake.yard_wait_factor = 20;
	g_autoptr(Campaign) campaign = run_with_yardstick(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->yardstick_ns[SIDE_BASE]->len, 8);
}

/* The signal stays noted: this is the last test. */
static void a_signal_during_the_yardstick_ends_the_campaign(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->plan.yardstick = f->fake.yardstick;
	cancel_install();
	raise(SIGTERM);
	assert_null(campaign_run(&f->plan, &error));
	assert_int_equal(error->code, 128 + SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(it_runs_like_the_round_before_but_is_not_sampled),
	        FIXTURE_TEST(it_runs_back_to_back_where_the_benchmark_does),
	        FIXTURE_TEST(its_cpu_time_is_kept_for_every_round_and_side),
	        FIXTURE_TEST(a_yardstick_that_lost_much_to_the_hypervisor_has_no_value),
	        FIXTURE_TEST(a_yardstick_that_fails_on_one_side_has_no_value_on_either),
	        FIXTURE_TEST(a_yardstick_that_cannot_be_executed_does_not_end_the_campaign),
	        FIXTURE_TEST(there_is_none_with_one_side_or_without_being_asked),
	        FIXTURE_TEST(a_yardstick_that_costs_much_time_is_skipped_with_a_finding),
	        FIXTURE_TEST(beside_short_rounds_it_runs_as_long_as_all_of_it_is_short),
	        FIXTURE_TEST(beside_short_rounds_it_is_skipped_where_the_deadline_is_near),
	        FIXTURE_TEST(its_values_go_with_the_rounds_that_are_given_up),
	        FIXTURE_TEST(beside_long_rounds_it_runs_whatever_it_costs_in_all),
	        FIXTURE_TEST(a_yardstick_that_had_to_wait_is_not_skipped_for_that),
	        FIXTURE_TEST(a_signal_during_the_yardstick_ends_the_campaign),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
