/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/outcome.h"

#include "compare/exitcodes.h"
#include "compare/reasons.h"
#include "compare/selftest.h"
#include "core/error.h"

static void add_calibration_finding(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison->verdict == VERDICT_REGRESSION)
		finding_add(result->findings, FINDING_WARNING, "false_alarm", benchmark->name,
		        "a false alarm: both sides ran the same program, and the verdict was a regression (%s)",
		        comparison->reason);
	else if (comparison->verdict == VERDICT_INCONCLUSIVE)
		finding_add(result->findings, FINDING_WARNING, "aa_inconclusive", benchmark->name,
		        "both sides ran the same program, and the rounds were inconclusive: %s", comparison->reason);
}

static void add_verdict_reason(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	int exit_code = verdict_exit_code(comparison->verdict);
	if (exit_code != 0 && !check_result_has_reason(result, exit_code, comparison->reason_code, benchmark->name))
		check_result_add_reason(
		        result, exit_code, comparison->reason_code, benchmark->name, "%s", comparison->reason);
	check_result_add_regressed_metrics(result, benchmark->name, comparison);
}

static void add_nothing_to_compare(CheckResult *result, const ResultBenchmark *benchmark)
{
	if (!check_result_has_reason(result, 3, NOTHING_TO_COMPARE, benchmark->name) &&
	        !check_result_has_reason(result, 0, NOTHING_TO_COMPARE, benchmark->name))
		check_result_add_reason(result, 0, NOTHING_TO_COMPARE, benchmark->name, "%s: %s", benchmark->name,
		        benchmark->comparison->reason);
}

static void judge_benchmark(CheckResult *result, const ResultBenchmark *benchmark)
{
	if (benchmark->comparison == NULL) {
		if (!check_result_explains(result, benchmark->name))
			check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "not_compared", benchmark->name,
			        "%s: not compared, and no reason was recorded", benchmark->name);
		return;
	}
	gboolean is_measured = benchmark->comparison->verdict != VERDICT_ERROR &&
	                       !g_str_equal(benchmark->comparison->reason_code, NOT_MEASURED);
	if (result->mode == CHECK_GATE && result_benchmark_is_uncompared(benchmark))
		add_nothing_to_compare(result, benchmark);
	else if (result->mode == CHECK_GATE || !is_measured)
		add_verdict_reason(result, benchmark);
	else if (result->mode == CHECK_CALIBRATE)
		add_calibration_finding(result, benchmark);
	else
		self_test_judge(result, benchmark);
}

void check_result_decide(CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++)
		judge_benchmark(result, result->benchmarks->pdata[i]);
	if (result->benchmarks->len == 0 && !check_result_has_error(result))
		check_result_add_reason(
		        result, FIREBREAK_ERROR_INVALID, "zero_benchmarks", NULL, "no benchmark was measured");
	g_ptr_array_sort(result->reasons, result_reason_compare);
	result->exit_code = 0;
	if (result->reasons->len > 0)
		result->exit_code = ((ResultReason *)result->reasons->pdata[0])->exit_code;
	result->verdict = exit_code_verdict(result->exit_code);
}

void check_result_decide_measured(CheckResult *result)
{
	result->exit_code = 0;
	for (guint i = 0; i < result->reasons->len && result->exit_code == 0; i++)
		result->exit_code = ((const ResultReason *)result->reasons->pdata[i])->exit_code;
	result->verdict = result->reasons->len > 0 ? VERDICT_ERROR : VERDICT_PASS;
}

int check_result_decided(const CheckResult *result)
{
	CheckResult again = *result;
	again.findings = finding_list_new();
	again.reasons = result_reasons_new();
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		check_result_add_reason(&again, reason->exit_code, reason->code, reason->benchmark, "%s", reason->text);
	}
	check_result_decide(&again);
	finding_list_free(again.findings);
	g_ptr_array_unref(again.reasons);
	return again.exit_code;
}
