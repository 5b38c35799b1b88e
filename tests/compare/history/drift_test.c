/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/drift.h"

#include "compare/acceptance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/countedinput.h"
#include "tests/compare/near.h"

/* The drift of a check whose instructions go from `base` to `head`, since an anchor with so many. */
static GArray *drift_of(guint64 anchor, guint64 base, guint64 head, double margin)
{
	const CountedFunction now[] = {{"main", {base}, {head}}, {NULL, {0}, {0}}};
	const CountedFunction then[] = {{"main", {anchor}, {anchor}}, {NULL, {0}, {0}}};
	g_autoptr(Counted) check = counted_new(now, 1, 1, .03), old = counted_new(then, 1, 1, .03);
	g_autoptr(BenchmarkComparison) comparison = compare_counted(&check->input);
	return drift_find(&(DriftInput){.anchor = old->sides[0], .comparison = comparison, .margin = margin});
}

static const Drift *only(const GArray *drifts)
{
	assert_int_equal(drifts->len, 1);
	return &g_array_index(drifts, Drift, 0);
}

static void small_steps_add_up(void **state)
{
	(void)state;
	g_autoptr(GArray) drifts = drift_of(1000, 1050, 1060, .05);
	assert_string_equal(only(drifts)->metric, "instructions");
	assert_near(only(drifts)->change_ratio, 1.06, 1e-12);
	assert_near(only(drifts)->anchor, 1000, 0);
	assert_near(only(drifts)->head, 1060, 0);
	assert_true(only(drifts)->added);
}

static void a_change_that_adds_nothing_is_told_apart(void **state)
{
	(void)state;
	g_autoptr(GArray) same = drift_of(1000, 1060, 1060, .05), better = drift_of(1000, 1070, 1060, .05);
	assert_false(only(same)->added);
	assert_false(only(better)->added);
}

/* A loop that turns once more, of a million, is nobody's drift. */
static void a_hair_more_is_no_part_of_it(void **state)
{
	(void)state;
	g_autoptr(GArray) hair = drift_of(1000000, 1060000, 1060100, .05),
	                  more = drift_of(1000000, 1060000, 1060101, .05);
	assert_false(only(hair)->added);
	assert_true(only(more)->added);
}

static void up_to_the_margin_it_is_no_drift(void **state)
{
	(void)state;
	g_autoptr(GArray) at = drift_of(1000, 1049, 1050, .05), beyond = drift_of(1000, 1049, 1051, .05);
	assert_int_equal(at->len, 0);
	assert_int_equal(beyond->len, 1);
}

static void what_got_better_is_no_drift(void **state)
{
	(void)state;
	g_autoptr(GArray) drifts = drift_of(1000, 900, 910, .05);
	assert_int_equal(drifts->len, 0);
}

static void a_metric_that_does_not_gate_is_not_looked_at(void **state)
{
	(void)state;
	const CountedFunction now[] = {{"main", {1000}, {1000}}, {NULL, {0}, {0}}};
	g_autoptr(Counted) check = counted_new(now, 1, 1, .03);
	check->instructions.gates = FALSE;
	g_autoptr(BenchmarkComparison) comparison = compare_counted(&check->input);
	const CountedFunction then[] = {{"main", {500}, {500}}, {NULL, {0}, {0}}};
	g_autoptr(Counted) old = counted_new(then, 1, 1, .03);
	g_autoptr(GArray) drifts =
	        drift_find(&(DriftInput){.anchor = old->sides[0], .comparison = comparison, .margin = .05});
	assert_int_equal(drifts->len, 0);
}

static void an_anchor_that_counted_nothing_shows_no_drift(void **state)
{
	(void)state;
	const CountedFunction now[] = {{"main", {1000}, {1001}}, {NULL, {0}, {0}}};
	g_autoptr(Counted) check = counted_new(now, 1, 1, .03);
	g_autoptr(BenchmarkComparison) comparison = compare_counted(&check->input);
	g_autoptr(Measurement) empty = measurement_new("catalog", "anchor", "tree");
	g_autoptr(GArray) drifts = drift_find(&(DriftInput){.anchor = empty, .comparison = comparison, .margin = .05});
	assert_int_equal(drifts->len, 0);
}

/* Of a check in which `named` goes from 400 to 600 and the rest from 600 to `rest`, and what `named` costs more is
 * accepted, since an anchor with so many. */
static GArray *drift_beside_accepted(guint64 anchor, guint64 rest, double margin)
{
	const CountedFunction now[] = {{"main", {600}, {rest}}, {"main;named", {400}, {600}}, {NULL, {0}, {0}}};
	const CountedFunction then[] = {{"main", {anchor}, {anchor}}, {NULL, {0}, {0}}};
	g_autoptr(Counted) check = counted_new(now, 1, 1, .03), old = counted_new(then, 1, 1, .03);
	g_autoptr(BenchmarkComparison) comparison = compare_counted(&check->input);
	g_autoptr(GPtrArray) acceptances = g_ptr_array_new_with_free_func((GDestroyNotify)acceptance_free);
	Acceptance *entry = acceptance_of_trailer("0123456789abcdef", "*: worth it");
	entry->function = g_strdup("named");
	g_ptr_array_add(acceptances, entry);
	acceptance_apply_counted(acceptances, &check->input, comparison);
	assert_int_equal(entry->state, ACCEPTANCE_USED);
	return drift_find(&(DriftInput){.anchor = old->sides[0], .comparison = comparison, .margin = margin});
}

static void what_is_accepted_of_a_function_is_accepted_of_the_drift(void **state)
{
	(void)state;
	g_autoptr(GArray) drifts = drift_beside_accepted(900, 600, .05);
	assert_true(only(drifts)->added);
	assert_true(only(drifts)->accepted);
}

static void what_others_add_beside_it_is_not(void **state)
{
	(void)state;
	g_autoptr(GArray) drifts = drift_beside_accepted(950, 620, .05);
	assert_false(only(drifts)->accepted);
}

static void others_may_add_up_to_the_margin(void **state)
{
	(void)state;
	g_autoptr(GArray) at = drift_beside_accepted(1000, 650, .05), beyond = drift_beside_accepted(1000, 651, .05);
	assert_true(only(at)->accepted);
	assert_false(only(beyond)->accepted);
}

static void nothing_is_accepted_unless_somebody_says_so(void **state)
{
	(void)state;
	g_autoptr(GArray) drifts = drift_of(1000, 1050, 1200, .05);
	assert_false(only(drifts)->accepted);
}

static Measurement *made_with(const char *compiler, const char *libraries)
{
	Measurement *measurement = measurement_new("catalog", "commit", "tree");
	environment_set(measurement->environment, "compiler", METRIC_DETERMINISTIC, compiler);
	environment_set(measurement->environment, "libraries", METRIC_SAME_CAMPAIGN, libraries);
	environment_set(measurement->environment, "tools", METRIC_SAME_CAMPAIGN, "t");
	return measurement;
}

static void only_equal_environments_compare(void **state)
{
	(void)state;
	g_autoptr(Measurement) one = made_with("gcc 12", "libc:1"), same = made_with("gcc 12", "libc:1");
	g_autoptr(Measurement) compiler = made_with("gcc 13", "libc:1"), library = made_with("gcc 12", "libc:2");
	assert_true(drift_is_comparable(one, same));
	assert_false(drift_is_comparable(one, compiler));
	assert_false(drift_is_comparable(one, library));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(small_steps_add_up),
	        cmocka_unit_test(a_change_that_adds_nothing_is_told_apart),
	        cmocka_unit_test(a_hair_more_is_no_part_of_it),
	        cmocka_unit_test(up_to_the_margin_it_is_no_drift),
	        cmocka_unit_test(what_got_better_is_no_drift),
	        cmocka_unit_test(a_metric_that_does_not_gate_is_not_looked_at),
	        cmocka_unit_test(an_anchor_that_counted_nothing_shows_no_drift),
	        cmocka_unit_test(what_is_accepted_of_a_function_is_accepted_of_the_drift),
	        cmocka_unit_test(what_others_add_beside_it_is_not),
	        cmocka_unit_test(others_may_add_up_to_the_margin),
	        cmocka_unit_test(nothing_is_accepted_unless_somebody_says_so),
	        cmocka_unit_test(only_equal_environments_compare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
