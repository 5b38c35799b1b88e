/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what people read of counts: whole texts, compared with golden ones, and their way through report.json. */
#include "report/json/reportjson.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "tests/report/countedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static const CountedSample slower = {1, 885618, 0}, same = {1, 0, 0}, noisy = {5, 885618, 1234};

static ResultBenchmark *first_benchmark(const CheckResult *result)
{
	return g_ptr_array_index(result->benchmarks, 0);
}

static char *terminal_of(const CheckResult *result)
{
	return terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 120});
}

/* Text for the terminal and for the pull request, each the same after the way through report.json. */
static void check_texts(const CheckResult *result, const char *name)
{
	gsize length;
	g_autoptr(GError) error = NULL;
	g_autofree char *json = report_json(result, &length);
	g_autoptr(CheckResult) again = report_read(json, length, "report.json", &error);
	if (again == NULL)
		fail_msg("%s", error->message);
	g_autofree char *summary = summary_markdown(result, NULL, NULL),
	                *summary_again = summary_markdown(again, NULL, NULL);
	g_autofree char *terminal = terminal_of(result), *terminal_again = terminal_of(again);
	g_autofree char *summary_name = g_strconcat(name, ".md", NULL), *name_txt = g_strconcat(name, ".txt", NULL);
	assert_golden(summary_name, summary);
	assert_golden(name_txt, terminal);
	assert_string_equal(summary, summary_again);
	assert_string_equal(terminal, terminal_again);
}

static void a_regression_is_told_in_counts(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&slower);
	check_texts(result, "counted-regression");
}

static void a_pass_says_that_base_was_stored(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&same);
	first_benchmark(result)->base_source = BASE_STORED;
	check_texts(result, "counted-pass-stored");
}

static void counts_that_do_not_repeat_are_told_with_their_spread(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&noisy);
	check_texts(result, "counted-noisy");
}

static void more_work_is_told_by_time_and_by_instructions(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_both(&slower, TRUE, PAIR_MORE_WORK,
	        "more work is done, and it takes longer (instructions +1.20 % (886 k more), task-clock +13.4 % "
	        "[+12.1, +14.7])");
	check_texts(result, "engines-more-work");
}

static void the_same_work_that_takes_longer_is_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_both(&same, TRUE, PAIR_SLOWER_WORK,
	        "the same work is done, but it takes longer: look at memory, layout and the environment (instructions "
	        "unchanged (73.8 M), task-clock +13.4 % [+12.1, +14.7])");
	check_texts(result, "engines-slower-work");
}

static void more_work_that_costs_no_time_is_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_both(&slower, FALSE, PAIR_HIDDEN_WORK,
	        "more work is done, but time did not rise measurably: waiting hides it, or it is too little to be seen "
	        "in time "
	        "(instructions +1.20 % (886 k more), task-clock +0.00 % [-0.40, +0.40])");
	check_texts(result, "engines-hidden-work");
}

static void assert_free_of(const char *text, const char *const *words)
{
	for (guint i = 0; words[i] != NULL; i++)
		if (strstr(text, words[i]) != NULL)
			fail_msg("'%s' is in:\n%s", words[i], text);
}

static void counts_are_not_spoken_of_as_samples(void **state)
{
	(void)state;
	static const char *const words[] = {
	        "sample", "round", "interval", "detectable", "adjusted", "inf", "nan", "n/a", "calibrate", NULL};
	const CountedSample *const all[] = {&slower, &same, &noisy};
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autoptr(CheckResult) result = counted_result(all[i]);
		g_autofree char *summary = summary_markdown(result, NULL, NULL), *terminal = terminal_of(result);
		assert_free_of(summary, words);
		assert_free_of(terminal, words);
	}
}

static void at_most_five_unstable_functions_are_listed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&noisy);
	GArray *unstable = first_benchmark(result)->comparison->unstable;
	UnstableFunction more = g_array_index(unstable, UnstableFunction, 0);
	while (unstable->len < 7)
		g_array_append_val(unstable, more);
	g_autofree char *summary = summary_markdown(result, NULL, NULL), *terminal = terminal_of(result);
	assert_non_null(strstr(
	        terminal, "in 1 function the counts differ between runs of one side; the largest differences:\n"));
	g_auto(GStrv) lines = g_strsplit(terminal, "      read_clock  400,000 to", -1);
	g_auto(GStrv) entries = g_strsplit(summary, "  - `read_clock`: 400,000 to", -1);
	assert_int_equal(g_strv_length(lines), 6);
	assert_int_equal(g_strv_length(entries), 6);
}

static void a_count_that_changed_is_shown_though_it_does_not_gate(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&same);
	BenchmarkComparison *comparison = first_benchmark(result)->comparison;
	for (guint i = 0; i < 2; i++) {
		ResultBenchmark *benchmark = first_benchmark(result);
		MetricComparison *metric = counted_metric(benchmark->base, benchmark->head, 0);
		g_free(metric->name);
		g_free(metric->unit);
		metric->name = g_strdup(i == 0 ? "allocations" : "system-calls");
		metric->unit = g_strdup("calls");
		metric->gates = FALSE;
		metric->head += i == 0 ? 73801 : 0;
		metric->change_ratio = metric->lower_ratio = metric->upper_ratio = metric->head / metric->base;
		g_ptr_array_add(comparison->metrics, metric);
	}
	g_autofree char *terminal = terminal_of(result);
	assert_non_null(strstr(
	        terminal, "allocations   +0.10 %    does not gate  73,801,492 → 73,875,293 calls  exact, 1 run"));
	assert_null(strstr(terminal, " instructions  exact"));
	assert_null(strstr(terminal, "system-calls"));
}

static void a_benchmark_that_was_not_counted_has_a_row_among_the_counts(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&same);
	check_result_add_benchmark(result, "broken")->engine = &engine_callgrind;
	g_autofree char *summary = summary_markdown(result, NULL, NULL);
	assert_non_null(strstr(summary, "| `broken` | – | – | – | – | – | – | – | 🚫 not compared |\n"));
	assert_null(strstr(summary, "| detectable |"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_regression_is_told_in_counts),
	        cmocka_unit_test(a_pass_says_that_base_was_stored),
	        cmocka_unit_test(counts_that_do_not_repeat_are_told_with_their_spread),
	        cmocka_unit_test(more_work_is_told_by_time_and_by_instructions),
	        cmocka_unit_test(the_same_work_that_takes_longer_is_told),
	        cmocka_unit_test(more_work_that_costs_no_time_is_told),
	        cmocka_unit_test(counts_are_not_spoken_of_as_samples),
	        cmocka_unit_test(at_most_five_unstable_functions_are_listed),
	        cmocka_unit_test(a_count_that_changed_is_shown_though_it_does_not_gate),
	        cmocka_unit_test(a_benchmark_that_was_not_counted_has_a_row_among_the_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
