#include "report/markdowntables.h"

#include "report/markdowntext.h"
#include "report/wording.h"

#include <math.h>
#include <string.h>

void markdown_metric_head(GString *out, gboolean counted)
{
	g_string_append(out,
	        counted ? "| benchmark | counted | base | head | change | over the runs | margin | runs | verdict |\n"
	                  "|---|---|--:|--:|--:|---|--:|--:|---|\n"
	                : "| benchmark | metric | base | head | change | interval, % | margin | detectable | rounds | "
	                  "verdict |\n"
	                  "|---|---|--:|--:|--:|---|--:|--:|--:|---|\n");
}

static void append_verdict(GString *out, const MetricComparison *metric)
{
	if (metric->gates)
		g_string_append_printf(
		        out, "%s %s", markdown_verdict_sign(metric->verdict), verdict_name(metric->verdict));
	else
		g_string_append(out, "does not gate");
	if (metric->verdict == VERDICT_ERROR && metric->reason != NULL) {
		g_string_append(out, metric->gates ? ": " : "; not compared: ");
		markdown_text(out, metric->reason);
	}
	g_string_append(out, " |\n");
}

static void append_name_and_values(
        GString *out, const char *benchmark, const MetricComparison *metric, const char *base, const char *head)
{
	g_string_append(out, "| ");
	markdown_code(out, benchmark);
	g_string_append(out, " | ");
	markdown_code(out, metric->name);
	g_string_append(out, metric->higher_is_better ? " (higher is better) | " : " | ");
	markdown_text(out, base);
	g_string_append(out, " | ");
	markdown_text(out, head);
}

static char *detectable_words(const MetricComparison *metric)
{
	return isfinite(metric->mde_ratio) ? wording_share(metric->mde_ratio) : g_strdup("nothing");
}

static void append_measured(GString *out, const char *benchmark, const MetricComparison *metric)
{
	g_autofree char *base = wording_value(metric->base, metric->unit),
	                *head = wording_value(metric->head, metric->unit);
	g_autofree char *change = wording_change(metric->change_ratio);
	g_autofree char *interval = wording_change_interval(metric->lower_ratio, metric->upper_ratio);
	g_autofree char *margin = wording_share(metric->margin), *detectable = detectable_words(metric);
	append_name_and_values(out, benchmark, metric, base, head);
	g_string_append_printf(out, " | **%s** | %s | ", change, interval);
	g_string_append_printf(out, "%s | %s | %u | ", metric->gates ? margin : "–", detectable, metric->rounds);
	append_verdict(out, metric);
}

static void append_counted(GString *out, const char *benchmark, const MetricComparison *metric)
{
	g_autofree char *base = wording_counted(metric->base, highlights_unit(metric)),
	                *head = wording_counted(metric->head, highlights_unit(metric));
	g_autofree char *change = wording_count_change(metric->change_ratio);
	g_autofree char *range = wording_count_range(metric->lower_ratio, metric->upper_ratio);
	g_autofree char *margin = wording_share(metric->margin), *runs = wording_runs(metric);
	g_autofree char *repeats = wording_repeats(metric);
	append_name_and_values(out, benchmark, metric, base, head);
	g_string_append_printf(out, " | **%s** | %s%s%s | %s | %s | ", change, repeats, *range != '\0' ? ": " : "",
	        range, metric->gates ? margin : "–", runs);
	append_verdict(out, metric);
}

void markdown_metric_row(GString *out, const char *benchmark, const MetricComparison *metric)
{
	if (highlights_counts(metric->engine))
		append_counted(out, benchmark, metric);
	else
		append_measured(out, benchmark, metric);
}

void markdown_missing_row(GString *out, const char *benchmark, gboolean counted)
{
	g_string_append(out, "| ");
	markdown_code(out, benchmark);
	g_string_append_printf(out, " |%s – | – | – | – | – | – | – | %s not compared |\n", counted ? "" : " – |",
	        markdown_verdict_sign(VERDICT_ERROR));
}

/* The numbers of a function that was sampled: with their uncertainty. */
static void append_sampled_cells(GString *out, const FunctionComparison *function)
{
	g_autofree char *points = wording_points(function->contribution);
	g_autofree char *interval = wording_points_interval(function->contribution_lower, function->contribution_upper);
	g_autofree char *own = isnan(function->change_ratio) ? g_strdup("–") : wording_change(function->change_ratio);
	g_autofree char *base = wording_count(function->base_samples), *head = wording_count(function->head_samples);
	g_autofree char *p = wording_p_value(!function->tested            ? NAN
	                                     : function->contribution < 0 ? function->p_adjusted_improvement
	                                                                  : function->p_adjusted);
	g_string_append_printf(out, "**%s** | %s | %s | %s → %s | %s", points, interval, own, base, head, p);
}

/* Those of one that was counted: where its runs differ, the range. */
static void append_counted_cells(GString *out, const FunctionComparison *function)
{
	double own = function->change_ratio;
	g_autofree char *points = wording_count_points(function->contribution);
	g_autofree char *range = wording_count_points_range(function->contribution_lower, function->contribution_upper);
	g_autofree char *change = isnan(own) ? g_strdup("–") : wording_count_change(own);
	g_autofree char *base = wording_counted(function->base_cost, NULL),
	                *head = wording_counted(function->head_cost, NULL);
	g_string_append_printf(
	        out, "**%s**%s%s | %s | %s → %s", points, *range != '\0' ? " " : "", range, change, base, head);
}

static void append_function(
        GString *out, const FunctionList *list, const FunctionComparison *function, gboolean with_relation)
{
	g_autofree char *place = highlights_place(list->table, function->frame);
	g_string_append(out, function->gates ? "| ❌ " : "| ");
	markdown_code(out, highlights_name(list->table, function->frame));
	g_string_append(out, " | ");
	if (*place != '\0')
		markdown_code(out, place);
	g_string_append(out, " | ");
	if (list->comparison->exact)
		append_counted_cells(out, function);
	else
		append_sampled_cells(out, function);
	g_string_append_printf(out, " | %s", function_class_name(function->klass));
	if (function->note != NULL) {
		g_string_append(out, ": ");
		markdown_text(out, function->note);
	}
	if (with_relation) {
		g_autofree char *relation = wording_relation(function);
		g_string_append_printf(out, " | %s", *relation != '\0' ? relation : "–");
	}
	g_string_append(out, " |\n");
}

static void append_head(GString *out, const FunctionList *list, gboolean with_relation)
{
	const char *lines = with_relation ? " lines |" : "", *rule = with_relation ? "---|" : "";
	if (!list->comparison->exact) {
		g_string_append_printf(out,
		        "| function | where | contribution | interval, pp | own change | samples | adjusted p | class "
		        "|%s\n"
		        "|---|---|--:|---|--:|--:|--:|---|%s\n",
		        lines, rule);
		return;
	}
	g_string_append(out, "| function | where | contribution | own change | ");
	markdown_text(out, list->event != NULL ? list->event : "count");
	g_string_append_printf(out, " | class |%s\n|---|---|--:|--:|--:|---|%s\n", lines, rule);
}

void markdown_function_table(GString *out, const FunctionList *list, const GPtrArray *functions)
{
	gboolean with_relation = highlights_has_relations(functions);
	append_head(out, list, with_relation);
	for (guint i = 0; i < functions->len; i++)
		append_function(out, list, g_ptr_array_index(functions, i), with_relation);
	g_string_append(out, "\nContributions are percentage points of the base's total ");
	if (list->comparison->exact && list->event != NULL)
		markdown_text(out, list->event);
	else
		g_string_append(out, list->comparison->exact ? "count" : "cost");
	g_string_append_c(out, '.');
	if (with_relation)
		g_string_append(out, " Lines: what the change did to those of a function.");
}
