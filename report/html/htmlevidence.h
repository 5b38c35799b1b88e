/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a benchmark's verdict, as report.html shows it: its own functions and profiles and, where both
 * engines were used, those of the counts. Everything is borrowed from the result but what html_evidence_clear()
 * frees. */
#pragma once

#include "report/html/htmlpage.h"
#include "report/words/highlights.h"

typedef struct {
	const ResultBenchmark *benchmark;
	FunctionList list;
	const Measurement *base, *head; /* either may be NULL; without runs where the result was read from a report */
	gboolean counted;               /* costs are counts */
	const GPtrArray *annotations;   /* of FunctionAnnotation, or NULL */
	gboolean counts_annotated;      /* there are counts of lines beside these */
	const char *diff_file;          /* the picture in the output folder, or NULL; foreign */
	char *id;                       /* what ids of its functions start with */
	double base_total, head_total;  /* cost of a run per unit of work; NaN = not known */
	double reach;                   /* of the bars of contributions: as far as the longest interval */
	GPtrArray *shown;   /* the functions with a row, largest contribution first: of FunctionComparison */
	GPtrArray *row_ids; /* of char *: their anchors */
	guint callable;     /* so many of them, the first ones, have callers and callees */
} HtmlEvidence;

#define HTML_EVIDENCE FUNCTION_LISTS

/* At most `max_rows` functions per list, except that what is flagged has a row in any case. Fills `evidence` and
 * returns how many there are. */
guint html_evidence_of(
        HtmlPage *page, const ResultBenchmark *benchmark, guint max_rows, HtmlEvidence evidence[HTML_EVIDENCE]);
void html_evidence_clear(HtmlEvidence *evidence);
/* TRUE if both sides have a profile with runs, of which pictures and callers can be made. */
gboolean html_evidence_has_profiles(const HtmlEvidence *evidence);
