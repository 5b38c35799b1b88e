#include "report/terminaltext.h"

#include "report/wording.h"
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
	return result;
}

static void the_text_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.width = 120, .out_dir = "firebreak-out"});
	assert_golden("terminal.txt", text);
}

static void colour_only_adds_escape_sequences(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *plain = terminal_text(result, &(TerminalOptions){.width = 100, .out_dir = "out"});
	g_autofree char *colour = terminal_text(result, &(TerminalOptions){TRUE, 100, "out"});
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(colour, "\033[1;31m"));
	g_autoptr(GRegex) sequences = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);
	g_autofree char *stripped = g_regex_replace_literal(sequences, colour, -1, 0, "", 0, NULL);
	assert_string_equal(stripped, plain);
}

static void lines_fit_into_the_terminal(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	for (guint width = 60; width <= 140; width += 20) {
		g_autofree char *text = terminal_text(result, &(TerminalOptions){.width = width, .out_dir = "out"});
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
	g_autofree char *text = terminal_text(result, &(TerminalOptions){0});
	assert_string_equal(text, "✗ error  perf_event_open: permission denied\n");
}

static void what_the_benchmark_reports_and_extra_profiles_are_shown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.out_dir = "out"});
	assert_non_null(strstr(text, "latency-p99"));
	assert_null(strstr(text, "page-faults  ")); /* does not gate, and is measured anyway */
	assert_non_null(
	        strstr(text, "beside it, of extra profiles: catalog.off-cpu.diff.svg, catalog.page-faults.diff.svg\n"));
}

static void open_ends_are_no_numbers_and_blind_tests_promise_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	g_autofree char *text = terminal_text(result, &(TerminalOptions){0});
	assert_non_null(strstr(text, "≤ +7.0 %"));
	assert_non_null(strstr(text, "nothing detectable, 8 rounds"));
	assert_null(strstr(text, "inf,"));
}

static void values_of_zero_and_less_are_shown_with_what_is_wrong(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = written_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.width = 200});
	assert_non_null(strstr(text, "errors        from 0                  does not gate  0 → 100 k"));
	assert_non_null(strstr(text, "does not gate  -5 → 100 k"));
	assert_non_null(strstr(text, "not compared\n"));
	assert_non_null(
	        strstr(text, "\n    balance: cannot be compared as a ratio: round 1 of base has the value -5\n"));
}

static void what_was_said_before_is_only_named(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "the build of head failed")->said = TRUE;
	check_result_add_reason(result, 4, "timeout", "parse", "parse took too long")->said = TRUE;
	check_result_add_reason(result, 4, "zero_samples", "sort", "sort did nothing");
	check_result_decide(result);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){0});
	assert_string_equal(text, "✗ error  build_failed, exit code 5\n  also: sort did nothing\n");
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
	finding_add(result->findings, FINDING_ERROR, "c", hostile, "%s", hostile);
	g_autofree char *text = terminal_text(result, &(TerminalOptions){.out_dir = hostile});
	assert_null(strpbrk(text, "\033\r\x7f"));
	assert_true(g_utf8_validate(text, -1, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_text_is_as_it_was),
	        cmocka_unit_test(colour_only_adds_escape_sequences),
	        cmocka_unit_test(lines_fit_into_the_terminal),
	        cmocka_unit_test(an_error_is_the_first_line_with_its_reason),
	        cmocka_unit_test(what_the_benchmark_reports_and_extra_profiles_are_shown),
	        cmocka_unit_test(open_ends_are_no_numbers_and_blind_tests_promise_nothing),
	        cmocka_unit_test(values_of_zero_and_less_are_shown_with_what_is_wrong),
	        cmocka_unit_test(what_was_said_before_is_only_named),
	        cmocka_unit_test(nothing_foreign_moves_the_cursor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
