/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/statistics/special.h"
#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static const SyntheticFunction tree[] = {
        {"main", 30, 30, NULL, 0},
        {"main;parse", 300, 300, NULL, 0},
        {"main;parse;lex", 200, 280, NULL, 0},
        {"main;emit", 150, 150, NULL, 0},
        {"main;emit;flush", 1.2, 1.2, NULL, 0},
        {"main;emit;[unknown]", 20, 25, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

static double sum_of_contributions(const BenchmarkComparison *c)
{
	double sum = c->unknown_contribution + c->unsampled_contribution, other = 0;
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *f = c->functions->pdata[i];
		sum += f->contribution;
		other += f->tested ? 0 : f->contribution;
	}
	assert_near(other, c->other_contribution, 1e-15);
	return sum;
}

static BenchmarkComparison *report(const Synthetic *s, guint rounds)
{
	BenchmarkComparison *c = benchmark_comparison_new("catalog");
	FamilyInput input = {.base = s->base, .head = s->head, .rounds = rounds, .policy = &s->input.functions};
	g_autoptr(FunctionFamily) family = function_family_new(&input);
	function_family_report(family, c);
	return c;
}

static void contributions_add_up_to_the_change_of_the_total(void **state)
{
	guint untested = 0;
	(void)state;
	for (guint64 seed = 1; seed < 8; seed++) {
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = .7, .time_noise = .004};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = report(s, 8);
		untested += c->other_contribution != 0;
		assert_near(sum_of_contributions(c), c->total_change, 1e-12);
	}
	assert_true(untested > 0);
}

static void the_changed_function_has_the_smallest_p_and_the_others_do_not(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 3, .noise = .5, .time_noise = .004};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 8);
	FunctionComparison *lex = synthetic_find(s, c, "lex"), *parse = synthetic_find(s, c, "parse");
	assert_near(lex->p_adjusted, 1 / 256.0, 0);
	assert_true(parse->p_adjusted > .05);
	assert_near(lex->change_ratio, 1.4, .05);
	assert_near(lex->contribution, 80 / (701.2 * 1.02), .01);
	assert_true(lex->contribution_lower > .08 && lex->contribution_upper < .15);
	assert_true(lex->simultaneous_lower < lex->contribution_lower);
	assert_true(lex->simultaneous_upper > lex->contribution_upper);
	assert_true(lex->mde_ratio > .01 && lex->mde_ratio < .2);
	assert_true(lex->share_lower < lex->share_of_change && lex->share_of_change < lex->share_upper);
	assert_int_equal(c->flips, 256);
	assert_int_equal(c->tested_functions, 4);
	assert_near(c->d0, 8, 0);
	assert_true(c->phi >= .1);
}

/* Rounds cannot show what lasts as long as a campaign. */
static void an_interval_holds_what_differs_between_campaigns(void **state)
{
	(void)state;
	assert_near(campaign_half_width(.01, 0), .01, 0);
	assert_near(campaign_half_width(0, .25), 1.96 * .06 * .25, 1e-15);
	assert_near(campaign_half_width(.03, -.34013605442176870748), .05, 1e-12); /* 3, 4, 5 */
	assert_true(campaign_half_width(.02, .3) < .3);                            /* a certain change stays one */
}

static void the_interval_of_a_large_change_is_no_narrower_than_campaigns_differ(void **state)
{
	static const SyntheticFunction grown[] = {
	        {"main;guilty", 3000, 9000, NULL, 0},
	        {"main;innocent", 9000, 9000, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = grown, .rounds = 8, .seed = 3, .noise = .1, .time_noise = .001};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 8);
	FunctionComparison *guilty = synthetic_find(s, c, "guilty");
	double half = guilty->contribution_upper - guilty->contribution;
	assert_true(half >= 1.96 * CAMPAIGN_SPREAD * guilty->contribution);
	assert_true(guilty->contribution_lower > 0);
}

/* The median of two dispersions is half that of the one that changed. */
static void a_large_change_does_not_widen_the_interval_of_a_neighbour(void **state)
{
	static const SyntheticFunction two[] = {
	        {"main;guilty", 300, 1100, NULL, 0},
	        {"main;innocent", 300, 300, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = two, .rounds = 10, .seed = 3, .noise = 1, .time_noise = .004};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 10);
	FunctionComparison *innocent = synthetic_find(s, c, "innocent");
	assert_true(innocent->contribution_lower < 0 && innocent->contribution_upper > 0);
	assert_true(innocent->contribution_upper - innocent->contribution_lower < .1);
	assert_true(innocent->simultaneous_upper - innocent->simultaneous_lower > .3);
}

static void functions_with_few_samples_contribute_but_are_not_tested(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 3};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 8);
	FunctionComparison *flush = synthetic_find(s, c, "flush");
	assert_false(flush->tested);
	assert_true(isnan(flush->p_adjusted));
	assert_true(isnan(flush->contribution_lower));
	assert_int_equal(flush->base_samples, 8);
}

static void buckets_are_no_functions(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 3};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 8);
	assert_null(synthetic_find(s, c, "[unknown]"));
	assert_near(c->unknown_contribution, 5 / (701.2 * 1.02), 1e-4);
}

static void eligibility_needs_twenty_samples_of_both_sides_together(void **state)
{
	static const SyntheticFunction edge[] = {
	        {"main", 500, 500, NULL, 0},
	        {"main;nineteen", 10, 9, NULL, 0},
	        {"main;twenty", 10, 10, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = edge, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 1);
	assert_false(synthetic_find(s, c, "nineteen")->tested);
	assert_true(synthetic_find(s, c, "twenty")->tested);
}

static void eligibility_needs_a_thousandth_of_the_cost(void **state)
{
	static const SyntheticFunction edge[] = {
	        {"main", 30000, 30000, NULL, 0},
	        {"main;small", 20, 20, NULL, 0},
	        {"main;enough", 40, 40, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = edge, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 2);
	assert_false(synthetic_find(s, c, "small")->tested);
	assert_true(synthetic_find(s, c, "enough")->tested);
}

static void a_function_of_one_side_has_no_ratio(void **state)
{
	static const SyntheticFunction one[] = {{"main", 500, 500, NULL, 0}, {"main;added", 0, 100, NULL, 0},
	        {"main;gone", 20, 0, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	SyntheticPlan plan = {.functions = one, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 2);
	assert_true(isnan(synthetic_find(s, c, "added")->change_ratio));
	assert_true(isnan(synthetic_find(s, c, "added")->mde_ratio));
	assert_near(synthetic_find(s, c, "gone")->change_ratio, 0, 0);
	assert_near(sum_of_contributions(c), c->total_change, 1e-12);
}

static void a_longer_run_of_the_same_work_is_no_change(void **state)
{
	static const SyntheticFunction twice[] = {
	        {"main", 100, 200, NULL, 0}, {"main;work", 300, 600, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	SyntheticPlan plan = {.functions = twice, .rounds = 8};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	s->head->work = 2;
	g_autoptr(BenchmarkComparison) c = report(s, 8);
	assert_near(c->total_change, 0, 1e-12);
	assert_near(synthetic_find(s, c, "work")->contribution, 0, 1e-12);
	assert_true(synthetic_find(s, c, "work")->p_adjusted > .9);
}

/* A strict floor tests for more than the floors: an effect close above them is no longer certain. */
static void a_strict_floor_demands_more(void **state)
{
	static const SyntheticFunction small[] = {
	        {"main", 500, 500, NULL, 0}, {"main;work", 300, 318, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	SyntheticPlan plan = {.functions = small, .rounds = 8, .seed = 5, .noise = .3};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) plain = report(s, 8);
	s->input.functions.strict_floor = TRUE;
	g_autoptr(BenchmarkComparison) strict = report(s, 8);
	assert_true(synthetic_find(s, plain, "work")->p_adjusted <= .01);
	assert_true(synthetic_find(s, strict, "work")->p_adjusted > .05);
}

static void bounds_of_a_series_are_those_of_student(void **state)
{
	const double difference[] = {2, 4, 3, 3};
	(void)state;
	SeriesBounds bounds = series_bounds(difference, 4);
	double half = student_upper_quantile(.05, 3) * sqrt(2 / 3.0 / 4);
	assert_near(bounds.mean, 3, 0);
	assert_near(bounds.upper, 3 + half, 1e-12);
	assert_near(bounds.lower, 3 - half, 1e-12);
	assert_true(isnan(series_bounds(difference, 1).upper));
	/* Log ratios of ten rounds with a known standard deviation. */
	const double d[] = {.03818378697, .04697536831, .02721894924, .04384530814, .03256331126, .05020359197,
	        .04006398048, .03925921245, .02898753687, .04492943156};
	SeriesBounds ratios = series_bounds(d, 10);
	assert_near((ratios.upper - ratios.mean) / student_upper_quantile(.05, 9) * sqrt(10), .007671039517, 1e-11);
}

/* Five hundred functions over 14 rounds are 115 million additions. */
static void a_large_family_is_tested(void **state)
{
	enum { N = 500 };
	g_autofree SyntheticFunction *many = g_new0(SyntheticFunction, N + 1);
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	(void)state;
	for (guint i = 0; i < N; i++) {
		g_ptr_array_add(paths, g_strdup_printf("main;f%u", i));
		many[i] = (SyntheticFunction){paths->pdata[i], 100, i == 7 ? 200 : 100, NULL, 0};
	}
	SyntheticPlan plan = {.functions = many, .rounds = 14, .seed = 11, .noise = 1};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = report(s, 14);
	assert_int_equal(c->tested_functions, N);
	assert_int_equal(c->flips, 16384);
	for (guint i = 0; i < N; i++) {
		FunctionComparison *f = c->functions->pdata[i];
		gboolean changed = g_str_equal(stack_table_frame_name(s->table, f->frame), "f7");
		assert_int_equal(f->p_adjusted <= .01, changed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(contributions_add_up_to_the_change_of_the_total),
	        cmocka_unit_test(the_changed_function_has_the_smallest_p_and_the_others_do_not),
	        cmocka_unit_test(an_interval_holds_what_differs_between_campaigns),
	        cmocka_unit_test(the_interval_of_a_large_change_is_no_narrower_than_campaigns_differ),
	        cmocka_unit_test(a_large_change_does_not_widen_the_interval_of_a_neighbour),
	        cmocka_unit_test(functions_with_few_samples_contribute_but_are_not_tested),
	        cmocka_unit_test(buckets_are_no_functions),
	        cmocka_unit_test(eligibility_needs_twenty_samples_of_both_sides_together),
	        cmocka_unit_test(eligibility_needs_a_thousandth_of_the_cost),
	        cmocka_unit_test(a_function_of_one_side_has_no_ratio),
	        cmocka_unit_test(a_longer_run_of_the_same_work_is_no_change),
	        cmocka_unit_test(a_strict_floor_demands_more),
	        cmocka_unit_test(bounds_of_a_series_are_those_of_student),
	        cmocka_unit_test(a_large_family_is_tested),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
