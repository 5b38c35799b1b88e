/* SPDX-License-Identifier: Apache-2.0 */
#include "model/measurement.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void environment_fields_are_sorted_and_replaced(void **state)
{
	(void)state;
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "kernel", METRIC_REPLICABLE, "5.10");
	environment_set(environment, "arch", METRIC_DETERMINISTIC, "x86_64");
	environment_set(environment, "kernel", METRIC_REPLICABLE, "6.1");
	assert_int_equal(environment->fields->len, 2);
	assert_string_equal(((EnvironmentField *)environment->fields->pdata[0])->name, "arch");
	assert_string_equal(environment_get(environment, "kernel"), "6.1");
	assert_null(environment_get(environment, "cpu"));
}

static void each_class_has_its_own_fingerprint(void **state)
{
	(void)state;
	g_autoptr(Environment) a = environment_new();
	environment_set(a, "arch", METRIC_DETERMINISTIC, "x86_64");
	environment_set(a, "cpu", METRIC_REPLICABLE, "i7");
	environment_set(a, "boot", METRIC_SAME_CAMPAIGN, "1");
	g_autoptr(Environment) b = environment_copy(a);
	environment_set(b, "cpu", METRIC_REPLICABLE, "i9");
	environment_set(b, "boot", METRIC_SAME_CAMPAIGN, "2");
	const struct {
		MetricClass comparable;
		gboolean equal;
	} cases[] = {{METRIC_DETERMINISTIC, TRUE}, {METRIC_REPLICABLE, FALSE}, {METRIC_SAME_CAMPAIGN, FALSE}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *of_a = environment_fingerprint(a, cases[i].comparable);
		g_autofree char *of_b = environment_fingerprint(b, cases[i].comparable);
		assert_int_equal(g_str_equal(of_a, of_b), cases[i].equal);
	}
	environment_set(b, "cpu", METRIC_REPLICABLE, "i7");
	g_autofree char *of_a = environment_fingerprint(a, METRIC_REPLICABLE);
	g_autofree char *of_b = environment_fingerprint(b, METRIC_REPLICABLE);
	assert_string_equal(of_a, of_b);
}

static void a_fingerprint_is_the_hash_of_its_lines(void **state)
{
	(void)state;
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "cpu", METRIC_DETERMINISTIC, "i7");
	environment_set(environment, "arch", METRIC_DETERMINISTIC, "x86_64");
	g_autofree char *expected = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "arch=x86_64\ncpu=i7\n", -1);
	g_autofree char *fingerprint = environment_fingerprint(environment, METRIC_DETERMINISTIC);
	assert_string_equal(fingerprint, expected);
}

static void a_value_cannot_pass_for_two_fields(void **state)
{
	(void)state;
	g_autoptr(Environment) one = environment_new();
	g_autoptr(Environment) two = environment_new();
	environment_set(one, "a", METRIC_DETERMINISTIC, "1\nb=2");
	environment_set(two, "a", METRIC_DETERMINISTIC, "1");
	environment_set(two, "b", METRIC_DETERMINISTIC, "2");
	g_autofree char *of_one = environment_fingerprint(one, METRIC_DETERMINISTIC);
	g_autofree char *of_two = environment_fingerprint(two, METRIC_DETERMINISTIC);
	assert_string_not_equal(of_one, of_two);
}

static void metrics_are_sorted_by_engine_then_name(void **state)
{
	(void)state;
	g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
	measurement_add_metric(m, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	measurement_add_metric(m, &engine_perf, "page-faults", "count", METRIC_REPLICABLE);
	measurement_add_metric(m, &engine_callgrind, "instructions", "count", METRIC_DETERMINISTIC);
	measurement_add_metric(m, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	const char *expected[] = {"instructions", "page-faults", "task-clock"};
	assert_int_equal(m->metrics->len, 3);
	for (guint i = 0; i < 3; i++)
		assert_string_equal(((MetricSeries *)m->metrics->pdata[i])->name, expected[i]);
	assert_non_null(measurement_metric(m, NULL, "page-faults"));
	assert_null(measurement_metric(m, &engine_callgrind, "page-faults"));
}

static void a_copy_with_another_profile_has_the_runs_and_work_and_no_metrics(void **state)
{
	(void)state;
	g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
	m->work = 3;
	g_array_set_size(m->runs, 2);
	measurement_add_metric(m, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "off-cpu", "ns");
	g_autoptr(Measurement) copy = measurement_with_profile(m, profile);
	assert_ptr_equal(copy->profile, profile);
	assert_int_equal(measurement_n_runs(copy), 2);
	assert_true(copy->work == 3);
	assert_int_equal(copy->metrics->len, 0);
	assert_string_equal(copy->commit, "abc");
}

static void a_new_metric_is_not_measured_in_the_runs_before(void **state)
{
	(void)state;
	g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
	g_array_set_size(m->runs, 2);
	MetricSeries *series = measurement_add_metric(m, &engine_perf, "cycles", "count", METRIC_SAME_CAMPAIGN);
	assert_int_equal(series->values->len, 2);
	assert_true(isnan(metric_value(series, 0)) && isnan(metric_value(series, 1)));
	assert_true(isnan(metric_value(series, 2)));
	assert_true(isnan(metric_value(NULL, 0)));
}

static void the_median_is_over_the_finite_values(void **state)
{
	(void)state;
	const double cases[][6] = {
	        /* values, then the median; NaN ends the values */
	        {3, 1, 2, NAN, NAN, 2},
	        {4, NAN, 1, INFINITY, NAN, 2.5},
	        {7, NAN, NAN, NAN, NAN, 7},
	        {10, 20, 30, 40, NAN, 25},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
		MetricSeries *series = measurement_add_metric(m, &engine_perf, "wall", "ns", METRIC_SAME_CAMPAIGN);
		g_array_append_vals(series->values, cases[i], 5);
		assert_true(metric_median(series) == cases[i][5]);
	}
}

static void the_median_of_nothing_is_not_a_number(void **state)
{
	(void)state;
	g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
	assert_true(isnan(metric_median(NULL)));
	assert_true(isnan(metric_median(measurement_add_metric(m, &engine_perf, "wall", "ns", METRIC_SAME_CAMPAIGN))));
}

static void a_run_has_the_work_that_it_reports_else_that_of_the_measurement(void **state)
{
	(void)state;
	g_autoptr(Measurement) m = measurement_new("bench", "abc", "def");
	m->work = 4;
	g_array_set_size(m->runs, 2);
	measurement_settle_work(m);
	assert_true(m->work == 4 && measurement_run_work(m, 0) == 4 && measurement_run_work(m, 9) == 4);
	g_array_index(m->runs, RunFacts, 1).work = 10;
	measurement_settle_work(m);
	assert_true(m->work == 7 && measurement_run_work(m, 0) == 4 && measurement_run_work(m, 1) == 10);
}

static void the_lost_share_is_of_all_samples(void **state)
{
	(void)state;
	const RunFacts some = {.samples = 75, .lost_samples = 25}, none = {0};
	assert_true(run_lost_share(&some) == .25);
	assert_true(run_lost_share(&none) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(environment_fields_are_sorted_and_replaced),
	        cmocka_unit_test(each_class_has_its_own_fingerprint),
	        cmocka_unit_test(a_fingerprint_is_the_hash_of_its_lines),
	        cmocka_unit_test(a_value_cannot_pass_for_two_fields),
	        cmocka_unit_test(metrics_are_sorted_by_engine_then_name),
	        cmocka_unit_test(a_copy_with_another_profile_has_the_runs_and_work_and_no_metrics),
	        cmocka_unit_test(a_new_metric_is_not_measured_in_the_runs_before),
	        cmocka_unit_test(a_run_has_the_work_that_it_reports_else_that_of_the_measurement),
	        cmocka_unit_test(the_lost_share_is_of_all_samples),
	        cmocka_unit_test(the_median_is_over_the_finite_values),
	        cmocka_unit_test(the_median_of_nothing_is_not_a_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
