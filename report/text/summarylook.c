/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarylook.h"

#include "compare/comparison/filelabels.h"
#include "compare/comparison/sentence.h"
#include "model/numbers/number.h"
#include "report/text/markdowntext.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"

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

static void append_change(GString *out, const MetricComparison *metric)
{
	if (metric == NULL) {
		g_string_append(out, "–");
		return;
	}
	g_autofree char *sentence = sentence_of_metric(metric);
	markdown_text(out, sentence);
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
	gboolean named =
	        list->table != NULL && (function->relation == CHANGE_CALLED_BY_TOUCHED ||
	                                       (function->relation == CHANGE_TOUCHED &&
	                                               stack_table_is_inlined(list->table, function->through)));
	if (named) {
		g_string_append(
		        out, function->relation == CHANGE_TOUCHED ? ", whose inlined " : ", called more often by ");
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

static void append_function(
        GString *out, const Summary *summary, const FunctionList *list, const FunctionComparison *function)
{
	g_autofree char *points = list->comparison->counted ? number_count_points(function->contribution)
	                                                    : number_points(function->contribution);
	markdown_code(out, highlights_name(list->table, function->frame));
	g_string_append_printf(out, " **%s**", points);
	append_relation(out, summary, list, function);
}

/* The function that became cheaper by the most, and its list; NULL if none did for certain. */
static const FunctionComparison *saving_function(const ResultBenchmark *benchmark, FunctionList *list)
{
	FunctionList lists[FUNCTION_LISTS];
	const FunctionComparison *best = NULL;
	guint n = highlights_function_lists(benchmark, lists);
	for (guint i = 0; i < n && best == NULL; i++) {
		for (guint j = 0; j < lists[i].comparison->functions->len; j++) {
			const FunctionComparison *f = lists[i].comparison->functions->pdata[j];
			gboolean saves = f->klass == FUNCTION_IMPROVEMENT || f->klass == FUNCTION_REMOVED;
			if (saves && f->contribution < (best != NULL ? best->contribution : 0))
				best = f;
		}
		*list = lists[i];
	}
	return best;
}

static const FunctionComparison *cause_of(const StandingRow *row, FunctionList *list)
{
	switch (row->standing) {
	case STANDING_REGRESSED:
	case STANDING_ACCEPTED:
		return highlights_culprit(row->benchmark, list);
	case STANDING_SLOWER:
		return highlights_slower_function(row->benchmark, list);
	case STANDING_IMPROVED:
		return saving_function(row->benchmark, list);
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
	g_autofree char *address = picture != NULL ? review_link_to_file(summary->links, picture) : NULL;
	if (function != NULL)
		append_function(out, summary, &list, function);
	else if (row->standing == STANDING_SLOWER)
		markdown_text(out, benchmark->comparison->slower);
	else
		markdown_message(out, benchmark_line_reason(summary->result, benchmark));
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

/* The first row stands in one block with the head, so the table is never without rows unless nothing else is left. */
void summary_look_add(TextBlocks *blocks, const Summary *summary)
{
	GString *out = NULL;
	for (guint i = 0; i < summary->n_look; i++) {
		const StandingRow *row = &g_array_index(summary->rows, StandingRow, i);
		guint rank = row->standing <= STANDING_BROKEN ? DROP_WORST : DROP_LOOK;
		out = text_blocks_add(blocks, rank, PART_BENCHMARK);
		if (i == 0)
			g_string_append(out, "| benchmark | result | change | main cause |\n|---|---|---|---|\n");
		append_row(out, summary, row);
	}
	if (out != NULL)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}
