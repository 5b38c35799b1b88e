/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarymd.h"

#include "compare/outcome.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static char *limited(const CheckResult *result, gsize max_bytes, gsize *length)
{
	return summary_markdown(result, &(SummaryOptions){.max_bytes = max_bytes}, length);
}

static void the_summary_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_artifacts(benchmark);
	sample_trust(benchmark);
	gsize length;
	g_autofree char *text = summary_markdown(result, NULL, &length);
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
	g_autofree char *text = summary_markdown(result, NULL, NULL);
	assert_true(g_str_has_prefix(text, "## 🚫 Error: head does not build\n"));
	assert_non_null(strstr(text, "- parse took too long\n"));
}

static void what_cannot_be_compared_has_a_row_that_says_why(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	g_autofree char *text = summary_markdown(result, NULL, NULL);
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
	g_autofree char *unknown = summary_markdown(result, NULL, NULL);
	assert_null(strstr(unknown, "| lines |"));
	sample_trust(g_ptr_array_index(result->benchmarks, 0));
	g_autofree char *known = summary_markdown(result, NULL, NULL);
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
	g_autofree char *text = summary_markdown(result, NULL, NULL);
	const char *line = strstr(text, "- ❔ `catalog`: catalog is 13 % slower");
	assert_non_null(line);
	assert_non_null(strstr(line, "; not confirmed by a second campaign"));
}

static void what_is_accepted_is_no_plain_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_accept(result);
	g_autofree char *text = summary_markdown(result, NULL, NULL);
	assert_non_null(strstr(text, "| `catalog` | ⚠️ accepted | CPU time +13.4 % "));
	assert_non_null(strstr(text, "; accepted in `firebreak.yml:6`: worth it |\n"));
}

static void calibration_is_told_or_advised(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *without = summary_markdown(result, NULL, NULL);
	assert_non_null(strstr(without, "is unknown; `firebreak check --calibrate` measures it\n"));
	sample_trust(benchmark);
	benchmark->calibration->suspicious = TRUE;
	g_autofree char *with = summary_markdown(result, NULL, NULL);
	assert_null(strstr(with, "--calibrate"));
	assert_non_null(strstr(with, "- ⚠️ `catalog`: in 24 A/A campaigns on this kind of machine"));
	assert_non_null(strstr(with, "more than are promised"));
}

static guint count_of(const char *text, const char *word)
{
	guint n = 0;
	for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
		n++;
	return n;
}

static void the_least_important_rows_are_left_out_whole(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(40, 10);
	g_autofree char *whole = summary_markdown(result, NULL, NULL), *cut = limited(result, 16000, NULL);
	assert_true(strlen(whole) > 30000);
	assert_non_null(strstr(cut, "Left out to stay within 16,000 bytes: "));
	assert_null(strstr(whole, "Left out"));
	/* functions of what passed go before those of what failed, and rows of metrics stay */
	assert_null(strstr(cut, "size-39: functions"));
	assert_int_equal(count_of(cut, "<summary>size-0: "), 1);
	assert_non_null(strstr(cut, "| `size-39` |"));
	assert_non_null(strstr(cut, "`fünktion_30_0`"));
}

/* Every benchmark loses its last rows before any loses its first. */
static void of_a_table_the_last_rows_go_first(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(500, 12);
	g_autofree char *text = limited(result, SUMMARY_COMMENT_BYTES, NULL);
	for (guint i = 0; i < 500; i += 10) {
		g_autofree char *first = g_strdup_printf("`fünktion_%u_0`", i);
		g_autofree char *last = g_strdup_printf("`fünktion_%u_11`", i);
		assert_non_null(strstr(text, first));
		assert_null(strstr(text, last));
	}
}

/* Asserts that nothing confuses a renderer: a row that ends early, a code span or <details> left open. */
static void assert_whole(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_int_equal(count_of(text, "<details"), count_of(text, "</details>"));
	for (guint i = 0; lines[i] != NULL; i++) {
		assert_true(count_of(lines[i], "`") % 2 == 0 || g_str_has_prefix(lines[i], "```"));
		if (*lines[i] == '|')
			assert_true(g_str_has_suffix(lines[i], "|"));
		if (g_str_has_prefix(lines[i], "| function"))
			assert_true(*lines[i + 2] == '|');
	}
}

static void it_stays_within_any_limit_and_stays_whole(void **state)
{
	(void)state;
	static const gsize limits[] = {1, 8192, 8193, 10000, 20000, 50000, SUMMARY_COMMENT_BYTES, 65536, 200000, 0};
	g_autoptr(CheckResult) result = many_functions(600, 12);
	for (guint i = 0; i < 300; i++)
		finding_add(result->findings, FINDING_INFO, "remark", NULL, "remark %u: ein Würfel für %s", i, "`x`");
	gsize before = 0;
	for (guint i = 0; i < G_N_ELEMENTS(limits); i++) {
		gsize length, limit = limits[i] == 0 ? SUMMARY_MAX_BYTES : MAX(limits[i], SUMMARY_MIN_BYTES);
		g_autofree char *text = limited(result, limits[i], &length);
		assert_int_equal(length, strlen(text));
		assert_true(length <= limit);
		assert_true(length >= before);
		assert_true(limits[i] == 0 || length > limit * 4 / 5); /* and makes use of it */
		assert_whole(text);
		before = length;
	}
}

static void what_is_left_out_is_counted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(200, 12);
	g_autofree char *whole = summary_markdown(result, NULL, NULL), *cut = limited(result, 20000, NULL);
	guint benchmarks = 0, thousands = 0, functions = 0;
	const char *note = strstr(cut, "Left out to stay within");
	assert_non_null(note);
	assert_int_equal(sscanf(note, "Left out to stay within 20,000 bytes: %u benchmarks, %u,%u functions",
	                         &benchmarks, &thousands, &functions),
	        3);
	functions += 1000 * thousands;
	assert_int_equal(count_of(whole, "| `size-") - count_of(cut, "| `size-"), benchmarks);
	assert_int_equal(count_of(whole, "`fünktion_") - count_of(cut, "`fünktion_"), functions);
}

static void the_worst_names_fit_into_the_smallest_limit(void **state)
{
	(void)state;
	g_autoptr(GString) worst = g_string_new(NULL);
	for (guint i = 0; i < 5000; i++)
		g_string_append(worst, "@");
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(&result->base, worst->str, worst->str, worst->str, worst->str);
	result_side_set(&result->head, worst->str, worst->str, worst->str, worst->str);
	add_hostile_benchmark(result, worst->str);
	check_result_decide(result);
	gsize length;
	g_autofree char *text = limited(result, SUMMARY_MIN_BYTES, &length);
	assert_true(length <= SUMMARY_MIN_BYTES);
	assert_whole(text);
}

static void heading_and_commits_are_never_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(600, 12);
	result_side_set(&result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "--base", "subject");
	g_autofree char *text = limited(result, 1, NULL);
	assert_true(g_str_has_prefix(text, "## ❌ Regression: "));
	assert_non_null(strstr(text, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"));
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
	g_autofree char *text = summary_markdown(result, NULL, &length);
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
	g_autofree char *text = summary_markdown(result, NULL, NULL);
	assert_null(strstr(text, "@everyone"));
	g_auto(GStrv) folds = g_strsplit(text, "<summary>", -1);
	assert_true(g_strv_length(folds) > 2);
	for (guint i = 1; folds[i] != NULL; i++) {
		g_autofree char *title = g_strndup(folds[i], strcspn(folds[i], "\n"));
		assert_null(strstr(title, "<img")); /* elsewhere it stands in code spans */
	}
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "**now"));
	assert_null(strstr(text, "\n# big"));
}

static void other_parsers_get_a_hostile_and_a_cut_summary(void **state)
{
	(void)state;
	g_autoptr(CheckResult) hostile = hostile_result(), many = many_functions(600, 12);
	gsize hostile_length, cut_length;
	g_autofree char *text = summary_markdown(hostile, NULL, &hostile_length);
	g_autofree char *cut = limited(many, SUMMARY_COMMENT_BYTES, &cut_length);
	assert_true(g_utf8_validate(text, -1, NULL));
	leave_for_parsers("texts-hostile.summary.md", text, hostile_length);
	leave_for_parsers("texts-cut.summary.md", cut, cut_length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_summary_is_as_it_was),
	        cmocka_unit_test(an_error_says_its_reason_in_the_first_line),
	        cmocka_unit_test(what_cannot_be_compared_has_a_row_that_says_why),
	        cmocka_unit_test(what_is_not_known_of_the_code_has_no_column),
	        cmocka_unit_test(what_was_not_confirmed_is_told_with_what_was_seen),
	        cmocka_unit_test(what_is_accepted_is_no_plain_pass),
	        cmocka_unit_test(calibration_is_told_or_advised),
	        cmocka_unit_test(the_least_important_rows_are_left_out_whole),
	        cmocka_unit_test(of_a_table_the_last_rows_go_first),
	        cmocka_unit_test(it_stays_within_any_limit_and_stays_whole),
	        cmocka_unit_test(what_is_left_out_is_counted),
	        cmocka_unit_test(the_worst_names_fit_into_the_smallest_limit),
	        cmocka_unit_test(heading_and_commits_are_never_left_out),
	        cmocka_unit_test(the_default_limit_is_below_what_step_summaries_take),
	        cmocka_unit_test(other_parsers_get_a_hostile_and_a_cut_summary),
	        cmocka_unit_test(foreign_text_neither_mentions_nor_marks_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
