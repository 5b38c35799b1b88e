#include "runner/runjudge.h"

#include <math.h>

#define ESCAPED_SHARE 0.01
#define ESCAPED_LEAST_NS 10000000
#define MAX_LOST_SHARE 0.01
#define LEAST_RUNNING_SHARE 0.95
#define LEAST_STEAL_TICKS 5
#define QUOTED_STDERR_BYTES 4096

void judge_process(
        const ConfigBenchmark *benchmark, const ChildResult *result, FindingList *findings, RunOutcome *outcome)
{
	g_autofree char *failure = child_describe_failure(result);
	gint64 own_cpu_ns = result->user_ns + result->system_ns;
	if (failure != NULL) {
		gsize shown = MIN(result->err->len, QUOTED_STDERR_BYTES);
		run_outcome_fail(outcome, result->timed_out ? "timeout" : "benchmark_failed",
		        !result->timed_out && result->exec_errno == 0, "%s %s%s%s", benchmark->command[0], failure,
		        shown > 0 ? "\n" : "", result->err->str + result->err->len - shown);
	}
	if (result->orphan_cpu_ns > ESCAPED_SHARE * (double)own_cpu_ns && result->orphan_cpu_ns > ESCAPED_LEAST_NS)
		run_outcome_fail(outcome, "escaped_work", FALSE,
		        "left processes behind (%u) that used %.3f s of CPU time beside its own %.3f s; a "
		        "benchmark waits for all its work",
		        result->orphans, (double)result->orphan_cpu_ns / 1e9, (double)own_cpu_ns / 1e9);
	if (result->orphans_killed > 0)
		finding_add(findings, FINDING_WARNING, "processes_left_behind", benchmark->name,
		        "left processes behind, which were killed");
}

void judge_recording(const RecorderCounts *counts, RunOutcome *outcome)
{
	RunFacts *facts = &outcome->facts;
	facts->samples = counts->samples;
	facts->lost_samples = counts->lost;
	facts->incomplete_samples = counts->incomplete;
	facts->throttled = counts->throttled;
	if (MAX(counts->worst_lost_share, run_lost_share(facts)) > MAX_LOST_SHARE)
		run_outcome_fail(outcome, "data_lost", TRUE,
		        "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		        " samples were lost, %.1f %% of those of one event",
		        facts->lost_samples, facts->samples + facts->lost_samples,
		        100 * MAX(counts->worst_lost_share, run_lost_share(facts)));
	if (facts->throttled > 0)
		run_outcome_fail(outcome, "throttled", TRUE,
		        "the kernel throttled sampling %" G_GUINT64_FORMAT " times", facts->throttled);
	if (facts->running_share < LEAST_RUNNING_SHARE)
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
		        .engine = "benchmark",
		        .name = own->name,
		        .unit = own->unit,
		        .comparable = METRIC_SAME_CAMPAIGN,
		        .higher_is_better = own->higher_is_better,
		        .value = own->value,
		};
		g_array_append_val(outcome->metrics, metric);
	}
}

static OwnMetrics *read_own(const char *path, RunOutcome *outcome)
{
	g_autoptr(GError) wrong = NULL;
	OwnMetrics *own = own_metrics_read(path, &wrong);
	if (own == NULL)
		run_outcome_fail(outcome, "metrics_malformed", FALSE, "%s", wrong->message);
	else
		outcome->facts.work = isnan(own->work) ? 0 : own->work;
	return own;
}

void judge_own_work(const char *path, RunOutcome *outcome)
{
	G_GNUC_UNUSED g_autoptr(OwnMetrics) own = read_own(path, outcome);
}

void judge_own_metrics(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome)
{
	char *const *declared = benchmark->metrics;
	outcome->own = read_own(path, outcome);
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
	outcome->stolen_share = after.steal >= before.steal + LEAST_STEAL_TICKS ? steal : 0;
}
