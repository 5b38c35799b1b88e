/* SPDX-License-Identifier: Apache-2.0 */
#include "report/output/outdir.h"

#include "compare/outcome.h"
#include "core/durable.h"
#include "core/error.h"
#include "report/flame/flamediff.h"
#include "tests/report/countedsample.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
	char *root; /* a folder of this test alone */
	char *out;
} Place;

static int make_place(void **state)
{
	Place *place = g_new0(Place, 1);
	place->root = g_dir_make_tmp("firebreak-outdir-XXXXXX", NULL);
	place->out = g_build_filename(place->root, "deep", "firebreak-out", NULL);
	*state = place;
	return place->root == NULL;
}

static int remove_place(void **state)
{
	Place *place = *state;
	durable_remove_tree(place->root, NULL);
	g_free(place->root);
	g_free(place->out);
	g_free(place);
	return 0;
}

static char *read_file(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("%s is missing", path);
	return text;
}

static guint count_entries(const char *dir)
{
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	guint count = 0;
	while (g_dir_read_name(entries) != NULL)
		count++;
	return count;
}

static void write_good(CheckResult *result, const char *dir)
{
	g_autoptr(GError) error = NULL;
	if (!outdir_write(result, dir, &error))
		fail_msg("%s", error->message);
}

static void all_files_are_written_and_named_in_the_report(void **state)
{
	Place *place = *state;
	static const char *const names[] = {"summary.md", "junit.xml", "report.html", "catalog.base.folded",
	        "catalog.head.folded", "catalog.base.svg", "catalog.head.svg", "catalog.diff.svg"};
	g_autoptr(CheckResult) result = sample_result();
	write_good(result, place->out);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = read_file(place->out, names[i]);
		assert_true(strlen(text) > 0);
	}
	g_autofree char *report = read_file(place->out, "report.json");
	assert_non_null(strstr(report, "\"diff_svg\": \"catalog.diff.svg\""));
	g_autofree char *summary = read_file(place->out, "summary.md");
	assert_non_null(strstr(summary, "`catalog.diff.svg`"));
	g_autofree char *parent = g_path_get_dirname(place->out);
	assert_int_equal(count_entries(parent), 1);
}

/* Waits of one length on one stack. */
static Measurement *waits(const CheckResult *result, guint64 ns)
{
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	Measurement *measurement = measurement_new("catalog", "worktree", "");
	Profile *profile = measurement->profile = profile_new(benchmark->head->profile->table, "offcpu-time", "ns");
	for (guint run = 0; run < SAMPLE_RUNS; run++) {
		profile_add_run(profile);
		profile_add(profile, run, sample_stack(profile->table, "catalog", "main@catalog;read_rows@catalog"),
		        (ProfileCell){.samples = 2, .weight = ns});
	}
	return measurement;
}

static void an_extra_profile_has_files_of_its_own(void **state)
{
	Place *place = *state;
	static const char *const names[] = {"catalog.off-cpu.base.svg", "catalog.off-cpu.head.svg",
	        "catalog.off-cpu.diff.svg", "catalog.off-cpu.base.folded"};
	g_autoptr(CheckResult) result = sample_result();
	ResultProfile extra = {.event = (char *)"off-cpu",
	        .base = waits(result, 1000000),
	        .head = waits(result, 9000000),
	        .engine = &engine_perf};
	result_benchmark_add_profile(result->benchmarks->pdata[0], &extra);
	write_good(result, place->out);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = read_file(place->out, names[i]);
		assert_true(strlen(text) > 0);
	}
	g_autofree char *diff = read_file(place->out, "catalog.off-cpu.diff.svg");
	assert_non_null(strstr(diff, ">base 1a2b3c4 → head 5d6e7f8, off-cpu<"));
	g_autofree char *folded = read_file(place->out, "catalog.off-cpu.head.folded");
	assert_string_equal(folded, "catalog;main;read_rows 72000000\n"); /* weights, not samples */
	g_autofree char *report = read_file(place->out, "report.json");
	assert_non_null(strstr(report, "\"off-cpu.diff_svg\": \"catalog.off-cpu.diff.svg\""));
	assert_non_null(strstr(report, "\"off-cpu.head_folded\": \"catalog.off-cpu.head.folded\""));
	assert_non_null(strstr(report, "\"diff_svg\": \"catalog.diff.svg\""));
}

/* Every frame is wider than the one before it. */
static void a_difference_of_very_many_frames_has_the_widest(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	ResultProfile extra = {.event = (char *)"off-cpu",
	        .base = waits(result, 1000000),
	        .head = waits(result, 1000000),
	        .engine = &engine_perf};
	Profile *head = extra.head->profile;
	for (guint i = 0; i < 4000; i++) {
		g_autofree char *stack = g_strdup_printf("main@catalog;f%u@catalog", i);
		profile_add(head, 0, sample_stack(head->table, "catalog", stack),
		        (ProfileCell){.samples = 1, .weight = 1000000 + i});
	}
	result_benchmark_add_profile(result->benchmarks->pdata[0], &extra);
	write_good(result, place->out);
	g_autofree char *diff = read_file(place->out, "catalog.off-cpu.diff.svg");
	g_auto(GStrv) frames = g_strsplit(diff, "class=\"f\"", -1);
	assert_int_equal(g_strv_length(frames) - 1, FLAME_DIFF_MAX_FRAMES + 1); /* and the bottom */
	assert_non_null(strstr(diff, "frames are too narrow to be drawn"));
}

static char *hash_word_line(const char *dir, const char *name)
{
	static const char stack[] = "catalog;_start;__libc_start_main;main;count_words;count_word;hash_word ";
	g_autofree char *folded = read_file(dir, name);
	const char *line = strstr(folded, stack);
	assert_non_null(line);
	return g_strndup(line + strlen(stack), strcspn(line + strlen(stack), "\n"));
}

static void counts_are_those_of_one_run_under_the_plain_names(void **state)
{
	Place *place = *state;
	static const CountedSample twice = {2, 700000, 0};
	g_autoptr(CheckResult) result = counted_result(&twice);
	write_good(result, place->out);
	g_autofree char *base = hash_word_line(place->out, "catalog.base.folded");
	g_autofree char *head = hash_word_line(place->out, "catalog.head.folded");
	assert_string_equal(base, "12000052");
	assert_string_equal(head, "12700052");
	g_autofree char *svg = read_file(place->out, "catalog.head.svg");
	g_autofree char *diff = read_file(place->out, "catalog.diff.svg");
	assert_non_null(strstr(svg, "instructions per run, mean of 2 runs<"));
	assert_non_null(strstr(svg, ">head 5d6e7f8, instructions<"));
	assert_non_null(strstr(diff, ">base 1a2b3c4 → head 5d6e7f8, instructions<"));
	assert_null(strstr(svg, " samples"));
	assert_null(strstr(diff, "samples"));
}

static void counts_beside_time_have_files_under_the_name_of_their_profile(void **state)
{
	Place *place = *state;
	static const CountedSample slower = {1, 700000, 0};
	g_autoptr(CheckResult) result = counted_both(&slower, TRUE, PAIR_MORE_WORK, "more work is done");
	write_good(result, place->out);
	g_autofree char *samples = hash_word_line(place->out, "catalog.head.folded");
	g_autofree char *counts = hash_word_line(place->out, "catalog.instructions.head.folded");
	assert_string_equal(samples, "2032");
	assert_string_equal(counts, "12700052");
	g_autofree char *diff = read_file(place->out, "catalog.instructions.diff.svg");
	assert_null(strstr(diff, "samples"));
	g_autofree char *report = read_file(place->out, "report.json");
	assert_non_null(strstr(report, "\"instructions.diff_svg\": \"catalog.instructions.diff.svg\""));
}

static void an_extra_profile_of_head_alone_has_no_difference(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	ResultProfile extra = {.event = (char *)"system-calls", .head = waits(result, 3), .engine = &engine_callgrind};
	result_benchmark_add_profile(result->benchmarks->pdata[0], &extra);
	write_good(result, place->out);
	g_autofree char *folded = read_file(place->out, "catalog.system-calls.head.folded");
	assert_string_equal(folded, "catalog;main;read_rows 3\n");
	assert_int_equal(count_entries(place->out), 12);
}

static void folded_stacks_count_samples_of_all_runs_from_the_command_on(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	write_good(result, place->out);
	g_autofree char *folded = read_file(place->out, "catalog.head.folded");
	assert_non_null(
	        strstr(folded, "catalog;_start;__libc_start_main;main;count_words;count_word;hash_word 2032\n"));
	g_autofree char *base = read_file(place->out, "catalog.base.folded");
	assert_null(strstr(base, "hash_mix"));
}

static void an_earlier_output_is_replaced_whole(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result(), error_result = check_result_new();
	write_good(result, place->out);
	check_result_add_reason(error_result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(error_result);
	g_autofree char *with_slash = g_strconcat(place->out, "/", NULL);
	write_good(error_result, with_slash);
	assert_int_equal(count_entries(place->out), 5);
	g_autofree char *report = read_file(place->out, "report.json");
	assert_non_null(strstr(report, "\"verdict\": \"error\""));
}

static void a_folder_of_somebody_else_is_not_touched(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	g_autoptr(GError) error = NULL;
	g_autofree char *mine = g_build_filename(place->out, "thesis.tex", NULL);
	assert_int_equal(g_mkdir_with_parents(place->out, 0755), 0);
	assert_true(g_file_set_contents(mine, "text", -1, NULL));
	assert_false(outdir_write(result, place->out, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	assert_non_null(strstr(error->message, place->out));
	assert_true(g_file_test(mine, G_FILE_TEST_IS_REGULAR));
	g_autofree char *parent = g_path_get_dirname(place->out);
	assert_int_equal(count_entries(parent), 1);
}

static void an_empty_folder_may_be_used_and_a_file_may_not(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	assert_int_equal(g_mkdir_with_parents(place->out, 0755), 0);
	write_good(result, place->out);
	g_autofree char *file = g_build_filename(place->root, "file", NULL);
	g_autoptr(GError) error = NULL;
	assert_true(g_file_set_contents(file, "text", -1, NULL));
	assert_false(outdir_write(result, file, &error));
	g_autofree char *kept = read_file(place->root, "file");
	assert_string_equal(kept, "text");
}

static void a_failure_leaves_nothing_behind_and_names_no_files(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *file = g_build_filename(place->root, "file", NULL);
	g_autofree char *below = g_build_filename(file, "out", NULL);
	g_autoptr(GError) error = NULL;
	assert_true(g_file_set_contents(file, "text", -1, NULL));
	assert_false(outdir_write(result, below, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	assert_int_equal(count_entries(place->root), 1);
	assert_int_equal(((ResultBenchmark *)g_ptr_array_index(result->benchmarks, 0))->artifacts->len, 0);
}

static void a_name_from_outside_cannot_leave_the_folder(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_free(benchmark->name);
	benchmark->name = g_strdup("../../etc/passwd\n");
	write_good(result, place->out);
	assert_int_equal(count_entries(place->out), 10);
	assert_int_equal(count_entries(place->root), 1);
}

static void a_side_without_profile_has_no_pictures(void **state)
{
	Place *place = *state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "half");
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->base = sample_measurement(table, FALSE);
	check_result_add_reason(result, 4, "benchmark_failed", "half", "half: head run failed");
	check_result_decide(result);
	write_good(result, place->out);
	assert_int_equal(count_entries(place->out), 7);
	assert_int_equal(benchmark->artifacts->len, 4);
}

int main(void)
{
#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
	const struct CMUnitTest tests[] = {
	        WITH_PLACE(all_files_are_written_and_named_in_the_report),
	        WITH_PLACE(an_extra_profile_has_files_of_its_own),
	        WITH_PLACE(a_difference_of_very_many_frames_has_the_widest),
	        WITH_PLACE(counts_are_those_of_one_run_under_the_plain_names),
	        WITH_PLACE(counts_beside_time_have_files_under_the_name_of_their_profile),
	        WITH_PLACE(an_extra_profile_of_head_alone_has_no_difference),
	        WITH_PLACE(folded_stacks_count_samples_of_all_runs_from_the_command_on),
	        WITH_PLACE(an_earlier_output_is_replaced_whole),
	        WITH_PLACE(a_folder_of_somebody_else_is_not_touched),
	        WITH_PLACE(an_empty_folder_may_be_used_and_a_file_may_not),
	        WITH_PLACE(a_failure_leaves_nothing_behind_and_names_no_files),
	        WITH_PLACE(a_name_from_outside_cannot_leave_the_folder),
	        WITH_PLACE(a_side_without_profile_has_no_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
