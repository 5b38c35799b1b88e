/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlannotation.h"

#include "compare/source/annotation.h"
#include "report/html/htmltext.h"
#include "report/words/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES 620  /* that a row takes, text of usual length assumed */
#define MIN_ROWS 6     /* a table of fewer is none */
#define LINES_SHARE .6 /* of the room of a function; instructions have the rest */
#define TEXT_CHARS 300 /* of a line */

/* A row of either table. */
typedef struct {
	char base_place[24], head_place[24]; /* line or offset; "" = not on that side */
	const char *text, *base_text;
	double base_self, head_self, base_total, head_total;
	guint64 base_samples, head_samples;
	guint32 line; /* of an instruction; 0 = not known */
	guint left_out;
	gboolean in_base, in_head, edited;
} Row;

typedef struct {
	const HtmlEvidence *evidence;
	GArray *rows;          /* of Row; texts are borrowed from the annotation */
	gboolean instructions; /* else lines */
	gboolean with_totals;  /* some line costs more with what it calls */
	double largest;        /* cost of a row on either side */
} Table;

/* The anchor is that of a function on the page. */
typedef struct {
	gsize room;
	gboolean first;
} Place;

/* --- rows --- */

static Row line_row(const AnnotatedLine *line)
{
	Row row = {
	        .text = line->text,
	        .base_text = line->base_text,
	        .base_self = line->base_self,
	        .head_self = line->head_self,
	        .base_total = line->base_total,
	        .head_total = line->head_total,
	        .base_samples = line->base_samples,
	        .head_samples = line->head_samples,
	        .left_out = line->n_left_out,
	        .in_base = line->base_line > 0,
	        .in_head = line->head_line > 0,
	        .edited = line->edited,
	};
	if (row.in_base)
		g_snprintf(row.base_place, sizeof row.base_place, "%u", line->base_line);
	if (row.in_head)
		g_snprintf(row.head_place, sizeof row.head_place, "%u", line->head_line);
	return row;
}

static Row instruction_row(const AnnotatedInstruction *instruction)
{
	Row row = {
	        .text = instruction->text,
	        .base_text = instruction->base_text,
	        .base_self = instruction->base_self,
	        .head_self = instruction->head_self,
	        .base_total = NAN,
	        .head_total = NAN,
	        .base_samples = instruction->base_samples,
	        .head_samples = instruction->head_samples,
	        .line = instruction->head_line > 0 ? instruction->head_line : instruction->base_line,
	        .left_out = instruction->n_left_out,
	        .in_base = instruction->in_base,
	        .in_head = instruction->in_head,
	};
	gboolean on_both = row.in_base && row.in_head;
	row.edited = row.in_base != row.in_head || (on_both && row.base_text != NULL);
	if (row.in_base)
		g_snprintf(row.base_place, sizeof row.base_place, "+%" G_GINT64_MODIFIER "x", instruction->base_offset);
	if (row.in_head)
		g_snprintf(row.head_place, sizeof row.head_place, "+%" G_GINT64_MODIFIER "x", instruction->head_offset);
	return row;
}

static gboolean is_gap(const Row *row)
{
	return !row->in_base && !row->in_head;
}

static double known(double value)
{
	return isfinite(value) ? value : 0;
}

/* The worth of a row to a reader: its cost, and that it was edited as much as a tenth of the dearest. */
static double worth_of(const Table *table, const Row *row)
{
	double cost = MAX(known(row->base_self), known(row->head_self));
	double called = MAX(known(row->base_total), known(row->head_total));
	return cost + called / 1000 + (row->edited ? table->largest / 10 : 0);
}

static int by_worth(gconstpointer left, gconstpointer right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a > b ? -1 : a < b;
}

/* The worth that the row in place `max_rows` has, and all that stay have at least. */
static double least_worth(const Table *table, guint max_rows)
{
	g_autofree double *worths = g_new(double, MAX(table->rows->len, 1));
	for (guint i = 0; i < table->rows->len; i++)
		worths[i] = worth_of(table, &g_array_index(table->rows, Row, i));
	qsort(worths, table->rows->len, sizeof *worths, by_worth);
	return worths[MIN(max_rows, table->rows->len) - 1];
}

/* Makes gaps of the rows that are worth least, so that at most `max_rows` and their gaps stay. */
static void narrow(Table *table, guint max_rows)
{
	if (table->rows->len <= max_rows)
		return;
	double least = least_worth(table, max_rows);
	guint room = max_rows;
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(Row));
	for (guint i = 0; i < table->rows->len; i++) {
		Row row = g_array_index(table->rows, Row, i);
		Row *last = kept->len > 0 ? &g_array_index(kept, Row, kept->len - 1) : NULL;
		if (!is_gap(&row) && room > 0 && worth_of(table, &row) >= least) {
			g_array_append_val(kept, row);
			room--;
			continue;
		}
		guint n = is_gap(&row) ? row.left_out : 1;
		Row gap = {.left_out = n};
		if (last != NULL && is_gap(last))
			last->left_out += n;
		else
			g_array_append_val(kept, gap);
	}
	g_array_unref(table->rows);
	table->rows = kept;
}

static Table table_of(const HtmlEvidence *evidence, const FunctionAnnotation *annotation, gboolean instructions)
{
	Table table = {.evidence = evidence, .instructions = instructions};
	const GArray *source = instructions ? annotation->instructions : annotation->lines;
	table.rows = g_array_sized_new(FALSE, FALSE, sizeof(Row), source->len);
	for (guint i = 0; i < source->len; i++) {
		Row row = instructions ? instruction_row(&g_array_index(source, AnnotatedInstruction, i))
		                       : line_row(&g_array_index(source, AnnotatedLine, i));
		table.largest = MAX(table.largest, MAX(known(row.base_self), known(row.head_self)));
		table.with_totals |= known(row.base_total) > known(row.base_self) * (1 + 1e-9) ||
		                     known(row.head_total) > known(row.head_self) * (1 + 1e-9);
		g_array_append_val(table.rows, row);
	}
	return table;
}

/* --- cells --- */

static char *say_cost(const HtmlEvidence *evidence, double cost)
{
	return html_line_cost(cost, evidence->counted, evidence->list.unit);
}

static char *say_change(const HtmlEvidence *evidence, double change)
{
	if (!isfinite(change) || change == 0)
		return g_strdup("");
	g_autofree char *size = say_cost(evidence, fabs(change));
	return g_strdup_printf("%s%s", change > 0 ? "+" : "−", size);
}

static char *say_pair(const char *base, const char *head)
{
	gboolean empty = *base == '\0' && *head == '\0';
	return empty ? g_strdup("")
	             : g_strdup_printf("%s → %s", *base != '\0' ? base : "0", *head != '\0' ? head : "0");
}

/* Base above head, as long as their share of the dearest row. */
static void append_bar(GString *out, const Table *table, const Row *row)
{
	const double costs[] = {known(row->base_self), known(row->head_self)};
	g_string_append(out, "<td class=\"cost\">");
	if (table->largest > 0 && (costs[0] > 0 || costs[1] > 0)) {
		g_string_append(out, "<svg width=\"60\" height=\"12\" aria-hidden=\"true\">");
		for (guint side = 0; side < G_N_ELEMENTS(costs); side++) {
			g_string_append_printf(out, "<rect class=\"%s\" fill=\"%s\" y=\"%u\" height=\"4\"",
			        side == 0 ? "of-base" : "of-head", side == 0 ? "#8c959f" : "#24292f", 1 + 6 * side);
			html_percent_attribute(out, "width", 100 * costs[side] / table->largest);
			g_string_append(out, "/>");
		}
		g_string_append(out, "</svg>");
	}
	g_string_append(out, "</td>");
}

static const char *sign_of(const Row *row)
{
	if (!row->edited)
		return "";
	return !row->in_base ? "+" : !row->in_head ? "−" : "~";
}

/* Writes both texts where a line became another one. */
static void append_text(GString *out, const Row *row)
{
	static const char *const words[] = {"changed", "added", "removed"};
	const char *sign = sign_of(row);
	const char *word = words[*sign == '+' ? 1 : *sign == '~' ? 0 : 2];
	g_string_append(out, "<td class=\"sign\">");
	if (*sign != '\0')
		g_string_append_printf(out, "<span role=\"img\" aria-label=\"%s\">%s</span>", word, sign);
	g_string_append(out, "</td><td class=\"code\">");
	if (row->base_text != NULL) {
		g_string_append(out, "<del>");
		html_source(out, row->base_text, TEXT_CHARS);
		g_string_append(out, "</del><ins>");
		html_source(out, row->text, TEXT_CHARS);
		g_string_append(out, "</ins></td>");
		return;
	}
	html_source(out, row->text, TEXT_CHARS);
	g_string_append(out, "</td>");
}

static void append_costs(GString *out, const Table *table, const Row *row)
{
	const HtmlEvidence *evidence = table->evidence;
	g_autofree char *base = row->in_base ? say_cost(evidence, row->base_self) : g_strdup("");
	g_autofree char *head = row->in_head ? say_cost(evidence, row->head_self) : g_strdup("");
	gboolean comparable =
	        (isfinite(row->base_self) || !row->in_base) && (isfinite(row->head_self) || !row->in_head);
	g_autofree char *change =
	        say_change(evidence, comparable ? known(row->head_self) - known(row->base_self) : NAN);
	html_element(out, "td", "n", base);
	html_element(out, "td", "n", head);
	html_element(out, "td", "n", change);
	append_bar(out, table, row);
	if (table->with_totals) {
		g_autofree char *called_base = say_cost(evidence, row->in_base ? row->base_total : 0);
		g_autofree char *called_head = say_cost(evidence, row->in_head ? row->head_total : 0);
		g_autofree char *pair = say_pair(called_base, called_head);
		html_element(out, "td", "n", pair);
	}
	if (!evidence->counted) {
		g_autofree char *samples = row->base_samples + row->head_samples == 0
		                                   ? g_strdup("")
		                                   : g_strdup_printf("%" G_GUINT64_FORMAT " → %" G_GUINT64_FORMAT,
		                                             row->base_samples, row->head_samples);
		html_element(out, "td", "n", samples);
	}
}

static guint columns_of(const Table *table)
{
	return 8 + (guint)table->instructions + (guint)table->with_totals + (guint)!table->evidence->counted;
}

static void append_row(GString *out, const Table *table, const Row *row)
{
	if (is_gap(row)) {
		const char *what = table->instructions ? "instruction" : "line";
		g_string_append_printf(out, "<tr class=\"gap\"><td colspan=\"%u\">… %u %s%s left out</td></tr>\n",
		        columns_of(table), row->left_out, what, row->left_out == 1 ? "" : "s");
		return;
	}
	g_string_append(out, row->edited ? "<tr class=\"edited\">" : "<tr>");
	g_string_append_printf(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>", row->base_place, row->head_place);
	append_costs(out, table, row);
	if (table->instructions && row->line > 0)
		g_string_append_printf(out, "<td class=\"n\">%u</td>", row->line);
	else if (table->instructions)
		g_string_append(out, "<td></td>");
	append_text(out, row);
	g_string_append(out, "</tr>\n");
}

/* --- tables --- */

static void append_head(GString *out, const Table *table)
{
	const char *unit = table->instructions ? "" : " line";
	g_string_append_printf(out,
	        "<thead><tr><th scope=\"col\" class=\"n\">base%s</th><th scope=\"col\" class=\"n\">head%s</th>"
	        "<th scope=\"col\" class=\"n\">base</th><th scope=\"col\" class=\"n\">head</th><th scope=\"col\" "
	        "class=\"n\">change</th><th scope=\"col\"></th>",
	        unit, unit);
	if (table->with_totals)
		g_string_append(out, "<th scope=\"col\" class=\"n\">with what it calls</th>");
	if (!table->evidence->counted)
		g_string_append(out, "<th scope=\"col\" class=\"n\">samples</th>");
	if (table->instructions)
		g_string_append(out, "<th scope=\"col\" class=\"n\">line</th>");
	g_string_append_printf(out, "<th scope=\"col\"></th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
	        table->instructions ? "instruction" : "source");
}

/* A table that can be scrolled with the keyboard. */
static void append_table(GString *out, const Table *table, const char *label)
{
	g_string_append(out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
	html_text(out, label);
	g_string_append(out, "\"><table class=\"annotated\">\n");
	append_head(out, table);
	for (guint i = 0; i < table->rows->len; i++)
		append_row(out, table, &g_array_index(table->rows, Row, i));
	g_string_append(out, "</tbody></table></div>\n");
}

static void append_note(GString *out, const char *note)
{
	if (note != NULL && *note != '\0')
		html_element(out, "p", "note", note);
}

/* Cost of the function that stands in none of its lines. */
static void append_other(GString *out, const HtmlEvidence *evidence, const FunctionAnnotation *annotation)
{
	if (!(annotation->other_base > 0) && !(annotation->other_head > 0))
		return;
	g_autofree char *base = say_cost(evidence, annotation->other_base);
	g_autofree char *head = say_cost(evidence, annotation->other_head);
	g_autofree char *pair = say_pair(base, head);
	g_autofree char *text = g_strdup_printf("In lines of other files, or that are not known: %s.", pair);
	append_note(out, text);
}

/* The changes of the lines that were edited, and of the others of the function. */
typedef struct {
	guint n_edited;
	double edited, called, others; /* own cost, that with what the line calls, own cost */
} Changes;

static Changes changes_of(const FunctionAnnotation *annotation)
{
	Changes changes = {.others = known(annotation->other_head) - known(annotation->other_base)};
	for (guint i = 0; i < annotation->lines->len; i++) {
		const AnnotatedLine *line = &g_array_index(annotation->lines, AnnotatedLine, i);
		double own = known(line->head_self) - known(line->base_self);
		if (line->edited) {
			changes.n_edited++;
			changes.edited += own;
			changes.called += known(line->head_total) - known(line->base_total);
		} else {
			changes.others += own;
		}
	}
	return changes;
}

static char *say_change_or_none(const HtmlEvidence *evidence, double change)
{
	g_autofree char *said = say_change(evidence, change);
	return *said != '\0' ? g_steal_pointer(&said) : g_strdup("no change");
}

/* A reader who looks at the edited lines alone may miss where the time went. */
static void append_edited(GString *out, const HtmlEvidence *evidence, const FunctionAnnotation *annotation)
{
	Changes changes = changes_of(annotation);
	if (changes.n_edited == 0)
		return;
	g_autofree char *own = say_change_or_none(evidence, changes.edited);
	g_autofree char *called = say_change_or_none(evidence, changes.called);
	g_autofree char *others = say_change_or_none(evidence, changes.others);
	g_autofree char *and_called =
	        strcmp(own, called) == 0 ? g_strdup("") : g_strdup_printf(" (%s with the functions they call)", called);
	g_autofree char *text = g_strdup_printf(
	        "Change of the edited lines: %s%s; of the other lines of this function: %s.", own, and_called, others);
	append_note(out, text);
}

/* A sample stands after the instruction that took the time, since that is where the processor was interrupted. */
static void append_skid(GString *out, const HtmlEvidence *evidence)
{
	if (evidence->counted)
		return;
	append_note(out, evidence->counts_annotated
	                         ? "A sample may belong to the instruction before the one it stands at, and so to the "
	                           "line before. Counts do not slip like that: those of the same functions are under "
	                           "the functions by counts."
	                         : "A sample may belong to the instruction before the one it stands at, and so to the "
	                           "line before.");
}

/* The rows that fit, or a word on where they are. */
static void append_rows(GString *out, Table *table, const char *name, gsize room)
{
	guint max_rows = (guint)MIN(room / ROW_BYTES, G_MAXINT);
	const char *what = table->instructions ? "instructions" : "lines";
	gsize before = out->len;
	if (table->rows->len == 0)
		return;
	if (max_rows >= MIN(MIN_ROWS, table->rows->len)) {
		g_autofree char *label = g_strdup_printf("%s of %s", what, name);
		narrow(table, max_rows);
		append_table(out, table, label);
	}
	if (out->len == before || out->len - before > 2 * room) {
		g_string_truncate(out, before);
		g_string_append_printf(out, "<p class=\"note\">Its %s are in report.json.</p>\n", what);
	}
}

/* TRUE if this function alone fails the check. */
static gboolean is_gating(const HtmlEvidence *evidence, FrameId frame)
{
	const GPtrArray *functions = evidence->list.comparison->functions;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(functions, i);
		if (function->frame.index == frame.index)
			return function->gates;
	}
	return FALSE;
}

static void append_summary(
        GString *out, const HtmlEvidence *evidence, const FunctionAnnotation *annotation, gboolean open)
{
	const char *file = *annotation->head_file != '\0' ? annotation->head_file : annotation->base_file;
	g_string_append_printf(out, "<details class=\"annotation\"%s><summary>", open ? " open=\"\"" : "");
	html_code(out, highlights_name(evidence->list.table, annotation->frame));
	if (*file != '\0') {
		g_string_append(out, " <span class=\"more\">");
		html_name(out, file, HTML_NAME_CHARS);
		if (*annotation->base_file != '\0' && strcmp(file, annotation->base_file) != 0) {
			g_string_append(out, ", was ");
			html_name(out, annotation->base_file, HTML_NAME_CHARS);
		}
		g_string_append(out, "</span>");
	}
	g_string_append(out, "</summary>\n");
}

/* Lines first; instructions are folded where there are lines. */
static void append_instructions(
        GString *out, const FunctionAnnotation *annotation, Table *instructions, const char *name, gsize room)
{
	gsize before = out->len;
	g_string_append_printf(out, "<details class=\"instructions\"%s><summary>Instructions</summary>\n",
	        annotation->lines->len == 0 ? " open=\"\"" : "");
	gsize start = out->len;
	append_note(out, annotation->instructions_note);
	append_rows(out, instructions, name, room);
	if (out->len == start)
		g_string_truncate(out, before);
	else
		g_string_append(out, "</details>\n");
}

static void append_function(
        GString *out, const HtmlEvidence *evidence, const FunctionAnnotation *annotation, Place place)
{
	const char *name = highlights_name(evidence->list.table, annotation->frame);
	Table lines = table_of(evidence, annotation, FALSE), instructions = table_of(evidence, annotation, TRUE);
	gsize before = out->len;
	gsize room = instructions.rows->len > 0 ? (gsize)(LINES_SHARE * (double)place.room) : place.room;
	append_summary(out, evidence, annotation, place.first && is_gating(evidence, annotation->frame));
	append_note(out, annotation->note);
	append_edited(out, evidence, annotation);
	append_rows(out, &lines, name, room);
	append_other(out, evidence, annotation);
	if (lines.rows->len + instructions.rows->len > 0)
		append_skid(out, evidence);
	append_instructions(out, annotation, &instructions, name, place.room - MIN(place.room, out->len - before));
	g_string_append(out, "</details>\n");
	g_array_unref(lines.rows);
	g_array_unref(instructions.rows);
}

void html_annotations(HtmlPage *page, const HtmlEvidence *evidence, gsize max_bytes)
{
	const GPtrArray *annotations = evidence->annotations;
	GString *out = page->body;
	if (annotations == NULL || annotations->len == 0)
		return;
	g_string_append(out, "<h4>Source and instructions</h4>\n");
	g_string_append_printf(out,
	        "<p class=\"note\">What stands in each line costs so much per run and unit of work, without what it "
	        "calls; the bars are base above head.%s</p>\n",
	        evidence->counted ? "" : " Single lines are not tested, and few samples say little.");
	gsize start = out->len;
	guint n = 0;
	for (; n < annotations->len; n++) {
		gsize left = max_bytes - MIN(max_bytes, out->len - start);
		gsize room = left / (annotations->len - n);
		if (room < MIN_ROWS * ROW_BYTES)
			room = MIN(left, MIN_ROWS * ROW_BYTES);
		if (room < MIN_ROWS * ROW_BYTES)
			break;
		append_function(out, evidence, g_ptr_array_index(annotations, n), (Place){room, n == 0});
	}
	if (n < annotations->len)
		g_string_append_printf(out, "<p class=\"note\">%u more annotated function%s in report.json.</p>\n",
		        annotations->len - n, annotations->len - n == 1 ? " is" : "s are");
}
