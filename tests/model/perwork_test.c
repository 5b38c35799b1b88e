/* SPDX-License-Identifier: Apache-2.0 */
#include "model/perwork.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void costs_grow_with_the_work_and_peaks_do_not(void **state)
{
	(void)state;
	assert_true(metric_is_per_work(&engine_perf, "task-clock"));
	assert_true(metric_is_per_work(&engine_callgrind, "allocated-bytes"));
	assert_false(metric_is_per_work(&engine_perf, "peak-rss"));
	assert_false(metric_is_per_work(&engine_callgrind, "peak-heap"));
}

static void what_a_benchmark_reports_is_compared_as_it_is(void **state)
{
	(void)state;
	assert_false(metric_is_per_work(&engine_benchmark, "task-clock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(costs_grow_with_the_work_and_peaks_do_not),
	        cmocka_unit_test(what_a_benchmark_reports_is_compared_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
