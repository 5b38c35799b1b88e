#include "runner/configbenchmark.h"

#include "core/nearestword.h"

#include <math.h>
#include <string.h>

#define DEFAULT_TIMEOUT_MS (60 * 1000)
#define DEFAULT_SAMPLING_HZ 1999
#define MAX_OWN_METRICS 64
#define MAX_METRIC_NAME 64
#define MAX_PROFILES 8
#define MIN_STACK_BYTES 256
#define MAX_STACK_BYTES 65528 /* the most that the kernel takes with a sample */
#define MAX_LAYOUTS 16

static const char *const schedule_names[] = {"auto", "coscheduled", "sequential", NULL};
static const char *const measure_names[] = {"whole", "region", NULL};
static const char *const unwind_names[] = {
        [RECORDER_FRAME_POINTERS] = "frame-pointers",
        [RECORDER_LEAF_REPAIR] = "leaf-repair",
        [RECORDER_DWARF] = "dwarf",
        NULL,
};

const char *const config_metric_names[] = {"task-clock", "cycles", "instructions", "page-faults", "peak-rss", "wall",
        "branch-misses", "cache-misses", "context-switches", "cpu-migrations", NULL};

const char *schedule_name(Schedule schedule)
{
	return schedule_names[schedule];
}

const char *measure_name(MeasureScope measure)
{
	return measure_names[measure];
}

static void gate_free(gpointer data)
{
	ConfigGate *gate = data;
	g_free(gate->metric);
	g_free(gate);
}

static gpointer gate_copy(gconstpointer source, gpointer unused)
{
	(void)unused;
	ConfigGate *gate = g_memdup2(source, sizeof *gate);
	gate->metric = g_strdup(gate->metric);
	return gate;
}

ConfigBenchmark *config_benchmark_new(void)
{
	ConfigBenchmark *benchmark = g_new0(ConfigBenchmark, 1);
	benchmark->gates = g_ptr_array_new_with_free_func(gate_free);
	benchmark->work = 1;
	benchmark->cwd = g_strdup(".");
	benchmark->engines = g_strdupv((char *[]){(char *)"perf", NULL});
	benchmark->timeout_ms = DEFAULT_TIMEOUT_MS;
	benchmark->sampling_hz = DEFAULT_SAMPLING_HZ;
	benchmark->cpus = 1;
	benchmark->unwind = RECORDER_LEAF_REPAIR;
	benchmark->gate_functions = TRUE;
	benchmark->layouts = 1;
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
	copy->gates = benchmark->gates != NULL ? g_ptr_array_copy(benchmark->gates, gate_copy, NULL) : NULL;
	if (copy->gates != NULL)
		g_ptr_array_set_free_func(copy->gates, gate_free);
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

/* Built-in metrics and the benchmark's own, NULL-terminated; the names are borrowed. */
static GPtrArray *gate_names(const ConfigBenchmark *benchmark)
{
	GPtrArray *names = g_ptr_array_new();
	for (gsize i = 0; config_metric_names[i] != NULL; i++)
		g_ptr_array_add(names, (gpointer)config_metric_names[i]);
	for (guint i = 0; benchmark->metrics != NULL && benchmark->metrics[i] != NULL; i++)
		g_ptr_array_add(names, benchmark->metrics[i]);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean read_gate(const YamlNode *key, const YamlNode *value, ConfigBenchmark *benchmark, GError **error)
{
	static const char *const known[] = {"margin", "pass_margin", "gates", NULL};
	g_autoptr(GPtrArray) names = gate_names(benchmark);
	guint metric;
	if (!yaml_read_choice(key, (const char *const *)names->pdata, &metric, error) ||
	        !yaml_check_keys(value, known, error))
		return FALSE;
	ConfigGate *gate = g_new0(ConfigGate, 1);
	g_ptr_array_add(benchmark->gates, gate);
	*gate = (ConfigGate){
	        .metric = g_strdup(names->pdata[metric]), .margin = NAN, .pass_margin = NAN, .gates = TRUE};
	if (!yaml_read_percent(yaml_mapping_get(value, "margin"), &gate->margin, error) ||
	        !yaml_read_percent(yaml_mapping_get(value, "pass_margin"), &gate->pass_margin, error) ||
	        !yaml_read_bool(yaml_mapping_get(value, "gates"), &gate->gates, error))
		return FALSE;
	if (gate->pass_margin < gate->margin)
		return yaml_error(
		        yaml_mapping_get(value, "pass_margin"), error, "pass_margin must not be smaller than margin");
	return TRUE;
}

static gboolean read_gates(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_MAPPING, error))
		return FALSE;
	for (guint i = 0; i < yaml_length(node); i++) {
		if (g_str_equal(yaml_key(node, i)->text, "functions")) {
			if (!yaml_read_bool(yaml_item(node, i), &benchmark->gate_functions, error))
				return FALSE;
		} else if (!read_gate(yaml_key(node, i), yaml_item(node, i), benchmark, error)) {
			return FALSE;
		} else {
			benchmark->gates_given = TRUE;
		}
	}
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
	        !yaml_read_bool(yaml_mapping_get(map, "yardstick"), &benchmark->yardstick, error) ||
	        !read_recording(map, benchmark, error))
		return FALSE;
	benchmark->layouts = (guint)layouts;
	benchmark->sampling_hz = (guint)sampling;
	benchmark->cpus = (guint)cpus;
	benchmark->schedule = (Schedule)schedule;
	return read_gates(yaml_mapping_get(map, "gate"), benchmark, error);
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

static gboolean check_engines(const YamlNode *node, char **engines, GError **error)
{
	for (guint i = 0; engines[i] != NULL; i++)
		if (!g_str_equal(engines[i], "perf"))
			return yaml_error(node != NULL ? yaml_item(node, i) : node, error,
			        "engine \"%s\" is not available; this version has \"perf\"", engines[i]);
	return TRUE;
}

gboolean config_own_metric_name(const char *name)
{
	static const char *const taken[] = {"functions", "work", NULL};
	gsize length = strlen(name);
	return length > 0 && length <= MAX_METRIC_NAME && strspn(name, G_CSET_a_2_z G_CSET_DIGITS "-") == length &&
	       !g_strv_contains(config_metric_names, name) && !g_strv_contains(taken, name);
}

static gboolean check_metrics(const YamlNode *node, char *const *metrics, GError **error)
{
	for (guint i = 0; metrics != NULL && metrics[i] != NULL; i++)
		if (!config_own_metric_name(metrics[i]))
			return yaml_error(yaml_item(node, i), error,
			        "the name of a benchmark's own metric has 1 to %d of a-z, 0-9 and `-`, and is not one "
			        "that firebreak uses itself",
			        MAX_METRIC_NAME);
	return check_list(node, metrics, MAX_OWN_METRICS, error);
}

/* Keys that `defaults` and a benchmark share, before those of a benchmark alone. */
#define SETTINGS                                                                                                       \
	"timeout", "sampling", "cpus", "schedule", "rounds", "layouts", "yardstick", "measure", "unwind",              \
	        "stack_bytes", "profiles", "gate"

gboolean config_benchmark_check_defaults(const YamlNode *defaults, GError **error)
{
	static const char *const known[] = {SETTINGS, NULL};
	return defaults == NULL || yaml_check_keys(defaults, known, error);
}

gboolean config_benchmark_read(
        const YamlNode *map, const YamlNode *defaults, ConfigBenchmark *benchmark, GError **error)
{
	static const char *const known[] = {"name", "command", "cwd", "work", "engines", "metrics", SETTINGS, NULL};
	if (!yaml_check_keys(map, known, error))
		return FALSE;
	benchmark->line = map->line;
	const YamlNode *name = yaml_require(map, "name", error);
	if (name == NULL || !yaml_read_string(name, &benchmark->name, error) ||
	        !check_name(name, benchmark->name, error))
		return FALSE;
	const YamlNode *command = yaml_require(map, "command", error), *cwd = yaml_mapping_get(map, "cwd");
	const YamlNode *engines = yaml_mapping_get(map, "engines"), *metrics = yaml_mapping_get(map, "metrics");
	return command != NULL && config_read_command(command, &benchmark->command, error) &&
	       yaml_read_string(cwd, &benchmark->cwd, error) && check_cwd(cwd, benchmark->cwd, error) &&
	       yaml_read_number(yaml_mapping_get(map, "work"), 1e-9, 1e18, &benchmark->work, error) &&
	       yaml_read_string_list(engines, &benchmark->engines, error) &&
	       check_engines(engines, benchmark->engines, error) &&
	       yaml_read_string_list(metrics, &benchmark->metrics, error) &&
	       check_metrics(metrics, benchmark->metrics, error) &&
	       (defaults == NULL || read_settings(defaults, benchmark, error)) && read_settings(map, benchmark, error);
}

gboolean config_declares_metric(const ConfigBenchmark *benchmark, const char *metric)
{
	return benchmark->metrics != NULL && g_strv_contains((const char *const *)benchmark->metrics, metric);
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
