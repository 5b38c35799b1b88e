/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a campaign says: the time it foretells, and how long a run should be. */
#include "tests/runner/campaignfixture.h"

static const guint one_look[] = {8};

static void rounds_and_time_are_foretold_before_the_first_round(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_true(
	        g_str_has_prefix(f->talk->str, "one: 8 to 20 rounds of 1.1 s, about 9 to 22 s\none: round 1 of 20\n"));
	assert_true(fabs(campaign->estimate_s - (1.1 + 20 * 1.1)) < 1e-6);
	assert_true(fabs(campaign->elapsed_s - (1.1 + 8 * 1.1)) < 1e-6);
}

static void a_fixed_number_of_rounds_is_foretold_as_such(void **state)
{
	Fixture *f = *state;
	f->plan.looks = one_look, f->plan.n_looks = 1;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_true(g_str_has_prefix(f->talk->str, "one: 8 rounds of 1.1 s, about 9 s\n"));
}

static void the_yardstick_is_part_of_what_is_foretold(void **state)
{
	Fixture *f = *state;
	f->plan.yardstick = f->fake.yardstick;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(f->talk->str, "one: 8 to 20 rounds of 1.2 s, about 10 to 24 s\n");
}

static void a_deadline_after_the_last_look_is_not_mentioned(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, 1.1 + 20 * 1.1 + .1);
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(f->talk->str, "about 9 to 22 s\n");
}

static void the_look_that_fits_before_the_deadline_is_named(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, 1.1 + 14);
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(f->talk->str, "22 s; the time limit leaves 14 s, enough for the look after 12 rounds\n");
}

static void where_no_look_fits_the_time_needed_is_named(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, 1.1 + 5);
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(f->talk->str, "22 s; the time limit leaves 5 s, and the first look needs 9 s\n");
	assert_says(fixture_finding(f, "out_of_time")->text,
	        "ended it after 0 of 20 rounds: the look after 8 needs 1.1 s a round, 3.8 s more than was left");
}

static void a_short_run_is_told_how_much_longer_it_should_be(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = 4e7;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	const Finding *finding = fixture_finding(f, "short_benchmark");
	assert_says(finding->text, "one run takes 40 ms");
	assert_says(finding->text, "about 13 times, for 0.5 s in all");
}

static void a_run_should_be_longer_where_samples_are_few(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = 1e8;
	((ConfigBenchmark *)f->config->benchmarks->pdata[0])->sampling_hz = 100;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(fixture_finding(f, "short_benchmark")->text, "about 25 times, for 2.5 s in all");
}

static void a_usual_run_is_neither_too_short_nor_too_long(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 2e8;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(finding_count(f->findings), 0);
}

static void a_run_that_makes_the_looks_long_is_told_what_would_do(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 30e9;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	const Finding *finding = fixture_finding(f, "long_benchmark");
	assert_int_equal(finding->severity, FINDING_INFO);
	assert_says(finding->text, "30.0 s of CPU time, so 20 rounds take 20 min; 0.5 s a run would do");
	assert_says(finding->text, "take about 1 min");
}

static void long_looks_of_runs_that_are_not_long_are_nothing_to_shorten(void **state)
{
	Fixture *f = *state;
	static const guint many[] = {400};
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 1.9e9;
	f->plan.looks = many, f->plan.n_looks = 1;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_false(finding_has(f->findings, "long_benchmark"));
}

static void the_time_of_shorter_runs_is_foretold(void **state)
{
	Fixture *f = *state;
	static const guint many[] = {400};
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 3e9;
	f->plan.looks = many, f->plan.n_looks = 1;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_says(fixture_finding(f, "long_benchmark")->text, "400 rounds take 40 min; 0.5 s a run would do");
	assert_says(fixture_finding(f, "long_benchmark")->text, "take about 7 min");
}

static void runs_that_need_their_length_for_samples_are_not_long(void **state)
{
	Fixture *f = *state;
	f->fake.cpu_ns[SIDE_BASE] = f->fake.cpu_ns[SIDE_HEAD] = 20e9;
	((ConfigBenchmark *)f->config->benchmarks->pdata[0])->sampling_hz = 40;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_false(finding_has(f->findings, "long_benchmark"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(rounds_and_time_are_foretold_before_the_first_round),
	        FIXTURE_TEST(a_fixed_number_of_rounds_is_foretold_as_such),
	        FIXTURE_TEST(the_yardstick_is_part_of_what_is_foretold),
	        FIXTURE_TEST(a_deadline_after_the_last_look_is_not_mentioned),
	        FIXTURE_TEST(the_look_that_fits_before_the_deadline_is_named),
	        FIXTURE_TEST(where_no_look_fits_the_time_needed_is_named),
	        FIXTURE_TEST(a_short_run_is_told_how_much_longer_it_should_be),
	        FIXTURE_TEST(a_run_should_be_longer_where_samples_are_few),
	        FIXTURE_TEST(a_usual_run_is_neither_too_short_nor_too_long),
	        FIXTURE_TEST(a_run_that_makes_the_looks_long_is_told_what_would_do),
	        FIXTURE_TEST(long_looks_of_runs_that_are_not_long_are_nothing_to_shorten),
	        FIXTURE_TEST(the_time_of_shorter_runs_is_foretold),
	        FIXTURE_TEST(runs_that_need_their_length_for_samples_are_not_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
