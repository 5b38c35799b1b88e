/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/culprit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One function that rose. */
typedef struct {
	const char *name;
	double points;
	ChangeRelation relation;
	CodeIdentity code;
	const char *through; /* with CHANGE_CALLED_BY_TOUCHED */
	enum { ROSE, GATES, EXCUSED, UNCERTAIN } state;
} Rise;

#define MAX_RISES 6

typedef struct {
	StackTable *table;
	BenchmarkComparison *comparison;
} Case;

static FrameId frame_of(StackTable *table, const char *name)
{
	return stack_table_frame_named(table, name, "prog", FRAME_USER);
}

static Case case_new(const Rise *rises)
{
	Case made = {.table = stack_table_new(), .comparison = benchmark_comparison_new("parse")};
	made.comparison->table = made.table;
	for (guint i = 0; i < MAX_RISES && rises[i].name != NULL; i++) {
		FunctionComparison *f = g_new0(FunctionComparison, 1);
		f->frame = f->renamed_from = frame_of(made.table, rises[i].name);
		f->contribution = rises[i].points / 100;
		f->relation = rises[i].relation;
		f->code = rises[i].code;
		f->gates = rises[i].state == GATES;
		f->excused = rises[i].state == EXCUSED;
		f->klass = rises[i].state == UNCERTAIN ? FUNCTION_UNCHANGED : FUNCTION_REGRESSION;
		f->p_adjusted = rises[i].state == UNCERTAIN ? .4 : .001;
		if (rises[i].through != NULL)
			f->through = frame_of(made.table, rises[i].through);
		g_ptr_array_add(made.comparison->functions, f);
	}
	return made;
}

static void case_free(Case *made)
{
	benchmark_comparison_free(made->comparison);
}

/* The function to blame, and where its cost is seen. */
typedef struct {
	const char *situation;
	Rise rises[MAX_RISES];
	const char *cause, *seen;
} Situation;

static const Situation situations[] = {
        {"a stub gates beside the edited function that writes more indents and the buffer it fills",
                {
                        {"strbuffer_append_bytes", 25.4, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "dump_indent", EXCUSED},
                        {"memcpy@plt", 2.8, CHANGE_UNTOUCHED, CODE_UNKNOWN, NULL, GATES},
                        {"dump_indent", 1.1, CHANGE_TOUCHED, CODE_CHANGED, NULL, ROSE},
                },
                "dump_indent", "strbuffer_append_bytes"},
        {"an unedited caller leads over the edited callee",
                {
                        {"luaV_finishset", 6.2, CHANGE_UNTOUCHED, CODE_SAME, NULL, GATES},
                        {"luaH_newkey", 3.1, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "luaH_newkey", "luaH_newkey"},
        {"the edited caller costs next to nothing itself",
                {
                        {"jv_free", 12.1, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
                        {"sort_items", .1, CHANGE_TOUCHED, CODE_CHANGED, NULL, UNCERTAIN},
                },
                "sort_items", "jv_free"},
        {"a library's function that the edited one calls in a loop",
                {
                        {"strcmp", 9, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "find_key", GATES},
                        {"find_key", 4, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
                        {"main", 1, CHANGE_CALLS_TOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "find_key", "strcmp"},
        {"the edited function has no row at all",
                {{"jv_free", 12.1, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES}}, "sort_items", "jv_free"},
        {"of two edited functions the one that explains more, with what it calls",
                {
                        {"alpha", 5, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
                        {"beta", 2, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
                        {"memset", 4, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "beta", EXCUSED},
                },
                "beta", "memset"},
        {"edited code that is inlined into a function",
                {
                        {"strcmp", 9, CHANGE_UNTOUCHED, CODE_SAME, NULL, GATES},
                        {"parse", 5, CHANGE_CALLS_TOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "parse", "parse"},
        {"a caller of edited code that is the same does more of what it did",
                {
                        {"main", 1, CHANGE_CALLS_TOUCHED, CODE_SAME, NULL, GATES},
                        {"macro_user", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "macro_user", "macro_user"},
        {"nothing is known of the change",
                {
                        {"first", 5, CHANGE_UNKNOWN, CODE_UNKNOWN, NULL, GATES},
                        {"second", 7, CHANGE_UNKNOWN, CODE_UNKNOWN, NULL, ROSE},
                        {"write@plt", 9, CHANGE_UNKNOWN, CODE_UNKNOWN, NULL, GATES},
                },
                "first", "first"},
        {"of two that gate and of which as much is known the one that costs more",
                {
                        {"less", 2, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                        {"more", 6, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                        {"some", 4, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "more", "more"},
        {"a function with edited code inlined into it leads over a larger one that gates",
                {
                        {"other", 9, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                        {"parse", 5, CHANGE_CALLS_TOUCHED, CODE_CHANGED, NULL, ROSE},
                },
                "parse", "parse"},
        {"of two that gate the one whose code may have changed",
                {
                        {"same", 9, CHANGE_UNTOUCHED, CODE_SAME, NULL, GATES},
                        {"changed", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
                },
                "changed", "changed"},
        {"one that gates leads over a larger one that rose, whatever their code",
                {
                        {"rose", 9, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, ROSE},
                        {"gates", 2, CHANGE_UNTOUCHED, CODE_SAME, NULL, GATES},
                },
                "gates", "gates"},
        {"nothing but a stub rose", {{"write@plt", 9, CHANGE_UNTOUCHED, CODE_SAME, NULL, GATES}}, "write@plt",
                "write@plt"},
        {"nothing rose for certain", {{"maybe", 9, CHANGE_TOUCHED, CODE_CHANGED, NULL, UNCERTAIN}}, NULL, NULL},
};

static void every_situation_has_one_cause(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(situations); i++) {
		const Situation *s = &situations[i];
		Case made = case_new(s->rises);
		Culprit culprit = culprit_find(made.comparison, CULPRIT_OF_RISES, .05);
		if (s->cause == NULL) {
			assert_null(culprit.seen);
		} else {
			print_message("%s\n", s->situation);
			assert_string_equal(stack_table_frame_name(made.table, culprit.frame), s->cause);
			assert_string_equal(stack_table_frame_name(made.table, culprit.seen->frame), s->seen);
			assert_int_equal(culprit_is_elsewhere(&culprit), !g_str_equal(s->cause, s->seen));
		}
		case_free(&made);
	}
}

/* The order of the rows of a comparison, which is by size, decides nothing. */
static void the_order_of_the_rows_does_not_matter(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(situations); i++) {
		Case made = case_new(situations[i].rises);
		GPtrArray *functions = made.comparison->functions;
		for (guint k = 0; k < functions->len / 2; k++) {
			gpointer other = functions->pdata[k];
			functions->pdata[k] = functions->pdata[functions->len - 1 - k];
			functions->pdata[functions->len - 1 - k] = other;
		}
		Culprit culprit = culprit_find(made.comparison, CULPRIT_OF_RISES, .05);
		if (situations[i].cause != NULL)
			assert_string_equal(stack_table_frame_name(made.table, culprit.frame), situations[i].cause);
		case_free(&made);
	}
}

/* Beside a total that passes only functions that gate are told of, with what they are the cause of. */
static void of_gates_alone_nothing_else_is_asked(void **state)
{
	static const Rise rises[MAX_RISES] = {
	        {"edited", 5, CHANGE_TOUCHED, CODE_CHANGED, NULL, ROSE},
	        {"other", 2, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
	};
	(void)state;
	Case made = case_new(rises);
	Culprit culprit = culprit_find(made.comparison, CULPRIT_OF_GATES, .05);
	assert_string_equal(stack_table_frame_name(made.table, culprit.frame), "other");
	((FunctionComparison *)made.comparison->functions->pdata[1])->gates = FALSE;
	assert_null(culprit_find(made.comparison, CULPRIT_OF_GATES, .05).seen);
	case_free(&made);
}

/* Counts have no p-value: what rose is certain. */
static void what_was_counted_is_certain(void **state)
{
	static const Rise rises[MAX_RISES] = {{"edited", 5, CHANGE_TOUCHED, CODE_CHANGED, NULL, ROSE}};
	(void)state;
	Case made = case_new(rises);
	((FunctionComparison *)made.comparison->functions->pdata[0])->p_adjusted = NAN;
	assert_null(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen);
	made.comparison->counted = TRUE;
	assert_non_null(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen);
	case_free(&made);
}

static void a_stub_goes_by_the_name_of_what_it_calls(void **state)
{
	static const struct {
		const char *name, *told;
		gboolean stub;
	} rows[] = {{"memcpy@plt", "memcpy", TRUE}, {"memcpy", "memcpy", FALSE}, {"[plt]", "[plt]", FALSE},
	        {"@plt", "@plt", FALSE}};
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		FrameId frame = frame_of(table, rows[i].name);
		g_autofree char *told = culprit_name(table, frame);
		assert_string_equal(told, rows[i].told);
		assert_int_equal(frame_is_stub(table, frame), rows[i].stub);
	}
}

static void nobody_is_not_elsewhere(void **state)
{
	(void)state;
	const Culprit nobody = {0};
	assert_false(culprit_is_elsewhere(&nobody));
}

/* Of a report that somebody else has written, the class and the numbers need not agree. */
static void what_costs_no_more_is_not_to_blame(void **state)
{
	static const double points[] = {0, -5};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(points); i++) {
		const Rise rises[MAX_RISES] = {{"edited", points[i], CHANGE_TOUCHED, CODE_CHANGED, NULL, ROSE}};
		Case made = case_new(rises);
		assert_null(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen);
		case_free(&made);
	}
}

/* Then a stub is a function like any other. */
static void functions_without_names_are_ranked_by_the_rest(void **state)
{
	static const Rise rises[MAX_RISES] = {
	        {"first", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
	        {"write@plt", 9, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
	};
	(void)state;
	Case made = case_new(rises);
	const FunctionComparison *first = made.comparison->functions->pdata[0];
	const FunctionComparison *stub = made.comparison->functions->pdata[1];
	assert_ptr_equal(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen, first);
	made.comparison->table = NULL;
	assert_ptr_equal(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen, stub);
	made.comparison->table = made.table;
	case_free(&made);
}

static const FunctionComparison *row_at(const Case *made, guint i)
{
	return made->comparison->functions->pdata[i];
}

static void the_row_of_the_cause_is_found_where_it_has_one(void **state)
{
	static const Rise with_row[MAX_RISES] = {
	        {"main", 1, CHANGE_UNTOUCHED, CODE_SAME, NULL, UNCERTAIN},
	        {"jv_free", 12, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
	        {"sort_items", .1, CHANGE_TOUCHED, CODE_CHANGED, NULL, UNCERTAIN},
	};
	static const Rise first[MAX_RISES] = {
	        {"sort_items", 1, CHANGE_TOUCHED, CODE_CHANGED, NULL, UNCERTAIN},
	        {"jv_free", 12, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
	};
	static const Rise without[MAX_RISES] = {
	        {"main", 1, CHANGE_UNTOUCHED, CODE_SAME, NULL, UNCERTAIN},
	        {"jv_free", 12, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
	};
	(void)state;
	Case last = case_new(with_row), before = case_new(first), none = case_new(without);
	assert_ptr_equal(culprit_find(last.comparison, CULPRIT_OF_RISES, .05).cause, row_at(&last, 2));
	assert_ptr_equal(culprit_find(before.comparison, CULPRIT_OF_RISES, .05).cause, row_at(&before, 0));
	assert_null(culprit_find(none.comparison, CULPRIT_OF_RISES, .05).cause);
	case_free(&last);
	case_free(&before);
	case_free(&none);
}

static void of_equals_the_first_is_to_blame(void **state)
{
	static const Rise edited[MAX_RISES] = {
	        {"one", 5, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
	        {"two", 5, CHANGE_TOUCHED, CODE_CHANGED, NULL, GATES},
	};
	static const Rise called[MAX_RISES] = {
	        {"one", 5, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
	        {"two", 5, CHANGE_CALLED_BY_TOUCHED, CODE_SAME, "sort_items", GATES},
	};
	static const Rise others[MAX_RISES] = {
	        {"one", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
	        {"two", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, GATES},
	};
	static const Rise *const rows[] = {edited, called, others};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Case made = case_new(rows[i]);
		assert_ptr_equal(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen, row_at(&made, 0));
		case_free(&made);
	}
}

/* A function that moved, or whose change may be layout, costs no more for certain, whatever its test says. */
static void only_what_is_dearer_or_new_at_the_level_rose(void **state)
{
	static const struct {
		FunctionClass klass;
		double p;
		gboolean blamed;
	} rows[] = {
	        {FUNCTION_REGRESSION, .05, TRUE},
	        {FUNCTION_REGRESSION, .051, FALSE},
	        {FUNCTION_NEW, .05, TRUE},
	        {FUNCTION_COST_SHIFT, .001, FALSE},
	        {FUNCTION_LAYOUT_SUSPECT, .001, FALSE},
	        {FUNCTION_UNCHANGED, .001, FALSE},
	};
	static const Rise rises[MAX_RISES] = {{"hash", 5, CHANGE_UNTOUCHED, CODE_CHANGED, NULL, ROSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Case made = case_new(rises);
		FunctionComparison *f = made.comparison->functions->pdata[0];
		f->klass = rows[i].klass;
		f->p_adjusted = rows[i].p;
		assert_int_equal(culprit_find(made.comparison, CULPRIT_OF_RISES, .05).seen != NULL, rows[i].blamed);
		case_free(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_situation_has_one_cause),
	        cmocka_unit_test(the_order_of_the_rows_does_not_matter),
	        cmocka_unit_test(of_gates_alone_nothing_else_is_asked),
	        cmocka_unit_test(what_was_counted_is_certain),
	        cmocka_unit_test(a_stub_goes_by_the_name_of_what_it_calls),
	        cmocka_unit_test(nobody_is_not_elsewhere),
	        cmocka_unit_test(what_costs_no_more_is_not_to_blame),
	        cmocka_unit_test(functions_without_names_are_ranked_by_the_rest),
	        cmocka_unit_test(the_row_of_the_cause_is_found_where_it_has_one),
	        cmocka_unit_test(of_equals_the_first_is_to_blame),
	        cmocka_unit_test(only_what_is_dearer_or_new_at_the_level_rose),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
