/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/context/gatechange.h"

#include "model/engine.h"
#include "report/words/highlights.h"

void gate_change_collect(const Gate *gate, const TouchedQuery *query)
{
	touched_functions_add(gate->touched, query);
}

/* The annotations of all lists of functions. */
static GArray *costs_of(const CheckResult *result)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(ChangedCosts));
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		gboolean counted = engine_counts(benchmark->engine);
		ChangedCosts own = {benchmark->name, counted, benchmark->annotations};
		g_array_append_val(all, own);
		for (guint p = 0; p < benchmark->profiles->len; p++) {
			const ResultProfile *profile = benchmark->profiles->pdata[p];
			ChangedCosts beside = {benchmark->name, engine_counts(profile->engine), profile->annotations};
			if (profile->annotations != NULL && beside.counted != counted)
				g_array_append_val(all, beside);
		}
	}
	return all;
}

static gboolean read_text(gpointer data, LinesSide side, const char *path, char **text, gsize *length, GError **error)
{
	const Gate *gate = data;
	return repo_read_tree_file(gate->repo, gate->choices[side].tree, path, text, length, error);
}

void gate_change_report(Gate *gate)
{
	if (gate->change == NULL || gate->request->mode != CHECK_GATE || gate->request->out_dir == NULL)
		return;
	g_autoptr(GArray) costs = costs_of(gate->result);
	gate->result->changed = changed_code_find(&(ChangedCodeInput){
	        .change = gate->change,
	        .touched = gate->touched,
	        .costs = costs,
	        .read_text = read_text,
	        .data = gate,
	});
}
