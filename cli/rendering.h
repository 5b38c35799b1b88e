/* Printing of results on a terminal, shared by the commands that end with one. */
#pragma once

#include "cli/talk.h"
#include "compare/result.h"

/* Columns of the terminal that stdout is; 0 if it is none. */
guint terminal_width(void);

/* Prints the result to stdout: as report.json, as text, or only its verdict line. `out_dir` may be NULL. FALSE if it
 * could not be written. */
gboolean print_check(
        const CheckResult *result, ColorChoice color, const char *out_dir, gboolean json, gboolean verdict_only);
