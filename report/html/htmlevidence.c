/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlevidence.h"

#include "core/escape.h"

#include <math.h>

#define MIN_REACH .002 /* of bars, so that noise does not look like a change */

static double total_of(const Measurement *measurement)
{
	guint n = profile_n_runs(measurement->profile);
	double sum = 0;
	for (guint run = 0; run < n; run++)
		sum += (double)profile_run_total(measurement->profile, run).weight / n;
	return sum / (measurement->work > 0 ? measurement->work : 1);
}

static gboolean has_runs(const Measurement *measurement)
{
	return measurement != NULL && measurement->profile != NULL && profile_n_runs(measurement->profile) > 0;
}

gboolean html_evidence_has_profiles(const HtmlEvidence *evidence)
{
	return has_runs(evidence->base) && has_runs(evidence->head);
}

/* A contribution is a change over the total of base, and costs may be scaled to a counter (docs/STATISTICS.md), so that
 * total is the one to divide by; the function with the largest contribution tells it most precisely. */
static void find_totals(HtmlEvidence *evidence)
{
	evidence->base_total = evidence->head_total = NAN;
	if (!html_evidence_has_profiles(evidence))
		return;
	const BenchmarkComparison *comparison = evidence->list.comparison;
	const FunctionComparison *first =
	        comparison->functions->len > 0 ? g_ptr_array_index(comparison->functions, 0) : NULL;
	evidence->base_total = total_of(evidence->base);
	evidence->head_total = total_of(evidence->head);
	if (first == NULL || !(fabs(first->contribution) > 1e-6) || !isfinite(comparison->total_change))
		return;
	evidence->base_total = (first->head_cost - first->base_cost) / first->contribution;
	evidence->head_total = evidence->base_total * (1 + comparison->total_change);
}

/* The bars of a table reach as far as its longest interval. */
static double reach_of(const HtmlEvidence *evidence)
{
	double reach = MIN_REACH;
	for (guint i = 0; i < evidence->shown->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(evidence->shown, i);
		const double ends[] = {
		        function->contribution, function->contribution_lower, function->contribution_upper};
		for (gsize end = 0; end < G_N_ELEMENTS(ends); end++)
			if (isfinite(ends[end]))
				reach = MAX(reach, fabs(ends[end]));
	}
	return reach;
}

static void add_row_id(HtmlPage *page, HtmlEvidence *evidence, FrameId frame)
{
	const StackTable *table = evidence->list.table;
	const char *name = highlights_name(table, frame);
	char *id = html_page_id(page, evidence->id, name);
	HtmlRowKey key = {evidence->benchmark->name, name, highlights_module(table, frame), evidence->counted};
	html_page_add_row(page, &key, id);
	g_ptr_array_add(evidence->row_ids, id);
}

static void choose_rows(HtmlPage *page, HtmlEvidence *evidence, guint max_rows)
{
	const GPtrArray *functions = evidence->list.comparison->functions;
	evidence->shown = g_ptr_array_new();
	evidence->row_ids = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < functions->len && evidence->shown->len < 2 * max_rows; i++) {
		FunctionComparison *function = g_ptr_array_index(functions, i);
		if (evidence->shown->len >= max_rows && function->klass == FUNCTION_UNCHANGED && !function->gates)
			continue;
		g_ptr_array_add(evidence->shown, function);
		add_row_id(page, evidence, function->frame);
	}
	evidence->reach = reach_of(evidence);
}

/* Base and head of the profile that decides beside the benchmark's own. */
static void find_sides(HtmlEvidence *evidence, guint index)
{
	const ResultBenchmark *benchmark = evidence->benchmark;
	evidence->base = benchmark->base;
	evidence->head = benchmark->head;
	evidence->annotations = benchmark->annotations;
	evidence->diff_file = highlights_artifact(benchmark, "diff_svg");
	if (index == 0)
		return;
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		if (profile->comparison != evidence->list.comparison)
			continue;
		g_autofree char *event = escape_to_string(escape_filename, profile->event);
		g_autofree char *kind = g_strconcat(event, ".diff_svg", NULL);
		evidence->base = profile->base;
		evidence->head = profile->head;
		evidence->annotations = profile->annotations;
		evidence->diff_file = highlights_artifact(benchmark, kind);
	}
}

guint html_evidence_of(
        HtmlPage *page, const ResultBenchmark *benchmark, guint max_rows, HtmlEvidence evidence[HTML_EVIDENCE])
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	if (n == 0)
		return 0;
	for (guint i = 0; i < n; i++) {
		evidence[i] = (HtmlEvidence){
		        .benchmark = benchmark, .list = lists[i], .counted = lists[i].comparison->counted};
		evidence[i].id = html_page_id(page, i == 0 ? "function" : "counted", benchmark->name);
		find_sides(&evidence[i], i);
		find_totals(&evidence[i]);
		choose_rows(page, &evidence[i], max_rows);
	}
	evidence[0].counts_annotated =
	        n > 1 && evidence[1].counted && evidence[1].annotations != NULL && evidence[1].annotations->len > 0;
	return n;
}

void html_evidence_clear(HtmlEvidence *evidence)
{
	g_clear_pointer(&evidence->id, g_free);
	g_clear_pointer(&evidence->shown, g_ptr_array_unref);
	g_clear_pointer(&evidence->row_ids, g_ptr_array_unref);
}
