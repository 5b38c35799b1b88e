/* SPDX-License-Identifier: Apache-2.0 */
/* The text that a person reads at the end of a check: verdict, metrics, guilty functions, findings, and what to open.
 *
 * Plain text with two blanks of indent, no tabs; colour is optional and never says anything that the words do not. All
 * foreign text is escaped, so nothing in it moves the cursor. Lines are cut or wrapped to the width of the terminal. */
#pragma once

#include "compare/result.h"

typedef struct {
	gboolean colour;
	guint width;         /* columns; 0 = do not wrap or leave out anything */
	const char *out_dir; /* where the output folder lies, to name files; NULL = nothing was written */
	gboolean page;       /* it holds report.html */
	gboolean bars;       /* intervals are drawn, too: for terminals that show UTF-8 and are wide enough */
} TerminalOptions;

/* From so many columns on there is room for bars. */
#define TERMINAL_BARS_WIDTH 110

/* The text, with a newline at the end. Owned by the caller. */
char *terminal_text(const CheckResult *result, const TerminalOptions *options);
