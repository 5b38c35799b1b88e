#include "gate/counted/gateexactruns.h"

#include "gate/counted/gateexactbase.h"
#include "runner/campaign/yardstick.h"

#define SINGLE_SIDE_RUNS 2
/* A self-test plants at least this share, however small the margin. */
#define MIN_PLANTED (30 * EXACT_FLOOR)

void gate_exact_init(GateExact *exact, const GateWork *work, const BudgetShare *share)
{
	GateCounts *counts = &exact->counts;
	*exact = (GateExact){.work = work, .gate = work->gate, .share = *share};
	exact->policies = policy_exact_metrics(work->benchmark);
	*counts = (GateCounts){
	        .gate = work->gate,
	        .benchmarks = {work->benchmark, work->benchmark},
	        .table = work->base->table,
	        .environments = {work->base->environments[SIDE_BASE], work->base->environments[SIDE_HEAD]},
	        .deadline_ns = share->campaign_end_ns,
	};
	gate_counts_init(counts);
	counts->measurements[SIDE_BASE] = g_steal_pointer(&work->base->stored);
	counts->base_is_stored = counts->measurements[SIDE_BASE] != NULL;
}

void gate_exact_clear(GateExact *exact)
{
	gate_counts_clear(&exact->counts);
	g_clear_pointer(&exact->policies, g_ptr_array_unref);
	g_clear_pointer(&exact->planted, config_benchmark_free);
	g_clear_pointer(&exact->plain, config_benchmark_free);
	g_clear_pointer(&exact->comparison, benchmark_comparison_free);
	g_clear_pointer(&exact->annotations, g_ptr_array_unref);
	g_clear_pointer(&exact->doubt, g_free);
}

static const char *name_of(const GateExact *exact)
{
	return exact->work->benchmark->name;
}

BaseSource gate_exact_base_source(const GateExact *exact)
{
	if (!exact->gate->two_sides)
		return BASE_NONE;
	return exact->counts.base_is_stored || exact->same_as_stored ? BASE_STORED : BASE_MEASURED;
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
	return measurement_n_runs(stored) > 1 ? 1 : 2;
}

double gate_exact_expected_s(const Gate *gate, guint index)
{
	const Measurement *stored = gate_base(gate, index)->stored;
	return stored != NULL ? mean_wall_s(stored) * head_runs_beside(stored) : 0;
}

double gate_exact_run_s(const GateExact *exact)
{
	double head_s = mean_wall_s(exact->counts.measurements[SIDE_HEAD]);
	return head_s > 0 ? head_s : mean_wall_s(exact->counts.measurements[SIDE_BASE]);
}

char *gate_exact_runs_text(const guint runs[N_SIDES])
{
	static const char *const names[N_SIDES] = {"base", "head"}, *const times[] = {NULL, "once", "twice"};
	GString *text = g_string_new(NULL);
	for (int s = 0; s < N_SIDES; s++) {
		if (runs[s] == 0)
			continue;
		g_string_append_printf(text, "%s%s ", text->len > 0 ? " and " : "", names[s]);
		if (runs[s] < G_N_ELEMENTS(times))
			g_string_append(text, times[runs[s]]);
		else
			g_string_append_printf(text, "%u times", runs[s]);
	}
	return g_string_free(text, FALSE);
}

static void tell_counting(const GateExact *exact, const guint more[N_SIDES], double expected_s)
{
	g_autofree char *runs = gate_exact_runs_text(more);
	g_autofree char *time = expected_s > 0 ? g_strdup_printf(", about %.0f s", MAX(expected_s, 1)) : g_strdup("");
	gate_progress(exact->gate, "%s: counting instructions, %s%s", name_of(exact), runs, time);
}

Counting gate_exact_count(GateExact *exact, const guint more[N_SIDES], GError **error)
{
	GateCounts *counts = &exact->counts;
	g_autoptr(GError) failed = NULL;
	double expected_s = gate_counts_expected_s(counts, more, gate_exact_run_s(exact));
	if (gate_time_is_over(exact->gate, &exact->share) ||
	        expected_s > gate_seconds_until(&exact->gate->budget, exact->share.campaign_end_ns))
		return COUNTING_OUT_OF_TIME;
	tell_counting(exact, more, expected_s);
	if (gate_counts_run(counts, more, &failed) && gate_counts_fold(counts, &failed))
		return COUNTING_DONE;
	if (counts->cut_short)
		return COUNTING_OUT_OF_TIME;
	g_propagate_error(error, g_steal_pointer(&failed));
	return COUNTING_FAILED;
}

/* --- the first runs --- */

static double planted_share(const GateExact *exact)
{
	double share = MIN_PLANTED;
	for (guint i = 0; i < exact->policies->len; i++) {
		const MetricPolicy *policy = exact->policies->pdata[i];
		if (policy->gates && g_str_equal(policy->metric, "instructions"))
			share = MAX(share, PLANTED_MARGINS * policy->margin);
	}
	return share;
}

/* How many instructions the delay has to have is known when base has been counted. */
static Counting count_planted(GateExact *exact, GError **error)
{
	static const guint base_first[N_SIDES] = {2, 0}, then_head[N_SIDES] = {0, 1};
	GateCounts *counts = &exact->counts;
	double share = planted_share(exact);
	exact->plain = yardstick_longer_benchmark(exact->work->benchmark, 0, error);
	if (exact->plain == NULL)
		return COUNTING_FAILED;
	counts->benchmarks[SIDE_BASE] = counts->benchmarks[SIDE_HEAD] = exact->plain;
	Counting counting = gate_exact_count(exact, base_first, error);
	if (counting != COUNTING_DONE)
		return counting;
	double instructions = metric_median(
	        measurement_metric(counts->measurements[SIDE_BASE], CONFIG_ENGINE_CALLGRIND, "instructions"));
	exact->planted = yardstick_longer_benchmark(exact->work->benchmark, share * instructions, error);
	if (exact->planted == NULL)
		return COUNTING_FAILED;
	counts->benchmarks[SIDE_HEAD] = exact->planted;
	gate_progress(exact->gate, "%s: head runs what base runs and %.1f %% more in " YARDSTICK_DELAY_FUNCTION,
	        name_of(exact), 100 * share);
	return gate_exact_count(exact, then_head, error);
}

Counting gate_exact_count_first(GateExact *exact, GError **error)
{
	guint first[N_SIDES] = {2, 1};
	if (exact->gate->request->mode == CHECK_SELF_TEST)
		return count_planted(exact, error);
	if (!exact->gate->two_sides) {
		first[SIDE_BASE] = 0;
		first[SIDE_HEAD] = SINGLE_SIDE_RUNS;
	} else if (gate_exact_base_source(exact) == BASE_STORED) {
		first[SIDE_BASE] = 0;
		first[SIDE_HEAD] = head_runs_beside(exact->counts.measurements[SIDE_BASE]);
	}
	return gate_exact_count(exact, first, error);
}

/* --- as many as it takes --- */

ExactInput gate_exact_input(const GateExact *exact)
{
	return (ExactInput){
	        .base = exact->counts.measurements[SIDE_BASE],
	        .head = exact->counts.measurements[SIDE_HEAD],
	        .policies = exact->policies,
	        .gate_functions = exact->work->benchmark->gate_functions,
	        .strict_functions = exact->work->benchmark->strict_functions,
	        .code = exact->counts.code,
	        /* base against base: that nothing was edited excuses nothing there */
	        .change = exact->gate->request->mode == CHECK_GATE ? exact->gate->change : NULL,
	        .stored_base = exact->counts.base_is_stored,
	};
}

gboolean gate_exact_lacks(const GateExact *exact, guint more[N_SIDES])
{
	ExactInput input = gate_exact_input(exact);
	ExactRuns needed = exact_runs_needed(&input);
	const guint wanted[N_SIDES] = {needed.base, needed.head};
	for (int s = 0; s < N_SIDES; s++) {
		guint there = gate_counts_n_runs(&exact->counts, s), most = MIN(wanted[s], EXACT_NOISY_RUNS);
		more[s] = most > there ? most - there : 0;
	}
	return more[SIDE_BASE] > 0 || more[SIDE_HEAD] > 0;
}

Counting gate_exact_count_rest(GateExact *exact, GError **error)
{
	guint more[N_SIDES];
	Counting counting = COUNTING_DONE;
	while (counting == COUNTING_DONE && gate_exact_lacks(exact, more)) {
		if (more[SIDE_BASE] > 0 && exact->counts.base_is_stored) {
			more[SIDE_BASE] += gate_counts_n_runs(&exact->counts, SIDE_BASE);
			counting = gate_exact_prepare_base(
			        exact, "counts do not repeat, and there are too few stored ones of base", error);
		}
		if (counting == COUNTING_DONE)
			counting = gate_exact_count(exact, more, error);
	}
	return counting;
}
