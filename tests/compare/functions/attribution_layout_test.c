/* SPDX-License-Identifier: Apache-2.0 */
/* Rises that may be the layout of code that the change did not alter. */
#include "tests/compare/attributioninput.h"

static void add_instructions(Synthetic *s, double head)
{
	static MetricPolicy policy = {
	        .metric = (char *)"instructions", .engine = &engine_perf, .margin = .005, .pass_margin = .01};
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "instructions", "count", r, 1e9 + r);
		synthetic_value(s->head, "instructions", "count", r, head + r);
	}
	g_ptr_array_add(s->policies, &policy);
}

/* Only what is known to be the same code, with the same number of instructions, may be excused as layout. */
static void layout_is_suspected_only_with_equal_code_and_instructions(void **state)
{
	static const struct {
		gboolean counted, same_code_known;
		double head;
		gboolean suspect;
		double scatter; /* of the instructions of a round */
	} rows[] = {
	        {TRUE, TRUE, 1e9, TRUE, 0},
	        {TRUE, TRUE, 1.02e9, FALSE, 0},
	        {TRUE, TRUE, .98e9, FALSE, 0},
	        {TRUE, TRUE, 1e9, FALSE, .007}, /* the bound is beyond the margin */
	        {TRUE, FALSE, 1e9, FALSE, 0},
	        {FALSE, TRUE, 0, FALSE, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(slow_hash, 4);
		if (rows[i].counted)
			add_instructions(s, rows[i].head);
		for (guint r = 0; rows[i].scatter > 0 && r < 8; r++)
			synthetic_value(
			        s->head, "instructions", "count", r, 1e9 * (1 + (r % 2 ? 1 : -1) * rows[i].scatter));
		g_autoptr(CodeFacts) code = known_code(s->table, rows[i].same_code_known ? all_same : none_known);
		s->input.code = code;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *hash = synthetic_find(s, c, "hash");
		assert_int_equal(hash->klass, rows[i].suspect ? FUNCTION_LAYOUT_SUSPECT : FUNCTION_REGRESSION);
		assert_int_equal(hash->gates, !rows[i].suspect);
		assert_int_equal(hash->code, rows[i].same_code_known ? CODE_SAME : CODE_UNKNOWN);
		if (rows[i].suspect)
			assert_string_equal(hash->note, "same code and as many instructions on both sides: layout");
	}
}

/* hash got slower; sort, whose code is the same, costs more because of it. */
static void unchanged_code_does_not_gate_beside_its_cause_but_gates_alone(void **state)
{
	static const KnownCode only_sort[] = {{.name = "sort", .hash = {3, 3}}, {.name = NULL}};
	static const KnownCode both_known[] = {
	        {.name = "hash", .hash = {2, 2}}, {.name = "sort", .hash = {3, 3}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	for (guint both = 0; both < 2; both++) {
		g_autoptr(CodeFacts) code = known_code(s->table, both ? both_known : only_sort);
		s->input.code = code;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(c->verdict, VERDICT_REGRESSION);
		assert_true(synthetic_find(s, c, "hash")->gates);
		assert_int_equal(synthetic_find(s, c, "sort")->gates, both);
		assert_int_equal(synthetic_find(s, c, "sort")->excused, !both);
		assert_false(synthetic_find(s, c, "hash")->excused);
		assert_int_equal(synthetic_find(s, c, "sort")->klass, FUNCTION_REGRESSION);
		assert_string_equal(synthetic_find(s, c, "sort")->note,
		        "same code on both sides: called more often, or on other data");
	}
}

/* The change edits a table inside of sort, whose instructions stay the same. */
static void unchanged_code_that_the_change_touches_is_no_consequence(void **state)
{
	static const KnownCode known[] = {
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 9}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	for (guint inside = 0; inside < 2; inside++) {
		g_autoptr(LineChanges) change = edit_lines("sort.c", inside ? 35 : 45, inside ? 36 : 46);
		s->input.code = code;
		s->input.change = change;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *sort = synthetic_find(s, c, "sort");
		assert_int_equal(sort->relation, inside ? CHANGE_TOUCHED : CHANGE_UNTOUCHED);
		assert_int_equal(sort->gates, inside);
		assert_int_equal(sort->note == NULL, inside);
		assert_true(synthetic_find(s, c, "hash")->gates);
		if (!inside)
			assert_string_equal(sort->note, "the change edits other lines of sort.c; same code on both "
			                                "sides: called more often, or on other data");
	}
}

/* Even a strict policy does not make equal code fail a check alone. */
static void a_rise_of_equal_code_far_from_the_change_is_told(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = slight();
	s->input.functions.strict = TRUE;
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	const FunctionComparison *hash = synthetic_find(s, c, "hash");
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_string_equal(c->reason_code, "");
	assert_true(g_str_has_prefix(c->slower, "slower although the total passes: hash +"));
	assert_true(g_str_has_suffix(c->slower,
	        "; all code seen to run is the same on both sides: another build layout, or something other than code "
	        "changed"));
	assert_int_equal(hash->klass, FUNCTION_LAYOUT_SUSPECT);
	assert_false(hash->gates);
	assert_int_equal(hash->held, FUNCTION_HELD_BY_CODE);
	assert_true(hash->p_adjusted <= .01);
	assert_string_equal(hash->note, "all code seen to run is the same on both sides: another build layout, or "
	                                "something other than code changed");
	assert_non_null(strstr(hash->sentence,
	        "of itself), not edited in this change; all code seen to run is the same on both sides"));
}

static void a_rise_that_may_be_layout_and_would_not_gate_is_a_pass(void **state)
{
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	for (guint i = 0; i < 2; i++) {
		g_autoptr(Synthetic) s = slight();
		if (i == 0)
			s->input.functions.gates = FALSE;
		else
			s->input.functions.gate_alpha = .001; /* eight rounds reach 1/256 at best */
		g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_LAYOUT_SUSPECT);
		assert_int_equal(synthetic_find(s, c, "hash")->held, FUNCTION_NOT_HELD);
	}
}

static void instructions_settle_that_a_rise_of_equal_code_is_layout(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = slight();
	add_instructions(s, 1e9);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_LAYOUT_SUSPECT);
	assert_int_equal(synthetic_find(s, c, "hash")->held, FUNCTION_NOT_HELD);
}

/* Data in the function may cost more with as many instructions. */
static void a_touched_function_is_no_layout_suspect(void **state)
{
	(void)state;
	for (guint inside = 0; inside < 2; inside++) {
		g_autoptr(Synthetic) s = slight();
		add_instructions(s, 1e9);
		g_autoptr(LineChanges) change = edit_lines("hash.c", inside ? 12 : 22, inside ? 13 : 23);
		g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(c->slower != NULL, inside);
		assert_int_equal(
		        synthetic_find(s, c, "hash")->klass, inside ? FUNCTION_REGRESSION : FUNCTION_LAYOUT_SUSPECT);
	}
}

/* The same rise, as soon as the change may have something to do with it: it is told, and other code gates if the policy
 * is strict. */
static void a_rise_where_the_change_may_be_the_cause_is_told_and_other_code_gates_strictly(void **state)
{
	static const KnownCode sort_changed[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 2}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 8}},
	        {.name = "render", .file = "render.c", .first = 50, .last = 60, .hash = {4, 4}},
	        {.name = NULL},
	};
	static const KnownCode hash_changed[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 5}},
	        {.name = NULL},
	};
	static const struct {
		const KnownCode *known;
		const char *edited;
		gboolean same;
	} rows[] = {
	        {all_same, "hash.c", TRUE},      /* data in the same file */
	        {all_same, "sort.c", TRUE},      /* or in that of another function */
	        {sort_changed, "sort.h", TRUE},  /* other code hands it other data */
	        {hash_changed, "README", FALSE}, /* its own code differs */
	        {none_known, "README", FALSE},   /* nothing is known */
	        {all_same, NULL, TRUE},          /* the change is not known */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = slight();
		g_autoptr(LineChanges) change = rows[i].edited != NULL ? edit_lines(rows[i].edited, 1, 5) : NULL;
		g_autoptr(BenchmarkComparison) c = compare_with(s, rows[i].known, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_non_null(strstr(c->slower, "passes: hash +"));
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
		assert_int_equal(synthetic_find(s, c, "hash")->held,
		        rows[i].same ? FUNCTION_HELD_BY_CODE : FUNCTION_HELD_BY_TOTAL);
		s->input.functions.strict = TRUE;
		g_autoptr(BenchmarkComparison) strict = compare_with(s, rows[i].known, change);
		assert_string_equal(strict->reason_code, rows[i].same ? "" : "function_regression");
	}
}

/* Parse is edited, and a benchmark that never runs it is slower: was red by its total, twice, and "confirmed". */
static void a_slower_total_of_equal_code_and_work_is_left_open(void **state)
{
	static const SyntheticFunction slower[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;hash", 200, 240, "hash.c", 10},
	        {"main;sort", 400, 400, "sort.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode sort_changed[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 2}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 8}},
	        {.name = NULL},
	};
	static const struct {
		const SyntheticFunction *tree;
		double instructions; /* of head, where base has 1e9 */
		const KnownCode *known;
		guint edited; /* a line of hash.c; 0 = the change is not known */
		guint layouts;
		const char *code;
	} rows[] = {
	        {slower, 1e9, all_same, 60, 1, "same_code"}, {slower, 1e9, all_same, 15, 1, "regression"}, /* of hash */
	        {slower, 1e9, all_same, 0, 1, "regression"},      /* it may be anywhere */
	        {slower, 1.02e9, all_same, 60, 1, "regression"},  /* more is done */
	        {slower, 1e9, sort_changed, 60, 1, "regression"}, /* other code ran */
	        {slower, 1e9, none_known, 60, 1, "regression"},
	        {slower, 1e9, all_same, 60, 3, "regression"},    /* luck is averaged out */
	        {slow_hash, 1e9, all_same, 60, 1, "regression"}, /* +15 % is no luck */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(rows[i].tree, 4);
		guint line = rows[i].edited;
		g_autoptr(LineChanges) change = line > 0 ? edit_lines("hash.c", line, line) : NULL;
		add_instructions(s, rows[i].instructions);
		s->input.layouts = rows[i].layouts;
		g_autoptr(BenchmarkComparison) c = compare_with(s, rows[i].known, change);
		assert_string_equal(c->reason_code, rows[i].code);
		gboolean open = g_str_equal(rows[i].code, "same_code");
		/* what did not fail keeps what was said of it */
		for (guint m = 0; open && m < c->metrics->len; m++) {
			const MetricComparison *metric = c->metrics->pdata[m];
			gboolean counted = g_str_equal(metric->name, "instructions");
			assert_int_equal(metric->verdict, counted ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
		}
		assert_int_equal(c->verdict, open ? VERDICT_INCONCLUSIVE : VERDICT_REGRESSION);
		if (open)
			assert_non_null(strstr(c->reason, "may be where the build put it in memory"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(layout_is_suspected_only_with_equal_code_and_instructions),
	        cmocka_unit_test(unchanged_code_does_not_gate_beside_its_cause_but_gates_alone),
	        cmocka_unit_test(unchanged_code_that_the_change_touches_is_no_consequence),
	        cmocka_unit_test(a_rise_of_equal_code_far_from_the_change_is_told),
	        cmocka_unit_test(a_rise_that_may_be_layout_and_would_not_gate_is_a_pass),
	        cmocka_unit_test(instructions_settle_that_a_rise_of_equal_code_is_layout),
	        cmocka_unit_test(a_touched_function_is_no_layout_suspect),
	        cmocka_unit_test(a_rise_where_the_change_may_be_the_cause_is_told_and_other_code_gates_strictly),
	        cmocka_unit_test(a_slower_total_of_equal_code_and_work_is_left_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
