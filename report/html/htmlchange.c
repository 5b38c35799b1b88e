/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlchange.h"

#include "model/numbers/numberwords.h"
#include "report/html/htmlevidence.h"
#include "report/html/htmltext.h"
#include "report/words/highlights.h"

#include <math.h>
#include <string.h>

#define MAX_BYTES ((gsize)300000)
#define LINK_BYTES 300 /* to the row of a function */
#define TEXT_CHARS 300 /* of a line */

static gboolean has_section(const CheckResult *result)
{
	return result->changed != NULL && result->changed->n_files > 0;
}

/* --- functions --- */

typedef struct {
	HtmlPage *page;
	const CheckResult *result;
	gsize end;              /* that the body is to reach at most */
	guint n_hunks, n_files; /* that were rendered */
} Section;

/* The list that a function is of; FALSE if the result has it not. */
static gboolean find_list(const CheckResult *result, const char *benchmark, gboolean counted, FunctionList *list)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *row = g_ptr_array_index(result->benchmarks, i);
		FunctionList lists[FUNCTION_LISTS];
		guint n = strcmp(row->name, benchmark) == 0 ? highlights_function_lists(row, lists) : 0;
		for (guint l = 0; l < n; l++)
			if (lists[l].comparison->counted == counted) {
				*list = lists[l];
				return TRUE;
			}
	}
	return FALSE;
}

/* The words that tell lists of functions apart, "catalog, by counts": "" where there is one only. Owned by the
 * caller. */
static char *list_words(const CheckResult *result, const char *benchmark, gboolean counted)
{
	FunctionList list = {0};
	gboolean paired = find_list(result, benchmark, counted, &list) && list.beside_others;
	const char *engine = !paired ? "" : counted ? "by counts" : "by time";
	if (result->benchmarks->len < 2)
		return g_strdup(engine);
	return g_strdup_printf("%s%s%s", benchmark, *engine != '\0' ? ", " : "", engine);
}

static char *say_contribution(const ChangedFunction *function)
{
	if (!isfinite(function->contribution))
		return g_strdup("");
	return number_words(function->counted)->points(function->contribution);
}

static const char *row_of(const HtmlPage *page, const ChangedFunction *function)
{
	HtmlRowKey key = {function->benchmark, function->name, function->module, function->counted};
	return html_page_row(page, &key);
}

static void append_function(GString *out, const Section *section, const ChangedFunction *function)
{
	const char *row = row_of(section->page, function);
	g_autofree char *points = say_contribution(function);
	g_autofree char *list = list_words(section->result, function->benchmark, function->counted);
	if (row != NULL)
		g_string_append_printf(out, "<a href=\"#%s\">", row);
	html_code(out, function->name);
	g_string_append_printf(out, "%s %s", row != NULL ? "</a>" : "", points);
	if (function->klass != FUNCTION_UNCHANGED) {
		g_autofree char *class = g_strdup(function_class_name(function->klass));
		g_string_append_printf(out, ", %s", g_strdelimit(class, "_", ' '));
	}
	if (*list != '\0') {
		g_string_append(out, " (");
		html_short(out, list, HTML_NAME_CHARS);
		g_string_append(out, ")");
	}
}

/* "Lines 24–31"; without lines the one before which the others stand. */
static void append_lines_of(GString *out, guint32 first, guint32 lines, const char *side)
{
	if (lines == 0)
		g_string_append_printf(out, "before line %u of %s", first, side);
	else if (lines == 1)
		g_string_append_printf(out, "line %u of %s", first, side);
	else
		g_string_append_printf(
		        out, "lines %u–%" G_GUINT64_FORMAT " of %s", first, (guint64)first + lines - 1, side);
}

static void append_place(GString *out, const ChangedSource *file, const LineChange *place)
{
	gboolean in_base = file->base_path != NULL;
	if (in_base)
		append_lines_of(out, place->base_first, place->base_lines, "base");
	if (file->head_path != NULL) {
		g_string_append(out, in_base ? ", " : "");
		append_lines_of(out, place->head_first, place->head_lines, "head");
	}
}

static void append_title(GString *out, const Section *section, const ChangedSource *file, const ChangedHunk *hunk)
{
	gsize start = out->len + strlen("<h3>");
	g_string_append(out, "<h3>");
	append_place(out, file, &hunk->place);
	out->str[start] = g_ascii_toupper(out->str[start]);
	g_string_append(out, "</h3>\n<ul class=\"remarks\">\n");
	for (guint i = 0; i < hunk->functions->len; i++) {
		g_string_append(out, "<li>");
		append_function(out, section, g_ptr_array_index(hunk->functions, i));
		g_string_append(out, "</li>\n");
	}
	if (hunk->n_more_functions > 0)
		g_string_append_printf(out, "<li>%u more measured function%s</li>\n", hunk->n_more_functions,
		        hunk->n_more_functions == 1 ? "" : "s");
	g_string_append(out, "</ul>\n");
}

/* --- lines --- */

/* A table of the lines of one hunk. */
typedef struct {
	gboolean with_costs, counted;
	const char *unit; /* of costs; NULL = not known */
} Table;

static Table table_of(const CheckResult *result, const ChangedHunk *hunk)
{
	Table table = {.with_costs = hunk->costs_benchmark != NULL, .counted = hunk->costs_counted};
	FunctionList list;
	if (table.with_costs && find_list(result, hunk->costs_benchmark, hunk->costs_counted, &list))
		table.unit = list.unit;
	return table;
}

static void append_number(GString *out, guint32 line)
{
	if (line > 0)
		g_string_append_printf(out, "<td class=\"n\">%u</td>", line);
	else
		g_string_append(out, "<td></td>");
}

static void append_cost(GString *out, const Table *table, double cost)
{
	g_autofree char *text = isfinite(cost) ? html_line_cost(cost, table->counted, table->unit) : g_strdup("");
	html_element(out, "td", "n", text);
}

static void append_gap(GString *out, const Table *table, guint left_out)
{
	g_string_append_printf(out, "<tr class=\"gap\"><td colspan=\"%d\">… %u line%s left out</td></tr>\n",
	        table->with_costs ? 6 : 4, left_out, left_out == 1 ? "" : "s");
}

static void append_text(GString *out, const ChangedLine *line)
{
	gboolean removed = line->kind == CHANGED_REMOVED;
	g_string_append(out, "<td class=\"sign\">");
	if (line->kind != CHANGED_CONTEXT)
		g_string_append_printf(out, "<span role=\"img\" aria-label=\"%s\">%s</span>",
		        changed_line_kind_name(line->kind), removed ? "−" : "+");
	g_string_append(out, removed ? "</td><td class=\"code\"><del>" : "</td><td class=\"code\">");
	html_source(out, line->text, TEXT_CHARS);
	g_string_append(out, removed ? "</del></td>" : "</td>");
}

static void append_line(GString *out, const Table *table, const ChangedLine *line)
{
	if (changed_line_is_gap(line)) {
		append_gap(out, table, line->n_left_out);
		return;
	}
	g_string_append(out, line->kind == CHANGED_CONTEXT ? "<tr>" : "<tr class=\"edited\">");
	append_number(out, line->base_line);
	append_number(out, line->head_line);
	if (table->with_costs) {
		append_cost(out, table, line->base_self);
		append_cost(out, table, line->head_self);
	}
	append_text(out, line);
	g_string_append(out, "</tr>\n");
}

/* Whose costs they are, where that is not clear. */
static void append_costs_note(GString *out, const Section *section, const ChangedHunk *hunk)
{
	if (hunk->costs_benchmark == NULL)
		return;
	g_autofree char *list = list_words(section->result, hunk->costs_benchmark, hunk->costs_counted);
	if (*list == '\0')
		return;
	g_autofree char *text = g_strdup_printf("Costs: %s.", list);
	html_element(out, "p", "note", text);
}

static void append_table(GString *out, const Section *section, const ChangedSource *file, const ChangedHunk *hunk)
{
	Table table = table_of(section->result, hunk);
	if (hunk->lines->len == 0)
		return;
	append_costs_note(out, section, hunk);
	g_string_append(out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
	append_place(out, file, &hunk->place);
	g_string_append(out, "\"><table class=\"annotated\">\n<thead><tr><th scope=\"col\" class=\"n\">base line</th>"
	                     "<th scope=\"col\" class=\"n\">head line</th>");
	if (table.with_costs)
		g_string_append(out, "<th scope=\"col\" class=\"n\">base</th><th scope=\"col\" class=\"n\">head</th>");
	g_string_append(out, "<th scope=\"col\"></th><th scope=\"col\">source</th></tr></thead>\n<tbody>\n");
	for (guint i = 0; i < hunk->lines->len; i++)
		append_line(out, &table, &g_array_index(hunk->lines, ChangedLine, i));
	g_string_append(out, "</tbody></table></div>\n");
}

/* --- files --- */

static void append_summary(GString *out, const ChangedSource *file, gboolean open)
{
	const char *path = changed_source_path(file);
	const ChangedHunk *first = file->hunks->len > 0 ? g_ptr_array_index(file->hunks, 0) : NULL;
	g_string_append_printf(out, "<details class=\"annotation\"%s><summary>", open ? " open=\"\"" : "");
	html_code(out, path);
	g_string_append(out, " <span class=\"more\">");
	if (file->head_path == NULL)
		g_string_append(out, "only in base ");
	else if (file->base_path == NULL)
		g_string_append(out, "only in head ");
	else if (strcmp(path, file->base_path) != 0) {
		g_string_append(out, "was ");
		html_name(out, file->base_path, HTML_NAME_CHARS);
		g_string_append_c(out, ' ');
	}
	if (first != NULL && first->functions->len > 0) {
		const ChangedFunction *function = g_ptr_array_index(first->functions, 0);
		g_autofree char *points = say_contribution(function);
		html_code(out, function->name);
		g_string_append_printf(out, " %s", points);
	}
	g_string_append(out, "</span></summary>\n");
}

/* Those that fit. */
static void append_hunks(Section *section, const ChangedSource *file)
{
	GString *out = section->page->body;
	for (guint i = 0; i < file->hunks->len; i++) {
		const ChangedHunk *hunk = g_ptr_array_index(file->hunks, i);
		gsize before = out->len;
		append_title(out, section, file, hunk);
		append_table(out, section, file, hunk);
		if (out->len > section->end) {
			g_string_truncate(out, before);
			section->end = 0; /* nothing small slips in after what is larger */
			return;
		}
		section->n_hunks++;
	}
}

static void append_file(Section *section, const ChangedSource *file)
{
	GString *out = section->page->body;
	gsize before = out->len;
	guint shown = section->n_hunks;
	append_summary(out, file, section->n_files == 0);
	if (file->note != NULL)
		html_element(out, "p", "note", file->note);
	append_hunks(section, file);
	shown = section->n_hunks - shown;
	if (shown == 0) {
		g_string_truncate(out, before);
		return;
	}
	if (file->n_hunks > shown)
		g_string_append_printf(out, "<p class=\"note\">The change edits %u more place%s in this file.</p>\n",
		        file->n_hunks - shown, file->n_hunks - shown == 1 ? "" : "s");
	g_string_append(out, "</details>\n");
	section->n_files++;
}

/* --- the section --- */

static void append_rest(GString *out, const Section *section)
{
	const ChangedCode *code = section->result->changed;
	guint hunks = code->n_measured_hunks - MIN(code->n_measured_hunks, section->n_hunks);
	guint files = code->n_files - MIN(code->n_files, code->n_measured_files);
	if (hunks > 0)
		g_string_append_printf(out,
		        "<p class=\"note\">%u more edited place%s with measured functions %s not shown.</p>\n", hunks,
		        hunks == 1 ? "" : "s", hunks == 1 ? "is" : "are");
	if (files > 0 && code->n_measured_hunks > 0)
		g_string_append_printf(out, "<p class=\"note\">%u further file%s changed without measured code.</p>\n",
		        files, files == 1 ? "" : "s");
}

static void append_intro(GString *out, const ChangedCode *code)
{
	if (code->n_measured_hunks == 0)
		g_string_append_printf(out,
		        "<p class=\"note\">The change edits %u file%s; no measured function is known to stand in a "
		        "line that it edits.</p>\n",
		        code->n_files, code->n_files == 1 ? "" : "s");
	else
		g_string_append(out, "<p class=\"note\">Lines that the change edits in functions that were measured, "
		                     "largest contribution first. Costs are those of the line itself, without what it "
		                     "calls, per run and unit of work.</p>\n");
}

void html_change(HtmlPage *page, const CheckResult *result)
{
	if (!has_section(result))
		return;
	Section section = {.page = page, .result = result, .end = page->body->len + MAX_BYTES};
	g_string_append(page->body, "<section id=\"changed-code\">\n<h2>Changed code</h2>\n");
	append_intro(page->body, result->changed);
	for (guint i = 0; i < result->changed->files->len; i++)
		append_file(&section, g_ptr_array_index(result->changed->files, i));
	append_rest(page->body, &section);
	g_string_append(page->body, "</section>\n");
}

static guint count_functions(const ChangedCode *code)
{
	guint n = 0;
	for (guint i = 0; i < code->files->len; i++) {
		const ChangedSource *file = g_ptr_array_index(code->files, i);
		for (guint h = 0; h < file->hunks->len; h++)
			n += ((const ChangedHunk *)g_ptr_array_index(file->hunks, h))->functions->len;
	}
	return n;
}

/* Names may be long, and escaping makes them longer: only rendering it tells. */
gsize html_change_room(const CheckResult *result)
{
	HtmlPage page;
	if (!has_section(result))
		return 0;
	html_page_init(&page);
	html_change(&page, result);
	gsize room = page.body->len + (gsize)count_functions(result->changed) * LINK_BYTES;
	G_GNUC_UNUSED g_autofree char *unused = html_page_finish(&page, "", NULL);
	return MIN(room, MAX_BYTES);
}

void html_change_link(GString *out, const CheckResult *result)
{
	if (has_section(result))
		g_string_append(out, "<nav class=\"parts\" aria-label=\"parts of the whole check\">"
		                     "<a href=\"#changed-code\">changed code</a></nav>\n");
}
