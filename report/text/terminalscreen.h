/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a text for the terminal that all of it is made of: styles, wrapped lines, escaped names. */
#pragma once

#include "compare/result.h"
#include "report/text/terminaloptions.h"

#define TERMINAL_TEXT_MAX_CHARS 2000 /* of a sentence */

#define STYLE_BOLD "\033[1m"
#define STYLE_DIM "\033[2m"
#define STYLE_RED "\033[31m"
#define STYLE_GREEN "\033[32m"
#define STYLE_YELLOW "\033[33m"
#define STYLE_BOLD_RED "\033[1;31m"
#define STYLE_BOLD_GREEN "\033[1;32m"
#define STYLE_BOLD_YELLOW "\033[1;33m"
#define STYLE_RESET "\033[0m"

typedef struct {
	const CheckResult *result;
	const TerminalOptions *options;
	GString *out;
} Screen;

/* The style if colour is wanted, else NULL. */
const char *screen_styled(const Screen *screen, const char *style);
/* Appends text in a style. */
void screen_append_styled(const Screen *screen, const char *style, const char *text);
/* Appends words from column `column` on, wrapped to lines that begin with `indent` blanks, and ends the line. */
void screen_append_wrapped(const Screen *screen, const char *text, gsize column, guint indent);
/* A foreign name for a line, of which the middle is left out where it is long: its end tells overloads and template
 * arguments apart. Owned by the caller. */
char *screen_name(const char *name);
/* "✓", "✗", "?". Static. */
const char *screen_verdict_sign(Verdict verdict);
/* The style of what has this verdict. Static. */
const char *screen_verdict_style(Verdict verdict);
/* Appends a line for a file of the output folder, a link where the terminal has some: "  report:
 * firebreak-out/report.json". Paths are not wrapped, so that they can be copied. */
void screen_append_file(const Screen *screen, const char *label, const char *file);
