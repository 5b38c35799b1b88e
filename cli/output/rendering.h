/* SPDX-License-Identifier: Apache-2.0 */
/* Printing of results on a terminal, shared by the commands that end with one. */
#pragma once

#include "cli/output/color.h"
#include "compare/measured.h"
#include "gate/request/talk.h"
#include "report/text/terminaltext.h"

/* Columns of the terminal that stdout is: COLUMNS if that is set to a number, whatever stdout is, else what the
 * terminal says; 0 if it is none. */
guint terminal_width(void);
/* The same of what the descriptor is. */
guint descriptor_width(int fd);

/* TRUE if the user's locale (LC_ALL, LC_CTYPE, LANG) shows UTF-8; that of the process is always one that does. */
gboolean shows_utf8(void);

/* The settings for the text of a result in `out_dir` (NULL = nothing was written) on the descriptor. Intervals are
 * drawn if the locale (LC_ALL, LC_CTYPE, LANG) says UTF-8 and there is room. One that is negative is a file. */
TerminalOptions terminal_options(ColorChoice color, int fd, const char *out_dir);

typedef enum {
	PRINT_SHORT,   /* the few lines of terminaltext.h */
	PRINT_DETAILS, /* the same with everything about each benchmark */
	PRINT_VERDICT, /* one line */
	PRINT_JSON,    /* report.json */
} PrintForm;

/* Prints the result to stdout. `out_dir` may be NULL. FALSE if it could not be written. */
gboolean print_check(const CheckResult *result, ColorChoice color, const char *out_dir, PrintForm form);

/* The exit code of the process (inconclusive_exit_code()). If it is not 0, the last line on stderr says it and its
 * meaning, unless one line is all that was asked for; a line before it, why INCONCLUSIVE_PASS does not apply where it
 * does not. */
int print_exit_code(const CheckResult *result, InconclusiveChoice choice, PrintForm form);
