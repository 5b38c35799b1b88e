/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/difftable.h"

#include "core/jsontext.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/flameprofiles.h"

static const char *const base_files[] = {"base.folded", NULL};
static const char *const head_files[] = {"head.folded", "head2.folded", NULL};

static FunctionComparison *function_of(StackTable *table, const char *name, double base, double head)
{
	FrameId frame = stack_table_frame_named(table, name, NULL, FRAME_USER);
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->frame = function->renamed_from = frame;
	function->base_cost = base;
	function->head_cost = head;
	function->contribution = (head - base) / 151;
	function->contribution_lower = function->contribution_upper = NAN;
	function->change_ratio = base > 0 ? head / base : NAN;
	function->p_adjusted = function->p_adjusted_improvement = NAN;
	return function;
}

typedef struct {
	ProfilePair pair;
	BenchmarkComparison *comparison;
	FindingList *findings;
	DiffTable table;
} Example;

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->pair = pair_new(PAIR_BASE, PAIR_HEAD);
	e->comparison = benchmark_comparison_new("diff");
	e->comparison->table = stack_table_ref(e->pair.table);
	g_ptr_array_add(e->comparison->functions, function_of(e->pair.table, "child", 0, 60));
	g_ptr_array_add(e->comparison->functions, function_of(e->pair.table, "gone", 40, 0));
	g_ptr_array_add(e->comparison->functions, function_of(e->pair.table, "foo", 1, 2));
	g_ptr_array_add(e->comparison->functions, function_of(e->pair.table, "rec", 10, 10));
	e->findings = finding_list_new();
	finding_add(e->findings, FINDING_WARNING, "lines_not_read", NULL, "one line");
	e->table = (DiffTable){
	        .base = {e->pair.base, 1, base_files},
	        .head = {e->pair.head, 1, head_files},
	        .comparison = e->comparison,
	        .per = "run",
	        .remark = "too few",
	        .findings = e->findings,
	};
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	benchmark_comparison_free(e->comparison);
	finding_list_free(e->findings);
	pair_clear(&e->pair);
	g_free(e);
	return 0;
}

static void assert_text(const Example *e, const DiffTextOptions *options, const char *wanted)
{
	g_autofree char *text = diff_table_text(&e->table, options);
	assert_string_equal(text, wanted);
}

static void the_table_has_what_differs(void **state)
{
	assert_text(*state, &(DiffTextOptions){.rows = 0},
	        "base base.folded → head head.folded and 1 more\n"
	        "151 counts → 177 counts per run, +17.2 %\n"
	        "not tested: too few\n"
	        "\n"
	        "contribution  function  own change  95 % interval  result      base → head  module\n"
	        "    +39.7 pp  child            new                 not tested       0 → 60\n"
	        "    -26.5 pp  gone            gone                 not tested       40 → 0\n"
	        "    +0.66 pp  foo         +100.0 %                 not tested        1 → 2\n"
	        "+3.3 pp is cost without a function, such as [unknown]\n");
}

/* --rows counts functions, and not what explains them. */
static void what_is_inlined_explains_a_row(void **state)
{
	Example *e = *state;
	FunctionComparison *child = e->comparison->functions->pdata[0];
	child->inlined = g_ptr_array_new_with_free_func(g_free);
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = stack_table_frame_named(e->pair.table, "piece", NULL, FRAME_INLINED);
	part->head_cost = 45;
	part->contribution = 45. / 151;
	part->contribution_lower = part->contribution_upper = NAN;
	g_ptr_array_add(child->inlined, part);
	assert_text(e, &(DiffTextOptions){.rows = 1},
	        "base base.folded → head head.folded and 1 more\n"
	        "151 counts → 177 counts per run, +17.2 %\n"
	        "not tested: too few\n"
	        "\n"
	        "contribution  function          own change  95 % interval  result      base → head  module\n"
	        "    +39.7 pp  child                    new                 not tested       0 → 60\n"
	        "    +29.8 pp    piece, inlined                                              0 → 45\n"
	        "     +9.9 pp    the rest of it                                              0 → 15\n"
	        "and 2 more that differ; --rows=0 shows all\n"
	        "+3.3 pp is cost without a function, such as [unknown]\n");
}

static void costs_in_rows_have_the_unit_of_time(void **state)
{
	Example *e = *state;
	FunctionComparison *function = e->comparison->functions->pdata[0];
	g_free(e->pair.head->unit);
	e->pair.head->unit = g_strdup("ns");
	function->base_cost = 29e6;
	function->head_cost = 50.4e6;
	g_autofree char *text = diff_table_text(&e->table, &(DiffTextOptions){.rows = 1});
	assert_non_null(strstr(text, "29.0 ms → 50.4 ms"));
}

static void rows_that_are_not_shown_are_counted(void **state)
{
	g_autofree char *text = diff_table_text(&((Example *)*state)->table, &(DiffTextOptions){.rows = 1});
	assert_non_null(strstr(text, "child"));
	assert_null(strstr(text, "gone"));
	assert_non_null(strstr(text, "\nand 2 more that differ; --rows=0 shows all\n"));
}

static void nothing_that_differs_is_said(void **state)
{
	Example *e = *state;
	g_ptr_array_remove_range(e->comparison->functions, 0, 3);
	g_autofree char *text = diff_table_text(&e->table, &(DiffTextOptions){.rows = 1});
	assert_non_null(strstr(text, "\nno function differs\n"));
}

static void tested_functions_have_their_class_and_interval(void **state)
{
	Example *e = *state;
	FunctionComparison *child = e->comparison->functions->pdata[0];
	child->tested = TRUE;
	child->klass = FUNCTION_NEW;
	child->contribution_lower = .3;
	child->contribution_upper = .5;
	e->table.remark = NULL;
	g_autofree char *text = diff_table_text(&e->table, &(DiffTextOptions){.rows = 2});
	assert_non_null(strstr(text, "child            new  [+30.0, +50.0]  new "));
	assert_non_null(strstr(text, "gone            gone                  not tested"));
}

static void the_outcome_names_the_function_that_changed_most(void **state)
{
	Example *e = *state;
	e->table.remark = NULL;
	g_autofree char *none = diff_table_outcome(&e->table);
	assert_string_equal(none, "no function changed significantly");
	for (guint i = 0; i < 2; i++) {
		FunctionComparison *function = e->comparison->functions->pdata[i];
		function->tested = TRUE;
		*(i == 0 ? &function->p_adjusted : &function->p_adjusted_improvement) = .03;
	}
	g_autofree char *two = diff_table_outcome(&e->table);
	assert_string_equal(two, "child +39.7 pp and 1 more function changed significantly");
	e->table.remark = "too few";
	assert_null(diff_table_outcome(&e->table));
}

static void hostile_names_do_not_move_the_cursor(void **state)
{
	Example *e = *state;
	static const char *const files[] = {"\033[2J", NULL};
	FunctionComparison *hostile = function_of(e->pair.table, "\033[31mred\n", 0, 1000);
	g_ptr_array_add(e->comparison->functions, hostile);
	e->table.base.files = files;
	g_autofree char *text = diff_table_text(&e->table, &(DiffTextOptions){.rows = 0});
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "red\\n"));
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void the_json_says_what_was_compared(void **state)
{
	Example *e = *state;
	g_autofree char *text = diff_table_json(&e->table, NULL);
	json_auto_t *root = json_loads(text, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "firebreak-diff/1");
	assert_true(json_is_null(json_object_get(root, "event")));
	assert_string_equal(json_string_value(json_object_get(root, "unit")), "counts");
	assert_true(json_is_false(json_object_get(root, "tested")));
	assert_string_equal(json_string_value(json_object_get(root, "remark")), "too few");
	assert_float_equal(number_of(json_object_get(root, "base"), "total"), 151, 0);
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "head"), "files")), 2);
	assert_int_equal(json_array_size(json_object_get(root, "functions")), 4);
	assert_int_equal(json_array_size(json_object_get(root, "findings")), 1);
}

/* main;rec;rec 10 is 10 of rec, not 20. */
static void a_recursive_function_counts_once(void **state)
{
	Example *e = *state;
	g_autofree char *text = diff_table_json(&e->table, NULL);
	json_auto_t *root = json_loads(text, 0, NULL);
	const json_t *rec = json_array_get(json_object_get(root, "functions"), 3);
	assert_string_equal(json_string_value(json_object_get(rec, "name")), "rec");
	assert_float_equal(number_of(rec, "base_inclusive"), 10, 0);
	assert_float_equal(number_of(rec, "head_inclusive"), 10, 0);
}

static void costs_are_means_per_unit_of_work(void **state)
{
	Example *e = *state;
	profile_add_run(e->pair.base);
	e->table.base.work = 2;
	assert_float_equal(diff_table_total(&e->table.base), 151. / 4, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(the_table_has_what_differs, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_inlined_explains_a_row, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(costs_in_rows_have_the_unit_of_time, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(rows_that_are_not_shown_are_counted, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(nothing_that_differs_is_said, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(tested_functions_have_their_class_and_interval, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_outcome_names_the_function_that_changed_most, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(hostile_names_do_not_move_the_cursor, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_json_says_what_was_compared, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_recursive_function_counts_once, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(costs_are_means_per_unit_of_work, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
