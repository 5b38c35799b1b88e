/* Whether a run counts: what the process did wrong, what the recording lacks, what the benchmark did not say.
 *
 * The first thing that is wrong becomes the failure of the outcome; what comes after it is most likely its consequence.
 * Everything here is data in, data out, apart from judge_own_metrics() and judge_own_work(), which read a file. */
#pragma once

#include "core/child.h"
#include "runner/control.h"
#include "runner/executor.h"
#include "runner/machine.h"

/* The exit, the timeout, and processes that worked on their own. */
void judge_process(
        const ConfigBenchmark *benchmark, const ChildResult *result, FindingList *findings, RunOutcome *outcome);
/* Samples lost (of any one event, so that one that comes often hides no other), throttling, multiplexed counters; takes
 * over the counts. */
void judge_recording(const RecorderCounts *counts, RunOutcome *outcome);
/* With `measure: region`: the region has to begin and to end. Its first and last moment become those of the outcome. */
void judge_region(
        const ConfigBenchmark *benchmark, const ControlFacts *region, FindingList *findings, RunOutcome *outcome);
/* Reads what the benchmark reported from the file `path`, adds it to the metrics, and looks for what it promised. */
void judge_own_metrics(const ConfigBenchmark *benchmark, const char *path, RunOutcome *outcome);
/* Takes only the units of work from that file; its metrics are passed over, but have to be well-formed. */
void judge_own_work(const char *path, RunOutcome *outcome);
/* What the hypervisor took between two readings of the CPUs' times. That never fails a run: runner/stealwatch.h decides
 * what becomes of the round. */
void judge_steal(CpuTimes before, CpuTimes after, RunOutcome *outcome);
