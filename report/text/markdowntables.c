/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/markdowntables.h"

#include "compare/comparison/shownvalues.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/text/markdowntext.h"
#include "report/words/wording.h"

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
	Verdict sign = metric->accepted ? VERDICT_INCONCLUSIVE : metric->verdict;
	if (metric->gates)
		g_string_append_printf(out, "%s ", markdown_verdict_sign(sign));
	g_string_append(out, wording_metric_verdict(metric));
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
	if (wording_not_judged(metric) != NULL)
		return g_strdup("–");
	return isfinite(metric->mde_ratio) ? number_share(metric->mde_ratio) : g_strdup("too few rounds");
}

static void append_measured(GString *out, const char *benchmark, const MetricComparison *metric)
{
	g_autofree char *base = number_value(metric->base, metric->unit),
	                *head = number_value(metric_shown_head(metric), metric->unit);
	g_autofree char *change = number_change(metric->change_ratio);
	g_autofree char *interval = wording_metric_interval(metric);
	g_autofree char *margin = wording_margins(metric), *detectable = detectable_words(metric);
	append_name_and_values(out, benchmark, metric, base, head);
	g_string_append_printf(out, " | **%s** | %s | ", change, interval);
	g_string_append_printf(out, "%s | %s | %u | ", metric->gates ? margin : "–", detectable, metric->rounds);
	append_verdict(out, metric);
}

static void append_counted(GString *out, const char *benchmark, const MetricComparison *metric)
{
	g_autofree char *base = number_counted(metric->base, highlights_unit(metric)),
	                *head = number_counted(metric->head, highlights_unit(metric));
	g_autofree char *change = number_count_change(metric->change_ratio);
	g_autofree char *range = number_count_range(metric->lower_ratio, metric->upper_ratio);
	g_autofree char *margin = number_share(metric->margin), *runs = wording_runs(metric);
	g_autofree char *repeats = wording_repeats(metric);
	append_name_and_values(out, benchmark, metric, base, head);
	g_string_append_printf(out, " | **%s** | %s%s%s | %s | %s | ", change, repeats, *range != '\0' ? ": " : "",
	        range, metric->gates ? margin : "–", runs);
	append_verdict(out, metric);
}

void markdown_metric_row(GString *out, const char *benchmark, const MetricComparison *metric)
{
	if (engine_counts(metric->engine))
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

/* A function's part of the base's total cost: "8.9 %". With its contribution that is what head costs, which may be more
 * than all of base and therefore is no share. */
static char *base_share(const MarkdownFunctions *table, double base_cost)
{
	return isfinite(table->base_total) ? number_base_share(base_cost, table->base_total) : g_strdup("–");
}

/* The numbers of a function that was sampled: with their uncertainty. */
static void append_sampled_cells(GString *out, const MarkdownFunctions *table, const FunctionComparison *function)
{
	g_autofree char *points = number_points(function->contribution);
	g_autofree char *interval = number_points_interval(function->contribution_lower, function->contribution_upper);
	g_autofree char *own = isnan(function->change_ratio) ? g_strdup("–") : number_change(function->change_ratio);
	g_autofree char *share = base_share(table, function->base_cost);
	g_autofree char *p = number_p_value(!function->tested            ? NAN
	                                    : function->contribution < 0 ? function->p_adjusted_improvement
	                                                                 : function->p_adjusted);
	g_string_append_printf(out, "**%s** | %s | %s | %s | %s", points, interval, own, share, p);
}

/* Those of one that was counted: where its runs differ, the range. */
static void append_counted_cells(GString *out, const MarkdownFunctions *table, const FunctionComparison *function)
{
	double own = function->change_ratio;
	g_autofree char *points = number_count_points(function->contribution);
	g_autofree char *range = number_count_points_range(function->contribution_lower, function->contribution_upper);
	g_autofree char *change = isnan(own) ? g_strdup("–") : number_count_change(own);
	g_autofree char *base = number_counted(function->base_cost, NULL),
	                *head = number_counted(function->head_cost, NULL);
	g_autofree char *share = base_share(table, function->base_cost);
	g_string_append_printf(out, "**%s**%s%s | %s | %s | %s → %s", points, *range != '\0' ? " " : "", range, change,
	        share, base, head);
}

static void append_part_numbers(GString *out, const MarkdownFunctions *table, const InlinedPart *part)
{
	double lower = part->contribution_lower, upper = part->contribution_upper;
	g_autofree char *share = base_share(table, part->base_cost);
	if (!table->list->comparison->counted) {
		g_autofree char *points = number_points(part->contribution);
		g_autofree char *interval = number_points_interval(lower, upper);
		g_string_append_printf(out, "%s | %s | – | %s | –", points, interval, share);
		return;
	}
	g_autofree char *points = number_count_points(part->contribution);
	g_autofree char *range = number_count_points_range(lower, upper);
	g_autofree char *base = number_counted(part->base_cost, NULL), *head = number_counted(part->head_cost, NULL);
	g_string_append_printf(
	        out, "%s%s%s | – | %s | %s → %s", points, *range != '\0' ? " " : "", range, share, base, head);
}

static void append_part(GString *out, const MarkdownFunctions *table, const InlinedPart *part, gboolean is_rest)
{
	const FunctionList *list = table->list;
	const char *relation = wording_part_relation(part);
	g_autofree char *place = highlights_part_where(list->comparison, list->table, part);
	g_string_append(out, "| ↳ ");
	if (!is_rest)
		markdown_code(out, highlights_name(list->table, part->frame));
	g_string_append_printf(out, "%s | ", wording_part(is_rest));
	if (*place != '\0')
		markdown_code(out, place);
	g_string_append(out, " | ");
	append_part_numbers(out, table, part);
	g_string_append(out, " | ");
	if (table->with_relation)
		g_string_append_printf(out, " | %s", *relation != '\0' ? relation : "–");
	g_string_append(out, " |\n");
}

static void append_function(GString *out, const MarkdownFunctions *table, const FunctionComparison *function)
{
	const StackTable *names = table->list->table;
	g_autofree char *place = highlights_where(table->list->comparison, names, function);
	g_autofree char *was = highlights_was(names, function);
	g_string_append(out, function->gates ? "| ❌ " : "| ");
	markdown_code(out, highlights_name(names, function->frame));
	g_string_append(out, " | ");
	if (*place != '\0')
		markdown_code(out, place);
	if (was != NULL) {
		g_string_append(out, ", was ");
		markdown_code(out, was);
	}
	g_string_append(out, " | ");
	if (table->list->comparison->counted)
		append_counted_cells(out, table, function);
	else
		append_sampled_cells(out, table, function);
	g_string_append_printf(out, " | %s", highlights_class(table->list->comparison, function));
	if (wording_hold(function) != NULL)
		g_string_append_printf(out, ", %s", wording_hold(function));
	if (function->note != NULL) {
		g_string_append(out, ": ");
		markdown_text(out, function->note);
	}
	if (table->with_relation) {
		g_autofree char *relation = wording_relation(function);
		g_string_append_printf(out, " | %s", *relation != '\0' ? relation : "–");
	}
	g_string_append(out, " |\n");
}

void markdown_functions_row(GString *out, const MarkdownFunctions *table, const FunctionComparison *function)
{
	g_autoptr(GPtrArray) parts = highlights_parts(function);
	append_function(out, table, function);
	for (guint i = 0; i < parts->len; i++) {
		const InlinedPart *part = g_ptr_array_index(parts, i);
		append_part(out, table, part, highlights_is_rest(function, part));
	}
}

void markdown_functions_head(GString *out, const MarkdownFunctions *table)
{
	const FunctionList *list = table->list;
	const char *lines = table->with_relation ? " lines |" : "", *rule = table->with_relation ? "---|" : "";
	if (!list->comparison->counted) {
		g_string_append_printf(out,
		        "| function | where | contribution | interval, pp | own change | share of base | adjusted p | "
		        "class "
		        "|%s\n"
		        "|---|---|--:|---|--:|--:|--:|---|%s\n",
		        lines, rule);
		return;
	}
	g_string_append(out, "| function | where | contribution | own change | share of base | ");
	markdown_text(out, list->event != NULL ? list->event : "count");
	g_string_append_printf(out, " | class |%s\n|---|---|--:|--:|--:|--:|---|%s\n", lines, rule);
}

void markdown_functions_note(GString *out, const MarkdownFunctions *table, const GPtrArray *shown)
{
	const FunctionList *list = table->list;
	g_string_append(out, "\nContributions are percentage points of the base's total ");
	if (list->comparison->counted && list->event != NULL)
		markdown_text(out, list->event);
	else
		g_string_append(out, list->comparison->counted ? "count" : "cost");
	g_string_append(out, ", as is a function's share of base.");
	if (table->with_relation)
		g_string_append(out, " Lines: what the change did to those of a function.");
	g_autofree char *rest = wording_rest(list->comparison, shown);
	if (rest != NULL)
		g_string_append_printf(out, " %c%s.", g_ascii_toupper(*rest), rest + 1);
}

MarkdownFunctions markdown_functions(const FunctionList *list, const GPtrArray *functions)
{
	return (MarkdownFunctions){.list = list,
	        .with_relation = highlights_has_relations(functions),
	        .base_total = highlights_base_total(list->comparison)};
}
