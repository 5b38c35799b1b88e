/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a deadline allows, with a clock that stands still unless it is told to go on. */
#include "runner/campaign/roundbudget.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static gint64 clock_ns;

static gint64 now_ns(void)
{
	return clock_ns;
}

/* With rounds of 10 foretold, 8 at least. */
static RoundBudget *budget_until(gint64 deadline_ns)
{
	clock_ns = 1000;
	RoundBudget *budget = round_budget_new(now_ns, deadline_ns);
	round_budget_foretell(budget, 10, 8);
	return budget;
}

static void without_a_deadline_everything_is_allowed(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = budget_until(0);
	clock_ns += 1000000;
	assert_true(isinf(round_budget_left_ns(budget)));
	assert_true(round_budget_allows(budget, 1000000));
	assert_true(round_budget_elapsed_ns(budget) == 1000000);
}

static void a_round_that_would_end_past_the_deadline_is_not_allowed(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = budget_until(1010);
	assert_true(round_budget_allows(budget, 1));
	clock_ns++;
	assert_false(round_budget_allows(budget, 1));
}

static void rounds_to_a_look_that_could_just_be_reached_are_allowed(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) just = budget_until(1000 + 5 * 8), never = budget_until(1000 + 5 * 8 - 1);
	assert_true(round_budget_allows(just, 5));
	assert_false(round_budget_allows(never, 5));
}

static void a_round_takes_the_median_of_those_so_far(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = budget_until(0);
	assert_true(round_budget_round_ns(budget) == 10);
	round_budget_note_round(budget, 30, 30);
	assert_true(round_budget_round_ns(budget) == 30);
	round_budget_note_round(budget, 20, 20);
	round_budget_note_round(budget, 500, 20);
	assert_true(round_budget_round_ns(budget) == 30);
}

static void the_least_time_is_that_of_the_fastest_attempt(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = budget_until(1000 + 60);
	round_budget_note_round(budget, 50, 20);
	assert_true(round_budget_allows(budget, 3));
	assert_false(round_budget_allows(budget, 4));
	round_budget_note_round(budget, 50, 40);
	assert_true(round_budget_allows(budget, 3));
	round_budget_note_round(budget, 15, 15);
	assert_true(round_budget_allows(budget, 4));
}

static void forgetting_rounds_goes_back_to_what_was_foretold(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = budget_until(1000 + 16);
	round_budget_note_round(budget, 50, 1);
	round_budget_forget_rounds(budget);
	assert_true(round_budget_round_ns(budget) == 10);
	assert_true(round_budget_allows(budget, 2));
	assert_false(round_budget_allows(budget, 3));
}

static void the_clock_of_the_machine_does_not_go_back(void **state)
{
	(void)state;
	g_autoptr(RoundBudget) budget = round_budget_new(NULL, 0);
	double before_ns = round_budget_elapsed_ns(budget);
	assert_true(before_ns >= 0);
	assert_true(round_budget_elapsed_ns(budget) >= before_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_a_deadline_everything_is_allowed),
	        cmocka_unit_test(a_round_that_would_end_past_the_deadline_is_not_allowed),
	        cmocka_unit_test(rounds_to_a_look_that_could_just_be_reached_are_allowed),
	        cmocka_unit_test(a_round_takes_the_median_of_those_so_far),
	        cmocka_unit_test(the_least_time_is_that_of_the_fastest_attempt),
	        cmocka_unit_test(forgetting_rounds_goes_back_to_what_was_foretold),
	        cmocka_unit_test(the_clock_of_the_machine_does_not_go_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
