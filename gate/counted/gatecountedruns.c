/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatecountedruns.h"

#include "gate/counted/gatefold.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/sides.h"
#include "runner/campaign/yardstick.h"

#define SINGLE_SIDE_RUNS 2
/* A self-test plants at least this share, however small the margin. */
#define MIN_PLANTED (30 * COUNTED_FLOOR)

void gate_counted_init(GateCounted *job, const GateWork *work, const BudgetShare *share)
{
	GateCounts *counts = &job->counts;
	*job = (GateCounted){.work = work, .gate = work->gate, .share = *share};
	job->policies = policy_counted_metrics(work->benchmark);
	*counts = (GateCounts){
	        .gate = work->gate,
	        .benchmarks = {work->benchmark, work->benchmark},
	        .table = work->base->table,
	        .environments = {work->base->environments[SIDE_BASE], work->base->environments[SIDE_HEAD]},
	        .deadline_ns = share->campaign_end_ns,
	};
	gate_counts_init(counts);
	/* Stored counts take the place of runs of base until anything speaks against them. */
	counts->measurements[SIDE_BASE] = g_steal_pointer(&work->base->stored);
	counts->base_is_stored = counts->measurements[SIDE_BASE] != NULL;
}

void gate_counted_clear(GateCounted *job)
{
	gate_counts_clear(&job->counts);
	g_clear_pointer(&job->policies, g_ptr_array_unref);
	g_clear_pointer(&job->planted, config_benchmark_free);
	g_clear_pointer(&job->plain, config_benchmark_free);
	g_clear_pointer(&job->comparison, benchmark_comparison_free);
	g_clear_pointer(&job->annotations, g_ptr_array_unref);
	g_clear_pointer(&job->doubt, g_free);
}

static const char *name_of(const GateCounted *job)
{
	return job->work->benchmark->name;
}

BaseSource gate_counted_base_source(const GateCounted *job)
{
	if (!job->gate->two_sides)
		return BASE_NONE;
	return job->counts.base_is_stored || job->same_as_stored ? BASE_STORED : BASE_MEASURED;
}

/* --- runs --- */

static double mean_wall_s(const Measurement *measurement)
{
	double sum_ns = 0;
	guint n = measurement != NULL ? measurement_n_runs(measurement) : 0;
	for (guint i = 0; i < n; i++)
		sum_ns += (double)g_array_index(measurement->runs, RunFacts, i).wall_ns;
	return n > 0 ? sum_ns / 1e9 / n : 0;
}

static guint head_runs_beside(const Measurement *stored)
{
	/* One run of either side would show nothing about whether counts repeat. */
	return measurement_n_runs(stored) > 1 ? 1 : 2;
}

double gate_counted_expected_s(const Gate *gate, guint index)
{
	const Measurement *stored = gate_base(gate, index)->stored;
	return stored != NULL ? mean_wall_s(stored) * head_runs_beside(stored) : 0;
}

double gate_counted_run_s(const GateCounted *job)
{
	double head_s = mean_wall_s(job->counts.measurements[SIDE_HEAD]);
	return head_s > 0 ? head_s : mean_wall_s(job->counts.measurements[SIDE_BASE]);
}

char *gate_counted_runs_text(const guint runs[N_SIDES])
{
	static const char *const times[] = {NULL, "once", "twice"};
	GString *text = g_string_new(NULL);
	for (int s = 0; s < N_SIDES; s++) {
		if (runs[s] == 0)
			continue;
		g_string_append_printf(text, "%s%s ", text->len > 0 ? " and " : "", sides_name(s));
		if (runs[s] < G_N_ELEMENTS(times))
			g_string_append(text, times[runs[s]]);
		else
			g_string_append_printf(text, "%u times", runs[s]);
	}
	return g_string_free(text, FALSE);
}

static void tell_counting(const GateCounted *job, const guint more[N_SIDES], double expected_s)
{
	g_autofree char *runs = gate_counted_runs_text(more);
	g_autofree char *time = number_duration(MAX(expected_s, 1));
	gate_progress(job->gate, "%s: counting instructions, %s%s%s", name_of(job), runs,
	        expected_s > 0 ? ", about " : "", expected_s > 0 ? time : "");
}

Counting gate_counted_run(GateCounted *job, const guint more[N_SIDES], GError **error)
{
	GateCounts *counts = &job->counts;
	g_autoptr(GError) failed = NULL;
	double expected_s = gate_counts_expected_s(counts, more, gate_counted_run_s(job));
	/* A run that cannot end in time is not begun: the time goes to what can be judged. */
	if (gate_time_is_over(job->gate, &job->share) ||
	        expected_s > gate_seconds_until(&job->gate->budget, job->share.campaign_end_ns))
		return COUNTING_OUT_OF_TIME;
	tell_counting(job, more, expected_s);
	if (gate_counts_run(counts, more, &failed) && gate_counts_fold(counts, &failed))
		return COUNTING_DONE;
	/* The deadline ended a run, which is no fault of the benchmark. */
	if (counts->cut_short)
		return COUNTING_OUT_OF_TIME;
	g_propagate_error(error, g_steal_pointer(&failed));
	return COUNTING_FAILED;
}

/* --- the first runs --- */

static double planted_share(const GateCounted *job)
{
	/* With a margin of 0 % a planted change of 0 % would prove nothing. */
	double share = MIN_PLANTED;
	for (guint i = 0; i < job->policies->len; i++) {
		const MetricPolicy *policy = job->policies->pdata[i];
		if (policy->gates && g_str_equal(policy->metric, "instructions"))
			share = MAX(share, PLANTED_MARGINS * policy->margin);
	}
	return share;
}

/* Counts with the planted delay. */
static Counting count_planted(GateCounted *job, GError **error)
{
	static const guint base_first[N_SIDES] = {2, 0}, then_head[N_SIDES] = {0, 1};
	GateCounts *counts = &job->counts;
	double share = planted_share(job);
	job->plain = yardstick_longer_benchmark(job->work->benchmark, 0, error);
	if (job->plain == NULL)
		return COUNTING_FAILED;
	counts->benchmarks[SIDE_BASE] = counts->benchmarks[SIDE_HEAD] = job->plain;
	Counting counting = gate_counted_run(job, base_first, error);
	if (counting != COUNTING_DONE)
		return counting;
	/* The delay is a share of the instructions of base, which is why base was counted first. */
	double instructions =
	        metric_median(measurement_metric(counts->measurements[SIDE_BASE], &engine_callgrind, "instructions"));
	job->planted = yardstick_longer_benchmark(job->work->benchmark, share * instructions, error);
	if (job->planted == NULL)
		return COUNTING_FAILED;
	counts->benchmarks[SIDE_HEAD] = job->planted;
	g_autofree char *more_text = number_about(share);
	gate_progress(job->gate, "%s: head runs what base runs and %s more in " YARDSTICK_DELAY_FUNCTION, name_of(job),
	        more_text);
	return gate_counted_run(job, then_head, error);
}

Counting gate_counted_run_first(GateCounted *job, GError **error)
{
	guint first[N_SIDES] = {2, 1};
	if (job->gate->request->mode == CHECK_SELF_TEST)
		return count_planted(job, error);
	if (!job->gate->two_sides) {
		first[SIDE_BASE] = 0;
		first[SIDE_HEAD] = SINGLE_SIDE_RUNS;
	} else if (gate_counted_base_source(job) == BASE_STORED) {
		first[SIDE_BASE] = 0;
		first[SIDE_HEAD] = head_runs_beside(job->counts.measurements[SIDE_BASE]);
	}
	return gate_counted_run(job, first, error);
}

/* --- as many as it takes --- */

CountedInput gate_counted_input(const GateCounted *job)
{
	return (CountedInput){
	        .base = job->counts.measurements[SIDE_BASE],
	        .head = job->counts.measurements[SIDE_HEAD],
	        .policies = job->policies,
	        .gate_functions = job->work->benchmark->gate_functions,
	        .strict_functions = job->work->benchmark->strict_functions,
	        .code = job->counts.code,
	        /* base against base: that nothing was edited excuses nothing there */
	        .change = job->gate->request->mode == CHECK_GATE ? job->gate->change : NULL,
	        .stored_base = job->counts.base_is_stored,
	};
}

gboolean gate_counted_lacks(const GateCounted *job, guint more[N_SIDES])
{
	CountedInput input = gate_counted_input(job);
	CountedRuns needed = counted_runs_needed(&input);
	const guint wanted[N_SIDES] = {needed.base, needed.head};
	for (int s = 0; s < N_SIDES; s++) {
		/* More runs than COUNTED_NOISY_RUNS add hours and no certainty: the test of the ranges has its level
		 * by then. */
		guint there = gate_counts_n_runs(&job->counts, s), most = MIN(wanted[s], COUNTED_NOISY_RUNS);
		more[s] = most > there ? most - there : 0;
	}
	return more[SIDE_BASE] > 0 || more[SIDE_HEAD] > 0;
}
