/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/policy/gatepolicy.h"

#include "compare/endings.h"
#include "compare/leftout.h"
#include "compare/statistics/looks.h"
#include "core/error.h"
#include "gate/steps/gateengines.h"
#include "gate/steps/gatefiles.h"
#include "model/engine.h"

#include <string.h>

/* The text of it in a commit or in the working tree; *text stays NULL if there is none. */
static gboolean config_text(const Gate *gate, const Choice *choice, char **text, gsize *length, GError **error)
{
	if (!g_str_equal(choice->sha, "worktree"))
		return repo_read_file(gate->repo, choice->sha, CONFIG_FILE, text, length, error);
	g_autofree char *path = g_build_filename(repo_path_workdir(gate->repo), CONFIG_FILE, NULL);
	return !g_file_test(path, G_FILE_TEST_EXISTS) || g_file_get_contents(path, text, length, error);
}

/* The configuration of a commit or of the working tree; *config stays NULL if there is none. */
static gboolean load_config(const Gate *gate, const Choice *choice, Config **config, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	if (!config_text(gate, choice, &text, &length, error))
		return FALSE;
	if (text == NULL)
		return TRUE;
	*config = config_parse(text, length, CONFIG_FILE, error);
	return *config != NULL;
}

static gboolean no_config(const Gate *gate, GError **error)
{
	const char *root = repo_path_workdir(gate->repo);
	g_autofree char *path = root != NULL ? g_build_filename(root, CONFIG_FILE, NULL) : NULL;
	gboolean uncommitted = path != NULL && g_file_test(path, G_FILE_TEST_EXISTS);
	const char *remedy =
	        !gate->two_sides ? "give the file to measure it by with --config, such as --config " CONFIG_FILE
	        : gate->request->mode != CHECK_GATE ? "name a commit that has one with --base, such as --base HEAD"
	        : uncommitted ? "the one in the working tree is not committed: commit it, or use --head worktree"
	                      : "`firebreak init` writes one for this project";
	return firebreak_refuse(
	        error, FIREBREAK_ERROR_USAGE, "%.12s has no " CONFIG_FILE "; %s", gate->choices[SIDE_HEAD].sha, remedy);
}

/* A base whose configuration cannot be read cannot set the policy; head's is used then, and that is said. */
static gboolean load_base_config(Gate *gate, Config **base, GError **error)
{
	g_autoptr(GError) broken = NULL;
	if (load_config(gate, &gate->choices[SIDE_BASE], base, &broken))
		return TRUE;
	if (!g_error_matches(broken, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE)) {
		g_propagate_error(error, g_steal_pointer(&broken));
		return FALSE;
	}
	if (!gate->request->allow_policy_change)
		return firebreak_refuse(error, FIREBREAK_ERROR_POLICY,
		        "the " CONFIG_FILE
		        " of base cannot be read (%s), so the rules would come from head; if this is intended, "
		        "give --allow-policy-change",
		        broken->message);
	gate->incomplete = TRUE;
	finding_add(gate->result->findings, FINDING_WARNING, "base_config_unreadable", NULL,
	        "the rules are read from head, since the " CONFIG_FILE " of base cannot be read (%s)", broken->message);
	return TRUE;
}

static void add_new_benchmark(Gate *gate, const ConfigBenchmark *benchmark)
{
	FindingList *findings = gate->result->findings;
	/* nobody has looked at what head writes yet */
	if (benchmark->privileges) {
		finding_add(findings, FINDING_WARNING, "new_benchmark", benchmark->name,
		        "is new in head and not measured: only base's configuration can let its programs gain "
		        "privileges");
		return;
	}
	gate_set_new(gate, benchmark->name);
	g_ptr_array_add(gate->config->benchmarks, config_benchmark_copy(benchmark));
	finding_add(findings, FINDING_INFO, "new_benchmark", benchmark->name,
	        "is new in head: both sides are built and run as head's configuration says");
}

/* Benchmarks that base's configuration lacks are judged by head's entries, after the others. */
static void add_new_benchmarks(Gate *gate)
{
	const GPtrArray *benchmarks = gate->head_config->benchmarks;
	for (guint i = 0; gate->request->mode == CHECK_GATE && gate->two_sides && i < benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = benchmarks->pdata[i];
		if (config_benchmark(gate->config, benchmark->name) == NULL)
			add_new_benchmark(gate, benchmark);
	}
}

/* The configuration is head's, and so all benchmarks are new. */
static void take_policy_of_head(Gate *gate)
{
	const GPtrArray *benchmarks = gate->config->benchmarks;
	if (!gate->two_sides || gate->request->mode != CHECK_GATE)
		return;
	for (guint i = 0; i < benchmarks->len; i++)
		gate_set_new(gate, ((const ConfigBenchmark *)benchmarks->pdata[i])->name);
	/* of a base whose configuration cannot be read, that has been said */
	if (!gate->incomplete)
		finding_add(gate->result->findings, FINDING_INFO, "policy_from_head", NULL,
		        "base has no " CONFIG_FILE ": that of head says how both sides are built, what is measured and "
		        "how it is judged");
}

/* Reports that head's configuration differs from base's, which decides. That is easily forgotten while a configuration
 * is being edited. */
static void report_differing_config(Gate *gate)
{
	g_autofree char *of_base = NULL, *of_head = NULL;
	gsize n_base = 0, n_head = 0;
	if (!config_text(gate, &gate->choices[SIDE_BASE], &of_base, &n_base, NULL) ||
	        !config_text(gate, &gate->choices[SIDE_HEAD], &of_head, &n_head, NULL))
		return;
	if (g_strcmp0(of_base, of_head) != 0)
		finding_add(gate->result->findings, FINDING_INFO, "config_differs", NULL,
		        "head edits " CONFIG_FILE ": that of base decides what is measured and how it is judged, until "
		        "the change is part of base; only `build`, `accept` and new benchmarks are head's own");
}

static void report_new_build(Gate *gate)
{
	static const char *const none[] = {NULL};
	char *const *base = gate->config->build_command, *const *head = gate->head_config->build_command;
	if (!g_strv_equal(
	            base != NULL ? (const char *const *)base : none, head != NULL ? (const char *const *)head : none))
		finding_add(gate->result->findings, FINDING_WARNING, "build_changed", NULL,
		        "head is built by another command than base: what differs may come from that");
}

/* The policy of a file that the caller trusts, whatever the commits say. */
static gboolean read_given_file(Gate *gate, GError **error)
{
	const char *path = gate->request->config_file;
	g_autofree char *text = NULL;
	gsize length = 0;
	g_autoptr(GError) unreadable = NULL;
	if (!g_file_get_contents(path, &text, &length, &unreadable))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--config: %s", unreadable->message);
	gate->config = config_parse(text, length, path, error);
	if (gate->config == NULL)
		return FALSE;
	g_free(gate->result->config_source);
	gate->result->config_source = g_strdup(path);
	finding_add(gate->result->findings, FINDING_INFO, "policy_from_file", NULL,
	        "the policy is read from %s (--config); " CONFIG_FILE " of base and of head is not used", path);
	return TRUE;
}

/* Without a file that is given, policy is read from base where it has a configuration; a head that weakens it is a
 * violation unless allowed. */
gboolean gate_policy_read(Gate *gate, GError **error)
{
	g_autoptr(Config) head = NULL;
	if (gate->request->config_file != NULL)
		return read_given_file(gate, error);
	if (!load_config(gate, &gate->choices[SIDE_HEAD], &head, error))
		return FALSE;
	if (gate->two_sides && !load_base_config(gate, &gate->config, error))
		return FALSE;
	g_free(gate->result->config_source);
	gate->result->config_source = g_strdup(gate->config != NULL ? "base" : "head");
	if (gate->config == NULL) {
		gate->config = g_steal_pointer(&head);
		if (gate->config == NULL)
			return no_config(gate, error);
		take_policy_of_head(gate);
		return TRUE;
	}
	if (head == NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_POLICY, "head removes " CONFIG_FILE ": nothing would be gated any more");
	gate->head_config = g_steal_pointer(&head);
	report_new_build(gate);
	report_differing_config(gate);
	g_autoptr(GPtrArray) weakened = policy_weakened(gate->config, gate->head_config, gate->machine);
	for (guint i = 0; i < weakened->len; i++) {
		const char *rule = weakened->pdata[i];
		g_autofree char *refusal = g_strdup_printf(
		        "head weakens the gate: %s; if this is intended, put that change of " CONFIG_FILE
		        " into a change of its own and check it with --allow-policy-change",
		        rule);
		ending_weakened_rules(gate->result, rule, gate->request->allow_policy_change, refusal);
	}
	add_new_benchmarks(gate);
	return TRUE;
}

/* `benchmark` is NULL if the rounds are those of all. */
static void report_few_rounds(const Gate *gate, const char *benchmark, guint rounds)
{
	guint endpoints = MAX(gate->endpoints, 1);
	guint needed = look_rounds_possible(look_plan_fixed(rounds, endpoints).alpha_fail[0]);
	if (rounds == 0 || rounds >= needed)
		return;
	g_autofree char *text =
	        g_strdup_printf("%u round%s cannot decide a metric that is neither exact nor negligible: with %u "
	                        "gating metric%s in this "
	                        "check that takes at least %u; set `rounds` to that or more, or to `auto`",
	                rounds, rounds == 1 ? "" : "s", endpoints, endpoints == 1 ? "" : "s", needed);
	g_autofree char *line = benchmark != NULL ? g_strdup_printf("%s: %s", benchmark, text) : g_strdup(text);
	finding_add(gate->result->findings, FINDING_WARNING, "too_few_rounds", benchmark, "%s", text);
	talk_progress(gate->request->talk, line);
}

/* Warns of a number of rounds that cannot show anything. That is better known before the measurement than after it. */
static void check_rounds(const Gate *gate)
{
	if (!gate->two_sides || gate->request->probe || !gate_uses_engine(gate, &engine_perf))
		return;
	if (gate->request->rounds > 0) {
		report_few_rounds(gate, NULL, gate->request->rounds);
		return;
	}
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		if (config_uses_engine(benchmark, &engine_perf))
			report_few_rounds(gate, benchmark->name, benchmark->rounds);
	}
}

/* A benchmark that does not have the engine asked for keeps those it has. */
static void select_engine(const Gate *gate, ConfigBenchmark *benchmark)
{
	const Engine *engine = gate->request->engine;
	if (engine == NULL || !config_uses_engine(benchmark, engine) || g_strv_length(benchmark->engines) < 2)
		return;
	const char *const only[] = {engine->name, NULL};
	finding_add(gate->result->findings, FINDING_WARNING, "engine_left_out", benchmark->name,
	        "is measured by %s alone: --engine left the other one out", engine->name);
	g_strfreev(benchmark->engines);
	benchmark->engines = g_strdupv((char **)only);
}

static void leave_out_others(Gate *gate, const char *const *wanted)
{
	g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
	GPtrArray *benchmarks = gate->config->benchmarks;
	for (guint i = 0; i < benchmarks->len;) {
		const ConfigBenchmark *benchmark = benchmarks->pdata[i];
		if (g_strv_contains(wanted, benchmark->name)) {
			i++;
			continue;
		}
		g_ptr_array_add(others, g_strdup(benchmark->name));
		gate->incomplete = gate->incomplete || !gate_is_new(gate, benchmark->name);
		g_ptr_array_remove_index(benchmarks, i);
	}
	left_out_add(gate->result->findings, others);
}

/* Keeps only the benchmarks named on the command line, and of their engines only the one asked for. */
gboolean gate_policy_select(Gate *gate, GError **error)
{
	char *const *wanted = gate->request->benchmarks;
	if (!config_is_filled_in(gate->config, error))
		return FALSE;
	for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
		if (config_benchmark(gate->config, wanted[i]) == NULL)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "no benchmark is named \"%s\"; see " CONFIG_FILE, wanted[i]);
	if (wanted != NULL)
		leave_out_others(gate, (const char *const *)wanted);
	gate->n_judged = gate->config->benchmarks->len;
	for (guint i = 0; i < gate->n_judged; i++) {
		ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		select_engine(gate, benchmark);
		Schedule schedule = policy_schedule(benchmark, gate->request->schedule);
		g_autoptr(GPtrArray) policies = policy_metrics(benchmark, schedule, gate->machine);
		gate->endpoints += policy_gating(policies);
	}
	check_rounds(gate);
	return TRUE;
}

/* The gating policy of that metric, any of them if it is NULL, with the widest margin; or NULL. */
static const MetricPolicy *widest_gating(const GPtrArray *policies, const char *metric)
{
	const MetricPolicy *widest = NULL;
	for (guint i = 0; i < policies->len; i++) {
		const MetricPolicy *policy = policies->pdata[i];
		gboolean wanted = policy->gates && (metric == NULL || g_str_equal(policy->metric, metric));
		if (wanted && (widest == NULL || policy->margin > widest->margin))
			widest = policy;
	}
	return widest;
}

const MetricPolicy *gate_policy_time(const GPtrArray *policies)
{
	static const char *const order[] = {"cycles", "task-clock", "wall", NULL /* any */};
	for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
		const MetricPolicy *widest = widest_gating(policies, order[i]);
		if (widest != NULL)
			return widest;
	}
	for (guint i = 0; i < policies->len; i++)
		if (g_str_equal(((const MetricPolicy *)policies->pdata[i])->metric, "task-clock"))
			return policies->pdata[i];
	return policies->pdata[0];
}
