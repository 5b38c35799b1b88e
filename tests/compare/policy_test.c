/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static void default_margins_are_the_documented_ones(void **state)
{
	static const struct {
		const char *metric, *schedule;
		gboolean hosted;
		double margin, pass_margin, abs_floor;
		gboolean gates;
	} rows[] = {
	        {"task-clock", "coscheduled", TRUE, .02, .04, 0, TRUE},
	        {"task-clock", "coscheduled", FALSE, .02, .04, 0, TRUE},
	        {"task-clock", "sequential", TRUE, .03, .10, 0, TRUE},
	        {"task-clock", "sequential", FALSE, .02, .05, 0, TRUE},
	        {"cycles", "coscheduled", TRUE, .02, .04, 0, TRUE},
	        {"cycles", "sequential", TRUE, .03, .10, 0, TRUE},
	        {"cycles", "sequential", FALSE, .02, .05, 0, TRUE},
	        {"instructions", "coscheduled", TRUE, .005, .01, 0, TRUE},
	        {"page-faults", "sequential", FALSE, .02, .05, 64, TRUE},
	        {"peak-rss", "coscheduled", TRUE, .02, .05, 4194304, TRUE},
	        {"wall", "sequential", FALSE, .05, .15, 0, FALSE},
	        {"cache-misses", "sequential", FALSE, .10, .25, 0, FALSE},
	        {"context-switches", "sequential", TRUE, .10, .25, 0, FALSE},
	        {"branch-misses", "coscheduled", FALSE, .10, .25, 0, FALSE},
	        {"branches", "coscheduled", FALSE, .10, .25, 0, FALSE},
	        {"cpu-migrations", "coscheduled", FALSE, .10, .25, 0, FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricPolicy policy = {0};
		assert_true(default_policy(rows[i].metric, rows[i].schedule, rows[i].hosted, &policy));
		assert_near(policy.margin, rows[i].margin, 0);
		assert_near(policy.pass_margin, rows[i].pass_margin, 0);
		assert_near(policy.abs_floor, rows[i].abs_floor, 0);
		assert_int_equal(policy.gates, rows[i].gates);
	}
}

static void counted_margins_are_the_documented_ones(void **state)
{
	static const struct {
		const char *metric;
		double margin, abs_floor;
		gboolean gates;
	} rows[] = {
	        {"instructions", .005, 0, TRUE},
	        {"estimated-cycles", .02, 0, FALSE},
	        {"l1-misses", .10, 1000, FALSE},
	        {"ll-misses", .10, 1000, FALSE},
	        {"branch-misses", .10, 1000, FALSE},
	        {"allocations", .01, 16, FALSE},
	        {"allocated-bytes", .01, 16384, FALSE},
	        {"peak-heap", .02, 16384, FALSE},
	        {"system-calls", .01, 16, FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricPolicy policy = {0};
		assert_true(counted_policy(rows[i].metric, &policy));
		assert_near(policy.margin, rows[i].margin, 0);
		assert_near(policy.pass_margin, rows[i].margin, 0);
		assert_near(policy.abs_floor, rows[i].abs_floor, 0);
		assert_int_equal(policy.gates, rows[i].gates);
	}
}

static void an_unknown_metric_leaves_the_policy_alone(void **state)
{
	MetricPolicy policy = {.margin = .7, .gates = TRUE};
	(void)state;
	assert_false(default_policy("widgets", "sequential", FALSE, &policy));
	assert_false(counted_policy("task-clock", &policy));
	assert_near(policy.margin, .7, 0);
	assert_true(policy.gates);
}

static void the_level_of_functions_is_shared_by_the_benchmarks(void **state)
{
	(void)state;
	FunctionPolicy one = default_function_policy(FALSE, 1), five = default_function_policy(TRUE, 5);
	assert_near(one.gate_alpha, .01, 0);
	assert_near(five.gate_alpha, .002, 1e-18);
	assert_near(default_function_policy(FALSE, 0).gate_alpha, .01, 0);
	assert_near(one.floor_contribution, .003, 0);
	assert_near(five.floor_contribution, .005, 0);
	assert_near(five.floor_relative, .05, 0);
	assert_near(five.report_alpha, .05, 0);
	assert_true(one.gates);
	assert_false(one.strict_floor);
}

static void own_metrics_gate_only_on_request(void **state)
{
	(void)state;
	MetricPolicy policy = {.abs_floor = 1, .gates = TRUE};
	own_metric_policy(&policy);
	assert_near(policy.margin, .05, 0);
	assert_near(policy.pass_margin, .15, 0);
	assert_near(policy.abs_floor, 0, 0);
	assert_false(policy.gates);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(default_margins_are_the_documented_ones),
	        cmocka_unit_test(counted_margins_are_the_documented_ones),
	        cmocka_unit_test(own_metrics_gate_only_on_request),
	        cmocka_unit_test(an_unknown_metric_leaves_the_policy_alone),
	        cmocka_unit_test(the_level_of_functions_is_shared_by_the_benchmarks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
