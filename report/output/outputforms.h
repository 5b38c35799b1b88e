/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of a result as files: one table. `firebreak report --format` and its help, the output folder, and the tests
 * of the documents and of foreign text take their lists from it; a new form is a row here and a renderer. */
#pragma once

#include "compare/result.h"
#include "core/escape.h"
#include "report/text/summarymd.h"

typedef struct {
	const char *name;    /* as it is written after --format */
	const char *file;    /* its name in a folder */
	const char *summary; /* for --help */
	EscapeFunc escape;   /* what foreign text in it goes through; NULL = JSON, whose writer does it */
	gboolean in_folder;  /* one of the files that a check writes */
	gboolean is_page;    /* shows profiles, which are read again from the files beside it */
	/* The text, owned by the caller; `options` are those of Markdown, and may be NULL, as may `length`. NULL = made
	 * of more than a result: a terminal, or the picture of a benchmark. */
	char *(*render)(const CheckResult *result, const SummaryOptions *options, gsize *length);
} OutputForm;

/* All forms, in the order in which they are listed; sets *n. */
const OutputForm *output_forms(guint *n);
/* Their names in the same order, NULL-terminated. */
extern const char *const output_form_names[];
/* The form of that name; NULL if there is none. */
const OutputForm *output_form(const char *name);
