/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gatecalibrate.h"

#include "baselines/calibrations.h"
#include "compare/timed/calibrationsummary.h"
#include "core/error.h"
#include "gate/steps/gateengines.h"
#include "gate/steps/gatefiles.h"
#include "gate/steps/gatetrees.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

/* The part of head's SHA that says whether its turn has come. */
#define TURN_DIGITS 8

static char *fingerprint(const Gate *gate)
{
	return environment_fingerprint(gate->result->environment, METRIC_REPLICABLE);
}

/* Keeps what an A/A campaign showed, unless it was cut short or is not valid. */
static gboolean keep(Gate *gate, const GateCampaign *campaign, const BenchmarkComparison *comparison, GError **error)
{
	if (comparison->verdict == VERDICT_ERROR || campaign->facts.out_of_time)
		return TRUE;
	Calibration *record = calibration_of(comparison);
	g_ptr_array_add(gate->calibrations, record);
	record->commit = g_strdup(campaign->order.choices[SIDE_BASE].sha);
	record->fingerprint = fingerprint(gate);
	record->schedule = g_strdup(campaign->measurements[SIDE_BASE]->schedule);
	record->time_s = gate->host->time_s();
	record->seed = campaign->order.seed;
	if (!gate->request->store)
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, error);
	return store != NULL && calibrations_put(store, record, error);
}

/* Runs one A/A campaign and keeps it. Its remarks are not about what the check shows, so nobody sees them. */
static gboolean run_one(Gate *gate, CampaignOrder order, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(StackTable) table = stack_table_new();
	GateCampaign campaign = {0};
	order.findings = findings;
	order.table = table;
	gboolean ok = gate_campaign_run(gate, &order, &campaign, error);
	if (ok) {
		CompareInput input = gate_campaign_input(&campaign);
		input.change = NULL;
		g_autoptr(BenchmarkComparison) comparison = compare_benchmark(&input);
		gate_progress(gate, "%s: base against base: %s: %s", order.benchmark->name,
		        verdict_name(comparison->verdict),
		        comparison->verdict == VERDICT_PASS ? comparison->sentence : comparison->reason);
		ok = keep(gate, &campaign, comparison, error);
	}
	gate_campaign_clear(&campaign);
	return ok;
}

gboolean gate_calibrate_accept(Gate *gate, GError **error)
{
	guint campaigns = gate->request->campaigns;
	if (gate->request->mode != CHECK_CALIBRATE || campaigns <= 1)
		return TRUE;
	if (!gate_uses_engine(gate, &engine_perf))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "--campaigns %u is for benchmarks that are timed, and these are only counted: one campaign "
		        "shows whether counts repeat; leave it out",
		        campaigns);
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		if (!config_uses_engine(benchmark, &engine_perf))
			finding_add(gate->result->findings, FINDING_INFO, "fewer_campaigns", benchmark->name,
			        "1 of %u A/A campaigns: it is only counted, and one shows whether counts repeat",
			        campaigns);
	}
	return TRUE;
}

gboolean gate_calibrate(Gate *gate, const GateCampaign *first, const BudgetShare *share,
        const BenchmarkComparison *comparison, GError **error)
{
	const ConfigBenchmark *benchmark = first->order.benchmark;
	guint campaigns = MAX(gate->request->campaigns, 1);
	if (gate->request->mode != CHECK_CALIBRATE)
		return TRUE;
	if (!keep(gate, first, comparison, error))
		return FALSE;
	for (guint i = 1; i < campaigns && comparison->verdict != VERDICT_ERROR; i++) {
		double needed_s = gate_budget_whole_s(&gate->budget, first->facts.elapsed_s);
		if (needed_s > gate_seconds_until(&gate->budget, share->end_ns)) {
			g_autofree char *each = number_duration(needed_s);
			finding_add(gate->result->findings, FINDING_WARNING, "fewer_campaigns", benchmark->name,
			        "time ran out after %u of %u A/A campaigns, each about %s", i, campaigns, each);
			break;
		}
		gate_progress(gate, "%s: A/A campaign %u of %u", benchmark->name, i + 1, campaigns);
		CampaignOrder order = first->order;
		order.seed = gate_campaign_seed(gate, i);
		order.deadline_ns = share->end_ns;
		if (!run_one(gate, order, error))
			return FALSE;
	}
	return TRUE;
}

/* --- calibrate_every --- */

/* The SHA is as good as a draw by lot and needs no memory: every machine, and every check of this head again, agrees.
 */
static gboolean is_due(const Gate *gate)
{
	const char *sha = gate->choices[SIDE_HEAD].sha;
	g_autofree char *digits = g_strndup(sha, TURN_DIGITS);
	guint64 number;
	return gate->request->mode == CHECK_GATE && gate->request->store && gate->config->calibrate_every > 0 &&
	       g_ascii_string_to_unsigned(digits, 16, 0, G_MAXUINT64, &number, NULL) &&
	       number % gate->config->calibrate_every == 0;
}

/* TRUE if an A/A campaign as long as the check's own fits into what is left. */
static gboolean has_time(const Gate *gate, const ResultBenchmark *row)
{
	double needed_s = gate_budget_whole_s(&gate->budget, row->campaign.elapsed_s);
	double left_s = gate_seconds_until(&gate->budget, gate_budget_outputs_ns(&gate->budget));
	if (needed_s <= left_s)
		return TRUE;
	g_autofree char *needed = number_duration(needed_s), *left = number_duration(left_s);
	gate_progress(gate, "%s: no A/A campaign: it takes about %s, and %s are left", row->name, needed, left);
	return FALSE;
}

/* The rows that an A/A campaign is to be run for: timed and not only counted, and within the time. */
static gboolean is_calibrated(const Gate *gate, const ResultBenchmark *row)
{
	return row->engine == &engine_perf && !gate_is_new(gate, row->name) && row->comparison != NULL &&
	       row->comparison->verdict != VERDICT_ERROR && !row->campaign.out_of_time && has_time(gate, row);
}

static gboolean calibrate_row(Gate *gate, const GateTrees *trees, ResultBenchmark *row, GError **error)
{
	const ConfigBenchmark *benchmark = config_benchmark(gate->config, row->name);
	const Choice choices[N_SIDES] = {gate->choices[SIDE_BASE], gate->choices[SIDE_BASE]};
	CampaignOrder order = {
	        .benchmark = benchmark,
	        .trees = trees,
	        .choices = choices,
	        .plan = gate_campaign_looks(gate, benchmark),
	        /* Numbers 0 and 1 are the check's own campaign and its confirmation. An A/A campaign in the order of
	         * either would have the same rounds lead. */
	        .seed = gate_campaign_seed(gate, 2),
	        .deadline_ns = gate_budget_outputs_ns(&gate->budget),
	};
	gate_progress(
	        gate, "%s: base is measured against itself, to calibrate the gate (`calibrate_every`)", row->name);
	if (!run_one(gate, order, error))
		return FALSE;
	gate_calibration_report(gate, row);
	return TRUE;
}

static gboolean prepare_twins(Gate *gate, GateTrees *trees, GError **error)
{
	const Choice choices[N_SIDES] = {gate->choices[SIDE_BASE], gate->choices[SIDE_BASE]};
	TreesPlan plan = {.choices = choices, .configs = {gate->config, gate->config}, .wanted = {TRUE, TRUE}};
	return gate_trees_prepare(gate, &plan, trees, error);
}

void gate_calibrate_when_due(Gate *gate)
{
	g_autoptr(GError) error = NULL;
	GateTrees trees = {0};
	if (!is_due(gate))
		return;
	for (guint i = 0; i < gate->result->benchmarks->len && error == NULL; i++) {
		ResultBenchmark *row = gate->result->benchmarks->pdata[i];
		if (!is_calibrated(gate, row))
			continue;
		if (trees.sides[SIDE_HEAD] != NULL || prepare_twins(gate, &trees, &error))
			calibrate_row(gate, &trees, row, &error);
	}
	if (error != NULL)
		finding_add(gate->result->findings, FINDING_WARNING, "not_calibrated", NULL,
		        "the gate could not be calibrated: %s", error->message);
	gate_trees_clear(&trees);
}

/* --- what is known --- */

/* Appends those of this check that no store has. */
static void append_unstored(const Gate *gate, const char *benchmark, GPtrArray *list)
{
	for (guint i = 0; !gate->request->store && i < gate->calibrations->len; i++) {
		const Calibration *record = gate->calibrations->pdata[i];
		if (g_str_equal(record->benchmark, benchmark))
			g_ptr_array_add(list, (gpointer)record);
	}
}

void gate_calibration_report(Gate *gate, ResultBenchmark *row)
{
	g_autofree char *kind = fingerprint(gate);
	g_autoptr(GError) error = NULL;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, &error);
	g_autoptr(GPtrArray) stored =
	        store != NULL ? calibrations_list(store, row->name, kind, gate->result->findings, &error) : NULL;
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	if (stored == NULL)
		finding_add(gate->result->findings, FINDING_WARNING, "calibrations_unreadable", NULL,
		        "earlier A/A campaigns cannot be read: %s", error->message);
	for (guint i = 0; stored != NULL && i < stored->len; i++)
		g_ptr_array_add(list, stored->pdata[i]);
	append_unstored(gate, row->name, list);
	g_clear_pointer(&row->calibration, g_free);
	if (list->len == 0)
		return;
	CalibrationSummary summary = calibration_summary(list);
	row->calibration = g_memdup2(&summary, sizeof summary);
}
