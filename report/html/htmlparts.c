/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlparts.h"

#include "report/html/htmltext.h"

#define OF_EACH_LIST (HTML_PART_CALLERS + 1)

G_STATIC_ASSERT(HTML_PART_METRICS == OF_EACH_LIST * HTML_PART_LISTS);

static const char *name_of(guint part)
{
	static const char *const of_lists[OF_EACH_LIST] = {"source", "flame graph", "functions", "callers"};
	static const char *const others[] = {"metrics", "rounds", "history"};
	return part >= HTML_PART_METRICS ? others[part - HTML_PART_METRICS] : of_lists[part % OF_EACH_LIST];
}

HtmlPart html_part_of(HtmlPart part, guint list)
{
	return (HtmlPart)(part + OF_EACH_LIST * list);
}

void html_part_end(HtmlParts *parts, HtmlPart part, gsize from)
{
	GString *body = parts->page->body;
	if (body->len == from)
		return;
	g_autofree char *text = g_strdup_printf("%s-%s", name_of(part), parts->name);
	g_strdelimit(text, " ", '-');
	parts->ids[part] = html_page_id(parts->page, "part", text);
	g_autofree char *open = g_strdup_printf("<div class=\"part\" id=\"%s\">\n", parts->ids[part]);
	g_string_insert(body, (gssize)from, open);
	g_string_append(body, "</div>\n");
}

void html_part_move(HtmlParts *parts, gsize from, gsize to)
{
	GString *body = parts->page->body;
	g_autofree char *moved = g_strdup(body->str + from);
	g_string_truncate(body, from);
	g_string_insert(body, (gssize)to, moved);
}

/* Says, where there are two lists, what the parts from here on are about; NULL where that is as before. */
static const char *group_before(const HtmlParts *parts, guint part)
{
	if (parts->n_lists < 2)
		return NULL;
	return part == 0 ? "by time:" : part == OF_EACH_LIST ? "by counts:" : part == HTML_PART_METRICS ? "and" : NULL;
}

void html_parts_links(const HtmlParts *parts, GString *out)
{
	guint n = 0;
	const char *group = NULL;
	for (guint part = 0; part < HTML_PARTS; part++)
		n += parts->ids[part] != NULL;
	if (n < 2)
		return;
	g_string_append(out, "<nav class=\"parts\" aria-label=\"parts of ");
	html_text(out, parts->name);
	g_string_append(out, "\">");
	for (guint part = 0; part < HTML_PARTS; part++) {
		const char *next = group_before(parts, part);
		group = next != NULL ? next : group;
		if (parts->ids[part] == NULL)
			continue;
		if (group != NULL)
			html_element(out, "span", "more", group);
		g_string_append_printf(out, "<a href=\"#%s\">%s</a> ", parts->ids[part], name_of(part));
		group = NULL;
	}
	g_string_append(out, "</nav>\n");
}

void html_parts_clear(HtmlParts *parts)
{
	for (guint part = 0; part < HTML_PARTS; part++)
		g_clear_pointer(&parts->ids[part], g_free);
}
