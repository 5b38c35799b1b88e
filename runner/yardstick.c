#include "runner/yardstick.h"

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
	yardstick->work = 1;
	yardstick->measure = MEASURE_WHOLE;
	yardstick->layouts = 1;
	yardstick->yardstick = FALSE;
	return yardstick;
}

/* firebreak-yardstick extend SHARE, followed by the command. */
static char **extended_command(const char *helper, double share, char *const *command)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	GPtrArray *argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup(helper));
	g_ptr_array_add(argv, g_strdup("extend"));
	g_ptr_array_add(argv, g_strdup(g_ascii_formatd(text, sizeof text, "%.6g", share)));
	for (; *command != NULL; command++)
		g_ptr_array_add(argv, g_strdup(*command));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

ConfigBenchmark *yardstick_slower_benchmark(const ConfigBenchmark *benchmark, double share, GError **error)
{
	if (benchmark->measure == MEASURE_REGION) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "benchmark %s: a delay cannot be planted in a region that the benchmark itself begins and "
		        "ends; "
		        "needs `measure: whole`",
		        benchmark->name);
		return NULL;
	}
	g_autofree char *helper = helper_program_path(HELPER, error);
	if (helper == NULL)
		return NULL;
	ConfigBenchmark *slower = config_benchmark_copy(benchmark);
	replace_strings(&slower->command, extended_command(helper, share, benchmark->command));
	return slower;
}
