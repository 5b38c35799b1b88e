/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what the two runs of a round ask of an executor, and what comes back. */
#include "runner/campaign/roundpair.h"
#include "tests/runner/campaignfixture.h"

static void the_run_that_started_first_is_marked_on_its_side(void **state)
{
	Fixture *f = *state;
	for (int together = 0; together < 2; together++) {
		RoundPair pair = round_pair_of(&f->plan, 0);
		RunOutcome outcomes[N_SIDES] = {0};
		pair.base_first = FALSE;
		pair.together = together == 1;
		assert_true(round_pair_run(f->plan.executor, &pair, outcomes, NULL));
		assert_false(outcomes[SIDE_BASE].facts.started_first);
		assert_true(outcomes[SIDE_HEAD].facts.started_first);
		round_pair_clear(outcomes);
	}
	assert_int_equal(g_array_index(f->fake.runs, FakeRun, 0).side, 'h');
	assert_int_equal(g_array_index(f->fake.runs, FakeRun, 2).side, 'h');
}

static void a_pair_without_a_head_is_one_run(void **state)
{
	Fixture *f = *state;
	f->plan.sides[SIDE_HEAD] = NULL;
	RoundPair pair = round_pair_of(&f->plan, 2);
	assert_int_equal(round_pair_runs(&pair), 1);
	assert_int_equal(pair.sides[SIDE_BASE]->layout, 2);
}

static void a_metric_is_found_by_engine_and_name(void **state)
{
	(void)state;
	RunOutcome outcome = {0};
	assert_true(isnan(outcome_metric(&outcome, &engine_perf, "task-clock")));
	fake_add_metric(&outcome, (RunMetric){&engine_benchmark, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, 1});
	fake_add_metric(&outcome, (RunMetric){&engine_perf, "wall", "ns", METRIC_SAME_CAMPAIGN, FALSE, 2});
	assert_true(isnan(outcome_metric(&outcome, &engine_perf, "task-clock")));
	fake_add_metric(&outcome, (RunMetric){&engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, 3});
	assert_true(outcome_metric(&outcome, &engine_perf, "task-clock") == 3);
	run_outcome_clear(&outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(the_run_that_started_first_is_marked_on_its_side),
	        FIXTURE_TEST(a_pair_without_a_head_is_one_run),
	        cmocka_unit_test(a_metric_is_found_by_engine_and_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
