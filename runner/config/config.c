#include "core/error.h"
#include "runner/config/configaccept.h"
#include "runner/config/configbaselines.h"
#include "runner/config/configbenchmark.h"

#include <string.h>

#define DEFAULT_BUILD_TIMEOUT_MS (30 * 60 * 1000)
#define MAX_BENCHMARKS 1000
#define MAX_CALIBRATE_EVERY 1000

void config_free(Config *config)
{
	if (config == NULL)
		return;
	g_strfreev(config->build_command);
	g_strfreev(config->pass_env);
	g_free(config->anchor);
	g_ptr_array_unref(config->benchmarks);
	g_ptr_array_unref(config->accept);
	g_free(config);
}

static gboolean read_benchmark(const YamlNode *map, const YamlNode *defaults, Config *config, GError **error)
{
	ConfigBenchmark *benchmark = config_benchmark_new();
	g_ptr_array_add(config->benchmarks, benchmark);
	if (!config_benchmark_read(map, defaults, benchmark, error))
		return FALSE;
	if (config_benchmark(config, benchmark->name) != benchmark)
		return yaml_error(yaml_mapping_get(map, "name"), error, "a benchmark named \"%s\" is there already",
		        benchmark->name);
	return TRUE;
}

static gboolean read_build(const YamlNode *map, Config *config, GError **error)
{
	static const char *const known[] = {"command", "timeout", "privileges", NULL};
	if (map == NULL)
		return TRUE;
	return yaml_check_keys(map, known, error) &&
	       config_read_command(yaml_mapping_get(map, "command"), &config->build_command, error) &&
	       yaml_read_duration(yaml_mapping_get(map, "timeout"), &config->build_timeout_ms, error) &&
	       config_read_privileges(yaml_mapping_get(map, "privileges"), &config->build_privileges, error);
}

/* Names of variables that code of a pull request must not get. */
typedef struct {
	const char *patterns[24]; /* with *, of upper-case letters */
	const char *reason;       /* "...: names like PATTERN <reason>" */
} EnvRule;

static const EnvRule forbidden_env[] = {
        {{"*TOKEN*", "*SECRET*", "*PASSW*", "*PASSPHRASE*", "*PASSFILE*", "*PASS", "*PASS_*", "*_PWD", "*CREDENTIAL*",
                 "*_KEY*", "*APIKEY*", "*_AUTH", "*_AUTH_CONFIG", "*AWS_*", "AZURE_*", "*NPM_*", "*DATABASE_URL*",
                 "*_DSN", "*_PAT", "*_PAT_*", "NETRC"},
                "hold secrets"},
        {{"*GITHUB_*", "ACTIONS_*", "*_ACTIONS_*", "*CI_JOB_*"}, "control the job"},
        {{"SSH_*", "GPG_AGENT_INFO", "KUBECONFIG", "DOCKER_*", "DBUS_*"},
                "lead to agents and services that act for the user"},
        {{"LD_*", "GCONV_PATH", "BASH_ENV"},
                "change which code is loaded; set it in the command, as in `env NAME=VALUE PROGRAM`"},
};

/* Words that end like a secret and are none. */
static gboolean is_harmless(const char *name)
{
	static const char *const patterns[] = {"*BYPASS", "*BYPASS_*", "*COMPASS", "*COMPASS_*"};
	for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
		if (g_pattern_match_simple(patterns[i], name))
			return TRUE;
	return FALSE;
}

static gboolean check_env_name(const YamlNode *node, const char *name, const EnvRule *rule, GError **error)
{
	g_autofree char *upper = g_ascii_strup(name, -1);
	for (guint i = 0; rule->patterns[i] != NULL; i++) {
		if (!g_pattern_match_simple(rule->patterns[i], upper))
			continue;
		if (g_str_has_prefix(rule->patterns[i], "*PASS") && is_harmless(upper))
			continue;
		return yaml_error(node, error, "%s is not handed to code of a pull request: names like %s %s", name,
		        rule->patterns[i], rule->reason);
	}
	return TRUE;
}

/* What a benchmark could see, a pull request could send away. */
static gboolean check_env(const YamlNode *node, char *const *names, GError **error)
{
	for (guint i = 0; names[i] != NULL; i++)
		for (gsize rule = 0; rule < G_N_ELEMENTS(forbidden_env); rule++)
			if (!check_env_name(yaml_item(node, i), names[i], &forbidden_env[rule], error))
				return FALSE;
	return TRUE;
}

static gboolean read_benchmarks(const YamlNode *root, Config *config, GError **error)
{
	const YamlNode *defaults = yaml_mapping_get(root, "defaults"), *list = yaml_require(root, "benchmarks", error);
	if (list == NULL || !yaml_expect(list, YAML_SEQUENCE, error) ||
	        !config_benchmark_check_defaults(defaults, error))
		return FALSE;
	if (yaml_length(list) == 0 || yaml_length(list) > MAX_BENCHMARKS)
		return yaml_error(list, error, "there must be 1 to %d benchmarks: nothing measured is never a pass",
		        MAX_BENCHMARKS);
	gboolean exact = FALSE;
	for (guint i = 0; i < yaml_length(list); i++) {
		if (!read_benchmark(yaml_item(list, i), defaults, config, error))
			return FALSE;
		exact = exact || config_uses_engine(config->benchmarks->pdata[i], CONFIG_ENGINE_CALLGRIND);
	}
	return exact || config_benchmark_refuse_exact(defaults, error);
}

Config *config_parse(const char *text, gsize length, const char *file, GError **error)
{
	static const char *const known[] = {"version", "build", "calibrate_every", "baselines", "env", "defaults",
	        "benchmarks", "accept", "accept_from", NULL};
	g_autoptr(YamlNode) root = yaml_parse(text, length, file, error);
	if (root == NULL || !yaml_check_keys(root, known, error))
		return NULL;
	g_autoptr(Config) config = g_new0(Config, 1);
	config->benchmarks = g_ptr_array_new_with_free_func((GDestroyNotify)config_benchmark_free);
	config->accept = g_ptr_array_new_with_free_func((GDestroyNotify)config_accept_free);
	config->build_timeout_ms = DEFAULT_BUILD_TIMEOUT_MS;
	config->pass_env = g_new0(char *, 1);
	config_baselines_init(config);
	gint64 version = 0, calibrate_every = 0;
	const YamlNode *node = yaml_require(root, "version", error);
	if (node == NULL || !yaml_read_int(node, 1, 1, &version, error) ||
	        !read_build(yaml_mapping_get(root, "build"), config, error) ||
	        !yaml_read_int(
	                yaml_mapping_get(root, "calibrate_every"), 0, MAX_CALIBRATE_EVERY, &calibrate_every, error) ||
	        !config_baselines_read(yaml_mapping_get(root, "baselines"), config, error) ||
	        !yaml_read_string_list(yaml_mapping_get(root, "env"), &config->pass_env, error) ||
	        !check_env(yaml_mapping_get(root, "env"), config->pass_env, error) ||
	        !read_benchmarks(root, config, error) || !config_accept_read(root, config, error))
		return NULL;
	config->calibrate_every = (guint)calibrate_every;
	return g_steal_pointer(&config);
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

const ConfigBenchmark *config_benchmark(const Config *config, const char *name)
{
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		if (benchmark->name != NULL && g_str_equal(benchmark->name, name))
			return benchmark;
	}
	return NULL;
}

static void weakened(GPtrArray *list, const char *benchmark, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void weakened(GPtrArray *list, const char *benchmark, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(list, g_strdup_printf("%s: %s", benchmark, what));
}

/* What is run, and what of it is measured. */
static void compare_work(GPtrArray *list, const ConfigBenchmark *base, const ConfigBenchmark *head)
{
	if (!g_strv_equal((const char *const *)base->command, (const char *const *)head->command) ||
	        g_strcmp0(base->cwd, head->cwd) != 0)
		weakened(list, base->name, "its command is changed");
	if (!base->work_reported && head->work_reported)
		weakened(list, base->name, "its runs report their units of work themselves");
	else if (base->work_reported != head->work_reported || base->work != head->work)
		weakened(list, base->name, "its units of work are changed");
	if (base->measure != head->measure)
		weakened(list, base->name, "another part of a run is measured: the %s%s", measure_name(head->measure),
		        head->measure == MEASURE_WHOLE ? " of it" : " that it says itself");
	for (guint i = 0; base->metrics != NULL && base->metrics[i] != NULL; i++)
		if (!config_declares_metric(head, base->metrics[i]))
			weakened(list, base->name, "its metric %s is dropped", base->metrics[i]);
	for (guint i = 0; base->engines[i] != NULL; i++)
		if (!config_uses_engine(head, base->engines[i]))
			weakened(list, base->name, "the engine %s is dropped", base->engines[i]);
}

static void compare_rounds(GPtrArray *list, const ConfigBenchmark *base, const ConfigBenchmark *head)
{
	if (head->sampling_hz < base->sampling_hz)
		weakened(list, base->name, "sampling is cut to %u Hz", head->sampling_hz);
	if (head->cpus != base->cpus)
		weakened(list, base->name, "the number of its CPUs is changed");
	if (head->rounds != 0 && (base->rounds == 0 || head->rounds < base->rounds))
		weakened(list, base->name, "rounds are cut to %u", head->rounds);
	if (head->layouts < base->layouts)
		weakened(list, base->name, "layouts are cut to %u", head->layouts);
	if (!base->waits && head->waits)
		weakened(list, base->name, "its runs may wait longer");
	if (base->yardstick && !head->yardstick)
		weakened(list, base->name, "the yardstick is switched off");
}

static void compare_counting(GPtrArray *list, const ConfigBenchmark *base, const ConfigBenchmark *head)
{
	if (base->cache && !head->cache)
		weakened(list, base->name, "the simulation of caches is switched off");
	if (base->heap && !head->heap)
		weakened(list, base->name, "the run that counts heap memory is switched off");
	if (head->call_depth < base->call_depth)
		weakened(list, base->name, "the depth of call paths is cut to %u", head->call_depth);
}

static gboolean both_use(const char *engine, const ConfigBenchmark *base, const ConfigBenchmark *head)
{
	return config_uses_engine(base, engine) && config_uses_engine(head, engine);
}

static void compare_benchmarks(GPtrArray *list, const ConfigBenchmark *base, const ConfigBenchmark *head)
{
	compare_work(list, base, head);
	if (both_use(CONFIG_ENGINE_PERF, base, head))
		compare_rounds(list, base, head);
	if (both_use(CONFIG_ENGINE_CALLGRIND, base, head))
		compare_counting(list, base, head);
	if (base->gate_functions && !head->gate_functions)
		weakened(list, base->name, "functions no longer gate");
	else if (base->strict_functions && !head->strict_functions)
		weakened(list, base->name, "functions no longer gate strictly");
	if (!base->privileges && head->privileges)
		weakened(list, base->name, "its programs may gain privileges");
}

GPtrArray *config_weakened(const Config *base, const Config *head)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	config_baselines_compare(list, base, head);
	if (!base->build_privileges && head->build_privileges)
		g_ptr_array_add(list, g_strdup("programs of the build may gain privileges"));
	if (base->calibrate_every > 0 && head->calibrate_every == 0)
		g_ptr_array_add(list, g_strdup("checks are no longer calibrated"));
	else if (base->calibrate_every > 0 && head->calibrate_every > base->calibrate_every)
		g_ptr_array_add(list, g_strdup_printf("one check in %u is calibrated, no longer one in %u",
		                              head->calibrate_every, base->calibrate_every));
	char *accepting = config_accept_weakened(base, head);
	if (accepting != NULL)
		g_ptr_array_add(list, accepting);
	for (guint i = 0; i < base->benchmarks->len; i++) {
		const ConfigBenchmark *was = base->benchmarks->pdata[i];
		const ConfigBenchmark *is = config_benchmark(head, was->name);
		if (is == NULL)
			weakened(list, was->name, "the benchmark is removed");
		else
			compare_benchmarks(list, was, is);
	}
	return list;
}
