#include "runner/config/configbenchmark.h"

#include "core/nearestword.h"
#include "runner/config/configgate.h"

#include <string.h>

#define DEFAULT_TIMEOUT_MS (60 * 1000)
#define DEFAULT_SAMPLING_HZ 1999
#define MAX_OWN_METRICS 64
#define MAX_PROFILES 8
#define MIN_STACK_BYTES 256
#define MAX_STACK_BYTES 65528 /* the most that the kernel takes with a sample */
#define MAX_LAYOUTS 16
#define DEFAULT_CALL_DEPTH 100
#define MAX_CALL_DEPTH 200 /* callgrind itself knows no limit, but its time and memory do */

static const char *const schedule_names[] = {"auto", "coscheduled", "sequential", NULL};
static const char *const measure_names[] = {"whole", "region", NULL};
static const char *const unwind_names[] = {
        [RECORDER_FRAME_POINTERS] = "frame-pointers",
        [RECORDER_LEAF_REPAIR] = "leaf-repair",
        [RECORDER_DWARF] = "dwarf",
        NULL,
};
static const char *const privileges_names[] = {"none", "allow", NULL};
static const char *const engine_names[] = {CONFIG_ENGINE_PERF, CONFIG_ENGINE_CALLGRIND, NULL};

const char *schedule_name(Schedule schedule)
{
	return schedule_names[schedule];
}

const char *measure_name(MeasureScope measure)
{
	return measure_names[measure];
}

gboolean config_uses_engine(const ConfigBenchmark *benchmark, const char *engine)
{
	return g_strv_contains((const char *const *)benchmark->engines, engine);
}

static GPtrArray *gates_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)config_gate_free);
}

ConfigBenchmark *config_benchmark_new(void)
{
	ConfigBenchmark *benchmark = g_new0(ConfigBenchmark, 1);
	benchmark->gates = gates_new();
	benchmark->work = 1;
	benchmark->cwd = g_strdup(".");
	benchmark->engines = g_strdupv((char *[]){(char *)CONFIG_ENGINE_PERF, NULL});
	benchmark->timeout_ms = DEFAULT_TIMEOUT_MS;
	benchmark->sampling_hz = DEFAULT_SAMPLING_HZ;
	benchmark->cpus = 1;
	benchmark->unwind = RECORDER_LEAF_REPAIR;
	benchmark->gate_functions = TRUE;
	benchmark->layouts = 1;
	benchmark->call_depth = DEFAULT_CALL_DEPTH;
	benchmark->yardstick = TRUE;
	return benchmark;
}

ConfigBenchmark *config_benchmark_copy(const ConfigBenchmark *benchmark)
{
	ConfigBenchmark *copy = g_memdup2(benchmark, sizeof *benchmark);
	copy->name = g_strdup(benchmark->name);
	copy->command = g_strdupv(benchmark->command);
	copy->cwd = g_strdup(benchmark->cwd);
	copy->engines = g_strdupv(benchmark->engines);
	copy->metrics = g_strdupv(benchmark->metrics);
	copy->profiles = g_strdupv(benchmark->profiles);
	copy->gates = gates_new();
	for (guint i = 0; benchmark->gates != NULL && i < benchmark->gates->len; i++)
		g_ptr_array_add(copy->gates, config_gate_copy(benchmark->gates->pdata[i]));
	return copy;
}

void config_benchmark_free(ConfigBenchmark *benchmark)
{
	if (benchmark == NULL)
		return;
	g_free(benchmark->name);
	g_strfreev(benchmark->command);
	g_free(benchmark->cwd);
	g_strfreev(benchmark->engines);
	g_strfreev(benchmark->metrics);
	g_strfreev(benchmark->profiles);
	g_clear_pointer(&benchmark->gates, g_ptr_array_unref);
	g_free(benchmark);
}

gboolean config_read_command(const YamlNode *node, char ***command, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (node->kind == YAML_SEQUENCE)
		return yaml_read_string_list(node, command, error);
	char *text = NULL;
	if (!yaml_read_string(node, &text, error))
		return FALSE;
	g_strfreev(*command);
	*command = g_new0(char *, 4);
	(*command)[0] = g_strdup("/bin/sh");
	(*command)[1] = g_strdup("-c");
	(*command)[2] = text;
	return TRUE;
}

static gboolean read_rounds(const YamlNode *node, guint *rounds, GError **error)
{
	gint64 number = *rounds;
	if (node != NULL && node->kind == YAML_SCALAR && g_str_equal(node->text, "auto")) {
		*rounds = 0;
		return TRUE;
	}
	if (!yaml_read_int(node, 1, 62, &number, error)) {
		g_prefix_error(error, "rounds is `auto` or a number: ");
		return FALSE;
	}
	*rounds = (guint)number;
	return TRUE;
}

/* Fails at the first text that is there twice, or if there are more than `most`. */
static gboolean check_list(const YamlNode *node, char *const *texts, guint most, GError **error)
{
	for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
		if (i >= most)
			return yaml_error(yaml_item(node, i), error, "at most %u are possible", most);
		for (guint j = 0; j < i; j++)
			if (g_str_equal(texts[i], texts[j]))
				return yaml_error(yaml_item(node, i), error, "\"%s\" is in the list already", texts[i]);
	}
	return TRUE;
}

/* The names of events that `profiles` takes, NULL-terminated; borrowed names. */
static GPtrArray *profile_names(void)
{
	GPtrArray *names = g_ptr_array_new();
	for (const char *const *name = perf_event_names(); *name != NULL; name++)
		g_ptr_array_add(names, (gpointer)*name);
	g_ptr_array_add(names, (gpointer)CONFIG_OFF_CPU);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean check_profile(const YamlNode *node, const char *profile, GError **error)
{
	g_autoptr(GPtrArray) names = profile_names();
	const char *const *known = (const char *const *)(void *)names->pdata;
	if (g_strv_contains(known, profile))
		return TRUE;
	const char *near = nearest_word(profile, known);
	if (near != NULL)
		return yaml_error(node, error, "\"%s\" is no event; did you mean \"%s\"?", profile, near);
	return yaml_error(node, error,
	        "\"%s\" is no event: \"" CONFIG_OFF_CPU
	        "\", \"page-faults\", \"cache-misses\" and other names of `perf list` are",
	        profile);
}

static gboolean read_profiles(const YamlNode *node, char ***profiles, GError **error)
{
	if (node != NULL && node->kind == YAML_SCALAR)
		return yaml_error(node, error, "expected a list, found a value: write [%s]", node->text);
	if (!yaml_read_string_list(node, profiles, error) || !check_list(node, *profiles, MAX_PROFILES, error))
		return FALSE;
	g_assert(node == NULL || *profiles != NULL);
	for (guint i = 0; node != NULL && (*profiles)[i] != NULL; i++)
		if (!check_profile(yaml_item(node, i), (*profiles)[i], error))
			return FALSE;
	return TRUE;
}

/* How call chains are made, and what of a run is measured. */
static gboolean read_recording(const YamlNode *map, ConfigBenchmark *benchmark, GError **error)
{
	guint measure = benchmark->measure, unwind = benchmark->unwind;
	gint64 stack_bytes = benchmark->stack_bytes;
	if (!yaml_read_choice(yaml_mapping_get(map, "measure"), measure_names, &measure, error) ||
	        !yaml_read_choice(yaml_mapping_get(map, "unwind"), unwind_names, &unwind, error) ||
	        !yaml_read_int(
	                yaml_mapping_get(map, "stack_bytes"), MIN_STACK_BYTES, MAX_STACK_BYTES, &stack_bytes, error) ||
	        !read_profiles(yaml_mapping_get(map, "profiles"), &benchmark->profiles, error))
		return FALSE;
	benchmark->measure = (MeasureScope)measure;
	benchmark->unwind = (RecorderStacks)unwind;
	benchmark->stack_bytes = (guint)stack_bytes;
	return TRUE;
}

gboolean config_read_privileges(const YamlNode *node, gboolean *allowed, GError **error)
{
	guint choice = *allowed ? 1 : 0;
	if (!yaml_read_choice(node, privileges_names, &choice, error))
		return FALSE;
	*allowed = choice == 1;
	return TRUE;
}

/* Keys that `defaults` and a benchmark share. */
static gboolean read_settings(const YamlNode *map, ConfigBenchmark *benchmark, GError **error)
{
	gint64 sampling = benchmark->sampling_hz, cpus = benchmark->cpus, layouts = benchmark->layouts;
	guint schedule = benchmark->schedule;
	if (!yaml_read_duration(yaml_mapping_get(map, "timeout"), &benchmark->timeout_ms, error) ||
	        !yaml_read_int(yaml_mapping_get(map, "sampling"), 10, 20000, &sampling, error) ||
	        !yaml_read_int(yaml_mapping_get(map, "cpus"), 1, 1024, &cpus, error) ||
	        !yaml_read_choice(yaml_mapping_get(map, "schedule"), schedule_names, &schedule, error) ||
	        !read_rounds(yaml_mapping_get(map, "rounds"), &benchmark->rounds, error) ||
	        !yaml_read_int(yaml_mapping_get(map, "layouts"), 1, MAX_LAYOUTS, &layouts, error) ||
	        !yaml_read_bool(yaml_mapping_get(map, "waits"), &benchmark->waits, error) ||
	        !yaml_read_bool(yaml_mapping_get(map, "yardstick"), &benchmark->yardstick, error) ||
	        !config_read_privileges(yaml_mapping_get(map, "privileges"), &benchmark->privileges, error) ||
	        !read_recording(map, benchmark, error))
		return FALSE;
	benchmark->layouts = (guint)layouts;
	benchmark->sampling_hz = (guint)sampling;
	benchmark->cpus = (guint)cpus;
	benchmark->schedule = (Schedule)schedule;
	return config_gates_read(yaml_mapping_get(map, "gate"), benchmark, error);
}

static gboolean check_name(const YamlNode *node, const char *name, GError **error)
{
	gsize length = strlen(name);
	if (length > 0 && length <= 64 && strchr(".-", name[0]) == NULL &&
	        strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == length)
		return TRUE;
	return yaml_error(
	        node, error, "a name has 1 to 64 letters, digits, `.`, `_` or `-` and does not start with `.` or `-`");
}

static gboolean check_cwd(const YamlNode *node, const char *cwd, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(cwd, "/", -1);
	if (!g_path_is_absolute(cwd) && !g_strv_contains((const char *const *)parts, ".."))
		return TRUE;
	return yaml_error(node, error, "cwd is a folder inside the repository");
}

static gboolean read_engines(const YamlNode *node, char ***engines, GError **error)
{
	guint engine;
	if (!yaml_read_string_list(node, engines, error))
		return FALSE;
	for (guint i = 0; node != NULL && i < yaml_length(node); i++)
		if (!yaml_read_choice(yaml_item(node, i), engine_names, &engine, error))
			return FALSE;
	return check_list(node, *engines, G_N_ELEMENTS(engine_names) - 1, error);
}

static gboolean check_metrics(const YamlNode *node, char *const *metrics, GError **error)
{
	for (guint i = 0; metrics != NULL && metrics[i] != NULL; i++)
		if (!config_own_metric_name(metrics[i]))
			return yaml_error(yaml_item(node, i), error,
			        "the name of a benchmark's own metric has 1 to %d of a-z, 0-9 and `-`, and is not one "
			        "that firebreak uses itself",
			        CONFIG_METRIC_NAME_MAX);
	return check_list(node, metrics, MAX_OWN_METRICS, error);
}

static gboolean read_units(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	if (node != NULL && node->kind == YAML_SCALAR && g_str_equal(node->text, "reported")) {
		benchmark->work_reported = TRUE;
		return TRUE;
	}
	if (yaml_read_number(node, 1e-9, 1e18, &benchmark->work, error))
		return TRUE;
	g_prefix_error(error, "work is a number, or `reported`: ");
	return FALSE;
}

/* Name, command, and what of the work does not depend on how it is measured. */
static gboolean read_work(const YamlNode *map, ConfigBenchmark *benchmark, GError **error)
{
	const YamlNode *name = yaml_require(map, "name", error);
	if (name == NULL || !yaml_read_string(name, &benchmark->name, error) ||
	        !check_name(name, benchmark->name, error))
		return FALSE;
	const YamlNode *command = yaml_require(map, "command", error), *cwd = yaml_mapping_get(map, "cwd");
	return command != NULL && config_read_command(command, &benchmark->command, error) &&
	       yaml_read_string(cwd, &benchmark->cwd, error) && check_cwd(cwd, benchmark->cwd, error) &&
	       read_units(yaml_mapping_get(map, "work"), benchmark, error);
}

static gboolean read_metrics(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	if (!yaml_read_string_list(node, &benchmark->metrics, error) || !check_metrics(node, benchmark->metrics, error))
		return FALSE;
	if (node != NULL && !config_uses_engine(benchmark, CONFIG_ENGINE_PERF))
		return yaml_error(node, error,
		        "metrics that the benchmark reports are collected by the engine perf alone: add `perf` to "
		        "`engines`");
	return TRUE;
}

/* Keys of the engine callgrind, and those that `defaults` and a benchmark share, before those of a benchmark alone. */
#define EXACT_SETTINGS "cache", "heap", "call_depth"
#define SETTINGS                                                                                                       \
	"timeout", "sampling", "cpus", "schedule", "rounds", "layouts", "waits", "yardstick", "measure", "unwind",     \
	        "stack_bytes", "profiles", "privileges", "gate", EXACT_SETTINGS

static gboolean read_exact_settings(const YamlNode *map, ConfigBenchmark *benchmark, GError **error)
{
	gint64 call_depth = benchmark->call_depth;
	if (!yaml_read_bool(yaml_mapping_get(map, "cache"), &benchmark->cache, error) ||
	        !yaml_read_bool(yaml_mapping_get(map, "heap"), &benchmark->heap, error) ||
	        !yaml_read_int(yaml_mapping_get(map, "call_depth"), 1, MAX_CALL_DEPTH, &call_depth, error))
		return FALSE;
	benchmark->call_depth = (guint)call_depth;
	return TRUE;
}

gboolean config_benchmark_check_defaults(const YamlNode *defaults, GError **error)
{
	static const char *const known[] = {SETTINGS, NULL};
	return defaults == NULL || yaml_check_keys(defaults, known, error);
}

gboolean config_benchmark_refuse_exact(const YamlNode *map, GError **error)
{
	static const char *const keys[] = {EXACT_SETTINGS, NULL};
	for (gsize i = 0; keys[i] != NULL; i++) {
		const YamlNode *value = yaml_mapping_get(map, keys[i]);
		if (value != NULL)
			return yaml_error(value, error,
			        "`%s` is of the engine callgrind: add it to `engines`, as in `engines: [perf, "
			        "callgrind]`",
			        keys[i]);
	}
	return TRUE;
}

gboolean config_benchmark_read(
        const YamlNode *map, const YamlNode *defaults, ConfigBenchmark *benchmark, GError **error)
{
	static const char *const known[] = {"name", "command", "cwd", "work", "engines", "metrics", SETTINGS, NULL};
	if (!yaml_check_keys(map, known, error))
		return FALSE;
	benchmark->line = map->line;
	if (!read_work(map, benchmark, error) ||
	        !read_engines(yaml_mapping_get(map, "engines"), &benchmark->engines, error) ||
	        !read_metrics(yaml_mapping_get(map, "metrics"), benchmark, error))
		return FALSE;
	gboolean exact = config_uses_engine(benchmark, CONFIG_ENGINE_CALLGRIND);
	if (exact ? !read_exact_settings(defaults, benchmark, error) || !read_exact_settings(map, benchmark, error)
	          : !config_benchmark_refuse_exact(map, error))
		return FALSE;
	return (defaults == NULL || read_settings(defaults, benchmark, error)) &&
	       read_settings(map, benchmark, error) &&
	       config_gates_check(yaml_mapping_get(map, "gate"), yaml_mapping_get(defaults, "gate"), benchmark, error);
}
