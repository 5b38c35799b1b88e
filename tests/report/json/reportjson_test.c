/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/reportjson.h"

#include "compare/outcome.h"
#include "core/jsontext.h"
#include "tests/report/annotatedsample.h"
#include "tests/report/countedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static json_t *parse(const CheckResult *result)
{
	gsize length;
	g_autofree char *text = report_json(result, &length);
	assert_int_equal(length, strlen(text));
	json_t *root = json_load_text(text, length, "report", NULL);
	assert_non_null(root);
	return root;
}

static void keep(const CheckResult *result, const char *name)
{
	g_autofree char *text = report_json(result, NULL);
	g_autofree char *path = g_build_filename(BUILD_DIR, name, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static json_t *first(const json_t *object, const char *key)
{
	return json_array_get(json_object_get(object, key), 0);
}

static double number(const json_t *object, const char *key)
{
	assert_true(json_is_number(json_object_get(object, key)));
	return json_number_value(json_object_get(object, key));
}

static void assert_text(const json_t *object, const char *key, const char *wanted)
{
	assert_string_equal(json_string_value(json_object_get(object, key)), wanted);
}

static void assert_null_value(const json_t *object, const char *key)
{
	assert_true(json_is_null(json_object_get(object, key)));
}

static void a_regression_is_told_with_its_numbers_in_percent(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *metric = first(benchmark, "metrics");
	assert_text(root, "schema", "firebreak-report/1");
	assert_text(root, "headline", "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19");
	assert_null_value(benchmark, "report_alpha");
	assert_text(root, "verdict", "regression");
	assert_int_equal(json_integer_value(json_object_get(root, "exit_code")), 1);
	assert_text(json_object_get(root, "base"), "sha", "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d");
	assert_text(json_object_get(root, "base"), "chosen_by", "merge-base");
	assert_text(metric, "name", "task-clock");
	assert_true(fabs(number(metric, "change_pct") - 13.4) < 1e-6);
	assert_true(fabs(number(metric, "margin_pct") - 3) < 1e-6);
	assert_true(json_is_true(json_object_get(metric, "gates")));
	keep(result, "report-regression.json");
}

static void lines_instructions_and_earlier_commits_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	annotate_sample(result);
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *annotation = first(benchmark, "annotations");
	const json_t *lines = json_object_get(annotation, "lines"), *added = json_array_get(lines, 4);
	const json_t *instruction = first(annotation, "instructions"), *history = first(benchmark, "history");
	assert_text(annotation, "name", "hash_word");
	assert_text(annotation, "base_file", "src/words.c");
	assert_int_equal(json_integer_value(json_object_get(json_array_get(lines, 1), "left_out")), 7);
	assert_null_value(added, "base_line");
	assert_null_value(added, "base_self");
	assert_true(number(added, "head_line") == 29 && number(added, "head_samples") == 368);
	assert_true(number(instruction, "base_offset") == 0);
	assert_null_value(json_array_get(json_object_get(annotation, "instructions"), 3), "base_offset");
	assert_text(history, "metric", "task-clock");
	assert_int_equal(json_array_size(json_object_get(history, "points")), ANNOTATED_COMMITS);
	keep(result, "report-annotated.json");
}

static void changed_code_is_told_with_its_functions_and_costs(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	annotate_sample(result);
	json_auto_t *root = parse(result);
	const json_t *code = json_object_get(root, "changed_code"), *file = first(code, "files");
	const json_t *hunk = first(file, "hunks"), *lines = json_object_get(hunk, "lines");
	assert_true(number(code, "files_edited") == 5 && number(code, "hunks_measured") == 3);
	assert_text(file, "base_file", "src/words.c");
	assert_text(file, "head_file", "src/catalog.c");
	assert_text(first(hunk, "functions"), "name", "hash_word");
	assert_text(first(hunk, "functions"), "engine", "perf");
	assert_text(json_object_get(hunk, "costs_of"), "benchmark", "catalog");
	assert_text(json_array_get(lines, 1), "kind", "removed");
	assert_null_value(json_array_get(lines, 1), "head_line");
	assert_true(number(json_array_get(lines, 2), "head_self") == 101500000);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(lines, 4), "left_out")), 4);
	assert_null_value(json_array_get(json_object_get(code, "files"), 1), "head_file");
}

static void without_a_known_change_there_is_no_changed_code(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	json_auto_t *root = parse(result);
	assert_null_value(root, "changed_code");
}

static void the_direction_of_a_metric_and_what_runs_lost_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *row = result->benchmarks->pdata[0];
	RunFacts *facts = &g_array_index(row->base->runs, RunFacts, 0);
	((MetricComparison *)row->comparison->metrics->pdata[1])->higher_is_better = TRUE;
	facts->samples = 990;
	facts->lost_samples = 10;
	facts->incomplete_samples = 33;
	facts->work = 12.5;
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *metrics = json_object_get(benchmark, "metrics");
	const json_t *run = json_object_get(first(benchmark, "runs"), "base");
	assert_true(json_is_false(json_object_get(json_array_get(metrics, 0), "higher_is_better")));
	assert_true(json_is_true(json_object_get(json_array_get(metrics, 1), "higher_is_better")));
	assert_true(fabs(number(run, "lost_pct") - 1) < 1e-9);
	assert_int_equal(json_integer_value(json_object_get(run, "incomplete_samples")), 33);
	assert_true(number(run, "work") == 12.5);
	assert_true(number(json_object_get(first(benchmark, "runs"), "head"), "work") == 1);
	keep(result, "report-direction.json");
}

static void changes_from_zero_and_what_cannot_be_compared_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *row = result->benchmarks->pdata[0];
	sample_zero_metrics(row->comparison);
	((MetricComparison *)row->comparison->metrics->pdata[2])->change_ratio = 0; /* it fell to 0 */
	json_auto_t *root = parse(result);
	const json_t *metrics = json_object_get(first(root, "benchmarks"), "metrics");
	const json_t *errors = json_array_get(metrics, 4), *balance = json_array_get(metrics, 5);
	assert_true(number(json_array_get(metrics, 2), "change_pct") == -100);
	assert_null_value(errors, "change_pct");
	assert_text(errors, "verdict", "regression");
	assert_true(number(errors, "head") == 100000);
	assert_null_value(balance, "change_pct");
	assert_text(balance, "verdict", "error");
	assert_text(balance, "reason", "cannot be compared as a ratio: round 1 of base has the value -5");
	keep(result, "report-zero.json");
}

static void functions_are_told_by_contribution(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *functions = json_object_get(benchmark, "functions");
	const json_t *function = json_array_get(functions, 0);
	assert_text(function, "name", "hash_word");
	assert_text(function, "module", "catalog");
	assert_text(function, "file", "src/catalog.c");
	assert_text(function, "class", "regression");
	assert_int_equal(json_integer_value(json_object_get(function, "line")), 19);
	assert_true(number(function, "contribution_pp") > 17 && number(function, "contribution_pp") < 18);
	assert_null_value(function, "renamed_from");
	for (gsize i = 1; i < json_array_size(functions); i++)
		assert_true(number(json_array_get(functions, i - 1), "contribution_pp") >=
		            number(json_array_get(functions, i), "contribution_pp"));
}

static void assert_number(const json_t *object, const char *key, double wanted)
{
	if (fabs(number(object, key) - wanted) > 1e-6)
		fail_msg("%s is %.10g, wanted %.10g", key, number(object, key), wanted);
}

static void the_campaign_and_its_yardstick_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *row = result->benchmarks->pdata[0];
	sample_trust(row);
	result->max_time_s = 600;
	json_auto_t *root = parse(result);
	const json_t *campaign = json_object_get(first(root, "benchmarks"), "campaign");
	const json_t *yardstick = json_object_get(campaign, "yardstick");
	assert_number(root, "max_time_s", 600);
	assert_number(campaign, "rounds", 8);
	assert_number(campaign, "retries", 1);
	assert_number(campaign, "layouts", 3);
	assert_text(campaign, "schedule", "coscheduled");
	assert_number(campaign, "stack_bytes", 12288);
	assert_number(campaign, "overlap_pct", 97);
	assert_number(campaign, "interference_pct", 2.1);
	assert_number(campaign, "estimate_s", 31.5);
	assert_number(campaign, "elapsed_s", 12.25);
	assert_true(json_is_false(json_object_get(campaign, "out_of_time")));
	assert_number(yardstick, "rounds", 8);
	assert_number(yardstick, "change_pct", .2);
	assert_true(fabs(json_number_value(first(yardstick, "ci_pct")) + .5) < 1e-6);
	assert_true(json_is_false(json_object_get(yardstick, "contaminated")));
	keep(result, "report-campaign.json");
}

static void calibration_and_confirmation_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *told = json_object_get(benchmark, "calibration");
	assert_text(root, "mode", "gate");
	assert_number(told, "campaigns", 24);
	assert_number(told, "passes", 23);
	assert_number(told, "false_alarms", 0);
	assert_number(told, "function_alarms", 1);
	assert_number(told, "alarm_rate_upper_pct", 11.734);
	assert_number(told, "smallest_visible_pct", 2.59);
	assert_number(told, "aa_spread_pct", .31);
	assert_true(json_is_false(json_object_get(told, "suspicious")));
	assert_text(benchmark, "confirmation", "confirmed");
	assert_text(benchmark, "confirmation_text", "task-clock +13.1 % [+11.9, +14.3]");
}

static void what_the_change_did_to_a_function_is_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	json_auto_t *root = parse(result);
	const json_t *functions = json_object_get(first(root, "benchmarks"), "functions");
	gsize i;
	const json_t *function;
	json_array_foreach(functions, i, function)
	{
		const char *name = json_string_value(json_object_get(function, "name"));
		const json_t *changed = json_object_get(function, "code_changed");
		const char *relation = json_string_value(json_object_get(function, "relation"));
		if (strcmp(name, "hash_word") == 0)
			assert_true(json_is_true(changed) && strcmp(relation, "touched") == 0);
		else if (strcmp(name, "render_rows") == 0)
			assert_true(json_is_false(changed) && strcmp(relation, "untouched") == 0);
		else if (strcmp(name, "print_page") == 0)
			assert_true(json_is_null(changed) && strcmp(relation, "unknown") == 0);
	}
	assert_text(
	        json_array_get(functions, 0), "sentence", "hash_word +17.6 pp [+17.0, +18.2], edited in this change");
	assert_null_value(json_array_get(functions, 1), "sentence");
}

static void a_calibration_passes_with_what_it_found(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_ptr_array_set_size(result->reasons, 0);
	result->mode = CHECK_CALIBRATE;
	check_result_decide(result);
	json_auto_t *root = parse(result);
	assert_text(root, "mode", "calibrate");
	assert_text(root, "verdict", "pass");
	assert_text(first(root, "benchmarks"), "verdict", "regression");
	assert_text(root, "reason", "calibrated 1 benchmark, base against base: 1 false alarm in 1 A/A campaign");
	keep(result, "report-calibrate.json");
}

static void what_was_not_measured_is_null(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *sample = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(sample->comparison->metrics, 0);
	metric->base = metric->change_ratio = metric->p_value = metric->mde_ratio = NAN;
	metric->lower_ratio = 0;
	metric->upper_ratio = INFINITY;
	metric->rounds_needed = 0;
	((FunctionComparison *)g_ptr_array_index(sample->comparison->functions, 0))->tested = FALSE;
	g_array_index(sample->base->runs, RunFacts, 0).overlap_share = NAN;
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *told = first(benchmark, "metrics");
	assert_null_value(root, "max_time_s");
	assert_null_value(benchmark, "campaign");
	assert_null_value(benchmark, "calibration");
	assert_null_value(benchmark, "confirmation_text");
	static const char *const keys[] = {"base", "change_pct", "p", "mde_pct", "rounds_needed", "acf1"};
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		assert_null_value(told, keys[i]);
	assert_true(json_is_null(json_array_get(json_object_get(told, "ci_pct"), 0)));
	assert_true(json_is_null(json_array_get(json_object_get(told, "ci_pct"), 1)));
	assert_null_value(first(benchmark, "functions"), "p_adjusted");
	assert_null_value(json_object_get(first(benchmark, "runs"), "base"), "overlap_pct");
	keep(result, "report-unknown.json");
}

static void an_error_has_a_reason_and_no_benchmarks(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build: make ended with exit code 2");
	check_result_decide(result);
	json_auto_t *root = parse(result);
	assert_text(root, "verdict", "error");
	assert_text(root, "reason", "head does not build: make ended with exit code 2");
	assert_int_equal(json_integer_value(json_object_get(root, "exit_code")), 5);
	assert_null_value(root, "environment");
	keep(result, "report-error.json");
}

static void a_benchmark_that_was_not_compared_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	check_result_add_benchmark(result, "broken");
	check_result_add_reason(result, 4, "benchmark_failed", "broken", "broken: head run ended by SIGABRT");
	check_result_decide(result);
	json_auto_t *root = parse(result);
	const json_t *broken = json_array_get(json_object_get(root, "benchmarks"), 1);
	assert_text(broken, "verdict", "error");
	assert_int_equal(json_array_size(json_object_get(broken, "metrics")), 0);
	assert_null_value(broken, "profile");
	keep(result, "report-broken.json");
}

static void foreign_bytes_are_kept_readable_and_reversible(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result_side_set(&result->head, "", "topic\xff\033", "", "</script>\xc3");
	json_auto_t *root = parse(result);
	const json_t *head = json_object_get(root, "head");
	g_autofree char *ref = json_text_decode(json_object_get(head, "ref"));
	assert_string_equal(ref, "topic\xff\033");
	keep(result, "report-foreign.json");
}

static void assert_count(const json_t *object, const char *key, json_int_t wanted)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_integer(value));
	assert_int_equal(json_integer_value(value), wanted);
}

static const CountedSample slower = {1, 885618, 0}, noisy = {5, 885618, 1234};

static void counts_keep_all_their_digits(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&slower);
	ResultBenchmark *row = result->benchmarks->pdata[0];
	MetricComparison *metric = row->comparison->metrics->pdata[0];
	FunctionComparison *function = row->comparison->functions->pdata[0];
	metric->base = g_array_index(metric->base_values, double, 0) = 9007199254740991.;
	metric->head = 12345678901.5;
	function->head_cost = 448201334123;
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *told = first(benchmark, "metrics");
	assert_count(told, "base", 9007199254740991);
	assert_true(number(told, "head") == 12345678900 || number(told, "head") == 12345678902); /* ten digits */
	assert_int_equal(json_integer_value(first(told, "base_values")), 9007199254740991);
	assert_count(first(benchmark, "functions"), "base_cost", 12000052);
	assert_count(first(benchmark, "functions"), "head_cost", 448201334123);
}

static void counts_have_no_samples_tests_and_intervals(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&slower);
	((ResultBenchmark *)result->benchmarks->pdata[0])->base_source = BASE_STORED;
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *metric = first(benchmark, "metrics");
	const json_t *function = first(benchmark, "functions"), *bounds = json_object_get(metric, "ci_pct");
	static const char *const nulls[] = {
	        "base_samples", "head_samples", "p", "p_adjusted", "p_adjusted_improvement"};
	for (gsize i = 0; i < G_N_ELEMENTS(nulls); i++)
		assert_null_value(function, nulls[i]);
	assert_text(benchmark, "engine", "callgrind");
	assert_text(benchmark, "base_source", "stored");
	assert_null_value(benchmark, "pair");
	assert_null_value(metric, "p");
	assert_null_value(metric, "base_spread_pct");
	assert_true(number(metric, "mde_pct") == 0);
	assert_true(json_equal(json_array_get(bounds, 0), json_array_get(bounds, 1)));
	assert_true(json_equal(json_array_get(bounds, 0), json_object_get(metric, "change_pct")));
	assert_true(json_is_true(json_object_get(function, "repeats")));
	assert_int_equal(json_array_size(json_object_get(benchmark, "unstable")), 0);
	keep(result, "report-counted.json");
}

static void counts_that_do_not_repeat_are_told_with_both_extremes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_result(&noisy);
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *metric = first(benchmark, "metrics");
	const json_t *unstable = first(benchmark, "unstable");
	assert_int_equal(json_array_size(json_object_get(benchmark, "unstable")), 2);
	assert_text(unstable, "name", "read_clock");
	assert_text(unstable, "module", "catalog");
	assert_text(unstable, "side", "base");
	assert_count(unstable, "lowest", 400000);
	assert_count(unstable, "highest", 404936);
	assert_true(number(metric, "base_spread_pct") > .0066 && number(metric, "base_spread_pct") < .0067);
	assert_true(
	        json_is_false(json_object_get(json_array_get(json_object_get(benchmark, "functions"), 1), "repeats")));
	keep(result, "report-noisy.json");
}

static void two_engines_are_told_with_what_they_say_together(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_both(&noisy, TRUE, PAIR_MORE_WORK, "more work is done");
	ResultProfile waits = {.event = (char *)"off-cpu", .engine = &engine_perf};
	result_benchmark_add_profile(result->benchmarks->pdata[0], &waits);
	json_auto_t *root = parse(result);
	const json_t *benchmark = first(root, "benchmarks"), *counts = first(benchmark, "profiles");
	const json_t *other = json_array_get(json_object_get(benchmark, "profiles"), 1);
	assert_text(benchmark, "engine", "perf");
	assert_text(benchmark, "pair", "more_work");
	assert_text(benchmark, "pair_text", "more work is done");
	assert_int_equal(json_array_size(json_object_get(benchmark, "unstable")), 2);
	assert_null_value(first(benchmark, "functions"), "repeats");
	assert_text(counts, "name", "instructions");
	assert_text(counts, "engine", "callgrind");
	assert_true(json_is_true(json_object_get(counts, "decides")));
	assert_text(json_object_get(counts, "profile"), "event", "instructions");
	assert_text(first(counts, "functions"), "name", "hash_word");
	assert_true(json_is_true(json_object_get(first(counts, "functions"), "gates")));
	assert_null_value(first(counts, "functions"), "base_samples");
	assert_text(other, "engine", "perf");
	assert_true(json_is_false(json_object_get(other, "decides")));
	assert_null_value(other, "functions");
	keep(result, "report-engines.json");
}

static void seeds_keep_all_their_digits(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result->seed = G_MAXUINT64;
	json_auto_t *root = parse(result);
	assert_text(root, "seed", "18446744073709551615");
}

static void the_same_result_gives_the_same_bytes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) one = sample_result(), other = sample_result();
	g_autofree char *first_text = report_json(one, NULL), *second_text = report_json(other, NULL);
	assert_string_equal(first_text, second_text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_regression_is_told_with_its_numbers_in_percent),
	        cmocka_unit_test(lines_instructions_and_earlier_commits_are_told),
	        cmocka_unit_test(changed_code_is_told_with_its_functions_and_costs),
	        cmocka_unit_test(without_a_known_change_there_is_no_changed_code),
	        cmocka_unit_test(the_direction_of_a_metric_and_what_runs_lost_are_told),
	        cmocka_unit_test(changes_from_zero_and_what_cannot_be_compared_are_told),
	        cmocka_unit_test(functions_are_told_by_contribution),
	        cmocka_unit_test(the_campaign_and_its_yardstick_are_told),
	        cmocka_unit_test(calibration_and_confirmation_are_told),
	        cmocka_unit_test(what_the_change_did_to_a_function_is_told),
	        cmocka_unit_test(a_calibration_passes_with_what_it_found),
	        cmocka_unit_test(what_was_not_measured_is_null),
	        cmocka_unit_test(an_error_has_a_reason_and_no_benchmarks),
	        cmocka_unit_test(a_benchmark_that_was_not_compared_is_an_error),
	        cmocka_unit_test(foreign_bytes_are_kept_readable_and_reversible),
	        cmocka_unit_test(counts_keep_all_their_digits),
	        cmocka_unit_test(counts_have_no_samples_tests_and_intervals),
	        cmocka_unit_test(counts_that_do_not_repeat_are_told_with_both_extremes),
	        cmocka_unit_test(two_engines_are_told_with_what_they_say_together),
	        cmocka_unit_test(seeds_keep_all_their_digits),
	        cmocka_unit_test(the_same_result_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
