/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configdata.h"

void config_gate_free(ConfigGate *gate)
{
	if (gate == NULL)
		return;
	g_free(gate->metric);
	g_free(gate);
}

void config_accept_free(ConfigAccept *accept)
{
	if (accept == NULL)
		return;
	g_free(accept->benchmark);
	g_free(accept->function);
	g_free(accept->until);
	g_free(accept->reason);
	g_free(accept);
}

static void config_case_free(gpointer data)
{
	ConfigCase *one = data;
	g_free(one->name);
	g_free(one);
}

GPtrArray *config_cases_new(void)
{
	return g_ptr_array_new_with_free_func(config_case_free);
}

void config_cases_add(GPtrArray *cases, const char *name, guint repetitions, double ns)
{
	const ConfigCase one = {g_strdup(name), repetitions, ns};
	g_ptr_array_add(cases, g_memdup2(&one, sizeof one));
}

static GPtrArray *config_cases_copy(const GPtrArray *cases)
{
	GPtrArray *copy = cases != NULL ? config_cases_new() : NULL;
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const ConfigCase *one = cases->pdata[i];
		config_cases_add(copy, one->name, one->repetitions, one->ns);
	}
	return copy;
}

Config *config_new(void)
{
	Config *config = g_new0(Config, 1);
	config->pass_env = g_new0(char *, 1);
	config->benchmarks = g_ptr_array_new_with_free_func((GDestroyNotify)config_benchmark_free);
	config->accept = g_ptr_array_new_with_free_func((GDestroyNotify)config_accept_free);
	return config;
}

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

static GPtrArray *gates_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)config_gate_free);
}

ConfigBenchmark *config_benchmark_new(void)
{
	ConfigBenchmark *benchmark = g_new0(ConfigBenchmark, 1);
	benchmark->gates = gates_new();
	return benchmark;
}

ConfigBenchmark *config_benchmark_copy(const ConfigBenchmark *benchmark)
{
	ConfigBenchmark *copy = g_memdup2(benchmark, sizeof *benchmark);
	copy->name = g_strdup(benchmark->name);
	copy->command = g_strdupv(benchmark->command);
	copy->cwd = g_strdup(benchmark->cwd);
	copy->filter = g_strdup(benchmark->filter);
	copy->cases = config_cases_copy(benchmark->cases);
	copy->counted_cases = config_cases_copy(benchmark->counted_cases);
	copy->case_filter = g_strdup(benchmark->case_filter);
	copy->files = g_strdupv(benchmark->files);
	copy->engines = g_strdupv(benchmark->engines);
	copy->metrics = g_strdupv(benchmark->metrics);
	copy->profiles = g_strdupv(benchmark->profiles);
	copy->gates = gates_new();
	for (guint i = 0; benchmark->gates != NULL && i < benchmark->gates->len; i++) {
		ConfigGate *gate = g_memdup2(benchmark->gates->pdata[i], sizeof *gate);
		gate->metric = g_strdup(gate->metric);
		g_ptr_array_add(copy->gates, gate);
	}
	return copy;
}

void config_benchmark_free(ConfigBenchmark *benchmark)
{
	if (benchmark == NULL)
		return;
	g_free(benchmark->name);
	g_strfreev(benchmark->command);
	g_free(benchmark->cwd);
	g_free(benchmark->filter);
	g_clear_pointer(&benchmark->cases, g_ptr_array_unref);
	g_clear_pointer(&benchmark->counted_cases, g_ptr_array_unref);
	g_free(benchmark->case_filter);
	g_strfreev(benchmark->files);
	g_strfreev(benchmark->engines);
	g_strfreev(benchmark->metrics);
	g_strfreev(benchmark->profiles);
	g_clear_pointer(&benchmark->gates, g_ptr_array_unref);
	g_free(benchmark);
}
