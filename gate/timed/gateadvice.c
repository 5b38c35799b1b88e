/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gateadvice.h"

#include "compare/comparison/changewords.h"
#include "model/numbers/number.h"
#include "runner/config/configkeys.h"

#include <math.h>

/* Fewer samples of a side than this name no small function with certainty. */
#define FEW_SAMPLES 2000
/* The step of what is proposed as `sampling`. */
#define SAMPLING_STEP_HZ 500
/* The smallest factor of work that reads as more than 1. */
#define MIN_FACTOR 1.05
/* Nobody makes a benchmark so many times as long. */
#define MAX_FACTOR 20

/* ", or set `sampling: 6000`" where that is possible. */
static char *sampling_advice(const ConfigBenchmark *benchmark, double factor)
{
	double wanted_hz = ceil(benchmark->sampling_hz * factor / SAMPLING_STEP_HZ) * SAMPLING_STEP_HZ;
	return wanted_hz <= config_key_find(CONFIG_IN_BENCHMARK, "sampling")->max
	               ? g_strdup_printf(", or set `sampling: %.0f`", wanted_hz)
	               : g_strdup("");
}

static void few_samples(const GateCampaign *campaign)
{
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	guint64 fewest = MIN(campaign->samples[SIDE_BASE], campaign->samples[SIDE_HEAD]);
	if (fewest >= FEW_SAMPLES || fewest == 0)
		return;
	double factor = (double)FEW_SAMPLES / (double)fewest;
	g_autofree char *sampling = sampling_advice(benchmark, factor);
	g_autofree char *times = number_factor(ceil(10 * factor) / 10);
	finding_add(campaign->order.findings, FINDING_WARNING, "few_samples", benchmark->name,
	        "%" G_GUINT64_FORMAT " samples of base and %" G_GUINT64_FORMAT
	        " of head in %u rounds, but small functions need %d of each: let a run do %s times the work%s",
	        campaign->samples[SIDE_BASE], campaign->samples[SIDE_HEAD], campaign->facts.rounds, FEW_SAMPLES, times,
	        sampling);
}

/* Rounds that a metric needs; more than can be counted where that cannot be told. */
static guint rounds_needed(const MetricComparison *metric)
{
	return metric->rounds_needed > 0 ? metric->rounds_needed : G_MAXUINT;
}

/* The gating metric that needs most rounds, if they are more than the plan has; or NULL. */
static const MetricComparison *noisiest(const GateCampaign *campaign, const BenchmarkComparison *comparison)
{
	const LookPlan *plan = &campaign->order.plan;
	const MetricComparison *worst = NULL;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		gboolean judged = metric->gates && !metric->deterministic && !metric->negligible &&
		                  isfinite(metric->sd_log) && metric->rounds >= plan->rounds[0];
		if (judged && rounds_needed(metric) > plan->rounds[plan->n - 1] &&
		        (worst == NULL || rounds_needed(metric) > rounds_needed(worst)))
			worst = metric;
	}
	return worst;
}

/* The time that the rounds that are needed would take, in words. */
static char *rounds_text(const GateCampaign *campaign, guint rounds)
{
	double round_s = campaign->facts.elapsed_s / MAX(campaign->facts.rounds, 1);
	guint most = campaign->order.plan.rounds[campaign->order.plan.n - 1];
	g_autofree char *each = number_duration(round_s), *longest = number_duration(most * round_s);
	if (rounds == G_MAXUINT)
		return g_strdup_printf("more rounds than are practical (%s each)", each);
	g_autofree char *needed = number_duration(rounds * round_s);
	return g_strdup_printf("%u rounds (%s), and at most %u are made (%s)", rounds, needed, most, longest);
}

/* "Longer runs help: ...", as the noise of a run falls with the root of its length; "" where that would be no advice.
 * Owned by the caller. */
static char *longer_runs(const GateCampaign *campaign, guint rounds)
{
	const LookPlan *plan = &campaign->order.plan;
	double factor = (double)rounds / plan->rounds[plan->n - 1];
	if (rounds == G_MAXUINT || factor < MIN_FACTOR || factor > MAX_FACTOR)
		return g_strdup("");
	g_autofree char *times = number_factor(factor);
	g_autofree char *round = number_duration(factor * campaign->facts.elapsed_s / MAX(campaign->facts.rounds, 1));
	return g_strdup_printf("Longer runs help: %s times the work (rounds of %s). Or ", times, round);
}

static char *remedies(const GateCampaign *campaign, const MetricComparison *metric, guint rounds)
{
	g_autofree char *longer = longer_runs(campaign, rounds);
	GString *text = g_string_new(*longer != '\0' ? longer : "What helps: ");
	if (rounds <= config_key_find(CONFIG_IN_BENCHMARK, "rounds")->max)
		g_string_append_printf(text, "set `rounds: %u`, ", rounds);
	g_string_append(text, "take a quieter machine, give a benchmark with threads more `cpus`");
	g_autofree char *pass = number_share_as(ceil(1000 * (metric->margin + metric->mde_ratio)) / 1000, 1);
	if (isfinite(metric->mde_ratio))
		g_string_append_printf(text, ", or set a `pass_margin` of %s, which these rounds can decide", pass);
	return g_string_free(text, FALSE);
}

/* "only changes above 64 % are visible", or that none is. Owned by the caller. */
static char *visible_words(const MetricComparison *metric)
{
	if (!isfinite(metric->mde_ratio))
		return g_strdup("no change is visible for certain");
	g_autofree char *visible = number_about(metric->margin + metric->mde_ratio);
	return g_strdup_printf("only changes above %s are visible", visible);
}

static void noisy_benchmark(const GateCampaign *campaign, const BenchmarkComparison *comparison)
{
	const MetricComparison *metric = noisiest(campaign, comparison);
	if (metric == NULL)
		return;
	guint rounds = rounds_needed(metric);
	g_autofree char *needed = rounds_text(campaign, rounds), *helps = remedies(campaign, metric, rounds);
	g_autofree char *noise = number_share(metric->sd_log), *change = number_share(metric->pass_margin);
	g_autofree char *visible = visible_words(metric);
	finding_add(campaign->order.findings,
	        comparison->verdict == VERDICT_INCONCLUSIVE ? FINDING_WARNING : FINDING_INFO, "noisy_benchmark",
	        campaign->order.benchmark->name,
	        "too noisy: %s (%s differs by %s from round to round; to see a change of %s takes %s). %s", visible,
	        change_words_name(metric), noise, change, needed, helps);
}

void gate_advise(const GateCampaign *campaign, const BenchmarkComparison *comparison)
{
	/* what rounds that were cut short show is that they were cut short */
	if (campaign->facts.out_of_time && campaign->facts.rounds < campaign->order.plan.rounds[0])
		return;
	few_samples(campaign);
	noisy_benchmark(campaign, comparison);
}
