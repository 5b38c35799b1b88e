/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a check, shared out over its benchmarks. The clock is a variable. */
#include "gate/steps/gatebudget.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND G_GINT64_CONSTANT(1000000000)

static gint64 clock_ns;

static gint64 now_ns(void)
{
	return clock_ns;
}

static GateBudget start(double max_time_s, guint n)
{
	GateBudget budget;
	clock_ns = 1000 * SECOND;
	gate_budget_start(&budget, now_ns, max_time_s);
	gate_budget_plan(&budget, n, NULL);
	return budget;
}

static double seconds_of(const BudgetShare *share)
{
	return (double)(share->end_ns - share->begin_ns) / 1e9;
}

static void time_that_is_not_limited_never_ends(void **state)
{
	GateBudget budget = start(0, 3);
	BudgetShare share = gate_budget_share(&budget, 0);
	(void)state;
	assert_false(gate_budget_limited(&budget));
	assert_true(share.end_ns == 0 && share.campaign_end_ns == 0);
	assert_true(isinf(gate_seconds_until(&budget, share.end_ns)));
	clock_ns += 1000000 * SECOND;
	assert_false(gate_budget_is_over(&budget));
}

static void seconds_are_counted_by_its_clock_and_never_below_none(void **state)
{
	GateBudget budget = start(10, 1);
	(void)state;
	clock_ns += 4 * SECOND;
	assert_true(gate_seconds_until(&budget, budget.end_ns) == 6);
	assert_true(gate_seconds_since(&budget, budget.start_ns) == 4);
	assert_false(gate_budget_is_over(&budget));
	clock_ns += 60 * SECOND;
	assert_true(gate_budget_is_over(&budget));
	assert_true(gate_seconds_until(&budget, budget.end_ns) == 0);
}

static void benchmarks_of_unknown_costs_get_equal_parts_of_what_is_left(void **state)
{
	GateBudget budget = start(100, 4);
	(void)state;
	BudgetShare first = gate_budget_share(&budget, 0);
	clock_ns += 10 * SECOND;
	BudgetShare second = gate_budget_share(&budget, 1);
	assert_true(fabs(seconds_of(&first) - (100 - 1.2) / 4) < 1e-6);
	/* what the first did not need is there for the others */
	assert_true(fabs(seconds_of(&second) - (90 - 1.2) / 3) < 1e-6);
}

static void benchmarks_of_known_costs_get_parts_of_that_size(void **state)
{
	GateBudget budget = start(100, 2);
	g_autoptr(GArray) weights = g_array_new(FALSE, FALSE, sizeof(double));
	const double costs[] = {30, 10};
	(void)state;
	g_array_append_vals(weights, costs, 2);
	gate_budget_plan(&budget, 2, g_array_ref(weights));
	BudgetShare first = gate_budget_share(&budget, 0), last = gate_budget_share(&budget, 1);
	assert_true(fabs(first.share - .75) < 1e-9);
	assert_true(last.share == 1);
	gate_budget_clear(&budget);
}

static void what_comes_after_a_campaign_is_kept_free(void **state)
{
	GateBudget budget = start(100, 1);
	(void)state;
	BudgetShare guessed = gate_budget_share(&budget, 0);
	gate_budget_learn(&budget, 10, 10);
	BudgetShare learnt = gate_budget_share(&budget, 0);
	assert_true(guessed.campaign_end_ns < guessed.end_ns);
	assert_true(learnt.campaign_end_ns < guessed.campaign_end_ns);
	assert_true(fabs((double)(learnt.campaign_end_ns - learnt.begin_ns) * 2 -
	                    (double)(learnt.end_ns - learnt.begin_ns)) < 10);
}

static void the_slowest_after_a_campaign_counts(void **state)
{
	GateBudget budget = start(100, 2);
	(void)state;
	gate_budget_learn(&budget, 10, 5);
	gate_budget_learn(&budget, 10, 1);
	assert_true(gate_budget_whole_s(&budget, 20) == 30);
	gate_budget_learn(&budget, 0, 5);
	assert_true(gate_budget_whole_s(&budget, 20) == 30);
}

static void the_time_that_would_do_would_do(void **state)
{
	GateBudget budget = start(10, 2);
	(void)state;
	clock_ns += 2 * SECOND;
	BudgetShare share = gate_budget_share(&budget, 0);
	double needed_s = gate_budget_needed_s(&budget, &share, 30);
	budget = start(needed_s, 2);
	clock_ns += 2 * SECOND;
	share = gate_budget_share(&budget, 0);
	assert_true((double)(share.campaign_end_ns - share.begin_ns) / 1e9 >= 30 - 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(time_that_is_not_limited_never_ends),
	        cmocka_unit_test(seconds_are_counted_by_its_clock_and_never_below_none),
	        cmocka_unit_test(benchmarks_of_unknown_costs_get_equal_parts_of_what_is_left),
	        cmocka_unit_test(benchmarks_of_known_costs_get_parts_of_that_size),
	        cmocka_unit_test(what_comes_after_a_campaign_is_kept_free),
	        cmocka_unit_test(the_slowest_after_a_campaign_counts),
	        cmocka_unit_test(the_time_that_would_do_would_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
