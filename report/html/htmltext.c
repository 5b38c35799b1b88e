/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmltext.h"

#include "core/escape.h"
#include "model/numbers/number.h"
#include "profile/hotspots/hotspots.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define TAB_COLUMNS 4

void html_short(GString *out, const char *text, gsize max_chars)
{
	if (text == NULL)
		return;
	g_autofree char *shortened = wording_shorten(text, max_chars);
	escape_xml(out, shortened, -1);
}

void html_name(GString *out, const char *name, gsize max_chars)
{
	g_autofree char *shortened = hotspots_short_name(name, max_chars);
	escape_xml(out, shortened, -1);
}

void html_text(GString *out, const char *text)
{
	html_short(out, text, HTML_TEXT_CHARS);
}

void html_code(GString *out, const char *text)
{
	g_autofree char *shortened = hotspots_short_name(text, HTML_NAME_CHARS);
	g_string_append(out, "<code");
	if (strcmp(shortened, text) != 0) {
		g_string_append(out, " title=\"");
		html_text(out, text);
		g_string_append_c(out, '"');
	}
	g_string_append_c(out, '>');
	escape_xml(out, shortened, -1);
	g_string_append(out, "</code>");
}

/* No browser shows tabs alike, and they would be made visible as characters that nobody sees. */
void html_source(GString *out, const char *text, gsize max_chars)
{
	GString *plain = g_string_new(NULL);
	for (; *text != '\0'; text++) {
		if (*text != '\t')
			g_string_append_c(plain, *text);
		else
			g_string_append_printf(plain, "%*s", (int)(TAB_COLUMNS - plain->len % TAB_COLUMNS), "");
	}
	g_string_append(out, "<code>");
	html_short(out, plain->str, max_chars);
	g_string_append(out, "</code>");
	g_string_free(plain, TRUE);
}

void html_element(GString *out, const char *tag, const char *class, const char *text)
{
	g_string_append_printf(out, "<%s", tag);
	if (class != NULL)
		g_string_append_printf(out, " class=\"%s\"", class);
	g_string_append_c(out, '>');
	html_text(out, text);
	g_string_append_printf(out, "</%s>", tag);
}

void html_number(GString *out, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE * 10];
	g_ascii_formatd(buffer, sizeof buffer, "%.3f", isfinite(value) ? value : 0);
	gsize length = strlen(buffer);
	while (buffer[length - 1] == '0')
		length--;
	if (buffer[length - 1] == '.')
		length--;
	buffer[length] = '\0';
	g_string_append(out, strcmp(buffer, "-0") == 0 ? "0" : buffer);
}

void html_attribute(GString *out, const char *name, double value)
{
	g_string_append_printf(out, " %s=\"", name);
	html_number(out, value);
	g_string_append_c(out, '"');
}

void html_percent_attribute(GString *out, const char *name, double value)
{
	g_string_append_printf(out, " %s=\"", name);
	html_number(out, value);
	g_string_append(out, "%\"");
}

void html_open_cell(GString *out, const char *class, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE * 2];
	g_string_append(out, "<td");
	if (class != NULL)
		g_string_append_printf(out, " class=\"%s\"", class);
	g_string_append_printf(
	        out, " data-v=\"%s\">", isfinite(value) ? g_ascii_formatd(buffer, sizeof buffer, "%.6g", value) : "");
}

void html_number_cell(GString *out, double value, const char *text)
{
	html_open_cell(out, "n", value);
	html_text(out, text);
	g_string_append(out, "</td>");
}

void html_plot_line(GString *out, const char *class, const char *stroke, const double ends[4])
{
	g_string_append_printf(out, "<line class=\"%s\" stroke=\"%s\"", class, stroke);
	html_attribute(out, "x1", ends[0]);
	html_attribute(out, "y1", ends[1]);
	html_attribute(out, "x2", ends[2]);
	html_attribute(out, "y2", ends[3]);
	g_string_append(out, "/>");
}

void html_plot_label(GString *out, double x, double y, const char *anchor, const char *text)
{
	g_string_append_printf(
	        out, "<text class=\"axis\" fill=\"#57606a\" font-size=\"11\" text-anchor=\"%s\"", anchor);
	html_attribute(out, "x", x);
	html_attribute(out, "y", y);
	g_string_append_c(out, '>');
	html_text(out, text);
	g_string_append(out, "</text>");
}

/* Most lines of a function cost nothing, and a column of zeroes hides the others. */
char *html_line_cost(double cost, gboolean counted, const char *unit)
{
	if (!isfinite(cost))
		return g_strdup("–");
	if (cost == 0)
		return g_strdup("");
	return counted ? number_counted(cost, NULL) : number_value(cost, unit);
}

void html_sign_begin(GString *out)
{
	g_string_append(out, "<li><svg class=\"sign\" width=\"22\" height=\"12\" aria-hidden=\"true\">");
}

void html_sign_end(GString *out, const char *text)
{
	g_string_append(out, "</svg> ");
	html_text(out, text);
	g_string_append(out, "</li>");
}
