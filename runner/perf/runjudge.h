/* SPDX-License-Identifier: Apache-2.0 */
/* Judges if a run counts, by what the process did wrong, what the recording lacks, and what the benchmark did not say.
 *
 * The first thing that is wrong becomes the failure of the outcome; what comes after it is most likely its consequence.
 * Everything here is data in, data out, apart from judge_own_metrics() and judge_own_work(), which read a file. */
#pragma once

#include "core/child.h"
#include "runner/executor.h"
#include "runner/machine.h"
#include "runner/perf/schedwatch.h"
#include "runner/record/control.h"

/* The exit, the timeout, and processes that worked on their own. */
void judge_process(
        const ConfigBenchmark *benchmark, const ChildResult *result, FindingList *findings, RunOutcome *outcome);
/* A command that failed, maybe because programs gain no privileges: adds which one, and the key that allows it.
 * `sideband`: NULL = nothing was recorded. */
void judge_privileges(const ConfigBenchmark *benchmark, const ChildResult *result, const SidebandFacts *sideband,
        RunOutcome *outcome);
/* Fails the outcome unless all that the run did was counted. There are two witnesses: a program that dropped out of the
 * counters leaves a trace in the side-band records, with its name; and wait4(2) knows of CPU time that task-clock does
 * not. With `privileges: allow`, dropping out is a finding, and only CPU time that is missing makes the run invalid.
 *
 * How far the two part in runs of which everything is counted: docs/STATISTICS.md, "A second witness of CPU time". */
void judge_counted(
        const ConfigBenchmark *benchmark, const SidebandFacts *sideband, FindingList *findings, RunOutcome *outcome);
/* The scheduling of a run, by several witnesses. */
typedef struct {
	const SchedChange *seen;       /* by looking at its processes now and then */
	ChildSchedule began, ended;    /* its main process */
	const SidebandFacts *sideband; /* NULL = nothing was recorded */
	double migrations;             /* how often the kernel moved its processes to another CPU; 0 if not counted */
	guint n_cpus;                  /* that it is pinned to */
} RunSchedule;
/* Fails the outcome unless the run stayed on its CPUs, with its nice value and policy. */
void judge_schedule(const RunSchedule *schedule, RunOutcome *outcome);
/* Samples lost (of any one event, so that one that comes often hides no other), throttling of the first event, whose
 * samples are the costs, multiplexed counters; takes over the counts. Throttling of another event is a finding. */
void judge_recording(
        const ConfigBenchmark *benchmark, const RecorderCounts *counts, FindingList *findings, RunOutcome *outcome);
/* With `measure: region`: the region has to begin and to end. Its first and last moment become those of the outcome. */
void judge_region(
        const ConfigBenchmark *benchmark, const ControlFacts *region, FindingList *findings, RunOutcome *outcome);
/* Reads what the benchmark reported from the file `path`, adds it to the metrics, and looks for what it promised. A run
 * reports its units of work if, and only if, the configuration says `work: reported`. */
void judge_own_metrics(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome);
/* Takes only the units of work from that file; its metrics are passed over, but have to be well-formed. */
void judge_own_work(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome);
/* Notes what the hypervisor took between two readings of the CPUs' times. That never fails a run:
 * runner/campaign/stealwatch.h decides what becomes of the round. */
void judge_steal(CpuTimes before, CpuTimes after, RunOutcome *outcome);
