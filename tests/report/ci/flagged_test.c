/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/flagged.h"

#include "report/ci/codequality.h"
#include "report/ci/githubcommands.h"
#include "report/ci/junit.h"
#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

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
	OUTPUT_GITHUB_COMMANDS,
	OUTPUT_CODEQUALITY,
	OUTPUT_JUNIT,
	OUTPUT_SUMMARY,
	OUTPUT_TERMINAL,
	OUTPUT_HTML,
	OUTPUT_JSON,
} OutputKind;

static char *output_text(const CheckResult *result, OutputKind kind)
{
	static const TerminalOptions plain = {.details = TRUE};
	switch (kind) {
	case OUTPUT_GITHUB_COMMANDS:
		return github_commands_text(result, NULL);
	case OUTPUT_CODEQUALITY:
		return codequality_json(result, NULL);
	case OUTPUT_JUNIT:
		return junit_xml(result, 0, NULL);
	case OUTPUT_SUMMARY:
		return summary_markdown(result, NULL, NULL);
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
	assert_string_equal(first->place.path, "src/newname.c");
	assert_int_equal(first->place.line, 79);
}

/* Each is what one output has of the place. */
static void every_output_has_the_place_in_head(void **state)
{
	static const struct {
		OutputKind output;
		const char *part;
	} rows[] = {
	        {OUTPUT_GITHUB_COMMANDS, "file=src/newname.c,line=79,"},
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
		g_autofree char *notes = output_text(result, OUTPUT_GITHUB_COMMANDS);
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
		g_autofree char *notes = output_text(result, OUTPUT_GITHUB_COMMANDS);
		g_autofree char *notes_again = output_text(again, OUTPUT_GITHUB_COMMANDS);
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

/* --- slower although the total passes --- */

static void a_function_that_is_held_is_flagged_in_a_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	const FlaggedFunction *first = flagged->pdata[0];
	assert_int_equal(first->weight, FLAGGED_HELD);
	g_autofree char *text = flagged_text(first);
	assert_string_equal(text,
	        "catalog: slower although the total passes: hash_word +17.6 pp [+17.0, +18.2]; masked "
	        "by render_rows -7.5 pp");
}

/* The first one has the whole sentence; where there is none, as in reports of older versions, none has. */
static void further_functions_that_are_held_say_so(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	FunctionComparison *second = sample_row(benchmark, "count_word");
	second->held = FUNCTION_HELD_BY_CODE;
	second->sentence = g_strdup("count_word +0.3 pp");
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	g_autofree char *text = flagged_text(flagged->pdata[1]);
	assert_string_equal(text, "catalog: count_word +0.3 pp; it does not fail the check: same code");
}

static void what_is_slower_in_a_pass_is_in_every_output(void **state)
{
	static const struct {
		OutputKind output;
		const char *part;
	} rows[] = {
	        {OUTPUT_GITHUB_COMMANDS,
	                "::warning file=src/catalog.c,line=19,title=firebreak%3A catalog::catalog: slower "
	                "although the total passes: hash_word"},
	        {OUTPUT_CODEQUALITY, "\"description\": \"catalog: slower although the total passes: hash_word"},
	        {OUTPUT_CODEQUALITY, "\"severity\": \"minor\""},
	        {OUTPUT_JUNIT, "<testcase name=\"functions\" classname=\"catalog\">\n      <system-out>slower although "
	                       "the total passes: hash_word"},
	        {OUTPUT_SUMMARY, "| `catalog` | ⚠️ slower in a function | CPU time +0.40 % [-0.80, +1.6] | "
	                         "`hash_word` **+17.7 pp** ("},
	        {OUTPUT_SUMMARY, "- `catalog`: slower although the total passes: hash_word"},
	        {OUTPUT_TERMINAL, "(measured +0.40 %, -0.80 to +1.6 %); but a function is slower\n  ▲ catalog: slower "
	                          "although the total passes: "
	                          "hash_word"},
	        {OUTPUT_HTML, "</h1>\n<p class=\"slower\"><span class=\"chip warning\">slower in a function</span> "
	                      "<code>catalog</code>: "
	                      "slower although the total passes: hash_word"},
	        {OUTPUT_TERMINAL, "slower, total passes"},
	        {OUTPUT_SUMMARY, "slower, total passes"},
	};
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = output_text(result, rows[i].output);
		if (strstr(text, rows[i].part) == NULL)
			fail_msg("no %s in %s", rows[i].part, text);
	}
}

static void what_is_slower_in_a_pass_fails_no_test(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	g_autofree char *tests = output_text(result, OUTPUT_JUNIT),
	                *notes = output_text(result, OUTPUT_GITHUB_COMMANDS);
	assert_null(strstr(tests, "<failure"));
	assert_null(strstr(notes, "::error"));
	assert_null(strstr(notes + 1, "\n::notice title"));
}

/* --- what explains a function --- */

static void what_is_inlined_explains_a_row_in_every_table(void **state)
{
	static const struct {
		OutputKind output;
		const char *part;
	} rows[] = {
	        {OUTPUT_SUMMARY, "\n| ↳ `mix_all`, inlined | `mix.h:7` | +25.0 pp | [+24.5, +25.5] | – | "},
	        {OUTPUT_SUMMARY, "\n| ↳ `mix_one`, inlined | `mix.h:7` | -4.0 pp |"},
	        {OUTPUT_SUMMARY, "\n| ↳ the rest of it |  | -3.3 pp |"},
	        {OUTPUT_TERMINAL, "\n      ▲ mix_all, inlined  "},
	        {OUTPUT_TERMINAL, "\n      ▼ mix_one, inlined  "},
	        {OUTPUT_TERMINAL, "\n      ▼ the rest of it  "},
	        {OUTPUT_HTML,
	                "<ul class=\"more inside\"><li><code>mix_all</code>, inlined <b>+25.0 pp</b> [+24.5, +25.5] · "
	                "mix.h:7, touched</li>"},
	        {OUTPUT_HTML, "<li>the rest of it <b>-3.3 pp</b> </li></ul>"},
	};
	static const OutputKind tables[] = {OUTPUT_SUMMARY, OUTPUT_TERMINAL, OUTPUT_HTML};
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	FunctionComparison *function = sample_row(result->benchmarks->pdata[0], "hash_word");
	function->contribution = .177;
	assert_int_equal(function->inlined->len, 3);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = output_text(result, rows[i].output);
		if (strstr(text, rows[i].part) == NULL)
			fail_msg("no %s in %s", rows[i].part, text);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *text = output_text(result, tables[i]);
		assert_null(strstr(text, "mix_none"));
	}
}

static void the_texts_of_a_pass_with_a_slower_function_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	g_autofree char *terminal = output_text(result, OUTPUT_TERMINAL),
	                *summary = output_text(result, OUTPUT_SUMMARY);
	assert_golden("slower.txt", terminal);
	assert_golden("slower.md", summary);
}

/* --- the edited function --- */

/* hash_word is called more often by sort_words, which has no cost of its own. */
static CheckResult *called_more_often_result(void)
{
	CheckResult *result = sample_result();
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	StackTable *table = benchmark->head->profile->table;
	FunctionComparison *hash_word = sample_row(benchmark, "hash_word");
	hash_word->relation = CHANGE_CALLED_BY_TOUCHED;
	hash_word->through = stack_table_frame_named(table, "sort_words", "catalog", FRAME_USER);
	hash_word->edited_place = (FunctionPlace){
	        .file = stack_table_name(table, "src/sort.c", -1), .line = 42, .origin = SOURCE_COMMITTED};
	return result;
}

static void places_in_the_diff_are_those_of_the_edited_function(void **state)
{
	static const struct {
		OutputKind output;
		const char *part;
	} rows[] = {
	        {OUTPUT_GITHUB_COMMANDS, "::error file=src/sort.c,line=42,"},
	        {OUTPUT_CODEQUALITY, "\"path\": \"src/sort.c\",\n      \"lines\": {\n        \"begin\": 42"},
	        {OUTPUT_JUNIT, "(src/sort.c:42)"},
	        {OUTPUT_TERMINAL, "catalog.c:19"},
	};
	(void)state;
	g_autoptr(CheckResult) result = called_more_often_result();
	g_autofree char *report = output_text(result, OUTPUT_JSON);
	g_autoptr(CheckResult) again = report_read(report, strlen(report), "report.json", NULL);
	const CheckResult *const results[] = {result, again};
	for (gsize i = 0; i < G_N_ELEMENTS(rows) * G_N_ELEMENTS(results); i++) {
		g_autofree char *text = output_text(results[i % 2], rows[i / 2].output);
		if (strstr(text, rows[i / 2].part) == NULL)
			fail_msg("no %s in %s", rows[i / 2].part, text);
	}
}

static void an_edited_function_that_is_not_in_the_commit_is_no_place(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = called_more_often_result();
	sample_row(result->benchmarks->pdata[0], "hash_word")->edited_place.origin = SOURCE_MADE;
	g_autofree char *notes = output_text(result, OUTPUT_GITHUB_COMMANDS),
	                *report = output_text(result, OUTPUT_JSON);
	assert_non_null(strstr(notes, "::error file=src/catalog.c,line=19,"));
	assert_null(strstr(report, "src/sort.c"));
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
	        cmocka_unit_test(what_gates_comes_first_then_the_larger_contribution),
	        cmocka_unit_test(a_function_is_shown_where_head_has_it),
	        cmocka_unit_test(every_output_has_the_place_in_head),
	        cmocka_unit_test(a_file_that_is_not_in_the_commit_is_pointed_at_by_no_output),
	        cmocka_unit_test(a_report_that_is_read_back_points_at_the_same_files),
	        cmocka_unit_test(shares_are_of_the_base_total_in_every_output),
	        cmocka_unit_test(a_function_that_is_held_is_flagged_in_a_pass),
	        cmocka_unit_test(further_functions_that_are_held_say_so),
	        cmocka_unit_test(what_is_slower_in_a_pass_is_in_every_output),
	        cmocka_unit_test(what_is_slower_in_a_pass_fails_no_test),
	        cmocka_unit_test(what_is_inlined_explains_a_row_in_every_table),
	        cmocka_unit_test(the_texts_of_a_pass_with_a_slower_function_are_as_they_were),
	        cmocka_unit_test(places_in_the_diff_are_those_of_the_edited_function),
	        cmocka_unit_test(an_edited_function_that_is_not_in_the_commit_is_no_place),
	        cmocka_unit_test(what_became_cheaper_is_not_flagged),
	        cmocka_unit_test(a_benchmark_that_passed_has_notes_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
