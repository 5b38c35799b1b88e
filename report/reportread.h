/* Reads `report.json` back into a result, so that summary.md and the terminal's text can be rendered from it again
 * (reportjson.h writes it).
 *
 * Only what those texts show is read: verdict, reasons, sides, findings, artifacts and of each benchmark what was
 * decided about its metrics and functions. Runs, values, looks and the environment stay in the file. A benchmark that
 * was sampled gets a head measurement whose profile has no runs; it holds the table that names the functions. */
#pragma once

#include "compare/result.h"

/* `what` names the text in messages. A report may come from anywhere: what has the wrong type counts as missing, and a
 * verdict or class that is not known is an error. Errors: FIREBREAK_ERROR_STORAGE if it is no report of this schema. */
CheckResult *report_read(const char *text, gsize length, const char *what, GError **error);
