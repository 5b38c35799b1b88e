/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/secondlook.h"

#include "model/numbers/number.h"

#define MIN_ROUNDS 8

guint second_look_rounds(guint first_rounds)
{
	return MAX(first_rounds, MIN_ROUNDS);
}

/* The first gating metric that failed and is deterministic, or NULL: measured once more it would say the same. */
static const MetricComparison *deterministic_failure(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->deterministic && metric->verdict == VERDICT_REGRESSION)
			return metric;
	}
	return NULL;
}

/* Tells why nobody asks base against itself again; NULL of a gate. */
static const char *known_outcome(CheckMode mode)
{
	return mode == CHECK_SELF_TEST   ? "the delay is known to be there"
	       : mode == CHECK_CALIBRATE ? "false alarms are counted as they come"
	                                 : NULL;
}

static char *lack_of_time(const SecondCampaign *second)
{
	if (second->needed_s <= second->left_s)
		return NULL;
	g_autofree char *needed = number_duration(second->needed_s), *left = number_duration(second->left_s);
	return g_strdup_printf("it takes about %s, and %s are left", needed, left);
}

gboolean second_look_is_due(const BenchmarkComparison *comparison, const SecondCampaign *second, char **why)
{
	const MetricComparison *exact = deterministic_failure(comparison);
	*why = NULL;
	if (comparison->verdict != VERDICT_REGRESSION)
		return FALSE;
	if (known_outcome(second->mode) != NULL)
		*why = g_strdup(known_outcome(second->mode));
	else if (exact != NULL)
		*why = g_strdup_printf("%s is exact", exact->name);
	else if (second->no_confirm)
		*why = g_strdup("--no-confirm");
	else
		*why = lack_of_time(second);
	return *why == NULL;
}

Recount second_look_recount(const BenchmarkComparison *comparison, const CountedOnce *counted, const char **why)
{
	*why = NULL;
	if (comparison->verdict != VERDICT_REGRESSION)
		return RECOUNT_NOTHING;
	*why = known_outcome(counted->mode);
	if (*why != NULL)
		return RECOUNT_REFUSED;
	if (!counted->base_is_stored && counted->head_runs > 1)
		return RECOUNT_DONE;
	if (counted->no_confirm) {
		*why = "--no-confirm";
		return RECOUNT_REFUSED;
	}
	return counted->base_is_stored ? RECOUNT_BASE : RECOUNT_HEAD;
}
