/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlpicture.h"

#include "report/html/htmltext.h"

#include <string.h>

/* One element of the picture that has nothing but text in it. */
typedef struct {
	const char *start, *end; /* of the whole element */
	const char *text;
	gsize length;
} Part;

/* Finds <tag>...</tag> without attributes. The text loses its CDATA fence. */
static gboolean find_part(const char *svg, const char *tag, Part *part)
{
	g_autofree char *open = g_strdup_printf("<%s>", tag), *close = g_strdup_printf("</%s>", tag);
	const char *start = strstr(svg, open), *stop = start == NULL ? NULL : strstr(start, close);
	if (stop == NULL)
		return FALSE;
	*part = (Part){start, stop + strlen(close), start + strlen(open), 0};
	part->length = (gsize)(stop - part->text);
	static const char fence[] = "<![CDATA[", fence_end[] = "]]>";
	gsize before = strlen(fence), after = strlen(fence_end);
	if (part->length >= before + after && g_str_has_prefix(part->text, fence)) {
		part->text += before;
		part->length -= before + after;
	}
	return TRUE;
}

static void cut(GString *svg, const Part *part)
{
	g_string_erase(svg, part->start - svg->str, part->end - part->start);
}

static void take_styles(HtmlPage *page, GString *svg)
{
	Part part;
	while (find_part(svg->str, "style", &part)) {
		html_page_add_style(page, part.text, part.length);
		cut(svg, &part);
	}
}

/* Returns the numbers of the scripts, separated by blanks; owned by the caller. */
static char *take_scripts(HtmlPage *page, GString *svg)
{
	GString *numbers = g_string_new(NULL);
	Part part;
	while (find_part(svg->str, "script", &part)) {
		guint number = html_page_add_script(page, part.text, part.length);
		g_string_append_printf(numbers, "%s%u", numbers->len > 0 ? " " : "", number);
		cut(svg, &part);
	}
	return g_string_free(numbers, FALSE);
}

gsize html_picture_bytes(const char *svg)
{
	static const char *const shared[] = {"style", "script"};
	gsize bytes = strlen(svg);
	for (gsize i = 0; i < G_N_ELEMENTS(shared); i++) {
		Part part;
		for (const char *at = svg; find_part(at, shared[i], &part); at = part.end)
			bytes -= (gsize)(part.end - part.start);
	}
	return bytes;
}

static void drop_declaration(GString *svg)
{
	const char *start = strstr(svg->str, "<svg");
	if (start != NULL)
		g_string_erase(svg, 0, start - svg->str);
}

void html_picture(HtmlPage *page, const char *svg, const char *label, const char *find)
{
	static const char *const references[] = {" id=\"", "\"url(#", "href=\"#"};
	GString *text = g_string_new(svg);
	g_autofree char *id = html_page_id(page, "picture", "p");
	drop_declaration(text);
	take_styles(page, text);
	g_autofree char *scripts = take_scripts(page, text);
	for (gsize i = 0; i < G_N_ELEMENTS(references); i++) {
		g_autofree char *own = g_strdup_printf("%s%s-", references[i], id);
		g_string_replace(text, references[i], own, 0);
	}
	/* until its script runs it has nothing that keys reach, and a narrow window cuts it */
	g_string_append_printf(page->body,
	        "<div class=\"picture\" id=\"%s\" data-scripts=\"%s\" tabindex=\"0\" role=\"group\" aria-label=\"", id,
	        scripts);
	html_text(page->body, label);
	if (find != NULL) {
		g_string_append(page->body, "\" data-find=\"");
		html_text(page->body, find);
	}
	g_string_append(page->body, "\">\n");
	g_string_append_len(page->body, text->str, (gssize)text->len);
	g_string_append(page->body, "</div>\n");
	g_string_free(text, TRUE);
}
