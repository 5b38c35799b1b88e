/* SPDX-License-Identifier: Apache-2.0 */
/* The report that people open: one HTML file that says in its first lines what got slower, by how much, how sure that
 * is, and where; and below what it rests on.
 *
 * It is made of the same structures as every other output, so it can be rendered at the end of a check or again from
 * report.json (reportjson.h); without profiles there are no pictures and no callers and callees. It loads nothing and
 * is readable without scripts; what a reader may do with one is sort and filter tables, walk through pictures, and
 * choose whose callers to see. htmlpage.h says why no text from a repository can become more than text. The same result
 * gives the same bytes. */
#pragma once

#include "compare/result.h"

/* The size that the whole file is meant to stay below; tables and pictures share it. */
#define HTML_REPORT_BYTES ((gsize)2 * 1000 * 1000)

typedef struct {
	const CheckResult *result;
	gboolean again; /* it was read from its report, so profiles are what files beside it have
	                   (reportprofiles.h): all runs, their sum, or nothing */
} HtmlReport;

/* TRUE for the text of a page that was made while the profiles of all runs were known: it has more than one that is
 * rendered `again`, unless nothing was sampled or counted at all, where both are the same. */
gboolean html_report_is_whole(const char *text);

/* Sets *length (may be NULL). Owned by the caller. Never fails. */
char *report_html(const HtmlReport *report, gsize *length);
