/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/endings.h"

#include "compare/comparison/sentence.h"
#include "compare/outcome.h"
#include "core/error.h"

#include <string.h>

/* --- failures --- */

static const char *failure_code(const GError *error, gboolean rules_read)
{
	int exit_code = firebreak_error_exit_code(error);
	if (g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_CALIBRATES))
		return "calibrates_itself";
	switch (exit_code) {
	case FIREBREAK_ERROR_USAGE:
		return "usage";
	case FIREBREAK_ERROR_INVALID:
		return "measurement_invalid";
	case FIREBREAK_ERROR_BUILD:
		return "build_failed";
	case FIREBREAK_ERROR_BASELINE:
		return "no_baseline";
	case FIREBREAK_ERROR_ENVIRONMENT:
		return "environment_unsupported";
	case FIREBREAK_ERROR_POLICY:
		return rules_read ? "tree_refused" : "policy_changed";
	default:
		return exit_code > 128 ? "cancelled" : "storage";
	}
}

ResultReason *ending_add_failure(
        CheckResult *result, const char *benchmark, const GError *error, gboolean rules_read, const char *text)
{
	return check_result_add_reason(
	        result, firebreak_error_exit_code(error), failure_code(error, rules_read), benchmark, "%s", text);
}

void ending_add_calibrating(
        CheckResult *result, const char *benchmark, const char *program, const char *side, const char *framework)
{
	check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "calibrates_itself", benchmark,
	        "%s: %s of %s is written with %s and calibrates itself: a slower program does fewer iterations in a "
	        "run, so that its cost per run says nothing; write `framework: %s` into its entry, and `filter:` with "
	        "the case that it is about, or `framework: none` if its command fixes the work",
	        benchmark, program, side, framework, framework);
}

void ending_add_fixed_time(CheckResult *result, const char *benchmark)
{
	check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "calibrates_itself", benchmark,
	        "%s: a run that shares its CPU takes as long as one that has it alone, and uses less CPU time: it "
	        "works for a fixed time, so that a slower program does less and its cost per run says nothing; let it "
	        "do a fixed amount of work, name its `framework:`, report its work (`work: reported`), or write "
	        "`framework: none` if that is intended",
	        benchmark);
}

/* --- lack of time: too little evidence, and no error --- */

void ending_add_not_measured(CheckResult *result, const char *benchmark, const char *why)
{
	check_result_add_reason(result, 3, NOT_MEASURED, benchmark, "%s: not measured: %s", benchmark, why);
}

/* The reason that names the benchmark, if all that do are of that code; else NULL. */
static const ResultReason *only_not_measured(const CheckResult *result, const char *benchmark)
{
	const ResultReason *found = NULL;
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (g_strcmp0(reason->benchmark, benchmark) != 0)
			continue;
		if (!g_str_equal(reason->code, NOT_MEASURED))
			return NULL;
		found = reason;
	}
	return found;
}

void ending_settle_not_measured(const CheckResult *result, ResultBenchmark *row)
{
	const ResultReason *reason = only_not_measured(result, row->name);
	if (row->comparison != NULL || reason == NULL || result->mode != CHECK_GATE)
		return;
	gsize name = strlen(row->name) + strlen(": ");
	row->comparison = benchmark_comparison_new(row->name);
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, reason->code, g_strdup(reason->text + name));
}

void ending_nothing_to_compare(CheckResult *result, ResultBenchmark *row, const char *why, gboolean incomplete)
{
	char *text = g_strdup_printf("nothing to compare yet: %s", why);
	if (incomplete)
		check_result_add_reason(result, 3, NOTHING_TO_COMPARE, row->name,
		        "%s: %s; benchmarks of base were left out, so this is no pass", row->name, text);
	benchmark_comparison_free(row->comparison);
	row->comparison = benchmark_comparison_new(row->name);
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, NOTHING_TO_COMPARE, text);
}

/* TRUE if there were rounds enough for a look at a metric that gates. */
static gboolean was_looked_at(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->looks->len > 0)
			return TRUE;
	}
	return FALSE;
}

/* More rounds would have told, or at least given enough samples: those of a look are enough for any side that does
 * something. */
static gboolean lacks_rounds(const BenchmarkComparison *comparison)
{
	static const char *const lacking[] = {"zero_runs", "too_few_rounds", "interval_too_wide", NULL};
	return g_strv_contains(lacking, comparison->reason_code) ||
	       (g_str_equal(comparison->reason_code, "zero_samples") && !was_looked_at(comparison));
}

gboolean ending_lacks_rounds(
        BenchmarkComparison *comparison, const CampaignFacts *facts, guint max_rounds, const char *needed)
{
	if (!facts->out_of_time || !lacks_rounds(comparison))
		return FALSE;
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, facts->rounds > 0 ? "out_of_time" : NOT_MEASURED,
	        g_strdup_printf("time ran out after %u of at most %u rounds; %s", facts->rounds, max_rounds, needed));
	sentence_renew(comparison);
	return TRUE;
}

/* --- rules and baselines --- */

void ending_removed_rules(CheckResult *result, const char *text)
{
	check_result_add_reason(result, FIREBREAK_ERROR_POLICY, "policy_changed", NULL, "%s", text);
}

void ending_weakened_rules(CheckResult *result, const char *weakened, gboolean allowed, const char *refusal)
{
	if (allowed)
		finding_add(result->findings, FINDING_WARNING, "policy_changed", NULL, "head weakens the gate: %s",
		        weakened);
	else
		ending_removed_rules(result, refusal);
}

void ending_not_comparable(CheckResult *result, const char *benchmark, const char *why)
{
	check_result_add_reason(
	        result, FIREBREAK_ERROR_BASELINE, "not_comparable", benchmark, "%s: %s", benchmark, why);
}

void ending_no_baseline(CheckResult *result, const char *benchmark, const char *why)
{
	check_result_add_reason(result, FIREBREAK_ERROR_BASELINE, "no_baseline", benchmark, "%s: %s", benchmark, why);
}

void ending_unread_baseline(CheckResult *result, const char *benchmark, const GError *error)
{
	check_result_add_reason(result, firebreak_error_exit_code(error), "no_baseline", benchmark, "%s: %s", benchmark,
	        error->message);
}

/* --- drift --- */

void ending_drift(CheckResult *result, const char *benchmark, const Drift *drift, gboolean gates, const char *text,
        const char *accepted)
{
	const char *added = drift->added ? "" : "; this change adds nothing to it";
	finding_add(result->findings, FINDING_WARNING, "drift", benchmark, "%s%s", text,
	        accepted != NULL ? accepted : added);
	if (gates && drift->added && accepted == NULL)
		check_result_add_reason(result, 1, "drift", benchmark, "%s: %s", benchmark, text);
}

/* --- results that were not written --- */

/* TRUE if the failure is one of the reasons: in these words, or the end by a signal, whatever that kept from being
 * written. */
static gboolean is_told(const CheckResult *result, int exit_code, const char *why)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (reason->exit_code == exit_code && (exit_code > 128 || g_str_equal(reason->text, why)))
			return TRUE;
	}
	return FALSE;
}

void ending_not_written(CheckResult *result, int exit_code, const char *why)
{
	if (!is_told(result, exit_code, why))
		check_result_add_reason(result, exit_code, "output", NULL, "%s", why);
	check_result_decide(result);
}

void ending_not_ended(CheckResult *result, const char *command)
{
	check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "not_ended", NULL,
	        "`firebreak %s` began to write here and did not finish", command);
}

void ending_not_started(CheckResult *result, const char *command)
{
	check_result_add_reason(result, FIREBREAK_ERROR_USAGE, "usage", NULL,
	        "the last `firebreak %s` that was to write here was not started: there is a mistake in its options",
	        command);
}
