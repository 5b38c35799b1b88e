/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/gatebenchmark.h"

#include "compare/reasons.h"
#include "core/cancel.h"
#include "core/error.h"
#include "gate/counted/gatecounted.h"
#include "gate/counted/gatecountedruns.h"
#include "gate/steps/gateframework.h"
#include "gate/steps/gatetrees.h"
#include "gate/timed/gatetimed.h"
#include "model/engine.h"

/* The share of the time that is kept for counting where nobody knows how long that takes. */
#define COUNTING_SHARE .5

/* The tree of a side that is looked at. */
static const Side *inspected_side(const GateWork *work, int side)
{
	Gate *gate = work->gate;
	const Side *first = gate_trees_first(&gate->trees, side, work->benchmark);
	if (work->timed)
		side_check_layouts(first, MAX(work->benchmark->layouts, 1), work->benchmark, gate->result->findings);
	return first;
}

/* Frame pointers are not missed where calls are followed as they happen. */
static void inspect_programs(const GateWork *work)
{
	g_autoptr(ConfigBenchmark) followed = config_benchmark_copy(work->benchmark);
	const Side *sides[N_SIDES];
	ProgramFacts *facts[N_SIDES] = {0}, **rows[N_SIDES] = {&work->row->base_program, &work->row->head_program};
	guint n = 0, at = 0;
	if (!work->timed)
		followed->unwind = RECORDER_DWARF;
	for (int s = SIDE_BASE; s < N_SIDES; s++)
		if (work->gate->trees.sides[s] != NULL)
			sides[n++] = inspected_side(work, s);
	side_inspect(sides, n, followed, facts, work->gate->result->findings);
	for (int s = SIDE_BASE; s < N_SIDES; s++)
		if (work->gate->trees.sides[s] != NULL)
			*rows[s] = facts[at++];
}

/* The part of a benchmark's time that its campaign under perf may take when counting comes after it. */
static BudgetShare timed_share(const GateWork *work, const BudgetShare *whole)
{
	BudgetShare share = *whole;
	if (!gate_budget_limited(&work->gate->budget) || !work->counted)
		return share;
	/* Counting that is known to be quick keeps only what it needs; one that is long never gets more than its
	 * share, since the times decide, too. */
	double left_s = gate_seconds_until(&work->gate->budget, share.campaign_end_ns) * COUNTING_SHARE;
	double expected_s = gate_counted_expected_s(work->gate, work->index);
	gint64 kept_ns = (gint64)(1e9 * (expected_s > 0 ? MIN(expected_s, left_s) : left_s));
	share.campaign_end_ns -= kept_ns;
	share.end_ns -= kept_ns;
	return share;
}

#define TIMEOUT_REMEDY "; let a run do less, or raise `timeout`"

/* The error of a run that used up its own timeout, with what to do at the end of the first line; other errors as they
 * are. A run that --max-time cut short has been told elsewhere. Owned by the caller. */
static GError *with_remedy(const GError *error)
{
	if (!g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_TIMEOUT))
		return g_error_copy(error);
	gsize first = strcspn(error->message, "\n");
	return g_error_new(error->domain, error->code, "%.*s" TIMEOUT_REMEDY "%s", (int)first, error->message,
	        error->message + first);
}

/* Adds a failure as a reason. FALSE if the check cannot go on after it. */
static gboolean note_failure(const GateWork *work, const GError *error)
{
	g_autoptr(GError) told = with_remedy(error);
	gate_add_failure(work->gate, work->benchmark->name, told);
	/* A benchmark that cannot be measured leaves the others alone. Anything else (storage, environment, a
	 * signal) would meet them, too. */
	return firebreak_error_exit_code(error) == FIREBREAK_ERROR_INVALID && cancel_check(NULL);
}

/* The number of engines that have judged. */
static guint n_judged(const ResultBenchmark *row)
{
	guint n = row->comparison != NULL ? 1 : 0;
	for (guint i = 0; i < row->profiles->len; i++) {
		const ResultProfile *profile = row->profiles->pdata[i];
		n += g_str_equal(profile->event, "instructions") && profile->comparison != NULL &&
		     engine_counts(profile->engine);
	}
	return n;
}

typedef gboolean (*EngineStep)(const GateWork *work, const BudgetShare *share, GError **error);

/* Sets *lacking to the reason why this engine judged nothing, if it did not. FALSE if the check cannot go on. */
static gboolean run_engine(
        const GateWork *work, EngineStep engine, const BudgetShare *share, const ResultReason **lacking)
{
	const GPtrArray *reasons = work->gate->result->reasons;
	guint before = n_judged(work->row), n_reasons = reasons->len;
	g_autoptr(GError) error = NULL;
	/* An engine may give a reason and no error: out of time is none. So both the number of verdicts and that of
	 * reasons tell what became of it. */
	gboolean go_on = engine(work, share, &error) || note_failure(work, error);
	if (n_judged(work->row) == before && reasons->len > n_reasons)
		*lacking = reasons->pdata[reasons->len - 1];
	return go_on;
}

/* FALSE if the benchmark cannot be measured as it is: the result has the reason, and *go_on says whether the check goes
 * on with others. */
static gboolean prepare_framework(const GateWork *work, const BudgetShare *share, gboolean *go_on)
{
	g_autoptr(GError) error = NULL;
	*go_on = TRUE;
	if (!gate_framework_accepts(work))
		return FALSE;
	if (gate_framework_calibrate(work, share, &error))
		return TRUE;
	/* a run that had less than its own timeout */
	if (g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_TIMEOUT) && gate_time_is_over(work->gate, share)) {
		gate_report_no_time(work, share, 0, "");
		gate_settle_no_time(work->gate, work->row);
		return FALSE;
	}
	*go_on = note_failure(work, error);
	return FALSE;
}

gboolean gate_benchmark(Gate *gate, guint index)
{
	const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[index];
	GateWork work = {
	        .gate = gate,
	        .index = index,
	        .benchmark = benchmark,
	        .timed = config_uses_engine(benchmark, &engine_perf),
	        .counted = config_uses_engine(benchmark, &engine_callgrind),
	        .base = gate_base(gate, index),
	        .row = check_result_add_benchmark(gate->result, benchmark->name),
	};
	BudgetShare share = gate_budget_share(&gate->budget, index);
	const ResultReason *lacking = NULL;
	gboolean go_on = TRUE;
	/* Set before anything can fail, so that a row without a verdict says which engine it lacks. */
	work.row->engine = engine_that(!work.timed);
	work.row->base_source = gate->two_sides && work.timed ? BASE_MEASURED : BASE_NONE;
	if (gate_time_is_over(gate, &share)) {
		gate_report_no_time(&work, &share, 0, "");
		gate_settle_no_time(gate, work.row);
		return TRUE;
	}
	inspect_programs(&work);
	if (!prepare_framework(&work, &share, &go_on))
		return go_on;
	if (work.timed) {
		BudgetShare part = timed_share(&work, &share);
		go_on = run_engine(&work, gate_timed, &part, &lacking);
	}
	if (go_on && work.counted)
		go_on = run_engine(&work, gate_counted, &share, &lacking);
	/* One engine passed and the other said nothing: that is no pass of the benchmark. */
	if (lacking != NULL && work.row->comparison != NULL)
		check_result_lacks_engine(gate->result, work.row, lacking);
	gate_settle_no_time(gate, work.row);
	return go_on;
}
