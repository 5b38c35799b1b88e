/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a text for the terminal (report/text/terminaltext.h). */
#pragma once

#include <glib.h>

typedef struct {
	gboolean colour;
	guint width;         /* columns; 0 = do not wrap or leave out anything */
	const char *out_dir; /* where the output folder lies, to name files; NULL = nothing was written */
	gboolean page;       /* it holds report.html */
	gboolean details;    /* everything about each benchmark, instead of a row */
	gboolean links;      /* names of files are links (OSC 8), for terminals that show them */
	gboolean bars;       /* intervals are drawn, too: for terminals that show UTF-8 and are wide enough */
} TerminalOptions;

/* From so many columns on there is room for bars. */
#define TERMINAL_BARS_WIDTH 110
