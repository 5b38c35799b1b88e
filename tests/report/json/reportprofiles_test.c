/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/outcome.h"
#include "model/engine.h"
#include "report/json/reportprofiles.h"

#include "profile/folded/folded.h"
#include "report/flame/flamediff.h"
#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"
#include "tests/report/countedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A result, what comes back from its report, and the files that lie beside that. */
typedef struct {
	CheckResult *result, *again;
	char *picture, *base_folded, *head_folded;
} Kept;

static ResultBenchmark *first(const CheckResult *result)
{
	return g_ptr_array_index(result->benchmarks, 0);
}

static Kept kept_of(CheckResult *result, gboolean counted)
{
	gsize length;
	const ResultBenchmark *benchmark = first(result);
	FoldedFlags flags = counted ? FOLDED_WEIGHT : FOLDED_SAMPLES;
	guint run = counted ? 0 : FOLDED_ALL_RUNS;
	FlameDiff diff = {.base = benchmark->base->profile,
	        .head = benchmark->head->profile,
	        .comparison = benchmark->comparison,
	        .counted = counted,
	        .benchmark = "b",
	        .title = "t"};
	Kept kept = {.result = result};
	g_autofree char *json = report_json(result, &length);
	kept.again = report_read(json, length, "report.json", NULL);
	kept.picture = flame_diff_svg(&diff, NULL);
	kept.base_folded = folded_write(benchmark->base->profile, run, flags);
	kept.head_folded = folded_write(benchmark->head->profile, run, flags);
	return kept;
}

static void kept_clear(Kept *kept)
{
	check_result_free(kept->result);
	check_result_free(kept->again);
	g_free(kept->picture);
	g_free(kept->base_folded);
	g_free(kept->head_folded);
}

static gboolean restore(const Kept *kept, const KeptProfiles *files)
{
	const ResultBenchmark *benchmark = first(kept->again);
	RestoredSides sides = {
	        benchmark->base, benchmark->head, benchmark->comparison, engine_counts(benchmark->engine)};
	return report_profiles_restore(&sides, files);
}

/* Cost of all runs per run and unit of work. */
static double cost_of(const Measurement *measurement)
{
	double sum = 0;
	guint n = profile_n_runs(measurement->profile);
	for (guint run = 0; run < n; run++)
		sum += (double)profile_run_total(measurement->profile, run).weight;
	return sum / n / measurement->work;
}

static guint64 samples_of(const Measurement *measurement)
{
	guint64 sum = 0;
	for (guint run = 0; run < profile_n_runs(measurement->profile); run++)
		sum += profile_run_total(measurement->profile, run).samples;
	return sum;
}

static void check_equal(const Kept *kept, double tolerance)
{
	const ResultBenchmark *before = first(kept->result), *after = first(kept->again);
	assert_true(fabs(cost_of(after->base) / cost_of(before->base) - 1) <= tolerance);
	assert_true(fabs(cost_of(after->head) / cost_of(before->head) - 1) <= tolerance);
}

static void a_picture_gives_costs_and_folded_stacks_samples(void **state)
{
	(void)state;
	Kept kept = kept_of(sample_result(), FALSE);
	assert_true(restore(&kept, &(KeptProfiles){kept.picture, kept.base_folded, kept.head_folded}));
	check_equal(&kept, 1e-12);
	assert_true(samples_of(first(kept.again)->head) == samples_of(first(kept.result)->head));
	kept_clear(&kept);
}

static void without_a_picture_all_samples_weigh_alike(void **state)
{
	(void)state;
	Kept kept = kept_of(sample_result(), FALSE);
	assert_true(restore(&kept, &(KeptProfiles){NULL, kept.base_folded, kept.head_folded}));
	check_equal(&kept, 1e-6);
	kept_clear(&kept);
}

static void counts_come_back_exactly(void **state)
{
	(void)state;
	static const CountedSample twice = {2, 885618, 0};
	for (guint with_picture = 0; with_picture < 2; with_picture++) {
		Kept kept = kept_of(counted_result(&twice), TRUE);
		KeptProfiles files = {with_picture ? kept.picture : NULL, kept.base_folded, kept.head_folded};
		assert_true(restore(&kept, &files));
		check_equal(&kept, 0);
		kept_clear(&kept);
	}
}

static void functions_keep_the_module_that_the_report_has(void **state)
{
	(void)state;
	Kept kept = kept_of(sample_result(), FALSE);
	assert_true(restore(&kept, &(KeptProfiles){kept.picture, NULL, NULL}));
	const ResultBenchmark *benchmark = first(kept.again);
	const FunctionComparison *function = sample_row(benchmark, "hash_word");
	const Profile *profile = benchmark->head->profile;
	guint n;
	g_autofree ProfileCell *self = profile_self_by_frame(profile, &n);
	assert_string_equal(stack_table_frame_module(profile->table, function->frame), "catalog");
	assert_true(self[function->frame.index].weight > 0);
	kept_clear(&kept);
}

static void one_side_alone_or_damaged_files_change_nothing(void **state)
{
	(void)state;
	Kept kept = kept_of(sample_result(), FALSE);
	assert_false(restore(&kept, &(KeptProfiles){NULL, kept.base_folded, NULL}));
	assert_false(restore(&kept,
	        &(KeptProfiles){"<svg><metadata class=\"folded\">firebreak-folded 1\nx</metadata>", "\n", "no count"}));
	assert_int_equal(profile_n_runs(first(kept.again)->head->profile), 0);
	kept_clear(&kept);
}

/* The text between two marks; owned by the caller. */
static char *part_of(const char *html, const char *from, const char *to)
{
	const char *start = strstr(html, from), *end = start == NULL ? NULL : strstr(start, to);
	assert_non_null(end);
	return g_strndup(start, (gsize)(end - start));
}

static void a_page_rendered_again_has_the_same_functions_and_callers(void **state)
{
	(void)state;
	static const char *const marks[][2] = {{"<table class=\"sortable filterable functions\"", "</table>"},
	        {"<div class=\"sandwich\"", "</div>"}, {"<h3>Metrics</h3>", "</table>"},
	        {"<section id=\"repeat\"", "</section>"}};
	CheckResult *result = sample_result();
	sample_trust(first(result));
	Kept kept = kept_of(result, FALSE);
	assert_true(restore(&kept, &(KeptProfiles){kept.picture, kept.base_folded, kept.head_folded}));
	g_autofree char *page = report_html(&(HtmlReport){kept.result, FALSE}, NULL);
	g_autofree char *again = report_html(&(HtmlReport){kept.again, TRUE}, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
		g_autofree char *wanted = part_of(page, marks[i][0], marks[i][1]);
		g_autofree char *got = part_of(again, marks[i][0], marks[i][1]);
		gsize same = 0;
		while (wanted[same] != '\0' && wanted[same] == got[same])
			same++;
		if (strcmp(wanted, got) != 0)
			fail_msg("%.120s is not %.120s", wanted + same, got + same);
	}
	g_autofree char *picture = part_of(again, "<div class=\"picture\"", "<h4>Callers");
	assert_non_null(strstr(picture, "hash_word"));
	assert_non_null(strstr(picture, "per run"));
	assert_non_null(strstr(picture, " ± "));
	assert_true(html_report_is_whole(page));
	assert_false(html_report_is_whole(again));
	kept_clear(&kept);
}

/* The picture has the runs, and thereby what is ±; folded stacks have their sum. */
static void a_page_rendered_again_says_what_it_lacks_and_nothing_else(void **state)
{
	(void)state;
	static const char sums[] = "do not tell how costs vary (±)", modules[] = "in several modules apart",
	                  missing[] = "Where those files are missing";
	for (guint i = 0; i < 3; i++) {
		Kept kept = kept_of(sample_result(), FALSE);
		KeptProfiles files = {i == 0 ? kept.picture : NULL, kept.base_folded, kept.head_folded};
		if (i < 2)
			assert_true(restore(&kept, &files));
		g_autofree char *again = report_html(&(HtmlReport){kept.again, TRUE}, NULL);
		g_autofree char *note = part_of(again, "<p class=\"note\" id=\"again\">", "</p>");
		assert_int_equal(strstr(note, modules) != NULL, i < 2);
		assert_int_equal(strstr(note, sums) != NULL, i == 1);
		assert_int_equal(strstr(note, missing) != NULL, i == 2);
		assert_int_equal(strstr(again, " ± ") != NULL, i == 0);
		assert_false(html_report_is_whole(again));
		kept_clear(&kept);
	}
}

static void a_page_without_profiles_is_the_same_again(void **state)
{
	(void)state;
	CheckResult *result = check_result_new();
	result_side_set(&result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "sort");
	check_result_add_benchmark(result, "never measured");
	check_result_add_reason(result, 5, "build_failed", NULL, "the build of head failed");
	check_result_decide(result);
	gsize length;
	g_autofree char *json = report_json(result, &length);
	g_autoptr(CheckResult) read = report_read(json, length, "report.json", NULL);
	g_autofree char *page = report_html(&(HtmlReport){result, FALSE}, NULL);
	g_autofree char *again = report_html(&(HtmlReport){read, TRUE}, NULL);
	assert_string_equal(page, again);
	assert_true(html_report_is_whole(again));
	check_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_picture_gives_costs_and_folded_stacks_samples),
	        cmocka_unit_test(without_a_picture_all_samples_weigh_alike),
	        cmocka_unit_test(counts_come_back_exactly),
	        cmocka_unit_test(functions_keep_the_module_that_the_report_has),
	        cmocka_unit_test(one_side_alone_or_damaged_files_change_nothing),
	        cmocka_unit_test(a_page_rendered_again_has_the_same_functions_and_callers),
	        cmocka_unit_test(a_page_rendered_again_says_what_it_lacks_and_nothing_else),
	        cmocka_unit_test(a_page_without_profiles_is_the_same_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
