/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/openmetrics.h"

#include "compare/outcome.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static void the_families_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_zero_metrics(((ResultBenchmark *)result->benchmarks->pdata[0])->comparison);
	gsize length;
	g_autofree char *text = openmetrics_text(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("metrics.txt", text);
	leave_for_parsers("texts-sample.metrics.txt", text, length);
}

static void what_was_not_measured_has_no_sample(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_zero_metrics(((ResultBenchmark *)result->benchmarks->pdata[0])->comparison);
	g_autofree char *text = openmetrics_text(result, NULL);
	assert_null(strstr(text, " nan"));
	assert_null(strstr(text, " inf"));
	assert_null(strstr(text, "firebreak_change_ratio{benchmark=\"catalog\",metric=\"errors\""));
}

static void no_series_is_written_twice(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_hostile_benchmark(result, "twice");
	add_hostile_benchmark(result, "twice");
	g_autofree char *text = openmetrics_text(result, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; *lines[i] != '\0'; i++)
		assert_true(g_hash_table_add(seen, lines[i]));
}

static void it_ends_where_the_format_says(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_decide(result);
	g_autofree char *text = openmetrics_text(result, NULL);
	assert_true(g_str_has_suffix(text, "\n# EOF\n"));
	assert_non_null(strstr(text, "firebreak_exit_code 4\n"));
}

static void hostile_labels_are_escaped(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result();
	gsize length;
	g_autofree char *text = openmetrics_text(result, &length);
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_non_null(strstr(text, "benchmark=\"a,b:c=d{e}f\\\\g\\\"h\""));
	leave_for_parsers("texts-hostile.metrics.txt", text, length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_families_are_as_they_were),
	        cmocka_unit_test(what_was_not_measured_has_no_sample),
	        cmocka_unit_test(no_series_is_written_twice),
	        cmocka_unit_test(it_ends_where_the_format_says),
	        cmocka_unit_test(hostile_labels_are_escaped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
