/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/bisect/bisectplan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* --- histories --- */

static GPtrArray *history_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
}

/* Adds a commit; a negative parent is none. */
static void add_commit(GPtrArray *history, int first, int second)
{
	GArray *parents = g_array_new(FALSE, FALSE, sizeof(guint));
	if (first >= 0)
		g_array_append_val(parents, first);
	if (second >= 0)
		g_array_append_val(parents, second);
	g_ptr_array_add(history, parents);
}

static GPtrArray *line_of(guint n)
{
	GPtrArray *history = history_new();
	for (guint i = 0; i < n; i++)
		add_commit(history, (int)i - 1, -1);
	return history;
}

/* --- a measuring machine that is made up --- */

typedef struct {
	guint culprit;
	const guint8 *broken; /* per commit; NULL = none */
	double unclear[2];    /* chance that the first and the second attempt cannot tell */
	guint64 generator;
	guint tests;
} Machine;

static double chance(Machine *machine)
{
	machine->generator = machine->generator * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(machine->generator >> 11) / 9007199254740992.0;
}

static BisectVerdict ask(Machine *machine, const BisectStep *step)
{
	machine->tests++;
	if (machine->broken != NULL && machine->broken[step->commit])
		return BISECT_UNTESTABLE;
	if (chance(machine) < machine->unclear[step->attempt])
		return BISECT_UNCLEAR;
	return step->commit >= machine->culprit ? BISECT_BAD : BISECT_GOOD;
}

/* Asks until there is nothing left to ask. */
static BisectState drive(BisectPlan *plan, Machine *machine, BisectStep *step)
{
	BisectState state;
	while ((state = bisect_plan_next(plan, step)) == BISECT_TEST)
		bisect_plan_note(plan, step->commit, ask(machine, step));
	return state;
}

/* --- facts --- */

static void every_culprit_of_a_line_is_found_in_log2_tests(void **state)
{
	g_autoptr(GPtrArray) history = line_of(64);
	(void)state;
	for (guint culprit = 0; culprit < 64; culprit++) {
		g_autoptr(BisectPlan) plan = bisect_plan_new(history);
		Machine machine = {.culprit = culprit};
		BisectStep step;
		assert_int_equal(drive(plan, &machine, &step), BISECT_FOUND);
		assert_int_equal(step.commit, culprit);
		assert_int_equal(machine.tests, 6);
	}
}

static void a_single_commit_needs_no_test(void **state)
{
	g_autoptr(GPtrArray) history = line_of(1);
	g_autoptr(BisectPlan) plan = bisect_plan_new(history);
	BisectStep step;
	(void)state;
	assert_int_equal(bisect_plan_next(plan, &step), BISECT_FOUND);
	assert_int_equal(step.commit, 0);
}

static void what_is_unclear_is_asked_once_more_and_then_left(void **state)
{
	g_autoptr(GPtrArray) history = line_of(8);
	g_autoptr(BisectPlan) plan = bisect_plan_new(history);
	BisectStep first, second, third;
	(void)state;
	bisect_plan_next(plan, &first);
	bisect_plan_note(plan, first.commit, BISECT_UNCLEAR);
	bisect_plan_next(plan, &second);
	assert_int_equal(second.commit, first.commit);
	assert_int_equal(second.attempt, 1);
	bisect_plan_note(plan, second.commit, BISECT_UNCLEAR);
	assert_int_equal(bisect_plan_next(plan, &third), BISECT_TEST);
	assert_int_not_equal(third.commit, first.commit);
	assert_int_equal(third.attempt, 0);
}

static void suspects_that_cannot_be_told_apart_are_all_named(void **state)
{
	static const guint8 broken[] = {0, 0, 1, 1, 0, 0};
	g_autoptr(GPtrArray) history = line_of(6);
	g_autoptr(BisectPlan) plan = bisect_plan_new(history);
	Machine machine = {.culprit = 4, .broken = broken};
	BisectStep step;
	(void)state;
	assert_int_equal(drive(plan, &machine, &step), BISECT_STUCK);
	g_autoptr(GArray) suspects = bisect_plan_suspects(plan);
	assert_int_equal(suspects->len, 3);
	for (guint i = 0; i < 3; i++)
		assert_int_equal(g_array_index(suspects, guint, i), 2 + i);
}

static void a_long_broken_stretch_is_left_with_growing_steps(void **state)
{
	guint8 broken[200] = {0};
	guint most = 0;
	g_autoptr(GPtrArray) history = line_of(200);
	(void)state;
	for (guint i = 60; i < 140; i++)
		broken[i] = 1;
	for (guint culprit = 0; culprit < 200; culprit++) {
		g_autoptr(BisectPlan) plan = bisect_plan_new(history);
		Machine machine = {.culprit = culprit, .broken = broken};
		BisectStep step;
		BisectState end = drive(plan, &machine, &step);
		if (culprit < 60 || culprit > 140) {
			assert_int_equal(end, BISECT_FOUND);
			assert_int_equal(step.commit, culprit);
			most = MAX(most, machine.tests);
		}
	}
	printf("at most %u tests beside 80 broken commits\n", most);
	assert_true(most <= 20); /* testing neighbour after neighbour would take 40 */
}

/* 0 - 1 - 2 ------- 6 - 7
 *      \           /
 *       3 - 4 - 5 -        */
static GPtrArray *branched(void)
{
	GPtrArray *history = line_of(3);
	add_commit(history, 1, -1);
	add_commit(history, 3, -1);
	add_commit(history, 4, -1);
	add_commit(history, 2, 5);
	add_commit(history, 6, -1);
	return history;
}

/* TRUE if `commit` is `ancestor` or descends from it. */
static gboolean descends(const GPtrArray *history, guint commit, guint ancestor)
{
	gboolean reached[8] = {FALSE};
	reached[ancestor] = TRUE;
	for (guint i = ancestor + 1; i <= commit; i++) {
		const GArray *parents = history->pdata[i];
		for (guint p = 0; p < parents->len; p++)
			reached[i] = reached[i] || reached[g_array_index(parents, guint, p)];
	}
	return reached[commit];
}

static void a_culprit_on_either_side_of_a_merge_is_found(void **state)
{
	g_autoptr(GPtrArray) history = branched();
	(void)state;
	for (guint culprit = 0; culprit < 8; culprit++) {
		g_autoptr(BisectPlan) plan = bisect_plan_new(history);
		BisectStep step;
		BisectState end;
		while ((end = bisect_plan_next(plan, &step)) == BISECT_TEST)
			bisect_plan_note(
			        plan, step.commit, descends(history, step.commit, culprit) ? BISECT_BAD : BISECT_GOOD);
		assert_int_equal(end, BISECT_FOUND);
		assert_int_equal(step.commit, culprit);
	}
}

static void answers_about_commits_that_are_cleared_change_nothing(void **state)
{
	g_autoptr(GPtrArray) history = line_of(8);
	g_autoptr(BisectPlan) plan = bisect_plan_new(history);
	(void)state;
	bisect_plan_note(plan, 3, BISECT_GOOD);
	bisect_plan_note(plan, 1, BISECT_BAD);
	g_autoptr(GArray) suspects = bisect_plan_suspects(plan);
	assert_int_equal(suspects->len, 4);
	assert_int_equal(g_array_index(suspects, guint, 0), 4);
}

static void the_same_answers_lead_to_the_same_questions(void **state)
{
	guint8 broken[100] = {0};
	g_autoptr(GPtrArray) history = line_of(100);
	guint asked[2][64], n[2] = {0, 0};
	(void)state;
	for (guint i = 7; i < 100; i += 9)
		broken[i] = 1;
	for (int round = 0; round < 2; round++) {
		g_autoptr(BisectPlan) plan = bisect_plan_new(history);
		Machine machine = {.culprit = 58, .broken = broken, .generator = 5, .unclear = {.3, .1}};
		BisectStep step;
		while (bisect_plan_next(plan, &step) == BISECT_TEST && n[round] < 64) {
			asked[round][n[round]++] = step.commit;
			bisect_plan_note(plan, step.commit, ask(&machine, &step));
		}
	}
	assert_int_equal(n[0], n[1]);
	assert_memory_equal(asked[0], asked[1], n[0] * sizeof(guint));
}

/* The figures of docs/BISECT.md. */
typedef struct {
	guint found, named, tests, most;
} Rates;

/* Bisections of 200 commits whose culprit and broken commits are drawn; the culprit itself can be built. */
static Rates simulate(guint runs, double broken_share, const double unclear[2])
{
	Rates rates = {0};
	g_autoptr(GPtrArray) history = line_of(200);
	for (guint run = 0; run < runs; run++) {
		guint8 broken[200] = {0};
		Machine machine = {.generator = run + 1, .broken = broken, .unclear = {unclear[0], unclear[1]}};
		machine.culprit = (guint)(200 * chance(&machine));
		for (guint i = 0; i < 199; i++)
			broken[i] = chance(&machine) < broken_share && i != machine.culprit;
		g_autoptr(BisectPlan) plan = bisect_plan_new(history);
		BisectStep step;
		drive(plan, &machine, &step);
		g_autoptr(GArray) suspects = bisect_plan_suspects(plan);
		guint last = g_array_index(suspects, guint, suspects->len - 1);
		rates.found += last == machine.culprit;
		rates.named += g_array_index(suspects, guint, 0) <= machine.culprit && machine.culprit <= last;
		rates.tests += machine.tests;
		rates.most = MAX(rates.most, machine.tests);
	}
	return rates;
}

static void noisy_verdicts_cost_tests_and_hide_no_culprit(void **state)
{
	static const struct {
		double broken, unclear[2];
		guint found;  /* of 1000, at least */
		double tests; /* on average, at most */
	} cases[] = {
	        {0, {0, 0}, 1000, 8},
	        {.05, {0, 0}, 1000, 9},
	        {.05, {.2, .05}, 950, 11},
	        {.05, {.5, .2}, 800, 17},
	        {.3, {.2, .05}, 940, 15},
	};
	(void)state;
	printf("200 commits, 1000 bisections each\n");
	printf("%7s  %17s  %13s  %21s  %5s  %10s\n", "broken", "unclear at first", "twice unclear",
	        "named as the last one", "named", "tests, max");
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Rates rates = simulate(1000, cases[i].broken, cases[i].unclear);
		printf("%6.0f%%  %16.0f%%  %12.0f%%  %21u  %5u  %5.1f, %3u\n", 100 * cases[i].broken,
		        100 * cases[i].unclear[0], 100 * cases[i].unclear[0] * cases[i].unclear[1], rates.found,
		        rates.named, rates.tests / 1000.0, rates.most);
		assert_int_equal(rates.named, 1000);
		assert_true(rates.found >= cases[i].found);
		assert_true(rates.tests <= 1000 * cases[i].tests);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_culprit_of_a_line_is_found_in_log2_tests),
	        cmocka_unit_test(a_single_commit_needs_no_test),
	        cmocka_unit_test(what_is_unclear_is_asked_once_more_and_then_left),
	        cmocka_unit_test(suspects_that_cannot_be_told_apart_are_all_named),
	        cmocka_unit_test(a_long_broken_stretch_is_left_with_growing_steps),
	        cmocka_unit_test(a_culprit_on_either_side_of_a_merge_is_found),
	        cmocka_unit_test(answers_about_commits_that_are_cleared_change_nothing),
	        cmocka_unit_test(the_same_answers_lead_to_the_same_questions),
	        cmocka_unit_test(noisy_verdicts_cost_tests_and_hide_no_culprit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
