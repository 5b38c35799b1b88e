/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gateprofiles.h"

#include "core/error.h"
#include "gate/steps/gatesources.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"
#include "model/numbers/number.h"
#include "runner/record/stackpiece.h"

/* Above this share of stacks without a root, callers are guesswork. */
#define MAX_INCOMPLETE_SHARE .05

/* The remedy of a larger piece of stack; owned by the caller, NULL if there is no larger one. */
static char *larger_piece_remedy(const GateCampaign *campaign)
{
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	guint larger = stack_piece_larger(campaign->facts.stack_bytes);
	if (benchmark->stack_bytes > 0 && benchmark->stack_bytes < STACK_PIECE_MAX)
		return g_strdup_printf("they need more than `stack_bytes: %u`; leave the key out, so that the size is "
		                       "chosen, or raise it",
		        benchmark->stack_bytes);
	if (benchmark->stack_bytes == 0 && finding_has(campaign->order.findings, "small_ring_buffers"))
		return g_strdup("raise kernel.perf_event_mlock_kb, so that the sample buffers have room for larger "
		                "pieces of stack");
	return larger > 0 ? g_strdup_printf("set `stack_bytes: %u`", STACK_PIECE_LIMIT) : NULL;
}

/* The remedy for incomplete stacks, which depends on why most of them end; owned by the caller. */
static char *incomplete_remedy(const GateCampaign *campaign, guint64 incomplete)
{
	gboolean by_tables_alone = campaign->order.benchmark->unwind == RECORDER_DWARF;
	gboolean are_cut = campaign->cut_stacks * 2 > incomplete;
	if (!by_tables_alone && finding_has(campaign->order.findings, "no_frame_pointers"))
		return g_strdup("build with frame pointers, or set `unwind: dwarf`");
	g_autofree char *larger = are_cut ? larger_piece_remedy(campaign) : NULL;
	if (larger != NULL)
		return g_steal_pointer(&larger);
	if (are_cut)
		return g_strdup("they are deeper than the largest piece of stack that can be looked at; the "
		                "self costs of functions are right all the same");
	return g_strdup(by_tables_alone ? "build with call frame information (-fasynchronous-unwind-tables), or with "
	                                  "frame pointers and `unwind: leaf-repair`"
	                                : "build with frame pointers, or with call frame information "
	                                  "(-fasynchronous-unwind-tables)");
}

/* Samples that were lost make a run invalid long before they matter; a stack that ends halfway only misleads. */
static void incomplete_finding(const GateCampaign *campaign)
{
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	guint64 samples = 0, incomplete = 0;
	for (int s = 0; s < N_SIDES && campaign->measurements[s] != NULL; s++)
		for (guint i = 0; i < campaign->measurements[s]->runs->len; i++) {
			const RunFacts *facts = &g_array_index(campaign->measurements[s]->runs, RunFacts, i);
			samples += facts->samples;
			incomplete += facts->incomplete_samples;
		}
	g_autofree char *remedy = incomplete_remedy(campaign, incomplete);
	g_autofree char *share = number_about((double)incomplete / (double)samples);
	if ((double)incomplete > MAX_INCOMPLETE_SHARE * (double)samples)
		finding_add(campaign->order.findings, FINDING_WARNING, "incomplete_stacks", benchmark->name,
		        "%s of the stacks could not be followed to their root, so callers are missing: %s", share,
		        remedy);
}

/* The cause of most stacks of one frame only, with the remedy. A program may well be one function. */
static const char *shallow_cause(const GateCampaign *campaign)
{
	if (campaign->order.benchmark->unwind == RECORDER_DWARF)
		return "is there call frame information (-fasynchronous-unwind-tables)?";
	if (finding_has(campaign->order.findings, "no_frame_pointers"))
		return "it has no frame pointers; build it with a compiler that is found in PATH, or set `unwind: "
		       "dwarf`";
	return "if it calls functions, set `unwind: dwarf`";
}

static void quality_findings(const GateCampaign *campaign, const RunQuality *sum)
{
	FindingList *findings = campaign->order.findings;
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	if (sum->samples > 0 && sum->depth1 * 2 > sum->samples)
		finding_add(findings, FINDING_WARNING, "shallow_stacks", benchmark->name,
		        "most stacks have one frame only: %s", shallow_cause(campaign));
	g_autofree char *unknown = number_about((double)sum->unknown_leaf / (double)sum->samples);
	if (sum->unknown_leaf * 20 > sum->samples)
		finding_add(findings, FINDING_WARNING, "unknown_code", benchmark->name,
		        "%s of the samples lie in code that belongs to no file (generated code?)", unknown);
	incomplete_finding(campaign);
}

/* The samples that are folded: those of one event in the recordings of one side. */
typedef struct {
	const GPtrArray *recordings;
	PerfFoldOptions options;
	Profile *profile; /* gets a run for each recording */
	RunQuality *sum;  /* NULL = of no interest */
} FoldJob;

static gboolean check_quality(const GateCampaign *campaign, const RunQuality *quality, GError **error)
{
	const char *name = campaign->order.benchmark->name;
	if (quality->decode_errors > 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "%" G_GUINT64_FORMAT " records of a recording of %s cannot be decoded", quality->decode_errors,
		        name);
	/* The launcher takes a few samples of every run. Where it takes many, the benchmark did next to nothing, and
	 * its profile would be that of firebreak. */
	if (quality->dropped * 100 > quality->samples)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "%" G_GUINT64_FORMAT " samples of a run of %s are not of the benchmark but of what starts it",
		        quality->dropped, name);
	return TRUE;
}

static gboolean fold_event(const GateCampaign *campaign, const FoldJob *job, PerfFold *fold, GError **error)
{
	for (guint i = 0; i < job->recordings->len; i++) {
		RunQuality quality = {0};
		guint run = profile_add_run(job->profile);
		if (!perf_fold_add(
		            fold, job->recordings->pdata[i], job->profile, run, &job->options, &quality, error) ||
		        !check_quality(campaign, &quality, error))
			return FALSE;
		/* Remarks are made about the event that functions are judged by. */
		if (job->sum == NULL)
			continue;
		job->sum->samples += quality.samples;
		job->sum->depth1 += quality.depth1;
		job->sum->unknown_leaf += quality.unknown_leaf;
	}
	return TRUE;
}

/* The weight of a wait is its time, whatever the event's own unit. */
static Profile *new_profile(StackTable *table, const char *event)
{
	gboolean off_cpu = g_str_equal(event, CONFIG_OFF_CPU);
	return profile_new(table, off_cpu ? CONFIG_OFF_CPU : "", off_cpu ? "ns" : "");
}

/* The first event becomes the profile of the measurement, the others those beside it. */
static gboolean fold_side(
        GateCampaign *campaign, int side, const GPtrArray *recordings, PerfFold *fold, RunQuality *sum, GError **error)
{
	static const char *const launchers[] = {"firebreak-spawn", NULL};
	g_autoptr(GPtrArray) prefixes = gate_trees_prefixes(campaign->order.trees);
	StackTable *table = campaign->order.table;
	RunQuality own = {0};
	FoldJob job = {
	        .recordings = recordings,
	        .options =
	                {
	                        .event = sampled_events_recorded_name(campaign->events, 0),
	                        .side = (guint)side,
	                        /* Only a comparison asks whether the code of a function changed, and reading it takes
	                           time. */
	                        .with_code = campaign->gate->two_sides,
	                        .gaps_known = TRUE,
	                        .launchers = launchers,
	                        .strip_prefixes = (const char *const *)prefixes->pdata,
	                },
	        .profile = campaign->measurements[side]->profile = profile_new(table, "", ""),
	        .sum = &own,
	};
	campaign->profiles[side] = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	if (!fold_event(campaign, &job, fold, error))
		return FALSE;
	campaign->samples[side] = own.samples;
	sum->samples += own.samples;
	sum->depth1 += own.depth1;
	sum->unknown_leaf += own.unknown_leaf;
	job.sum = NULL;
	for (guint e = 1; e < sampled_events_array(campaign->events)->len; e++) {
		job.options.event = sampled_events_recorded_name(campaign->events, e);
		job.profile = new_profile(table, sampled_events_name(campaign->events, e));
		g_ptr_array_add(campaign->profiles[side], job.profile);
		if (!fold_event(campaign, &job, fold, error))
			return FALSE;
	}
	return TRUE;
}

gboolean gate_profiles_make(GateCampaign *campaign, GPtrArray *const recordings[N_SIDES], GError **error)
{
	RunQuality sum = {0};
	PerfFold *fold = campaign->fold = perf_fold_new(campaign->order.table);
	for (int s = 0; s < N_SIDES && campaign->measurements[s] != NULL; s++)
		if (!fold_side(campaign, s, recordings[s], fold, &sum, error))
			return FALSE;
	/* One fold has the recordings of both sides, so names are settled only when the last one is in it. */
	if (!perf_fold_finish(fold, campaign->order.findings, error))
		return FALSE;
	campaign->code = perf_fold_code_facts(fold);
	gate_sources_mark(campaign->gate, campaign->order.choices, campaign->order.table, campaign->code);
	if (sum.samples > 0 && !perf_fold_has_own_code(fold))
		gate_outside_finding(campaign->order.findings, campaign->order.benchmark->name);
	quality_findings(campaign, &sum);
	return TRUE;
}
