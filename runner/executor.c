/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/executor.h"

#include <math.h>

void run_outcome_clear(RunOutcome *outcome)
{
	g_clear_pointer(&outcome->failure_code, g_free);
	g_clear_pointer(&outcome->failure, g_free);
	g_clear_pointer(&outcome->metrics, g_array_unref);
	g_clear_pointer(&outcome->own, own_metrics_free);
	g_clear_pointer(&outcome->complaints, g_ptr_array_unref);
}

void run_outcome_fail(RunOutcome *outcome, const char *code, gboolean retry, const char *format, ...)
{
	if (outcome->failure_code != NULL)
		return;
	va_list args;
	va_start(args, format);
	outcome->failure = g_strdup_vprintf(format, args);
	va_end(args);
	outcome->failure_code = g_strdup(code);
	outcome->retry = retry;
}

FirebreakError run_outcome_error(const RunOutcome *outcome)
{
	if (g_strcmp0(outcome->failure_code, CALIBRATES_FAILURE) == 0)
		return FIREBREAK_ERROR_CALIBRATES;
	if (g_strcmp0(outcome->failure_code, TIMEOUT_FAILURE) == 0)
		return FIREBREAK_ERROR_TIMEOUT;
	return FIREBREAK_ERROR_INVALID;
}

double outcome_metric(const RunOutcome *outcome, const Engine *engine, const char *name)
{
	for (guint i = 0; outcome->metrics != NULL && i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		if (metric->engine == engine && g_str_equal(metric->name, name))
			return metric->value;
	}
	return NAN;
}

void executor_free(Executor *executor)
{
	if (executor != NULL)
		executor->destroy(executor);
}
