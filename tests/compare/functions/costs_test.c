/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/costs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static const SyntheticFunction tree[] = {
        {"main", 10, 10, NULL, 0},
        {"main;parse", 40, 60, NULL, 0},
        {"main;parse;[unknown]", 5, 7, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

static guint frame_index(const Synthetic *s, const char *name)
{
	for (guint f = 0; f < stack_table_n_frames(s->table); f++)
		if (g_str_equal(stack_table_frame_name(s->table, (FrameId){f}), name))
			return f;
	fail();
	return 0;
}

static double cost(const Synthetic *s, const SideCosts *side, const char *name, guint round)
{
	return side_costs_of(side, (FrameId){frame_index(s, name)})[round];
}

/* In every round the functions, what has no function and what was not sampled add up to the total. */
static void assert_adds_up(const Synthetic *s, const CostTable *t, const SideCosts *side)
{
	for (guint r = 0; r < side->rounds; r++) {
		double sum = side->no_function[r] + side->unsampled[r];
		for (guint f = 0; f < t->n_frames; f++)
			if (frame_is_function(s->table, (FrameId){f}))
				sum += side_costs_of(side, (FrameId){f})[r];
		assert_near(sum / side->total[r], 1, 1e-12);
	}
}

static void a_clock_is_its_own_cost_and_the_rest_is_unsampled(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 3};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 3);
	assert_near(cost(s, &t->base, "parse", 0), 40.0 * SAMPLE_NS, 0);
	assert_near(cost(s, &t->head, "parse", 2), 60.0 * SAMPLE_NS, 0);
	assert_near(t->base.no_function[0], 5.0 * SAMPLE_NS, 0);
	assert_near(t->base.unsampled[1], .02 * 55 * SAMPLE_NS, 1);
	assert_near(t->base_total, 1.02 * 55 * SAMPLE_NS, 1e-6);
	assert_near(t->unit, 1.0 / SAMPLE_NS, 1e-18);
	assert_adds_up(s, t, &t->base);
	assert_adds_up(s, t, &t->head);
}

/* The counter saw twice what was sampled in round 1: lost samples are repaired there and nowhere else. */
static void a_counter_rescales_each_run_to_its_own_total(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	Measurement *sides[] = {s->base, s->head};
	for (guint i = 0; i < 2; i++) {
		g_free(sides[i]->profile->unit);
		g_free(sides[i]->profile->event);
		sides[i]->profile->unit = g_strdup("cycles");
		sides[i]->profile->event = g_strdup("cycles:u");
		synthetic_value(sides[i], "cycles", "count", 0, (i == 0 ? 55.0 : 77.0) * SAMPLE_NS);
		synthetic_value(sides[i], "cycles", "count", 1, (i == 0 ? 110.0 : 77.0) * SAMPLE_NS);
	}
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 2);
	assert_near(cost(s, &t->base, "parse", 0), 40.0 * SAMPLE_NS, 1e-6);
	assert_near(cost(s, &t->base, "parse", 1), 80.0 * SAMPLE_NS, 1e-6);
	assert_near(cost(s, &t->head, "parse", 1), 60.0 * SAMPLE_NS, 1e-6);
	assert_near(t->base.unsampled[0], 0, 0);
	assert_adds_up(s, t, &t->base);
	assert_adds_up(s, t, &t->head);
}

static void a_counter_that_misses_a_round_is_not_used_at_all(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	synthetic_value(s->head, "task-clock", "ns", 1, NAN);
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 2);
	assert_near(t->base.unsampled[0], 0, 0);
	assert_near(t->head.total[0], 77.0 * SAMPLE_NS, 0);
	assert_near(t->base_total, 55.0 * SAMPLE_NS, 0);
}

static void a_run_without_samples_is_unsampled_as_a_whole(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_array_set_size(s->base->profile->runs->pdata[1], 0);
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 2);
	assert_near(t->base.unsampled[1], t->base.total[1], 0);
	assert_adds_up(s, t, &t->base);
}

static void cost_is_per_unit_of_work(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	s->head->work = 4;
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 2);
	assert_near(cost(s, &t->head, "parse", 0), 15.0 * SAMPLE_NS, 0);
	assert_near(cost(s, &t->base, "parse", 0), 40.0 * SAMPLE_NS, 0);
	assert_adds_up(s, t, &t->head);
}

static void samples_on_the_empty_stack_belong_to_no_function(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	profile_add(s->base->profile, 0, STACK_ROOT, (ProfileCell){3, 3 * SAMPLE_NS});
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 1);
	assert_near(t->base.no_function[0], 8.0 * SAMPLE_NS, 0);
	assert_adds_up(s, t, &t->base);
}

static void a_caller_without_own_samples_is_present(void **state)
{
	static const SyntheticFunction deep[] = {
	        {"main;run;work", 50, 0, NULL, 0}, {"main", 0, 50, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	SyntheticPlan plan = {.functions = deep, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) t = cost_table_new(s->base, s->head, 1);
	assert_true(t->base.present[frame_index(s, "run")]);
	assert_true(t->base.present[frame_index(s, "main")]);
	assert_false(t->head.present[frame_index(s, "run")]);
	assert_true(t->head.present[frame_index(s, "main")]);
}

/* Two runs of base and one of head, with a counter that says something else. */
static void counts_are_scaled_by_nothing_but_work(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_array_set_size(s->head->runs, 1);
	s->head->work = 4;
	Measurement *sides[] = {s->base, s->head};
	for (guint i = 0; i < 2; i++) {
		g_free(sides[i]->profile->event);
		sides[i]->profile->event = g_strdup("instructions");
		g_free(sides[i]->profile->unit);
		sides[i]->profile->unit = g_strdup("instructions");
		synthetic_value(sides[i], "instructions", "count", 0, 1e9);
		synthetic_value(sides[i], "instructions", "count", 1, 2e9);
	}
	g_autoptr(CostTable) t = cost_table_new_counted(s->base, s->head);
	assert_int_equal(t->base.rounds, 2);
	assert_int_equal(t->head.rounds, 1);
	assert_int_equal(t->rounds, 1);
	assert_near(cost(s, &t->base, "parse", 1), 40.0 * SAMPLE_NS, 0);
	assert_near(cost(s, &t->head, "parse", 0), 15.0 * SAMPLE_NS, 0);
	assert_near(t->base_total, 55.0 * SAMPLE_NS, 0);
	assert_near(t->head.total[0], 77.0 * SAMPLE_NS / 4, 0);
	assert_adds_up(s, t, &t->base);
	assert_adds_up(s, t, &t->head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_clock_is_its_own_cost_and_the_rest_is_unsampled),
	        cmocka_unit_test(a_counter_rescales_each_run_to_its_own_total),
	        cmocka_unit_test(a_counter_that_misses_a_round_is_not_used_at_all),
	        cmocka_unit_test(a_run_without_samples_is_unsampled_as_a_whole),
	        cmocka_unit_test(cost_is_per_unit_of_work),
	        cmocka_unit_test(samples_on_the_empty_stack_belong_to_no_function),
	        cmocka_unit_test(a_caller_without_own_samples_is_present),
	        cmocka_unit_test(counts_are_scaled_by_nothing_but_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
