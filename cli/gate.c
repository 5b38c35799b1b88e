#include "cli/gatestate.h"

#include "compare/looks.h"
#include "compare/result.h"
#include "core/cancel.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "report/outdir.h"
#include "runner/hostenv.h"
#include "runner/machine.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *const side_names[] = {"base", "head"};

static const char *reason_code(int exit_code)
{
	switch (exit_code) {
	case FIREBREAK_ERROR_USAGE:
		return "usage";
	case FIREBREAK_ERROR_INVALID:
		return "measurement_invalid";
	case FIREBREAK_ERROR_BUILD:
		return "build_failed";
	case FIREBREAK_ERROR_BASELINE:
		return "no_baseline";
	case FIREBREAK_ERROR_ENVIRONMENT:
		return "environment_unsupported";
	case FIREBREAK_ERROR_POLICY:
		return "policy_changed";
	default:
		return exit_code > 128 ? "cancelled" : "storage";
	}
}

/* The line of a build's output that most likely says what is wrong: the first with "error", else the last. */
static const char *telling_line(char *const *lines)
{
	const char *last = NULL;
	for (; *lines != NULL; lines++) {
		if (strstr(*lines, "error") != NULL || strstr(*lines, "Error") != NULL)
			return *lines;
		last = **lines != '\0' ? *lines : last;
	}
	return last;
}

/* The first line is the reason, with the line of the output below it that tells most; all of it, such as the compiler's
 * output, is said once on stderr. */
void gate_add_failure(Gate *gate, const char *benchmark, const GError *error)
{
	int code = firebreak_error_exit_code(error);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(error->message), "\n", -1);
	const char *detail = lines[1] != NULL ? telling_line(lines + 1) : NULL;
	ResultReason *reason = check_result_add_reason(gate->result, code, reason_code(code), benchmark, "%s%s%s",
	        lines[0], detail != NULL ? ": " : "", detail != NULL ? detail : "");
	for (char **line = lines; *line != NULL; line++)
		reason->said = talk_line(gate->request->talk, *line);
}

static void say_reasons(const Gate *gate)
{
	for (guint i = 0; i < gate->result->reasons->len; i++) {
		ResultReason *reason = gate->result->reasons->pdata[i];
		reason->said = talk_line(gate->request->talk, reason->text);
	}
}

static void clear_gate(Gate *gate)
{
	if (gate->campaign_dir != NULL)
		durable_remove_tree(gate->campaign_dir, NULL);
	for (int s = 0; s < N_SIDES; s++) {
		choice_clear(&gate->choices[s]);
		side_clear(&gate->sides[s]);
	}
	g_clear_pointer(&gate->repo, repo_free);
	g_clear_pointer(&gate->config, config_free);
	g_clear_pointer(&gate->head_config, config_free);
	g_free(gate->cache_dir);
	g_free(gate->campaign_dir);
	g_free(gate->compiler);
}

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
	if (!choose_base(gate->repo, request->base, head, g_getenv, base, error))
		return FALSE;
	result_side_set(&gate->result->base, base->sha, base->ref, base->chosen_by, base->subject);
	g_autofree char *text = g_strdup_printf(
	        "base %.12s (%s), head %.12s (%s)", base->sha, base->chosen_by, head->sha, head->chosen_by);
	talk_progress(request->talk, text);
	if (g_str_equal(base->tree, head->tree))
		finding_add(gate->result->findings, FINDING_WARNING, "same_tree", NULL,
		        "base and head have the same files: this compares a program with itself");
	return TRUE;
}

/* The configuration of a commit or of the working tree; *config stays NULL if there is none. */
static gboolean load_config(const Gate *gate, const Choice *choice, Config **config, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	if (g_str_equal(choice->sha, "worktree")) {
		g_autofree char *path = g_build_filename(repo_path_workdir(gate->repo), CONFIG_FILE, NULL);
		if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_get_contents(path, &text, &length, error))
			return FALSE;
	} else if (!repo_read_file(gate->repo, choice->sha, CONFIG_FILE, &text, &length, error)) {
		return FALSE;
	}
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
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%.12s has no " CONFIG_FILE "; %s",
	        gate->choices[SIDE_HEAD].sha,
	        uncommitted ? "the one in the working tree is not committed: commit it, or use --head worktree"
	                    : "`firebreak init` writes one for this project");
	return FALSE;
}

/* A base whose configuration cannot be read cannot set the policy; head's is used then, and that is said. */
static gboolean load_base_config(Gate *gate, Config **base, GError **error)
{
	g_autoptr(GError) broken = NULL;
	if (load_config(gate, &gate->choices[SIDE_BASE], base, &broken))
		return TRUE;
	if (broken->code != FIREBREAK_ERROR_USAGE || broken->domain != FIREBREAK_ERROR) {
		g_propagate_error(error, g_steal_pointer(&broken));
		return FALSE;
	}
	if (!gate->request->allow_policy_change) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_POLICY,
		        "base has a configuration that cannot be read (%s), so head would set the policy; "
		        "--allow-policy-change if that is meant",
		        broken->message);
		return FALSE;
	}
	finding_add(gate->result->findings, FINDING_WARNING, "base_config_unreadable", NULL,
	        "the policy is read from head: base has a configuration that cannot be read (%s)", broken->message);
	return TRUE;
}

static void report_new_benchmarks(Gate *gate, const Config *head)
{
	for (guint i = 0; i < head->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = head->benchmarks->pdata[i];
		if (config_benchmark(gate->config, benchmark->name) == NULL)
			finding_add(gate->result->findings, FINDING_INFO, "new_benchmark", benchmark->name,
			        "is new in head; it is compared once base has it too");
	}
}

static void report_new_build(Gate *gate)
{
	g_autofree char *base =
	        gate->config->build_command != NULL ? g_strjoinv(" ", gate->config->build_command) : NULL;
	g_autofree char *head =
	        gate->head_config->build_command != NULL ? g_strjoinv(" ", gate->head_config->build_command) : NULL;
	if (g_strcmp0(base, head) != 0)
		finding_add(gate->result->findings, FINDING_WARNING, "build_changed", NULL,
		        "head is built by another command than base: what differs may come from that");
}

/* Policy is read from base where it has a configuration; a head that weakens it is a violation unless allowed. */
static gboolean read_policy(Gate *gate, GError **error)
{
	g_autoptr(Config) head = NULL;
	if (!load_config(gate, &gate->choices[SIDE_HEAD], &head, error))
		return FALSE;
	if (gate->two_sides && !load_base_config(gate, &gate->config, error))
		return FALSE;
	g_free(gate->result->config_source);
	gate->result->config_source = g_strdup(gate->config != NULL ? "base" : "head");
	if (gate->config == NULL) {
		gate->config = g_steal_pointer(&head);
		return gate->config != NULL || no_config(gate, error);
	}
	if (head == NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_POLICY,
		        "head removes " CONFIG_FILE ": nothing would be gated any more");
		return FALSE;
	}
	report_new_benchmarks(gate, head);
	gate->head_config = g_steal_pointer(&head);
	report_new_build(gate);
	g_autoptr(GPtrArray) weakened = policy_weakened(gate->config, gate->head_config, gate->machine);
	for (guint i = 0; i < weakened->len; i++) {
		if (gate->request->allow_policy_change)
			finding_add(gate->result->findings, FINDING_WARNING, "policy_changed", NULL,
			        "head weakens the gate: %s", (char *)weakened->pdata[i]);
		else
			check_result_add_reason(gate->result, FIREBREAK_ERROR_POLICY, "policy_changed", NULL,
			        "head weakens the gate: %s (--allow-policy-change if that is meant)",
			        (char *)weakened->pdata[i]);
	}
	return TRUE;
}

/* `benchmark` is NULL if the rounds are those of all. */
static void report_few_rounds(const Gate *gate, const char *benchmark, guint rounds)
{
	guint endpoints = MAX(gate->endpoints, 1);
	guint needed = look_rounds_possible(look_plan_fixed(rounds, endpoints).alpha_fail[0]);
	if (rounds == 0 || rounds >= needed)
		return;
	g_autofree char *text = g_strdup_printf(
	        "in %u rounds no metric can be shown to regress or pass, unless it is exact or negligible: with %u "
	        "gating metric%s in this check that takes %u; set `rounds` to at least that, or to `auto`",
	        rounds, endpoints, endpoints == 1 ? "" : "s", needed);
	g_autofree char *line = benchmark != NULL ? g_strdup_printf("%s: %s", benchmark, text) : g_strdup(text);
	finding_add(gate->result->findings, FINDING_WARNING, "too_few_rounds", benchmark, "%s", text);
	talk_progress(gate->request->talk, line);
}

/* What a number of rounds cannot show is better known before the measurement than after it. */
static void check_rounds(const Gate *gate)
{
	if (!gate->two_sides)
		return;
	if (gate->request->rounds > 0) {
		report_few_rounds(gate, NULL, gate->request->rounds);
		return;
	}
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		report_few_rounds(gate, benchmark->name, benchmark->rounds);
	}
}

/* Keeps only the benchmarks named on the command line. */
static gboolean select_benchmarks(Gate *gate, GError **error)
{
	char *const *wanted = gate->request->benchmarks;
	for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
		if (config_benchmark(gate->config, wanted[i]) == NULL) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
			        "no benchmark is named \"%s\"; see " CONFIG_FILE, wanted[i]);
			return FALSE;
		}
	for (guint i = gate->config->benchmarks->len; wanted != NULL && i > 0; i--) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i - 1];
		if (g_strv_contains((const char *const *)wanted, benchmark->name))
			continue;
		finding_add(gate->result->findings, FINDING_WARNING, "not_measured", benchmark->name,
		        "was left out by --benchmark");
		g_ptr_array_remove_index(gate->config->benchmarks, i - 1);
	}
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		g_autoptr(GPtrArray) policies =
		        policy_metrics(benchmark, policy_schedule(benchmark, gate->request->schedule), gate->machine);
		gate->endpoints += policy_gating(policies);
	}
	check_rounds(gate);
	return TRUE;
}

static gboolean read_machine(Gate *gate, GError **error)
{
	gate->compiler = compiler_version();
	gate->result->environment = machine_environment(gate->compiler);
	if (!perf_probe(&gate->abilities, gate->result->findings, error))
		return FALSE;
	Environment *environment = gate->result->environment;
	environment_set(environment, "sampled_event", METRIC_SAME_CAMPAIGN, gate->abilities.sampling);
	environment_set(environment, "build_flags", METRIC_DETERMINISTIC, build_flags_text());
	environment_set(environment, "firebreak_version", METRIC_SAME_CAMPAIGN, FIREBREAK_VERSION);
	gate->machine = (PolicyMachine){
	        .hosted = g_strcmp0(environment_get(environment, "hypervisor"), "yes") == 0,
	        .hardware = gate->abilities.hardware,
	};
	return TRUE;
}

/* Folders of campaigns whose process is gone, left by a kill. */
static void remove_leftovers(const char *campaigns)
{
	g_autoptr(GDir) dir = g_dir_open(campaigns, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		pid_t pid = (pid_t)g_ascii_strtoll(name, NULL, 10);
		if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		g_autofree char *path = g_build_filename(campaigns, name, NULL);
		durable_remove_tree(path, NULL);
	}
}

static gboolean make_campaign_dir(Gate *gate, GError **error)
{
	gate->cache_dir = default_cache_dir();
	if (gate->cache_dir == NULL) {
		gate->campaign_dir = g_dir_make_tmp("firebreak-XXXXXX", error);
		return gate->campaign_dir != NULL;
	}
	g_autofree char *campaigns = g_build_filename(gate->cache_dir, "campaigns", NULL);
	if (!durable_make_dir(campaigns, error))
		return FALSE;
	remove_leftovers(campaigns);
	char *path = g_strdup_printf("%s/%d-XXXXXX", campaigns, (int)getpid());
	gate->campaign_dir = g_mkdtemp(path);
	if (gate->campaign_dir != NULL)
		return TRUE;
	g_free(path);
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make a folder in %s", campaigns);
}

static gboolean prepare_sides(Gate *gate, GError **error)
{
	SidePlan plan = {
	        .repo = gate->repo,
	        .pass_env = gate->config->pass_env,
	        .campaign_dir = gate->campaign_dir,
	        .cache_dir = gate->cache_dir,
	        .compiler = gate->compiler,
	        .findings = gate->result->findings,
	        .progress = talk_progress,
	        .progress_data = gate->request->talk,
	};
	gboolean ok = TRUE;
	/* both are built even if the first fails: both failures are worth knowing */
	for (int s = gate->two_sides ? SIDE_BASE : SIDE_HEAD; s < N_SIDES; s++) {
		g_autoptr(GError) failed = NULL;
		plan.config = s == SIDE_HEAD && gate->head_config != NULL ? gate->head_config : gate->config;
		if (side_prepare(&plan, side_names[s], &gate->choices[s], &gate->sides[s], &failed))
			continue;
		if (!ok)
			gate_add_failure(gate, NULL, failed);
		else
			g_propagate_error(error, g_steal_pointer(&failed));
		ok = FALSE;
		if (*error != NULL && (*error)->code != FIREBREAK_ERROR_BUILD)
			break;
	}
	return ok;
}

/* Without them nothing can be run or named; a gate without function names would be weaker than what was asked for. */
static gboolean has_helpers(GError **error)
{
	static const char *const names[] = {"firebreak-spawn", "firebreak-symbols"};
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

static gboolean run_gate(Gate *gate, GError **error)
{
	if (!choose_commits(gate, error) || !has_helpers(error) || !read_machine(gate, error) ||
	        !read_policy(gate, error) || !select_benchmarks(gate, error))
		return FALSE;
	if (gate->result->reasons->len > 0) {
		say_reasons(gate);
		return TRUE;
	}
	if (!try_output(gate, error) || !make_campaign_dir(gate, error) || !prepare_sides(gate, error))
		return FALSE;
	for (guint i = 0; i < gate->config->benchmarks->len; i++)
		if (!gate_benchmark(gate, gate->config->benchmarks->pdata[i]))
			break;
	return cancel_check(error);
}

static CheckResult *run(const GateRequest *request, gboolean two_sides)
{
	Gate gate = {.request = request, .result = check_result_new(), .two_sides = two_sides};
	g_autoptr(GError) error = NULL;
	g_autoptr(GTimer) timer = g_timer_new();
	gate.result->seed = request->seed;
	if (!run_gate(&gate, &error))
		gate_add_failure(&gate, NULL, error);
	gate.result->elapsed_s = g_timer_elapsed(timer, NULL);
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
	result->exit_code = 0;
	result->verdict = VERDICT_PASS;
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		result->exit_code = result->exit_code == 0 ? reason->exit_code : result->exit_code;
		result->verdict = VERDICT_ERROR;
	}
	return result;
}
