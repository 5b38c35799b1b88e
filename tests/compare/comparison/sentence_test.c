/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/sentence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A comparison with room for what a test puts in, and the table of its functions. */
typedef struct {
	StackTable *table; /* the comparison's */
	BenchmarkComparison *comparison;
} Said;

static int setup(void **state)
{
	Said *said = g_new0(Said, 1);
	said->table = stack_table_new();
	said->comparison = benchmark_comparison_new("catalog");
	said->comparison->table = said->table;
	said->comparison->verdict = VERDICT_REGRESSION;
	*state = said;
	return 0;
}

static int teardown(void **state)
{
	Said *said = *state;
	benchmark_comparison_free(said->comparison);
	g_free(said);
	return 0;
}

#define SAID(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static MetricComparison *add_metric(Said *said, const char *name, Verdict verdict, double change)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = &engine_perf;
	metric->verdict = verdict;
	metric->gates = TRUE;
	metric->change_ratio = 1 + change;
	metric->lower_ratio = 1 + change - .0131;
	metric->upper_ratio = 1 + change + .0121;
	g_ptr_array_add(said->comparison->metrics, metric);
	return metric;
}

static FunctionComparison *add_function(Said *said, const char *name, double contribution)
{
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	f->frame = f->renamed_from = stack_table_frame_named(said->table, name, "prog", FRAME_USER);
	f->contribution = contribution;
	f->contribution_lower = contribution - .011;
	f->contribution_upper = contribution + .0111;
	f->change_ratio = 1.5;
	f->klass = FUNCTION_REGRESSION;
	f->p_adjusted = .01;
	g_ptr_array_add(said->comparison->functions, f);
	return f;
}

static void assert_function(const Said *said, const FunctionComparison *f, const char *wanted)
{
	g_autofree char *text = sentence_of_function(said->table, f);
	assert_string_equal(text, wanted);
}

static void assert_benchmark(const Said *said, const char *wanted)
{
	g_autofree char *text = sentence_of_benchmark(said->comparison, .05);
	assert_string_equal(text, wanted);
}

static void every_relation_and_code_has_its_words(void **state)
{
	static const char *const words[][3] = {
	        [CHANGE_UNKNOWN] = {"", "; its machine code is the same on both sides", "; its machine code differs"},
	        [CHANGE_TOUCHED] = {", edited in this change",
	                ", edited in this change; its machine code is the same, so look for other data, more calls "
	                "or "
	                "layout",
	                ", edited in this change"},
	        [CHANGE_CALLS_TOUCHED] = {", which calls code edited in this change",
	                ", which calls code edited in this change; its own machine code is the same",
	                ", which calls code edited in this change"},
	        [CHANGE_UNTOUCHED] = {", not edited in this change",
	                ", not edited in this change; its machine code is the same, so look for more calls, "
	                "other "
	                "data or layout",
	                ", not edited in this change; its machine code differs all the same, so look at macros, "
	                "inlined code or compiler options"},
	};
	Said *said = *state;
	FunctionComparison *f = add_function(said, "hash_word", .119);
	for (guint relation = CHANGE_UNKNOWN; relation <= CHANGE_UNTOUCHED; relation++)
		for (guint code = CODE_UNKNOWN; code <= CODE_CHANGED; code++) {
			g_autofree char *wanted = g_strconcat(
			        "hash_word +11.9 pp [+10.8, +13.0] (+50.0 % of itself)", words[relation][code], NULL);
			f->relation = relation;
			f->code = code;
			assert_function(said, f, wanted);
		}
}

static void the_note_of_a_function_is_its_end(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "order_rows", .03);
	f->relation = CHANGE_TOUCHED;
	f->note = g_strdup("renamed from sort_rows");
	assert_function(said, f,
	        "order_rows +3.0 pp [+1.9, +4.1] (+50.0 % of itself), edited in this change; renamed from "
	        "sort_rows");
}

static void the_words_for_layout_leave_the_causes_to_the_note(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "hash_word", .03);
	f->relation = CHANGE_UNTOUCHED;
	f->code = CODE_SAME;
	f->klass = FUNCTION_LAYOUT_SUSPECT;
	assert_function(said, f, "hash_word +3.0 pp [+1.9, +4.1] (+50.0 % of itself), not edited in this change");
}

static void a_fall_needs_no_advice(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "hash_word", -.03);
	f->change_ratio = .8;
	f->relation = CHANGE_UNTOUCHED;
	f->code = CODE_SAME;
	assert_function(said, f, "hash_word -3.0 pp [-4.1, -1.9] (-20.0 % of itself), not edited in this change");
	f->contribution = 0;
	f->klass = FUNCTION_NEW;
	assert_function(said, f,
	        "hash_word +0.00 pp [-4.1, -1.9] (new), not edited in this change; its machine code is the same, "
	        "so look for more calls, other data or layout");
}

static void a_function_without_a_cost_on_one_side_has_no_own_change(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "audit", .03);
	f->klass = FUNCTION_NEW;
	assert_function(said, f, "audit +3.0 pp [+1.9, +4.1] (new)");
	f->klass = FUNCTION_REMOVED;
	assert_function(said, f, "audit +3.0 pp [+1.9, +4.1] (removed)");
	f->klass = FUNCTION_COST_SHIFT;
	f->change_ratio = NAN;
	assert_function(said, f, "audit +3.0 pp [+1.9, +4.1]");
}

static void assert_slower(const Said *said, const char *wanted)
{
	g_autofree char *slower = sentence_of_slower(said->comparison);
	assert_string_equal(slower, wanted);
}

static void moved_cost_is_no_slower_function(void **state)
{
	Said *said = *state;
	MetricComparison *metric = add_metric(said, "task-clock", VERDICT_PASS, .001);
	FunctionComparison *f = add_function(said, "key_of", .12);
	f->klass = FUNCTION_COST_SHIFT;
	f->held = FUNCTION_HELD_BY_TOTAL;
	f->relation = CHANGE_TOUCHED;
	f->note = g_strdup("renamed from key; cost moved from discount_of; the total did not change");
	said->comparison->verdict = VERDICT_PASS;
	assert_true(sentence_is_shift(said->comparison));
	assert_slower(said, "cost moved from discount_of to key_of: +12.0 pp [+10.9, +13.1], edited in this change; "
	                    "total unchanged");
	metric->improved = TRUE;
	assert_slower(said, "cost moved from discount_of to key_of: +12.0 pp [+10.9, +13.1], edited in this change; "
	                    "total lower");
	said->comparison->verdict = VERDICT_INCONCLUSIVE;
	assert_slower(said, "cost moved from discount_of to key_of: +12.0 pp [+10.9, +13.1], edited in this change");
	g_free(f->note);
	f->note = g_strdup("it was inlined in base; together with its inlined copies it costs no more than before");
	assert_slower(said, "cost moved to key_of, which was inlined in base: +12.0 pp [+10.9, +13.1], edited in this "
	                    "change");
}

static void beside_moved_cost_the_slower_function_is_named(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_PASS, .001);
	FunctionComparison *moved = add_function(said, "key_of", .12), *rose = add_function(said, "hash", .02);
	moved->klass = FUNCTION_COST_SHIFT;
	moved->relation = CHANGE_TOUCHED;
	moved->held = rose->held = FUNCTION_HELD_BY_TOTAL;
	said->comparison->verdict = VERDICT_PASS;
	assert_false(sentence_is_shift(said->comparison));
	assert_slower(said, "slower although the total passes: hash +2.0 pp [+0.90, +3.1] (+50.0 % of itself); and 1 "
	                    "more function");
}

static void an_interval_that_is_not_known_is_left_out(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "audit", -.03);
	f->change_ratio = .8;
	f->contribution_upper = NAN;
	assert_function(said, f, "audit -3.0 pp (-20.0 % of itself)");
	f->contribution_upper = .1;
	f->contribution_lower = NAN;
	assert_function(said, f, "audit -3.0 pp (-20.0 % of itself)");
}

static void what_is_shown_as_nothing_has_no_minus(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "audit", -.00004);
	MetricComparison *metric = add_metric(said, "task-clock", VERDICT_PASS, -.00004);
	f->change_ratio = .99996;
	f->contribution_lower = -.00004;
	f->contribution_upper = .001;
	metric->lower_ratio = .99996;
	metric->upper_ratio = 1.001;
	assert_function(said, f, "audit +0.00 pp [+0.00, +0.10] (+0.00 % of itself)");
	assert_benchmark(said, "catalog: CPU time +0.00 % (0 to +0.10 %)");
}

static void a_failed_total_is_caused_by_the_function_that_gates(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	add_function(said, "first", .2);
	FunctionComparison *f = add_function(said, "hash_word", .119);
	f->gates = TRUE;
	f->relation = CHANGE_TOUCHED;
	f->note = g_strdup("renamed from hash");
	assert_benchmark(said,
	        "catalog is 12 % slower (11 to 14 %), caused by hash_word, edited in this change; renamed from hash");
}

static void without_one_that_gates_it_is_the_largest_one_that_rose(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	add_function(said, "noise", .3)->p_adjusted = .06;
	add_function(said, "untested", .25)->p_adjusted = NAN;
	add_function(said, "moved", .2)->klass = FUNCTION_COST_SHIFT;
	add_function(said, "audit", .1)->klass = FUNCTION_NEW;
	add_function(said, "hash", .05);
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %), caused by audit");
}

static void a_rise_at_the_level_is_certain(void **state)
{
	Said *said = *state;
	add_metric(said, "cycles", VERDICT_REGRESSION, .123);
	add_function(said, "hash", .05)->p_adjusted = .05;
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %), caused by hash");
}

static void a_passing_total_with_a_function_that_gates_has_it_in_a_clause_of_its_own(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_PASS, .01);
	add_function(said, "rose", .02);
	add_function(said, "hash", .012)->gates = TRUE;
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %); hash costs +1.2 pp [+0.10, +2.3] more");
}

static void a_passing_total_names_no_function_that_does_not_gate(void **state)
{
	Said *said = *state;
	said->comparison->verdict = VERDICT_PASS;
	add_metric(said, "task-clock", VERDICT_PASS, .01);
	add_function(said, "rose", .02);
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %)");
}

/* A benchmark passed with an interval from -6.8 to +6.1 % and not a word about its pass margin of 10 %. */
static void a_pass_says_what_is_ruled_out(void **state)
{
	Said *said = *state;
	said->comparison->verdict = VERDICT_PASS;
	MetricComparison *metric = add_metric(said, "task-clock", VERDICT_PASS, .01);
	metric->pass_margin = .1;
	assert_benchmark(said, "catalog: no slowdown beyond 10 % (measured +1.0 %, -0.31 to +2.2 %)");
	metric->higher_is_better = TRUE;
	assert_benchmark(said, "catalog: no fall beyond 9.09 % (measured +1.0 %, -0.31 to +2.2 %)");
	metric->negligible = TRUE;
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %)");
}

static void what_did_not_pass_rules_nothing_out(void **state)
{
	Said *said = *state;
	MetricComparison *metric = add_metric(said, "task-clock", VERDICT_PASS, .01);
	metric->pass_margin = .04;
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %)");
	said->comparison->verdict = VERDICT_PASS;
	metric->verdict = VERDICT_INCONCLUSIVE;
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %)");
}

/* Functions cost time; they are not why there are more page faults. */
static void what_is_no_time_is_not_caused_by_a_function(void **state)
{
	Said *said = *state;
	add_metric(said, "page-faults", VERDICT_REGRESSION, .123);
	FunctionComparison *f = add_function(said, "hash", .05);
	said->comparison->total_change = .1;
	said->comparison->unsampled_contribution = .09;
	assert_benchmark(said, "catalog: page-faults is 12 % higher (11 to 14 %)");
	f->gates = TRUE;
	assert_benchmark(
	        said, "catalog: page-faults is 12 % higher (11 to 14 %); hash costs +5.0 pp [+3.9, +6.1] more");
}

static void time_that_no_sample_saw_is_named(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	said->comparison->total_change = .12;
	said->comparison->unsampled_contribution = .06;
	assert_benchmark(
	        said, "catalog is 12 % slower (11 to 14 %), of which +6.0 pp in the kernel or in lost samples");
	said->comparison->unsampled_contribution = .059;
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %)");
	said->comparison->total_change = -.1;
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %)");
	said->comparison->total_change = said->comparison->unsampled_contribution = 0;
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %)");
}

static void what_failed_comes_before_what_is_open_and_what_passed(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_PASS, .01);
	assert_benchmark(said, "catalog: CPU time +1.0 % (-0.31 to +2.2 %)");
	add_metric(said, "wall", VERDICT_INCONCLUSIVE, .02);
	assert_benchmark(said, "catalog: wall time +2.0 % (0.69 to 3.2 %)");
	add_metric(said, "page-faults", VERDICT_REGRESSION, .03);
	assert_benchmark(said, "catalog: page-faults is 3.0 % higher (1.7 to 4.2 %)");
}

static void of_several_that_failed_time_comes_first(void **state)
{
	Said *said = *state;
	add_metric(said, "page-faults", VERDICT_REGRESSION, .07);
	add_metric(said, "wall", VERDICT_REGRESSION, .06);
	add_metric(said, "cycles", VERDICT_REGRESSION, .05)->gates = FALSE;
	assert_string_equal(most_telling_metric(said->comparison->metrics, VERDICT_REGRESSION)->name, "wall");
	add_metric(said, "task-clock", VERDICT_REGRESSION, .04);
	assert_string_equal(most_telling_metric(said->comparison->metrics, VERDICT_REGRESSION)->name, "task-clock");
	assert_null(most_telling_metric(said->comparison->metrics, VERDICT_PASS));
}

static void a_change_from_nothing_has_no_percent(void **state)
{
	Said *said = *state;
	MetricComparison *metric = add_metric(said, "page-faults", VERDICT_REGRESSION, INFINITY);
	metric->head = 12;
	metric->lower_ratio = metric->upper_ratio = INFINITY;
	assert_benchmark(said, "catalog: page-faults from 0 to 12");
}

static void an_open_end_of_an_interval_leaves_it_out(void **state)
{
	Said *said = *state;
	MetricComparison *metric = add_metric(said, "task-clock", VERDICT_INCONCLUSIVE, .02);
	metric->lower_ratio = 0;
	assert_benchmark(said, "catalog: CPU time +2.0 %");
	metric->lower_ratio = 1;
	metric->upper_ratio = INFINITY;
	assert_benchmark(said, "catalog: CPU time +2.0 %");
}

static void an_error_and_a_comparison_without_metric_say_their_reason(void **state)
{
	Said *said = *state;
	g_free(said->comparison->reason);
	said->comparison->reason = g_strdup("no round was measured");
	assert_benchmark(said, "no round was measured");
	add_metric(said, "task-clock", VERDICT_PASS, .01);
	said->comparison->verdict = VERDICT_ERROR;
	assert_benchmark(said, "no round was measured");
}

/* --- counts --- */

static MetricComparison *add_counted(Said *said, const char *name, double base, double head)
{
	MetricComparison *metric = add_metric(said, name, VERDICT_PASS, head / base - 1);
	metric->engine = &engine_callgrind;
	metric->unit = g_strdup("count");
	metric->base = base;
	metric->head = head;
	metric->lower_ratio = metric->upper_ratio = metric->change_ratio;
	said->comparison->counted = TRUE;
	said->comparison->verdict = VERDICT_PASS;
	return metric;
}

static FunctionComparison *add_counted_function(Said *said, const char *name, double contribution)
{
	FunctionComparison *f = add_function(said, name, contribution);
	f->contribution_lower = f->contribution_upper = contribution;
	f->p_adjusted = NAN;
	return f;
}

static void counts_have_no_interval_and_say_how_many(void **state)
{
	Said *said = *state;
	add_counted(said, "instructions", 3640883000, 4089077697)->verdict = VERDICT_REGRESSION;
	add_counted_function(said, "hash_word", .119)->relation = CHANGE_TOUCHED;
	assert_benchmark(
	        said, "catalog runs 12.31 % more instructions (+448 M), caused by hash_word, edited in this change");
}

static void a_passing_count_names_what_rose(void **state)
{
	Said *said = *state;
	add_counted(said, "instructions", 100000, 100100);
	assert_benchmark(said, "catalog runs 0.10 % more instructions (+100)");
	add_counted_function(said, "moved", .05)->klass = FUNCTION_COST_SHIFT;
	add_counted_function(said, "audit", .001)->klass = FUNCTION_NEW;
	assert_benchmark(said, "catalog runs 0.10 % more instructions (+100), caused by audit");
}

static void a_count_that_fell_has_a_function_that_rose_in_a_clause_of_its_own(void **state)
{
	Said *said = *state;
	add_counted(said, "instructions", 100000, 99000);
	add_counted_function(said, "hash", .01)->note = g_strdup("renamed from hash_all");
	assert_benchmark(said,
	        "catalog runs 1.00 % fewer instructions (-1000); hash costs +1.00 pp more; renamed from hash_all");
}

/* Functions cost instructions; they are not why there are more system calls. */
static void what_functions_do_not_count_is_not_caused_by_a_function(void **state)
{
	Said *said = *state;
	add_counted(said, "system-calls", 100, 110);
	add_counted_function(said, "hash", .01);
	assert_benchmark(said, "catalog has 10.00 % more system-calls (+10); hash costs +1.00 pp more");
}

static void the_cause_is_named_before_its_consequences(void **state)
{
	Said *said = *state;
	add_counted(said, "instructions", 100000, 104000);
	FunctionComparison *library = add_counted_function(said, "strncmp", .03);
	library->code = CODE_SAME;
	library->relation = CHANGE_UNTOUCHED;
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), seen in strncmp, not edited in this "
	                       "change; its machine code is the same, so look for more calls or other data");
	FunctionComparison *edited = add_counted_function(said, "count", .01);
	edited->relation = CHANGE_TOUCHED;
	edited->code = CODE_SAME;
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), caused by count, edited in this change; "
	                       "its machine code is the same, so look for other data or more calls");
	edited->code = CODE_CHANGED;
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), caused by count, edited in this change");
	library->gates = TRUE;
	library->relation = CHANGE_CALLS_TOUCHED;
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), caused by count, edited in this change; "
	                       "and 1 more function");
	edited->klass = FUNCTION_UNCHANGED;
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), caused by strncmp, which calls code "
	                       "edited in this change; its own machine code is the same");
	library->note = g_strdup("same code on both sides: called more often, or on other data");
	assert_benchmark(said, "catalog runs 4.00 % more instructions (+4000), caused by strncmp, which calls code "
	                       "edited in this change; same code on both sides: called more often, or on other data");
}

static void a_counted_function_has_two_decimals_and_its_range(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said, "hash_word", -.119);
	f->code = CODE_SAME;
	f->relation = CHANGE_UNTOUCHED;
	f->note = g_strdup("cost moved to hash_more");
	g_autofree char *text = sentence_of_counted_function(said->table, f);
	assert_string_equal(text,
	        "hash_word -11.90 pp [-13.00, -10.79] (+50.0 % of itself), not edited in this change; cost moved "
	        "to hash_more");
}

static void a_callee_is_named_with_the_edited_function_that_calls_it(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	FunctionComparison *f = add_function(said, "to_upper", .119);
	f->gates = TRUE;
	f->relation = CHANGE_CALLED_BY_TOUCHED;
	f->through = stack_table_frame_named(said->table, "hash", "prog", FRAME_USER);
	assert_benchmark(said,
	        "catalog is 12 % slower (11 to 14 %), in to_upper, called more often by hash, edited in this change");
	add_function(said, "copy", .1)->gates = TRUE;
	FunctionComparison *hash = add_function(said, "hash", .001);
	hash->klass = FUNCTION_UNCHANGED;
	hash->relation = CHANGE_TOUCHED;
	hash->place = (FunctionPlace){.file = stack_table_name(said->table, "src/hash.c", -1), .line = 21};
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %), in to_upper, called more often by hash in "
	                       "hash.c:21, edited in this change; and 1 more function");
	assert_ptr_equal(sentence_function(said->comparison, .05), hash);
	/* the cause has been named, whether it gates or not */
	hash->gates = TRUE;
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %), in to_upper, called more often by hash in "
	                       "hash.c:21, edited in this change; and 1 more function");
}

static void the_cause_has_its_place(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	FunctionComparison *f = add_function(said, "score_hits", .119);
	f->relation = CHANGE_TOUCHED;
	f->place = (FunctionPlace){.file = stack_table_name(said->table, "src/rank.c", -1), .line = 21};
	assert_benchmark(
	        said, "catalog is 12 % slower (11 to 14 %), caused by score_hits in rank.c:21, edited in this change");
}

/* The stub has no source and no code of the project. */
static void a_stub_is_named_by_what_it_calls(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_REGRESSION, .123);
	FunctionComparison *f = add_function(said, "memcpy@plt", .119);
	f->relation = CHANGE_CALLED_BY_TOUCHED;
	f->through = stack_table_frame_named(said->table, "dump_indent", "prog", FRAME_USER);
	assert_benchmark(said, "catalog is 12 % slower (11 to 14 %), in memcpy, called more often by dump_indent, "
	                       "edited in this change");
}

static void a_clause_of_its_own_has_a_predicate_whatever_is_known(void **state)
{
	Said *said = *state;
	add_metric(said, "task-clock", VERDICT_INCONCLUSIVE, .01);
	FunctionComparison *f = add_function(said, "hash", .119);
	f->gates = TRUE;
	f->relation = CHANGE_TOUCHED;
	f->code = CODE_SAME;
	assert_benchmark(said,
	        "catalog: CPU time +1.0 % (-0.31 to +2.2 %); hash, edited in this change, costs +11.9 pp [+10.8, "
	        "+13.0] more; its machine code is the same, so look for other data, more calls or layout");
	assert_ptr_equal(sentence_function(said->comparison, .05), f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SAID(a_callee_is_named_with_the_edited_function_that_calls_it),
	        SAID(the_cause_has_its_place),
	        SAID(a_stub_is_named_by_what_it_calls),
	        SAID(a_clause_of_its_own_has_a_predicate_whatever_is_known),
	        SAID(every_relation_and_code_has_its_words),
	        SAID(the_note_of_a_function_is_its_end),
	        SAID(the_words_for_layout_leave_the_causes_to_the_note),
	        SAID(a_fall_needs_no_advice),
	        SAID(a_function_without_a_cost_on_one_side_has_no_own_change),
	        SAID(moved_cost_is_no_slower_function),
	        SAID(beside_moved_cost_the_slower_function_is_named),
	        SAID(an_interval_that_is_not_known_is_left_out),
	        SAID(what_is_shown_as_nothing_has_no_minus),
	        SAID(a_failed_total_is_caused_by_the_function_that_gates),
	        SAID(without_one_that_gates_it_is_the_largest_one_that_rose),
	        SAID(a_rise_at_the_level_is_certain),
	        SAID(a_passing_total_with_a_function_that_gates_has_it_in_a_clause_of_its_own),
	        SAID(a_passing_total_names_no_function_that_does_not_gate),
	        SAID(what_is_no_time_is_not_caused_by_a_function),
	        SAID(a_pass_says_what_is_ruled_out),
	        SAID(what_did_not_pass_rules_nothing_out),
	        SAID(time_that_no_sample_saw_is_named),
	        SAID(what_failed_comes_before_what_is_open_and_what_passed),
	        SAID(of_several_that_failed_time_comes_first),
	        SAID(a_change_from_nothing_has_no_percent),
	        SAID(an_open_end_of_an_interval_leaves_it_out),
	        SAID(an_error_and_a_comparison_without_metric_say_their_reason),
	        SAID(counts_have_no_interval_and_say_how_many),
	        SAID(a_passing_count_names_what_rose),
	        SAID(a_count_that_fell_has_a_function_that_rose_in_a_clause_of_its_own),
	        SAID(what_functions_do_not_count_is_not_caused_by_a_function),
	        SAID(the_cause_is_named_before_its_consequences),
	        SAID(a_counted_function_has_two_decimals_and_its_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
