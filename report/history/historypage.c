/* SPDX-License-Identifier: Apache-2.0 */
#include "report/history/historypage.h"

#include "report/html/htmlhistory.h"
#include "report/html/htmlpage.h"
#include "report/html/htmltext.h"
#include "report/words/wording.h"

#include <math.h>

#define MIN_WIDTH 400.
#define TITLE_HEIGHT 26
#define GAP 14

static HtmlHistory shown_of(const HistorySet *set, const MetricHistory *history)
{
	return (HtmlHistory){.history = history, .base_sha = "", .head_sha = set->sha};
}

static void append_header(GString *out, const HistorySet *set)
{
	g_autofree char *sha = wording_sha(set->sha);
	g_string_append(out, "<header>\n<h1>History of ");
	html_text(out, set->revision);
	g_string_append(out, "</h1>\n<p class=\"sides\">");
	html_code(out, sha);
	g_string_append_printf(out, ", %u commit%s%s</p>\n", set->commits, set->commits == 1 ? "" : "s",
	        set->from_file ? "" : " with baselines");
	for (guint i = 0; i < finding_count(set->findings); i++)
		html_element(out, "p", NULL, finding_get(set->findings, i)->text);
	g_string_append(out, "</header>\n");
}

static void append_too_few(GString *out, const MetricHistory *history)
{
	g_autofree char *words = history_too_few(history);
	if (words != NULL)
		html_element(out, "p", NULL, words);
}

char *history_page(const HistorySet *set, gboolean all)
{
	HtmlPage page;
	const char *benchmark = NULL;
	g_autoptr(GPtrArray) shown = history_set_shown(set, all);
	html_page_init(&page);
	append_header(page.body, set);
	g_string_append(page.body, "<main>\n");
	for (guint i = 0; i < shown->len; i++) {
		const MetricHistory *history = shown->pdata[i];
		HtmlHistory one = shown_of(set, history);
		if (g_strcmp0(benchmark, history->benchmark) != 0)
			html_element(page.body, "h2", NULL, history->benchmark);
		benchmark = history->benchmark;
		html_history(page.body, &one);
		append_too_few(page.body, history);
	}
	g_string_append(page.body, "</main>\n");
	g_autofree char *title = g_strdup_printf("History of %s", set->revision);
	return html_page_finish(&page, title, NULL);
}

static void append_title(GString *out, const MetricHistory *history, double y)
{
	g_string_append(out, "<text font-size=\"13\" fill=\"#24292f\"");
	html_attribute(out, "x", GAP);
	html_attribute(out, "y", y + TITLE_HEIGHT - 8);
	g_string_append_c(out, '>');
	html_short(out, history->benchmark, HTML_NAME_CHARS / 2);
	g_string_append(out, ": ");
	if (*history->function != '\0') {
		html_name(out, history->function, HTML_NAME_CHARS / 2);
		g_string_append(out, ", self ");
	}
	html_short(out, history->metric, HTML_NAME_CHARS / 2);
	g_string_append(out, "</text>\n");
}

/* The signs of all pictures in words. */
static void append_legend(GString *out, double y)
{
	g_string_append(out, "<text font-size=\"11\" fill=\"#57606a\"");
	html_attribute(out, "x", GAP);
	html_attribute(out, "y", y + TITLE_HEIGHT - 12);
	g_string_append(out,
	        ">dot: median of the runs of a commit; bar: lowest to highest run; red line: costs more from "
	        "there on, green: less; dashed: another environment</text>\n");
}

char *history_svg(const HistorySet *set, gboolean all)
{
	g_autoptr(GPtrArray) shown = history_set_shown(set, all);
	g_autoptr(GString) body = g_string_new(NULL);
	double y = GAP, width = MIN_WIDTH;
	for (guint i = 0; i < shown->len; i++) {
		HtmlHistory one = shown_of(set, shown->pdata[i]);
		append_title(body, one.history, y);
		g_autoptr(GString) place = g_string_new(NULL);
		html_attribute(place, "y", y + TITLE_HEIGHT);
		HtmlHistorySize size = html_history_picture(body, &one, place->str);
		y += TITLE_HEIGHT + size.height + GAP;
		width = fmax(width, size.width);
	}
	append_legend(body, y);
	y += TITLE_HEIGHT;
	GString *out =
	        g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	                     "font-family=\"sans-serif\"");
	html_attribute(out, "width", width);
	html_attribute(out, "height", y);
	g_string_append(out, ">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	g_string_append_len(out, body->str, (gssize)body->len);
	g_string_append(out, "</svg>\n");
	return g_string_free(out, FALSE);
}
