#include "cli/gatebenchmark.h"

#include "baselines/store.h"
#include "cli/gateadvice.h"
#include "cli/gatecalibrate.h"
#include "cli/gatecampaign.h"
#include "cli/gateconfirm.h"
#include "cli/gatepolicy.h"
#include "cli/gatetrees.h"
#include "compare/sentence.h"
#include "core/error.h"
#include "runner/yardstick.h"

#include <math.h>

/* Sides that did amounts of work so different are worth a word. */
#define WORK_DIFFERS .01
/* What a self-test plants, in margins: enough to be found for certain, little enough to show that the gate is not deaf.
 */
#define PLANTED_MARGINS 3

/* One benchmark on its way. */
typedef struct {
	Gate *gate;
	const ConfigBenchmark *benchmark;
	ConfigBenchmark *planted; /* what head runs in a self-test: with a delay; or NULL */
	ConfigBenchmark *plain;   /* what base runs there: started in the same way, without one; or NULL */
	BudgetShare share;
	StackTable *table;
	GateCampaign campaign;
	ResultBenchmark *row; /* of the result */
} Work;

static void clear_work(Work *work)
{
	gate_campaign_clear(&work->campaign);
	g_clear_pointer(&work->planted, config_benchmark_free);
	g_clear_pointer(&work->plain, config_benchmark_free);
	g_clear_pointer(&work->table, stack_table_unref);
}

static gboolean plant_delay(Work *work, GError **error)
{
	const Gate *gate = work->gate;
	if (gate->request->mode != CHECK_SELF_TEST)
		return TRUE;
	Schedule schedule = policy_schedule(work->benchmark, gate->request->schedule);
	g_autoptr(GPtrArray) policies = policy_metrics(work->benchmark, schedule, gate->machine);
	double share = PLANTED_MARGINS * gate_policy_time(policies)->margin;
	work->planted = yardstick_slower_benchmark(work->benchmark, share, error);
	if (work->planted == NULL || (work->plain = yardstick_slower_benchmark(work->benchmark, 0, error)) == NULL)
		return FALSE;
	gate_progress(gate, "%s: head runs what base runs and %.1f %% more in " YARDSTICK_DELAY_FUNCTION,
	        work->benchmark->name, 100 * share);
	return TRUE;
}

static gboolean measure(Work *work, GError **error)
{
	Gate *gate = work->gate;
	if (!plant_delay(work, error))
		return FALSE;
	CampaignOrder order = {
	        .benchmark = work->plain != NULL ? work->plain : work->benchmark,
	        .head_benchmark = work->planted,
	        .trees = &gate->trees,
	        .choices = gate->choices,
	        .plan = gate_campaign_looks(gate, work->benchmark),
	        .seed = gate_campaign_seed(gate, 0),
	        .deadline_ns = work->share.campaign_end_ns,
	        .table = work->table,
	        .findings = gate->result->findings,
	};
	gboolean ok = gate_campaign_run(gate, &order, &work->campaign, error);
	if (ok)
		work->row->campaign = work->campaign.facts;
	return ok;
}

/* A duration as --max-time takes it, rounded up. */
static char *duration_text(double seconds)
{
	return seconds < 120 ? g_strdup_printf("%.0fs", ceil(seconds)) : g_strdup_printf("%.0fm", ceil(seconds / 60));
}

/* What to ask for instead: a clause. `campaign_s` is what the campaign would have needed, 0 = not known. */
static char *time_needed(const Work *work, double campaign_s)
{
	if (!(campaign_s > 0))
		return g_strdup("give --max-time more");
	double needed_s = gate_budget_needed_s(&work->gate->budget, &work->share, campaign_s);
	g_autofree char *text = duration_text(needed_s);
	return g_strdup_printf("all of them take about %.0f s: --max-time %s would do", campaign_s, text);
}

/* Rounds that had no time are too little evidence, not an error. */
static void judge_lack_of_time(Work *work)
{
	const CampaignFacts *facts = &work->campaign.facts;
	const LookPlan *plan = &work->campaign.order.plan;
	BenchmarkComparison *comparison = work->row->comparison;
	static const char *const lacking[] = {"zero_runs", "zero_samples", "too_few_rounds", "interval_too_wide", NULL};
	if (!facts->out_of_time || !g_strv_contains(lacking, comparison->reason_code))
		return;
	guint most = plan->rounds[plan->n - 1];
	g_autofree char *needed = time_needed(work, facts->estimate_s);
	comparison->verdict = VERDICT_INCONCLUSIVE;
	g_free(comparison->reason_code);
	comparison->reason_code = g_strdup("out_of_time");
	g_free(comparison->reason);
	comparison->reason =
	        g_strdup_printf("the time was over after %u of at most %u rounds; %s", facts->rounds, most, needed);
	sentence_renew(comparison);
	gate_progress(work->gate, "%s: %s", work->benchmark->name, comparison->reason);
}

/* A benchmark that never got to its rounds. */
static void report_no_time(const Work *work, const char *why)
{
	g_autofree char *needed = time_needed(work, work->campaign.facts.estimate_s);
	check_result_add_reason(work->gate->result, 3, "out_of_time", work->benchmark->name,
	        "%s: not measured, the time was over%s%s; %s", work->benchmark->name, *why != '\0' ? ": " : "", why,
	        needed);
}

static gboolean time_is_over(const Work *work)
{
	return gate_budget_limited(&work->gate->budget) && gate_seconds_until(work->share.campaign_end_ns) <= 0;
}

/* Whether the single side of `firebreak run` did anything at all. */
static gboolean has_samples(const Work *work, GError **error)
{
	if (work->campaign.samples[SIDE_BASE] > 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: no samples in any run: it did next to nothing", work->benchmark->name);
}

/* Costs are per unit of work, so this is no error; but somebody may not have meant it. */
static void work_finding(const Work *work)
{
	const Measurement *base = work->campaign.measurements[SIDE_BASE];
	const Measurement *head = work->campaign.measurements[SIDE_HEAD];
	if (head != NULL && fabs(head->work / base->work - 1) > WORK_DIFFERS)
		finding_add(work->gate->result->findings, FINDING_INFO, "work_differs", work->benchmark->name,
		        "a run of base does %g units of work, one of head %g, as they report; costs are per unit",
		        base->work, head->work);
}

/* The runs of a measurement with another profile, which is taken. */
static Measurement *beside(const Measurement *measurement, Profile *profile)
{
	Measurement *copy = measurement_new(measurement->benchmark, measurement->commit, measurement->tree);
	copy->work = measurement->work;
	g_array_append_vals(copy->runs, measurement->runs->data, measurement->runs->len);
	copy->profile = profile;
	return copy;
}

/* Hands the extra profiles over to the result. */
static void keep_profiles(Work *work)
{
	GateCampaign *campaign = &work->campaign;
	Measurement *sides[N_SIDES] = {NULL, NULL};
	for (guint e = 1; e < sampled_events_array(campaign->events)->len; e++) {
		for (int s = 0; s < N_SIDES && campaign->measurements[s] != NULL; s++)
			sides[s] = beside(campaign->measurements[s], g_ptr_array_steal_index(campaign->profiles[s], 0));
		ResultProfile extra = {
		        .event = (char *)sampled_events_name(campaign->events, e), .head = sides[SIDE_BASE]};
		if (work->gate->two_sides) {
			CompareInput input = gate_campaign_input(campaign);
			input.base = extra.base = sides[SIDE_BASE];
			input.head = extra.head = sides[SIDE_HEAD];
			input.functions.gates = FALSE;
			extra.comparison = compare_shown_profiles(&input);
		}
		result_benchmark_add_profile(work->row, &extra);
	}
}

/* A measurement that was cut short does not replace a whole one. */
static gboolean worth_storing(const Work *work)
{
	const GateCampaign *campaign = &work->campaign;
	gboolean whole = !campaign->facts.out_of_time || campaign->facts.rounds >= campaign->order.plan.rounds[0];
	return work->gate->request->store && work->gate->request->mode == CHECK_GATE && whole;
}

static gboolean store_measurements(const Work *work, GError **error)
{
	const Gate *gate = work->gate;
	if (!worth_storing(work))
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, BASELINE_STORE_PREFIX, error);
	if (store == NULL)
		return FALSE;
	for (int s = 0; s < N_SIDES; s++) {
		const Measurement *measurement = work->campaign.measurements[s];
		if (measurement != NULL && !g_str_equal(measurement->commit, "worktree") &&
		        !baseline_store_put(store, measurement, error))
			return FALSE;
	}
	return TRUE;
}

/* Judges, and keeps what was measured before more is measured. */
static gboolean compare_and_store(Work *work, GError **error)
{
	CompareInput input = gate_campaign_input(&work->campaign);
	work->row->comparison = compare_benchmark(&input);
	judge_lack_of_time(work);
	if (work->row->comparison->verdict != VERDICT_ERROR && !store_measurements(work, error))
		return FALSE;
	gate_budget_learn(
	        &work->gate->budget, work->campaign.facts.elapsed_s, gate_seconds_since(work->campaign.runs_end_ns));
	return TRUE;
}

/* What is done with a campaign whose profiles are there. */
static gboolean judge_and_keep(Work *work, GError **error)
{
	work_finding(work);
	keep_profiles(work);
	if (!work->gate->two_sides)
		return has_samples(work, error) && store_measurements(work, error);
	if (!compare_and_store(work, error))
		return FALSE;
	gate_confirm(&work->campaign, &work->share, work->row->comparison);
	gate_advise(&work->campaign, work->row->comparison);
	return gate_calibrate(work->gate, &work->campaign, &work->share, work->row->comparison, error);
}

static void hand_over(Work *work)
{
	Measurement **sides = work->campaign.measurements;
	work->row->base = work->gate->two_sides ? g_steal_pointer(&sides[SIDE_BASE]) : NULL;
	work->row->head = g_steal_pointer(&sides[work->gate->two_sides ? SIDE_HEAD : SIDE_BASE]);
}

/* Whether a run was ended by its timeout, which a deadline shortens: then the first line of the message ends so. What
 * the benchmark wrote comes below it. */
static gboolean is_timeout(const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", 2);
	return g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID) && lines[0] != NULL &&
	       g_str_has_suffix(lines[0], " timed out");
}

/* Runs and judges; what is cut short for lack of time is no failure, whatever else goes wrong is one. */
static gboolean run_work(Work *work, GError **error)
{
	g_autoptr(GError) failed = NULL;
	if (measure(work, &failed))
		return judge_and_keep(work, error);
	if (time_is_over(work) && is_timeout(failed)) {
		report_no_time(work, failed->message);
		return TRUE;
	}
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

static void inspect_programs(const Work *work)
{
	const Gate *gate = work->gate;
	for (int s = gate->two_sides ? SIDE_BASE : SIDE_HEAD; s < N_SIDES; s++) {
		guint n;
		const Side *variants = gate_trees_variants(&gate->trees, s, work->benchmark, &n);
		side_inspect(variants, work->benchmark, gate->result->findings);
		side_check_layouts(variants, n, work->benchmark, gate->result->findings);
	}
}

gboolean gate_benchmark(Gate *gate, guint index)
{
	Work work = {
	        .gate = gate,
	        .benchmark = gate->config->benchmarks->pdata[index],
	        .share = gate_budget_share(&gate->budget, index),
	};
	g_autoptr(GError) error = NULL;
	work.row = check_result_add_benchmark(gate->result, work.benchmark->name);
	if (time_is_over(&work)) {
		report_no_time(&work, "");
		return TRUE;
	}
	work.table = stack_table_new();
	inspect_programs(&work);
	gboolean ok = run_work(&work, &error);
	if (error != NULL)
		gate_add_failure(gate, work.benchmark->name, error);
	if (gate->two_sides ? work.row->comparison != NULL : error == NULL)
		hand_over(&work);
	gate_calibration_report(gate, work.row);
	clear_work(&work);
	return ok || error == NULL || firebreak_error_exit_code(error) == FIREBREAK_ERROR_INVALID;
}
