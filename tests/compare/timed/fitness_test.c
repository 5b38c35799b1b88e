/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which change a benchmark is said to be fit to gate on. */
#include "compare/timed/fitness.h"

#include "compare/comparison/totals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A comparison of one or two metrics; texts and arrays that nobody reads are left out. */
static BenchmarkComparison comparison_of(MetricComparison *first, MetricComparison *second)
{
	BenchmarkComparison comparison = {.metrics = g_ptr_array_new()};
	g_ptr_array_add(comparison.metrics, first);
	if (second != NULL)
		g_ptr_array_add(comparison.metrics, second);
	return comparison;
}

static MetricComparison metric(const char *name, double sd)
{
	return (MetricComparison){.name = (char *)name,
	        .engine = &engine_perf,
	        .margin = .02,
	        .pass_margin = .03,
	        .sd_log = sd,
	        .gates = TRUE};
}

static Fitness fitness_by(MetricComparison *first, MetricComparison *second, LookPlan plan)
{
	BenchmarkComparison comparison = comparison_of(first, second);
	Fitness result = benchmark_fitness(&comparison, &plan);
	g_ptr_array_unref(comparison.metrics);
	return result;
}

static Fitness fitness(MetricComparison *first, MetricComparison *second)
{
	return fitness_by(first, second, look_plan_sequential(1));
}

static void a_quiet_benchmark_is_fit_at_what_its_rounds_find(void **state)
{
	(void)state;
	LookPlan plan = look_plan_sequential(1);
	MetricComparison time = metric("task-clock", .01);
	Fitness f = fitness(&time, NULL);
	double beyond = expm1(totals_mde(.01, plan.rounds[plan.n - 1], look_plan_alpha(&plan)));
	assert_true(f.fit && !f.repeats);
	assert_true(fabs(f.visible - (.02 + beyond)) < 1e-9);
	g_autofree char *text = fitness_sentence(&f, 1.5), *remedy = fitness_remedy(&f, 1.5);
	assert_string_equal(text, "fit to gate at 2.8 %: task-clock varies by 1.0 % from round to round, and up to 20 "
	                          "rounds of 1.5 s find a change of that size");
	assert_null(remedy);
}

static void a_noisy_one_is_not_and_hears_what_helps(void **state)
{
	(void)state;
	MetricComparison time = metric("task-clock", .08);
	Fitness f = fitness(&time, NULL);
	assert_false(f.fit);
	g_autofree char *text = fitness_sentence(&f, 1), *remedy = fitness_remedy(&f, 1);
	assert_true(g_str_has_prefix(text, "not fit to gate at 3 %: task-clock varies by 8.0 % from round to round"));
	assert_non_null(strstr(remedy, "let a run do "));
	assert_non_null(strstr(remedy, "set a `pass_margin` of "));
	assert_non_null(strstr(remedy, "`engines: [callgrind]`"));
}

/* .01 is below 2^-6: six rounds decide nothing, and longer runs do not help. */
static void too_few_rounds_are_not_called_noisy(void **state)
{
	(void)state;
	MetricComparison time = metric("task-clock", .001);
	Fitness six = fitness_by(&time, NULL, look_plan_fixed(6, 1));
	g_autofree char *text = fitness_sentence(&six, 1), *remedy = fitness_remedy(&six, 1);
	assert_false(six.fit);
	assert_true(isnan(six.visible));
	assert_string_equal(text, "not fit to gate at 3 %: 6 rounds are too few for a pass, however quiet it is");
	assert_string_equal(remedy, "set `rounds: 7`, or leave `rounds` out");
	Fitness seven = fitness_by(&time, NULL, look_plan_fixed(7, 1));
	assert_true(seven.fit && isfinite(seven.visible));
}

static void rounds_are_proposed_only_where_the_configuration_takes_them(void **state)
{
	(void)state;
	MetricComparison few = metric("task-clock", .05), many = metric("task-clock", .5);
	Fitness some = fitness(&few, NULL), endless = fitness(&many, NULL);
	g_autofree char *first = fitness_remedy(&some, 1), *second = fitness_remedy(&endless, 1);
	assert_non_null(strstr(first, "set `rounds: "));
	assert_null(strstr(second, "set `rounds: "));
}

static void the_time_is_spoken_of_unless_another_metric_is_too_noisy(void **state)
{
	(void)state;
	MetricComparison faults = metric("page-faults", .012), time = metric("task-clock", .01);
	assert_string_equal(fitness(&faults, &time).metric->name, "task-clock");
	faults.sd_log = .1;
	assert_string_equal(fitness(&faults, &time).metric->name, "page-faults");
	faults.gates = FALSE;
	assert_string_equal(fitness(&faults, &time).metric->name, "task-clock");
}

static void counts_that_repeat_are_fit_at_their_margin(void **state)
{
	(void)state;
	MetricComparison count = metric("instructions", NAN);
	count.engine = &engine_callgrind;
	count.margin = .005;
	Fitness f = fitness(&count, NULL);
	g_autofree char *text = fitness_sentence(&f, 1);
	assert_true(f.fit && f.repeats);
	assert_string_equal(text, "fit to gate at 0.5 %: instructions repeats exactly");
}

static void without_a_metric_that_gates_it_is_not_fit(void **state)
{
	(void)state;
	MetricComparison time = metric("task-clock", .01);
	time.gates = FALSE;
	Fitness f = fitness(&time, NULL);
	g_autofree char *text = fitness_sentence(&f, 1);
	assert_false(f.fit);
	assert_string_equal(text, "not fit to gate: no metric gates");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_quiet_benchmark_is_fit_at_what_its_rounds_find),
	        cmocka_unit_test(a_noisy_one_is_not_and_hears_what_helps),
	        cmocka_unit_test(too_few_rounds_are_not_called_noisy),
	        cmocka_unit_test(rounds_are_proposed_only_where_the_configuration_takes_them),
	        cmocka_unit_test(the_time_is_spoken_of_unless_another_metric_is_too_noisy),
	        cmocka_unit_test(counts_that_repeat_are_fit_at_their_margin),
	        cmocka_unit_test(without_a_metric_that_gates_it_is_not_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
