/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/perf/runjudge.h"

#include "model/engine.h"
#include "runner/record/privileges.h"

#include <math.h>

#define ESCAPED_SHARE 0.01
#define ESCAPED_MIN_NS 10000000
/* The most that task-clock lacks though everything is counted: some three times the largest that was measured
 * (docs/STATISTICS.md). */
#define UNCOUNTED_MIN_NS 5e6
#define UNCOUNTED_SHARE .01
#define UNCOUNTED_PER_PROCESS_NS 250e3
#define UNCOUNTED_PER_SWITCH_NS 3e3
#define UNCOUNTED_PER_PAGE_NS 300.
#define PAGE_BYTES 4096.
#define MAX_LOST_SHARE 0.01
#define MIN_RUNNING_SHARE 0.95
#define MIN_STEAL_TICKS 5
#define QUOTED_STDERR_BYTES 4096

void judge_process(
        const ConfigBenchmark *benchmark, const ChildResult *result, FindingList *findings, RunOutcome *outcome)
{
	g_autofree char *failure = child_describe_failure(result);
	gint64 own_cpu_ns = result->user_ns + result->system_ns;
	if (failure != NULL) {
		gsize shown = MIN(result->err->len, QUOTED_STDERR_BYTES);
		run_outcome_fail(outcome, result->timed_out ? TIMEOUT_FAILURE : "benchmark_failed",
		        !result->timed_out && result->exec_errno == 0, "%s %s%s%s", benchmark->command[0], failure,
		        shown > 0 ? "\n" : "", result->err->str + result->err->len - shown);
	}
	if (result->orphan_cpu_ns > ESCAPED_SHARE * (double)own_cpu_ns && result->orphan_cpu_ns > ESCAPED_MIN_NS)
		run_outcome_fail(outcome, "escaped_work", FALSE,
		        "left processes behind (%u) that used %.3f s of CPU time beside its own %.3f s; a "
		        "benchmark waits for all its work",
		        result->orphans, (double)result->orphan_cpu_ns / 1e9, (double)own_cpu_ns / 1e9);
	if (result->orphans_killed > 0)
		finding_add(findings, FINDING_WARNING, "processes_left_behind", benchmark->name,
		        "left processes behind, which were killed");
}

void judge_recording(
        const ConfigBenchmark *benchmark, const RecorderCounts *counts, FindingList *findings, RunOutcome *outcome)
{
	RunFacts *facts = &outcome->facts;
	facts->samples = counts->samples;
	facts->lost_samples = counts->lost;
	facts->incomplete_samples = counts->incomplete;
	outcome->pieces = counts->pieces;
	facts->throttled = counts->throttled_first;
	if (MAX(counts->worst_lost_share, run_lost_share(facts)) > MAX_LOST_SHARE)
		run_outcome_fail(outcome, "data_lost", TRUE,
		        "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		        " samples were lost, %.1f %% of those of one event",
		        facts->lost_samples, facts->samples + facts->lost_samples,
		        100 * MAX(counts->worst_lost_share, run_lost_share(facts)));
	if (facts->throttled > 0)
		run_outcome_fail(outcome, "throttled", TRUE,
		        "the kernel throttled sampling %" G_GUINT64_FORMAT " time%s; `sampling:` takes a lower rate",
		        facts->throttled, facts->throttled == 1 ? "" : "s");
	else if (counts->throttled > 0)
		finding_add(findings, FINDING_WARNING, "profile_throttled", benchmark->name,
		        "the kernel throttled an extra profile: moments of runs are missing in it");
	if (facts->running_share < MIN_RUNNING_SHARE)
		run_outcome_fail(outcome, "multiplexed", TRUE, "the counters ran only %.0f %% of the time",
		        facts->running_share * 100);
}

void judge_region(
        const ConfigBenchmark *benchmark, const ControlFacts *region, FindingList *findings, RunOutcome *outcome)
{
	outcome->start_ns = region->first_ns;
	outcome->end_ns = region->end_ns;
	if (region->first_ns == 0)
		run_outcome_fail(outcome, "region_missing", FALSE,
		        "never switched measuring on: `measure: region` needs a benchmark that writes `enable` to "
		        "FIREBREAK_CTL_FIFO and waits for the answer");
	else if (region->left_on)
		run_outcome_fail(outcome, "region_missing", FALSE,
		        "ended with measuring still on: a benchmark writes `disable` to FIREBREAK_CTL_FIFO when its "
		        "region is over");
	if (region->unknown_commands > 0)
		finding_add(findings, FINDING_WARNING, "unknown_control_command", benchmark->name,
		        "wrote something else than `enable`, `disable` or `ping` to FIREBREAK_CTL_FIFO");
}

static void add_own_metrics(RunOutcome *outcome)
{
	for (guint i = 0; i < outcome->own->metrics->len; i++) {
		const OwnMetric *own = outcome->own->metrics->pdata[i];
		RunMetric metric = {
		        .engine = &engine_benchmark,
		        .name = own->name,
		        .unit = own->unit,
		        .comparable = METRIC_SAME_CAMPAIGN,
		        .higher_is_better = own->higher_is_better,
		        .value = own->value,
		};
		g_array_append_val(outcome->metrics, metric);
	}
}

/* Costs are compared per unit, so a run that may choose its units may choose its verdict: whether it may is said by
 * the configuration, which a change cannot edit for itself. */
static void judge_units(const ConfigBenchmark *benchmark, double reported, RunOutcome *outcome)
{
	outcome->facts.work = isnan(reported) ? 0 : reported;
	if (!benchmark->work_reported && !isnan(reported))
		run_outcome_fail(outcome, "work_reported", FALSE,
		        "reported %g units of work, but the configuration does not allow that: set `work: "
		        "reported`, or report none",
		        reported);
	else if (benchmark->work_reported && isnan(reported))
		run_outcome_fail(outcome, "work_missing", FALSE,
		        "did not report its units of work, which `work: reported` in the configuration promises");
}

static OwnMetrics *read_own(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome)
{
	g_autoptr(GError) wrong = NULL;
	OwnMetrics *own = own_metrics_read(path, &wrong);
	if (own == NULL)
		run_outcome_fail(outcome, "metrics_malformed", FALSE, "%s", wrong->message);
	else
		judge_units(benchmark, own->work, outcome);
	return own;
}

void judge_own_work(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome)
{
	G_GNUC_UNUSED g_autoptr(OwnMetrics) own = read_own(benchmark, path, outcome);
}

void judge_own_metrics(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome)
{
	char *const *declared = benchmark->metrics;
	outcome->own = read_own(benchmark, path, outcome);
	if (outcome->own == NULL)
		return;
	for (guint i = 0; declared != NULL && declared[i] != NULL; i++)
		if (own_metrics_find(outcome->own, declared[i]) == NULL)
			run_outcome_fail(outcome, "metric_missing", FALSE,
			        "did not report %s, which `metrics` in the configuration promises", declared[i]);
	add_own_metrics(outcome);
}

void judge_steal(CpuTimes before, CpuTimes after, RunOutcome *outcome)
{
	double steal = steal_share(before, after);
	outcome->facts.steal_share = steal;
	/* a few ticks are as fine as /proc/stat can tell; in a short run they would be a large share */
	outcome->stolen_share = after.steal >= before.steal + MIN_STEAL_TICKS ? steal : 0;
}

/* --- what drops out of the counters --- */

void judge_privileges(
        const ConfigBenchmark *benchmark, const ChildResult *result, const SidebandFacts *sideband, RunOutcome *outcome)
{
	if (g_strcmp0(outcome->failure_code, "benchmark_failed") != 0 || benchmark->privileges)
		return;
	g_autofree char *hint =
	        privileges_hint(result, sideband != NULL ? sideband->privileged_name : "", "the benchmark");
	if (hint == NULL)
		return;
	g_auto(GStrv) lines = g_strsplit(outcome->failure, "\n", 2);
	g_free(outcome->failure);
	outcome->failure = g_strdup_printf(
	        "%s; %s%s%s", lines[0], hint, lines[1] != NULL ? "\n" : "", lines[1] != NULL ? lines[1] : "");
}

/* CPU time that may be missing from task-clock though everything was counted. The kernel stops counting before it frees
 * the memory of a process that ends; one that was forked maps what its parent does. */
static double explained_ns(const RunCpuTime *cpu_time)
{
	double pages = cpu_time->faults + cpu_time->processes * cpu_time->peak_bytes / PAGE_BYTES;
	return UNCOUNTED_MIN_NS + UNCOUNTED_SHARE * cpu_time->used_ns + UNCOUNTED_PER_PROCESS_NS * cpu_time->processes +
	       UNCOUNTED_PER_SWITCH_NS * cpu_time->switches + UNCOUNTED_PER_PAGE_NS * pages;
}

/* Of a run whose processes were not recorded, nothing can be said. */
static gboolean is_missing_time(const RunCpuTime *cpu_time)
{
	return cpu_time->processes > 0 && cpu_time->used_ns - cpu_time->counted_ns > explained_ns(cpu_time);
}

/* Tells why CPU time is not counted; `name` = "": not known. Owned by the caller. */
static char *why_uncounted(const char *name)
{
	if (name[0] == '\0')
		return g_strdup("a program that it runs as another user or that cannot be read (setuid, setgid, "
		                "capabilities, not readable) drops out of the counters");
	return g_strdup_printf("%s dropped out of the counters, which happens to programs that run as another user or "
	                       "cannot be read (setuid, setgid, capabilities, not readable)",
	        name);
}

void judge_counted(
        const ConfigBenchmark *benchmark, const SidebandFacts *sideband, FindingList *findings, RunOutcome *outcome)
{
	const RunCpuTime *cpu_time = &outcome->cpu_time;
	gboolean dropped_out = sideband != NULL && sideband->dropped_out > 0, missing = is_missing_time(cpu_time);
	g_autofree char *why = why_uncounted(dropped_out ? sideband->dropped_name : "");
	if (missing || (dropped_out && !benchmark->privileges))
		run_outcome_fail(outcome, "uncounted_work", !dropped_out,
		        "%.3f s of CPU time were counted, and %.3f s used%s: %s", cpu_time->counted_ns / 1e9,
		        cpu_time->used_ns / 1e9, missing ? "" : " by the processes that were waited for", why);
	else if (dropped_out)
		finding_add(findings, FINDING_WARNING, "uncounted_programs", benchmark->name,
		        "what privileged programs do is not counted: %s", why);
}

/* --- how it was scheduled --- */

/* The first change that a witness knows of; what it says is owned by the caller, NULL = nothing changed. */
static char *schedule_change(const RunSchedule *schedule)
{
	const SchedChange at_end = sched_change_between(schedule->began, schedule->ended);
	const SchedChange *change = schedule->seen->kind != SCHED_UNCHANGED ? schedule->seen : &at_end;
	const SidebandFacts *sideband = schedule->sideband;
	g_autofree char *text = sched_change_text(change);
	if (text != NULL)
		return g_strdup_printf("%s %s", change->name[0] != '\0' ? change->name : "it", text);
	if (sideband != NULL && sideband->strays > 0)
		return g_strdup_printf("%s ran on CPU %u, which is not one that it is measured on",
		        sideband->stray_name[0] != '\0' ? sideband->stray_name : "it", sideband->stray_cpu);
	gboolean moved = schedule->n_cpus == 1 && schedule->migrations > 0;
	if (moved && !(sideband != NULL && sideband->kernel_workers))
		return g_strdup_printf("it was moved to another CPU %.0f times", schedule->migrations);
	return NULL;
}

void judge_schedule(const RunSchedule *schedule, RunOutcome *outcome)
{
	g_autofree char *change = schedule_change(schedule);
	if (change != NULL)
		run_outcome_fail(outcome, "scheduling_changed", FALSE,
		        "%s; a benchmark leaves CPU affinity, nice value and scheduling policy as they are (taskset, "
		        "nice, chrt)",
		        change);
}
