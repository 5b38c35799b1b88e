/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/wording.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check(char *got, const char *wanted)
{
	g_autofree char *owned = got;
	assert_string_equal(owned, wanted);
}

static void the_pass_margin_stands_beside_the_margin(void **state)
{
	(void)state;
	MetricComparison metric = {.margin = .02, .pass_margin = .04};
	check(wording_margins(&metric), "2 %, pass 4 %");
	metric.pass_margin = .02;
	check(wording_margins(&metric), "2 %");
	metric.pass_margin = NAN;
	check(wording_margins(&metric), "2 %");
}

static void runs_are_counted_on_both_sides(void **state)
{
	(void)state;
	static const double zeroes[5] = {0};
	MetricComparison metric = {.rounds = 8, .base_spread = NAN, .head_spread = NAN};
	check(wording_runs(&metric), "8");
	check(wording_repeats(&metric), "exact");
	g_autoptr(GArray) base = metric.base_values = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) head = metric.head_values = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(base, zeroes, 1);
	g_array_append_vals(head, zeroes, 5);
	check(wording_runs(&metric), "1 + 5");
	g_array_append_vals(base, zeroes, 4);
	check(wording_runs(&metric), "5");
	metric.head_spread = 0;
	check(wording_repeats(&metric), "exact");
	metric.head_spread = 4.5e-9;
	check(wording_repeats(&metric), "up to 0.00000045 % apart");
	metric.base_spread = .0213;
	check(wording_repeats(&metric), "up to 2.13 % apart");
	UnstableFunction function = {.side = 1, .lowest = 1000, .highest = 1234567};
	check(wording_unstable(&function, "instructions"), "1,000 to 1,234,567 instructions in head");
}

static void shas_are_short_and_other_names_whole(void **state)
{
	(void)state;
	check(wording_sha("1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"), "1a2b3c4");
	check(wording_sha("worktree"), "worktree");
	check(wording_sha(""), "?");
}

static void shortening_counts_code_points_and_keeps_foreign_bytes(void **state)
{
	(void)state;
	check(wording_shorten("hash_word", 9), "hash_word");
	check(wording_shorten("hash_word", 5), "hash…");
	check(wording_shorten("größer", 4), "grö…");
	check(wording_shorten("\xff\xfe\xfd", 2), "\xff…");
	check(wording_shorten("ab", 0), "");
}

static void sentences_are_cut_between_words(void **state)
{
	(void)state;
	check(wording_shorten_words("instructions in head", 20), "instructions in head");
	check(wording_shorten_words("instructions in head", 19), "instructions in…");
	check(wording_shorten_words("instructions in head", 16), "instructions in…");
	check(wording_shorten_words("[kernel.kallsyms], kernel", 22), "[kernel.kallsyms]…");
	check(wording_shorten_words("in std::vector<int>::push_back", 20), "in std::vector<int>…");
	check(wording_shorten_words("hash_word", 5), "hash…");
	check(wording_shorten_words("ab", 0), "");
}

static void wide_characters_take_two_columns(void **state)
{
	(void)state;
	assert_int_equal(wording_columns("abc"), 3);
	assert_int_equal(wording_columns("größe"), 5);
	assert_int_equal(wording_columns("関数"), 4);
}

static void what_the_change_did_to_a_function_is_said_as_far_as_known(void **state)
{
	static const struct {
		ChangeRelation relation;
		CodeIdentity code;
		const char *wanted;
	} rows[] = {
	        {CHANGE_UNKNOWN, CODE_UNKNOWN, ""},
	        {CHANGE_UNKNOWN, CODE_CHANGED, ""},
	        {CHANGE_UNKNOWN, CODE_SAME, "same code"},
	        {CHANGE_TOUCHED, CODE_CHANGED, "touched"},
	        {CHANGE_CALLS_TOUCHED, CODE_UNKNOWN, "calls touched"},
	        {CHANGE_UNTOUCHED, CODE_SAME, "untouched, same code"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		FunctionComparison function = {.relation = rows[i].relation, .code = rows[i].code};
		check(wording_relation(&function), rows[i].wanted);
	}
}

static void a_metric_has_its_unit_unless_its_name_says_it(void **state)
{
	(void)state;
	char instructions[] = "instructions", clock[] = "task-clock", ns[] = "ns";
	MetricSeries counted = {.engine = &engine_callgrind, .name = instructions, .unit = instructions},
	             timed = {.engine = &engine_perf, .name = clock, .unit = ns};
	check(wording_metric_value(&counted, 184826030), "184,826,030");
	check(wording_metric_value(&timed, 575550314), "576 ms");
}

static void a_confirmation_says_what_was_seen_or_why_there_is_none(void **state)
{
	(void)state;
	char clause[] = "no time was left";
	BenchmarkComparison comparison = {.confirmation_text = clause};
	g_autofree char *none = wording_confirmation(&comparison);
	assert_null(none);
	comparison.confirmation = CONFIRMATION_NOT_RUN;
	check(wording_confirmation(&comparison), "not measured a second time: no time was left");
	comparison.confirmation_text = NULL;
	comparison.confirmation = CONFIRMATION_CONFIRMED;
	check(wording_confirmation(&comparison), "confirmed by a second campaign");
	comparison.confirmation = CONFIRMATION_NOT_CONFIRMED;
	check(wording_confirmation(&comparison), "not confirmed by a second campaign");
	comparison.counted = TRUE;
	check(wording_confirmation(&comparison), "not confirmed");
	comparison.confirmation_text = clause;
	comparison.confirmation = CONFIRMATION_NOT_RUN;
	check(wording_confirmation(&comparison), "not counted a second time: no time was left");
}

static void a_table_says_in_a_word_whether_it_was_confirmed(void **state)
{
	(void)state;
	static const char *const words[] = {
	        [CONFIRMATION_NOT_NEEDED] = NULL,
	        [CONFIRMATION_NOT_RUN] = "not done",
	        [CONFIRMATION_CONFIRMED] = "confirmed",
	        [CONFIRMATION_NOT_CONFIRMED] = "not confirmed",
	        [CONFIRMATION_UNCLEAR] = "inconclusive",
	        [CONFIRMATION_PARTLY] = "partly confirmed",
	};
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		BenchmarkComparison comparison = {.confirmation = (Confirmation)i};
		assert_int_equal(g_strcmp0(wording_confirmed(&comparison), words[i]), 0);
	}
}

/* Where something was counted, it may be the counts that were confirmed. */
static void two_engines_are_not_confirmed_by_a_campaign(void **state)
{
	(void)state;
	MetricComparison metric = {.engine = &engine_callgrind};
	g_autoptr(GPtrArray) metrics = g_ptr_array_new();
	g_ptr_array_add(metrics, &metric);
	BenchmarkComparison comparison = {.metrics = metrics, .confirmation = CONFIRMATION_CONFIRMED};
	check(wording_confirmation(&comparison), "confirmed");
	comparison.confirmation = CONFIRMATION_NOT_RUN;
	check(wording_confirmation(&comparison), "not measured a second time");
}

static void calibrations_tell_the_rate_and_what_is_visible(void **state)
{
	(void)state;
	CalibrationSummary calibration = {.campaigns = 24, .alarm_rate_upper = .11734, .smallest_visible = .0259};
	check(wording_calibration(&calibration),
	        "in 24 A/A campaigns on this kind of machine 0 false alarms (at most 11.7 % with 95 % confidence); "
	        "changes from about 2.6 % on are visible");
	calibration = (CalibrationSummary){.campaigns = 1,
	        .false_alarms = 1,
	        .alarm_rate_upper = 1,
	        .smallest_visible = .1234,
	        .suspicious = TRUE};
	check(wording_calibration(&calibration),
	        "in 1 A/A campaign on this kind of machine 1 false alarm (at most 100 % with 95 % confidence), more "
	        "than are promised: do not trust its regressions; changes from about 12 % on are visible");
	calibration = (CalibrationSummary){.campaigns = 2, .alarm_rate_upper = .77639, .smallest_visible = NAN};
	check(wording_calibration(&calibration),
	        "in 2 A/A campaigns on this kind of machine 0 false alarms (at most 77.6 % with 95 % confidence)");
}

static void counts_are_told_in_runs_and_times_in_rounds(void **state)
{
	(void)state;
	g_autoptr(GArray) two = g_array_new(FALSE, TRUE, sizeof(double));
	g_autoptr(GArray) one = g_array_new(FALSE, TRUE, sizeof(double));
	g_array_set_size(two, 2);
	g_array_set_size(one, 1);
	MetricComparison counted = {.engine = &engine_callgrind, .rounds = 1, .base_values = two, .head_values = one};
	MetricComparison timed = {.engine = &engine_perf, .rounds = 1};
	g_autofree char *runs = wording_repetitions(&counted), *rounds = wording_repetitions(&timed);
	assert_string_equal(runs, "2 + 1 runs");
	assert_string_equal(rounds, "1 round");
}

static void every_hold_has_words_but_none(void **state)
{
	(void)state;
	for (guint hold = 0; hold < FUNCTION_HOLDS; hold++) {
		const FunctionComparison f = {.held = hold};
		assert_int_equal(wording_hold(&f) != NULL, hold != FUNCTION_NOT_HELD);
		assert_int_equal(function_hold_name(hold) != NULL, hold != FUNCTION_NOT_HELD);
	}
}

static void a_long_name_loses_its_middle(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		gsize chars;
		const char *wanted;
	} rows[] = {
	        {"space::inner::method_one", 40, "space::inner::method_one"},
	        {"space::inner::method_one", 16, "space::in…od_one"},
	        {"space::inner::method_one", 6, "space…"},
	        {"namé::ünner::method_öne", 16, "namé::ünn…od_öne"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *got = wording_shorten_middle(rows[i].text, rows[i].chars);
		assert_string_equal(got, rows[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_long_name_loses_its_middle),
	        cmocka_unit_test(every_hold_has_words_but_none),
	        cmocka_unit_test(counts_are_told_in_runs_and_times_in_rounds),
	        cmocka_unit_test(the_pass_margin_stands_beside_the_margin),
	        cmocka_unit_test(runs_are_counted_on_both_sides),
	        cmocka_unit_test(shas_are_short_and_other_names_whole),
	        cmocka_unit_test(shortening_counts_code_points_and_keeps_foreign_bytes),
	        cmocka_unit_test(sentences_are_cut_between_words),
	        cmocka_unit_test(wide_characters_take_two_columns),
	        cmocka_unit_test(what_the_change_did_to_a_function_is_said_as_far_as_known),
	        cmocka_unit_test(a_metric_has_its_unit_unless_its_name_says_it),
	        cmocka_unit_test(a_confirmation_says_what_was_seen_or_why_there_is_none),
	        cmocka_unit_test(a_table_says_in_a_word_whether_it_was_confirmed),
	        cmocka_unit_test(two_engines_are_not_confirmed_by_a_campaign),
	        cmocka_unit_test(calibrations_tell_the_rate_and_what_is_visible),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
