/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedbase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/countedinput.h"

static Environment *environment(const char *libraries, const char *tools)
{
	Environment *made = environment_new();
	if (libraries != NULL)
		environment_set(made, "libraries", METRIC_SAME_CAMPAIGN, libraries);
	if (tools != NULL)
		environment_set(made, "tools", METRIC_SAME_CAMPAIGN, tools);
	return made;
}

/* NULL = nothing speaks against base. */
static void assert_foreign(const char *base, const char *head, const char *wanted)
{
	g_autoptr(Environment) stored = environment(base, "t1"), now = environment(head, "t1");
	g_autofree char *text = counted_base_foreign(stored, now);
	if (wanted == NULL)
		assert_null(text);
	else
		assert_string_equal(text, wanted);
}

static void the_same_library_in_another_build_is_named(void **state)
{
	(void)state;
	assert_foreign("libc.so.6:aa, libz.so.1:bb", "libc.so.6:aa, libz.so.1:cc",
	        "other builds of libz.so.1 (bb then, cc now)");
	assert_foreign("libb.so:1, liba.so:2", "liba.so:3, libb.so:4",
	        "other builds of liba.so (2 then, 3 now), libb.so (1 then, 4 now)");
	assert_foreign("a:1, b:1, c:1, d:1, e:1, f:1, g:1", "a:2, b:2, c:2, d:2, e:2, f:2, g:2",
	        "other builds of a (1 then, 2 now), b (1 then, 2 now), c (1 then, 2 now), d (1 then, 2 now), e (1 "
	        "then, 2 now) and 2 more");
}

static void five_libraries_are_named_without_a_rest(void **state)
{
	(void)state;
	assert_foreign("a:1, b:1, c:1, d:1, e:1", "a:2, b:2, c:2, d:2, e:2",
	        "other builds of a (1 then, 2 now), b (1 then, 2 now), c (1 then, 2 now), d (1 then, 2 now), e (1 "
	        "then, 2 now)");
}

static void a_library_of_one_side_says_nothing(void **state)
{
	(void)state;
	assert_foreign("libc.so.6:aa, libold.so:bb", "libc.so.6:aa, libnew.so:cc", NULL);
	assert_foreign("", "libnew.so:cc", NULL);
	assert_foreign("libx.so:1, libx.so:2", "libx.so:1, libx.so:2", NULL);
}

static void one_of_two_libraries_of_a_name_may_have_changed(void **state)
{
	(void)state;
	assert_foreign("libx.so:1, libx.so:2", "libx.so:1, libx.so:3", "other builds of libx.so (1 2 then, 1 3 now)");
}

static void other_tools_are_foreign(void **state)
{
	(void)state;
	g_autoptr(Environment) stored = environment("a:1", "t1"), now = environment("a:1", "t2");
	g_autofree char *text = counted_base_foreign(stored, now);
	assert_true(g_str_has_prefix(text, "other tools"));
}

static void what_is_not_described_is_foreign(void **state)
{
	(void)state;
	g_autoptr(Environment) whole = environment("a:1", "t1"), libraries = environment("a:1", NULL);
	g_autoptr(Environment) tools = environment(NULL, "t1"), nothing = environment("", "");
	g_autofree char *text = counted_base_foreign(libraries, whole);
	assert_string_equal(text, "libraries and tools that are not known");
	g_autofree char *of_head = counted_base_foreign(whole, tools);
	assert_string_equal(of_head, "libraries and tools that are not known");
	assert_true(counted_base_is_described(whole));
	assert_true(counted_base_is_described(nothing));
	assert_false(counted_base_is_described(libraries));
	assert_false(counted_base_is_described(tools));
}

/* A measurement of so many runs with these counts. */
static Measurement *measured(const double *counts, guint n)
{
	Measurement *m = measurement_new("catalog", "base", "tree");
	for (guint run = 0; run < n; run++)
		counted_value(m, "instructions", "instructions", run, counts[run]);
	return m;
}

typedef struct {
	double then[3], now[3];
	guint n_then, n_now;
	gboolean same;
	const char *outdated;
} Recount;

static void counts_are_the_same_outdated_or_neither(void **state)
{
	static const Recount rows[] = {
	        {{1000, 1000}, {1000}, 2, 1, TRUE, NULL},
	        {{1000, 1000}, {1001}, 2, 1, FALSE, "instructions +0.10 % (1 more)"},
	        {{1000, 1000}, {900, 900}, 2, 2, FALSE, "instructions -10.00 % (100 fewer)"},
	        {{0, 0}, {900}, 2, 1, FALSE, "instructions from 0 to 900"},
	        {{1, 1}, {2}, 2, 1, FALSE, "instructions +100.0 % (1 more)"},
	        /* what does not repeat is never the same, and outdated only beyond what runs differ by */
	        {{1000, 1010}, {1005}, 2, 1, FALSE, NULL},
	        {{1000, 1010}, {1000}, 2, 1, FALSE, NULL},
	        {{1000, 1010}, {1010}, 2, 1, FALSE, NULL},
	        {{1000, 1010}, {1020}, 2, 1, FALSE, NULL},
	        {{1000, 1010}, {1021}, 2, 1, FALSE, "instructions +1.59 % (16 more)"},
	        {{1000, 1000}, {1005, 1020}, 2, 2, FALSE, NULL},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Recount *row = &rows[i];
		g_autoptr(Measurement) then = measured(row->then, row->n_then), now = measured(row->now, row->n_now);
		g_autofree char *text = counted_base_outdated(then, now);
		assert_int_equal(counted_base_is_same(then, now), row->same);
		if (row->outdated == NULL)
			assert_null(text);
		else
			assert_string_equal(text, row->outdated);
	}
}

static void a_count_that_was_not_stored_is_not_the_same(void **state)
{
	(void)state;
	const double one[] = {1000};
	g_autoptr(Measurement) then = measured(one, 1), now = measured(one, 1);
	counted_value(now, "allocations", "count", 0, 5);
	assert_false(counted_base_is_same(then, now));
	g_autofree char *text = counted_base_outdated(then, now);
	assert_null(text);
}

/* --- what head shows --- */

/* The doubt about stored counts of these functions, compared at this margin; owned by the caller. */
static char *doubt(const CountedFunction *functions, guint base_runs, guint head_runs, double margin)
{
	g_autoptr(Counted) c = counted_new(functions, base_runs, head_runs, margin);
	c->input.stored_base = TRUE;
	BenchmarkComparison *comparison = compare_counted(&c->input);
	char *text = counted_base_doubt(comparison);
	benchmark_comparison_free(comparison);
	return text;
}

typedef struct {
	const char *what;
	CountedFunction functions[4];
	double margin;
	const char *doubt; /* NULL = stored counts stand */
} Doubt;

static void stored_counts_stand_only_while_nothing_is_different(void **state)
{
	static const Doubt rows[] = {
	        {"equal counts", {{"main", {100000}, {100000}}, {"main;hash", {900000}, {900000}}}, .01, NULL},
	        {"a fall beyond the margin", {{"main", {100000}, {100000}}, {"main;hash", {900000}, {594000}}}, .01,
	                "instructions -30.60 % (306 k fewer) against stored counts, beyond the margin of 1 %"},
	        {"a rise beyond the margin", {{"main", {100000}, {100000}}, {"main;hash", {900000}, {920000}}}, .01,
	                "instructions +2.00 % (20.0 k more) against stored counts, beyond the margin of 1 %"},
	        {"a rise that hides in a fall", {{"main;read", {500000}, {250000}}, {"main;hash", {500000}, {750000}}},
	                .01,
	                "the counts of functions differ from the stored ones, most those of hash (+25.00 pp of the "
	                "total)"},
	        {"another name", {{"main;old", {500000}, {0}}, {"main;new", {0}, {500000}}}, .01, NULL},
	        {"other functions",
	                {{"main;old", {500000}, {0}}, {"main;new", {0}, {300000}}, {"main;newer", {0}, {200000}}}, .01,
	                "the counts of functions differ from the stored ones, most those of old (-100.0 pp of the "
	                "total)"},
	        {"code without a name", {{"main", {900000}, {900000}}, {"[unknown]", {100000}, {101000}}}, .01,
	                "the counts of code without a name differ from the stored ones"},
	        {"as little as a loader differs by", {{"main", {999900}, {999900}}, {"main;lookup", {100}, {130}}}, .01,
	                NULL},
	        {"many such changes, either way",
	                {{"main;a", {500000}, {500040}}, {"main;b", {300000}, {299960}},
	                        {"main;c", {200000}, {200040}}},
	                .01, "the counts of functions differ from the stored ones, most those of"},
	        {"a tenth of a small margin", {{"main", {1000000}, {1000030}}}, .0002,
	                "the counts of functions differ from the stored ones, most those of main (+0.0030 pp of the "
	                "total)"},
	        {"equal counts at margin 0", {{"main", {1000000}, {1000000}}}, 0, NULL},
	        {"margin 0", {{"main", {1000000}, {999999}}}, 0,
	                "instructions -0.00010 % (1 fewer) against stored counts, beyond the margin of 0 %"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = doubt(rows[i].functions, 2, 1, rows[i].margin);
		gboolean as_wanted =
		        rows[i].doubt == NULL ? text == NULL : text != NULL && g_str_has_prefix(text, rows[i].doubt);
		if (!as_wanted)
			fail_msg("%s: %s", rows[i].what, text != NULL ? text : "no doubt");
	}
}

/* The runs of base are 2000 apart: that a run of head lies a little above both says nothing. */
static void what_chance_does_to_counts_is_no_doubt(void **state)
{
	static const CountedFunction chance[] = {
	        {"main", {900000}, {900000}}, {"main;dice", {99000, 101000}, {101900}}, {NULL, {0}, {0}}};
	static const CountedFunction certain[] = {
	        {"main", {900000}, {900000}}, {"main;dice", {99000, 101000}, {104000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autofree char *none = doubt(chance, 2, 1, .01), *some = doubt(certain, 2, 1, .01);
	assert_null(none);
	assert_non_null(some);
}

static void where_nothing_gates_there_is_nothing_to_doubt(void **state)
{
	static const CountedFunction functions[] = {{"main", {900000}, {100000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Counted) c = counted_new(functions, 2, 1, .01);
	c->instructions.gates = FALSE;
	BenchmarkComparison *comparison = compare_counted(&c->input);
	g_autofree char *text = counted_base_doubt(comparison);
	benchmark_comparison_free(comparison);
	assert_null(text);
}

/* Stored text comes from elsewhere; what is whole in it still speaks. */
static void a_library_without_a_build_says_nothing(void **state)
{
	(void)state;
	assert_foreign("liba.so, libz.so.1:bb", "liba.so, libz.so.1:bb", NULL);
	assert_foreign(
	        "liba.so, libz.so.1:bb", "liba.so:aa, libz.so.1:cc", "other builds of libz.so.1 (bb then, cc now)");
}

static void what_is_no_count_is_not_compared(void **state)
{
	(void)state;
	const double one[] = {1000};
	g_autoptr(Measurement) then = measured(one, 1), now = measured(one, 1);
	double time = 5e9;
	MetricSeries *clock = measurement_add_metric(now, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	g_array_append_val(clock->values, time);
	assert_true(counted_base_is_same(then, now));
	g_autofree char *text = counted_base_outdated(then, now);
	assert_null(text);
}

static void where_nothing_was_counted_nothing_is_the_same(void **state)
{
	(void)state;
	const double one[] = {1000}, none[] = {NAN};
	g_autoptr(Measurement) then = measured(one, 1), empty = measurement_new("catalog", "base", "tree");
	assert_false(counted_base_is_same(then, empty));
	g_autoptr(Measurement) unknown = measured(none, 1);
	assert_false(counted_base_is_same(then, unknown));
	assert_false(counted_base_is_same(unknown, then));
	g_autofree char *of_fresh = counted_base_outdated(then, unknown),
	                *of_stored = counted_base_outdated(unknown, then);
	assert_null(of_fresh);
	assert_null(of_stored);
}

static void a_run_without_a_count_hides_none_of_the_others(void **state)
{
	(void)state;
	const double same[] = {NAN, 1000, 1000}, other[] = {NAN, 1000, 1001}, one[] = {1000};
	g_autoptr(Measurement) then = measured(one, 1), alike = measured(same, 3), apart = measured(other, 3);
	assert_true(counted_base_is_same(then, alike));
	assert_false(counted_base_is_same(then, apart));
}

static void every_outdated_count_is_named(void **state)
{
	(void)state;
	const double before[] = {1000}, after[] = {1100};
	g_autoptr(Measurement) then = measured(before, 1), now = measured(after, 1);
	counted_value(then, "allocations", "count", 0, 10);
	counted_value(now, "allocations", "count", 0, 8);
	g_autofree char *text = counted_base_outdated(then, now);
	assert_string_equal(text, "allocations -20.00 % (2 fewer), instructions +10.00 % (100 more)");
}

/* --- which metric is told --- */

static MetricComparison *add_metric(BenchmarkComparison *c, const char *name, double change, gboolean gates)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = &engine_callgrind;
	metric->unit = g_strdup("count");
	metric->base = 1000;
	metric->head = 1000 * (1 + change);
	metric->change_ratio = metric->lower_ratio = metric->upper_ratio = 1 + change;
	metric->margin = .01;
	metric->gates = gates;
	g_ptr_array_add(c->metrics, metric);
	return metric;
}

static void the_metric_that_changed_most_is_told_first(void **state)
{
	static const struct {
		double changes[3];
		gboolean last_gates;
		const char *name;
	} rows[] = {
	        {{.05, .2, .1}, TRUE, "second "},
	        {{.05, -.2, .1}, TRUE, "second "},
	        {{.3, .2, -.1}, TRUE, "first "},
	        {{.05, .2, .9}, FALSE, "second "},
	        {{.2, .2, .2}, TRUE, "first "},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		BenchmarkComparison *c = benchmark_comparison_new("catalog");
		add_metric(c, "first", rows[i].changes[0], TRUE);
		add_metric(c, "second", rows[i].changes[1], TRUE);
		add_metric(c, "third", rows[i].changes[2], rows[i].last_gates);
		g_autofree char *text = counted_base_doubt(c);
		assert_true(g_str_has_prefix(text, rows[i].name));
		benchmark_comparison_free(c);
	}
}

/* The runs of base are 8192 apart, in a total of 2^20. */
static void ranges_as_far_apart_as_they_are_wide_are_no_certain_change(void **state)
{
	static const guint64 heads[] = {24576, 24577};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
		const CountedFunction functions[] = {
		        {"main", {1036288}, {1036288}}, {"main;dice", {8192, 16384}, {heads[i]}}, {NULL, {0}, {0}}};
		g_autofree char *text = doubt(functions, 2, 1, .05);
		assert_int_equal(text != NULL, i == 1);
	}
}

/* A tenth of 1 % is more than the functions moved, a tenth of .02 % is less; and the floor of .01 % is between. */
static void the_smallest_margin_that_gates_says_how_much_functions_may_move(void **state)
{
	(void)state;
	for (guint tight = 0; tight < 2; tight++) {
		BenchmarkComparison *c = benchmark_comparison_new("catalog");
		add_metric(c, "first", 0, TRUE);
		add_metric(c, "second", 0, TRUE)->margin = tight ? .0002 : .02;
		add_metric(c, "third", 0, FALSE)->margin = .0001;
		c->unknown_contribution = .00005;
		g_autofree char *text = counted_base_doubt(c);
		assert_int_equal(text != NULL, tight);
		benchmark_comparison_free(c);
	}
}

static void every_count_has_to_be_the_same(void **state)
{
	static const char *const names[] = {"allocations", "l1-misses"};
	(void)state;
	const double one[] = {1000};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Measurement) then = measured(one, 1), now = measured(one, 1);
		counted_value(then, names[i], "count", 0, 5);
		counted_value(now, names[i], "count", 0, 5);
		assert_true(counted_base_is_same(then, now));
		counted_value(now, names[i], "count", 0, 6);
		assert_false(counted_base_is_same(then, now));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_same_library_in_another_build_is_named),
	        cmocka_unit_test(five_libraries_are_named_without_a_rest),
	        cmocka_unit_test(a_library_of_one_side_says_nothing),
	        cmocka_unit_test(one_of_two_libraries_of_a_name_may_have_changed),
	        cmocka_unit_test(other_tools_are_foreign),
	        cmocka_unit_test(what_is_not_described_is_foreign),
	        cmocka_unit_test(counts_are_the_same_outdated_or_neither),
	        cmocka_unit_test(a_count_that_was_not_stored_is_not_the_same),
	        cmocka_unit_test(stored_counts_stand_only_while_nothing_is_different),
	        cmocka_unit_test(what_chance_does_to_counts_is_no_doubt),
	        cmocka_unit_test(where_nothing_gates_there_is_nothing_to_doubt),
	        cmocka_unit_test(a_library_without_a_build_says_nothing),
	        cmocka_unit_test(what_is_no_count_is_not_compared),
	        cmocka_unit_test(where_nothing_was_counted_nothing_is_the_same),
	        cmocka_unit_test(a_run_without_a_count_hides_none_of_the_others),
	        cmocka_unit_test(every_outdated_count_is_named),
	        cmocka_unit_test(the_metric_that_changed_most_is_told_first),
	        cmocka_unit_test(ranges_as_far_apart_as_they_are_wide_are_no_certain_change),
	        cmocka_unit_test(the_smallest_margin_that_gates_says_how_much_functions_may_move),
	        cmocka_unit_test(every_count_has_to_be_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
