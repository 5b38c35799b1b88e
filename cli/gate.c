#include "cli/gate.h"

#include "baselines/store.h"
#include "cli/policyset.h"
#include "compare/policy.h"
#include "compare/verdict.h"
#include "core/cancel.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/repo.h"
#include "profile/foldperf.h"
#include "runner/basechoice.h"
#include "runner/campaign.h"
#include "runner/hostenv.h"
#include "runner/perfexecutor.h"
#include "runner/side.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Fewer samples than this, both sides together, name no function with certainty. */
#define FEW_SAMPLES 2000
#define SINGLE_SIDE_ROUNDS 8

typedef struct {
	const GateRequest *request;
	CheckResult *result;
	gboolean two_sides;
	Repo *repo;
	Choice choices[N_SIDES];
	Config *config;      /* the policy */
	Config *head_config; /* head's own, which says how head is built; NULL if it is the policy */
	PerfAbilities abilities;
	PolicyMachine machine;
	char *cache_dir, *campaign_dir, *compiler;
	Side sides[N_SIDES];
	guint endpoints;
} Gate;

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
static void add_failure(Gate *gate, const char *benchmark, const GError *error)
{
	int code = firebreak_error_exit_code(error);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(error->message), "\n", -1);
	const char *detail = lines[1] != NULL ? telling_line(lines + 1) : NULL;
	check_result_add_reason(gate->result, code, reason_code(code), benchmark, "%s%s%s", lines[0],
	        detail != NULL ? ": " : "", detail != NULL ? detail : "");
	for (char **line = lines; *line != NULL; line++)
		talk_line(gate->request->talk, *line);
}

static void say_reasons(const Gate *gate)
{
	for (guint i = 0; i < gate->result->reasons->len; i++)
		talk_line(gate->request->talk, ((const ResultReason *)gate->result->reasons->pdata[i])->text);
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
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "%.12s has no " CONFIG_FILE "; `firebreak init` writes one for this project",
	        gate->choices[SIDE_HEAD].sha);
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

/* Keeps only the benchmarks named on the command line. */
static gboolean select_benchmarks(Gate *gate, GError **error)
{
	char *const *wanted = gate->request->benchmarks;
	for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
		if (config_benchmark(gate->config, wanted[i]) == NULL) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "no benchmark is named \"%s\"",
			        wanted[i]);
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
	return TRUE;
}

static gboolean read_machine(Gate *gate, GError **error)
{
	gate->compiler = compiler_version();
	gate->result->environment = machine_environment(gate->compiler);
	if (!perf_probe(&gate->abilities, gate->result->findings, error))
		return FALSE;
	Environment *environment = gate->result->environment;
	environment_set(environment, "sampled_event", METRIC_SAME_CAMPAIGN, gate->abilities.sampling->name);
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
			add_failure(gate, NULL, failed);
		else
			g_propagate_error(error, g_steal_pointer(&failed));
		ok = FALSE;
		if (*error != NULL && (*error)->code != FIREBREAK_ERROR_BUILD)
			break;
	}
	return ok;
}

/* One benchmark on its way. */
typedef struct {
	Gate *gate;
	const ConfigBenchmark *benchmark;
	GPtrArray *policies;
	LookPlan plan;
	Measurement *measurements[N_SIDES]; /* with one side: only SIDE_BASE, as campaigns see it */
	gboolean *same_code;                /* per frame of the profiles */
	guint n_same_code;
} Work;

static void clear_work(Work *work)
{
	g_clear_pointer(&work->policies, g_ptr_array_unref);
	g_clear_pointer(&work->same_code, g_free);
	for (int s = 0; s < N_SIDES; s++)
		g_clear_pointer(&work->measurements[s], measurement_free);
}

static CompareInput compare_input(const Work *work)
{
	FunctionPolicy functions =
	        default_function_policy(work->gate->machine.hosted, work->gate->config->benchmarks->len);
	functions.gates = functions.gates && work->benchmark->gate_functions;
	return (CompareInput){
	        .base = work->measurements[SIDE_BASE],
	        .head = work->measurements[SIDE_HEAD],
	        .policies = work->policies,
	        .functions = functions,
	        .plan = work->plan,
	        .same_code = work->same_code,
	        .n_same_code = work->n_same_code,
	};
}

static void set_policies(Work *work, Schedule schedule)
{
	g_clear_pointer(&work->policies, g_ptr_array_unref);
	work->policies = policy_metrics(work->benchmark, schedule, work->gate->machine);
}

static gboolean is_decided(gpointer data, const Campaign *campaign)
{
	Work *work = data;
	if (!work->gate->two_sides)
		return campaign->rounds >= work->plan.rounds[work->plan.n - 1];
	/* a fall-back to sequential rounds has other margins */
	set_policies(work, campaign->schedule);
	CompareInput input = compare_input(work);
	return compare_decided(&input);
}

static LookPlan make_plan(const Work *work)
{
	const Gate *gate = work->gate;
	guint rounds = gate->request->rounds > 0 ? gate->request->rounds : work->benchmark->rounds;
	if (!gate->two_sides)
		return look_plan_fixed(rounds > 0 ? rounds : SINGLE_SIDE_ROUNDS, 1);
	guint endpoints = MAX(gate->endpoints, 1);
	return rounds > 0 ? look_plan_fixed(rounds, endpoints) : look_plan_sequential(endpoints);
}

static void quality_findings(const Work *work, const RunQuality *sum, guint runs)
{
	FindingList *findings = work->gate->result->findings;
	const char *name = work->benchmark->name;
	if (sum->samples < FEW_SAMPLES)
		finding_add(findings, FINDING_WARNING, "few_samples", name,
		        "%" G_GUINT64_FORMAT
		        " samples in %u runs; %d are needed to tell small functions apart: let a run do more "
		        "work, or raise `sampling`",
		        sum->samples, runs, FEW_SAMPLES);
	if (sum->samples > 0 && sum->depth1 * 2 > sum->samples)
		finding_add(findings, FINDING_WARNING, "shallow_stacks", name,
		        "most stacks have one frame only: frame pointers are missing; let the build use CFLAGS from "
		        "the "
		        "environment");
	if (sum->unknown_leaf * 20 > sum->samples)
		finding_add(findings, FINDING_WARNING, "unknown_code", name,
		        "%.0f %% of the samples lie in code that belongs to no file (generated code?)",
		        100.0 * (double)sum->unknown_leaf / (double)sum->samples);
}

/* Where the sides' own files lie: the copies that run, and the builds that they may load libraries from. */
static void side_prefixes(const Gate *gate, const char *prefixes[2 * N_SIDES + 1])
{
	guint n = 0;
	for (int s = 0; s < N_SIDES; s++)
		if (gate->sides[s].tree_dir != NULL) {
			prefixes[n++] = gate->sides[s].tree_dir;
			prefixes[n++] = gate->sides[s].build_dir;
		}
	prefixes[n] = NULL;
}

static gboolean fold_side(
        const Work *work, int side, const Campaign *campaign, PerfFold *fold, RunQuality *sum, GError **error)
{
	const Gate *gate = work->gate;
	static const char *const launchers[] = {"firebreak-spawn", NULL};
	const char *prefixes[2 * N_SIDES + 1];
	side_prefixes(gate, prefixes);
	PerfFoldOptions options = {.launchers = launchers, .strip_prefixes = prefixes};
	Measurement *measurement = work->measurements[side];
	for (guint i = 0; i < campaign->recordings[side]->len; i++) {
		RunQuality quality = {0};
		guint run = profile_add_run(measurement->profile);
		if (!perf_fold_add(fold, campaign->recordings[side]->pdata[i], measurement->profile, run, &options,
		            &quality, error))
			return FALSE;
		if (quality.decode_errors > 0) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "%" G_GUINT64_FORMAT " records of a recording of %s cannot be decoded",
			        quality.decode_errors, work->benchmark->name);
			return FALSE;
		}
		sum->samples += quality.samples;
		sum->depth1 += quality.depth1;
		sum->unknown_leaf += quality.unknown_leaf;
	}
	return TRUE;
}

/* Names for the samples of all runs of both sides, in one go. */
static gboolean make_profiles(Work *work, const Campaign *campaign, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(PerfFold) fold = perf_fold_new(table);
	RunQuality sum = {0};
	for (int s = 0; s < N_SIDES && work->measurements[s] != NULL; s++) {
		work->measurements[s]->profile = profile_new(table, "", "");
		if (!fold_side(work, s, campaign, fold, &sum, error))
			return FALSE;
	}
	if (!perf_fold_finish(fold, work->gate->result->findings, error))
		return FALSE;
	work->same_code = perf_fold_same_code(fold, &work->n_same_code);
	if (sum.samples > 0 && !perf_fold_has_own_code(fold))
		finding_add(work->gate->result->findings, FINDING_WARNING, "program_outside_tree",
		        work->benchmark->name,
		        "nothing that it runs was built from the checkout: both sides may run the same program (found "
		        "in PATH?)");
	quality_findings(work, &sum, campaign->rounds);
	return TRUE;
}

static Measurement *new_measurement(const Gate *gate, const ConfigBenchmark *benchmark, const Choice *choice)
{
	Measurement *measurement = measurement_new(benchmark->name, choice->sha, choice->tree);
	environment_free(measurement->environment);
	measurement->environment = environment_copy(gate->result->environment);
	measurement->work = benchmark->work;
	return measurement;
}

static Campaign *run_campaign(Work *work, Executor *executor, GError **error)
{
	Gate *gate = work->gate;
	int first = gate->two_sides ? SIDE_BASE : SIDE_HEAD;
	work->measurements[SIDE_BASE] = new_measurement(gate, work->benchmark, &gate->choices[first]);
	if (gate->two_sides)
		work->measurements[SIDE_HEAD] = new_measurement(gate, work->benchmark, &gate->choices[SIDE_HEAD]);
	Schedule schedule = policy_schedule(work->benchmark, gate->request->schedule);
	set_policies(work, schedule);
	work->plan = make_plan(work);
	CampaignPlan plan = {
	        .benchmark = work->benchmark,
	        .sides = {&gate->sides[first], gate->two_sides ? &gate->sides[SIDE_HEAD] : NULL},
	        .measurements = {work->measurements[SIDE_BASE], work->measurements[SIDE_HEAD]},
	        .schedule = schedule,
	        .looks = work->plan.rounds,
	        .n_looks = work->plan.n,
	        .seed = gate->request->seed,
	        .pass_env = gate->config->pass_env,
	        .recording_dir = gate->campaign_dir,
	        .executor = executor,
	        .findings = gate->result->findings,
	        .decided = is_decided,
	        .decided_data = work,
	        .progress = talk_progress,
	        .progress_data = gate->request->talk,
	};
	return campaign_run(&plan, error);
}

static gboolean measure(Work *work, GError **error)
{
	Gate *gate = work->gate;
	g_autoptr(CpuPlan) cpus = cpu_plan_new(work->benchmark->cpus, gate->result->findings, error);
	if (cpus == NULL || !cpu_plan_apply(cpus, error))
		return FALSE;
	machine_noise_findings(gate->result->environment, cpus, gate->result->findings);
	g_autoptr(Executor) executor = perf_executor_new(&gate->abilities, cpus, gate->result->findings);
	g_autoptr(Campaign) campaign = run_campaign(work, executor, error);
	if (!cpu_plan_undo(cpus, campaign != NULL ? error : NULL) || campaign == NULL)
		return FALSE;
	return make_profiles(work, campaign, error);
}

static gboolean store_measurements(const Work *work, GError **error)
{
	const Gate *gate = work->gate;
	if (!gate->request->store)
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, BASELINE_STORE_PREFIX, error);
	if (store == NULL)
		return FALSE;
	for (int s = 0; s < N_SIDES; s++) {
		const Measurement *measurement = work->measurements[s];
		if (measurement != NULL && !g_str_equal(measurement->commit, "worktree") &&
		        !baseline_store_put(store, measurement, error))
			return FALSE;
	}
	return TRUE;
}

/* Whether the single side of `firebreak run` did anything at all. */
static gboolean has_samples(const Work *work, GError **error)
{
	const Profile *profile = work->measurements[SIDE_BASE]->profile;
	for (guint run = 0; run < profile_n_runs(profile); run++)
		if (profile_run_total(profile, run).samples > 0)
			return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: no samples in any run: it did next to nothing", work->benchmark->name);
	return FALSE;
}

/* FALSE ends the check: the machine, not this benchmark, is the trouble. */
static gboolean check_benchmark(Gate *gate, const ConfigBenchmark *benchmark)
{
	Work work = {.gate = gate, .benchmark = benchmark};
	g_autoptr(GError) error = NULL;
	ResultBenchmark *row = check_result_add_benchmark(gate->result, benchmark->name);
	for (int s = gate->two_sides ? SIDE_BASE : SIDE_HEAD; s < N_SIDES; s++)
		side_inspect(&gate->sides[s], benchmark, gate->result->findings);
	gboolean ok = measure(&work, &error);
	if (ok && gate->two_sides) {
		CompareInput input = compare_input(&work);
		row->comparison = compare_benchmark(&input);
	}
	if (ok && (gate->two_sides ? row->comparison->verdict != VERDICT_ERROR : has_samples(&work, &error)))
		ok = store_measurements(&work, &error);
	if (error != NULL)
		add_failure(gate, benchmark->name, error);
	if (work.measurements[SIDE_BASE] != NULL && (error == NULL || row->comparison != NULL)) {
		row->base = gate->two_sides ? g_steal_pointer(&work.measurements[SIDE_BASE]) : NULL;
		row->head = g_steal_pointer(&work.measurements[gate->two_sides ? SIDE_HEAD : SIDE_BASE]);
	}
	clear_work(&work);
	return ok || error == NULL || firebreak_error_exit_code(error) == FIREBREAK_ERROR_INVALID;
}

static gboolean run_gate(Gate *gate, GError **error)
{
	if (!choose_commits(gate, error) || !read_machine(gate, error) || !read_policy(gate, error) ||
	        !select_benchmarks(gate, error))
		return FALSE;
	if (gate->result->reasons->len > 0) {
		say_reasons(gate);
		return TRUE;
	}
	if (!make_campaign_dir(gate, error) || !prepare_sides(gate, error))
		return FALSE;
	for (guint i = 0; i < gate->config->benchmarks->len; i++)
		if (!check_benchmark(gate, gate->config->benchmarks->pdata[i]))
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
		add_failure(&gate, NULL, error);
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
