/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/doctorruns.h"

#include "cli/output/stderrtalk.h"
#include "compare/exitcodes.h"
#include "core/error.h"
#include "gate/gate.h"
#include "model/engine.h"

#include <math.h>

/* They take seconds, and tell a spread to within a factor of some 1.5. */
#define ROUNDS 5

static void run_clear(gpointer data)
{
	DoctorRun *run = data;
	g_free(run->check.name);
	g_free(run->check.text);
	g_free(run->check.remedy);
	g_free(run->benchmark);
	g_free(run->metric);
}

void doctor_runs_clear(DoctorRuns *runs)
{
	g_clear_pointer(&runs->runs, g_array_unref);
	g_clear_error(&runs->error);
}

/* Takes text and remedy. The row is borrowed, until the next is added. */
static DoctorRun *add_run(DoctorRuns *runs, const char *benchmark, DoctorState state, char *text, char *remedy)
{
	DoctorRun run = {
	        .check = {benchmark != NULL ? g_strdup_printf("benchmark %s", benchmark) : g_strdup("benchmarks"),
	                state, text, remedy},
	        .benchmark = g_strdup(benchmark),
	        .spread = NAN,
	        .visible = NAN,
	        .round_s = NAN,
	};
	g_array_append_val(runs->runs, run);
	return &g_array_index(runs->runs, DoctorRun, runs->runs->len - 1);
}

static guint gating(const BenchmarkComparison *comparison)
{
	guint n = 0;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		n += metric->gates && !engine_counts(metric->engine);
	}
	return n;
}

/* The metrics that gate and scatter, of all benchmarks that could be compared. */
static guint count_endpoints(const CheckResult *result)
{
	guint endpoints = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *row = result->benchmarks->pdata[i];
		endpoints += row->comparison != NULL ? gating(row->comparison) : 0;
	}
	return MAX(endpoints, 1);
}

/* The looks of a check to come. */
static LookPlan plan_of(const Config *config, const char *benchmark, guint endpoints)
{
	const ConfigBenchmark *entry = config_benchmark(config, benchmark);
	return entry != NULL && entry->rounds > 0 ? look_plan_fixed(entry->rounds, endpoints)
	                                          : look_plan_sequential(endpoints);
}

static void add_fitness(DoctorRuns *runs, const ResultBenchmark *row, const LookPlan *plan)
{
	Fitness fitness = benchmark_fitness(row->comparison, plan);
	double round_s = row->campaign.elapsed_s / MAX(row->campaign.rounds, 1);
	DoctorRun *run = add_run(runs, row->name, fitness.fit ? DOCTOR_GOOD : DOCTOR_LIMITED,
	        fitness_sentence(&fitness, round_s), fitness_remedy(&fitness, round_s));
	if (fitness.metric == NULL)
		return;
	run->metric = g_strdup(fitness.metric->name);
	run->repeats = fitness.repeats;
	run->spread = fitness.metric->sd_log;
	run->visible = fitness.visible;
	run->rounds = fitness.repeats ? 0 : fitness.rounds;
	run->round_s = round_s;
}

/* Remarks on few rounds are about these few rounds, those on noise are said better by the fitness, what is wrong with
 * the machine was said before, and what was left out was asked for. */
static gboolean is_of_probe(const Finding *finding)
{
	static const char *const codes[] = {"noisy_benchmark", "few_samples", "too_few_rounds", "aa_inconclusive",
	        "false_alarm", "same_tree", "no_hardware_counters", "busy_machine", "governor", "no_aslr", "shared_cpu",
	        "not_measured", NULL};
	return g_strv_contains(codes, finding->code);
}

static void add_findings(DoctorRuns *runs, const CheckResult *result, const char *benchmark)
{
	for (guint i = 0; i < finding_count(result->findings); i++) {
		const Finding *finding = finding_get(result->findings, i);
		if (finding->severity != FINDING_INFO && g_strcmp0(finding->benchmark, benchmark) == 0 &&
		        !is_of_probe(finding))
			add_run(runs, benchmark, DOCTOR_LIMITED, g_strdup(finding->text), NULL);
	}
}

static void add_reasons(DoctorRuns *runs, const CheckResult *result, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (g_strcmp0(reason->benchmark, benchmark) == 0 &&
		        exit_code_verdict(reason->exit_code) != VERDICT_INCONCLUSIVE)
			add_run(runs, benchmark, DOCTOR_MISSING,
			        benchmark != NULL ? g_strdup_printf("not fit to gate: %s", reason->text)
			                          : g_strdup_printf("none was run: %s", reason->text),
			        NULL);
	}
}

static void take_result(DoctorRuns *runs, const Config *config, const CheckResult *result)
{
	guint endpoints = count_endpoints(result);
	add_reasons(runs, result, NULL);
	add_findings(runs, result, NULL);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *row = result->benchmarks->pdata[i];
		LookPlan plan = plan_of(config, row->name, endpoints);
		if (row->comparison != NULL && row->comparison->verdict != VERDICT_ERROR)
			add_fitness(runs, row, &plan);
		add_reasons(runs, result, row->name);
		add_findings(runs, result, row->name);
	}
	for (guint i = 0; i < result->reasons->len && runs->error == NULL; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (exit_code_verdict(reason->exit_code) != VERDICT_INCONCLUSIVE)
			g_set_error(&runs->error, FIREBREAK_ERROR, reason->exit_code, "%s%s%s",
			        reason->benchmark != NULL ? reason->benchmark : "",
			        reason->benchmark != NULL ? ": " : "", reason->text);
	}
}

DoctorRuns doctor_runs(const Config *config, char *const *benchmarks, gboolean quiet)
{
	DoctorRuns runs = {.runs = g_array_new(FALSE, FALSE, sizeof(DoctorRun))};
	Talk talk;
	g_array_set_clear_func(runs.runs, run_clear);
	talk_on_stderr(&talk, quiet ? TALK_QUIET : TALK_NORMAL);
	talk.timed = TRUE;
	const GateRequest request = {
	        .repo_path = ".",
	        .head = "worktree",
	        .mode = CHECK_CALIBRATE,
	        .benchmarks = benchmarks,
	        .probe = TRUE,
	        .rounds = ROUNDS,
	        .talk = &talk,
	};
	g_autoptr(CheckResult) result = gate_check(&request);
	talk_clear(&talk);
	take_result(&runs, config, result);
	return runs;
}
