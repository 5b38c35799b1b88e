/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that a check works on: its clocks, its environment, what can be measured on it, and who performs runs.
 * Nothing else in gate/ asks for them (tests/structure/gatehost_test.sh).
 *
 * gate_host() is the machine itself. Tests hand in one with a clock of its own and executors that make up times, counts
 * and samples, so that every ending of a check is tried without perf events, valgrind, root or waiting. */
#pragma once

#include "model/measurement.h"
#include "runner/events/perfevent.h"
#include "runner/executor.h"
#include "runner/machine.h"
#include "runner/perf/sampledevents.h"
#include "runner/valgrind/valgrind.h"

typedef struct {
	gint64 (*now_ns)(void);                            /* CLOCK_MONOTONIC */
	gint64 (*time_s)(void);                            /* since 1970 */
	const char *(*variable)(const char *name);         /* of the environment; NULL = not set */
	guint (*processors)(void);                         /* that this process may use */
	gboolean (*pause)(gint64 ns, GError **error);      /* between rounds; NULL = sleeps, and fails if cancelled */
	char *(*compiler)(void);                           /* as compiler_version() */
	Environment *(*environment)(const char *compiler); /* as machine_environment() */
	/* as perf_probe(), valgrind_find(), perf_executor_new() and valgrind_executor_new() */
	gboolean (*probe_perf)(PerfAbilities *abilities, FindingList *findings, GError **error);
	Valgrind *(*find_valgrind)(GError **error);
	Executor *(*timed_executor)(const PerfAbilities *abilities, const CpuPlan *cpus, const SampledEvents *events,
	        FindingList *findings);
	Executor *(*counted_executor)(const Valgrind *valgrind, FindingList *findings);
} GateHost;

/* This machine; static. */
const GateHost *gate_host(void);
