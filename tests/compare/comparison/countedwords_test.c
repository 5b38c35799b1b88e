/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/countedwords.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
	                "0 % [-1.00, +2.00] (0 more)"},
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
	        cmocka_unit_test(a_change_says_how_much_and_how_many),
	        cmocka_unit_test(points_have_a_range_where_runs_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
