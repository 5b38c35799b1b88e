/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of report.html with their meanings, at the end of the page, so that nobody has to leave it. Terms and
 * meanings are those of docs/GLOSSARY.md, to which a test holds them. */
#pragma once

#include <glib.h>

typedef struct {
	const char *term, *meaning;
} GlossaryEntry;

/* In the order of the page; ends with an entry of NULLs. */
extern const GlossaryEntry html_glossary[];
/* Appends the folded list, which has the id "terms". */
void html_terms(GString *out);
