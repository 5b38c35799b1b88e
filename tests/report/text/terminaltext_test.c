/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/terminaltext.h"

#include "compare/endings.h"
#include "compare/outcome.h"
#include "report/words/wording.h"
#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static CheckResult *written_result(void)
{
	CheckResult *result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_artifacts(benchmark);
	sample_trust(benchmark);
	return result;
}

static void the_text_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(
	        result, &(TerminalOptions){.details = TRUE, .width = 120, .out_dir = "firebreak-out", .page = TRUE});
	assert_golden("terminal.txt", text);
}

static void colour_only_adds_escape_sequences(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *plain =
	        terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 100, .out_dir = "out"});
	g_autofree char *colour = terminal_text(
	        result, &(TerminalOptions){.details = TRUE, .colour = TRUE, .width = 100, .out_dir = "out"});
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(colour, "\033[1;31m"));
	g_autoptr(GRegex) sequences = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);
	g_autofree char *stripped = g_regex_replace_literal(sequences, colour, -1, 0, "", 0, NULL);
	assert_string_equal(stripped, plain);
}

static void the_sign_of_what_is_accepted_is_not_that_of_a_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_accept(result);
	g_autofree char *text =
	        terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 100, .colour = TRUE});
	assert_non_null(strstr(text, "\33[1;33m✓\33[0m accepted in firebreak.yml:6"));
}

static void lines_fit_into_the_terminal(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	for (guint width = 60; width <= 140; width += 20) {
		g_autofree char *text =
		        terminal_text(result, &(TerminalOptions){.details = TRUE, .width = width, .out_dir = "out"});
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		for (guint i = 0; lines[i] != NULL; i++) {
			if (wording_columns(lines[i]) > width)
				fail_msg("width %u: %s", width, lines[i]);
			assert_false(g_str_has_suffix(lines[i], " "));
		}
	}
}

static void an_error_is_the_first_line_with_its_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 8, "no_perf", NULL, "perf_event_open: permission denied");
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE});
	assert_string_equal(text, "✗ Error: perf_event_open: permission denied\n");
}

static void what_the_benchmark_reports_and_extra_profiles_are_shown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE, .out_dir = "out"});
	assert_non_null(strstr(text, "latency-p99"));
	assert_null(strstr(text, "page-faults  ")); /* does not gate, and is measured anyway */
	assert_non_null(strstr(
	        text, "flame graphs of extra profiles: catalog.off-cpu.diff.svg, catalog.page-faults.diff.svg\n"));
}

static void open_ends_are_no_numbers_and_blind_tests_promise_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE});
	assert_non_null(strstr(text, "≤ +7.0 %"));
	assert_non_null(strstr(text, "8 rounds: too few"));
	assert_null(strstr(text, "inf,"));
}

static void values_of_zero_and_less_are_shown_with_what_is_wrong(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 200});
	assert_non_null(strstr(text, "errors        from 0                  does not gate         0 → 100 k"));
	assert_non_null(strstr(text, "does not gate         -5 → 100 k"));
	assert_non_null(strstr(text, "not compared\n"));
	assert_non_null(
	        strstr(text, "\n    balance: cannot be compared as a ratio: round 1 of base has the value -5\n"));
}

static char *text_of(const CheckResult *result)
{
	return terminal_text(result, &(TerminalOptions){.details = TRUE});
}

static void a_report_without_calibration_advises_it_once_and_quietly(void **state)
{
	(void)state;
	static const char advice[] = "  advice: the false-alarm rate on this kind of machine is unknown";
	g_autoptr(CheckResult) result = sample_result();
	check_result_add_benchmark(result, "other")->comparison = benchmark_comparison_new("other");
	((ResultBenchmark *)result->benchmarks->pdata[1])->comparison->verdict = VERDICT_PASS;
	g_autofree char *text = text_of(result);
	g_auto(GStrv) parts = g_strsplit(text, advice, -1);
	assert_int_equal(g_strv_length(parts), 2);
	assert_non_null(strstr(text, "`firebreak check --calibrate`"));
	result->mode = CHECK_CALIBRATE;
	g_autofree char *calibrating = text_of(result);
	assert_null(strstr(calibrating, "advice"));
	g_autoptr(CheckResult) known = written_result();
	g_autofree char *calibrated = text_of(known);
	assert_null(strstr(calibrated, "advice"));
	assert_non_null(strstr(calibrated, "in 24 A/A campaigns on this kind of machine 0 false alarms"));
}

static void each_of_several_regressions_has_its_sentence(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	ResultBenchmark *second = check_result_add_benchmark(result, "other");
	second->comparison = benchmark_comparison_new("other");
	second->comparison->verdict = VERDICT_REGRESSION;
	g_free(second->comparison->sentence);
	second->comparison->sentence = g_strdup("task-clock +9.0 % [+8.0, +10.0]");
	second->comparison->confirmation = CONFIRMATION_NOT_RUN;
	second->comparison->confirmation_text = g_strdup("no time was left");
	g_autofree char *text = text_of(result);
	assert_non_null(strstr(text, "\n    catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19\n"
	                             "    confirmed by a second campaign: task-clock +13.1 % [+11.9, +14.3]\n"));
	assert_non_null(strstr(text, "\n    task-clock +9.0 % [+8.0, +10.0]\n"
	                             "    not measured a second time: no time was left\n"));
}

static void a_regression_that_was_not_confirmed_says_what_was_seen_once(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	g_ptr_array_set_size(result->reasons, 0);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "not_confirmed",
	        g_strdup("a second campaign did not confirm the regression: task-clock +0.3 %"));
	comparison->confirmation = CONFIRMATION_NOT_CONFIRMED;
	check_result_decide(result);
	g_autofree char *text = text_of(result);
	assert_true(
	        g_str_has_prefix(text, "? Inconclusive: catalog: a second campaign did not confirm the regression"));
	assert_non_null(strstr(text, "? a second campaign did not confirm the regression: task-clock +0.3 %\n"
	                             "    catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19\n"
	                             "    task-clock   +13.4 %"));
}

static void the_first_line_of_other_modes_says_what_was_done(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_ptr_array_set_size(result->reasons, 0);
	result->mode = CHECK_CALIBRATE;
	check_result_decide(result);
	g_autofree char *calibration = text_of(result);
	assert_true(g_str_has_prefix(
	        calibration, "✓ Pass: calibrated 1 benchmark, base against base: 1 false alarm in 1 A/A campaign\n"));
	result->mode = CHECK_SELF_TEST;
	check_result_decide(result);
	g_autofree char *self_test = text_of(result);
	assert_true(g_str_has_prefix(self_test, "? Inconclusive: self-test: catalog: the planted delay was missed"));
}

static void the_verdict_names_its_cause_although_it_was_said_before(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "the build of head failed")->said = TRUE;
	check_result_add_reason(result, 4, "timeout", "parse", "parse took too long")->said = TRUE;
	check_result_add_reason(result, 4, "zero_samples", "sort", "sort did nothing");
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE});
	assert_string_equal(text, "✗ Error: the build of head failed (build_failed)\n  also: sort did nothing\n");
}

static void add_open(CheckResult *result, const char *name, const char *code, const char *why)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, code, g_strdup(why));
	check_result_add_benchmark(result, name)->comparison = comparison;
}

/* The headline has the first benchmark, the reasons begin with the one that was not measured. */
static void no_reason_is_told_twice_and_none_is_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_open(result, "one", "time_over", "the time was over after 5 rounds");
	add_open(result, "two", "not_measured", "the time was over before it began");
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 100});
	assert_non_null(strstr(text, "one: the time was over after 5 rounds; and 1 more benchmark\n"));
	assert_non_null(strstr(text, "  also: two: the time was over before it began\n"));
	assert_null(strstr(text, "  also: one"));
}

static guint count_lines(const char *text)
{
	guint n = 0;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		n++;
	return n;
}

/* Each benchmark regressed in two metrics: a row tells the graver one. */
static void the_final_block_has_at_most_twelve_lines(void **state)
{
	static const char *const names[] = {"sort", "parse", "render", "price", "load", "store"};
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		BenchmarkComparison *comparison = benchmark_comparison_new(names[i]);
		MetricComparison *metric =
		        sample_metric("task-clock", "ns", 1e9, 1.1 + .01 * (double)i, .01, VERDICT_REGRESSION, TRUE);
		g_ptr_array_add(comparison->metrics, metric);
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "regression",
		        g_strdup("task-clock regressed: at least +10 %, beyond the margin of 3 %"));
		check_result_add_benchmark(result, names[i])->comparison = comparison;
		check_result_add_reason(result, 1, "regression", names[i], "%s", comparison->reason);
		check_result_add_reason(
		        result, 1, "regression", names[i], "instructions regressed: beyond the margin of 0.5 %%");
	}
	check_result_decide(result);
	g_autofree char *text =
	        terminal_text(result, &(TerminalOptions){.width = 80, .out_dir = "firebreak-out", .page = TRUE});
	if (count_lines(text) > 12)
		fail_msg("%s", text);
	assert_null(strstr(text, "also:"));
	assert_non_null(strstr(text, "and 6 more benchmarks"));
}

static void a_first_run_is_told_as_such_and_once(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(&result->base, "1a2b3c4d", "", "", "");
	for (guint i = 0; i < 2; i++)
		ending_nothing_to_compare(result, check_result_add_benchmark(result, i == 0 ? "parse" : "sort"),
		        "base cannot run it (./b could not be started: No such file); `files` names what it needs",
		        FALSE);
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.width = 80});
	assert_true(g_str_has_prefix(text, "• First run: 2 new benchmarks: nothing to compare yet\n"));
	assert_null(strstr(text, "also:"));
	assert_null(strstr(text, "Pass"));
	assert_non_null(strstr(text, "nothing to compare yet: base cannot run it\n"));
}

static void moved_cost_is_named_below_the_verdict(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_moved_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.width = 0});
	assert_non_null(strstr(text, "; cost moved from render_rows to hash_word\n"));
	assert_non_null(strstr(text, "▲ catalog: cost moved from render_rows to hash_word: +17.7 pp"));
	assert_null(strstr(text, "slower"));
}

static void nothing_foreign_moves_the_cursor(void **state)
{
	(void)state;
	static const char hostile[] = "x\033[2J\r\x9b\x7f y";
	g_autoptr(CheckResult) result = written_result();
	result_side_set(&result->head, hostile, hostile, hostile, hostile);
	result_side_set(&result->base, hostile, hostile, hostile, hostile);
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_free(benchmark->name);
	benchmark->name = g_strdup(hostile);
	g_free(benchmark->comparison->sentence);
	benchmark->comparison->sentence = g_strdup(hostile);
	g_free(benchmark->comparison->confirmation_text);
	benchmark->comparison->confirmation_text = g_strdup(hostile);
	check_result_add_benchmark(result, hostile);
	finding_add(result->findings, FINDING_ERROR, "c", hostile, "%s", hostile);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE, .out_dir = hostile});
	assert_null(strpbrk(text, "\033\r\x7f"));
	assert_true(g_utf8_validate(text, -1, NULL));
}

/* Two overloads differ at their ends. */
static void the_middle_of_a_long_name_is_left_out(void **state)
{
	static const char *const names[] = {
	        "std::vector<project::Record<std::string>>::push_back(project::Record<std::string> const&)",
	        "std::vector<project::Record<std::string>>::push_back(project::Record<std::string>&&)"};
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	StackTable *table = benchmark->head->profile->table;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, i);
		function->frame = stack_table_frame_named(table, names[i], "prog", FRAME_USER);
	}
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 160});
	assert_non_null(strstr(text, " std::vector<project::R"));
	assert_non_null(strstr(text, "string> const&) "));
	assert_non_null(strstr(text, "string>&&)"));
}

static void intervals_are_drawn_where_bars_are_wanted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *plain = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 140});
	g_autofree char *drawn = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 140, .bars = TRUE});
	assert_null(strstr(plain, "●"));
	assert_golden("terminal-bars.txt", drawn);
}

static void the_page_is_named_where_there_is_one(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *without = terminal_text(result, &(TerminalOptions){.details = TRUE, .out_dir = "out"});
	g_autofree char *with =
	        terminal_text(result, &(TerminalOptions){.details = TRUE, .out_dir = "out", .page = TRUE});
	assert_null(strstr(without, "report.html"));
	assert_non_null(strstr(with, "\n  open in a browser: out/report.html\n"));
}

static void a_terminal_that_can_has_links_to_files(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *text = terminal_text(
	        result, &(TerminalOptions){.colour = TRUE, .links = TRUE, .out_dir = "/tmp/out", .page = TRUE});
	assert_non_null(strstr(text, "\033]8;;file:///tmp/out/report.html\033\\"));
	assert_non_null(strstr(text, "\033]8;;\033\\\n"));
	g_autofree char *plain =
	        terminal_text(result, &(TerminalOptions){.colour = TRUE, .out_dir = "/tmp/out", .page = TRUE});
	assert_null(strstr(plain, "\033]8;;"));
}

static void what_ended_before_there_was_a_benchmark_names_no_files(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 2, "usage", NULL, "revision \"nope\" is unknown");
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.out_dir = "out", .page = TRUE});
	assert_string_equal(text, "✗ Error: revision \"nope\" is unknown\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_terminal_that_can_has_links_to_files),
	        cmocka_unit_test(what_ended_before_there_was_a_benchmark_names_no_files),
	        cmocka_unit_test(the_text_is_as_it_was),
	        cmocka_unit_test(colour_only_adds_escape_sequences),
	        cmocka_unit_test(the_sign_of_what_is_accepted_is_not_that_of_a_pass),
	        cmocka_unit_test(lines_fit_into_the_terminal),
	        cmocka_unit_test(an_error_is_the_first_line_with_its_reason),
	        cmocka_unit_test(what_the_benchmark_reports_and_extra_profiles_are_shown),
	        cmocka_unit_test(open_ends_are_no_numbers_and_blind_tests_promise_nothing),
	        cmocka_unit_test(values_of_zero_and_less_are_shown_with_what_is_wrong),
	        cmocka_unit_test(a_report_without_calibration_advises_it_once_and_quietly),
	        cmocka_unit_test(each_of_several_regressions_has_its_sentence),
	        cmocka_unit_test(a_regression_that_was_not_confirmed_says_what_was_seen_once),
	        cmocka_unit_test(the_first_line_of_other_modes_says_what_was_done),
	        cmocka_unit_test(the_verdict_names_its_cause_although_it_was_said_before),
	        cmocka_unit_test(no_reason_is_told_twice_and_none_is_left_out),
	        cmocka_unit_test(the_final_block_has_at_most_twelve_lines),
	        cmocka_unit_test(a_first_run_is_told_as_such_and_once),
	        cmocka_unit_test(moved_cost_is_named_below_the_verdict),
	        cmocka_unit_test(nothing_foreign_moves_the_cursor),
	        cmocka_unit_test(the_middle_of_a_long_name_is_left_out),
	        cmocka_unit_test(intervals_are_drawn_where_bars_are_wanted),
	        cmocka_unit_test(the_page_is_named_where_there_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
