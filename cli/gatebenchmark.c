#include "cli/gatestate.h"

#include "baselines/store.h"
#include "compare/policy.h"
#include "compare/verdict.h"
#include "core/error.h"
#include "profile/foldperf.h"
#include "runner/perfexecutor.h"
#include "runner/sampledevents.h"

#include <math.h>

/* Above this share of stacks without a root, callers are guesswork. */
#define MAX_INCOMPLETE_SHARE .05
/* Sides that did amounts of work so different are worth a word. */
#define WORK_DIFFERS .01
/* Fewer samples than this, both sides together, name no function with certainty. */
#define FEW_SAMPLES 2000
#define SINGLE_SIDE_ROUNDS 8

/* One benchmark on its way. */
typedef struct {
	Gate *gate;
	const ConfigBenchmark *benchmark;
	GPtrArray *policies;
	LookPlan plan;
	SampledEvents *events;
	Measurement *measurements[N_SIDES]; /* with one side: only SIDE_BASE, as campaigns see it */
	GPtrArray *profiles[N_SIDES];       /* of Profile: one for each event but the first */
	gboolean *same_code;                /* per frame of the profiles */
	guint n_same_code;
} Work;

static void clear_work(Work *work)
{
	g_clear_pointer(&work->policies, g_ptr_array_unref);
	g_clear_pointer(&work->same_code, g_free);
	g_clear_pointer(&work->events, sampled_events_free);
	for (int s = 0; s < N_SIDES; s++) {
		g_clear_pointer(&work->measurements[s], measurement_free);
		g_clear_pointer(&work->profiles[s], g_ptr_array_unref);
	}
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
	for (int s = 0; s < N_SIDES; s++)
		if (work->measurements[s] != NULL)
			policy_add_reported(work->policies, work->measurements[s]);
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

/* Samples that were lost make a run invalid long before they matter; a stack that ends halfway only misleads. */
static void incomplete_finding(const Work *work)
{
	guint64 samples = 0, incomplete = 0;
	for (int s = 0; s < N_SIDES && work->measurements[s] != NULL; s++)
		for (guint i = 0; i < work->measurements[s]->runs->len; i++) {
			const RunFacts *facts = &g_array_index(work->measurements[s]->runs, RunFacts, i);
			samples += facts->samples;
			incomplete += facts->incomplete_samples;
		}
	if ((double)incomplete > MAX_INCOMPLETE_SHARE * (double)samples)
		finding_add(work->gate->result->findings, FINDING_WARNING, "incomplete_stacks", work->benchmark->name,
		        "%.0f %% of the stacks could not be followed to their root, so callers are missing: %s",
		        100.0 * (double)incomplete / (double)samples,
		        work->benchmark->unwind == RECORDER_DWARF
		                ? "raise `stack_bytes`"
		                : "build with frame pointers, or set `unwind: dwarf`");
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
		finding_add(findings, FINDING_WARNING, "shallow_stacks", name, "most stacks have one frame only: %s",
		        work->benchmark->unwind == RECORDER_DWARF
		                ? "is there call frame information, and are `stack_bytes` enough?"
		                : "frame pointers are missing; let the build use CFLAGS from the environment, or set "
		                  "`unwind: dwarf`");
	if (sum->unknown_leaf * 20 > sum->samples)
		finding_add(findings, FINDING_WARNING, "unknown_code", name,
		        "%.0f %% of the samples lie in code that belongs to no file (generated code?)",
		        100.0 * (double)sum->unknown_leaf / (double)sum->samples);
	incomplete_finding(work);
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

/* What is folded: the samples of one event in the recordings of one side. */
typedef struct {
	const GPtrArray *recordings;
	const char *event;
	Profile *profile; /* gets a run for each recording */
	RunQuality *sum;  /* NULL = of no interest */
} FoldJob;

static gboolean fold_event(const Work *work, const FoldJob *job, PerfFold *fold, GError **error)
{
	static const char *const launchers[] = {"firebreak-spawn", NULL};
	const char *prefixes[2 * N_SIDES + 1];
	side_prefixes(work->gate, prefixes);
	PerfFoldOptions options = {.event = job->event, .launchers = launchers, .strip_prefixes = prefixes};
	for (guint i = 0; i < job->recordings->len; i++) {
		RunQuality quality = {0};
		guint run = profile_add_run(job->profile);
		if (!perf_fold_add(fold, job->recordings->pdata[i], job->profile, run, &options, &quality, error))
			return FALSE;
		if (quality.decode_errors > 0) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "%" G_GUINT64_FORMAT " records of a recording of %s cannot be decoded",
			        quality.decode_errors, work->benchmark->name);
			return FALSE;
		}
		if (quality.dropped * 100 > quality.samples)
			return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
			        "%" G_GUINT64_FORMAT
			        " samples of a run of %s are not of the benchmark but of what starts it",
			        quality.dropped, work->benchmark->name);
		if (job->sum == NULL)
			continue;
		job->sum->samples += quality.samples;
		job->sum->depth1 += quality.depth1;
		job->sum->unknown_leaf += quality.unknown_leaf;
	}
	return TRUE;
}

/* The weight of a wait is its time, whatever the event's own unit. */
static Profile *new_profile(StackTable *table, const char *event)
{
	gboolean off_cpu = g_str_equal(event, CONFIG_OFF_CPU);
	return profile_new(table, off_cpu ? CONFIG_OFF_CPU : "", off_cpu ? "ns" : "");
}

/* The first event becomes the profile of the measurement, the others those beside it. */
static gboolean fold_side(
        Work *work, int side, const Campaign *campaign, PerfFold *fold, RunQuality *sum, GError **error)
{
	Measurement *measurement = work->measurements[side];
	FoldJob job = {
	        .recordings = campaign->recordings[side],
	        .event = sampled_events_recorded_name(work->events, 0),
	        .profile = measurement->profile,
	        .sum = sum,
	};
	if (!fold_event(work, &job, fold, error))
		return FALSE;
	for (guint e = 1; e < sampled_events_array(work->events)->len; e++) {
		job.event = sampled_events_recorded_name(work->events, e);
		job.profile = new_profile(measurement->profile->table, sampled_events_name(work->events, e));
		job.sum = NULL;
		g_ptr_array_add(work->profiles[side], job.profile);
		if (!fold_event(work, &job, fold, error))
			return FALSE;
	}
	return TRUE;
}

/* Names for the samples of all runs of both sides, in one go. */
static gboolean make_profiles(Work *work, const Campaign *campaign, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	RunQuality sum = {0};
	for (int s = 0; s < N_SIDES && work->measurements[s] != NULL; s++) {
		work->measurements[s]->profile = profile_new(table, "", "");
		work->profiles[s] = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	}
	g_autoptr(PerfFold) fold = perf_fold_new(table);
	for (int s = 0; s < N_SIDES && work->measurements[s] != NULL; s++)
		if (!fold_side(work, s, campaign, fold, &sum, error))
			return FALSE;
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
	if (cpus == NULL)
		return FALSE;
	SampledEventsPlan events = {
	        .benchmark = work->benchmark,
	        .abilities = &gate->abilities,
	        .cpus = cpus,
	        .scratch_dir = gate->campaign_dir,
	        .findings = gate->result->findings,
	};
	work->events = sampled_events_new(&events, error);
	if (work->events == NULL || !cpu_plan_apply(cpus, error))
		return FALSE;
	machine_noise_findings(gate->result->environment, cpus, gate->result->findings);
	g_autoptr(Executor) executor = perf_executor_new(&gate->abilities, cpus, work->events, gate->result->findings);
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

/* Costs are per unit of work, so this is no error; but somebody may not have meant it. */
static void work_finding(const Work *work)
{
	const Measurement *base = work->measurements[SIDE_BASE], *head = work->measurements[SIDE_HEAD];
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
static void keep_profiles(Work *work, ResultBenchmark *row)
{
	Measurement *sides[N_SIDES] = {NULL, NULL};
	for (guint e = 1; e < sampled_events_array(work->events)->len; e++) {
		for (int s = 0; s < N_SIDES && work->measurements[s] != NULL; s++)
			sides[s] = beside(work->measurements[s], g_ptr_array_steal_index(work->profiles[s], 0));
		ResultProfile extra = {.event = (char *)sampled_events_name(work->events, e), .head = sides[SIDE_BASE]};
		if (work->gate->two_sides) {
			CompareInput input = compare_input(work);
			input.base = extra.base = sides[SIDE_BASE];
			input.head = extra.head = sides[SIDE_HEAD];
			input.functions.gates = FALSE;
			extra.comparison = compare_shown_profiles(&input);
		}
		result_benchmark_add_profile(row, &extra);
	}
}

gboolean gate_benchmark(Gate *gate, const ConfigBenchmark *benchmark)
{
	Work work = {.gate = gate, .benchmark = benchmark};
	g_autoptr(GError) error = NULL;
	ResultBenchmark *row = check_result_add_benchmark(gate->result, benchmark->name);
	for (int s = gate->two_sides ? SIDE_BASE : SIDE_HEAD; s < N_SIDES; s++)
		side_inspect(&gate->sides[s], benchmark, gate->result->findings);
	gboolean ok = measure(&work, &error);
	if (ok) {
		work_finding(&work);
		keep_profiles(&work, row);
	}
	if (ok && gate->two_sides) {
		CompareInput input = compare_input(&work);
		row->comparison = compare_benchmark(&input);
	}
	if (ok && (gate->two_sides ? row->comparison->verdict != VERDICT_ERROR : has_samples(&work, &error)))
		ok = store_measurements(&work, &error);
	if (error != NULL)
		gate_add_failure(gate, benchmark->name, error);
	if (work.measurements[SIDE_BASE] != NULL && (error == NULL || row->comparison != NULL)) {
		row->base = gate->two_sides ? g_steal_pointer(&work.measurements[SIDE_BASE]) : NULL;
		row->head = g_steal_pointer(&work.measurements[gate->two_sides ? SIDE_HEAD : SIDE_BASE]);
	}
	clear_work(&work);
	return ok || error == NULL || firebreak_error_exit_code(error) == FIREBREAK_ERROR_INVALID;
}
