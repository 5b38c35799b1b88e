#include "compare/counted/countedwords.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_percentage_has_as_many_decimals_as_it_needs(void **state)
{
	static const struct {
		double percent;
		const char *text;
	} rows[] = {{12.3149, "+12.31"}, {-4, "-4.00"}, {0, "+0.00"}, {.01, "+0.01"}, {.005, "+0.01"},
	        {.0049, "+0.005"}, {-.00031, "-0.0003"}, {2.6e-7, "+0.0000003"}, {1e-30, "+0.000000000"}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = counted_number(rows[i].percent);
		assert_string_equal(text, rows[i].text);
	}
}

static void an_amount_is_whole_or_has_a_prefix(void **state)
{
	static const struct {
		double value;
		const char *unit, *text;
	} rows[] = {
	        {0, "count", "0"},
	        {14, "count", "14"},
	        {-14, "count", "14"},
	        {14.25, "count", "14.2"},
	        {99.5, "count", "99.5"},
	        {100.5, "count", "100"},
	        {9999, "count", "9999"},
	        {10000, "count", "10.0 k"},
	        {999949, "count", "999.9 k"},
	        {999951, "count", "1.0 M"},
	        {448200000, "count", "448.2 M"},
	        {3.6e9, "count", "3.6 G"},
	        {7.5e15, "count", "7500.0 T"},
	        {512, "bytes", "512 B"},
	        {1500000, "bytes", "1.5 MB"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = counted_amount(rows[i].value, rows[i].unit);
		assert_string_equal(text, rows[i].text);
	}
}

static void a_change_says_how_much_and_how_many(void **state)
{
	static const struct {
		MetricComparison metric;
		const char *text;
	} rows[] = {
	        {{.base = 1000, .head = 1123, .change_ratio = 1.123, .lower_ratio = 1.123, .upper_ratio = 1.123},
	                "+12.30 % (123 more)"},
	        {{.base = 1000, .head = 900, .change_ratio = .9, .lower_ratio = .9, .upper_ratio = .9},
	                "-10.00 % (100 fewer)"},
	        {{.base = 1000, .head = 1000, .change_ratio = 1, .lower_ratio = 1, .upper_ratio = 1},
	                "unchanged (1000)"},
	        {{.base = 1000, .head = 1000, .change_ratio = 1, .lower_ratio = .99, .upper_ratio = 1.02},
	                "+0.00 % [-1.00, +2.00] (0 more)"},
	        {{.base = 0, .head = 12, .change_ratio = INFINITY, .lower_ratio = INFINITY, .upper_ratio = INFINITY},
	                "from 0 to 12"},
	        {{.base = 10, .head = 12, .change_ratio = 1.2, .lower_ratio = 1, .upper_ratio = INFINITY},
	                "+20.00 % (2 more)"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricComparison metric = rows[i].metric;
		metric.unit = (char *)"count";
		g_autofree char *text = counted_change(&metric);
		assert_string_equal(text, rows[i].text);
	}
}

static void points_have_a_range_where_runs_differ(void **state)
{
	FunctionComparison f = {.contribution = .119, .contribution_lower = .119, .contribution_upper = .119};
	(void)state;
	g_autofree char *counted = counted_points(&f);
	assert_string_equal(counted, "+11.90 pp");
	f.contribution_lower = .117;
	g_autofree char *range = counted_points(&f);
	assert_string_equal(range, "+11.90 pp [+11.70, +11.90]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_percentage_has_as_many_decimals_as_it_needs),
	        cmocka_unit_test(an_amount_is_whole_or_has_a_prefix),
	        cmocka_unit_test(a_change_says_how_much_and_how_many),
	        cmocka_unit_test(points_have_a_range_where_runs_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
