#include "report/summarymd.h"

#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static void the_summary_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_artifacts(benchmark);
	sample_trust(benchmark);
	gsize length;
	g_autofree char *text = summary_markdown(result, 0, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("summary.md", text);
}

static void an_error_says_its_reason_in_the_first_line(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_add_reason(result, 4, "timeout", "parse", "parse took too long");
	check_result_decide(result);
	g_autofree char *text = summary_markdown(result, 0, NULL);
	assert_true(g_str_has_prefix(text, "## 🚫 Error: head does not build\n"));
	assert_non_null(strstr(text, "- parse took too long\n"));
}

static void what_cannot_be_compared_has_a_row_that_says_why(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	g_autofree char *text = summary_markdown(result, 0, NULL);
	const char *row = strstr(text, "`balance` | ");
	assert_non_null(row);
	g_autofree char *line = g_strndup(row, strcspn(row, "\n"));
	assert_non_null(strstr(line, "| **n/a** |"));
	assert_non_null(strstr(line, "does not gate; not compared: cannot be compared as a ratio"));
}

static void what_is_not_known_of_the_code_has_no_column(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *unknown = summary_markdown(result, 0, NULL);
	assert_null(strstr(unknown, "| lines |"));
	sample_trust(g_ptr_array_index(result->benchmarks, 0));
	g_autofree char *known = summary_markdown(result, 0, NULL);
	assert_non_null(strstr(known, "| class | lines |\n"));
	assert_non_null(strstr(known, "| improvement | untouched, same code |\n"));
	assert_non_null(strstr(known, "| removed | – |\n"));
}

static void what_was_not_confirmed_is_told_with_what_was_seen(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	comparison->verdict = VERDICT_INCONCLUSIVE;
	comparison->confirmation = CONFIRMATION_NOT_CONFIRMED;
	comparison->confirmation_text = g_strdup("nothing");
	g_autofree char *text = summary_markdown(result, 0, NULL);
	const char *line = strstr(text, "- ❔ `catalog`: task");
	assert_non_null(line);
	assert_non_null(strstr(line, "; not confirmed by a second campaign"));
}

static void calibration_is_told_or_advised(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *without = summary_markdown(result, 0, NULL);
	assert_non_null(strstr(without, "is not measured yet; `firebreak check --calibrate` does that\n"));
	sample_trust(benchmark);
	benchmark->calibration->suspicious = TRUE;
	g_autofree char *with = summary_markdown(result, 0, NULL);
	assert_null(strstr(with, "--calibrate"));
	assert_non_null(strstr(with, "- ⚠️ `catalog`: in 24 A/A campaigns on this kind of machine"));
	assert_non_null(strstr(with, "more than are promised"));
}

/* Many benchmarks, each with a table row and functions. */
static CheckResult *large_result(guint passing)
{
	CheckResult *result = sample_result();
	for (guint i = 0; i < passing; i++) {
		g_autofree char *name = g_strdup_printf("passing-%u", i);
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->comparison = benchmark_comparison_new(name);
		benchmark->comparison->verdict = VERDICT_PASS;
		g_autoptr(StackTable) table = stack_table_new();
		benchmark->base = sample_measurement(table, FALSE);
		benchmark->head = sample_measurement(table, TRUE);
		g_ptr_array_add(benchmark->comparison->metrics,
		        sample_metric("task-clock", "ns", 1e9, 1, .004, VERDICT_PASS, TRUE));
		g_ptr_array_add(benchmark->comparison->functions,
		        sample_function(benchmark, "count_word", FUNCTION_UNCHANGED, .5, FALSE));
	}
	return result;
}

static void the_least_important_blocks_are_left_out_whole(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result(40);
	g_autofree char *whole = summary_markdown(result, 0, NULL), *cut = summary_markdown(result, 9000, NULL);
	assert_true(strlen(whole) > 9000);
	assert_true(strlen(cut) <= 9000);
	assert_non_null(strstr(cut, "parts are left out to stay below the size limit"));
	assert_null(strstr(whole, "parts are left out"));
	assert_null(strstr(cut, "passing-39: functions"));
	/* what failed is still there, with its functions and the table rows of what passed */
	assert_non_null(strstr(cut, "`hash_word`"));
	assert_non_null(strstr(cut, "| `passing-39` |"));
	guint open = 0, closed = 0;
	for (const char *p = cut; (p = strstr(p, "<details")) != NULL; p++)
		open++;
	for (const char *p = cut; (p = strstr(p, "</details>")) != NULL; p++)
		closed++;
	assert_int_equal(open, closed);
}

static void heading_and_commits_are_never_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result(3);
	g_autofree char *text = summary_markdown(result, 1, NULL);
	assert_true(g_str_has_prefix(text, "## ❌ Regression: "));
	assert_non_null(strstr(text, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"));
	assert_null(strstr(text, "hash_word` |"));
}

static void the_default_limit_is_below_what_step_summaries_take(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	for (guint i = 0; i < 8000; i++)
		finding_add(result->findings, FINDING_INFO, "remark", NULL,
		        "remark number %u, which is about as long as remarks usually are in a report of this kind", i);
	check_result_decide(result);
	gsize length;
	g_autofree char *text = summary_markdown(result, 0, &length);
	assert_true(length <= SUMMARY_MAX_BYTES && length > SUMMARY_MAX_BYTES / 2);
	assert_non_null(strstr(text, "number 0,"));
}

static void foreign_text_neither_mentions_nor_marks_up(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result_side_set(&result->head, "abc", "a`b|c\nd", "--head", "@everyone fixes #1 <b>**now**</b> | x\n# big");
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_free(benchmark->name);
	benchmark->name = g_strdup("</summary><img src=x> | `");
	sample_trust(benchmark);
	g_free(benchmark->comparison->confirmation_text);
	benchmark->comparison->confirmation_text = g_strdup("@everyone <b>**now**</b>\n# big");
	g_autofree char *text = summary_markdown(result, 0, NULL);
	assert_null(strstr(text, "@everyone"));
	const char *details = strstr(text, "<details");
	assert_non_null(details);
	g_autofree char *folded = g_strndup(details, (gsize)(strstr(details, "</details>") - details));
	assert_null(strstr(folded, "<img")); /* elsewhere it stands in code spans */
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "**now"));
	assert_null(strstr(text, "\n# big"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_summary_is_as_it_was),
	        cmocka_unit_test(an_error_says_its_reason_in_the_first_line),
	        cmocka_unit_test(what_cannot_be_compared_has_a_row_that_says_why),
	        cmocka_unit_test(what_is_not_known_of_the_code_has_no_column),
	        cmocka_unit_test(what_was_not_confirmed_is_told_with_what_was_seen),
	        cmocka_unit_test(calibration_is_told_or_advised),
	        cmocka_unit_test(the_least_important_blocks_are_left_out_whole),
	        cmocka_unit_test(heading_and_commits_are_never_left_out),
	        cmocka_unit_test(the_default_limit_is_below_what_step_summaries_take),
	        cmocka_unit_test(foreign_text_neither_mentions_nor_marks_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
