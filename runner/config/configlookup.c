#include "runner/config/configlookup.h"

#include "core/error.h"
#include "model/engine.h"

#include <string.h>

const char *const config_schedules[] = {"auto", "coscheduled", "sequential", NULL};
const char *const config_measure_scopes[] = {"whole", "region", NULL};
const char *const config_unwinders[] = {
        [RECORDER_FRAME_POINTERS] = "frame-pointers",
        [RECORDER_LEAF_REPAIR] = "leaf-repair",
        [RECORDER_DWARF] = "dwarf",
        NULL,
};

const char *const config_frameworks[] = {
        [FRAMEWORK_AUTO] = "auto",
        [FRAMEWORK_NONE] = "none",
        [FRAMEWORK_GOOGLE_BENCHMARK] = "google-benchmark",
        [FRAMEWORK_GO] = "go",
        [FRAMEWORK_CATCH2] = "catch2",
        [FRAMEWORK_CRITERION] = "criterion",
        [FRAMEWORK_LIBTEST] = "libtest",
        [FRAMEWORK_NANOBENCH] = "nanobench",
        NULL,
};

const char *framework_name(FrameworkId framework)
{
	return config_frameworks[framework];
}

const char *schedule_name(Schedule schedule)
{
	return config_schedules[schedule];
}

const char *measure_name(MeasureScope measure)
{
	return config_measure_scopes[measure];
}

const ConfigBenchmark *config_benchmark(const Config *config, const char *name)
{
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		if (benchmark->name != NULL && g_str_equal(benchmark->name, name))
			return benchmark;
	}
	return NULL;
}

gboolean config_is_filled_in(const Config *config, GError **error)
{
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		if (g_strcmp0(benchmark->command[0], CONFIG_EXAMPLE_PROGRAM) == 0)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "the benchmark %s is still the example of `firebreak init`: name your program "
			        "in " CONFIG_FILE,
			        benchmark->name);
	}
	return TRUE;
}

gboolean config_uses_engine(const ConfigBenchmark *benchmark, const Engine *engine)
{
	return g_strv_contains((const char *const *)benchmark->engines, engine->name);
}

const char *const config_metric_names[] = {"task-clock", "cycles", "instructions", "page-faults", "peak-rss", "wall",
        "wait", "branch-misses", "cache-misses", "context-switches", "cpu-migrations", "estimated-cycles", "l1-misses",
        "ll-misses", "allocations", "allocated-bytes", "peak-heap", "system-calls", NULL};

static const char *const perf_metrics[] = {"task-clock", "cycles", "instructions", "page-faults", "peak-rss", "wall",
        "wait", "branch-misses", "cache-misses", "context-switches", "cpu-migrations", NULL};
static const char *const callgrind_metrics[] = {"instructions", "allocations", "system-calls", NULL};
static const char *const cache_metrics[] = {"estimated-cycles", "l1-misses", "ll-misses", "branch-misses", NULL};
static const char *const heap_metrics[] = {"allocated-bytes", "peak-heap", NULL};

const char *const config_taken_names[] = {"functions", "work", NULL};

gboolean config_own_metric_name(const char *name)
{
	gsize length = strlen(name);
	return length > 0 && length <= CONFIG_METRIC_NAME_MAX &&
	       strspn(name, G_CSET_a_2_z G_CSET_DIGITS "-") == length && !g_strv_contains(config_metric_names, name) &&
	       !g_strv_contains(config_taken_names, name);
}

gboolean config_declares_metric(const ConfigBenchmark *benchmark, const char *metric)
{
	return benchmark->metrics != NULL && g_strv_contains((const char *const *)benchmark->metrics, metric);
}

gboolean config_measures(const ConfigBenchmark *benchmark, const Engine *engine, const char *metric)
{
	if (!config_uses_engine(benchmark, engine))
		return FALSE;
	if (engine == &engine_perf)
		return g_strv_contains(perf_metrics, metric) || config_declares_metric(benchmark, metric);
	return g_strv_contains(callgrind_metrics, metric) ||
	       (benchmark->cache && g_strv_contains(cache_metrics, metric)) ||
	       (benchmark->heap && g_strv_contains(heap_metrics, metric));
}

const ConfigGate *config_gate(const ConfigBenchmark *benchmark, const char *metric)
{
	/* the last one wins: a benchmark's own gate comes after that of `defaults` */
	for (guint i = benchmark->gates->len; i > 0; i--) {
		const ConfigGate *gate = benchmark->gates->pdata[i - 1];
		if (g_str_equal(gate->metric, metric))
			return gate;
	}
	return NULL;
}

const char *config_metric_needs(const ConfigBenchmark *benchmark, const char *metric)
{
	gboolean counts = config_uses_engine(benchmark, &engine_callgrind);
	if (g_strv_contains(cache_metrics, metric))
		return counts ? "needs `cache: true`" : "needs `callgrind` in `engines`, and `cache: true`";
	if (g_strv_contains(heap_metrics, metric))
		return counts ? "needs `heap: true`" : "needs `callgrind` in `engines`, and `heap: true`";
	return counts ? "needs `perf` in `engines`" : "needs `callgrind` in `engines`";
}
