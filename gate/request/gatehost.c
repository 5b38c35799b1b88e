/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/gatehost.h"

#include "runner/perf/perfexecutor.h"
#include "runner/trees/side.h"
#include "runner/valgrind/valgrindrun.h"

static gint64 now_ns(void)
{
	return g_get_monotonic_time() * 1000;
}

static gint64 time_s(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

const GateHost *gate_host(void)
{
	static const GateHost host = {
	        .now_ns = now_ns,
	        .time_s = time_s,
	        .variable = g_getenv,
	        .processors = g_get_num_processors,
	        .compiler = compiler_version,
	        .environment = machine_environment,
	        .probe_perf = perf_probe,
	        .find_valgrind = valgrind_find,
	        .timed_executor = perf_executor_new,
	        .counted_executor = valgrind_executor_new,
	};
	return &host;
}
