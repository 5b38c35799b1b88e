/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatecounted.h"

#include "compare/counted/countedbase.h"
#include "compare/counted/countedlack.h"
#include "compare/counted/enginepair.h"
#include "compare/reasons.h"
#include "compare/secondlook.h"
#include "compare/timed/confirmation.h"
#include "gate/counted/gatecountedadvice.h"
#include "gate/counted/gatecountedbase.h"
#include "gate/counted/gatecountedruns.h"
#include "gate/counted/gatefold.h"
#include "model/engine.h"

#include <string.h>

/* --- the verdict --- */

static void judge_lack_of_time(GateCounted *job)
{
	guint more[N_SIDES] = {2, 0}, lacking[N_SIDES];
	gboolean lacks = gate_counted_lacks(job, lacking);
	if (counted_is_settled(job->comparison, job->doubt, lacks))
		return;
	if (job->doubt == NULL)
		memcpy(more, lacking, sizeof more);
	double needed_s = job->counts.elapsed_s + gate_counts_expected_s(&job->counts, more, gate_counted_run_s(job));
	g_autofree char *runs = gate_counted_runs_text(more),
	                *needed = gate_time_needed(job->gate, &job->share, needed_s);
	counted_lacks_time(job->comparison, job->doubt, runs, needed);
}

static void judge_lack_of_base(GateCounted *job)
{
	guint lacking[N_SIDES];
	if (!counted_is_settled(job->comparison, job->doubt, gate_counted_lacks(job, lacking)))
		counted_lacks_base(job->comparison, job->doubt, job->gate->no_base);
}

/* Judges what is there, and what is lacking. */
static void judge(GateCounted *job, Counting counting)
{
	CountedInput input = gate_counted_input(job);
	g_clear_pointer(&job->comparison, benchmark_comparison_free);
	job->comparison = compare_counted(&input);
	if (counting == COUNTING_OUT_OF_TIME)
		judge_lack_of_time(job);
	if (counting == COUNTING_NO_BASE)
		judge_lack_of_base(job);
}

/* --- a regression is counted once more --- */

/* The fate of stored counts: a clause, or "". Owned by the caller. */
static char *base_text(const GateCounted *job)
{
	if (job->same_as_stored)
		return g_strdup("base was counted again, with the stored result; ");
	if (job->counts.replaced == NULL)
		return g_strdup("");
	guint runs = gate_counts_n_runs(&job->counts, SIDE_BASE);
	return g_strdup_printf("base was counted in this check, in %u run%s; ", runs, runs == 1 ? "" : "s");
}

static void note_confirmed(GateCounted *job)
{
	BenchmarkComparison *comparison = job->comparison;
	gboolean repeats = comparison->unstable == NULL || comparison->unstable->len == 0;
	if (comparison->verdict != VERDICT_REGRESSION)
		return;
	g_autofree char *base = base_text(job);
	confirmation_note_repeated(comparison,
	        g_strdup_printf("%shead was counted %u times, %s", base, gate_counts_n_runs(&job->counts, SIDE_HEAD),
	                repeats ? "with the same result"
	                        : "and each time the change was larger than the spread between runs"));
	gate_progress(job->gate, "%s: confirmed: %s", job->work->benchmark->name, comparison->confirmation_text);
}

/* Head's only run is made again, and base is counted if that was only stored. */
static Counting count_once_more(GateCounted *job, Recount recount, GError **error)
{
	static const guint head_once[N_SIDES] = {0, 1};
	if (recount == RECOUNT_BASE)
		return gate_counted_verify_base(job, "a regression against stored counts", error);
	gate_progress(
	        job->gate, "%s: a regression; head is counted once more to confirm it", job->work->benchmark->name);
	return gate_counted_run(job, head_once, error);
}

/* Tells why nothing was counted again. Owned by the caller. */
static char *why_not_again(const GateCounted *job, Counting counting)
{
	if (counting == COUNTING_NO_BASE)
		return g_strdup_printf("base could not be built again: %s", job->gate->no_base);
	return g_strdup("there was no time for another run");
}

/* Counts again. Counts that are not the same again do not repeat, or are of another base: then both sides are counted
 * as often as that needs. */
static gboolean count_again(GateCounted *job, Recount recount, GError **error)
{
	Counting counting = count_once_more(job, recount, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	gboolean again = counting == COUNTING_DONE || (recount == RECOUNT_BASE && !job->counts.base_is_stored);
	if (!again) {
		confirmation_skip(job->comparison, why_not_again(job, counting));
		return TRUE;
	}
	if (counting == COUNTING_DONE)
		counting = gate_counted_run_rest(job, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge(job, counting);
	note_confirmed(job);
	return TRUE;
}

static gboolean confirm(GateCounted *job, GError **error)
{
	const GateRequest *request = job->gate->request;
	const CountedOnce counted = {
	        .mode = request->mode,
	        .no_confirm = request->no_confirm,
	        .base_is_stored = job->counts.base_is_stored,
	        .head_runs = gate_counts_n_runs(&job->counts, SIDE_HEAD),
	};
	const char *why = NULL;
	Recount recount = second_look_recount(job->comparison, &counted, &why);
	switch (recount) {
	case RECOUNT_NOTHING:
		return TRUE;
	case RECOUNT_REFUSED:
		confirmation_skip(job->comparison, g_strdup(why));
		return TRUE;
	case RECOUNT_DONE:
		note_confirmed(job);
		return TRUE;
	case RECOUNT_HEAD:
	case RECOUNT_BASE:
		break;
	}
	return count_again(job, recount, error);
}

/* --- a change against stored counts --- */

static gboolean stands_on_stored(const GateCounted *job)
{
	return job->counts.base_is_stored && job->doubt == NULL && counted_rests_on_stored(job->comparison);
}

/* No pass rests on stored counts alone where head counts anything else than they do. */
static gboolean recheck_base(GateCounted *job, GError **error)
{
	g_autofree char *why = stands_on_stored(job) ? counted_base_doubt(job->comparison) : NULL;
	if (why == NULL)
		return TRUE;
	Counting counting = gate_counted_verify_base(job, why, error);
	if (job->counts.base_is_stored)
		job->doubt = g_steal_pointer(&why);
	else
		gate_counted_note_recount(job, why);
	if (counting == COUNTING_DONE)
		counting = gate_counted_run_rest(job, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge(job, counting);
	return TRUE;
}

/* From the first runs of both sides to a verdict that stands. */
static gboolean settle(GateCounted *job, GError **error)
{
	Counting counting = gate_counted_renew_base(job, error);
	if (counting == COUNTING_DONE)
		counting = gate_counted_run_rest(job, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge(job, counting);
	if (!recheck_base(job, error) || !confirm(job, error))
		return FALSE;
	CountedInput input = gate_counted_input(job);
	acceptance_apply_counted(job->gate->result->acceptances, &input, job->comparison);
	return TRUE;
}

/* --- what becomes of it --- */

static gboolean store(const GateCounted *job, GError **error)
{
	Measurement *const *sides = job->counts.measurements;
	const BenchmarkComparison *comparison = job->comparison;
	if (comparison != NULL && comparison->verdict == VERDICT_ERROR && !engine_pair_abstains(comparison))
		return TRUE;
	if (gate_counted_base_source(job) == BASE_MEASURED && gate_may_store(job->work, SIDE_BASE, sides[SIDE_BASE]) &&
	        !gate_base_put(job->gate, sides[SIDE_BASE], job->replaces, error))
		return FALSE;
	return !gate_may_store(job->work, SIDE_HEAD, sides[SIDE_HEAD]) ||
	       gate_base_put(job->gate, sides[SIDE_HEAD], FALSE, error);
}

/* The profile of what else was counted in the measurements `sides`; of stored counts there is only that of head. */
static void hand_over_profile(GateCounted *job, const Measurement *const sides[N_SIDES], CountedProfile counted)
{
	ResultProfile extra = {.event = (char *)counted_profile_name(counted), .engine = &engine_callgrind};
	Measurement **kept[N_SIDES] = {&extra.base, &extra.head};
	for (int s = 0; s < N_SIDES; s++) {
		Profile **profile = &job->counts.profiles[s][counted];
		if (*profile != NULL)
			*kept[s] = measurement_with_profile(sides[s], g_steal_pointer(profile));
	}
	if (extra.head == NULL)
		return;
	if (extra.base != NULL) {
		CountedInput input = gate_counted_input(job);
		input.base = extra.base;
		input.head = extra.head;
		extra.comparison = compare_counted_shown(&input);
	}
	result_benchmark_add_profile(job->work->row, &extra);
}

static void hand_over_alone(GateCounted *job)
{
	ResultBenchmark *row = job->work->row;
	row->engine = &engine_callgrind;
	row->comparison = g_steal_pointer(&job->comparison);
	row->annotations = g_steal_pointer(&job->annotations);
	row->base = g_steal_pointer(&job->counts.measurements[SIDE_BASE]);
	row->head = g_steal_pointer(&job->counts.measurements[SIDE_HEAD]);
	row->campaign.rounds = measurement_n_runs(row->head);
	row->campaign.retries = job->counts.retries;
	row->campaign.layouts = 1;
	row->campaign.out_of_time = row->comparison != NULL && g_str_equal(row->comparison->reason_code, "out_of_time");
	row->campaign.elapsed_s = job->counts.elapsed_s;
}

/* Puts the counts beside what perf measured: they are a profile that decides, and the verdict is that of both. */
static void hand_over_joined(GateCounted *job)
{
	ResultBenchmark *row = job->work->row;
	ResultProfile profile = {
	        .event = (char *)"instructions",
	        .engine = &engine_callgrind,
	        .decides = TRUE,
	        .base = g_steal_pointer(&job->counts.measurements[SIDE_BASE]),
	        .head = g_steal_pointer(&job->counts.measurements[SIDE_HEAD]),
	        .comparison = g_steal_pointer(&job->comparison),
	        .annotations = g_steal_pointer(&job->annotations),
	};
	if (profile.comparison != NULL)
		profile.decides = check_result_join(job->gate->result, row, profile.comparison);
	result_benchmark_add_profile(row, &profile);
}

static void hand_over(GateCounted *job)
{
	ResultBenchmark *row = job->work->row;
	/* Both live on in the row. */
	const Measurement *const sides[N_SIDES] = {
	        job->counts.measurements[SIDE_BASE], job->counts.measurements[SIDE_HEAD]};
	row->base_source = gate_counted_base_source(job);
	if (row->head == NULL)
		hand_over_alone(job);
	else
		hand_over_joined(job);
	for (int p = 0; p < N_COUNTED; p++)
		hand_over_profile(job, sides, (CountedProfile)p);
}

static gboolean run_counted(GateCounted *job, GError **error)
{
	switch (gate_counted_run_first(job, error)) {
	case COUNTING_FAILED:
		return FALSE;
	case COUNTING_OUT_OF_TIME:
		gate_report_no_time(job->work, &job->share, gate_counted_run_s(job) * 2, "");
		return TRUE;
	case COUNTING_NO_BASE:
	case COUNTING_DONE:
		break;
	}
	gate_work_finding(job->work, job->counts.measurements[SIDE_BASE], job->counts.measurements[SIDE_HEAD]);
	if (job->gate->two_sides && !settle(job, error))
		return FALSE;
	job->annotations = gate_counts_annotate(&job->counts, job->comparison);
	return store(job, error);
}

static void advise(const GateCounted *job)
{
	if (job->counts.findings != NULL)
		gate_add_findings(job->gate, job->counts.findings);
	if (job->counts.measurements[SIDE_HEAD] != NULL)
		gate_counted_advise(job->work, &job->counts, job->comparison);
}

gboolean gate_counted(const GateWork *work, const BudgetShare *share, GError **error)
{
	GateCounted job;
	gate_counted_init(&job, work, share);
	GateBudget *budget = &work->gate->budget;
	gint64 begin_ns = work->gate->host->now_ns();
	gboolean ok = run_counted(&job, error);
	double runs_s = job.counts.elapsed_s;
	if (!work->timed)
		gate_budget_learn(budget, runs_s, gate_seconds_since(budget, begin_ns) - runs_s);
	advise(&job);
	if (work->gate->two_sides ? job.comparison != NULL : ok && job.counts.measurements[SIDE_HEAD] != NULL)
		hand_over(&job);
	gate_counted_clear(&job);
	return ok;
}
