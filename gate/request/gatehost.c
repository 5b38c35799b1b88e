#include "gate/request/gatehost.h"

#include "runner/perf/perfexecutor.h"
#include "runner/trees/side.h"
#include "runner/valgrind/valgrindrun.h"

static gint64 now_ns(void)
{
	return g_get_monotonic_time() * 1000;
}

const GateHost *gate_host(void)
{
	static const GateHost host = {
	        .now_ns = now_ns,
	        .compiler = compiler_version,
	        .environment = machine_environment,
	        .probe_perf = perf_probe,
	        .find_valgrind = valgrind_find,
	        .timed_executor = perf_executor_new,
	        .counted_executor = valgrind_executor_new,
	};
	return &host;
}
