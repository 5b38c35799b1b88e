/* That the numbers beside each other agree, whichever output shows them. */
#include "report/htmlreport.h"
#include "report/junit.h"
#include "report/reportjson.h"
#include "report/reportread.h"
#include "report/summarymd.h"
#include "report/terminaltext.h"
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
	g_autofree char *terminal = terminal_text(result, &(TerminalOptions){.width = 120});
	g_autofree char *markdown = summary_markdown(result, 0, NULL), *junit = junit_xml(result, 0, NULL);
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
	g_autofree char *markdown = summary_markdown(result, 0, NULL), *html = html_of(result);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_values_and_the_change_beside_them_agree_in_every_output),
	        cmocka_unit_test(the_report_keeps_both_medians_and_what_is_shown),
	        cmocka_unit_test(no_share_is_above_all_of_base),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
