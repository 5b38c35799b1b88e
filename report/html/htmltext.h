/* SPDX-License-Identifier: Apache-2.0 */
/* Text and numbers on their way into report.html.
 *
 * Whatever is not a constant of ours goes through html_text() or html_short(), which escape it (core/escape.h) for both
 * element content and quoted attributes. Numbers never come from printf(), whose decimal point follows the locale. All
 * functions append to `out`. */
#pragma once

#include <glib.h>

/* Foreign text is cut at this many characters where nothing else is said. */
#define HTML_TEXT_CHARS 2000
#define HTML_NAME_CHARS 160

/* Foreign text, cut and then escaped. NULL is "". */
void html_text(GString *out, const char *text);
/* Appends the text, escaped, cut to so many characters. */
void html_short(GString *out, const char *text, gsize max_chars);
/* Escaped name or path of at most `max_chars` code points: of a longer one the middle is left out. */
void html_name(GString *out, const char *name, gsize max_chars);
/* The name of a function, a file or a commit in <code>, cut in the middle; the whole name is its title if it was cut.
 */
void html_code(GString *out, const char *text);
/* A line of source in <code>, cut, with blanks for tabs. */
void html_source(GString *out, const char *text, gsize max_chars);
/* <tag class="class">text</tag>; `class` NULL = none. Tag and class are ours, the text is not. */
void html_element(GString *out, const char *tag, const char *class, const char *text);
/* A number with at most three decimals and no needless ones; what is not finite is 0. */
void html_number(GString *out, double value);
/* ` name="12.5"` and ` name="12.5%"`. */
void html_attribute(GString *out, const char *name, double value);
/* Appends ` name="12.5%"`. */
void html_percent_attribute(GString *out, const char *name, double value);
/* A table cell that sorts by `value`, in six digits; one that is not finite sorts after all others. Opens the cell
 * only. `class` NULL = none. */
void html_open_cell(GString *out, const char *class, double value);
/* The same, with text and the end of the cell. */
void html_number_cell(GString *out, double value, const char *text);

/* Parts of a plot, as inline SVG. A line from (ends[0], ends[1]) to (ends[2], ends[3]). */
void html_plot_line(GString *out, const char *class, const char *stroke, const double ends[4]);
/* A label of an axis; `anchor` is the text-anchor. Foreign text. */
void html_plot_label(GString *out, double x, double y, const char *anchor, const char *text);
/* Begins an entry of a list of signs; the sign is drawn after it, in a box of 22 by 12 pixels. */
void html_sign_begin(GString *out);
/* Ends it; `text` is its meaning. */
void html_sign_end(GString *out, const char *text);

/* The cost of a line or an instruction, in words: "–" if it was not measured, nothing where nothing was seen. `unit` is
 * that of the profile, of which counts have none. Owned by the caller. */
char *html_line_cost(double cost, gboolean counted, const char *unit);
