/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gateprobe.h"

#include "core/durable.h"
#include "gate/steps/gatetrees.h"
#include "model/engine.h"

/* Failures of the program itself: it is not there, gives up, or lacks what the entry promises. A timeout, lost data and
 * the like are none: another run may go well. */
static const char *const own_failures[] = {"benchmark_failed", "prints_error", "framework_output", "optimized_away",
        "region_missing", "metric_missing", "work_missing", NULL};

static gboolean run_timed(const Gate *gate, const RunRequest *request, RunOutcome *outcome)
{
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(CpuPlan) cpus = cpu_plan_new(request->benchmark->cpus, findings, NULL);
	if (cpus == NULL)
		return FALSE;
	SampledEventsPlan plan = {
	        .benchmark = request->benchmark,
	        .abilities = &gate->abilities,
	        .cpus = cpus,
	        .scratch_dir = campaign_folder_path(gate->folder),
	        .findings = findings,
	};
	g_autoptr(SampledEvents) events = sampled_events_new(&plan, NULL);
	if (events == NULL || !cpu_plan_apply(cpus, NULL))
		return FALSE;
	g_autoptr(Executor) executor = gate->host->timed_executor(&gate->abilities, cpus, events, findings);
	gboolean ok = executor->execute(executor, request, 1, outcome, NULL);
	return cpu_plan_undo(cpus, NULL) && ok;
}

static gboolean run_counted(const Gate *gate, const RunRequest *request, RunOutcome *outcome)
{
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(Executor) executor = gate->host->counted_executor(gate->valgrind, findings);
	gboolean ok = executor->execute(executor, request, 1, outcome, NULL);
	durable_remove_tree(request->recording, NULL);
	return ok;
}

/* The failure of the program, with the first line that it wrote; NULL if an outcome tells of none. */
static char *own_failure(const RunOutcome *outcome)
{
	if (outcome->failure_code == NULL || !g_strv_contains(own_failures, outcome->failure_code))
		return NULL;
	g_auto(GStrv) lines = g_strsplit(outcome->failure, "\n", 3);
	gboolean wrote = lines[1] != NULL && *lines[1] != '\0';
	return g_strconcat(lines[0], wrote ? ": " : NULL, lines[1], NULL);
}

gboolean gate_lacks_folder(const Gate *gate, const ConfigBenchmark *benchmark, int side)
{
	const Side *tree = gate_trees_first(&gate->trees, side, benchmark);
	g_autofree char *folder = g_build_filename(tree->tree_dir, benchmark->cwd, NULL);
	return !g_file_test(folder, G_FILE_TEST_EXISTS);
}

char *gate_probe(const Gate *gate, const ConfigBenchmark *benchmark, int side)
{
	gboolean timed = config_uses_engine(benchmark, &engine_perf);
	if (gate_lacks_folder(gate, benchmark, side))
		return g_strdup_printf("there is no folder %s", benchmark->cwd);
	g_autofree char *recording = timed ? NULL : gate_trees_recording(gate);
	RunRequest request = {.benchmark = benchmark,
	        .side = gate_trees_first(&gate->trees, side, benchmark),
	        .recording = recording,
	        .pass_env = gate->config->pass_env,
	        .look_closely = TRUE};
	RunOutcome outcome = {0};
	gboolean ok = timed ? run_timed(gate, &request, &outcome) : run_counted(gate, &request, &outcome);
	char *failure = ok ? own_failure(&outcome) : NULL;
	run_outcome_clear(&outcome);
	return failure;
}
