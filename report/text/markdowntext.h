/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign text in Markdown, cut to what a reader takes in. Made for a paragraph, a list entry or a table cell. */
#pragma once

#include "compare/comparison/comparison.h"
#include "report/words/standing.h"

/* Appends text of one line. Words that mean nothing to Markdown or a forge, such as `hash_word` or `+13.4`, stand as
 * they are, so that the source can be read, too; all others go through escape_markdown_text(). */
void markdown_text(GString *out, const char *text);
/* The same with commands, options and settings that stand between backticks as code, so that they are copied as they
 * are. Foreign text. */
void markdown_message(GString *out, const char *text);
/* Appends a code span. */
void markdown_code(GString *out, const char *text);
/* The sign of a verdict. Static. */
const char *markdown_verdict_sign(Verdict verdict);
/* The sign of one benchmark's standing. Static. */
const char *markdown_standing_sign(Standing standing);
