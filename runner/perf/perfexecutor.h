/* SPDX-License-Identifier: Apache-2.0 */
/* Runs under perf events: the perf engine. Each run is a process tree of its own on the measured CPUs, counted and
 * sampled from its exec to its end, or while it says so itself (runner/record/control.h).
 *
 * A run has a folder of its own below the HOME of its side. FIREBREAK_METRICS names a file in it where the benchmark
 * may report metrics (runner/ownmetrics.h); with `measure: region`, FIREBREAK_CTL_FIFO and FIREBREAK_ACK_FIFO name
 * the pipes of its control. Both sides get names of the same length. */
#pragma once

#include "runner/executor.h"
#include "runner/machine.h"
#include "runner/perf/sampledevents.h"

/* Everything is borrowed until the executor goes. */
Executor *perf_executor_new(
        const PerfAbilities *abilities, const CpuPlan *cpus, const SampledEvents *events, FindingList *findings);
