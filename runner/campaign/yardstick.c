/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/yardstick.h"

#include "core/error.h"
#include "core/helperprogram.h"

#define HELPER "firebreak-yardstick"

static void replace_strings(char ***strings, char **with)
{
	g_strfreev(*strings);
	*strings = with;
}

static void replace_string(char **string, const char *with)
{
	g_free(*string);
	*string = g_strdup(with);
}

static char **fixed_command(const char *helper)
{
	const char *const argv[] = {helper, "fixed", NULL};
	return g_strdupv((char **)argv);
}

/* Nothing of what the benchmark says about itself holds for the yardstick: it reports nothing, has no region, and gates
 * nothing. */
ConfigBenchmark *yardstick_benchmark(const ConfigBenchmark *benchmark, GError **error)
{
	g_autofree char *helper = helper_program_path(HELPER, error);
	if (helper == NULL)
		return NULL;
	ConfigBenchmark *yardstick = config_benchmark_copy(benchmark);
	replace_string(&yardstick->name, HELPER);
	replace_string(&yardstick->cwd, ".");
	replace_strings(&yardstick->command, fixed_command(helper));
	replace_strings(&yardstick->metrics, NULL);
	replace_strings(&yardstick->profiles, NULL);
	g_ptr_array_set_size(yardstick->gates, 0);
	yardstick->gates_given = FALSE;
	yardstick->gate_functions = FALSE;
	yardstick->framework = FRAMEWORK_NONE;
	yardstick->work = 1;
	yardstick->measure = MEASURE_WHOLE;
	yardstick->layouts = 1;
	yardstick->yardstick = FALSE;
	return yardstick;
}

/* firebreak-yardstick VERB AMOUNT, followed by the command. */
static char **extended_command(const char *helper, const char *verb, const char *amount, char *const *command)
{
	GPtrArray *argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup(helper));
	g_ptr_array_add(argv, g_strdup(verb));
	g_ptr_array_add(argv, g_strdup(amount));
	for (; *command != NULL; command++)
		g_ptr_array_add(argv, g_strdup(*command));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

static ConfigBenchmark *extended_benchmark(
        const ConfigBenchmark *benchmark, const char *verb, const char *amount, GError **error)
{
	if (benchmark->measure == MEASURE_REGION) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "benchmark %s: a delay cannot be planted in a region that the benchmark itself begins and "
		        "ends; needs `measure: whole`",
		        benchmark->name);
		return NULL;
	}
	g_autofree char *helper = helper_program_path(HELPER, error);
	if (helper == NULL)
		return NULL;
	ConfigBenchmark *extended = config_benchmark_copy(benchmark);
	replace_strings(&extended->command, extended_command(helper, verb, amount, benchmark->command));
	return extended;
}

ConfigBenchmark *yardstick_slower_benchmark(const ConfigBenchmark *benchmark, double share, GError **error)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	return extended_benchmark(benchmark, "extend", g_ascii_formatd(text, sizeof text, "%.6g", share), error);
}

ConfigBenchmark *yardstick_longer_benchmark(const ConfigBenchmark *benchmark, double instructions, GError **error)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	double turns = instructions / YARDSTICK_TURN_INSTRUCTIONS;
	return extended_benchmark(benchmark, "repeat", g_ascii_formatd(text, sizeof text, "%.0f", turns), error);
}
