/* SPDX-License-Identifier: Apache-2.0 */
/* That the numbers beside each other agree, whichever output shows them. */
#include "compare/outcome.h"
#include "compare/timed/confirmation.h"
#include "report/ci/githubcommands.h"
#include "report/ci/junit.h"
#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "report/words/headline.h"
#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char *html_of(const CheckResult *result)
{
	return report_html(&(HtmlReport){.result = result}, NULL);
}

/* Medians of a machine that slowed down while it measured: they are +10.9 %, the pairs of runs say +20.7 %. */
static CheckResult *slowed_down(void)
{
	CheckResult *result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	metric->base = 653e6;
	metric->head = 724e6;
	metric->change_ratio = 1.207;
	return result;
}

static void two_values_and_the_change_beside_them_agree_in_every_output(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = slowed_down();
	g_autofree char *terminal = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 120});
	g_autofree char *markdown = summary_markdown(result, NULL, NULL), *junit = junit_xml(result, 0, NULL);
	g_autofree char *html = html_of(result);
	const char *const outputs[] = {terminal, markdown, junit, html};
	for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
		assert_non_null(strstr(outputs[i], "653 ms"));
		assert_non_null(strstr(outputs[i], "788 ms"));
		assert_null(strstr(outputs[i], "724 ms"));
	}
}

static void the_report_keeps_both_medians_and_what_is_shown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = slowed_down();
	g_autofree char *json = report_json(result, NULL);
	assert_non_null(strstr(json, "\"base\": 653000000.0"));
	assert_non_null(strstr(json, "\"head\": 724000000.0"));
	assert_non_null(strstr(json, "\"head_shown\": 788171000.0"));
}

/* A head that costs more than all of base has no share of base. */
static void no_share_is_above_all_of_base(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *largest = g_ptr_array_index(benchmark->comparison->functions, 0);
	largest->head_cost += largest->base_cost * 9;
	largest->contribution += 9 * .16;
	g_autofree char *markdown = summary_markdown(result, NULL, NULL), *html = html_of(result);
	g_autoptr(GRegex) share = g_regex_new("(?<![-+\\d.])[1-9]\\d\\d(\\.\\d+)? %", 0, 0, NULL);
	const char *const outputs[] = {markdown, html};
	for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
		const char *tables = strstr(outputs[i], "share of base");
		g_autoptr(GMatchInfo) match = NULL;
		assert_non_null(tables);
		for (g_regex_match(share, tables, 0, &match); g_match_info_matches(match);
		        g_match_info_next(match, NULL)) {
			g_autofree char *found = g_match_info_fetch(match, 0);
			if (!g_str_equal(found, "100 %"))
				fail_msg("%s is a share", found);
		}
	}
}

/* A regression that a second campaign cannot tell is inconclusive, and so says every output; "not measured" is
 * something else. */
static void what_a_second_campaign_cannot_tell_reads_the_same_everywhere(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autoptr(BenchmarkComparison) second = benchmark_comparison_new("catalog");
	benchmark_comparison_decide(
	        second, VERDICT_INCONCLUSIVE, "unclear", g_strdup("task-clock +3.1 % [-1.0, +7.2]"));
	assert_false(confirmation_apply(benchmark->comparison, second));
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
	g_autofree char *terminal = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 400});
	g_autofree char *markdown = summary_markdown(result, NULL, NULL), *html = html_of(result);
	const char *const outputs[] = {terminal, markdown, html};
	for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
		assert_non_null(
		        strstr(outputs[i], "second campaign could neither confirm nor rule out the regression"));
		assert_null(strstr(outputs[i], "not measured a second time"));
		assert_null(strstr(outputs[i], "not confirmed"));
	}
	g_autofree char *json = report_json(result, NULL);
	assert_non_null(strstr(json, "\"verdict\": \"inconclusive\""));
	assert_non_null(strstr(json, "\"confirmation\": \"unclear\""));
	assert_null(strstr(json, "not_run"));
}

/* A function that is slower under a total that passes has a word of its own. */
static void nothing_is_called_a_regression_where_every_metric_passes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	BenchmarkComparison *comparison = benchmark->comparison;
	MetricComparison *metric = g_ptr_array_index(comparison->metrics, 0);
	metric->verdict = VERDICT_PASS;
	for (guint i = 0; i < comparison->functions->len; i++)
		((FunctionComparison *)g_ptr_array_index(comparison->functions, i))->gates = FALSE;
	((FunctionComparison *)g_ptr_array_index(comparison->functions, 0))->held = FUNCTION_HELD_BY_TOTAL;
	benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	g_free(comparison->slower);
	comparison->slower = g_strdup("slower although the total passes: hash_word +17.6 pp");
	g_free(comparison->sentence);
	comparison->sentence = g_strdup("task-clock +0.4 %");
	comparison->confirmation = CONFIRMATION_NOT_NEEDED;
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	g_autofree char *terminal = terminal_text(result, &(TerminalOptions){.details = TRUE, .width = 400});
	assert_non_null(strstr(terminal, "every gating metric passes"));
	assert_non_null(strstr(terminal, "slower"));
	assert_null(strstr(terminal, "regression"));
}

/* One benchmark that could not be measured hides no regression of another: not in the first line, not in annotations.
 */
static void an_error_of_one_benchmark_hides_no_regression_of_another(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *broken = check_result_add_benchmark(result, "broken");
	broken->comparison = benchmark_comparison_new("broken");
	benchmark_comparison_decide(
	        broken->comparison, VERDICT_ERROR, "measurement_invalid", g_strdup("b/w exited with 3"));
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	g_autofree char *headline = headline_text(result), *annotations = github_commands_text(result, NULL);
	assert_true(g_str_has_prefix(headline, "catalog is 13 % slower"));
	assert_non_null(strstr(headline, "; and an error: "));
	assert_non_null(strstr(headline, "b/w exited with 3"));
	assert_non_null(strstr(annotations, "::error file=src/catalog.c,line=19"));
	assert_non_null(strstr(annotations, "broken: b/w exited with 3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_values_and_the_change_beside_them_agree_in_every_output),
	        cmocka_unit_test(the_report_keeps_both_medians_and_what_is_shown),
	        cmocka_unit_test(no_share_is_above_all_of_base),
	        cmocka_unit_test(what_a_second_campaign_cannot_tell_reads_the_same_everywhere),
	        cmocka_unit_test(an_error_of_one_benchmark_hides_no_regression_of_another),
	        cmocka_unit_test(nothing_is_called_a_regression_where_every_metric_passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
