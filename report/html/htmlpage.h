/* SPDX-License-Identifier: Apache-2.0 */
/* The HTML document around a report: its head, its policy, and what makes texts of ours the only ones that run.
 *
 *     html_page_init(&page);
 *     g_string_append(page.body, ...);              sections, through htmltext.h
 *     html_page_add_style / _add_script(&page, ..)  constant texts of pictures, each kept once
 *     html_page_add_data(&page, id, json)           foreign data for the script
 *     char *text = html_page_finish(&page, title, &length);
 *
 * The document loads nothing: its Content-Security-Policy forbids every source, and allows exactly those styles and
 * scripts whose SHA-256 it names. They are constants (htmlassets.h and those of pictures); foreign text is never part
 * of them. There are no style attributes and no event handlers, which such a policy forbids, too. Data for the script
 * stands in <script type="application/json">, ASCII, with `<`, `>` and `&` written as \u003c, \u003e and \u0026.
 *
 * Scripts of pictures do not run where they stand: html_page_add_script() keeps one copy of each as inert text, and the
 * script of the page puts it into a picture when that comes into view. */
#pragma once

#include <glib.h>

typedef struct {
	GString *body;
	GString *data;
	GPtrArray *styles;  /* of char *: the style of the page first */
	GPtrArray *scripts; /* of char *: of pictures, in the order of their numbers */
	GHashTable *ids;    /* ids that are taken */
	GHashTable *rows;   /* of functions: from the words of an HtmlRowKey to the id */
} HtmlPage;

/* A function of a list of a benchmark; foreign texts. */
typedef struct {
	const char *benchmark, *name, *module;
	gboolean counted;
} HtmlRowKey;

/* An empty page. The caller clears it. */
void html_page_init(HtmlPage *page);
/* An id that is unique in the page: `prefix`, which is ours, and what of the foreign text is fit for one. Owned by the
 * caller. */
char *html_page_id(HtmlPage *page, const char *prefix, const char *text);
/* Remembers which row is that of a function, so that other parts can lead there. */
void html_page_add_row(HtmlPage *page, const HtmlRowKey *key, const char *id);
/* The id of its row, or NULL if it has none. Borrowed. */
const char *html_page_row(const HtmlPage *page, const HtmlRowKey *key);
/* Takes a style sheet of a picture; nothing happens if it is there already. The text is copied. */
void html_page_add_style(HtmlPage *page, const char *text, gsize length);
/* Takes a script of a picture and returns its number; the same text has the same number. */
guint html_page_add_script(HtmlPage *page, const char *text, gsize length);
/* Adds a block of data. `id` is from html_page_id(); `json` is text of JSON in ASCII. */
void html_page_add_data(HtmlPage *page, const char *id, const char *json);
/* The document; the page is empty then. `title` is foreign text. Sets *length (may be NULL). Owned by the caller. */
char *html_page_finish(HtmlPage *page, const char *title, gsize *length);
