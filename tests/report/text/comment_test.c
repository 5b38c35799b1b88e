/* SPDX-License-Identifier: Apache-2.0 */
/* The comment of a review: a golden file for each ending, and what it promises of all of them. */
#include "compare/comparison/sentence.h"
#include "compare/endings.h"
#include "compare/outcome.h"
#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"
#include "report/text/summarymd.h"
#include "tests/report/annotatedsample.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

#define PULL "https://github.com/example/catalog/pull/12"
#define MERGE "https://gitlab.example/group/catalog/-/merge_requests/3"

static ResultBenchmark *first(const CheckResult *result)
{
	return result->benchmarks->pdata[0];
}

static void decide(CheckResult *result)
{
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
}

/* A benchmark of one metric and no functions. */
static ResultBenchmark *add_benchmark(CheckResult *result, const char *name, Verdict verdict, double change_ratio)
{
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	benchmark->comparison = benchmark_comparison_new(name);
	benchmark_comparison_decide(benchmark->comparison, verdict,
	        verdict == VERDICT_PASS ? "" : verdict_name(verdict),
	        g_strdup_printf("task-clock: %s by its own margin", verdict_name(verdict)));
	g_ptr_array_add(benchmark->comparison->metrics,
	        sample_metric("task-clock", "ns", 1e9, change_ratio, .01, verdict, TRUE));
	return benchmark;
}

/* The same with runs of both sides, which a report of a pass must have. */
static void add_pass(CheckResult *result, const char *name, double change_ratio)
{
	ResultBenchmark *benchmark = add_benchmark(result, name, VERDICT_PASS, change_ratio);
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->base = sample_measurement(table, FALSE);
	benchmark->head = sample_measurement(table, TRUE);
}

/* The sample with a verdict of its own, and nothing that its functions accuse. */
static CheckResult *sample_with(Verdict verdict, double change_ratio, const char *reason)
{
	CheckResult *result = sample_result();
	BenchmarkComparison *comparison = first(result)->comparison;
	metric_comparison_free(comparison->metrics->pdata[0]);
	comparison->metrics->pdata[0] = sample_metric("task-clock", "ns", 3.787e8, change_ratio, .013, verdict, TRUE);
	for (guint i = 0; i < comparison->functions->len; i++)
		((FunctionComparison *)comparison->functions->pdata[i])->gates = FALSE;
	benchmark_comparison_decide(comparison, verdict, verdict == VERDICT_PASS ? "" : "code", g_strdup(reason));
	g_free(comparison->sentence);
	comparison->sentence = g_strdup(reason);
	return result;
}

/* A regression of an edited function, with what a check keeps of it. */
static CheckResult *regression(void)
{
	CheckResult *result = sample_result();
	sample_artifacts(first(result));
	sample_trust(first(result));
	result->changed = changed_sample(first(result));
	add_pass(result, "sort", 1.001);
	add_pass(result, "render", .999);
	check_result_decide(result);
	return result;
}

static char *comment_on(const CheckResult *result, const char *review, const char *artifact)
{
	g_auto(ReviewLinks) links = {0};
	assert_true(review == NULL || review_links_set_review(&links, review));
	assert_true(artifact == NULL || review_links_set_artifact(&links, artifact));
	return summary_comment(result, &(SummaryOptions){.links = links}, NULL);
}

/* Leaves report.html of the same result in the folder HTML_PAGES, for tests in a browser. */
static void leave_page(const CheckResult *result, const char *name)
{
	if (g_getenv("HTML_PAGES") == NULL)
		return;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, NULL);
	g_autofree char *path = g_strdup_printf("%s/%s.html", g_getenv("HTML_PAGES"), name);
	assert_true(g_file_set_contents(path, html, -1, NULL));
}

/* The same comment from report.json, which is all that the job has that posts it. */
static void assert_comment(const CheckResult *result, const char *name, const char *review, const char *artifact)
{
	gsize length;
	g_autoptr(GError) error = NULL;
	g_autofree char *json = report_json(result, &length);
	g_autoptr(CheckResult) again = report_read(json, length, "report.json", &error);
	if (again == NULL)
		fail_msg("%s", error->message);
	g_autofree char *comment = comment_on(result, review, artifact);
	g_autofree char *second = comment_on(again, review, artifact);
	assert_golden(name, comment);
	assert_string_equal(comment, second);
	g_autofree char *left = g_strconcat("texts-", name, NULL);
	leave_for_parsers(left, comment, strlen(comment));
	leave_page(result, name);
}

/* --- every ending --- */

static void a_regression_leads_to_the_diff(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = regression();
	assert_comment(
	        result, "comment-regression.md", PULL, "https://github.com/example/catalog/actions/runs/1/artifacts/2");
}

static void on_gitlab_files_of_the_job_are_linked(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = regression();
	assert_comment(result, "comment-gitlab.md", MERGE,
	        "https://gitlab.example/group/catalog/-/jobs/9/artifacts/file/firebreak-out/");
}

static void a_pass_is_short(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result =
	        sample_with(VERDICT_PASS, 1.002, "catalog: no slowdown beyond 6 % (measured +0.20 %, -1.1 to +1.5 %)");
	add_pass(result, "sort", 1.001);
	decide(result);
	assert_comment(result, "comment-pass.md", PULL, NULL);
}

static void an_improvement_is_shown_with_what_made_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_with(VERDICT_PASS, .78, "every gating metric passes");
	BenchmarkComparison *comparison = first(result)->comparison;
	sample_trust(first(result));
	comparison->confirmation = CONFIRMATION_NOT_NEEDED;
	sample_row(first(result), "render_rows")->relation = CHANGE_TOUCHED;
	sample_row(first(result), "render_rows")->code = CODE_CHANGED;
	comparison->total_change = -.22;
	comparison->report_alpha = .05;
	comparison->table = stack_table_ref(first(result)->head->profile->table);
	((MetricComparison *)comparison->metrics->pdata[0])->improved = TRUE;
	sentence_renew(comparison);
	decide(result);
	assert_comment(result, "comment-improvement.md", PULL, NULL);
	g_autofree char *comment = comment_on(result, NULL, NULL);
	assert_non_null(strstr(comment, ", thanks in part to render_rows"));
	assert_non_null(strstr(comment, "| in part `render_rows` **-7.6 pp** of -22.0 pp"));
}

static void what_is_inconclusive_says_why(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_with(VERDICT_INCONCLUSIVE, 1.02,
	        "too noisy: only changes above 9 % are visible (measured -3.0 % to +7.0 % in 8 rounds; margin 3 %, "
	        "pass below 6 %)");
	MetricComparison *metric = first(result)->comparison->metrics->pdata[0];
	metric->lower_ratio = .97, metric->upper_ratio = 1.07;
	metric->mde_ratio = .06, metric->rounds_needed = 14;
	metric->reason = g_strdup("too noisy");
	g_free(first(result)->comparison->reason_code);
	first(result)->comparison->reason_code = g_strdup("interval_too_wide");
	decide(result);
	assert_comment(result, "comment-inconclusive.md", PULL, NULL);
	/* the interval of the table is the one of the reason */
	g_autofree char *comment = comment_on(result, NULL, NULL);
	assert_non_null(strstr(comment, "CPU time +2.0 % [-3.0, +7.0]"));
	assert_non_null(strstr(
	        comment, "- to decide `catalog`: set `rounds: 14` (now 8), let a run do 1.8 times the work, or "));
}

static void an_error_hides_no_regression(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = regression();
	check_result_add_benchmark(result, "serve");
	check_result_add_reason(result, 4, "timeout", "serve", "head took longer than 60 s in round 3");
	finding_add(result->findings, FINDING_ERROR, "processes_left_behind", "serve",
	        "left processes behind, which were killed");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_comment(result, "comment-error.md", PULL, NULL);
}

static void what_does_not_build_has_no_table(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(
	        &result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "catalog: sort");
	result_side_set(&result->head, "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80", "topic", "--head", "catalog: mix");
	check_result_add_reason(result, 5, "build_failed", NULL,
	        "head does not build: make ends with 2: catalog.c:19:9: error: expected ‘;’ before ‘return’");
	check_result_decide(result);
	assert_comment(result, "comment-build.md", PULL, NULL);
}

static void the_first_change_has_nothing_to_compare(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(
	        &result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "catalog: sort");
	result_side_set(&result->head, "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80", "topic", "--head", "add benchmarks");
	ending_nothing_to_compare(
	        result, check_result_add_benchmark(result, "catalog"), "base does not have bench/catalog", FALSE);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 0);
	assert_comment(result, "comment-first.md", PULL, NULL);
}

static void joined_shards_say_so(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = regression();
	result->shards = shard_set_new(2);
	g_ptr_array_add(result->shards->benchmarks, g_strdup("catalog"));
	for (guint i = 1; i <= 2; i++)
		shard_set_add(result->shards, i)->exit_code = i == 1 ? 1 : 0;
	check_result_decide(result);
	assert_comment(result, "comment-merged.md", PULL, NULL);
}

static void what_is_accepted_names_who_did_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_accept(result);
	decide(result);
	assert_comment(result, "comment-accepted.md", PULL, NULL);
}

/* --- what holds of all --- */

static void the_comment_is_the_summary_with_a_marker(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = regression();
	g_autofree char *summary = summary_markdown(result, NULL, NULL);
	g_autofree char *comment = summary_comment(result, &(SummaryOptions){.id = "arm-64"}, NULL);
	g_autofree char *wanted = g_strconcat("<!-- firebreak-comment: arm-64 -->\n", summary, NULL);
	assert_string_equal(comment, wanted);
}

static void an_id_cannot_end_the_marker(void **state)
{
	(void)state;
	g_autofree char *longest = g_strnfill(SUMMARY_ID_MAX_BYTES, 'a'), *longer = g_strconcat(longest, "a", NULL);
	assert_true(summary_id_is_valid("firebreak"));
	assert_true(summary_id_is_valid("arm64.nightly_2"));
	assert_true(summary_id_is_valid(longest));
	assert_false(summary_id_is_valid(longer));
	assert_false(summary_id_is_valid(""));
	assert_false(summary_id_is_valid("a -->"));
	assert_false(summary_id_is_valid("a\nb"));
}

/* --- what somebody copies --- */

static void a_name_that_no_configuration_has_is_in_no_command(void **state)
{
	static const char *const names[] = {"$(reboot)", "a;b", "--out=/", "-b", "a b", "a\nb", "'", ""};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(CheckResult) result = sample_result();
		g_free(first(result)->name);
		first(result)->name = g_strdup(names[i]);
		decide(result);
		g_autofree char *comment = summary_comment(result, NULL, NULL);
		assert_null(strstr(comment, "```"));
	}
}

static void nor_is_a_commit_that_is_none(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result_side_set(&result->head, "$(reboot)", "", "", "");
	g_autofree char *comment = summary_comment(result, NULL, NULL);
	assert_null(strstr(comment, "Reproduce"));
	result_side_set(&result->head, "worktree", "", "", "");
	g_autofree char *worktree = summary_comment(result, NULL, NULL);
	assert_non_null(strstr(worktree, " --head worktree\n"));
}

static void more_than_five_are_not_all_named(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(70, 1);
	result_side_set(&result->base, "1a2b3c4d5e6f", "", "", "");
	result_side_set(&result->head, "5d6e7f8091a2", "", "", "");
	g_autofree char *comment = summary_comment(result, NULL, NULL);
	assert_non_null(strstr(comment, " -b size-40 --base 1a2b3c4d5e6f --head 5d6e7f8091a2\n"));
	assert_non_null(strstr(comment, "Perf-Accepted: size-40: REASON\n```"));
	assert_non_null(strstr(comment, "The other benchmarks have lines of their own."));
}

static void a_check_against_itself_asks_for_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result->mode = CHECK_CALIBRATE;
	decide(result);
	g_autofree char *comment = summary_comment(result, NULL, NULL);
	assert_null(strstr(comment, "Accept it"));
	assert_null(strstr(comment, "1 regressed"));
	assert_non_null(strstr(comment, "| `catalog` | `task-clock` | "));
}

/* --- size --- */

/* 10,000 benchmarks, of which a fifth needs a look, with names as long as they may be. */
static CheckResult *ten_thousand(void)
{
	static const Verdict verdicts[] = {VERDICT_REGRESSION, VERDICT_PASS, VERDICT_INCONCLUSIVE, VERDICT_PASS,
	        VERDICT_PASS, VERDICT_PASS, VERDICT_PASS, VERDICT_PASS, VERDICT_PASS, VERDICT_PASS};
	CheckResult *result = check_result_new();
	for (guint i = 0; i < 10000; i++) {
		g_autofree char *name = g_strdup_printf("BM_%060u", i);
		add_benchmark(result, name, verdicts[i % 10], 1 + i / 1e4);
	}
	check_result_decide(result);
	return result;
}

static void ten_thousand_benchmarks_fit_into_a_comment(void **state)
{
	(void)state;
	gsize length;
	g_autoptr(CheckResult) result = ten_thousand();
	g_autofree char *comment = summary_comment(result, NULL, &length);
	assert_int_equal(length, strlen(comment));
	assert_true(length <= SUMMARY_COMMENT_BYTES);
	assert_true(length > SUMMARY_COMMENT_BYTES * 4 / 5);
	assert_true(g_utf8_validate(comment, -1, NULL));
	assert_true(g_str_has_prefix(comment, "<!-- firebreak-comment: firebreak -->\n## ❌ Regression: "));
	assert_non_null(strstr(comment, "1,000 slower, 1,000 unclear, 8,000 unchanged"));
	assert_non_null(strstr(comment, "Left out to stay within 64,000 bytes: "));
	assert_non_null(strstr(comment, "009990` | ❌ slower")); /* the largest change stays */
	assert_null(strstr(comment, "000000` | ❌ regressed"));
	leave_for_parsers("texts-cut.comment.md", comment, length);
}

/* A row is there whole or not at all. */
static void of_a_row_nothing_is_cut(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = ten_thousand();
	g_autofree char *comment = summary_comment(result, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(comment, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		if (g_str_has_prefix(lines[i], "| `BM_") && !g_str_has_suffix(lines[i], " |"))
			fail_msg("cut: %s", lines[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_regression_leads_to_the_diff),
	        cmocka_unit_test(on_gitlab_files_of_the_job_are_linked),
	        cmocka_unit_test(a_pass_is_short),
	        cmocka_unit_test(an_improvement_is_shown_with_what_made_it),
	        cmocka_unit_test(what_is_inconclusive_says_why),
	        cmocka_unit_test(an_error_hides_no_regression),
	        cmocka_unit_test(what_does_not_build_has_no_table),
	        cmocka_unit_test(the_first_change_has_nothing_to_compare),
	        cmocka_unit_test(joined_shards_say_so),
	        cmocka_unit_test(what_is_accepted_names_who_did_it),
	        cmocka_unit_test(the_comment_is_the_summary_with_a_marker),
	        cmocka_unit_test(an_id_cannot_end_the_marker),
	        cmocka_unit_test(a_name_that_no_configuration_has_is_in_no_command),
	        cmocka_unit_test(nor_is_a_commit_that_is_none),
	        cmocka_unit_test(more_than_five_are_not_all_named),
	        cmocka_unit_test(a_check_against_itself_asks_for_nothing),
	        cmocka_unit_test(ten_thousand_benchmarks_fit_into_a_comment),
	        cmocka_unit_test(of_a_row_nothing_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
