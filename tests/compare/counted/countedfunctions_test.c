/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedfunctions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/countedinput.h"
#include "tests/compare/knowncode.h"
#include "tests/compare/near.h"

/* The functions of a program, judged by a margin of the total. */
typedef struct {
	Counted *counted;
	BenchmarkComparison *comparison;
	CountedFunctions functions;
} Judged;

static Judged *judge_runs(const CountedFunction *tree, guint runs, double margin)
{
	Judged *judged = g_new0(Judged, 1);
	judged->counted = counted_new(tree, runs, runs, margin);
	judged->comparison = benchmark_comparison_new("catalog");
	judged->functions.margin = margin;
	counted_functions_compare(&judged->counted->input, &judged->functions, judged->comparison);
	return judged;
}

static Judged *judge(const CountedFunction *tree, double margin)
{
	return judge_runs(tree, 1, margin);
}

static void judged_free(Judged *judged)
{
	benchmark_comparison_free(judged->comparison);
	counted_free(judged->counted);
	g_free(judged);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Judged, judged_free)

/* Judges again with what is known of the code. */
static void judge_code(Judged *judged, const KnownCode *rows, const LineChanges *change)
{
	g_autoptr(CodeFacts) code = known_code(judged->counted->table, rows);
	judged->counted->input.code = code;
	judged->counted->input.change = change;
	benchmark_comparison_free(judged->comparison);
	judged->comparison = benchmark_comparison_new("catalog");
	counted_functions_compare(&judged->counted->input, &judged->functions, judged->comparison);
	judged->counted->input.code = NULL;
	judged->counted->input.change = NULL;
}

static const FunctionComparison *find(const Judged *judged, const char *name)
{
	const FunctionComparison *f = counted_find(judged->comparison, name);
	assert_non_null(f);
	return f;
}

static void assert_class(const Judged *judged, const char *name, FunctionClass klass, gboolean gates)
{
	const FunctionComparison *f = find(judged, name);
	assert_string_equal(function_class_name(f->klass), function_class_name(klass));
	assert_int_equal(f->gates, gates);
}

/* --- numbers --- */

static void a_function_has_its_costs_change_and_no_test(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {60000}, {60000}}, {"cmd;main;hash", {40000}, {50000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Judged) judged = judge_runs(tree, 3, .05);
	const FunctionComparison *f = find(judged, "hash");
	assert_true(f->base_cost == 40000 && f->head_cost == 50000);
	assert_near(f->contribution, .1, 0);
	assert_near(f->contribution_lower, .1, 0);
	assert_near(f->contribution_upper, .1, 0);
	assert_near(f->change_ratio, 1.25, 0);
	assert_true(f->repeats && !f->tested && f->mde_ratio == 0);
	assert_int_equal(f->base_samples, 0);
	assert_int_equal(f->head_samples, 0);
	assert_true(isnan(f->p_value) && isnan(f->p_value_improvement));
	assert_true(isnan(f->p_adjusted) && isnan(f->p_adjusted_improvement));
	assert_true(isnan(f->simultaneous_lower) && isnan(f->simultaneous_upper));
	assert_true(isnan(f->share_of_change) && isnan(f->share_lower) && isnan(f->share_upper));
	assert_int_equal(judged->comparison->tested_functions, 0);
}

static void runs_that_differ_give_ranges(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {80000}, {80000}}, {"cmd;main;hash", {19000, 21000}, {29000, 31000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Judged) judged = judge_runs(tree, 2, .05);
	const FunctionComparison *f = find(judged, "hash");
	assert_false(f->repeats);
	assert_true(isnan(f->mde_ratio));
	assert_near(f->contribution, .1, 1e-15);
	assert_near(f->contribution_lower, .08, 1e-15);
	assert_near(f->contribution_upper, .12, 1e-15);
}

/* --- classes --- */

static void a_change_counts_from_the_floor_on(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {97000}, {96980}},
	        {"cmd;a;rises", {1000}, {1010}},
	        {"cmd;b;falls", {1000}, {990}},
	        {"cmd;c;wanders", {500}, {509}},
	        {"cmd;d;shrinks", {500}, {491}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, 1);
	assert_class(judged, "rises", FUNCTION_REGRESSION, FALSE);
	assert_class(judged, "falls", FUNCTION_IMPROVEMENT, FALSE);
	assert_class(judged, "wanders", FUNCTION_UNCHANGED, FALSE);
	assert_class(judged, "shrinks", FUNCTION_UNCHANGED, FALSE);
	assert_null(find(judged, "shrinks")->sentence);
	assert_string_equal(find(judged, "falls")->sentence, "falls -0.01 pp (-1.0 % of itself)");
}

static void a_change_within_what_runs_differ_by_is_none(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}},
	        {"cmd;a;rises", {5000, 5100}, {5050, 5400}},
	        {"cmd;b;falls", {5000, 5100}, {4700, 5050}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge_runs(tree, 2, 0);
	assert_class(judged, "rises", FUNCTION_UNCHANGED, FALSE);
	assert_class(judged, "falls", FUNCTION_UNCHANGED, FALSE);
	assert_null(judged->functions.open);
}

static void functions_of_one_side_are_new_and_removed(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}},
	        {"cmd;a;audit", {0}, {9000}},
	        {"cmd;b@lib;check@lib", {5000}, {0}},
	        {"cmd;c;tiny", {0}, {8}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .05);
	assert_class(judged, "audit", FUNCTION_NEW, TRUE);
	assert_class(judged, "check", FUNCTION_REMOVED, FALSE);
	assert_class(judged, "tiny", FUNCTION_UNCHANGED, FALSE);
	assert_string_equal(find(judged, "audit")->sentence, "audit +9.47 pp (new)");
	assert_true(isnan(find(judged, "audit")->change_ratio));
}

static void a_renamed_function_is_compared_with_its_former_self(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {80000}, {80000}},
	        {"cmd;main;sort_rows", {20000}, {0}},
	        {"cmd;main;order_rows", {0}, {20000}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction slower[] = {
	        {"cmd;main", {80000}, {80000}},
	        {"cmd;main;sort_rows", {20000}, {0}},
	        {"cmd;main;order_rows", {0}, {21000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) same = judge(tree, 0);
	assert_class(same, "order_rows", FUNCTION_RENAMED, FALSE);
	assert_string_equal(find(same, "order_rows")->note, "renamed from sort_rows");
	assert_null(find(same, "order_rows")->sentence);
	assert_int_equal(same->comparison->functions->len, 2);
	g_autoptr(Judged) more = judge(slower, 0);
	assert_class(more, "order_rows", FUNCTION_REGRESSION, TRUE);
	assert_string_equal(
	        find(more, "order_rows")->sentence, "order_rows +1.00 pp (+5.0 % of itself); renamed from sort_rows");
}

/* --- cost that moved --- */

static void half_of_a_function_that_moved_into_a_new_one_is_a_cost_shift(void **state)
{
	static const CountedFunction split[] = {
	        {"cmd;main;render_rows", {49207160}, {2110960}},
	        {"cmd;main;render_rows;render_number", {0}, {47037320}},
	        {"cmd;main;count_words", {113342160}, {113342160}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(split, 0);
	assert_class(judged, "render_number", FUNCTION_COST_SHIFT, FALSE);
	assert_class(judged, "render_rows", FUNCTION_IMPROVEMENT, FALSE);
	assert_string_equal(find(judged, "render_number")->note, "cost moved from render_rows");
	assert_string_equal(find(judged, "render_rows")->note, "cost moved to render_number");
}

static void a_shift_may_leave_a_twentieth_of_the_rise(void **state)
{
	static const CountedFunction within[] = {
	        {"cmd;main;a", {100000}, {120000}}, {"cmd;main;b", {100000}, {81000}}, {NULL, {0}, {0}}};
	static const CountedFunction beyond[] = {
	        {"cmd;main;a", {100000}, {120000}}, {"cmd;main;b", {100000}, {81001}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Judged) yes = judge(within, .01), no = judge(beyond, .01);
	assert_class(yes, "a", FUNCTION_COST_SHIFT, FALSE);
	assert_class(no, "a", FUNCTION_REGRESSION, TRUE);
	assert_null(find(no, "a")->note);
}

static void a_rise_below_the_floor_is_not_explained(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {98000}, {98000}},
	        {"cmd;main;rose", {1000}, {1009}},
	        {"cmd;main;gave", {1000}, {900}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, 0);
	assert_class(judged, "rose", FUNCTION_UNCHANGED, FALSE);
	assert_null(find(judged, "rose")->note);
}

/* Nothing is nearer to the rise than the whole program, which costs as much as before. */
static void where_the_total_did_not_change_falls_anywhere_make_up_for_a_rise(void **state)
{
	static const CountedFunction same[] = {
	        {"cmd;main;parse;hash_a", {100000}, {110000}},
	        {"cmd;main;render;hash_b", {100000}, {90019}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction more[] = {
	        {"cmd;main;parse;hash_a", {100000}, {110000}},
	        {"cmd;main;render;hash_b", {100000}, {90021}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction less[] = {
	        {"cmd;main;parse;hash_a", {100000}, {110000}},
	        {"cmd;main;render;hash_b", {100000}, {89979}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) yes = judge(same, .01), risen = judge(more, .01), fallen = judge(less, .01);
	assert_class(yes, "hash_a", FUNCTION_COST_SHIFT, FALSE);
	assert_string_equal(find(yes, "hash_a")->note, "cost moved from hash_b; the total did not change");
	assert_class(risen, "hash_a", FUNCTION_REGRESSION, TRUE);
	assert_class(fallen, "hash_a", FUNCTION_REGRESSION, TRUE);
}

/* A total that does not repeat is not known to be the same. */
static void a_total_that_may_have_changed_explains_nothing(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;hash_a", {100000, 100000}, {110000, 110000}},
	        {"cmd;main;render;hash_b", {100000, 100100}, {90000, 90100}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge_runs(tree, 2, .01);
	assert_class(judged, "hash_a", FUNCTION_REGRESSION, TRUE);
}

/* Its code is not known, so a rename looks like one function that is gone and another that is new. */
static void what_is_gone_from_a_stored_base_may_be_what_is_new(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;rows_scan", {50000}, {0}},
	        {"cmd;main;setup;index_cells", {0}, {50000}},
	        {"cmd;main;parse", {100000}, {100000}},
	        {"cmd;main;rest", {100000}, {99000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "index_cells", FUNCTION_NEW, TRUE);
	judged->counted->input.stored_base = TRUE;
	judge_code(judged, (const KnownCode[]){{0}}, NULL);
	assert_class(judged, "index_cells", FUNCTION_COST_SHIFT, FALSE);
}

/* The total fell, but what fell is not near what rose. */
static void an_unrelated_fall_explains_nothing(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;hash_a", {100000}, {110000}},
	        {"cmd;main;render;hash_b", {100000}, {80000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "hash_a", FUNCTION_REGRESSION, TRUE);
	assert_true(judged->comparison->total_change < 0);
}

/* Code can have come out of a function that is gone, or into one that is new, wherever they are called. */
static void code_of_one_stem_moves_where_one_of_two_functions_came_or_went(void **state)
{
	static const CountedFunction into[] = {
	        {"cmd;main;parse", {100000}, {100000}},
	        {"cmd;main;parse;rows_scan", {50000}, {20000}},
	        {"cmd;main;setup;rows_index", {0}, {30000}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction out_of[] = {
	        {"cmd;main;parse", {100000}, {100000}},
	        {"cmd;main;parse;rows_scan", {50000}, {80000}},
	        {"cmd;main;setup;rows_index", {30000}, {0}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction elsewhere[] = {
	        {"cmd;main;parse", {100000}, {100030}},
	        {"cmd;main;parse;rows_scan@lib", {50000}, {20000}},
	        {"cmd;main;setup;rows_index", {0}, {30000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) come = judge(into, .01), gone = judge(out_of, .01), other = judge(elsewhere, .01);
	assert_class(come, "rows_index", FUNCTION_COST_SHIFT, FALSE);
	assert_class(gone, "rows_scan", FUNCTION_COST_SHIFT, FALSE);
	assert_class(other, "rows_index", FUNCTION_NEW, TRUE);
}

/* The work of scan is done by its caller and, two levels below, by fewer calls: nobody near took all of it, but parse
 * costs as much as before with all that it calls. */
static void a_caller_that_costs_as_much_as_before_with_all_it_calls_is_a_cost_shift(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse", {10000}, {30000}},
	        {"cmd;main;parse;scan", {50000}, {38000}},
	        {"cmd;main;parse;scan;next", {20000}, {12000}},
	        {"cmd;main;other", {20000}, {20000}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction little[] = {
	        {"cmd;main;parse", {10000}, {30000}},
	        {"cmd;main;parse;scan", {50000}, {41000}},
	        {"cmd;main;parse;scan;next", {20000}, {9000}},
	        {"cmd;main;other", {20000}, {20020}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction dearer[] = {
	        {"cmd;main;parse", {10000}, {30000}},
	        {"cmd;main;parse;scan", {50000}, {38000}},
	        {"cmd;main;parse;scan;next", {20000}, {13000}},
	        {"cmd;main;other", {20000}, {20000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) moved = judge(tree, .01), half = judge(little, .01), rose = judge(dearer, .01);
	assert_class(moved, "parse", FUNCTION_COST_SHIFT, FALSE);
	assert_class(half, "parse", FUNCTION_REGRESSION, TRUE);
	assert_class(rose, "parse", FUNCTION_REGRESSION, TRUE);
}

/* a and its sibling b have run in common, and c, which fell as well, is below it. */
static void siblings_have_their_caller_in_common(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;run;a", {10000}, {30000}},
	        {"cmd;main;run;b", {40000}, {25000}},
	        {"cmd;main;run;b;c", {10000}, {5000}},
	        {"cmd;main;rest", {40000}, {40000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "a", FUNCTION_COST_SHIFT, FALSE);
}

/* Removed index_cells gave half of what index_rows rose by, and the rest of the program has nothing to do with it. */
static void what_only_the_program_has_in_common_explains_nothing(void **state)
{
	static const CountedFunction under_a_command[] = {
	        {"cmd;a;index_rows", {10000}, {30000}},
	        {"cmd;b;index_cells", {12000}, {0}},
	        {"cmd;c;rest", {50000}, {30000}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction rootless[] = {
	        {"a;index_rows", {10000}, {30000}},
	        {"b;index_cells", {12000}, {0}},
	        {"c;rest", {50000}, {30000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) command = judge(under_a_command, .01), root = judge(rootless, .01);
	assert_class(command, "index_rows", FUNCTION_REGRESSION, TRUE);
	assert_class(root, "index_rows", FUNCTION_REGRESSION, TRUE);
}

static void a_fall_is_spent_once(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;first", {10000}, {30000}},
	        {"cmd;main;second", {10000}, {28000}},
	        {"cmd;main;gave", {50000}, {30000}},
	        {"cmd;main", {30000}, {30000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "first", FUNCTION_COST_SHIFT, FALSE);
	assert_class(judged, "second", FUNCTION_REGRESSION, TRUE);
	assert_string_equal(find(judged, "gave")->note, "cost moved to first");
}

/* A function that falls by 20 points did not become one that rises by 0.02. */
static void a_fall_is_not_said_to_have_gone_to_a_crumb(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;crumb", {100}, {120}},
	        {"cmd;main;gave", {50000}, {30000}},
	        {"cmd;main", {50000}, {50000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "crumb", FUNCTION_COST_SHIFT, FALSE);
	assert_string_equal(find(judged, "crumb")->note, "cost moved from gave");
	assert_null(find(judged, "gave")->note);
}

static void what_one_rise_left_of_a_fall_another_may_take(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;first", {10000}, {30000}},
	        {"cmd;main;second", {10000}, {28000}},
	        {"cmd;main;gave", {60000}, {21000}},
	        {"cmd;main", {20000}, {20000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "first", FUNCTION_COST_SHIFT, FALSE);
	assert_class(judged, "second", FUNCTION_COST_SHIFT, FALSE);
}

/* Both falls went into one group, which has something left. */
static void a_group_of_several_falls_is_one_donor(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;first", {10000}, {30000}},
	        {"cmd;main;second", {10000}, {12900}},
	        {"cmd;main;gave", {50000}, {38000}},
	        {"cmd;main;lent", {40000}, {29000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_class(judged, "first", FUNCTION_COST_SHIFT, FALSE);
	assert_class(judged, "second", FUNCTION_COST_SHIFT, FALSE);
	assert_string_equal(find(judged, "second")->note, "cost moved from gave");
}

/* scan was called by parse, and goes on as scan_all, which is called by something else. */
static void a_renamed_function_gives_under_both_names(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse", {10000}, {20000}},
	        {"cmd;main;parse;scan", {50000}, {0}},
	        {"cmd;main;setup;scan_all", {0}, {40000}},
	        {NULL, {0}, {0}},
	};
	static const KnownCode code[] = {
	        {.name = "scan", .hash = {7, 0}, .absent = {FALSE, TRUE}},
	        {.name = "scan_all", .hash = {0, 7}, .absent = {TRUE, FALSE}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("catalog.c", 50, 51);
	g_autoptr(Judged) judged = judge(tree, .01);
	judge_code(judged, code, change);
	assert_class(judged, "parse", FUNCTION_COST_SHIFT, FALSE);
	assert_string_equal(find(judged, "parse")->note, "cost moved from scan_all");
}

static void several_falls_are_counted_in_the_note(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;rose", {10000}, {30000}},
	        {"cmd;main;gave", {50000}, {39000}},
	        {"cmd;main;lent", {40000}, {30500}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_string_equal(find(judged, "rose")->note, "cost moved from gave and 1 more");
}

/* --- gates --- */

static void a_function_gates_beyond_the_margin_of_the_total(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}}, {"cmd;a;rose", {10000}, {11000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Judged) below = judge(tree, .0099), at = judge(tree, .01), none = judge(tree, NAN);
	assert_class(below, "rose", FUNCTION_REGRESSION, TRUE);
	assert_class(at, "rose", FUNCTION_REGRESSION, FALSE);
	assert_class(none, "rose", FUNCTION_REGRESSION, FALSE);
}

static void a_function_that_does_not_repeat_gates_in_five_runs(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}},
	        {"cmd;a;rose", {5000, 5100}, {8000, 8100}},
	        {"cmd;b;more", {4000, 4100}, {6500, 6600}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) four = judge_runs(tree, 4, .01), five = judge_runs(tree, 5, .01);
	assert_class(four, "rose", FUNCTION_REGRESSION, FALSE);
	assert_ptr_equal(four->functions.open, find(four, "rose"));
	assert_class(five, "rose", FUNCTION_REGRESSION, TRUE);
	assert_class(five, "more", FUNCTION_REGRESSION, TRUE);
	assert_null(five->functions.open);
}

/* Chance puts 900 between the upper and the lower runs of `wild`, whichever side they belong to, so a gap of 800 is
 * chance, too; beyond the margin, that is. A function that fell for certain says nothing of chance. */
static void a_gap_no_larger_than_chance_makes_does_not_gate(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {70000}, {70000}},
	        {"cmd;a;rose", {5000, 5100}, {5900, 6000}},
	        {"cmd;b;jumped", {5000, 5100}, {6100, 6200}},
	        {"cmd;c;wild", {10000, 10900, 10900}, {10900, 10900, 10900, 10000, 10000}},
	        {"cmd;d;fell", {9000, 9100}, {5000, 5100}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge_runs(tree, 5, 0);
	assert_class(judged, "rose", FUNCTION_REGRESSION, FALSE);
	assert_class(judged, "jumped", FUNCTION_REGRESSION, TRUE);
	assert_class(judged, "fell", FUNCTION_IMPROVEMENT, FALSE);
	g_autoptr(Judged) margin = judge_runs(tree, 5, .005);
	assert_class(margin, "jumped", FUNCTION_REGRESSION, FALSE);
	assert_null(margin->functions.open);
}

/* --- physical functions --- */

static void counts_that_move_between_inlined_pieces_change_nothing(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {10000}, {10000}},
	        {"cmd;main;compress", {20000}, {20100}},
	        {"cmd;main;compress;~count", {30000}, {50000}},
	        {"cmd;main;compress;~put", {40000}, {20000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .0005);
	const FunctionComparison *compress = find(judged, "compress");
	assert_int_equal(judged->comparison->functions->len, 2);
	assert_class(judged, "compress", FUNCTION_REGRESSION, TRUE);
	assert_true(compress->head_cost == 90100 && compress->base_cost == 90000);
	assert_int_equal(compress->inlined->len, 2);
	const InlinedPart *count = compress->inlined->pdata[0], *put = compress->inlined->pdata[1];
	assert_string_equal(stack_table_frame_name(judged->comparison->table, count->frame), "count");
	assert_true(count->base_cost == 30000 && count->head_cost == 50000);
	assert_true(count->contribution == .2 && count->contribution_lower == .2 && count->contribution_upper == .2);
	assert_true(put->contribution == -.2);
	assert_string_equal(compress->sentence,
	        "compress +0.10 pp (+0.11 % of itself), of which count, inlined, +20.00 pp, put, inlined, -20.00 pp");
}

/* Its host rose by something else meanwhile, so that no fall is left to explain it. */
static void a_function_that_is_inlined_no_more_is_a_cost_shift(void **state)
{
	static const CountedFunction outlined[] = {
	        {"cmd;main", {10000}, {10000}},
	        {"cmd;main;compress", {20000}, {60000}},
	        {"cmd;main;compress;~count", {30000}, {0}},
	        {"cmd;main;compress;count", {0}, {30000}},
	        {NULL, {0}, {0}},
	};
	static const CountedFunction slower_too[] = {
	        {"cmd;main", {10000}, {10000}},
	        {"cmd;main;compress", {20000}, {60000}},
	        {"cmd;main;compress;~count", {30000}, {0}},
	        {"cmd;main;compress;count", {0}, {35000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(outlined, .005);
	assert_class(judged, "count", FUNCTION_COST_SHIFT, FALSE);
	assert_string_equal(find(judged, "count")->note, ATTRIBUTION_OUTLINED);
	assert_class(judged, "compress", FUNCTION_REGRESSION, TRUE);
	g_autoptr(Judged) slower = judge(slower_too, .005);
	assert_class(slower, "count", FUNCTION_NEW, TRUE);
}

/* --- code and change --- */

static const CountedFunction library[] = {
        {"cmd;main;count_word", {40000}, {41000}},
        {"cmd;main;count_word;strncmp@libc.so.6", {20000}, {22000}},
        {"cmd;main;rest", {40000}, {40000}},
        {NULL, {0}, {0}},
};

static void a_consequence_in_a_library_does_not_gate_beside_its_cause(void **state)
{
	static const KnownCode code[] = {
	        {.name = "count_word", .file = "catalog.c", .first = 10, .last = 20, .hash = {1, 2}},
	        {.name = "strncmp", .identity = CODE_SAME},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("catalog.c", 12, 14);
	g_autoptr(Judged) judged = judge(library, .005);
	assert_class(judged, "strncmp", FUNCTION_REGRESSION, TRUE);
	judge_code(judged, code, change);
	assert_class(judged, "count_word", FUNCTION_REGRESSION, TRUE);
	assert_class(judged, "strncmp", FUNCTION_REGRESSION, FALSE);
	assert_int_equal(find(judged, "strncmp")->held, FUNCTION_HELD_BY_CODE);
	assert_false(find(judged, "strncmp")->excused);
	judged->functions.hold.total_failed = TRUE;
	judge_code(judged, code, change);
	assert_class(judged, "strncmp", FUNCTION_REGRESSION, FALSE);
	assert_int_equal(find(judged, "strncmp")->held, FUNCTION_NOT_HELD);
	assert_true(find(judged, "strncmp")->excused);
	assert_int_equal(find(judged, "strncmp")->code, CODE_SAME);
	assert_int_equal(find(judged, "count_word")->relation, CHANGE_TOUCHED);
	assert_string_equal(find(judged, "strncmp")->note, "outside of the checkout, so not edited");
	assert_string_equal(find(judged, "strncmp")->sentence,
	        "strncmp +2.00 pp (+10.0 % of itself), called more often by count_word, edited in this change; its own "
	        "machine "
	        "code "
	        "is the same; outside of the checkout, so not edited");
}

static void what_did_not_change_outside_needs_no_note(void **state)
{
	static const CountedFunction same[] = {
	        {"cmd;main", {40000}, {41000}}, {"cmd;main;strncmp@libc.so.6", {20000}, {20000}}, {NULL, {0}, {0}}};
	static const KnownCode code[] = {{.name = "strncmp", .identity = CODE_SAME}, {.name = NULL}};
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("catalog.c", 12, 14);
	g_autoptr(Judged) judged = judge(same, .1);
	judge_code(judged, code, change);
	assert_null(find(judged, "strncmp")->note);
	assert_null(find(judged, "main")->note);
}

static void other_lines_of_the_same_file_are_named(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {40000}, {40000}}, {"cmd;main;hash", {20000}, {22000}}, {NULL, {0}, {0}}};
	static const KnownCode code[] = {
	        {.name = "hash", .file = "catalog.c", .first = 10, .last = 20, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("catalog.c", 50, 51);
	g_autoptr(Judged) judged = judge(tree, .1);
	judge_code(judged, code, change);
	assert_string_equal(find(judged, "hash")->note, "the change edits other lines of catalog.c");
}

static void the_same_code_under_another_name_is_renamed_whatever_it_costs(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {80000}, {80000}},
	        {"cmd;main;sort_rows", {20000}, {0}},
	        {"cmd;main;order_rows", {0}, {20400}},
	        {NULL, {0}, {0}},
	};
	static const KnownCode code[] = {
	        {.name = "sort_rows", .hash = {7, 0}, .absent = {FALSE, TRUE}},
	        {.name = "order_rows", .hash = {0, 7}, .absent = {TRUE, FALSE}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("catalog.c", 50, 51);
	g_autoptr(Judged) judged = judge(tree, .1);
	judge_code(judged, code, change);
	assert_class(judged, "order_rows", FUNCTION_RENAMED, FALSE);
}

/* A function that both sides have was not renamed, so what is gone from a stored base tells nothing of its rise. */
static void what_is_gone_from_a_stored_base_explains_no_rise_of_another_function(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;rows_scan", {50000}, {0}},
	        {"cmd;main;setup;index_cells", {10000}, {60000}},
	        {"cmd;main;parse", {100000}, {100000}},
	        {"cmd;main;rest", {100000}, {99000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	judged->counted->input.stored_base = TRUE;
	judge_code(judged, (const KnownCode[]){{0}}, NULL);
	assert_class(judged, "index_cells", FUNCTION_REGRESSION, TRUE);
}

/* Nor was a function renamed that head still has. */
static void a_fall_of_a_stored_base_explains_nothing_new_elsewhere(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;rows_scan", {60000}, {10000}},
	        {"cmd;main;setup;index_cells", {0}, {50000}},
	        {"cmd;main;parse", {100000}, {100000}},
	        {"cmd;main;rest", {100000}, {99000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	judged->counted->input.stored_base = TRUE;
	judge_code(judged, (const KnownCode[]){{0}}, NULL);
	assert_class(judged, "index_cells", FUNCTION_NEW, TRUE);
}

/* The total is the same, but most of what fell has no name: nobody knows whether it is what rose. */
static void where_the_total_did_not_change_falls_without_a_name_make_up_for_nothing(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;parse;hash_a", {100000}, {110000}},
	        {"cmd;main;render;hash_b", {100000}, {99000}},
	        {"[unknown]", {100000}, {91000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Judged) judged = judge(tree, .01);
	assert_true(judged->comparison->total_change == 0);
	assert_class(judged, "hash_a", FUNCTION_REGRESSION, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_function_has_its_costs_change_and_no_test),
	        cmocka_unit_test(runs_that_differ_give_ranges),
	        cmocka_unit_test(a_change_counts_from_the_floor_on),
	        cmocka_unit_test(a_change_within_what_runs_differ_by_is_none),
	        cmocka_unit_test(functions_of_one_side_are_new_and_removed),
	        cmocka_unit_test(a_renamed_function_is_compared_with_its_former_self),
	        cmocka_unit_test(half_of_a_function_that_moved_into_a_new_one_is_a_cost_shift),
	        cmocka_unit_test(a_shift_may_leave_a_twentieth_of_the_rise),
	        cmocka_unit_test(a_rise_below_the_floor_is_not_explained),
	        cmocka_unit_test(where_the_total_did_not_change_falls_anywhere_make_up_for_a_rise),
	        cmocka_unit_test(a_total_that_may_have_changed_explains_nothing),
	        cmocka_unit_test(what_is_gone_from_a_stored_base_may_be_what_is_new),
	        cmocka_unit_test(an_unrelated_fall_explains_nothing),
	        cmocka_unit_test(code_of_one_stem_moves_where_one_of_two_functions_came_or_went),
	        cmocka_unit_test(a_caller_that_costs_as_much_as_before_with_all_it_calls_is_a_cost_shift),
	        cmocka_unit_test(siblings_have_their_caller_in_common),
	        cmocka_unit_test(what_only_the_program_has_in_common_explains_nothing),
	        cmocka_unit_test(a_fall_is_spent_once),
	        cmocka_unit_test(a_fall_is_not_said_to_have_gone_to_a_crumb),
	        cmocka_unit_test(what_one_rise_left_of_a_fall_another_may_take),
	        cmocka_unit_test(a_group_of_several_falls_is_one_donor),
	        cmocka_unit_test(a_renamed_function_gives_under_both_names),
	        cmocka_unit_test(several_falls_are_counted_in_the_note),
	        cmocka_unit_test(a_function_gates_beyond_the_margin_of_the_total),
	        cmocka_unit_test(a_function_that_does_not_repeat_gates_in_five_runs),
	        cmocka_unit_test(a_gap_no_larger_than_chance_makes_does_not_gate),
	        cmocka_unit_test(counts_that_move_between_inlined_pieces_change_nothing),
	        cmocka_unit_test(a_function_that_is_inlined_no_more_is_a_cost_shift),
	        cmocka_unit_test(a_consequence_in_a_library_does_not_gate_beside_its_cause),
	        cmocka_unit_test(what_did_not_change_outside_needs_no_note),
	        cmocka_unit_test(other_lines_of_the_same_file_are_named),
	        cmocka_unit_test(the_same_code_under_another_name_is_renamed_whatever_it_costs),
	        cmocka_unit_test(what_is_gone_from_a_stored_base_explains_no_rise_of_another_function),
	        cmocka_unit_test(a_fall_of_a_stored_base_explains_nothing_new_elsewhere),
	        cmocka_unit_test(where_the_total_did_not_change_falls_without_a_name_make_up_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
