/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a total that fails, or that may be beyond its margin. */
#include "tests/compare/attributioninput.h"

/* A total beyond its margin is more than layout, whatever the change edits. */
static void a_failed_total_leaves_the_function_that_is_to_blame(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	assert_string_equal(c->reason_code, "regression");
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
	assert_true(synthetic_find(s, c, "hash")->gates);
}

/* The total may have risen by more than its margin, or not: nobody knows, so the function is believed. */
static void a_function_gates_where_the_total_may_be_beyond_its_margin(void **state)
{
	(void)state;
	for (guint noisy = 0; noisy < 2; noisy++) {
		SyntheticPlan plan = {
		        .functions = masked, .rounds = 8, .seed = 5, .noise = .2, .time_noise = noisy ? .05 : .001};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *decode = synthetic_find(s, c, "decode");
		const MetricComparison *total = c->metrics->pdata[0];
		assert_int_equal(total->upper_ratio - 1 < total->margin, !noisy);
		assert_int_equal(decode->gates, noisy);
		assert_int_equal(decode->held, noisy ? FUNCTION_NOT_HELD : FUNCTION_HELD_BY_TOTAL);
		assert_int_equal(c->verdict, noisy ? VERDICT_REGRESSION : VERDICT_PASS);
	}
}

/* Equal code leaves the verdict to the total, which is open here. */
static void equal_code_does_not_gate_where_the_total_is_open(void **state)
{
	static const KnownCode known[] = {
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 1}},
	        {.name = "encode", .file = "output.c", .first = 20, .last = 29, .hash = {2, 3}},
	        {.name = NULL},
	};
	SyntheticPlan plan = {.functions = masked, .rounds = 8, .seed = 5, .noise = .2, .time_noise = .05};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(LineChanges) change = edit_lines("output.c", 22, 23);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "decode")->held, FUNCTION_HELD_BY_CODE);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c->reason_code, "interval_too_wide");
	assert_true(g_str_has_prefix(c->slower, "slower as well: decode +2."));
}

/* Touched first, then the largest; all others are counted. */
static void the_held_function_that_the_change_touches_is_named_first(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 4000, 4000, "main.c", 90},
	        {"main;input;decode", 2000, 2200, "input.c", 10},
	        {"main;input;scan", 1000, 1090, "scan.c", 10},
	        {"main;output;encode", 3000, 2700, "output.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 5}},
	        {.name = "scan", .file = "scan.c", .first = 10, .last = 19, .hash = {2, 3}},
	        {.name = NULL},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 12, .seed = 5, .noise = .2, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(LineChanges) change = edit_lines(touched ? "scan.c" : "README", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_non_null(strstr(c->slower, touched ? "passes: scan +0." : "passes: decode +"));
		assert_non_null(strstr(c->slower, "; masked by encode -"));
		assert_true(g_str_has_suffix(c->slower, "; and 1 more function"));
	}
}

/* Nobody can tell if cost moved, or if one became slower and the other faster: it is told where it is edited. */
static void a_cost_shift_that_the_change_touches_is_told(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 4000, 4000, "main.c", 90},
	        {"main;decode", 2000, 2200, "input.c", 10},
	        {"main;encode", 3000, 2800, "output.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 1, .last = 9, .hash = {1, 1}},
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 5}},
	        {.name = "encode", .file = "output.c", .first = 20, .last = 29, .hash = {2, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 5);
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(LineChanges) change = edit_lines(touched ? "input.c" : "README", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
		assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_COST_SHIFT);
		assert_int_equal(c->slower != NULL, touched);
		if (touched)
			assert_true(g_str_has_suffix(c->slower, ", edited in this change; total unchanged"));
		if (touched)
			assert_true(g_str_has_prefix(c->slower, "cost moved from encode to decode: +"));
	}
}

static void a_shift_is_held_where_the_change_touches_other_code_and_no_total_fails(void **state)
{
	static const struct {
		ChangeRelation relation;
		CodeIdentity code;
		gboolean total_failed;
		FunctionHold hold;
	} rows[] = {
	        {CHANGE_TOUCHED, CODE_CHANGED, FALSE, FUNCTION_HELD_BY_TOTAL},
	        {CHANGE_TOUCHED, CODE_UNKNOWN, FALSE, FUNCTION_HELD_BY_TOTAL},
	        {CHANGE_TOUCHED, CODE_SAME, FALSE, FUNCTION_NOT_HELD},
	        {CHANGE_TOUCHED, CODE_CHANGED, TRUE, FUNCTION_NOT_HELD},
	        {CHANGE_UNTOUCHED, CODE_CHANGED, FALSE, FUNCTION_NOT_HELD},
	        {CHANGE_UNKNOWN, CODE_CHANGED, FALSE, FUNCTION_NOT_HELD},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const FunctionComparison f = {.relation = rows[i].relation, .code = rows[i].code};
		const HoldInput hold = {.total_failed = rows[i].total_failed};
		assert_int_equal(attribution_hold_shift(&hold, &f), rows[i].hold);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_failed_total_leaves_the_function_that_is_to_blame),
	        cmocka_unit_test(a_function_gates_where_the_total_may_be_beyond_its_margin),
	        cmocka_unit_test(equal_code_does_not_gate_where_the_total_is_open),
	        cmocka_unit_test(the_held_function_that_the_change_touches_is_named_first),
	        cmocka_unit_test(a_cost_shift_that_the_change_touches_is_told),
	        cmocka_unit_test(a_shift_is_held_where_the_change_touches_other_code_and_no_total_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
