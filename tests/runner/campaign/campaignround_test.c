/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds that are done again because the runs waited: when, how often, and that it does not matter which side is which.
 * Call 0 and 1 are the warm-up; co-scheduled, round i is call 1 + i, unless something is done again. */
#include "core/error.h"
#include "tests/runner/campaignfixture.h"

static const RunFacts *facts_at(const Fixture *f, int side, guint i)
{
	return &g_array_index(f->measurements[side]->runs, RunFacts, i);
}

static void both_wait(Fixture *f, int from, int until)
{
	f->fake.wait_from = from, f->fake.wait_until = until;
	f->fake.wait_factor = 1.6;
}

static void a_round_in_which_both_sides_wait_is_done_again(void **state)
{
	Fixture *f = *state;
	both_wait(f, 6, 7);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 1);
	assert_int_equal(f->fake.calls, 2 + 8 + 1);
	assert_int_equal(facts_at(f, SIDE_BASE, 4)->attempts, 2);
	assert_false(finding_has(f->findings, "waits_vary"));
	assert_true(finding_has(f->findings, "rounds_done_again"));
	assert_says(f->talk->str, "one: round 5 of both sides is repeated: long waits\n");
}

static void a_sequential_round_in_which_both_sides_wait_is_done_again(void **state)
{
	Fixture *f = *state;
	both_wait(f, 10, 12);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->retries, 1);
	assert_int_equal(facts_at(f, SIDE_HEAD, 4)->attempts, 2);
}

static void the_first_three_rounds_say_what_is_usual(void **state)
{
	Fixture *f = *state;
	both_wait(f, 4, 5);
	g_autoptr(Campaign) third = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(third->retries, 0);
}

static void a_side_that_waits_alone_keeps_its_waits_whichever_it_is(void **state)
{
	Fixture *f = *state;
	both_wait(f, 8, 1000);
	f->fake.wait_factor = 100;
	f->fake.wait_side = 'h';
	g_autoptr(Campaign) head = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	f->fake.calls = 0;
	f->fake.wait_side = 'b';
	g_autoptr(Campaign) base = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(head->retries, 0);
	assert_int_equal(base->retries, 0);
}

static void waits_of_one_side_only_are_judged_by_themselves(void **state)
{
	Fixture *f = *state;
	f->plan.sides[SIDE_HEAD] = NULL;
	both_wait(f, 5, 6);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 1);
}

static void a_round_that_waits_four_times_is_kept_and_no_other_is_done_again(void **state)
{
	Fixture *f = *state;
	both_wait(f, 6, 1000);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 3);
	assert_int_equal(f->fake.calls, 2 + 8 + 3);
	assert_int_equal(facts_at(f, SIDE_BASE, 4)->attempts, 4);
	assert_says(fixture_finding(f, "waits_vary")->text, "round 5 took 3.2 times its CPU time, 2.0 times is usual");
}

static void waits_and_failures_of_a_round_are_counted_apart(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 6, f->fake.fail_until = 9;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	both_wait(f, 9, 12);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(facts_at(f, SIDE_BASE, 4)->attempts, 7);
	assert_int_equal(campaign->retries, 6);
}

static void another_schedule_has_waits_of_its_own(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 2;
	/* the three sequential rounds after two co-scheduled ones: calls 4 to 9 */
	both_wait(f, 6, 8);
	f->fake.wait_factor = 100;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->retries, 0);
}

/* --- what the hypervisor takes --- */

static void steals(Fixture *f, int from, int until, double share)
{
	f->fake.steal_from = from, f->fake.steal_until = until;
	f->fake.steal_share = share;
}

static void a_round_with_much_steal_is_done_again_after_a_pause(void **state)
{
	Fixture *f = *state;
	steals(f, 6, 7, .13);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 1);
	assert_int_equal(facts_at(f, SIDE_BASE, 4)->attempts, 2);
	assert_true(fake_paused_ns == 1000000000);
	assert_false(finding_has(f->findings, "steal"));
	assert_true(finding_has(f->findings, "rounds_done_again"));
	assert_says(f->talk->str, "one: waiting 1 s for the hypervisor, which took 13 % of the CPU time of round 5\n");
}

/* Three attempts at the first round, one second apart, ended the measurement. */
static void steal_that_stays_ends_no_measurement(void **state)
{
	Fixture *f = *state;
	steals(f, 0, 1000, .13);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 5);
	assert_int_equal(facts_at(f, SIDE_BASE, 0)->attempts, 4);
	assert_int_equal(facts_at(f, SIDE_BASE, 1)->attempts, 3);
	assert_int_equal(facts_at(f, SIDE_BASE, 2)->attempts, 1);
	/* 1 2 4, 8 16 */
	assert_true(fake_paused_ns == G_GINT64_CONSTANT(31000000000));
	const Finding *finding = fixture_finding(f, "steal");
	assert_int_equal(finding->severity, FINDING_WARNING);
	assert_says(finding->text, "took more than 5 % of the CPU time in 8 of 8 rounds, up to 13 %");
	assert_says(finding->text, "5 rounds were repeated and 31 s waited before that");
}

static void a_calm_round_makes_the_next_pause_short_again(void **state)
{
	Fixture *f = *state;
	steals(f, 2, 5, .2);
	g_autoptr(Campaign) first = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_true(fake_paused_ns == G_GINT64_CONSTANT(7000000000));
	assert_int_equal(first->retries, 3);
	f->fake.calls = 0;
	fake_paused_ns = 0;
	steals(f, 5, 6, .2);
	g_autoptr(Campaign) second = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(second->retries, 1);
	assert_true(fake_paused_ns == 1000000000);
}

static void steal_of_five_percent_is_kept_without_a_word(void **state)
{
	Fixture *f = *state;
	steals(f, 0, 1000, .05);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->retries, 0);
	assert_true(fake_paused_ns == 0);
	assert_false(finding_has(f->findings, "steal"));
}

/* Both sides alike, so that rounds are not thrown away for what one side met. */
static void the_rule_about_steal_sees_no_side(void **state)
{
	Fixture *f = *state;
	steals(f, 8, 12, .3);
	f->fake.steal_side = 'h';
	g_autoptr(Campaign) head = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	f->fake.calls = 0;
	f->fake.steal_side = 'b';
	g_autoptr(Campaign) base = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(head->retries, 2);
	assert_int_equal(base->retries, head->retries);
	assert_int_equal(base->rounds, head->rounds);
}

/* The warm-up takes 1.1 s, a round the same. */
static void a_campaign_does_not_wait_for_the_hypervisor_past_its_deadline(void **state)
{
	Fixture *f = *state;
	steals(f, 2, 1000, .13);
	fixture_limit_time(f, 1.1 + 8 * 1.1 + 3);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_false(campaign->out_of_time);
	assert_int_equal(campaign->retries, 1);
	assert_true(fake_paused_ns == 1000000000);
	fixture_finding(f, "steal");
}

static void steal_leaves_the_tries_of_failures_alone(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	steals(f, 2, 4, .13);
	f->fake.fail_from = 4, f->fake.fail_until = 1000;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	assert_null(fixture_run(f, SCHEDULE_COSCHEDULED, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_int_equal(f->fake.calls, 4 + 4);
}

static void a_single_side_waits_for_the_hypervisor_too(void **state)
{
	Fixture *f = *state;
	f->plan.sides[SIDE_HEAD] = NULL;
	steals(f, 5, 6, .13);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 1);
}

static gboolean cancelled_pause(gint64 ns, GError **error)
{
	(void)ns;
	g_set_error(error, FIREBREAK_ERROR, 130, "interrupted");
	return FALSE;
}

static void a_pause_can_be_cancelled(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	steals(f, 2, 3, .13);
	f->plan.pause = cancelled_pause;
	assert_null(fixture_run(f, SCHEDULE_COSCHEDULED, &error));
	assert_int_equal(error->code, 130);
	assert_int_equal(f->fake.calls, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(a_round_in_which_both_sides_wait_is_done_again),
	        FIXTURE_TEST(a_sequential_round_in_which_both_sides_wait_is_done_again),
	        FIXTURE_TEST(the_first_three_rounds_say_what_is_usual),
	        FIXTURE_TEST(a_side_that_waits_alone_keeps_its_waits_whichever_it_is),
	        FIXTURE_TEST(waits_of_one_side_only_are_judged_by_themselves),
	        FIXTURE_TEST(a_round_that_waits_four_times_is_kept_and_no_other_is_done_again),
	        FIXTURE_TEST(waits_and_failures_of_a_round_are_counted_apart),
	        FIXTURE_TEST(another_schedule_has_waits_of_its_own),
	        FIXTURE_TEST(a_round_with_much_steal_is_done_again_after_a_pause),
	        FIXTURE_TEST(steal_that_stays_ends_no_measurement),
	        FIXTURE_TEST(a_calm_round_makes_the_next_pause_short_again),
	        FIXTURE_TEST(steal_of_five_percent_is_kept_without_a_word),
	        FIXTURE_TEST(the_rule_about_steal_sees_no_side),
	        FIXTURE_TEST(a_campaign_does_not_wait_for_the_hypervisor_past_its_deadline),
	        FIXTURE_TEST(steal_leaves_the_tries_of_failures_alone),
	        FIXTURE_TEST(a_single_side_waits_for_the_hypervisor_too),
	        FIXTURE_TEST(a_pause_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
