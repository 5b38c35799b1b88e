/* SPDX-License-Identifier: Apache-2.0 */
/* Every output says the same line about a benchmark (report/words/benchmarkline.h). */
#include "compare/outcome.h"
#include "report/ci/githubcommands.h"
#include "report/ci/junit.h"
#include "report/html/htmlreport.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* "parse" with that verdict beside "other", which passed. */
static CheckResult *result_of(Verdict verdict)
{
	CheckResult *result = check_result_new();
	const Verdict verdicts[] = {verdict, VERDICT_PASS};
	const char *const names[] = {"parse", "other"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		ResultBenchmark *benchmark = check_result_add_benchmark(result, names[i]);
		BenchmarkComparison *comparison = benchmark->comparison = benchmark_comparison_new(names[i]);
		g_free(comparison->sentence);
		comparison->sentence = g_strdup("it found something");
		benchmark_comparison_decide(comparison, verdicts[i], "code", g_strdup("it had its reasons"));
	}
	check_result_decide(result);
	return result;
}

static CheckResult *result_without_comparison(void)
{
	CheckResult *result = result_of(VERDICT_PASS);
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	g_clear_pointer(&benchmark->comparison, benchmark_comparison_free);
	check_result_add_reason(result, 4, "benchmark_failed", "parse", "head was killed");
	check_result_decide(result);
	return result;
}

static void assert_line(const char *text, const char *before, const char *line, const char *after)
{
	g_autofree char *wanted = g_strconcat(before, line, after, NULL);
	if (strstr(text, wanted) == NULL)
		fail_msg("no \"%s\" in:\n%s", wanted, text);
}

/* report.html, GitHub's commands, JUnit, the summary and the terminal. */
static void assert_all_say(const CheckResult *result, const char *line)
{
	const HtmlReport page = {.result = result};
	const TerminalOptions terminal = {.details = TRUE};
	g_autofree char *html = report_html(&page, NULL), *commands = github_commands_text(result, NULL),
	                *junit = junit_xml(result, 0, NULL), *summary = summary_markdown(result, NULL, NULL),
	                *text = terminal_text(result, &terminal), *headline = headline_text(result);
	assert_string_equal(benchmark_line(result, result->benchmarks->pdata[0]), line);
	assert_line(html, "<p class=\"sentence\">", line, "</p>");
	assert_line(junit, "message=\"", line, "\"");
	assert_line(commands, "title=firebreak%3A parse::parse: ", line, "\n");
	assert_line(headline, "", line, "");
	assert_line(summary, "", line, "");
	assert_line(text, "", line, "");
}

static void every_output_says_the_line_of_a_regression(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of(VERDICT_REGRESSION);
	assert_all_say(result, "it found something");
}

static void every_output_says_the_line_of_what_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of(VERDICT_INCONCLUSIVE);
	assert_all_say(result, "it had its reasons");
}

static void every_output_says_the_line_of_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of(VERDICT_ERROR);
	assert_all_say(result, "it had its reasons");
}

/* A regression that was seen once is accused, and yet its numbers are not the line. */
static void every_output_says_the_line_of_what_was_not_confirmed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of(VERDICT_INCONCLUSIVE);
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->confirmation = CONFIRMATION_NOT_CONFIRMED;
	assert_all_say(result, "it had its reasons");
}

static void every_output_says_why_something_was_not_compared(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_without_comparison();
	assert_all_say(result, "head was killed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_output_says_the_line_of_a_regression),
	        cmocka_unit_test(every_output_says_the_line_of_what_is_inconclusive),
	        cmocka_unit_test(every_output_says_the_line_of_an_error),
	        cmocka_unit_test(every_output_says_the_line_of_what_was_not_confirmed),
	        cmocka_unit_test(every_output_says_why_something_was_not_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
