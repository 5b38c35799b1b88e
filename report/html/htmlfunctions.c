/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlfunctions.h"

#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"
#include "report/words/wording.h"

#include <math.h>

#define UNSTABLE_SHOWN 20
#define LARGEST_SEEN 10  /* rows that are not folded, whatever they say */
#define MAX_SEEN 25      /* of those that changed, but fail nothing */
#define FEW_MORE 3       /* so few are not worth folding */
#define HARDLY_SAMPLED 5 /* fewer samples on both sides together say nothing of a function */
#define INTERVAL_WORDS "An interval is that of one function alone; classes come from one test of all functions at once"

/* The colour of a row. Only what is certain has one. A function that is new or cheaper decides nothing, but is certain,
 * too. */
static HtmlTone tone_of(const HtmlEvidence *evidence, const FunctionComparison *function)
{
	double alpha = evidence->list.comparison->report_alpha > 0 ? evidence->list.comparison->report_alpha : .05;
	if (!function->gates && !highlights_significant(evidence->list.comparison, function, alpha))
		return HTML_TONE_QUIET;
	return function->contribution > 0 ? HTML_TONE_WORSE : HTML_TONE_BETTER;
}

static char *say_own(const HtmlEvidence *evidence, const FunctionComparison *function)
{
	if (isnan(function->change_ratio))
		return g_strdup("–");
	return number_words(evidence->counted)->change(function->change_ratio);
}

static void append_more(GString *out, const char *text)
{
	if (text != NULL && *text != '\0')
		html_element(out, "div", "more", text);
}

/* Module, file and line; the whole path is the title. */
static void append_place(GString *out, const FunctionList *list, const FunctionComparison *function)
{
	const StackTable *table = list->table;
	const char *module = highlights_module(table, function->frame);
	const char *file =
	        table == NULL ? "" : stack_table_text(table, highlights_function_place(table, function).file);
	g_autofree char *was = highlights_was(table, function);
	g_string_append(out, "<div class=\"more place\">");
	html_text(out, module);
	if (*file != '\0') {
		g_autofree char *place = highlights_where(list->comparison, table, function);
		g_string_append_printf(out, "%s<span title=\"", *module != '\0' ? " · " : "");
		html_text(out, file);
		g_string_append(out, "\">");
		html_name(out, place, HTML_NAME_CHARS);
		g_string_append(out, "</span>");
	}
	if (was != NULL) {
		g_string_append(out, ", was ");
		html_name(out, was, HTML_NAME_CHARS);
	}
	g_string_append(out, "</div>");
}

static void append_part(GString *out, const HtmlEvidence *evidence, const InlinedPart *part, gboolean is_rest)
{
	const NumberWords *words = number_words(evidence->counted);
	const FunctionList *list = &evidence->list;
	const char *relation = wording_part_relation(part);
	g_autofree char *points = words->points(part->contribution);
	g_autofree char *interval = words->points_range(part->contribution_lower, part->contribution_upper);
	g_autofree char *place = highlights_part_where(list->comparison, list->table, part);
	g_string_append(out, "<li>");
	if (!is_rest)
		html_code(out, highlights_name(list->table, part->frame));
	g_string_append_printf(out, "%s <b>%s</b> %s", wording_part(is_rest), points, interval);
	if (*place != '\0') {
		g_string_append(out, " · ");
		html_name(out, place, HTML_NAME_CHARS);
	}
	g_string_append_printf(out, "%s%s</li>", *relation != '\0' ? ", " : "", relation);
}

/* Appends what explains its contribution: in the cell of its name, so that sorting and filtering keep them together. */
static void append_parts(GString *out, const HtmlEvidence *evidence, const FunctionComparison *function)
{
	g_autoptr(GPtrArray) parts = highlights_parts(function);
	if (parts->len == 0)
		return;
	g_string_append(out, "<ul class=\"more inside\">");
	for (guint i = 0; i < parts->len; i++) {
		const InlinedPart *part = g_ptr_array_index(parts, i);
		append_part(out, evidence, part, highlights_is_rest(function, part));
	}
	g_string_append(out, "</ul>");
}

/* Name, place, what explains it, and what is said about it. The row's number is what its callers and callees are found
 * by. */
static void append_identity(GString *out, const HtmlEvidence *evidence, guint row)
{
	const FunctionComparison *function = g_ptr_array_index(evidence->shown, row);
	const StackTable *table = evidence->list.table;
	g_string_append(out, "<th scope=\"row\"");
	if (row < evidence->callable)
		g_string_append_printf(out, " data-callers=\"%u\"", row);
	g_string_append_printf(
	        out, "><a class=\"name\" href=\"#%s\">", (char *)g_ptr_array_index(evidence->row_ids, row));
	html_code(out, highlights_name(table, function->frame));
	g_string_append(out, "</a>");
	append_place(out, &evidence->list, function);
	if (function->renamed_from.index != function->frame.index) {
		g_string_append(out, "<div class=\"more\">was ");
		html_code(out, highlights_name(table, function->renamed_from));
		g_string_append(out, "</div>");
	}
	append_parts(out, evidence, function);
	append_more(out, function->note);
	g_string_append(out, "</th>");
}

static void append_contribution(GString *out, const HtmlEvidence *evidence, const FunctionComparison *function)
{
	const NumberWords *words = number_words(evidence->counted);
	g_autofree char *points = words->points(function->contribution);
	g_autofree char *interval = words->points_range(function->contribution_lower, function->contribution_upper);
	g_autofree char *label = g_strdup_printf("contribution %s %s", points, interval);
	HtmlInterval bar = {
	        .estimate = function->contribution,
	        .lower = function->contribution_lower,
	        .upper = function->contribution_upper,
	        .margin = NAN,
	        .reach = evidence->reach,
	        .tone = tone_of(evidence, function),
	        .label = label,
	};
	html_open_cell(out, "n", function->contribution);
	g_string_append(out, "<b>");
	html_text(out, points);
	g_string_append(out, "</b>");
	append_more(out, interval);
	html_open_cell(g_string_append(out, "</td>"), "barcell", function->contribution);
	html_interval_bar(out, &bar);
	g_string_append(out, "</td>");
}

static void append_pair(GString *out, const char *base, const char *head)
{
	html_text(out, base);
	g_string_append(out, " → ");
	html_text(out, head);
}

/* Cost before and after, and what it was of the total of base where that is known. */
static void append_costs(GString *out, const HtmlEvidence *evidence, const FunctionComparison *function)
{
	const NumberWords *words = number_words(evidence->counted);
	const char *unit = evidence->counted ? NULL : evidence->list.unit;
	g_autofree char *base = words->value(function->base_cost, unit);
	g_autofree char *head = words->value(function->head_cost, unit);
	html_open_cell(out, "n", function->head_cost);
	append_pair(out, base, head);
	if (isfinite(evidence->base_total)) {
		g_autofree char *share = number_base_share(function->base_cost, evidence->base_total);
		g_autofree char *text = g_strdup_printf("base %s", share);
		html_element(out, "div", "more", text);
	}
	g_string_append(out, "</td>");
}

static void append_samples(GString *out, const FunctionComparison *function)
{
	g_autofree char *base = number_count(function->base_samples), *head = number_count(function->head_samples);
	html_open_cell(out, "n", (double)(function->base_samples + function->head_samples));
	append_pair(out, base, head);
	g_string_append(out, "</td>");
}

/* Its class, and that it alone makes the verdict. What had too few samples to be tested is not called unchanged. */
static void append_class(GString *out, const HtmlEvidence *evidence, const FunctionComparison *function)
{
	gboolean untested = !evidence->counted && !function->tested && function->klass == FUNCTION_UNCHANGED;
	g_autofree char *class =
	        g_strdup(untested ? "not tested" : highlights_class(evidence->list.comparison, function));
	g_strdelimit(class, "_", ' ');
	g_string_append_printf(out, "<td><span class=\"chip %s\"%s>%s%s</span>",
	        html_tone_classes[tone_of(evidence, function)], untested ? " title=\"too few samples\"" : "",
	        function->gates ? "✕ " : "", class);
	if (function->gates)
		append_more(out, "fails the check");
	append_more(out, wording_hold(function));
	g_string_append(out, "</td>");
}

static void append_relation(GString *out, const FunctionComparison *function)
{
	g_autofree char *relation = wording_relation(function);
	html_element(out, "td", "relation", *relation != '\0' ? relation : "–");
}

static void append_row(GString *out, const HtmlEvidence *evidence, guint row, gboolean with_relation)
{
	const FunctionComparison *function = g_ptr_array_index(evidence->shown, row);
	g_autofree char *own = say_own(evidence, function);
	g_string_append_printf(out, "<tr id=\"%s\"%s>", (char *)g_ptr_array_index(evidence->row_ids, row),
	        function->gates ? " class=\"gates\"" : "");
	append_identity(out, evidence, row);
	append_contribution(out, evidence, function);
	html_number_cell(out, function->change_ratio, own);
	append_costs(out, evidence, function);
	if (!evidence->counted)
		append_samples(out, function);
	append_class(out, evidence, function);
	if (with_relation)
		append_relation(out, function);
	g_string_append(out, "</tr>\n");
}

static void append_head(GString *out, const HtmlEvidence *evidence, gboolean with_relation)
{
	g_string_append(out, "<thead><tr><th scope=\"col\">function</th><th scope=\"col\" class=\"n\" "
	                     "aria-sort=\"other\">contribution</th>");
	g_string_append(out, evidence->counted ? "<th scope=\"col\">over the runs"
	                                       : "<th scope=\"col\" title=\"" INTERVAL_WORDS "\">95 % interval, alone");
	g_string_append(out, "</th><th scope=\"col\" class=\"n\">own change</th><th scope=\"col\" class=\"n\">");
	g_string_append(out, isfinite(evidence->base_total) ? "cost, and share of base" : "cost");
	g_string_append(out, "</th>");
	if (!evidence->counted)
		g_string_append(out, "<th scope=\"col\" class=\"n\">samples</th>");
	g_string_append(out, "<th scope=\"col\">class</th>");
	if (with_relation)
		g_string_append(out, "<th scope=\"col\">change of its lines</th>");
	g_string_append(out, "</tr></thead>\n");
}

/* The largest contribution of a function without a row. */
static double largest_hidden(const HtmlEvidence *evidence)
{
	g_autoptr(GHashTable) shown = g_hash_table_new(NULL, NULL);
	double largest = 0;
	for (guint i = 0; i < evidence->shown->len; i++)
		g_hash_table_add(shown, g_ptr_array_index(evidence->shown, i));
	const GPtrArray *functions = evidence->list.comparison->functions;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(functions, i);
		if (!g_hash_table_contains(shown, function) && isfinite(function->contribution))
			largest = MAX(largest, fabs(function->contribution));
	}
	return largest;
}

/* Appends the part of the change of the total that the rows leave. */
static void append_other_cost(GString *out, const HtmlEvidence *evidence)
{
	g_autofree char *rest = wording_rest(evidence->list.comparison, evidence->shown);
	if (rest != NULL)
		g_string_append_printf(out, "<p class=\"note\">%c%s.</p>\n", g_ascii_toupper(*rest), rest + 1);
}

static void append_hidden(GString *out, const HtmlEvidence *evidence)
{
	guint hidden = evidence->list.comparison->functions->len - evidence->shown->len;
	if (hidden == 0)
		return;
	g_autofree char *count = number_count(hidden),
	                *largest = number_words(evidence->counted)->points(largest_hidden(evidence));
	g_string_append_printf(out,
	        "<p class=\"note\">%s more function%s, each with a contribution of at most %s, %s in "
	        "report.json.</p>\n",
	        count, hidden == 1 ? "" : "s", *largest == '+' ? largest + 1 : largest, hidden == 1 ? "is" : "are");
}

/* --- which rows are seen at once --- */

/* TRUE for a row like "0 → 1 samples", which only distracts from the others. */
static gboolean is_hardly_sampled(const HtmlEvidence *evidence, const FunctionComparison *function)
{
	return !evidence->counted && !function->gates &&
	       function->base_samples + function->head_samples < HARDLY_SAMPLED;
}

/* Unfolds what is left of the rows where that is little. */
static void show_few(const HtmlEvidence *evidence, gboolean *seen, guint *n_seen)
{
	guint left = 0;
	for (guint i = 0; i < evidence->shown->len; i++)
		left += !seen[i] && !is_hardly_sampled(evidence, g_ptr_array_index(evidence->shown, i));
	for (guint i = 0; left > 0 && left <= FEW_MORE && i < evidence->shown->len; i++) {
		gboolean seldom = is_hardly_sampled(evidence, g_ptr_array_index(evidence->shown, i));
		*n_seen += !seen[i] && !seldom;
		seen[i] = seen[i] || !seldom;
	}
}

/* Marks, by row, what changed, and the largest. The caller owns the array. */
static gboolean *choose_seen(const HtmlEvidence *evidence, guint *n_seen)
{
	gboolean *seen = g_new0(gboolean, MAX(evidence->shown->len, 1));
	*n_seen = 0;
	for (guint i = 0; i < evidence->shown->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(evidence->shown, i);
		gboolean changed = function->klass != FUNCTION_UNCHANGED && *n_seen < MAX_SEEN;
		gboolean seldom = is_hardly_sampled(evidence, function);
		seen[i] = function->gates || (!seldom && (changed || i < LARGEST_SEEN));
		*n_seen += seen[i];
	}
	show_few(evidence, seen, n_seen);
	return seen;
}

/* Tells where a table's rows are taken from. */
typedef struct {
	const HtmlEvidence *evidence;
	const gboolean *seen;
	gboolean with_relation;
} Rows;

static void append_table(GString *out, const Rows *rows, gboolean seen, const char *caption)
{
	g_string_append(out, "<div class=\"scroll\"><table class=\"sortable filterable functions\">\n");
	if (caption != NULL) {
		g_string_append(out, "<caption><span>");
		html_text(out, caption);
		g_string_append(out, "</span></caption>\n");
	}
	append_head(out, rows->evidence, rows->with_relation);
	g_string_append(out, "<tbody>\n");
	for (guint i = 0; i < rows->evidence->shown->len; i++)
		if (rows->seen[i] == seen)
			append_row(out, rows->evidence, i, rows->with_relation);
	g_string_append(out, "</tbody></table></div>\n");
}

/* The others are folded without a script, and printed with the rest. */
static void append_rest(GString *out, const Rows *rows, guint n)
{
	if (n == 0)
		return;
	g_string_append_printf(out,
	        "<details class=\"rest\"><summary>show %u more, smaller, unchanged or hardly sampled</summary>\n", n);
	append_table(out, rows, FALSE, NULL);
	g_string_append(out, "</details>\n");
}

void html_functions(HtmlPage *page, const HtmlEvidence *evidence)
{
	GString *out = page->body;
	guint n_seen;
	if (highlights_all_same(evidence->list.comparison)) {
		g_autofree char *same = wording_all_same(evidence->list.comparison);
		html_element(out, "p", NULL, same);
		return;
	}
	if (evidence->shown->len == 0)
		return;
	const char *event = evidence->counted && evidence->list.event != NULL ? evidence->list.event : "cost";
	g_autofree char *caption = g_strdup_printf(
	        "A contribution is what a function itself adds to the total %s of base, in percentage "
	        "points; what it calls is not part of it.%s",
	        event, evidence->counted ? "" : " " INTERVAL_WORDS ", so one without 0 may be called unchanged.");
	g_autofree gboolean *seen = choose_seen(evidence, &n_seen);
	Rows rows = {evidence, seen, highlights_has_relations(evidence->shown)};
	html_element(out, "h4", NULL, "By function");
	append_table(out, &rows, TRUE, caption);
	append_rest(out, &rows, evidence->shown->len - n_seen);
	append_other_cost(out, evidence);
	append_hidden(out, evidence);
}

void html_unstable(HtmlPage *page, const HtmlEvidence *evidence)
{
	const GArray *unstable = evidence->list.comparison->unstable;
	if (unstable == NULL || unstable->len == 0)
		return;
	g_autofree char *title = wording_unstable_title(highlights_count_unstable(&evidence->list));
	html_element(page->body, "p", NULL, title);
	g_string_append(page->body, "<ul class=\"unstable\">\n");
	for (guint i = 0; i < MIN(unstable->len, UNSTABLE_SHOWN); i++) {
		const UnstableFunction *function = &g_array_index(unstable, UnstableFunction, i);
		g_autofree char *spread = wording_unstable(function, evidence->list.unit);
		g_string_append(page->body, "<li>");
		html_code(page->body, highlights_name(evidence->list.table, function->frame));
		g_string_append(page->body, ": ");
		html_text(page->body, spread);
		g_string_append(page->body, "</li>\n");
	}
	g_string_append(page->body, "</ul>\n");
	if (unstable->len > UNSTABLE_SHOWN)
		g_string_append_printf(page->body, "<p class=\"note\">%u more are in report.json.</p>\n",
		        unstable->len - UNSTABLE_SHOWN);
}
