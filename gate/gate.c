/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/gate.h"

#include "compare/outcome.h"
#include "gate/context/gatechange.h"
#include "gate/context/gatedrift.h"
#include "gate/context/gatehistory.h"
#include "gate/gatebenchmark.h"
#include "gate/gatenew.h"
#include "gate/policy/gateaccept.h"
#include "gate/policy/gatepolicy.h"
#include "gate/steps/gatebase.h"
#include "gate/steps/gatecosts.h"
#include "gate/steps/gateengines.h"
#include "gate/steps/gatefiles.h"
#include "gate/steps/gateshard.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"
#include "gate/timed/gatecalibrate.h"

#include "compare/endings.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "model/calibration.h"
#include "report/output/outdir.h"
#include "report/words/toolchainwords.h"
#include "runner/compilers/compilerflags.h"
#include "runner/compilers/compilerlog.h"
#include "runner/machine.h"
#include "runner/trees/hostenv.h"

/* Reasons of the policy are found before there is anything to measure, so nobody has heard of them yet. */
static void say_reasons(const Gate *gate)
{
	for (guint i = 0; i < gate->result->reasons->len; i++) {
		ResultReason *reason = gate->result->reasons->pdata[i];
		reason->said = talk_line(gate->request->talk, reason->text);
	}
}

static void clear_gate(Gate *gate)
{
	g_clear_pointer(&gate->folder, campaign_folder_free);
	for (int s = 0; s < N_SIDES; s++) {
		choice_clear(&gate->choices[s]);
		g_free(gate->own_trees[s]);
	}
	g_clear_pointer(&gate->new_names, g_hash_table_unref);
	gate_trees_clear(&gate->trees);
	gate_budget_clear(&gate->budget);
	g_clear_pointer(&gate->change, line_changes_free);
	g_clear_pointer(&gate->touched, g_ptr_array_unref);
	g_clear_pointer(&gate->calibrations, g_ptr_array_unref);
	g_clear_pointer(&gate->bases, g_ptr_array_unref);
	g_clear_pointer(&gate->perf_findings, finding_list_free);
	g_clear_pointer(&gate->valgrind, valgrind_free);
	g_clear_error(&gate->no_perf);
	g_clear_pointer(&gate->repo, repo_free);
	g_clear_pointer(&gate->config, config_free);
	g_clear_pointer(&gate->head_config, config_free);
	g_clear_pointer(&gate->arena, arena_free);
	g_clear_pointer(&gate->cache, build_cache_close);
	g_free(gate->cache_dir);
	g_free(gate->compiler);
	g_free(gate->no_base);
}

/* Makes one side a second `from`. */
static void take_twice(const Choice *from, const char *chosen_by, Choice *to, ResultSide *side)
{
	choice_clear(to);
	*to = (Choice){
	        .sha = g_strdup(from->sha),
	        .tree = g_strdup(from->tree),
	        .ref = g_strdup(from->ref),
	        .chosen_by = g_strdup(chosen_by),
	        .subject = g_strdup(from->subject),
	};
	result_side_set(side, to->sha, to->ref, to->chosen_by, to->subject);
}

/* Base against base: head becomes a second base. */
static void take_base_twice(Gate *gate)
{
	const Choice *base = &gate->choices[SIDE_BASE];
	take_twice(base, "base", &gate->choices[SIDE_HEAD], &gate->result->head);
	gate_progress(gate, "base %.12s (%s) on both sides", base->sha, base->chosen_by);
}

/* Both commits are settled once, at the beginning: a branch may move while the check goes on. */
static gboolean choose_commits(Gate *gate, GError **error)
{
	const GateRequest *request = gate->request;
	Choice *base = &gate->choices[SIDE_BASE], *head = &gate->choices[SIDE_HEAD];
	gate->repo = repo_open(request->repo_path, error);
	if (gate->repo == NULL || !choose_head(gate->repo, request->head, head, error))
		return FALSE;
	result_side_set(&gate->result->head, head->sha, head->ref, head->chosen_by, head->subject);
	if (!gate->two_sides)
		return TRUE;
	if (request->probe) {
		take_twice(head, "head", base, &gate->result->base);
		return TRUE;
	}
	if (!choose_base(gate->repo, request->base, head, gate->host->variable, base, error))
		return FALSE;
	result_side_set(&gate->result->base, base->sha, base->ref, base->chosen_by, base->subject);
	if (request->mode != CHECK_GATE) {
		take_base_twice(gate);
		return TRUE;
	}
	g_autofree char *why = choice_why(base, head);
	gate_progress(gate, "base %.12s (%s), head %.12s (%s)", base->sha, why, head->sha, head->chosen_by);
	if (g_str_equal(base->tree, head->tree))
		finding_add(gate->result->findings, FINDING_WARNING, "same_tree", NULL,
		        "base and head have the same files: this compares a program with itself");
	return TRUE;
}

static void read_machine(Gate *gate)
{
	gate->compiler = gate->host->compiler();
	Environment *environment = gate->result->environment = gate->host->environment(gate->compiler);
	environment_set(environment, "build_flags", METRIC_DETERMINISTIC, compiler_flags_text());
	environment_set(environment, "firebreak_version", METRIC_SAME_CAMPAIGN, FIREBREAK_VERSION);
	/* Only a "yes" widens the margins: where the hypervisor is not known, the machine is taken for a quiet one. */
	gate->machine.hosted = g_strcmp0(environment_get(environment, "hypervisor"), "yes") == 0;
	gate_engines_probe(gate);
}

/* Without them nothing can be run or named; a gate without function names would be weaker than what was asked for. */
static gboolean has_helpers(GError **error)
{
	static const char *const names[] = {"firebreak-spawn", "firebreak-symbols", "firebreak-yardstick"};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = helper_program_path(names[i], error);
		if (path == NULL)
			return FALSE;
	}
	return TRUE;
}

/* An output folder that cannot be written is better known before the measurement than after it. */
static gboolean try_output(const Gate *gate, GError **error)
{
	const char *out = gate->request->out_dir;
	if (out == NULL || outdir_check(out, error))
		return TRUE;
	g_prefix_error(error, "cannot write the results to %s: ", out);
	return FALSE;
}

/* The time that each benchmark is expected to take, for sharing out the time; NULL unless it is known of all. */
static GArray *expected_costs(const Gate *gate)
{
	guint n = gate->config->benchmarks->len;
	g_autofree double *costs_s = gate_costs_s(gate, 0);
	for (guint i = 0; i < n; i++)
		if (costs_s[i] <= 0)
			return NULL;
	GArray *costs = g_array_new(FALSE, FALSE, sizeof(double));
	return g_array_append_vals(costs, costs_s, n);
}

/* A benchmark alone has all of the time, and `run` has no verdict that a lack of it could change: neither needs
 * costs. */
static void plan_budget(Gate *gate)
{
	guint n = gate->config->benchmarks->len;
	gboolean shared = gate_budget_limited(&gate->budget) && gate->two_sides && n > 1;
	gate_budget_plan(&gate->budget, n, shared ? expected_costs(gate) : NULL);
}

/* Adds to the report which compilers the builds called, and says it to those who want to read everything. */
static void tell_compilers(Gate *gate)
{
	ResultSide *const results[N_SIDES] = {&gate->result->base, &gate->result->head};
	for (int s = SIDE_BASE; s < N_SIDES; s++) {
		const Side *layouts = gate->trees.sides[s];
		for (guint i = 0; layouts != NULL && i <= gate->trees.n_layouts && results[s]->compilers == NULL; i++)
			if (layouts[i].log != NULL)
				results[s]->compilers = compiler_log_read(layouts[i].log);
	}
	g_autofree char *line = toolchain_line(results[SIDE_BASE]->compilers, results[SIDE_HEAD]->compilers);
	if (line != NULL && gate->request->talk->level == TALK_VERBOSE)
		talk_line(gate->request->talk, line);
}

static gboolean prepare_trees(Gate *gate, GError **error)
{
	gboolean only_head = !gate->two_sides || gate_bases_suffice(gate);
	TreesPlan plan = gate_trees_plan(gate);
	plan.wanted[SIDE_BASE] = !only_head;
	if (gate->two_sides && only_head)
		gate_progress(gate, "base is not built: its counts are stored");
	if (!gate_trees_prepare(gate, &plan, &gate->trees, error))
		return FALSE;
	tell_compilers(gate);
	return TRUE;
}

/* Adds to the report what is allowed beyond the default. */
static void tell_privileges(const Gate *gate)
{
	FindingList *findings = gate->result->findings;
	if (gate->config->build_privileges)
		finding_add(findings, FINDING_WARNING, "privileges_allowed", NULL,
		        "programs of the build may gain privileges: `privileges: allow`");
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		if (benchmark->privileges)
			finding_add(findings, FINDING_WARNING, "privileges_allowed", benchmark->name,
			        "its programs may gain privileges (`privileges: allow`); what they do then is not "
			        "counted");
	}
}

/* The number of benchmarks that are not new; they come first. */
static guint count_known(const Gate *gate)
{
	guint n = 0;
	while (n < gate->config->benchmarks->len &&
	        !gate_is_new(gate, ((const ConfigBenchmark *)gate->config->benchmarks->pdata[n])->name))
		n++;
	return n;
}

/* FALSE without an error if the machine, and no benchmark, is the trouble: the result has the reason. */
static gboolean measure_benchmarks(Gate *gate, GError **error)
{
	guint known = count_known(gate);
	if (known > 0 && !prepare_trees(gate, error))
		return FALSE;
	gate_read_change(gate);
	plan_budget(gate);
	for (guint i = 0; i < known; i++)
		if (!gate_benchmark(gate, i))
			return FALSE;
	return known == gate->config->benchmarks->len || gate_new_benchmarks(gate, known, error);
}

static gboolean run_gate(Gate *gate, GError **error)
{
	g_autoptr(GError) failed = NULL;
	if (!choose_commits(gate, error) || !has_helpers(error))
		return FALSE;
	read_machine(gate);
	if (!gate_policy_read(gate, error))
		return FALSE;
	gate_accept_read(gate);
	if (!gate_policy_select(gate, error) || !gate_shard_select(gate, error))
		return FALSE;
	/* A head that weakens the gate, or names what is not there, is refused before its build runs: no code of a
	 * refused head is executed. */
	if (gate->result->reasons->len > 0) {
		say_reasons(gate);
		return TRUE;
	}
	/* From here on everything costs time. What can be refused without building is refused first. */
	if (!gate_calibrate_accept(gate, error) || !gate_engines_require(gate, error) || !try_output(gate, error))
		return FALSE;
	if (!gate_trees_make_dir(gate, error))
		return FALSE;
	tell_privileges(gate);
	if (!gate_files_lay(gate, error))
		return FALSE;
	gate_bases_find(gate);
	/* The steps below look at what was measured. After an error that is not of one benchmark they would
	 * see half of it. */
	if (!measure_benchmarks(gate, &failed)) {
		if (failed == NULL)
			return cancel_check(error);
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	gate_change_report(gate);
	gate_drift(gate);
	/* After storing, so that head itself is the newest point. */
	gate_history(gate);
	gate_calibrate_when_due(gate);
	return cancel_check(error);
}

/* Builds that `--max-time` cut short are too little evidence, not a failure to build. */
static void add_cut_builds(Gate *gate)
{
	/* rows are in the order of the configuration, and those of benchmarks that were measured are there */
	for (guint i = gate->result->benchmarks->len; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		ResultBenchmark *row = check_result_add_benchmark(gate->result, benchmark->name);
		ending_add_not_measured(
		        gate->result, benchmark->name, "--max-time ran out before both sides were built; give it more");
		gate_settle_no_time(gate, row);
	}
}

static void add_ending(Gate *gate, const GError *error)
{
	/* A build that fails after the end of the time was ended by it, or would have been: the head may well build. */
	if (gate_budget_is_over(&gate->budget) && g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD))
		add_cut_builds(gate);
	else
		gate_add_failure(gate, NULL, error);
}

static CheckResult *run(const GateRequest *request, gboolean two_sides)
{
	Gate gate = {
	        .request = request,
	        .host = request->host != NULL ? request->host : gate_host(),
	        .result = check_result_new(),
	        .two_sides = two_sides,
	};
	g_autoptr(GError) error = NULL;
	gate_budget_start(&gate.budget, gate.host->now_ns, request->max_time_s);
	gate.touched = touched_functions_new();
	gate.calibrations = g_ptr_array_new_with_free_func((GDestroyNotify)calibration_free);
	gate.result->seed = request->seed;
	gate.result->mode = request->mode;
	gate.result->max_time_s = request->max_time_s;
	gate_shard_begin(&gate);
	if (!run_gate(&gate, &error))
		add_ending(&gate, error);
	/* Whatever the ending was: an acceptance that nothing used is worth a word also then. */
	gate_accept_report(&gate);
	gate.result->elapsed_s = gate_seconds_since(&gate.budget, gate.budget.start_ns);
	CheckResult *result = gate.result;
	clear_gate(&gate);
	return result;
}

CheckResult *gate_check(const GateRequest *request)
{
	CheckResult *result = run(request, TRUE);
	check_result_decide(result);
	return result;
}

CheckResult *gate_measure(const GateRequest *request)
{
	CheckResult *result = run(request, FALSE);
	check_result_decide_measured(result);
	return result;
}
