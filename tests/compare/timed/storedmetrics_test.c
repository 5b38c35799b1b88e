/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/storedmetrics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add_values(Measurement *measurement, const Engine *engine, const char *name, const double values[3])
{
	MetricSeries *series = measurement_add_metric(measurement, engine, name, "ns", METRIC_SAME_CAMPAIGN);
	for (guint i = 0; i < 3; i++)
		g_array_index(series->values, double, i) = values[i];
}

static Measurement *timed(double a, double b, double c)
{
	Measurement *measurement = measurement_new("hash", "1111111111111111111111111111111111111111", "");
	measurement->work = 2;
	g_array_set_size(measurement->runs, 3);
	add_values(measurement, &engine_perf, "task-clock", (double[]){a, b, c});
	return measurement;
}

static const MetricComparison *only_metric(const GPtrArray *metrics)
{
	assert_int_equal(metrics->len, 1);
	return metrics->pdata[0];
}

static void time_of_two_baselines_is_shown_per_unit_of_work(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(100, 300, 200), head = timed(500, 400, 300);
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	const MetricComparison *metric = only_metric(comparison->metrics);
	assert_true(metric->base == 100);
	assert_true(metric->head == 200);
	assert_true(metric->change_ratio == 2);
	assert_int_equal(metric->rounds, 3);
}

/* As in a check and in a history: twice the work needs no more memory at once. */
static void what_does_not_grow_with_the_work_is_shown_as_it_is(void **state)
{
	static const struct {
		const Engine *engine;
		const char *name;
	} rows[] = {{&engine_perf, "peak-rss"}, {&engine_benchmark, "latency"}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Measurement) base = timed(1, 1, 1), head = timed(1, 1, 1);
		head->work = 4;
		add_values(base, rows[i].engine, rows[i].name, (double[]){800, 800, 800});
		add_values(head, rows[i].engine, rows[i].name, (double[]){600, 600, 600});
		g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
		guint found = 0;
		for (guint m = 0; m < comparison->metrics->len; m++) {
			const MetricComparison *metric = comparison->metrics->pdata[m];
			if (!g_str_equal(metric->name, rows[i].name))
				continue;
			found++;
			assert_true(metric->base == 800);
			assert_true(metric->head == 600);
			assert_true(metric->change_ratio == .75);
		}
		assert_int_equal(found, 1);
	}
}

static void it_never_passes_and_never_fails(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(100, 100, 100), head = timed(900, 900, 900);
	g_autoptr(BenchmarkComparison) slower = stored_metrics_compare(base, head);
	g_autoptr(BenchmarkComparison) same = stored_metrics_compare(base, base);
	assert_int_equal(slower->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(same->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(same->reason_code, "time_not_judged");
	assert_false(only_metric(slower->metrics)->gates);
	assert_int_equal(only_metric(slower->metrics)->verdict, VERDICT_INCONCLUSIVE);
}

static void its_change_has_no_bounds(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(100, 100, 100), head = timed(900, 900, 900);
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	assert_true(only_metric(comparison->metrics)->lower_ratio == 0);
	assert_true(isinf(only_metric(comparison->metrics)->upper_ratio));
	assert_true(isnan(only_metric(comparison->metrics)->p_value));
}

static void it_is_known_by_its_reason_and_the_benchmark_is_not_named_twice(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(100, 100, 100), head = timed(900, 900, 900);
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	MetricComparison judged = {.gates = TRUE, .reason = only_metric(comparison->metrics)->reason};
	assert_true(stored_metric_is_unpaired(only_metric(comparison->metrics)));
	assert_false(stored_metric_is_unpaired(&judged));
	assert_null(strstr(comparison->reason, base->benchmark));
}

static void what_one_side_lacks_is_not_shown(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(1, 2, 3), head = timed(1, 2, 3);
	add_values(base, &engine_perf, "wall", (double[]){1, 1, 1});
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	assert_string_equal(only_metric(comparison->metrics)->name, "task-clock");
}

static void counts_are_for_others_to_judge(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(1, 2, 3), head = timed(1, 2, 3);
	add_values(base, &engine_callgrind, "instructions", (double[]){1, 1, 1});
	add_values(head, &engine_callgrind, "instructions", (double[]){1, 1, 1});
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	assert_ptr_equal(only_metric(comparison->metrics)->engine, &engine_perf);
}

static void runs_without_a_value_are_left_out_of_the_median(void **state)
{
	(void)state;
	g_autoptr(Measurement) base = timed(NAN, 100, NAN), head = timed(NAN, NAN, NAN);
	g_autoptr(BenchmarkComparison) comparison = stored_metrics_compare(base, head);
	assert_true(only_metric(comparison->metrics)->base == 50);
	assert_true(isnan(only_metric(comparison->metrics)->head));
	assert_true(isnan(only_metric(comparison->metrics)->change_ratio));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(time_of_two_baselines_is_shown_per_unit_of_work),
	        cmocka_unit_test(what_does_not_grow_with_the_work_is_shown_as_it_is),
	        cmocka_unit_test(it_never_passes_and_never_fails),
	        cmocka_unit_test(its_change_has_no_bounds),
	        cmocka_unit_test(it_is_known_by_its_reason_and_the_benchmark_is_not_named_twice),
	        cmocka_unit_test(what_one_side_lacks_is_not_shown),
	        cmocka_unit_test(counts_are_for_others_to_judge),
	        cmocka_unit_test(runs_without_a_value_are_left_out_of_the_median),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
