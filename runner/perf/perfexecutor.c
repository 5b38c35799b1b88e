/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/perf/perfexecutor.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/programwatch.h"

#include "core/child.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "model/engine.h"
#include "runner/events/counters.h"
#include "runner/hints/runhint.h"
#include "runner/perf/runjudge.h"
#include "runner/perf/schedwatch.h"
#include "runner/record/control.h"
#include "runner/record/eventset.h"
#include "runner/record/recorder.h"
#include "runner/runfolder.h"
#include "runner/runstate.h"

#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Above this many CPUs only the measured ones get a sample buffer. */
#define MAX_RECORDED_CPUS 16
/* A side waits for the other's region for this part of the time that it may run. */
#define WAIT_PART_OF_TIMEOUT 4
#define SLOW_CLOCK_LIBRARY "firebreak-slowclock.so"

typedef struct {
	Executor interface;
	const PerfAbilities *abilities;
	const CpuPlan *cpus;
	const SampledEvents *events;
	FindingList *findings;
	ProgramMemory *memory; /* of the programs that runs execute */
} PerfExecutor;

/* One run while it goes on. */
typedef struct {
	const RunRequest *request;
	char *dir; /* its own folder */
	Child *child;
	int process_fd; /* can be read once the main process has ended */
	Counters *counters;
	Recorder *recorder;
	SchedWatch *schedule;
	ProgramWatch *programs;
	Control *control; /* NULL = the whole run is measured */
	ControlFacts region;
	RecorderCounts counts;
} LiveRun;

typedef struct {
	LiveRun *runs;
	guint n;
	const char *benchmark;
	gint64 longest_wait_ns; /* of one side for the region of the other */
	FindingList *findings;
} LiveRound;

static void live_run_clear(LiveRun *run)
{
	g_clear_pointer(&run->control, control_free);
	g_clear_pointer(&run->schedule, sched_watch_free);
	g_clear_pointer(&run->programs, program_watch_free);
	g_clear_pointer(&run->recorder, recorder_free);
	g_clear_pointer(&run->counters, counters_free);
	g_clear_pointer(&run->child, child_free);
	if (run->process_fd >= 0)
		close(run->process_fd);
	run_folder_free(run->request, run->dir);
}

/* Puts the library before all others that the run loads. */
static gboolean slow_down_clocks(char ***environment, GError **error)
{
	g_autofree char *library = helper_program_path(SLOW_CLOCK_LIBRARY, error);
	if (library == NULL)
		return FALSE;
	const char *own = g_environ_getenv(*environment, "LD_PRELOAD");
	g_autofree char *all = g_strconcat(library, own != NULL ? ":" : NULL, own, NULL);
	*environment = g_environ_setenv(*environment, "LD_PRELOAD", all, TRUE);
	return TRUE;
}

static char **control_environment(const RunRequest *request, const LiveRun *run)
{
	const FrameworkRun framework = framework_run(request->benchmark, run->dir, &engine_perf);
	char **environment = framework_environment(&framework, run_environment(request, run->dir, request->padding));
	if (run->control == NULL)
		return environment;
	environment = g_environ_setenv(environment, "FIREBREAK_CTL_FIFO", control_command_path(run->control), TRUE);
	return g_environ_setenv(environment, "FIREBREAK_ACK_FIFO", control_answer_path(run->control), TRUE);
}

static gboolean prepare_child(
        const PerfExecutor *self, const RunRequest *request, guint together, LiveRun *run, GError **error)
{
	const ConfigBenchmark *benchmark = request->benchmark;
	g_autofree char *cwd = run_folder_cwd(request, error);
	if (cwd == NULL)
		return FALSE;
	const FrameworkRun framework = framework_run(request->benchmark, run->dir, &engine_perf);
	g_auto(GStrv) command = framework_command(&framework);
	g_auto(GStrv) environment = control_environment(request, run);
	if (request->slow_clocks && !slow_down_clocks(&environment, error))
		return FALSE;
	ChildSpec spec = {
	        .argv = (const char *const *)command,
	        .envp = (const char *const *)environment,
	        .cwd = cwd,
	        .cpus = (const int *)(void *)self->cpus->measured->data,
	        .n_cpus = self->cpus->measured->len,
	        .no_new_privileges = !benchmark->privileges,
	        /* runs that share a CPU take their time together */
	        .timeout_ms = benchmark->timeout_ms * together * (request->slow_clocks ? SLOW_CLOCKS : 1),
	        .keep_bytes = framework_keep_bytes(benchmark),
	};
	run->child = child_prepare(&spec, error);
	if (run->child == NULL) {
		g_prefix_error(error, "benchmark %s: ", benchmark->name);
		return FALSE;
	}
	/* A descriptor stays that of this process, where its number could be another's as soon as it was waited for. */
	run->process_fd = (int)syscall(SYS_pidfd_open, child_pid(run->child), 0);
	run->schedule = sched_watch_new(child_pid(run->child));
	run->programs = program_watch_new(child_pid(run->child), request->look_closely, self->memory);
	return TRUE;
}

/* The events of this run. The first of them, if it is a hardware event, gets a fixed period, so that the period cannot
 * wander differently on the two sides, and no search for it is throttled; a clock has one anyway. The period is odd,
 * and the rate that it comes from is another one in each round, so that it does not beat with loops. */
static GArray *run_events(const PerfExecutor *self, const RunRequest *request)
{
	guint sampling_hz = request->sampling_hz > 0 ? request->sampling_hz : request->benchmark->sampling_hz;
	GArray *events = g_array_copy((GArray *)sampled_events_array(self->events));
	g_array_set_clear_func(events, NULL);
	RecorderEvent *first = &g_array_index(events, RecorderEvent, 0);
	if (first->frequency_hz > 0)
		first->frequency_hz = sampling_hz;
	if (first->spec.hardware && self->abilities->cycles_per_ns > 0) {
		guint64 allowed_hz = event_allowed_hz(sampling_hz, self->findings);
		first->frequency_hz = 0;
		first->period = (guint64)(self->abilities->cycles_per_ns * 1e9 / (double)allowed_hz) | 1;
	}
	return events;
}

static gboolean open_recorder(PerfExecutor *self, const RunRequest *request, LiveRun *run, GError **error)
{
	const ConfigBenchmark *benchmark = request->benchmark;
	const GArray *cpus = self->cpus->allowed->len <= MAX_RECORDED_CPUS ? self->cpus->allowed : self->cpus->measured;
	g_autoptr(GArray) events = run_events(self, request);
	RecorderPlan plan = {
	        .events = (const RecorderEvent *)(void *)events->data,
	        .n_events = events->len,
	        .stacks = benchmark->unwind,
	        .stack_bytes = request->stack_bytes,
	        .weigh_pieces = request->weigh_pieces,
	        .start_disabled = run->control != NULL,
	        .waits = TRUE,
	        .pinned_cpus = (const int *)(void *)self->cpus->measured->data,
	        .n_pinned = self->cpus->measured->len,
	};
	run->recorder = recorder_open(&plan, child_pid(run->child), (const int *)(void *)cpus->data, cpus->len,
	        request->recording, self->findings, error);
	return run->recorder != NULL;
}

/* The counters have the shorter time of the two: they decide. */
static gboolean turn_measuring(gpointer data, gboolean on, GError **error)
{
	LiveRun *run = data;
	if (on && run->recorder != NULL && !recorder_enable(run->recorder, TRUE, error))
		return FALSE;
	if (!counters_enable(run->counters, on, error))
		return FALSE;
	return on || run->recorder == NULL || recorder_enable(run->recorder, FALSE, error);
}

static gboolean attach(PerfExecutor *self, const RunRequest *request, guint together, LiveRun *run, GError **error)
{
	gboolean region = request->benchmark->measure == MEASURE_REGION;
	run->dir = run_folder_new(request, error);
	if (run->dir == NULL)
		return FALSE;
	if (region && (run->control = control_new(run->dir, turn_measuring, run, error)) == NULL)
		return FALSE;
	if (!prepare_child(self, request, together, run, error))
		return FALSE;
	run->counters = counters_open(child_pid(run->child), self->abilities, region, error);
	if (run->counters == NULL)
		return FALSE;
	return request->recording == NULL || open_recorder(self, request, run, error);
}

static gboolean has_ended(const LiveRun *run)
{
	struct pollfd process = {.fd = run->process_fd, .events = POLLIN};
	return poll(&process, 1, 0) != 0;
}

/* Nobody waits for a run that has ended, nor for long: what the other needs may be what this one holds. */
static gboolean end_waiting(const LiveRound *round, GError **error)
{
	for (guint i = 0; i < round->n; i++) {
		Control *control = round->runs[i].control;
		gint64 waiting_ns = control != NULL ? control_waiting_ns(control) : -1;
		gboolean ended = waiting_ns >= 0 && has_ended(&round->runs[round->n - 1 - i]);
		gboolean too_long = waiting_ns > round->longest_wait_ns;
		if (too_long && !ended)
			finding_add(round->findings, FINDING_WARNING, "regions_apart", round->benchmark,
			        "one side waited %.0f s for the region of the other, which did not begin; if it cannot "
			        "run beside itself, set `schedule: sequential`",
			        (double)round->longest_wait_ns / 1e9);
		if ((ended || too_long) && !control_go_on(control, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean tend_round(gpointer data, GError **error)
{
	LiveRound *round = data;
	for (guint i = 0; i < round->n; i++) {
		sched_watch_look(round->runs[i].schedule);
		program_watch_look(round->runs[i].programs);
		if (round->runs[i].recorder != NULL && !recorder_drain(round->runs[i].recorder, error))
			return FALSE;
	}
	return end_waiting(round, error);
}

static void add_metric(RunOutcome *outcome, const char *name, const char *unit, MetricClass comparable, double value)
{
	RunMetric metric = {
	        .engine = &engine_perf, .name = name, .unit = unit, .comparable = comparable, .value = value};
	g_array_append_val(outcome->metrics, metric);
}

static MetricClass class_of(const char *name)
{
	return g_str_equal(name, "instructions") || g_str_equal(name, "page-faults") ? METRIC_REPLICABLE
	                                                                             : METRIC_SAME_CAMPAIGN;
}

static gboolean read_counters(LiveRun *run, RunOutcome *outcome, GError **error)
{
	g_autoptr(GArray) values = counters_read(run->counters, error);
	if (values == NULL)
		return FALSE;
	outcome->facts.running_share = 1;
	for (guint i = 0; i < values->len; i++) {
		const CounterValue *value = &g_array_index(values, CounterValue, i);
		const char *name = value->name;
		if (!value->counted)
			continue;
		add_metric(outcome, name, value->unit, class_of(name), value->value);
		outcome->facts.running_share = MIN(outcome->facts.running_share, value->running_share);
	}
	return TRUE;
}

/* Ends measuring and takes what was measured. */
static gboolean read_run(LiveRun *run, RunOutcome *outcome, GError **error)
{
	gint64 end_ns = child_result(run->child)->end_ns;
	if (run->control != NULL && !control_finish(run->control, end_ns, &run->region, error))
		return FALSE;
	if (run->recorder != NULL && !recorder_finish(run->recorder, &run->counts, error))
		return FALSE;
	return counters_whole_ns(run->counters, &outcome->cpu_time.counted_ns, error) &&
	       read_counters(run, outcome, error);
}

/* Takes the usage that the kernel accounts for the processes themselves; it needs no perf event. */
static void take_usage(const ChildResult *result, RunOutcome *outcome)
{
	outcome->cpu_time.used_ns = (double)(result->user_ns + result->system_ns + result->orphan_cpu_ns);
	outcome->cpu_time.switches = (double)result->switches;
	outcome->cpu_time.faults = (double)result->faults;
	outcome->cpu_time.peak_bytes = (double)result->max_rss_bytes;
}

/* Fails the outcome if the run is not what was to be measured, however it ended. */
static void judge_witnesses(
        const PerfExecutor *self, const RunRequest *request, const LiveRun *run, RunOutcome *outcome)
{
	const ChildResult *result = child_result(run->child);
	const SidebandFacts *sideband = run->recorder != NULL ? &run->counts.sideband : NULL;
	double migrations = outcome_metric(outcome, &engine_perf, "cpu-migrations");
	const RunSchedule schedule = {
	        .seen = sched_watch_seen(run->schedule),
	        .began = result->began,
	        .ended = result->ended,
	        .sideband = sideband,
	        .migrations = isnan(migrations) ? 0 : migrations,
	        .n_cpus = self->cpus->measured->len,
	};
	outcome->cpu_time.processes = sideband != NULL ? 1 + sideband->forks : 0;
	judge_privileges(request->benchmark, result, sideband, outcome);
	judge_counted(request->benchmark, sideband, self->findings, outcome);
	judge_schedule(&schedule, outcome);
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
	take_usage(result, outcome);
	if (!read_run(run, outcome, error))
		return FALSE;
	add_metric(outcome, "peak-rss", "bytes", METRIC_REPLICABLE, (double)result->max_rss_bytes);
	/* The wall time of a run that shares its CPU with another one is that of both. */
	if (alone)
		add_metric(outcome, "wall", "ns", METRIC_SAME_CAMPAIGN,
		        (double)(run->control != NULL ? run->region.enabled_ns : outcome->facts.wall_ns));
	if (run->recorder != NULL && !isnan(run->counts.wait_ns))
		add_metric(outcome, "wait", "ns", METRIC_SAME_CAMPAIGN, run->counts.wait_ns);
	g_autofree char *metrics = run_folder_metrics(run->dir);
	judge_process(request->benchmark, result, self->findings, outcome);
	judge_witnesses(self, request, run, outcome);
	run_hint(request, result, TRUE, self->findings, outcome);
	if (run->control != NULL)
		judge_region(request->benchmark, &run->region, self->findings, outcome);
	judge_own_metrics(request->benchmark, metrics, outcome);
	const FrameworkRun framework = framework_run(request->benchmark, run->dir, &engine_perf);
	framework_judge(&framework, result, self->findings, outcome);
	program_watch_judge(run->programs, request, outcome);
	outcome->asks_cpu_clock = program_watch_asks_cpu_clock(run->programs);
	if (run->recorder != NULL)
		judge_recording(request->benchmark, &run->counts, self->findings, outcome);
	return TRUE;
}

/* Returns the time in which both ran, as a share of that in which either ran. */
static double overlap(const RunOutcome *a, const RunOutcome *b)
{
	gint64 both = MIN(a->end_ns, b->end_ns) - MAX(a->start_ns, b->start_ns);
	gint64 either = MAX(a->end_ns, b->end_ns) - MIN(a->start_ns, b->start_ns);
	return either > 0 && both > 0 ? (double)both / (double)either : 0;
}

/* Lets all of them go and waits for their end, watching over what they do meanwhile. */
static gboolean run_children(LiveRound *round, GError **error)
{
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	Child *children[2];
	for (guint i = 0; i < round->n; i++) {
		LiveRun *run = &round->runs[i];
		children[i] = run->child;
		program_watch_timer(run->programs, watches);
		if (run->recorder != NULL)
			recorder_watches(run->recorder, watches);
		if (run->control != NULL) {
			ChildWatch watch = control_watch(run->control);
			g_array_append_val(watches, watch);
		}
	}
	if (round->n == 2 && round->runs[0].control != NULL)
		control_meet(round->runs[0].control, round->runs[1].control);
	ChildDuties duties = {
	        .tick = tend_round,
	        .data = round,
	        .watches = (const ChildWatch *)(void *)watches->data,
	        .n_watches = watches->len,
	};
	for (guint i = 0; i < round->n; i++)
		child_release(children[i]);
	return child_wait_all(children, round->n, &duties, error);
}

static gboolean run_together(
        PerfExecutor *self, const RunRequest *requests, LiveRun *runs, guint n, RunOutcome *outcomes, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!attach(self, &requests[i], n, &runs[i], error))
			return FALSE;
	const int *cpus = (const int *)(void *)self->cpus->measured->data;
	CpuTimes before = machine_cpu_times(cpus, self->cpus->measured->len);
	LiveRound round = {
	        .runs = runs,
	        .n = n,
	        .benchmark = requests[0].benchmark->name,
	        .longest_wait_ns = requests[0].benchmark->timeout_ms * 1000000 / WAIT_PART_OF_TIMEOUT,
	        .findings = self->findings,
	};
	if (!run_children(&round, error))
		return FALSE;
	CpuTimes after = machine_cpu_times(cpus, self->cpus->measured->len);
	for (guint i = 0; i < n; i++) {
		if (!collect(self, &requests[i], &runs[i], n == 1, &outcomes[i], error))
			return FALSE;
		judge_steal(before, after, &outcomes[i]);
	}
	if (n == 2)
		outcomes[0].facts.overlap_share = outcomes[1].facts.overlap_share = overlap(&outcomes[0], &outcomes[1]);
	return TRUE;
}

static gboolean execute(Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	LiveRun runs[2];
	g_assert(n >= 1 && n <= 2);
	for (guint i = 0; i < n; i++)
		runs[i] = (LiveRun){.request = &requests[i], .process_fd = -1};
	const PerfExecutor *self = (PerfExecutor *)executor;
	gboolean ok = run_state_restore(requests, n, self->findings, error) &&
	              run_together((PerfExecutor *)executor, requests, runs, n, outcomes, error);
	for (guint i = 0; i < n; i++)
		live_run_clear(&runs[i]);
	return ok;
}

static void destroy(Executor *executor)
{
	program_memory_free(((PerfExecutor *)executor)->memory);
	g_free(executor);
}

Executor *perf_executor_new(
        const PerfAbilities *abilities, const CpuPlan *cpus, const SampledEvents *events, FindingList *findings)
{
	PerfExecutor *self = g_new0(PerfExecutor, 1);
	self->interface = (Executor){.execute = execute, .destroy = destroy};
	self->abilities = abilities;
	self->cpus = cpus;
	self->events = events;
	self->findings = findings;
	self->memory = program_memory_new();
	return &self->interface;
}
