/* Runs under perf events: the perf engine. Each run is a process tree of its own on the measured CPUs, counted and
 * sampled from its exec to its end. */
#pragma once

#include "runner/executor.h"
#include "runner/machine.h"
#include "runner/perfevent.h"

/* `abilities`, `cpus` and `findings` are borrowed until the executor goes. */
Executor *perf_executor_new(const PerfAbilities *abilities, const CpuPlan *cpus, FindingList *findings);
