/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/result.h"

#include "core/error.h"
#include "model/engine.h"

#include <math.h>

const char *check_mode_name(CheckMode mode)
{
	static const char *const names[] = {
	        [CHECK_GATE] = "gate",
	        [CHECK_CALIBRATE] = "calibrate",
	        [CHECK_SELF_TEST] = "self_test",
	};
	return names[mode];
}

const char *base_source_name(BaseSource source)
{
	static const char *const names[] = {
	        [BASE_NONE] = NULL,
	        [BASE_MEASURED] = "measured",
	        [BASE_STORED] = "stored",
	};
	return names[source];
}

static void side_clear(ResultSide *side)
{
	g_free(side->sha);
	g_free(side->ref);
	g_free(side->chosen_by);
	g_free(side->subject);
	g_clear_pointer(&side->compilers, g_ptr_array_unref);
}

static void reason_free(gpointer data)
{
	ResultReason *reason = data;
	g_free(reason->code);
	g_free(reason->benchmark);
	g_free(reason->text);
	g_free(reason);
}

static void result_profile_free(gpointer data)
{
	ResultProfile *profile = data;
	g_free(profile->event);
	measurement_free(profile->base);
	measurement_free(profile->head);
	benchmark_comparison_free(profile->comparison);
	g_clear_pointer(&profile->annotations, g_ptr_array_unref);
	g_free(profile);
}

static void result_benchmark_free(gpointer data)
{
	ResultBenchmark *benchmark = data;
	g_free(benchmark->name);
	g_free(benchmark->calibration);
	benchmark_comparison_free(benchmark->comparison);
	g_clear_pointer(&benchmark->annotations, g_ptr_array_unref);
	measurement_free(benchmark->base);
	measurement_free(benchmark->head);
	program_facts_free(benchmark->base_program);
	program_facts_free(benchmark->head_program);
	g_ptr_array_unref(benchmark->profiles);
	g_clear_pointer(&benchmark->history, g_ptr_array_unref);
	g_ptr_array_unref(benchmark->artifacts);
	g_free(benchmark);
}

GPtrArray *result_reasons_new(void)
{
	return g_ptr_array_new_with_free_func(reason_free);
}

CheckResult *check_result_new(void)
{
	CheckResult *result = g_new0(CheckResult, 1);
	result->verdict = VERDICT_ERROR; /* until check_result_decide() (compare/outcome.h) */
	result->exit_code = FIREBREAK_ERROR_INVALID;
	result_side_set(&result->base, NULL, NULL, NULL, NULL);
	result_side_set(&result->head, NULL, NULL, NULL, NULL);
	result->findings = finding_list_new();
	result->reasons = result_reasons_new();
	result->benchmarks = g_ptr_array_new_with_free_func(result_benchmark_free);
	result->acceptances = g_ptr_array_new_with_free_func((GDestroyNotify)acceptance_free);
	result->config_source = g_strdup("");
	return result;
}

void check_result_free(CheckResult *result)
{
	if (result == NULL)
		return;
	side_clear(&result->base);
	side_clear(&result->head);
	environment_free(result->environment);
	g_ptr_array_unref(result->acceptances);
	finding_list_free(result->findings);
	g_ptr_array_unref(result->reasons);
	g_ptr_array_unref(result->benchmarks);
	changed_code_free(result->changed);
	shard_set_free(result->shards);
	g_free(result->config_source);
	g_free(result);
}

static void replace(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text != NULL ? text : "");
}

void result_side_set(ResultSide *side, const char *sha, const char *ref, const char *chosen_by, const char *subject)
{
	replace(&side->sha, sha);
	replace(&side->ref, ref);
	replace(&side->chosen_by, chosen_by);
	replace(&side->subject, subject);
}

ResultReason *check_result_add_reason(
        CheckResult *result, int exit_code, const char *code, const char *benchmark, const char *format, ...)
{
	ResultReason *reason = g_new0(ResultReason, 1);
	reason->exit_code = exit_code;
	reason->code = g_strdup(code);
	reason->benchmark = g_strdup(benchmark);
	va_list args;
	va_start(args, format);
	reason->text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(result->reasons, reason);
	return reason;
}

ResultBenchmark *check_result_add_benchmark(CheckResult *result, const char *name)
{
	ResultBenchmark *benchmark = g_new0(ResultBenchmark, 1);
	benchmark->name = g_strdup(name);
	benchmark->engine = &engine_perf;
	benchmark->campaign.overlap_share = benchmark->campaign.interference_ratio = NAN;
	benchmark->campaign.estimate_s = benchmark->campaign.elapsed_s = NAN;
	benchmark->profiles = g_ptr_array_new_with_free_func(result_profile_free);
	benchmark->artifacts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(result->benchmarks, benchmark);
	return benchmark;
}

Verdict result_benchmark_verdict(const ResultBenchmark *benchmark)
{
	return benchmark->comparison == NULL ? VERDICT_ERROR : benchmark->comparison->verdict;
}

gboolean result_benchmark_is_uncompared(const ResultBenchmark *benchmark)
{
	return benchmark->comparison != NULL && g_str_equal(benchmark->comparison->reason_code, NOTHING_TO_COMPARE);
}

void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile)
{
	ResultProfile *kept = g_memdup2(profile, sizeof *profile);
	kept->event = g_strdup(profile->event);
	kept->engine = profile->engine != NULL ? profile->engine : &engine_perf;
	g_ptr_array_add(benchmark->profiles, kept);
}
