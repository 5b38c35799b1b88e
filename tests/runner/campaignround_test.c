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
	assert_says(f->talk->str, "one: round 5 of both sides is done again: long waits\n");
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
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
