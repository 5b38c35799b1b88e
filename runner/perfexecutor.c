#include "runner/perfexecutor.h"

#include "core/child.h"
#include "core/error.h"
#include "runner/counters.h"
#include "runner/hostenv.h"
#include "runner/recorder.h"

#include <math.h>
#include <string.h>

/* Above this many CPUs only the measured ones get a sample buffer. */
#define MAX_RECORDED_CPUS 16
#define ESCAPED_SHARE 0.01
#define MAX_STEAL_SHARE 0.05
#define LEAST_STEAL_TICKS 5
#define QUOTED_STDERR_BYTES 4096

typedef struct {
	Executor interface;
	const PerfAbilities *abilities;
	const CpuPlan *cpus;
	FindingList *findings;
	double cycles_per_ns; /* of the latest run with hardware counters; 0 = not known yet */
} PerfExecutor;

/* One run while it goes on. */
typedef struct {
	Child *child;
	Counters *counters;
	Recorder *recorder;
	RecorderCounts counts;
} LiveRun;

static void live_run_clear(LiveRun *run)
{
	g_clear_pointer(&run->recorder, recorder_free);
	g_clear_pointer(&run->counters, counters_free);
	g_clear_pointer(&run->child, child_free);
}

static Child *prepare_child(const PerfExecutor *self, const RunRequest *request, guint together, GError **error)
{
	const ConfigBenchmark *benchmark = request->benchmark;
	g_autofree char *cwd = g_build_filename(request->side->tree_dir, benchmark->cwd, NULL);
	g_auto(GStrv) environment =
	        benchmark_environment(request->side->scratch_dir, request->pass_env, request->padding);
	ChildSpec spec = {
	        .argv = (const char *const *)benchmark->command,
	        .envp = (const char *const *)environment,
	        .cwd = cwd,
	        .cpus = (const int *)(void *)self->cpus->measured->data,
	        .n_cpus = self->cpus->measured->len,
	        /* runs that share a CPU take their time together */
	        .timeout_ms = benchmark->timeout_ms * together,
	};
	Child *child = child_prepare(&spec, error);
	if (child == NULL)
		g_prefix_error(error, "benchmark %s: ", benchmark->name);
	return child;
}

/* Hardware events get a fixed period once their rate is known, so that the period cannot wander differently on the two
 * sides; a clock has one anyway. The period is made odd, so that it does not beat with loops. */
static RecorderPlan recorder_plan(const PerfExecutor *self, guint sampling_hz)
{
	RecorderPlan plan = {.event = self->abilities->sampling, .frequency_hz = sampling_hz};
	if (plan.event->hardware && self->cycles_per_ns > 0) {
		plan.frequency_hz = 0;
		plan.period = (guint64)(self->cycles_per_ns * 1e9 / sampling_hz) | 1;
	}
	return plan;
}

static gboolean attach(PerfExecutor *self, const RunRequest *request, guint together, LiveRun *run, GError **error)
{
	run->child = prepare_child(self, request, together, error);
	if (run->child == NULL)
		return FALSE;
	run->counters = counters_open(child_pid(run->child), self->abilities, error);
	if (run->counters == NULL)
		return FALSE;
	if (request->recording == NULL)
		return TRUE;
	const GArray *cpus = self->cpus->allowed->len <= MAX_RECORDED_CPUS ? self->cpus->allowed : self->cpus->measured;
	RecorderPlan plan = recorder_plan(self, request->benchmark->sampling_hz);
	run->recorder = recorder_open(&plan, child_pid(run->child), (const int *)(void *)cpus->data, cpus->len,
	        request->recording, self->findings, error);
	return run->recorder != NULL;
}

typedef struct {
	LiveRun *runs;
	guint n;
} LiveRound;

static gboolean drain_round(gpointer data, GError **error)
{
	LiveRound *round = data;
	for (guint i = 0; i < round->n; i++)
		if (round->runs[i].recorder != NULL && !recorder_drain(round->runs[i].recorder, error))
			return FALSE;
	return TRUE;
}

static void add_metric(RunOutcome *outcome, const char *name, const char *unit, MetricClass comparable, double value)
{
	RunMetric metric = {.name = name, .unit = unit, .comparable = comparable, .value = value};
	g_array_append_val(outcome->metrics, metric);
}

static MetricClass class_of(const char *name)
{
	return g_str_equal(name, "instructions") || g_str_equal(name, "page-faults") ? METRIC_REPLICABLE
	                                                                             : METRIC_SAME_CAMPAIGN;
}

static gboolean read_counters(PerfExecutor *self, LiveRun *run, RunOutcome *outcome, GError **error)
{
	g_autoptr(GArray) values = counters_read(run->counters, error);
	double task_clock = 0, cycles = 0;
	if (values == NULL)
		return FALSE;
	outcome->facts.running_share = 1;
	for (guint i = 0; i < values->len; i++) {
		const CounterValue *value = &g_array_index(values, CounterValue, i);
		const char *name = value->kind->name;
		if (!value->counted)
			continue;
		add_metric(outcome, name, value->kind->unit, class_of(name), value->value);
		outcome->facts.running_share = MIN(outcome->facts.running_share, value->running_share);
		if (g_str_equal(name, "task-clock"))
			task_clock = value->value;
		else if (g_str_equal(name, "cycles"))
			cycles = value->value;
	}
	if (task_clock > 0 && cycles > 0)
		self->cycles_per_ns = cycles / task_clock;
	return TRUE;
}

static void fail_run(RunOutcome *outcome, const char *code, gboolean retry, const char *format, ...)
        G_GNUC_PRINTF(4, 5);
static void fail_run(RunOutcome *outcome, const char *code, gboolean retry, const char *format, ...)
{
	if (outcome->failure_code != NULL)
		return;
	va_list args;
	va_start(args, format);
	outcome->failure = g_strdup_vprintf(format, args);
	va_end(args);
	outcome->failure_code = g_strdup(code);
	outcome->retry = retry;
}

/* What the process did wrong. */
static void judge_process(const RunRequest *request, const ChildResult *result, RunOutcome *outcome)
{
	g_autofree char *failure = child_describe_failure(result);
	gint64 own_cpu_ns = result->user_ns + result->system_ns;
	if (failure != NULL) {
		gsize shown = MIN(result->err->len, QUOTED_STDERR_BYTES);
		fail_run(outcome, result->timed_out ? "timeout" : "benchmark_failed",
		        !result->timed_out && result->exec_errno == 0, "%s %s%s%s", request->benchmark->command[0],
		        failure, shown > 0 ? "\n" : "", result->err->str + result->err->len - shown);
	}
	if (result->orphan_cpu_ns > ESCAPED_SHARE * (double)own_cpu_ns && result->orphan_cpu_ns > 10 * 1000 * 1000)
		fail_run(outcome, "escaped_work", FALSE,
		        "left processes behind (%u) that used %.3f s of CPU time beside its own %.3f s; a benchmark "
		        "waits for "
		        "all its work",
		        result->orphans, (double)result->orphan_cpu_ns / 1e9, (double)own_cpu_ns / 1e9);
}

/* What the recording lacks. */
static void judge_recording(const LiveRun *run, RunOutcome *outcome)
{
	RunFacts *facts = &outcome->facts;
	facts->samples = run->counts.samples;
	facts->lost_samples = run->counts.lost;
	facts->throttled = run->counts.throttled;
	if ((double)facts->lost_samples > 0.01 * (double)(facts->samples + facts->lost_samples))
		fail_run(outcome, "data_lost", TRUE, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " samples were lost",
		        facts->lost_samples, facts->samples + facts->lost_samples);
	if (facts->throttled > 0)
		fail_run(outcome, "throttled", TRUE, "the kernel throttled sampling %" G_GUINT64_FORMAT " times",
		        facts->throttled);
	if (facts->running_share < 0.95)
		fail_run(outcome, "multiplexed", TRUE, "the counters ran only %.0f %% of the time",
		        facts->running_share * 100);
}

static gboolean collect(PerfExecutor *self, const RunRequest *request, LiveRun *run, gboolean alone,
        RunOutcome *outcome, GError **error)
{
	const ChildResult *result = child_result(run->child);
	outcome->metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric));
	outcome->start_ns = result->start_ns;
	outcome->end_ns = result->end_ns;
	outcome->facts.wall_ns = (guint64)MAX(result->end_ns - result->start_ns, 0);
	outcome->facts.overlap_share = NAN;
	if (run->recorder != NULL && !recorder_finish(run->recorder, &run->counts, error))
		return FALSE;
	if (!read_counters(self, run, outcome, error))
		return FALSE;
	add_metric(outcome, "peak-rss", "bytes", METRIC_REPLICABLE, (double)result->max_rss_bytes);
	if (alone)
		add_metric(outcome, "wall", "ns", METRIC_SAME_CAMPAIGN, (double)outcome->facts.wall_ns);
	judge_process(request, result, outcome);
	if (run->recorder != NULL)
		judge_recording(run, outcome);
	if (result->orphans_killed > 0)
		finding_add(self->findings, FINDING_WARNING, "processes_left_behind", request->benchmark->name,
		        "left processes behind, which were killed");
	return TRUE;
}

/* Time both ran / time either ran. */
static double overlap(const RunOutcome *a, const RunOutcome *b)
{
	gint64 both = MIN(a->end_ns, b->end_ns) - MAX(a->start_ns, b->start_ns);
	gint64 either = MAX(a->end_ns, b->end_ns) - MIN(a->start_ns, b->start_ns);
	return either > 0 && both > 0 ? (double)both / (double)either : 0;
}

static gboolean run_together(
        PerfExecutor *self, const RunRequest *requests, LiveRun *runs, guint n, RunOutcome *outcomes, GError **error)
{
	Child *children[2];
	for (guint i = 0; i < n; i++) {
		if (!attach(self, &requests[i], n, &runs[i], error))
			return FALSE;
		children[i] = runs[i].child;
	}
	const int *cpus = (const int *)(void *)self->cpus->measured->data;
	CpuTimes before = machine_cpu_times(cpus, self->cpus->measured->len);
	for (guint i = 0; i < n; i++)
		child_release(runs[i].child);
	LiveRound round = {.runs = runs, .n = n};
	if (!child_wait_all(children, n, drain_round, &round, error))
		return FALSE;
	CpuTimes after = machine_cpu_times(cpus, self->cpus->measured->len);
	double steal = steal_share(before, after);
	for (guint i = 0; i < n; i++) {
		if (!collect(self, &requests[i], &runs[i], n == 1, &outcomes[i], error))
			return FALSE;
		outcomes[i].facts.steal_share = steal;
		/* a few ticks are as fine as /proc/stat can tell; in a short run they would be a large share */
		if (steal > MAX_STEAL_SHARE && after.steal - before.steal >= LEAST_STEAL_TICKS)
			fail_run(&outcomes[i], "steal", TRUE, "the hypervisor took %.0f %% of the CPU time",
			        steal * 100);
	}
	if (n == 2)
		outcomes[0].facts.overlap_share = outcomes[1].facts.overlap_share = overlap(&outcomes[0], &outcomes[1]);
	return TRUE;
}

static gboolean execute(Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	LiveRun runs[2] = {0};
	g_assert(n >= 1 && n <= 2);
	gboolean ok = run_together((PerfExecutor *)executor, requests, runs, n, outcomes, error);
	for (guint i = 0; i < n; i++)
		live_run_clear(&runs[i]);
	return ok;
}

static void destroy(Executor *executor)
{
	g_free(executor);
}

Executor *perf_executor_new(const PerfAbilities *abilities, const CpuPlan *cpus, FindingList *findings)
{
	PerfExecutor *self = g_new0(PerfExecutor, 1);
	self->interface = (Executor){.execute = execute, .destroy = destroy};
	self->abilities = abilities;
	self->cpus = cpus;
	self->findings = findings;
	return &self->interface;
}
