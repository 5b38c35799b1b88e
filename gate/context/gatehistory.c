/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/context/gatehistory.h"

#include "gate/context/historydata.h"
#include "report/history/historyset.h"

/* Commits that are looked at for baselines: where few are measured, the old ones tell little of head. */
#define WITHIN 2000
/* A benchmark has at most so many histories. */
#define MAX_HISTORIES 8

static gboolean gates(const ResultBenchmark *row, const MetricHistory *history)
{
	for (guint i = 0; row->comparison != NULL && i < row->comparison->metrics->len; i++) {
		const MetricComparison *metric = row->comparison->metrics->pdata[i];
		if (metric->gates && g_str_equal(metric->name, history->metric) && metric->engine == history->engine)
			return TRUE;
	}
	return FALSE;
}

/* A single point tells nothing that the report does not say elsewhere. */
static gboolean is_shown(const ResultBenchmark *row, const MetricHistory *history)
{
	return history->points->len > 1 && (history_leads(history) || gates(row, history));
}

/* Reads the store in one pass, whatever the number of benchmarks. */
static GPtrArray *read_history(const Gate *gate, GError **error)
{
	const char *head = gate->choices[SIDE_HEAD].sha;
	const GPtrArray *rows = gate->result->benchmarks;
	/* a working tree is no commit; its history is that of the commit it is compared with */
	HistoryRequest request = {
	        .trend = {.head = g_str_equal(head, "worktree") ? gate->choices[SIDE_BASE].sha : head,
	                .most = GATE_HISTORY_COMMITS,
	                .within = WITHIN},
	        .benchmark = rows->len == 1 ? ((const ResultBenchmark *)rows->pdata[0])->name : NULL,
	};
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, error);
	return store != NULL ? history_read_store(store, &request, gate->result->findings, NULL, error) : NULL;
}

/* Takes what is shown of a benchmark out of `all`. */
static void take_history(ResultBenchmark *row, GPtrArray *all)
{
	g_autoptr(GPtrArray) shown = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	for (guint i = 0; i < all->len && shown->len < MAX_HISTORIES; i++) {
		const MetricHistory *history = all->pdata[i];
		if (history != NULL && g_str_equal(history->benchmark, row->name) && is_shown(row, history))
			g_ptr_array_add(shown, g_steal_pointer(&all->pdata[i]));
	}
	if (shown->len > 0)
		row->history = g_steal_pointer(&shown);
}

void gate_history(Gate *gate)
{
	g_autoptr(GError) error = NULL;
	/* Base against base looks at the machine, and `run` at one commit: neither has a change to put into a
	 * history. */
	if (!gate->two_sides || gate->request->mode != CHECK_GATE || gate->result->benchmarks->len == 0)
		return;
	g_autoptr(GPtrArray) all = read_history(gate, &error);
	if (all == NULL) {
		finding_add(gate->result->findings, FINDING_WARNING, "history_unreadable", NULL,
		        "earlier commits are not shown: %s", error->message);
		return;
	}
	for (guint i = 0; i < gate->result->benchmarks->len; i++) {
		ResultBenchmark *row = gate->result->benchmarks->pdata[i];
		if (row->head != NULL)
			take_history(row, all);
	}
}
