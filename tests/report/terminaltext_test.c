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
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup("catalog.diff.svg"));
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
	        cmocka_unit_test(nothing_foreign_moves_the_cursor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
