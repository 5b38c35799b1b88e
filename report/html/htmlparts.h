/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a benchmark in report.html, and the links to them.
 *
 *     HtmlParts parts = {.page = page, .name = benchmark->name};
 *     gsize from = page->body->len;
 *     ... append the picture of the first list of functions ...
 *     html_part_end(&parts, html_part_of(HTML_PART_PICTURE, 0), from);
 *     ...
 *     html_parts_links(&parts, links);
 *     html_parts_clear(&parts);
 *
 * Parts may be rendered in another order than they stand in: who renders first has the most room to choose from, but
 * what a reader wants first is not what is least. html_part_move() brings a part to its place. */
#pragma once

#include "report/html/htmlpage.h"

#define HTML_PART_LISTS 2 /* of functions, by time and by counts */

/* In the order of the page; those from source to callers are there for each list. */
typedef enum {
	HTML_PART_SOURCE,
	HTML_PART_PICTURE,
	HTML_PART_FUNCTIONS,
	HTML_PART_CALLERS,
	HTML_PART_METRICS = 4 * HTML_PART_LISTS,
	HTML_PART_ROUNDS,
	HTML_PART_HISTORY,
	HTML_PARTS,
} HtmlPart;

typedef struct {
	HtmlPage *page;
	const char *name; /* of the benchmark, foreign */
	guint n_lists;
	char *ids[HTML_PARTS]; /* NULL = not there */
} HtmlParts;

/* Source, picture, functions or callers of a list, by its number. */
HtmlPart html_part_of(HtmlPart part, guint list);
/* Makes what was appended to the body since `from` that part; if nothing was, it is not there. */
void html_part_end(HtmlParts *parts, HtmlPart part, gsize from);
/* Takes what was appended since `from` in front of what stands at `to`. */
void html_part_move(HtmlParts *parts, gsize from, gsize to);
/* Appends a <nav> with a link to each part that is there; nothing if there is just one. */
void html_parts_links(const HtmlParts *parts, GString *out);
void html_parts_clear(HtmlParts *parts);
