/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/campaigntalk.h"

#include <math.h>

/* Below this much CPU time per run, what a run meets by chance (its slices, its start) is not averaged out. */
#define SHORT_RUN_NS 2e8
/* Enough for a run, whatever is sampled. */
#define GOOD_RUN_S .5
/* Samples per side with which functions can be told apart. */
#define GOOD_SAMPLES 2000
/* Looks that take longer are worth a word, if runs of a quarter of the length would do. */
#define LONG_CAMPAIGN_NS 600e9
#define LONG_RUN_FACTOR 4

/* A change of schedule must not change what passes. */
#define FALLBACK_ADVICE                                                                                                \
	"with more noise and the margins of co-scheduled rounds; if that is inconclusive, let a run do more work, or " \
	"set `schedule: sequential`, which has wider margins"

void campaign_tell(const Campaign *campaign, const char *format, ...)
{
	if (campaign->plan.progress == NULL)
		return;
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	campaign->plan.progress(campaign->plan.progress_data, text);
}

static guint last_look(const Campaign *campaign)
{
	return campaign->plan.looks[campaign->plan.n_looks - 1];
}

void campaign_tell_round(const Campaign *campaign)
{
	const CampaignPlan *plan = &campaign->plan;
	ProgressFn tell = plan->tell_round != NULL ? plan->tell_round : plan->progress;
	g_autofree char *text =
	        g_strdup_printf("%s: round %u of %u", plan->benchmark->name, campaign->rounds, last_look(campaign));
	if (tell != NULL)
		tell(plan->progress_data, text);
}

/* The part of the line about the deadline: "" if there is time for all looks. Owned by the caller. */
static char *foretell_limit(const Campaign *campaign, const RoundBudget *budget)
{
	const guint *looks = campaign->plan.looks;
	double round_ns = round_budget_round_ns(budget), left_ns = round_budget_left_ns(budget);
	guint fitting = 0;
	for (guint l = 0; l < campaign->plan.n_looks; l++)
		if (looks[l] * round_ns <= left_ns)
			fitting = looks[l];
	if (fitting == last_look(campaign))
		return g_strdup("");
	if (fitting > 0)
		return g_strdup_printf("; the time limit leaves %.0f s, enough for the look after %u rounds",
		        MAX(left_ns, 0) / 1e9, fitting);
	return g_strdup_printf("; the time limit leaves %.0f s, and the first look needs %.0f s", MAX(left_ns, 0) / 1e9,
	        ceil(looks[0] * round_ns / 1e9));
}

void campaign_foretell(const Campaign *campaign, const RoundBudget *budget)
{
	const char *name = campaign->plan.benchmark->name;
	double round_s = round_budget_round_ns(budget) / 1e9;
	guint first = campaign->plan.looks[0], last = last_look(campaign);
	g_autofree char *limit = foretell_limit(campaign, budget);
	if (first == last)
		campaign_tell(campaign, "%s: %u rounds of %.1f s, about %.0f s%s", name, last, round_s, round_s * last,
		        limit);
	else
		campaign_tell(campaign, "%s: %u to %u rounds of %.1f s, about %.0f to %.0f s%s", name, first, last,
		        round_s, round_s * first, round_s * last, limit);
}

/* CPU seconds of a run with which the first look has samples enough. */
static double enough_s(const Campaign *campaign)
{
	double samples_hz = MAX(campaign->plan.benchmark->sampling_hz, 1);
	return MAX(GOOD_RUN_S, GOOD_SAMPLES / samples_hz / campaign->plan.looks[0]);
}

void run_length_findings(const Campaign *campaign, const RoundBudget *budget)
{
	const CampaignPlan *plan = &campaign->plan;
	double cpu_ns = campaign->warm_up_cpu_ns[SIDE_BASE], enough = enough_s(campaign);
	double all_ns = round_budget_round_ns(budget) * last_look(campaign);
	if (cpu_ns < SHORT_RUN_NS)
		finding_add(plan->findings, FINDING_WARNING, "short_benchmark", plan->benchmark->name,
		        "one run takes %.0f ms of CPU time; below %.0f ms noise grows: repeat the work inside the "
		        "command about %.0f times, for %.1f s in all, and set `work`",
		        cpu_ns / 1e6, SHORT_RUN_NS / 1e6, ceil(enough * 1e9 / MAX(cpu_ns, 1e6)), enough);
	if (all_ns > LONG_CAMPAIGN_NS && cpu_ns > LONG_RUN_FACTOR * enough * 1e9)
		finding_add(plan->findings, FINDING_INFO, "long_benchmark", plan->benchmark->name,
		        "one run takes %.1f s of CPU time, so %u rounds take %.0f min; %.1f s a run would do (%d "
		        "samples per side in %u rounds, at least) and take about %.0f min",
		        cpu_ns / 1e9, last_look(campaign), all_ns / 60e9, enough, GOOD_SAMPLES, plan->looks[0],
		        ceil(all_ns * enough * 1e9 / cpu_ns / 60e9));
}

void interference_finding(const Campaign *campaign, guint discarded)
{
	const CampaignPlan *plan = &campaign->plan;
	if (discarded == 0)
		finding_add(plan->findings, FINDING_INFO, "cache_interference", plan->benchmark->name,
		        "costs %.1f times as much CPU time beside its twin as alone: both sides evict each other's "
		        "cache lines, equally; `schedule: sequential` measures without that, with more noise and wider "
		        "margins",
		        campaign->interference_ratio);
	else
		finding_add(plan->findings, FINDING_WARNING, "cache_interference", plan->benchmark->name,
		        "costs %.1f times as much CPU time beside its twin as alone: both sides evict each other's "
		        "cache lines, equally; the first %u rounds, which all showed it, were discarded, and it is "
		        "measured back to back, " FALLBACK_ADVICE,
		        campaign->interference_ratio, discarded);
}

void twin_failure_finding(const Campaign *campaign)
{
	finding_add(campaign->plan.findings, FINDING_WARNING, "cannot_run_beside_itself",
	        campaign->plan.benchmark->name,
	        "works alone but not beside a second copy of itself (a port, lock or file?); measured back to "
	        "back, " FALLBACK_ADVICE);
}

void waits_finding(const Campaign *campaign, double wait, double usual)
{
	finding_add(campaign->plan.findings, FINDING_WARNING, "waits_vary", campaign->plan.benchmark->name,
	        "round %u took %.1f times its CPU time, %.1f times is usual, and repeating it did not help: something "
	        "else uses the CPUs, or the benchmark waits; CPU times are still right, wall times are less certain",
	        campaign->rounds + 1, wait, usual);
}

void steal_finding(const Campaign *campaign, const StealWatch *steal)
{
	g_autofree char *tried = steal->done_again == 0
	                                 ? g_strdup("there was no time to wait until it took less")
	                                 : g_strdup_printf("%u rounds were repeated and %.0f s waited before that",
	                                           steal->done_again, steal->waited_ns / 1e9);
	finding_add(campaign->plan.findings, FINDING_WARNING, "steal", campaign->plan.benchmark->name,
	        "the hypervisor took more than %.0f %% of the CPU time in %u of %u rounds, up to %.0f %%; %s; this "
	        "widens the interval of times: measure again when the machine is calmer, let a run do more work, or "
	        "add `engines: [perf, callgrind]`, whose counts it does not touch",
	        100 * STEAL_MUCH, steal->kept, campaign->rounds, 100 * steal->worst_share, tried);
}

void yardstick_skipped_finding(const Campaign *campaign, double yardstick_cpu_ns)
{
	double round_cpu_ns = campaign->warm_up_cpu_ns[SIDE_BASE] + campaign->warm_up_cpu_ns[SIDE_HEAD];
	finding_add(campaign->plan.findings, FINDING_INFO, "yardstick_skipped", campaign->plan.benchmark->name,
	        "the yardstick did not run: it takes %.2f s of CPU time, a round of the benchmark %.2f s; nothing "
	        "shows whether the machine treated both sides alike",
	        yardstick_cpu_ns / 1e9, round_cpu_ns / 1e9);
}

void out_of_time_finding(const Campaign *campaign, const RoundBudget *budget, guint look)
{
	FindingList *findings = campaign->plan.findings;
	const char *name = campaign->plan.benchmark->name;
	if (isnan(campaign->lacking_s))
		finding_add(findings, FINDING_WARNING, "out_of_time", name,
		        "no time was left to measure it: raise the time limit");
	else
		finding_add(findings, FINDING_WARNING, "out_of_time", name,
		        "the time limit ended it after %u of %u rounds: the look after %u needs %.1f s a round, %.1f s "
		        "more than was left; raise the limit, or let a run do less work",
		        campaign->rounds, last_look(campaign), look, round_budget_round_ns(budget) / 1e9,
		        campaign->lacking_s);
}
