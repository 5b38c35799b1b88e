/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/seriesfile.h"

#include "compare/history/seriescsv.h"
#include "compare/history/seriesdatajs.h"

#include <string.h>

/* Some programs put it in front of UTF-8. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

SeriesFile *series_file_read(const char *text, gsize length, const char *name, GError **error)
{
	g_autoptr(SeriesFile) file = series_file_new();
	if (length >= strlen(BYTE_ORDER_MARK) && strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0) {
		text += strlen(BYTE_ORDER_MARK);
		length -= strlen(BYTE_ORDER_MARK);
	}
	gboolean ok = series_is_datajs(text, length) ? series_datajs_read(text, length, name, file, error)
	                                             : series_csv_read(text, length, name, file, error);
	return ok ? g_steal_pointer(&file) : NULL;
}

static const SeriesValue *value_at(const SeriesFile *file, guint index)
{
	return &g_array_index(file->values, SeriesValue, index);
}

/* --- commits --- */

/* A commit, and its values in the order of the file. */
typedef struct {
	guint first;     /* its first value in the file */
	gint64 time_s;   /* the earliest of its values */
	GArray *indices; /* of guint */
} SeriesCommit;

static void commit_free(gpointer data)
{
	SeriesCommit *commit = data;
	g_array_unref(commit->indices);
	g_free(commit);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const SeriesCommit *x = *(SeriesCommit *const *)a, *y = *(SeriesCommit *const *)b;
	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* The commits, oldest first; a GPtrArray of SeriesCommit owned by the caller. */
static GPtrArray *commits_of(const SeriesFile *file)
{
	GPtrArray *commits = g_ptr_array_new_with_free_func(commit_free);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	gboolean all_timed = TRUE;
	for (guint i = 0; i < file->values->len; i++) {
		const SeriesValue *value = value_at(file, i);
		SeriesCommit *commit = g_hash_table_lookup(known, value->commit);
		if (commit == NULL) {
			commit = g_new0(SeriesCommit, 1);
			*commit = (SeriesCommit){i, value->time_s, g_array_new(FALSE, FALSE, sizeof(guint))};
			g_hash_table_insert(known, value->commit, commit);
			g_ptr_array_add(commits, commit);
		}
		commit->time_s = MIN(commit->time_s, value->time_s);
		all_timed = all_timed && value->time_s > 0;
		g_array_append_val(commit->indices, i);
	}
	if (all_timed)
		g_ptr_array_sort(commits, by_time);
	return commits;
}

static void build_commit(
        const SeriesFile *file, const SeriesCommit *commit, const char *benchmark, HistoryBuilder *builder)
{
	for (guint i = 0; i < commit->indices->len; i++) {
		const SeriesValue *value = value_at(file, g_array_index(commit->indices, guint, i));
		if (benchmark == NULL || g_str_equal(benchmark, value->benchmark))
			history_builder_add_value(builder, &(HistoryValue){
			                                           .benchmark = value->benchmark,
			                                           .metric = value->metric,
			                                           .unit = value->unit,
			                                           .environment = value->environment,
			                                           .engine = value->engine,
			                                           .higher_is_better = value->higher_is_better,
			                                           .value = value->value,
			                                           .lower = value->lower,
			                                           .upper = value->upper,
			                                   });
	}
}

guint series_file_build(
        const SeriesFile *file, const char *benchmark, guint most, HistoryBuilder *builder, const char **newest)
{
	g_autoptr(GPtrArray) commits = commits_of(file);
	guint n = commits->len, from = most > 0 && n > most ? n - most : 0;
	for (guint i = from; i < n; i++) {
		const SeriesCommit *commit = commits->pdata[i];
		const SeriesValue *first = value_at(file, commit->first);
		history_builder_commit(builder, &(HistoryCommit){.sha = first->commit,
		                                        .subject = first->subject,
		                                        .time_s = commit->time_s,
		                                        .position = i});
		build_commit(file, commit, benchmark, builder);
	}
	if (newest != NULL)
		*newest = n > 0 ? value_at(file, ((const SeriesCommit *)commits->pdata[n - 1])->first)->commit : NULL;
	return n - from;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *series_file_benchmarks(const SeriesFile *file)
{
	GPtrArray *names = g_ptr_array_new();
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < file->values->len; i++)
		if (g_hash_table_add(known, value_at(file, i)->benchmark))
			g_ptr_array_add(names, value_at(file, i)->benchmark);
	g_ptr_array_sort(names, by_name);
	return names;
}
