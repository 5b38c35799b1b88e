#include "runner/campaign.h"

#include "core/error.h"

#include <math.h>

#define MAX_ATTEMPTS 4
#define MAX_PADDING 4096
#define SHORT_RUN_NS 2e8
#define INTERFERENCE_LIMIT 1.5

static const char *const side_names[] = {"base", "head"};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static guint64 next_random(guint64 *state)
{
	guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

gboolean *campaign_order(const guint *looks, guint n_looks, guint64 *state)
{
	guint n = looks[n_looks - 1], start = 0;
	gboolean *order = g_new0(gboolean, n);
	for (guint l = 0; l < n_looks; start = looks[l++]) {
		guint step = looks[l] - start;
		guint base_first = step / 2 + (step % 2 == 1 ? (guint)(next_random(state) >> 63) : 0);
		for (guint i = 0; i < step; i++)
			order[start + i] = i < base_first;
		for (guint i = step; i > 1; i--) {
			guint j = (guint)(next_random(state) % i);
			gboolean kept = order[start + i - 1];
			order[start + i - 1] = order[start + j];
			order[start + j] = kept;
		}
	}
	return order;
}

static void progress(const Campaign *campaign, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void progress(const Campaign *campaign, const char *format, ...)
{
	if (campaign->plan.progress == NULL)
		return;
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	campaign->plan.progress(campaign->plan.progress_data, text);
}

void campaign_free(Campaign *campaign)
{
	if (campaign == NULL)
		return;
	for (int s = 0; s < N_SIDES; s++)
		g_ptr_array_unref(campaign->recordings[s]);
	g_free(campaign);
}

static guint n_sides(const Campaign *campaign)
{
	return campaign->plan.sides[SIDE_HEAD] != NULL ? 2 : 1;
}

static double outcome_metric(const RunOutcome *outcome, const char *engine, const char *name)
{
	for (guint i = 0; i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		if (g_str_equal(metric->engine, engine) && g_str_equal(metric->name, name))
			return metric->value;
	}
	return NAN;
}

/* Appends a run: one value to every metric, NaN where this run has none. */
static void append_run(Measurement *measurement, const RunOutcome *outcome)
{
	for (guint i = 0; i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		MetricSeries *series = measurement_add_metric(
		        measurement, metric->engine, metric->name, metric->unit, metric->comparable);
		series->higher_is_better = metric->higher_is_better;
	}
	for (guint m = 0; m < measurement->metrics->len; m++) {
		MetricSeries *series = measurement->metrics->pdata[m];
		double value = outcome_metric(outcome, series->engine, series->name);
		g_array_append_val(series->values, value);
	}
	g_array_append_val(measurement->runs, outcome->facts);
}

/* The metric that this run gives in another unit or direction than those before, or NULL. */
static const char *changed_metric(const Measurement *measurement, const RunOutcome *outcome)
{
	for (guint i = 0; i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		const MetricSeries *series = measurement_metric(measurement, metric->engine, metric->name);
		if (series != NULL && (!g_str_equal(series->unit, metric->unit) ||
		                              series->higher_is_better != metric->higher_is_better))
			return metric->name;
	}
	return NULL;
}

/* Values of one metric in two units are no series. */
static void check_outcomes(const Campaign *campaign, RunOutcome *outcomes)
{
	for (guint s = 0; s < n_sides(campaign); s++) {
		const char *changed = changed_metric(campaign->plan.measurements[s], &outcomes[s]);
		if (changed == NULL || outcomes[s].failure_code != NULL)
			continue;
		outcomes[s].failure_code = g_strdup("metric_changed");
		outcomes[s].failure =
		        g_strdup_printf("reported %s in another unit or direction than in the rounds before", changed);
	}
}

static void clear_outcomes(RunOutcome *outcomes)
{
	for (int s = 0; s < N_SIDES; s++)
		run_outcome_clear(&outcomes[s]);
}

static gboolean run_failed(
        const Campaign *campaign, int side, const char *round, const RunOutcome *outcome, GError **error)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "benchmark %s of %s, %s: %s",
	        campaign->plan.benchmark->name, campaign->plan.sides[side]->name, round, outcome->failure);
	return FALSE;
}

/* Runs both sides of a round; outcomes are indexed by side. */
static gboolean execute_round(Campaign *campaign, char *const recordings[], gboolean base_first, gboolean together,
        guint padding, RunOutcome *outcomes, GError **error)
{
	const CampaignPlan *plan = &campaign->plan;
	guint n = n_sides(campaign);
	RunRequest requests[N_SIDES];
	RunOutcome ordered[N_SIDES] = {0};
	int order[N_SIDES] = {SIDE_BASE, SIDE_HEAD};
	gboolean ok = TRUE;
	if (n == 2 && !base_first)
		order[0] = SIDE_HEAD, order[1] = SIDE_BASE;
	for (guint i = 0; i < n; i++)
		requests[i] = (RunRequest){
		        .benchmark = plan->benchmark,
		        .side = plan->sides[order[i]],
		        .recording = recordings[order[i]],
		        .pass_env = plan->pass_env,
		        .padding = padding,
		};
	if (together)
		ok = plan->executor->execute(plan->executor, requests, n, ordered, error);
	for (guint i = 0; ok && !together && i < n; i++)
		ok = plan->executor->execute(plan->executor, &requests[i], 1, &ordered[i], error);
	for (guint i = 0; i < n; i++) {
		ordered[i].facts.started_first = i == 0;
		outcomes[order[i]] = ordered[i];
	}
	return ok;
}

static void note_warm_up(Campaign *campaign, guint side, const RunOutcome *outcome)
{
	double cpu_ns = outcome_metric(outcome, "perf", "task-clock");
	campaign->warm_up_cpu_ns[side] = cpu_ns;
	campaign->warm_up_ns[side] = MAX(cpu_ns, (double)outcome->facts.wall_ns);
}

/* The first run of each side, alone: fills caches, shows whether the benchmark works at all, and what it costs. */
static gboolean warm_up(Campaign *campaign, gboolean base_first, GError **error)
{
	RunOutcome outcomes[N_SIDES] = {0};
	char *none[N_SIDES] = {NULL, NULL};
	gboolean ok = execute_round(campaign, none, base_first, FALSE, 0, outcomes, error);
	for (guint s = 0; ok && s < n_sides(campaign); s++) {
		if (outcomes[s].failure_code != NULL && !g_str_equal(outcomes[s].failure_code, "steal"))
			ok = run_failed(campaign, (int)s, "warm-up", &outcomes[s], error);
		else
			note_warm_up(campaign, s, &outcomes[s]);
	}
	clear_outcomes(outcomes);
	return ok;
}

static void warm_up_findings(const Campaign *campaign)
{
	double cpu_ns = campaign->warm_up_cpu_ns[SIDE_BASE];
	if (cpu_ns < SHORT_RUN_NS)
		finding_add(campaign->plan.findings, FINDING_WARNING, "short_benchmark", campaign->plan.benchmark->name,
		        "one run takes %.0f ms of CPU time; below 200 ms noise grows: repeat the work inside the "
		        "command and set "
		        "`work`",
		        cpu_ns / 1e6);
}

/* The first of the two outcomes that failed, or -1. */
static int failed_side(const Campaign *campaign, const RunOutcome *outcomes)
{
	for (guint s = 0; s < n_sides(campaign); s++)
		if (outcomes[s].failure_code != NULL)
			return (int)s;
	return -1;
}

/* A benchmark that works alone but not beside its twin (a port, a lock, an output file) is measured back to back. */
static gboolean fall_back_to_sequential(Campaign *campaign, const RunOutcome *failed)
{
	if (campaign->plan.schedule != SCHEDULE_AUTO || campaign->schedule != SCHEDULE_COSCHEDULED ||
	        campaign->rounds > 0 || !g_str_equal(failed->failure_code, "benchmark_failed"))
		return FALSE;
	campaign->schedule = SCHEDULE_SEQUENTIAL;
	finding_add(campaign->plan.findings, FINDING_WARNING, "cannot_run_beside_itself",
	        campaign->plan.benchmark->name,
	        "works alone but not beside a second copy of itself (a port, lock or file?); measured back to back, "
	        "with "
	        "more noise");
	return TRUE;
}

static void keep_round(Campaign *campaign, RunOutcome *outcomes, char *const recordings[], guint attempts)
{
	campaign->rounds++;
	for (guint s = 0; s < n_sides(campaign); s++) {
		outcomes[s].facts.round = campaign->rounds;
		outcomes[s].facts.attempts = attempts;
		append_run(campaign->plan.measurements[s], &outcomes[s]);
		g_ptr_array_add(campaign->recordings[s], g_strdup(recordings[s]));
	}
}

static void note_retry(Campaign *campaign, const RunOutcome *outcomes)
{
	campaign->retries++;
	for (guint s = 0; s < n_sides(campaign); s++)
		campaign->crashes[s] += g_strcmp0(outcomes[s].failure_code, "benchmark_failed") == 0;
}

/* Retries are for a disturbed machine. A benchmark that fails now and then on one side only is a bug of that side, and
 * the runs that happened to succeed are no fair sample of it. */
static gboolean check_stability(const Campaign *campaign, GError **error)
{
	const CampaignPlan *plan = &campaign->plan;
	for (guint s = 0; s < n_sides(campaign); s++)
		if (campaign->crashes[s] > 1 && (n_sides(campaign) == 1 || campaign->crashes[1 - s] == 0)) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "benchmark %s of %s failed in %u runs that were done again, and never on the other "
			        "side",
			        plan->benchmark->name, plan->sides[s]->name, campaign->crashes[s]);
			return FALSE;
		}
	if (campaign->retries > 0)
		finding_add(plan->findings, FINDING_WARNING, "rounds_done_again", plan->benchmark->name,
		        "%u rounds were disturbed and done again (%u by failures of the benchmark)", campaign->retries,
		        campaign->crashes[SIDE_BASE] + campaign->crashes[SIDE_HEAD]);
	return TRUE;
}

static gboolean run_round(Campaign *campaign, gboolean base_first, guint64 *state, GError **error)
{
	const CampaignPlan *plan = &campaign->plan;
	g_autofree char *round = g_strdup_printf("round %u", campaign->rounds + 1);
	guint padding = (guint)(next_random(state) % MAX_PADDING);
	char *recordings[N_SIDES];
	gboolean ok = FALSE;
	for (int s = 0; s < N_SIDES; s++)
		recordings[s] = g_strdup_printf("%s/%s.%s.%u.data", plan->recording_dir, plan->benchmark->name,
		        side_names[s], campaign->rounds + 1);
	for (guint attempt = 1;; attempt++) {
		RunOutcome outcomes[N_SIDES] = {0};
		ok = execute_round(campaign, recordings, base_first, campaign->schedule == SCHEDULE_COSCHEDULED,
		        padding, outcomes, error);
		if (ok)
			check_outcomes(campaign, outcomes);
		int failed = ok ? failed_side(campaign, outcomes) : -1;
		gboolean again = failed >= 0 && (fall_back_to_sequential(campaign, &outcomes[failed]) ||
		                                        (outcomes[failed].retry && attempt < MAX_ATTEMPTS));
		if (ok && failed < 0)
			keep_round(campaign, outcomes, recordings, attempt);
		else if (ok && !again)
			ok = run_failed(campaign, failed, round, &outcomes[failed], error);
		if (again) {
			note_retry(campaign, outcomes);
			progress(campaign, "%s: %s of %s is done again: %s", plan->benchmark->name, round,
			        plan->sides[failed]->name, outcomes[failed].failure_code);
		}
		clear_outcomes(outcomes);
		if (!again)
			break;
	}
	for (int s = 0; s < N_SIDES; s++)
		g_free(recordings[s]);
	return ok;
}

/* How much more CPU time the benchmark needs beside its twin than alone: they evict each other's cache lines. */
static void interference_finding(const Campaign *campaign)
{
	const Measurement *base = campaign->plan.measurements[SIDE_BASE];
	double together = metric_median(measurement_metric(base, "perf", "task-clock"));
	double ratio = together / campaign->warm_up_cpu_ns[SIDE_BASE];
	if (campaign->schedule == SCHEDULE_COSCHEDULED && n_sides(campaign) == 2 && ratio > INTERFERENCE_LIMIT)
		finding_add(campaign->plan.findings, FINDING_INFO, "cache_interference", campaign->plan.benchmark->name,
		        "costs %.1f times as much beside its twin as alone: both sides evict each other's cache lines, "
		        "equally; "
		        "`schedule: sequential` measures without that, with more noise",
		        ratio);
}

static void estimate(const Campaign *campaign)
{
	const guint *looks = campaign->plan.looks;
	double round_s = campaign->warm_up_ns[SIDE_BASE] / 1e9 +
	                 (n_sides(campaign) == 2 ? campaign->warm_up_ns[SIDE_HEAD] / 1e9 : 0);
	guint most = looks[campaign->plan.n_looks - 1];
	if (looks[0] == most)
		progress(campaign, "%s: %u rounds of %.1f s, about %.0f s", campaign->plan.benchmark->name, most,
		        round_s, round_s * most);
	else
		progress(campaign, "%s: %u to %u rounds of %.1f s, about %.0f to %.0f s",
		        campaign->plan.benchmark->name, looks[0], most, round_s, round_s * looks[0], round_s * most);
}

static Campaign *campaign_new(const CampaignPlan *plan)
{
	Campaign *campaign = g_new0(Campaign, 1);
	campaign->plan = *plan;
	campaign->schedule = plan->schedule == SCHEDULE_SEQUENTIAL || plan->sides[SIDE_HEAD] == NULL
	                             ? SCHEDULE_SEQUENTIAL
	                             : SCHEDULE_COSCHEDULED;
	for (int s = 0; s < N_SIDES; s++)
		campaign->recordings[s] = g_ptr_array_new_with_free_func(g_free);
	return campaign;
}

Campaign *campaign_run(const CampaignPlan *plan, GError **error)
{
	g_autoptr(Campaign) campaign = campaign_new(plan);
	guint64 state = plan->seed;
	g_autofree gboolean *order = campaign_order(plan->looks, plan->n_looks, &state);
	if (!warm_up(campaign, order[0], error))
		return NULL;
	warm_up_findings(campaign);
	estimate(campaign);
	for (guint l = 0; l < plan->n_looks; l++) {
		while (campaign->rounds < plan->looks[l]) {
			if (!run_round(campaign, order[campaign->rounds], &state, error))
				return NULL;
			progress(campaign, "%s: round %u of %u", plan->benchmark->name, campaign->rounds,
			        plan->looks[plan->n_looks - 1]);
		}
		for (guint s = 0; s < n_sides(campaign); s++) {
			g_free(plan->measurements[s]->schedule);
			plan->measurements[s]->schedule = g_strdup(schedule_name(campaign->schedule));
		}
		if (plan->decided(plan->decided_data, campaign))
			break;
	}
	for (guint s = 0; s < n_sides(campaign); s++)
		measurement_settle_work(plan->measurements[s]);
	interference_finding(campaign);
	if (!check_stability(campaign, error))
		return NULL;
	return g_steal_pointer(&campaign);
}
