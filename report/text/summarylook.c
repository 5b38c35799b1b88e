/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarylook.h"

#include "compare/comparison/changewords.h"
#include "compare/comparison/filelabels.h"
#include "compare/comparison/sentence.h"
#include "model/numbers/number.h"
#include "report/text/markdowntext.h"
#include "report/words/highlights.h"
#include "report/words/rowreason.h"

#include <string.h>

/* The outcome of a second measurement, as a clause after the standing. */
static const char *confirmation_clause(const StandingRow *row)
{
	static const char *const clauses[N_CONFIRMATIONS] = {
	        [CONFIRMATION_NOT_NEEDED] = "",
	        [CONFIRMATION_NOT_RUN] = ", measured once",
	        [CONFIRMATION_CONFIRMED] = ", confirmed",
	        [CONFIRMATION_NOT_CONFIRMED] = ", not confirmed",
	        [CONFIRMATION_UNCLEAR] = "",
	        [CONFIRMATION_PARTLY] = ", partly confirmed",
	};
	return row->benchmark->comparison == NULL ? "" : clauses[row->benchmark->comparison->confirmation];
}

/* The metric in words that need no list of metrics: "CPU time +13.4 % [+12.1, +14.7]". */
static void append_change(GString *out, const MetricComparison *metric)
{
	if (metric == NULL) {
		g_string_append(out, "–");
		return;
	}
	g_autofree char *sentence = sentence_of_metric(metric);
	g_autofree char *plain = g_strconcat(change_words_name(metric), sentence + strlen(metric->name), NULL);
	markdown_text(out, plain);
}

/* --- the cause --- */

/* Code with a link around it, if there is one. The address is plain (reviewlinks.h). */
static void append_linked(GString *out, const char *code, const char *address)
{
	if (address != NULL)
		g_string_append_c(out, '[');
	markdown_code(out, code);
	if (address != NULL)
		g_string_append_printf(out, "](%s)", address);
}

void summary_append_file(GString *out, const Summary *summary, const char *file)
{
	g_autofree char *address = review_link_to_file(summary->links, file);
	append_linked(out, file, address);
}

/* "file.c:21" of the place that is linked to: of the edited function where that is another one. */
static char *place_label(const FunctionList *list, const FunctionComparison *function)
{
	const char *edited =
	        list->table == NULL ? "" : file_label(list->comparison, list->table, function->edited_place.file);
	return *edited == '\0' ? highlights_where(list->comparison, list->table, function)
	                       : g_strdup_printf("%s:%u", edited, MAX(function->edited_place.line, 1));
}

/* The relation of the change to the function, in front of the place and after it. */
static void append_relation(
        GString *out, const Summary *summary, const FunctionList *list, const FunctionComparison *function)
{
	g_auto(SourcePlace) place = source_place_of(list, function);
	g_autofree char *address = review_link_to_place(summary->links, summary->result, &place);
	g_autofree char *label = place_label(list, function);
	const char *called = function->contribution < 0 ? ", called less often by " : ", called more often by ";
	gboolean named =
	        list->table != NULL && (function->relation == CHANGE_CALLED_BY_TOUCHED ||
	                                       (function->relation == CHANGE_TOUCHED &&
	                                               stack_table_is_inlined(list->table, function->through)));
	if (named) {
		g_string_append(out, function->relation == CHANGE_TOUCHED ? ", whose inlined " : called);
		markdown_code(out, highlights_name(list->table, function->through));
	}
	if (*label != '\0') {
		g_string_append(out, " (");
		append_linked(out, label, address);
		g_string_append_c(out, ')');
	}
	if (function->relation == CHANGE_CALLS_TOUCHED)
		g_string_append(out, ", which calls code edited in this change");
	else if (function->relation == CHANGE_UNTOUCHED)
		g_string_append(out, ", not edited in this change");
	else if (function->relation == CHANGE_TOUCHED || function->relation == CHANGE_CALLED_BY_TOUCHED)
		g_string_append(out, named && function->relation == CHANGE_TOUCHED ? " is edited in this change"
		                                                                   : ", edited in this change");
}

/* The function with its part of the change, which is said to be a part where it explains less than half. */
static void append_function(GString *out, const Summary *summary, const StandingRow *row, const FunctionList *list,
        const FunctionComparison *function)
{
	g_autofree char *points = list->comparison->counted ? number_count_points(function->contribution)
	                                                    : number_points(function->contribution);
	gboolean of_total = row->standing != STANDING_SLOWER && row->standing != STANDING_SHIFTED;
	gboolean is_part = list->comparison == row->benchmark->comparison && of_total &&
	                   sentence_is_part(list->comparison, function);
	g_autofree char *total = is_part ? number_points(list->comparison->total_change) : NULL;
	g_string_append(out, is_part ? "in part " : "");
	markdown_code(out, highlights_name(list->table, function->frame));
	g_string_append_printf(out, " **%s**%s%s", points, is_part ? " of " : "", is_part ? total : "");
	append_relation(out, summary, list, function);
	if (function->note != NULL) {
		g_string_append(out, "; ");
		markdown_text(out, function->note);
	}
}

static const FunctionComparison *cause_of(const StandingRow *row, FunctionList *list)
{
	switch (row->standing) {
	case STANDING_REGRESSED:
	case STANDING_ACCEPTED:
		return highlights_culprit(row->benchmark, list);
	case STANDING_SLOWER:
	case STANDING_SHIFTED:
		return highlights_slower_function(row->benchmark, list);
	case STANDING_IMPROVED:
		return highlights_saver(row->benchmark, list);
	default:
		return NULL;
	}
}

static void append_acceptance(GString *out, const BenchmarkComparison *comparison)
{
	const AcceptedRegression *accepted = comparison->accepted->pdata[0];
	g_string_append(out, "; accepted in ");
	markdown_code(out, accepted->where);
	g_string_append(out, ": ");
	markdown_text(out, accepted->reason);
}

static void append_cause(GString *out, const Summary *summary, const StandingRow *row)
{
	FunctionList list;
	const ResultBenchmark *benchmark = row->benchmark;
	const FunctionComparison *function = cause_of(row, &list);
	const char *picture = highlights_artifact(benchmark, "diff_svg");
	g_autofree char *reason = row_reason(summary->result, benchmark);
	g_autofree char *address = picture != NULL ? review_link_to_file(summary->links, picture) : NULL;
	if (function != NULL)
		append_function(out, summary, row, &list, function);
	else if (row->standing == STANDING_SLOWER || row->standing == STANDING_SHIFTED)
		markdown_text(out, benchmark->comparison->slower);
	else
		markdown_message(out, reason);
	if (row->standing == STANDING_ACCEPTED)
		append_acceptance(out, benchmark->comparison);
	if (address != NULL)
		g_string_append_printf(out, " · [flame graph](%s)", address);
}

static void append_row(GString *out, const Summary *summary, const StandingRow *row)
{
	g_string_append(out, "| ");
	markdown_code(out, row->benchmark->name);
	g_string_append_printf(out, " | %s %s%s | ", markdown_standing_sign(row->standing),
	        standing_word(row->benchmark, row->standing), confirmation_clause(row));
	append_change(out, row->metric);
	g_string_append(out, " | ");
	append_cause(out, summary, row);
	g_string_append(out, " |\n");
}

/* The terms that the rows use, in plain words. */
static const struct {
	const char *mark, *meaning;
} terms[] = {
        {" CPU time ", "CPU time is that of all threads and processes of the benchmark (metric `task-clock`)."},
        {" % [", "In brackets: the range in which the true change lies."},
        {" pp**", "pp: percentage points of base's whole cost; what all functions add and save is the change."},
        {"unclear", "Unclear: neither a regression nor a pass was shown."},
};

static void add_terms(TextBlocks *blocks, const char *rows)
{
	GString *out = text_blocks_add(blocks, DROP_REASON, PART_FRAME);
	for (gsize i = 0; i < G_N_ELEMENTS(terms); i++)
		if (strstr(rows, terms[i].mark) != NULL)
			g_string_append_printf(out, "%s ", terms[i].meaning);
	if (out->len > 0)
		g_string_append(out, "Other terms: `firebreak glossary`.\n\n");
}

/* The first row stands in one block with the head, so the table is never without rows unless nothing else is left. */
void summary_look_add(TextBlocks *blocks, const Summary *summary)
{
	g_autoptr(GString) all = g_string_new(NULL);
	for (guint i = 0; i < summary->n_look; i++) {
		const StandingRow *row = &g_array_index(summary->rows, StandingRow, i);
		guint rank = row->standing <= STANDING_BROKEN ? DROP_WORST : DROP_LOOK;
		GString *out = text_blocks_add(blocks, rank, PART_BENCHMARK);
		if (i == 0)
			g_string_append(out, "| benchmark | result | change | main cause |\n|---|---|---|---|\n");
		gsize begin = out->len;
		append_row(out, summary, row);
		g_string_append(all, out->str + begin);
	}
	if (summary->n_look == 0)
		return;
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
	add_terms(blocks, all->str);
}
