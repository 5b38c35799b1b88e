/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/context/historydata.h"

#include "core/cancel.h"

static gboolean add_commit(BaselineStore *store, const HistoryRequest *request, const TrendCommit *commit,
        HistoryBuilder *builder, FindingList *findings, GError **error)
{
	TrendWanted wanted = {
	        .commit = commit->sha, .benchmark = request->benchmark, .stacks = request->wanted.functions};
	g_autoptr(GPtrArray) measurements = trend_measurements(store, &wanted, findings, error);
	/* A history reads hundreds of commits: whoever presses Ctrl-C does not wait for all of them. */
	if (measurements == NULL || !cancel_check(error))
		return FALSE;
	history_builder_commit(builder, &(HistoryCommit){.sha = commit->sha,
	                                        .subject = commit->subject,
	                                        .time_s = commit->time_s,
	                                        .position = commit->position});
	for (guint i = 0; i < measurements->len; i++)
		history_builder_add(builder, measurements->pdata[i]);
	return TRUE;
}

GPtrArray *history_read_store(
        BaselineStore *store, const HistoryRequest *request, FindingList *findings, guint *n_commits, GError **error)
{
	g_autoptr(GPtrArray) commits = trend_commits(store, &request->trend, error);
	g_autoptr(HistoryBuilder) builder = history_builder_new(&request->wanted);
	if (commits == NULL)
		return NULL;
	for (guint i = 0; i < commits->len; i++)
		if (!add_commit(store, request, commits->pdata[i], builder, findings, error))
			return NULL;
	if (n_commits != NULL)
		*n_commits = commits->len;
	return history_builder_finish(builder);
}

GPtrArray *history_read_names(BaselineStore *store, const TrendRequest *trend, GError **error)
{
	HistoryRequest request = {.trend = *trend};
	g_autoptr(FindingList) damage = finding_list_new();
	g_autoptr(GPtrArray) histories = history_read_store(store, &request, damage, NULL, error);
	if (histories == NULL)
		return NULL;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < histories->len; i++) {
		const char *name = ((const MetricHistory *)histories->pdata[i])->benchmark;
		if (names->len == 0 || !g_str_equal(names->pdata[names->len - 1], name))
			g_ptr_array_add(names, g_strdup(name));
	}
	return names;
}
