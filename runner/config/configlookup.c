/* SPDX-License-Identifier: Apache-2.0 */
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

/* TRUE for what examples write where a name of one's own belongs: "path/to/x", "./your-benchmark", "TODO", "<program>".
 */
static gboolean is_placeholder(const char *word)
{
	static const char *const marks[] = {"TODO", "FIXME", "CHANGEME", "XXX", NULL};
	g_autofree char *name = g_path_get_basename(word), *lower = g_ascii_strdown(name, -1);
	gsize length = strlen(word);
	return g_strv_contains(marks, word) || g_strv_contains(marks, name) || strstr(word, "path/to/") != NULL ||
	       g_str_has_prefix(lower, "your-") || g_str_has_prefix(lower, "your_") ||
	       (length > 2 && word[0] == '<' && word[length - 1] == '>');
}

/* The first word of a command that is none of the project's own; NULL = none. Owned by the caller. */
static char *placeholder_of(char *const *command)
{
	gboolean text = command != NULL && g_strcmp0(command[0], "/bin/sh") == 0 && g_strcmp0(command[1], "-c") == 0;
	/* a text for a shell also has comments and redirections */
	g_auto(GStrv) words = text && command[2] != NULL ? g_strsplit_set(command[2], " \t\n;|&()#", -1)
	                                                 : g_strdupv((char **)command);
	for (char **word = words; word != NULL && *word != NULL; word++)
		if (is_placeholder(*word))
			return g_strdup(*word);
	return NULL;
}

char *config_placeholder(const ConfigBenchmark *benchmark)
{
	return placeholder_of(benchmark->command);
}

gboolean config_is_filled_in(const Config *config, GError **error)
{
	g_autofree char *in_build = placeholder_of(config->build_command);
	if (in_build != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "the build command still has the placeholder \"%s\": write in " CONFIG_FILE
		        " how this project is built",
		        in_build);
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		g_autofree char *word = config_placeholder(benchmark);
		if (g_strcmp0(word, CONFIG_EXAMPLE_PROGRAM) == 0)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "the benchmark %s is still the example of `firebreak init`: name your program "
			        "in " CONFIG_FILE,
			        benchmark->name);
		if (word != NULL)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "the command of the benchmark %s still has the placeholder \"%s\": name your program "
			        "in " CONFIG_FILE,
			        benchmark->name, word);
	}
	return TRUE;
}

gboolean config_command_is_text(const ConfigBenchmark *benchmark)
{
	char *const *command = benchmark->command;
	return g_str_equal(command[0], "/bin/sh") && g_strcmp0(command[1], "-c") == 0 && command[2] != NULL;
}

/* The first word of a text for a shell that is a command: neither `exec` nor an assignment. Owned by the caller. */
static char *first_command(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n;|&<>()", -1);
	for (char **word = words; *word != NULL; word++) {
		gboolean assigns = strchr(*word, '=') != NULL;
		if (**word != '\0' && !assigns && !g_str_equal(*word, "exec"))
			return g_strdup(*word);
	}
	return g_strdup("");
}

char *config_program(const ConfigBenchmark *benchmark)
{
	return config_command_is_text(benchmark) ? first_command(benchmark->command[2])
	                                         : g_strdup(benchmark->command[0]);
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

const char *const *config_framework_metrics(const ConfigBenchmark *benchmark)
{
	static const char *const google[] = {"time-per-iteration", NULL};
	static const char *const go[] = {"allocated-per-iteration", "allocations-per-iteration", NULL};
	static const char *const none[] = {NULL};
	if (benchmark->framework == FRAMEWORK_GOOGLE_BENCHMARK)
		return google;
	return benchmark->framework == FRAMEWORK_GO ? go : none;
}

const char *config_framework_objection(const ConfigBenchmark *benchmark, const char *metric)
{
	static const char *const by_clock[] = {"time-per-iteration", "items-per-second", "bytes-per-second", NULL};
	static const char *const all[] = {"allocated-per-iteration", "allocations-per-iteration", NULL};
	gboolean is_time = g_strv_contains(by_clock, metric);
	if ((!is_time && !g_strv_contains(all, metric)) || config_declares_metric(benchmark, metric) ||
	        g_strv_contains(config_framework_metrics(benchmark), metric))
		return NULL;
	if (benchmark->framework <= FRAMEWORK_NONE)
		return "is a number of a framework, and `framework` names none";
	if (!is_time)
		return "is said by `framework: go` alone";
	if (benchmark->framework == FRAMEWORK_GOOGLE_BENCHMARK)
		return "is another form of `time-per-iteration`, which can gate";
	return "is a time by the wall clock, which shows a slowdown smaller than it is: the slower side runs alone at "
	       "the "
	       "end of a round; let `task-clock` gate, the CPU time of an iteration";
}

gboolean config_measures(const ConfigBenchmark *benchmark, const Engine *engine, const char *metric)
{
	if (!config_uses_engine(benchmark, engine))
		return FALSE;
	if (engine == &engine_perf)
		return g_strv_contains(perf_metrics, metric) || config_declares_metric(benchmark, metric) ||
		       g_strv_contains(config_framework_metrics(benchmark), metric);
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
