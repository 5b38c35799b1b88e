/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/shownvalues.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static MetricComparison metric(double base, double head, double ratio)
{
	return (MetricComparison){.name = (char *)"task-clock",
	        .engine = &engine_perf,
	        .base = base,
	        .head = head,
	        .change_ratio = ratio};
}

/* Medians of a machine that slowed down while it measured: 653 and 724 ms are +10.9 %, the pairs say +20.7 %. */
static void head_stands_where_the_stated_change_puts_it(void **state)
{
	MetricComparison slowed = metric(653e6, 724e6, 1.207);
	(void)state;
	assert_true(fabs(metric_shown_head(&slowed) - 788.171e6) < 1);
}

static void where_there_is_no_ratio_the_median_is_shown(void **state)
{
	MetricComparison from_zero = metric(0, 12, INFINITY), unknown = metric(3, 12, NAN);
	MetricComparison error = metric(3, 12, 1);
	(void)state;
	error.verdict = VERDICT_ERROR;
	assert_true(metric_shown_head(&from_zero) == 12);
	assert_true(metric_shown_head(&unknown) == 12);
	assert_true(metric_shown_head(&error) == 12);
}

/* 1,000,001 counts are not 1,000,000.9999999999. */
static void counts_keep_all_their_digits(void **state)
{
	MetricComparison counted = metric(1e6, 1000001, 1.000001), equal = metric(1e6, 1000001, 1.000001);
	(void)state;
	counted.engine = &engine_callgrind;
	equal.deterministic = TRUE;
	assert_true(metric_shown_head(&counted) == 1000001);
	assert_true(metric_shown_head(&equal) == 1000001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(head_stands_where_the_stated_change_puts_it),
	        cmocka_unit_test(where_there_is_no_ratio_the_median_is_shown),
	        cmocka_unit_test(counts_keep_all_their_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
