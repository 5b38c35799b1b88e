/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/reportjson.h"

#include "compare/endings.h"
#include "compare/outcome.h"
#include "core/error.h"
#include "core/jsontext.h"
#include "report/html/htmlreport.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "report/words/highlights.h"
#include "tests/report/annotatedsample.h"
#include "tests/report/htmlexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static CheckResult *read_back(const CheckResult *result)
{
	gsize length;
	g_autofree char *text = report_json(result, &length);
	g_autoptr(GError) error = NULL;
	CheckResult *again = report_read(text, length, "report.json", &error);
	if (again == NULL)
		fail_msg("%s", error->message);
	return again;
}

static void check_texts(const CheckResult *result)
{
	g_autoptr(CheckResult) again = read_back(result);
	TerminalOptions options = {.details = TRUE, .out_dir = "out"};
	g_autofree char *summary = summary_markdown(result, NULL, NULL),
	                *summary_again = summary_markdown(again, 0, NULL);
	g_autofree char *text = terminal_text(result, &options), *text_again = terminal_text(again, &options);

	assert_string_equal(summary, summary_again);
	assert_string_equal(text, text_again);
	assert_int_equal(result->exit_code, again->exit_code);
}

static void texts_rendered_from_a_report_are_those_of_the_check(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup("catalog.diff.svg"));
	check_texts(result);
}

static void what_is_known_of_code_and_gate_reads_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_trust(benchmark);
	for (guint i = 0; i < N_CONFIRMATIONS; i++) {
		MetricComparison *metric = benchmark->comparison->metrics->pdata[0];
		benchmark->comparison->confirmation = metric->confirmation = (Confirmation)i;
		check_texts(result);
	}
	benchmark->calibration->smallest_visible = NAN;
	benchmark->calibration->suspicious = TRUE;
	for (guint mode = CHECK_GATE; mode <= CHECK_SELF_TEST; mode++) {
		result->mode = mode;
		check_result_decide(result);
		check_texts(result);
	}
}

static void add_compiler(ResultSide *side, const char *name, const char *program, guint calls)
{
	UsedCompiler *compiler = g_new0(UsedCompiler, 1);
	compiler->name = g_strdup(name);
	compiler->program = g_strdup(program);
	compiler->calls = calls;
	if (side->compilers == NULL)
		side->compilers = used_compilers_new();
	g_ptr_array_add(side->compilers, compiler);
}

static void compilers_and_programs_read_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	add_compiler(&result->head, "cc", "/usr/bin/gcc-12", 3);
	benchmark->head_program = g_new0(ProgramFacts, 1);
	benchmark->head_program->file = g_strdup("build/bench");
	benchmark->head_program->producers = g_strdup("GNU C17 12.2.0 -O2\nGNU C17 12.2.0 -O3");
	benchmark->head_program->units = 7;
	benchmark->head_program->units_without_frame_pointers = 2;
	g_autoptr(CheckResult) again = read_back(result);
	assert_null(again->base.compilers);
	assert_int_equal(again->head.compilers->len, 1);
	assert_string_equal(((UsedCompiler *)again->head.compilers->pdata[0])->program, "/usr/bin/gcc-12");
	assert_int_equal(((UsedCompiler *)again->head.compilers->pdata[0])->calls, 3);
	const ResultBenchmark *read = again->benchmarks->pdata[0];
	assert_null(read->base_program);
	assert_string_equal(read->head_program->producers, benchmark->head_program->producers);
	assert_int_equal(read->head_program->units, 7);
	assert_int_equal(read->head_program->units_without_frame_pointers, 2);
	g_autofree char *text = report_json(result, NULL), *written_again = report_json(again, NULL);
	assert_string_equal(text, written_again);
}

static void add_acceptance(CheckResult *result, AcceptanceState state, const char *function)
{
	Acceptance *acceptance = acceptance_of_trailer("5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80", "catalog: <b>\377");
	acceptance->state = state;
	acceptance->function = g_strdup(function);
	acceptance->until = g_strdup(function);
	acceptance->source = function != NULL ? ACCEPTANCE_BY_CONFIG : ACCEPTANCE_BY_TRAILER;
	acceptance->is_new = function == NULL;
	g_ptr_array_add(result->acceptances, acceptance);
}

/* The first metric and function of the sample as accepted. */
static void accept_sample(CheckResult *result)
{
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	MetricComparison *metric = comparison->metrics->pdata[0];
	FunctionComparison *function = comparison->functions->pdata[0];
	const AcceptedRegression written = {TRUE, (char *)"hash_word", &engine_perf, (char *)"hash_word +12 pp",
	        (char *)"<b>\377", (char *)"firebreak.yml:6"};
	metric->accepted = function->accepted = TRUE;
	metric->verdict = VERDICT_REGRESSION;
	function->gates = FALSE;
	benchmark_comparison_add_accepted(comparison, accepted_regression_copy(&written));
	benchmark_comparison_decide(comparison, VERDICT_PASS, "accepted", g_strdup("accepted"));
}

static void what_is_accepted_reads_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	for (int s = ACCEPTANCE_UNUSED; s <= ACCEPTANCE_SPENT; s++)
		add_acceptance(result, (AcceptanceState)s, s % 2 == 0 ? "hash_word" : NULL);
	accept_sample(result);
	check_texts(result);
	gsize length, length_again;
	g_autoptr(CheckResult) again = read_back(result);
	g_autofree char *text = report_json(result, &length), *text_again = report_json(again, &length_again);
	const char *list = strstr(text, "\"acceptances\""), *list_again = strstr(text_again, "\"acceptances\"");
	assert_int_equal(again->acceptances->len, ACCEPTANCE_SPENT + 1);
	assert_memory_equal(list, list_again, (gsize)(strstr(list, "\"benchmarks\"") - list));
	const BenchmarkComparison *read = ((const ResultBenchmark *)again->benchmarks->pdata[0])->comparison;
	assert_int_equal(read->accepted->len, 1);
	assert_string_equal(((const AcceptedRegression *)read->accepted->pdata[0])->reason, "<b>\377");
	assert_true(((const MetricComparison *)read->metrics->pdata[0])->accepted);
	assert_false(((const MetricComparison *)read->metrics->pdata[1])->accepted);
	assert_true(((const FunctionComparison *)read->functions->pdata[0])->accepted);
}

/* Reports of before there were modes, confirmations and calibrations. */
static void reports_without_later_keys_are_of_a_gate(void **state)
{
	(void)state;
	static const char text[] =
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"regression\", \"exit_code\": 1, \"benchmarks\": "
	        "[{\"name\": \"b\", \"verdict\": \"regression\", \"sentence\": \"s\", \"profile\": {}, \"metrics\": "
	        "[], "
	        "\"functions\": [{\"name\": \"f\", \"class\": \"regression\", \"gates\": true}]}]}";
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) result = report_read(text, strlen(text), "r.json", &error);
	assert_non_null(result);
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	const FunctionComparison *function = benchmark->comparison->functions->pdata[0];
	assert_int_equal(result->mode, CHECK_GATE);
	assert_int_equal(benchmark->comparison->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(benchmark->calibration);
	assert_int_equal(function->relation, CHANGE_UNKNOWN);
	assert_int_equal(function->code, CODE_UNKNOWN);
	assert_ptr_equal(benchmark->engine, &engine_perf);
	assert_int_equal(benchmark->base_source, BASE_NONE);
	assert_int_equal(benchmark->comparison->pair, PAIR_UNKNOWN);
	assert_false(benchmark->comparison->counted);
	assert_int_equal(benchmark->profiles->len, 0);
}

static void counts_read_back_with_all_digits(void **state)
{
	(void)state;
	static const CountedSample noisy = {5, 885618, 1234};
	g_autoptr(CheckResult) result = counted_result(&noisy);
	ResultBenchmark *written = result->benchmarks->pdata[0];
	MetricComparison *metric = written->comparison->metrics->pdata[0];
	FunctionComparison *function = written->comparison->functions->pdata[0];
	metric->base = g_array_index(metric->base_values, double, 0) = 9007199254740991.;
	function->head_cost = 448201334123;
	written->base_source = BASE_STORED;
	check_texts(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *read = again->benchmarks->pdata[0];
	const MetricComparison *read_metric = read->comparison->metrics->pdata[0];
	const FunctionComparison *read_function = read->comparison->functions->pdata[0];
	const UnstableFunction *unstable = &g_array_index(read->comparison->unstable, UnstableFunction, 1);
	assert_true(read->comparison->counted);
	assert_ptr_equal(read->engine, &engine_callgrind);
	assert_int_equal(read->base_source, BASE_STORED);
	assert_true(read_metric->base == 9007199254740991.);
	assert_int_equal(read_metric->base_values->len, 5);
	assert_true(g_array_index(read_metric->base_values, double, 0) == 9007199254740991.);
	assert_true(fabs(read_metric->head_spread - metric->head_spread) < 1e-12);
	assert_true(read_function->base_cost == 12000052 && read_function->head_cost == 448201334123);
	assert_true(read_function->repeats);
	assert_int_equal(read->comparison->unstable->len, 2);
	assert_int_equal(unstable->side, 1);
	assert_true(unstable->lowest == 400000 && unstable->highest == 404936);
}

static void two_engines_read_back_with_their_pair_and_profiles(void **state)
{
	(void)state;
	static const CountedSample slower = {1, 885618, 1234};
	for (guint pair = PAIR_UNKNOWN; pair <= PAIR_OPPOSED; pair++) {
		g_autoptr(CheckResult) result =
		        counted_both(&slower, TRUE, pair, pair == PAIR_UNKNOWN ? NULL : "what they say");
		ResultProfile waits = {.event = (char *)"off-cpu", .engine = &engine_perf};
		result_benchmark_add_profile(result->benchmarks->pdata[0], &waits);
		check_texts(result);
		g_autoptr(CheckResult) again = read_back(result);
		const ResultBenchmark *read = again->benchmarks->pdata[0];
		const ResultProfile *counts = read->profiles->pdata[0], *other = read->profiles->pdata[1];
		assert_int_equal(read->comparison->pair, pair);
		assert_ptr_equal(counts->engine, &engine_callgrind);
		assert_true(counts->decides && counts->comparison->counted);
		assert_string_equal(counts->head->profile->unit, "instructions");
		assert_int_equal(counts->comparison->functions->len, 4);
		assert_string_equal(other->event, "off-cpu");
		assert_false(other->decides);
		assert_null(other->comparison);
	}
}

/* Reading a report and writing it again changes no byte. */
static void check_bytes(const CheckResult *result)
{
	g_autoptr(CheckResult) again = read_back(result);
	g_autofree char *json = report_json(result, NULL), *json_again = report_json(again, NULL);
	gsize same = 0;
	while (json[same] != '\0' && json[same] == json_again[same])
		same++;
	if (strcmp(json, json_again) != 0)
		fail_msg("%.60s is not %.60s", json + same, json_again + same);
}

static void a_report_that_is_read_and_written_is_the_same_byte_for_byte(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	check_bytes(result);
	benchmark->comparison->report_alpha = .01;
	g_autoptr(CheckResult) read = read_back(result);
	assert_true(((ResultBenchmark *)read->benchmarks->pdata[0])->comparison->report_alpha == .01);
	result->seed = 18446744073709551615u;
	result->max_time_s = 612.5;
	result->elapsed_s = 61.25;
	sample_trust(benchmark);
	sample_artifacts(benchmark);
	sample_own_metric(benchmark->comparison);
	sample_zero_metrics(benchmark->comparison);
	annotate_sample(result);
	check_bytes(result);
}

/* The reasons that hold a function back and the parts that are inlined into it come back, and the line about it leads
 * every text. */
static void what_is_slower_although_the_total_passes_reads_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	FunctionComparison *function = sample_row(benchmark, "msort");
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = stack_table_frame_named(benchmark->base->profile->table, "swap", "catalog", FRAME_INLINED);
	part->base_cost = 1000;
	part->head_cost = 2000;
	part->contribution = .0125;
	part->contribution_lower = .0075;
	part->contribution_upper = .0175;
	part->base_samples = 10;
	part->head_samples = 20;
	part->relation = CHANGE_TOUCHED;
	function->inlined = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(function->inlined, part);
	function->held = FUNCTION_HELD_BY_TOTAL;
	benchmark->comparison->slower = g_strdup("slower although the total passes: msort +1.0 pp");
	sample_trust(benchmark);
	sample_artifacts(benchmark);
	check_bytes(result);
	check_texts(result);
	const TerminalOptions options = {.details = TRUE, .width = 100};
	g_autofree char *text = terminal_text(result, &options), *summary = summary_markdown(result, NULL, NULL);
	const HtmlReport html = {.result = result};
	g_autofree char *page = report_html(&html, NULL);
	const char *const texts[] = {text, summary, page};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_non_null(strstr(texts[i], "slower although the total passes"));
}

static void a_report_of_counts_that_is_read_and_written_is_the_same(void **state)
{
	(void)state;
	static const CountedSample noisy = {5, 885618, 1234};
	g_autoptr(CheckResult) alone = counted_result(&noisy);
	g_autoptr(CheckResult) both = counted_both(&noisy, TRUE, PAIR_MORE_WORK, "more work");
	ResultBenchmark *benchmark = g_ptr_array_index(alone->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	benchmark->annotations = annotated_functions(benchmark->head->profile->table);
	metric->base = 12345678901.5; /* ten digits make it whole, and still it was not */
	check_bytes(alone);
	ResultProfile *counts =
	        g_ptr_array_index(((ResultBenchmark *)g_ptr_array_index(both->benchmarks, 0))->profiles, 0);
	counts->annotations = annotated_functions(counts->head->profile->table);
	check_bytes(both);
}

/* Ratios of the smallest changes have few digits after the 1. */
static void the_smallest_changes_read_back_with_all_their_digits(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	MetricLook *look = &g_array_index(metric->looks, MetricLook, 0);
	for (int exponent = -15; exponent <= 6; exponent++) {
		metric->change_ratio = 1 + 1.23456789012345 * pow(10, exponent);
		metric->lower_ratio = 1 - MIN(.999999999999999, 1.9876543210987 * pow(10, exponent));
		metric->upper_ratio = 1 + 7.7777777777777 * pow(10, exponent);
		look->lower = log(metric->lower_ratio);
		look->upper = log1p(7.7777777777777 * pow(10, exponent));
		check_bytes(result);
	}
	look->lower = -INFINITY;
	look->upper = INFINITY;
	check_bytes(result);
}

static void a_report_without_a_head_or_a_comparison_is_the_same_again(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "half");
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->base = sample_measurement(table, FALSE);
	benchmark->base->work = 2.5;
	check_result_add_benchmark(result, "never measured");
	check_result_add_reason(result, 4, "benchmark_failed", "half", "half: head run failed \xff");
	check_result_decide(result);
	check_bytes(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *half = g_ptr_array_index(again->benchmarks, 0);
	assert_null(half->head);
	assert_int_equal(half->base->runs->len, SAMPLE_RUNS);
}

static void hostile_texts_are_the_same_again(void **state)
{
	(void)state;
	static const char *const texts[] = {"\xff\xfe", "\\xff", "\\x5cxff", "\"</script>\n", "\xe2\x80\xae", "?"};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(CheckResult) result = hostile_result(texts[i]);
		check_bytes(result);
	}
}

/* Base's function of the same name lies in a module that the report does not name. */
static void a_function_that_moved_to_another_module_stays_renamed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *function = sample_row(benchmark, "msort");
	function->renamed_from =
	        stack_table_frame_named(benchmark->head->profile->table, "msort", "libold.so", FRAME_USER);
	check_bytes(result);
}

static void lines_and_instructions_read_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	annotate_sample(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *benchmark = g_ptr_array_index(again->benchmarks, 0);
	const FunctionAnnotation *annotation = g_ptr_array_index(benchmark->annotations, 0);
	const FunctionComparison *function = sample_row(benchmark, "hash_word");
	const AnnotatedLine *added = &g_array_index(annotation->lines, AnnotatedLine, 4);
	const AnnotatedInstruction *gap = &g_array_index(annotation->instructions, AnnotatedInstruction, 2);
	assert_int_equal(annotation->frame.index, function->frame.index);
	assert_true(added->base_line == 0 && added->head_line == 29 && added->edited);
	assert_true(isnan(added->base_self) && added->head_self == 23000000);
	assert_true(annotated_instruction_is_gap(gap));
	assert_int_equal(gap->n_left_out, 12);
	assert_string_equal(annotation->base_file, "src/words.c");
}

static void changed_code_reads_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	annotate_sample(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ChangedSource *file = again->changed->files->pdata[0];
	const ChangedHunk *hunk = file->hunks->pdata[0];
	const ChangedFunction *function = hunk->functions->pdata[0];
	const ChangedLine *removed = &g_array_index(hunk->lines, ChangedLine, 1);
	assert_int_equal(again->changed->n_files, 5);
	assert_string_equal(file->head_path, "src/catalog.c");
	assert_int_equal(hunk->place.head_lines, 8);
	assert_string_equal(function->name, "hash_word");
	assert_int_equal(function->klass, FUNCTION_REGRESSION);
	assert_true(removed->kind == CHANGED_REMOVED && removed->base_line == 28 && isnan(removed->head_self));
	assert_true(changed_line_is_gap(&g_array_index(hunk->lines, ChangedLine, 4)));
	assert_null(((const ChangedSource *)again->changed->files->pdata[1])->head_path);
}

static void earlier_commits_read_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	annotate_sample(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *benchmark = g_ptr_array_index(again->benchmarks, 0);
	const MetricHistory *history = g_ptr_array_index(benchmark->history, 0);
	const HistoryPoint *changed = &g_array_index(history->points, HistoryPoint, 5);
	assert_int_equal(history->points->len, ANNOTATED_COMMITS);
	assert_false(changed->same_environment);
	assert_int_equal(changed->time_s, 1700000000 + 3600 * 5);
	assert_true(isnan(g_array_index(history->points, HistoryPoint, 2).median));
}

static void unknown_values_stay_unknown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	metric->base = metric->mde_ratio = NAN;
	metric->upper_ratio = INFINITY;
	check_texts(result);
}

static void changes_from_zero_and_what_cannot_be_compared_read_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	check_texts(result);
}

static void errors_read_back_as_errors(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "never measured");
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build \xff");
	check_result_decide(result);
	check_texts(result);
}

static void check_refused(const char *text, const char *part)
{
	g_autoptr(GError) error = NULL;
	assert_null(report_read(text, strlen(text), "r.json", &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, error->message);
}

static void what_is_no_report_is_refused(void **state)
{
	(void)state;
	check_refused("", "r.json");
	check_refused("[]", "schema");
	check_refused("{\"schema\": \"firebreak-report/2\"}", "firebreak-report/2");
	check_refused("{\"schema\": \"firebreak-report/1\"}", "verdict");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"fine\"}", "fine");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"mode\": \"prayer\"}", "prayer");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\"}", "exit_code");
	check_refused(
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"error\", \"exit_code\": 4294967296}", "exit_code");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"exit_code\": 0, \"benchmarks\": "
	              "[{\"engine\": \"steam\"}]}",
	        "steam");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"exit_code\": 0, \"benchmarks\": "
	              "[{\"sentence\": \"s\", \"verdict\": \"pass\", \"metrics\": [{\"engine\": \"gears\"}]}]}",
	        "gears");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"exit_code\": 0, \"benchmarks\": "
	              "[{\"base_source\": \"borrowed\"}]}",
	        "borrowed");
	check_refused(
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"benchmarks\": [{\"name\": 3}, 7]}x",
	        "r.json");
}

/* A report may be anybody's: whatever has the wrong type is missing, nothing crashes. */
static void wrong_types_count_as_missing(void **state)
{
	(void)state;
	static const char text[] =
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"error\", \"exit_code\": 4, \"base\": 3, "
	        "\"findings\": {}, \"reasons\": {\"exit_code\": 0}, \"environment\": {\"a\": 3}, \"seed\": \"-1\", "
	        "\"changed_code\": {\"files\": [1, {\"hunks\": [2, {\"lines\": [{}]}]}]}, "
	        "\"benchmarks\": [{\"name\": \"a\", "
	        "\"runs\": [3, {\"base\": 4, \"head\": {}}], \"annotations\": [3, {\"lines\": [4, {}], "
	        "\"instructions\": 5}], \"history\": [7, {\"points\": [8]}], \"artifacts\": {\"diff_svg\": 4}}, 7,"
	        "{\"name\": \"b\", \"engine\": \"callgrind\", \"verdict\": \"error\", \"sentence\": \"s\", "
	        "\"unstable\": [3, "
	        "{\"lowest\": {}}],"
	        "\"profiles\": [1, {\"functions\": 3, \"profile\": 4, \"decides\": true}]}]}";
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) result = report_read(text, strlen(text), "r.json", &error);
	if (result == NULL)
		fail_msg("%s", error->message);
	assert_string_equal(result->base.sha, "");
	TerminalOptions options = {.details = TRUE, .out_dir = "out"};
	g_autofree char *rendered = terminal_text(result, &options);
	assert_non_null(rendered);
}

/* --- what holds no longer together --- */

/* Sets the value at a path of keys and numbers; NULL removes it. */
static void set_at(json_t *root, const char *path, const char *value)
{
	g_auto(GStrv) keys = g_strsplit(path, "/", -1);
	json_t *at = root;
	guint last = g_strv_length(keys) - 1;
	for (guint i = 0; i < last; i++)
		at = json_is_array(at) ? json_array_get(at, (gsize)atoi(keys[i])) : json_object_get(at, keys[i]);
	assert_non_null(at);
	json_t *new_value = value != NULL ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
	if (value == NULL)
		assert_int_equal(json_object_del(at, keys[last]), 0);
	else if (json_is_array(at))
		assert_int_equal(json_array_set_new(at, (gsize)atoi(keys[last]), new_value), 0);
	else
		assert_int_equal(json_object_set_new(at, keys[last], new_value), 0);
}

/* Reads the report of a result in which some values were changed: {path, value, path, value, ..., NULL}. */
static CheckResult *read_changed(const CheckResult *result, const char *const *changes, GError **error)
{
	gsize length;
	g_autofree char *text = report_json(result, &length);
	json_auto_t *root = json_load_text(text, length, "report.json", NULL);
	for (; *changes != NULL; changes += 2)
		set_at(root, changes[0], changes[1]);
	g_autofree char *changed = json_dump_text(root, &length);
	return report_read(changed, length, "r.json", error);
}

static void refuses_changed(const CheckResult *result, const char *says, const char *const *changes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) read = read_changed(result, changes, &error);
	if (read != NULL)
		fail_msg("%s = %s: read as %s", changes[0], changes[1], verdict_name(read->verdict));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	if (strstr(error->message, says) == NULL)
		fail_msg("%s = %s: '%s' is not in '%s'", changes[0], changes[1], says, error->message);
}

#define REFUSES(result, says, ...) refuses_changed(result, says, (const char *const[]){__VA_ARGS__, NULL})
#define METRIC "benchmarks/0/metrics/0/"

static CheckResult *passing(void)
{
	static const CountedSample same = {3, 0, 0};
	CheckResult *result = counted_result(&same);
	assert_int_equal(result->exit_code, 0);
	return result;
}

static void a_pass_needs_a_metric_that_gates_and_was_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = passing();
	REFUSES(result, "none of its metrics gates", "benchmarks/0/metrics", NULL);
	REFUSES(result, "none of its metrics gates", "benchmarks/0/metrics", "[]");
	REFUSES(result, "none of its metrics gates", "benchmarks/0/metrics", "{}");
	REFUSES(result, "none of its metrics gates", METRIC "gates", "false");
	REFUSES(result, "none of its metrics gates", METRIC "gates", NULL);
	static const char *const facts[][2] = {{"base", "null"}, {"head", "null"}, {"rounds", "0"}, {"rounds", "4"},
	        {"base_values", "[]"}, {"head_values", NULL}, {"head_values", "[null, null, null]"}, {"head", "0"},
	        {"base_values", "[1, 1, 1]"}};
	for (guint i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_autofree char *path = g_strconcat(METRIC, facts[i][0], NULL);
		REFUSES(result, "was not measured", path, facts[i][1]);
	}
	REFUSES(result, "was not run on both sides", "benchmarks/0/runs", "[]");
	REFUSES(result, "was not run on both sides", "benchmarks/0/runs", NULL);
}

static void a_pass_that_its_own_numbers_deny_is_none(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = passing();
	REFUSES(result, "does not pass", METRIC "verdict", "\"regression\"");
	REFUSES(result, "does not pass", METRIC "verdict", "\"inconclusive\"");
	REFUSES(result, "does not pass", METRIC "verdict", "\"error\"");
	REFUSES(result, "beyond its margin", METRIC "ci_pct", "[1, 3]");
	REFUSES(result, "beyond its margin", METRIC "ci_pct", NULL);
	REFUSES(result, "beyond its margin", METRIC "margin_pct", "-1", METRIC "pass_margin_pct", "-1");
	REFUSES(result, "a function of it gates", "benchmarks/0/functions/0/gates", "true");
	REFUSES(result, "its reason is", "benchmarks/0/reason_code", "\"regression\"");
	REFUSES(result, "nothing of it is", "benchmarks/0/reason_code", "\"accepted\"");
	REFUSES(result, "nobody accepted", METRIC "verdict", "\"regression\"", METRIC "accepted", "true");
	REFUSES(result, "without a comparison", "benchmarks/0/sentence", "null");
	REFUSES(result, "verdict", "benchmarks/0/verdict", NULL);
}

/* The regression of the sample as a pass, from the outside in. */
static void no_verdict_is_better_than_what_it_stands_on(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	assert_int_equal(result->exit_code, 1);
	REFUSES(result, "exit code 1", "verdict", "\"pass\"");
	REFUSES(result, "exit_code", "exit_code", NULL);
	REFUSES(result, "the verdict is regression", "exit_code", "0");
	REFUSES(result, "benchmarks and reasons say 1", "verdict", "\"pass\"", "exit_code", "0");
	REFUSES(result, "benchmarks and reasons say 1", "verdict", "\"pass\"", "exit_code", "0", "reasons", "[]");
	REFUSES(result, "benchmarks and reasons say 4", "verdict", "\"pass\"", "exit_code", "0", "reasons", "[]",
	        "benchmarks", "[]");
	REFUSES(result, "passes, but", "verdict", "\"pass\"", "exit_code", "0", "reasons", "[]", "benchmarks/0/verdict",
	        "\"pass\"");
	REFUSES(result, "a function of it gates", "verdict", "\"pass\"", "exit_code", "0", "reasons", "[]",
	        "benchmarks/0/verdict", "\"pass\"", "benchmarks/0/reason_code", "\"\"", (METRIC "verdict"), "\"pass\"");
	REFUSES(result, "exit code 0", "reasons/0/exit_code", "0");
	REFUSES(result, "exit_code", "reasons/0/exit_code", NULL);
}

/* junit.xml, for one, shows the functions of both below the benchmark's verdict. */
static void a_profile_decides_only_beside_a_comparison(void **state)
{
	(void)state;
	static const CountedSample slower = {1, 885618, 1234};
	g_autoptr(CheckResult) result = counted_both(&slower, TRUE, PAIR_SAME, NULL);
	REFUSES(result, "deciding profile 'instructions'", "benchmarks/0/sentence", "null", "benchmarks/0/verdict",
	        "\"error\"");
}

/* Drift, for one, is a reason that no row shows. */
static void a_reason_that_was_lost_is_missed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = passing();
	check_result_add_reason(result, 1, "drift", "catalog", "it drifted");
	check_result_decide(result);
	REFUSES(result, "the exit code is 1, but benchmarks and reasons say 0", "reasons", NULL);
	REFUSES(result, "the exit code is 1, but benchmarks and reasons say 0", "reasons", "[]");
}

static void a_benchmark_is_there_once(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = passing();
	ResultBenchmark *again = check_result_add_benchmark(result, "catalog");
	again->comparison = counted_comparison(((ResultBenchmark *)result->benchmarks->pdata[0])->base,
	        ((ResultBenchmark *)result->benchmarks->pdata[0])->head);
	REFUSES(result, "catalog is listed twice", "seed", "\"7\"");
}

/* A calibration passes whatever its rows say, but for errors. */
static void a_calibration_of_nothing_does_not_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_ptr_array_set_size(result->reasons, 0);
	result->mode = CHECK_CALIBRATE;
	check_result_decide(result);
	assert_int_equal(result->exit_code, 0);
	check_bytes(result);
	REFUSES(result, "was not run on both sides", "benchmarks/0/runs", "[]");
	REFUSES(result, "was not measured in every round", METRIC "head_values", "[]");
}

static void profiles_that_decide_count(void **state)
{
	(void)state;
	static const CountedSample same = {3, 0, 0};
	g_autoptr(CheckResult) result = counted_both(&same, FALSE, PAIR_SAME, NULL);
	assert_int_equal(result->exit_code, 0);
	check_bytes(result);
	REFUSES(result, "a function of it gates", "benchmarks/0/profiles/0/functions/0/gates", "true");
}

/* The only reason that lets a check pass: the first change that brings a benchmark can be reported, and joined. */
static void nothing_to_compare_yet_is_a_pass_again(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ending_nothing_to_compare(result, check_result_add_benchmark(result, "added"), "base lacks it", FALSE);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 0);
	check_bytes(result);
	REFUSES(result, "a reason has the exit code 0", "reasons/0/code", "\"timeout\"");
}

/* The name of the function that every output points to. */
static const char *culprit_of(const CheckResult *result)
{
	FunctionList list;
	const FunctionComparison *culprit = highlights_culprit(result->benchmarks->pdata[0], &list);
	assert_non_null(culprit);
	return highlights_name(list.table, culprit->frame);
}

/* A stub is known by its name alone, and is blamed for nothing where anything else rose. */
static void the_function_to_blame_is_the_same_again(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	StackTable *table = benchmark->head->profile->table;
	FunctionComparison *largest = sample_row(benchmark, "hash_word");
	largest->frame = largest->renamed_from = stack_table_frame_named(table, "memset@plt", "catalog", FRAME_USER);
	benchmark->comparison->table = stack_table_ref(table);
	assert_string_equal(culprit_of(result), "hash_mix");
	g_autoptr(CheckResult) again = read_back(result);
	assert_string_equal(culprit_of(again), "hash_mix");
}

/* Time passes, and what is counted regressed: the function to blame is one of the profile. */
static void the_function_to_blame_of_a_second_engine_is_the_same_again(void **state)
{
	(void)state;
	static const CountedSample slower = {3, 885618, 0};
	g_autoptr(CheckResult) result = counted_both(&slower, FALSE, PAIR_HIDDEN_WORK, NULL);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *benchmark = again->benchmarks->pdata[0];
	const ResultProfile *profile = benchmark->profiles->pdata[0];
	assert_string_equal(culprit_of(result), "hash_word");
	assert_string_equal(culprit_of(again), "hash_word");
	assert_int_equal(profile->comparison->verdict, VERDICT_REGRESSION);
	assert_int_equal(profile->comparison->metrics->len, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(texts_rendered_from_a_report_are_those_of_the_check),
	        cmocka_unit_test(what_is_known_of_code_and_gate_reads_back),
	        cmocka_unit_test(compilers_and_programs_read_back),
	        cmocka_unit_test(what_is_accepted_reads_back),
	        cmocka_unit_test(reports_without_later_keys_are_of_a_gate),
	        cmocka_unit_test(counts_read_back_with_all_digits),
	        cmocka_unit_test(two_engines_read_back_with_their_pair_and_profiles),
	        cmocka_unit_test(a_report_that_is_read_and_written_is_the_same_byte_for_byte),
	        cmocka_unit_test(what_is_slower_although_the_total_passes_reads_back),
	        cmocka_unit_test(a_report_of_counts_that_is_read_and_written_is_the_same),
	        cmocka_unit_test(the_smallest_changes_read_back_with_all_their_digits),
	        cmocka_unit_test(a_report_without_a_head_or_a_comparison_is_the_same_again),
	        cmocka_unit_test(hostile_texts_are_the_same_again),
	        cmocka_unit_test(a_function_that_moved_to_another_module_stays_renamed),
	        cmocka_unit_test(lines_and_instructions_read_back),
	        cmocka_unit_test(changed_code_reads_back),
	        cmocka_unit_test(earlier_commits_read_back),
	        cmocka_unit_test(unknown_values_stay_unknown),
	        cmocka_unit_test(changes_from_zero_and_what_cannot_be_compared_read_back),
	        cmocka_unit_test(errors_read_back_as_errors),
	        cmocka_unit_test(what_is_no_report_is_refused),
	        cmocka_unit_test(a_profile_decides_only_beside_a_comparison),
	        cmocka_unit_test(a_pass_needs_a_metric_that_gates_and_was_measured),
	        cmocka_unit_test(a_pass_that_its_own_numbers_deny_is_none),
	        cmocka_unit_test(no_verdict_is_better_than_what_it_stands_on),
	        cmocka_unit_test(a_reason_that_was_lost_is_missed),
	        cmocka_unit_test(a_benchmark_is_there_once),
	        cmocka_unit_test(a_calibration_of_nothing_does_not_pass),
	        cmocka_unit_test(profiles_that_decide_count),
	        cmocka_unit_test(nothing_to_compare_yet_is_a_pass_again),
	        cmocka_unit_test(the_function_to_blame_of_a_second_engine_is_the_same_again),
	        cmocka_unit_test(wrong_types_count_as_missing),
	        cmocka_unit_test(the_function_to_blame_is_the_same_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
