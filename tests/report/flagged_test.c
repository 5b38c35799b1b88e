#include "report/flagged.h"

#include "report/annotations.h"
#include "report/codequality.h"
#include "report/htmlreport.h"
#include "report/junit.h"
#include "report/reportjson.h"
#include "report/reportread.h"
#include "report/summarymd.h"
#include "report/terminaltext.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void paths_are_as_git_writes_them(void **state)
{
	(void)state;
	static const struct {
		const char *file, *path;
	} rows[] = {
	        {"src/a.c", "src/a.c"},
	        {"./src//a.c", "src/a.c"},
	        {"a.c", "a.c"},
	        {"./", NULL},
	        {"", NULL},
	        {"/usr/include/stdio.h", NULL},
	        {"../other/a.c", NULL},
	        {"build/../src/a.c", "src/a.c"},
	        {"src/../../a.c", NULL},
	        {"..", NULL},
	        {"src/..", NULL},
	        {"<built-in>", NULL},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = flagged_path(rows[i].file);
		if (rows[i].path == NULL)
			assert_null(path);
		else
			assert_string_equal(path, rows[i].path);
	}
}

static void a_path_too_long_is_none(void **state)
{
	(void)state;
	g_autofree char *longest = g_strnfill(5000, 'a');
	g_autofree char *path = flagged_path(longest);
	assert_null(path);
}

static void what_gates_comes_first_then_the_larger_contribution(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	assert_int_equal(flagged->len, 2);
	const FlaggedFunction *first = flagged->pdata[0], *second = flagged->pdata[1];
	assert_string_equal(highlights_name(first->list.table, first->function->frame), "hash_word");
	assert_int_equal(first->weight, FLAGGED_GATES);
	assert_string_equal(highlights_name(second->list.table, second->function->frame), "hash_mix");
	assert_int_equal(second->weight, FLAGGED_SLOWER);
}

typedef enum {
	OUTPUT_ANNOTATIONS,
	OUTPUT_CODEQUALITY,
	OUTPUT_JUNIT,
	OUTPUT_SUMMARY,
	OUTPUT_TERMINAL,
	OUTPUT_HTML,
	OUTPUT_JSON,
} OutputKind;

static char *output_text(const CheckResult *result, OutputKind kind)
{
	static const TerminalOptions plain = {.width = 0};
	switch (kind) {
	case OUTPUT_ANNOTATIONS:
		return annotations_text(result, NULL);
	case OUTPUT_CODEQUALITY:
		return codequality_json(result, NULL);
	case OUTPUT_JUNIT:
		return junit_xml(result, 0, NULL);
	case OUTPUT_SUMMARY:
		return summary_markdown(result, 0, NULL);
	case OUTPUT_TERMINAL:
		return terminal_text(result, &plain);
	case OUTPUT_HTML:
		return report_html(&(HtmlReport){.result = result}, NULL);
	default:
		return report_json(result, NULL);
	}
}

/* hash_word in head: 60 lines were put in above it, and its file was renamed. */
static CheckResult *moved_result(void)
{
	CheckResult *result = sample_result();
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	StackTable *table = benchmark->head->profile->table;
	FunctionComparison *hash_word = sample_row(benchmark, "hash_word");
	hash_word->base_place = (FunctionPlace){.file = stack_table_name(table, "src/oldname.c", -1), .line = 19};
	hash_word->place = (FunctionPlace){.file = stack_table_name(table, "src/newname.c", -1), .line = 79};
	return result;
}

static void a_function_is_shown_where_head_has_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = moved_result();
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	const FlaggedFunction *first = flagged->pdata[0];
	assert_string_equal(first->path, "src/newname.c");
	assert_int_equal(first->line, 79);
}

/* Each is what one output has of the place. */
static void every_output_has_the_place_in_head(void **state)
{
	static const struct {
		OutputKind output;
		const char *part;
	} rows[] = {
	        {OUTPUT_ANNOTATIONS, "file=src/newname.c,line=79,"},
	        {OUTPUT_CODEQUALITY, "\"path\": \"src/newname.c\""},
	        {OUTPUT_JUNIT, "(src/newname.c:79)"},
	        {OUTPUT_SUMMARY, "`newname.c:79`, was `oldname.c`"},
	        {OUTPUT_TERMINAL, "newname.c:79 (was oldname.c)"},
	        {OUTPUT_HTML, "newname.c:79</span>, was oldname.c"},
	        {OUTPUT_JSON, "\"base_file\": \"src/oldname.c\""},
	};
	(void)state;
	g_autoptr(CheckResult) result = moved_result();
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = output_text(result, rows[i].output);
		if (strstr(text, rows[i].part) == NULL)
			fail_msg("no %s in %s", rows[i].part, text);
	}
}

/* Made by the build, of a submodule, or of the system. */
static void a_file_that_is_not_in_the_commit_is_pointed_at_by_no_output(void **state)
{
	static const SourceOrigin origins[] = {SOURCE_MADE, SOURCE_SUBMODULE, SOURCE_OUTSIDE};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(origins); i++) {
		g_autoptr(CheckResult) result = moved_result();
		sample_row(result->benchmarks->pdata[0], "hash_word")->place.origin = origins[i];
		g_autofree char *notes = output_text(result, OUTPUT_ANNOTATIONS);
		g_autofree char *issues = output_text(result, OUTPUT_CODEQUALITY);
		g_autofree char *report = output_text(result, OUTPUT_JSON);
		assert_null(strstr(notes, "newname.c,line"));
		assert_non_null(strstr(notes, "hash_word"));
		assert_null(strstr(issues, "\"path\": \"src/newname.c\""));
		assert_non_null(strstr(report, "\"file_in_commit\": false"));
	}
}

static void a_report_that_is_read_back_points_at_the_same_files(void **state)
{
	static const SourceOrigin origins[] = {SOURCE_UNKNOWN, SOURCE_COMMITTED, SOURCE_MADE, SOURCE_OUTSIDE};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(origins); i++) {
		g_autoptr(CheckResult) result = moved_result();
		sample_row(result->benchmarks->pdata[0], "hash_word")->place.origin = origins[i];
		g_autofree char *report = output_text(result, OUTPUT_JSON);
		g_autoptr(CheckResult) again = report_read(report, strlen(report), "report.json", NULL);
		g_autofree char *notes = output_text(result, OUTPUT_ANNOTATIONS);
		g_autofree char *notes_again = output_text(again, OUTPUT_ANNOTATIONS);
		g_autofree char *report_again = output_text(again, OUTPUT_JSON);
		assert_string_equal(notes, notes_again);
		assert_string_equal(report, report_again);
	}
}

static void shares_are_of_the_base_total_in_every_output(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	static const OutputKind outputs[] = {OUTPUT_SUMMARY, OUTPUT_HTML};
	for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
		g_autofree char *text = output_text(result, outputs[i]);
		assert_non_null(strstr(text, "15.9 %"));
		assert_null(strstr(text, "33.6 %"));
	}
}

static void what_became_cheaper_is_not_flagged(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_row(result->benchmarks->pdata[0], "render_rows")->klass = FUNCTION_LAYOUT_SUSPECT;
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	assert_int_equal(flagged->len, 2);
}

static void a_benchmark_that_passed_has_notes_only(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(2, 4);
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->verdict = VERDICT_PASS;
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	const FlaggedFunction *last = flagged->pdata[flagged->len - 1];
	assert_int_equal(last->weight, FLAGGED_NOTICED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(paths_are_as_git_writes_them),
	        cmocka_unit_test(a_path_too_long_is_none),
	        cmocka_unit_test(what_gates_comes_first_then_the_larger_contribution),
	        cmocka_unit_test(a_function_is_shown_where_head_has_it),
	        cmocka_unit_test(every_output_has_the_place_in_head),
	        cmocka_unit_test(a_file_that_is_not_in_the_commit_is_pointed_at_by_no_output),
	        cmocka_unit_test(a_report_that_is_read_back_points_at_the_same_files),
	        cmocka_unit_test(shares_are_of_the_base_total_in_every_output),
	        cmocka_unit_test(what_became_cheaper_is_not_flagged),
	        cmocka_unit_test(a_benchmark_that_passed_has_notes_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
