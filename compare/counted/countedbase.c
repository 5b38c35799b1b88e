/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedbase.h"

#include <math.h>
#include <string.h>

#include "compare/comparison/countedwords.h"
#include "compare/counted/countedtotals.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/textpiece.h"

#define MAX_NAMED 5

/* --- libraries and tools --- */

/* The table leads from name to build-id and owns both. A name that is there twice keeps all its build-ids. */
static GHashTable *read_libraries(const char *text)
{
	GHashTable *libraries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) parts = g_strsplit(text, ", ", -1);
	for (char **part = parts; *part != NULL; part++) {
		const char *colon = strrchr(*part, ':');
		if (colon == NULL)
			continue;
		char *name = g_strndup(*part, (gsize)(colon - *part));
		const char *known = g_hash_table_lookup(libraries, name);
		char *ids = known != NULL ? g_strconcat(known, " ", colon + 1, NULL) : g_strdup(colon + 1);
		g_hash_table_replace(libraries, name, ids);
	}
	return libraries;
}

/* Names of libraries that both have, in different builds; sorted, borrowed from `base`. */
static GPtrArray *changed_libraries(GHashTable *base, GHashTable *head)
{
	GPtrArray *changed = g_ptr_array_new();
	GHashTableIter iter;
	gpointer name, ids;
	g_hash_table_iter_init(&iter, base);
	while (g_hash_table_iter_next(&iter, &name, &ids)) {
		const char *now = g_hash_table_lookup(head, name);
		if (now != NULL && !g_str_equal(ids, now))
			g_ptr_array_add(changed, name);
	}
	g_ptr_array_sort(changed, text_order);
	return changed;
}

/* "libfoo.so.1 (a1b2 then, c3d4 now), ..." or NULL. */
static char *libraries_text(const char *stored, const char *now)
{
	g_autoptr(GHashTable) base = read_libraries(stored), head = read_libraries(now);
	g_autoptr(GPtrArray) changed = changed_libraries(base, head);
	if (changed->len == 0)
		return NULL;
	GString *text = g_string_new("other builds of ");
	for (guint i = 0; i < MIN(changed->len, MAX_NAMED); i++) {
		const char *name = changed->pdata[i];
		g_string_append_printf(text, "%s%s (%s then, %s now)", i > 0 ? ", " : "", name,
		        (const char *)g_hash_table_lookup(base, name), (const char *)g_hash_table_lookup(head, name));
	}
	if (changed->len > MAX_NAMED)
		g_string_append_printf(text, " and %u more", changed->len - MAX_NAMED);
	return g_string_free(text, FALSE);
}

gboolean counted_base_is_described(const Environment *stored)
{
	return environment_get(stored, "libraries") != NULL && environment_get(stored, "tools") != NULL;
}

const char *counted_base_unfit(const Measurement *stored)
{
	const MetricSeries *series = measurement_metric(stored, &engine_callgrind, "instructions");
	guint runs = measurement_n_runs(stored);
	for (guint run = 0; run < runs; run++)
		if (!isfinite(metric_value(series, run)))
			return "it has no instructions";
	if (!counted_base_is_described(stored->environment))
		return "it does not say with which libraries and tools it was made";
	if (stored->profile == NULL || profile_n_runs(stored->profile) != runs)
		return "it has no profile";
	return runs == 0 ? "it has no runs" : NULL;
}

char *counted_base_foreign(const Environment *stored, const Environment *head)
{
	if (!counted_base_is_described(stored) || !counted_base_is_described(head))
		return g_strdup("libraries and tools that are not known");
	char *libraries = libraries_text(environment_get(stored, "libraries"), environment_get(head, "libraries"));
	if (libraries != NULL)
		return libraries;
	if (!g_str_equal(environment_get(stored, "tools"), environment_get(head, "tools")))
		return g_strdup("other tools (the object files of its build name another compiler or assembler)");
	return NULL;
}

/* --- what head shows --- */

/* The gating metric that changed most beyond its margin, in either direction; NULL if none did. */
static const MetricComparison *moved_metric(const BenchmarkComparison *comparison)
{
	const MetricComparison *most = NULL;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		gboolean moved = metric->gates && (counted_is_beyond(metric->upper_ratio, metric->margin) ||
		                                          counted_is_beyond(1 / metric->lower_ratio, metric->margin));
		if (moved && (most == NULL || fabs(log(metric->change_ratio)) > fabs(log(most->change_ratio))))
			most = metric;
	}
	return most;
}

/* The smallest margin that gates; NAN if nothing does. */
static double least_margin(const BenchmarkComparison *comparison)
{
	double least = NAN;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates)
			least = fmin(least, metric->margin);
	}
	return least;
}

/* The least change between the runs of both sides, as a share of the total; 0 if their ranges overlap. */
static double certain_change(const FunctionComparison *f)
{
	double gap = MAX(f->contribution_lower, -f->contribution_upper);
	return gap > f->contribution_upper - f->contribution_lower ? gap : 0;
}

/* "the counts of functions differ from the stored ones, most those of hash (-30.20 % of the total)" or NULL. */
static char *moved_functions(const BenchmarkComparison *comparison, double most_moved)
{
	const FunctionComparison *first = NULL;
	double moved = fabs(comparison->unknown_contribution), largest = 0;
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		double change = certain_change(f);
		moved += change;
		if (change > largest)
			first = f;
		largest = MAX(largest, change);
	}
	if (moved <= most_moved)
		return NULL;
	if (first == NULL)
		return g_strdup("the counts of code without a name differ from the stored ones");
	g_autofree char *points = number_count_points(first->contribution);
	return g_strdup_printf(
	        "the counts of functions differ from the stored ones, most those of %s (%s of the total)",
	        stack_table_frame_name(comparison->table, first->frame), points);
}

char *counted_base_doubt(const BenchmarkComparison *comparison)
{
	double margin = least_margin(comparison);
	const MetricComparison *metric = moved_metric(comparison);
	if (isnan(margin))
		return NULL;
	if (metric == NULL)
		return moved_functions(comparison, MIN(COUNTED_FLOOR, COUNTED_BASE_SAME_MARGINS * margin));
	g_autofree char *change = counted_change(metric), *allowed = number_share(metric->margin);
	return g_strdup_printf("%s %s against stored counts, beyond the margin of %s", metric->name, change, allowed);
}

/* --- counts --- */

static gboolean is_count(const MetricSeries *series)
{
	return engine_counts(series->engine);
}

/* FALSE if there is no finite value. */
static gboolean range_of(const MetricSeries *series, CountedRange *range)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; series != NULL && i < series->values->len; i++) {
		double value = g_array_index(series->values, double, i);
		if (isfinite(value))
			g_array_append_val(values, value);
	}
	if (values->len > 0)
		*range = counted_range((const double *)values->data, values->len);
	return values->len > 0;
}

gboolean counted_base_is_same(const Measurement *stored, const Measurement *fresh)
{
	guint n_counts = 0;
	for (guint i = 0; i < fresh->metrics->len; i++) {
		const MetricSeries *series = fresh->metrics->pdata[i];
		CountedRange then, now;
		if (!is_count(series))
			continue;
		if (!range_of(series, &now) ||
		        !range_of(measurement_metric(stored, &engine_callgrind, series->name), &then))
			return FALSE;
		if (then.lowest != now.highest || then.highest != now.lowest)
			return FALSE;
		n_counts++;
	}
	return n_counts > 0;
}

/* TRUE if both ranges lie further apart than either is wide. */
static gboolean are_apart(const CountedRange *then, const CountedRange *now)
{
	double gap = MAX(now->lowest - then->highest, then->lowest - now->highest);
	return gap > MAX(then->highest - then->lowest, now->highest - now->lowest);
}

static void append_change(GString *text, const MetricSeries *series, double then, double now)
{
	g_autofree char *amount = number_amount(now - then, series->unit);
	g_autofree char *change = number_count_change(then > 0 ? now / then : INFINITY);
	g_string_append_printf(text, "%s%s ", text->len > 0 ? ", " : "", series->name);
	if (then > 0)
		g_string_append_printf(text, "%s (%s %s)", change, amount, now < then ? "fewer" : "more");
	else
		g_string_append_printf(text, "from 0 to %s", amount);
}

char *counted_base_outdated(const Measurement *stored, const Measurement *fresh)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < fresh->metrics->len; i++) {
		const MetricSeries *series = fresh->metrics->pdata[i];
		const MetricSeries *before = measurement_metric(stored, &engine_callgrind, series->name);
		CountedRange then, now;
		if (is_count(series) && range_of(before, &then) && range_of(series, &now) && are_apart(&then, &now))
			append_change(text, series, metric_median(before), metric_median(series));
	}
	if (text->len > 0)
		return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}
