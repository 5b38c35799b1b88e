/* Reads `report.json` back into a result, so that every other output can be rendered from it again (reportjson.h writes
 * it).
 *
 * Everything that a report holds is read: writing the result again gives the same bytes. What it does not hold is not
 * known: profiles have the table that names the functions and no runs, which reportprofiles.h puts in from the files
 * beside the report; which metrics need a field of the environment equal; and of functions what only a verdict needs.
 * What a report of an earlier version lacks counts as not known. */
#pragma once

#include "compare/result.h"

/* `what` names the text in messages. A report may come from anywhere: what has the wrong type counts as missing, and a
 * verdict or class that is not known is an error. So is a result that its own numbers do not bear out
 * (compare/contradiction.h): what is missing must never make a pass. Errors: FIREBREAK_ERROR_STORAGE if it is no report
 * of this schema, or contradicts itself. */
CheckResult *report_read(const char *text, gsize length, const char *what, GError **error);
