/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gateengines.h"

#include "model/engine.h"

void gate_engines_probe(Gate *gate)
{
	gate->perf_findings = finding_list_new();
	if (!gate->host->probe_perf(&gate->abilities, gate->perf_findings, &gate->no_perf))
		return;
	environment_set(gate->result->environment, "sampled_event", METRIC_SAME_CAMPAIGN, gate->abilities.sampling);
	gate->machine.hardware = gate->abilities.hardware;
}

gboolean gate_uses_engine(const Gate *gate, const Engine *engine)
{
	for (guint i = 0; i < gate->config->benchmarks->len; i++)
		if (config_uses_engine(gate->config->benchmarks->pdata[i], engine))
			return TRUE;
	return FALSE;
}

static gboolean require_perf(Gate *gate, GError **error)
{
	gate_add_findings(gate, gate->perf_findings);
	if (gate->no_perf == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&gate->no_perf));
	return FALSE;
}

gboolean gate_engines_require(Gate *gate, GError **error)
{
	if (gate_uses_engine(gate, &engine_perf) && !require_perf(gate, error))
		return FALSE;
	if (!gate_uses_engine(gate, &engine_callgrind))
		return TRUE;
	gate->valgrind = gate->host->find_valgrind(error);
	return gate->valgrind != NULL;
}
