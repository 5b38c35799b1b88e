/* SPDX-License-Identifier: Apache-2.0 */
/* `report.json`: the canonical result of a check, and the way back.
 *
 * The shape is docs/schema/report-1.json (JSON Schema); keys are never renamed or given another meaning under the same
 * `schema`. What was not measured or cannot be told is null, never 0; an open bound is null. Percent stands in keys
 * that end in _pct, percentage points of the base total in those that end in _pp. Bytes that are not UTF-8 are written
 * as `\xNN`. The same result gives the same bytes.
 *
 * Everything that a report holds is read: writing the result again gives the same bytes. What it does not hold is not
 * known: profiles have the table that names the functions and no runs, which reportprofiles.h puts in from the files
 * beside the report; which metrics need a field of the environment equal; and of functions what only a verdict needs.
 * What a report of an earlier version lacks counts as not known. */
#pragma once

#include "compare/result.h"

#define REPORT_SCHEMA "firebreak-report/1"

/* The text of report.json; sets *length (may be NULL) to its bytes. Owned by the caller. */
char *report_json(const CheckResult *result, gsize *length);

/* `what` names the text in messages. A report may come from anywhere: what has the wrong type counts as missing, and a
 * verdict or class that is not known is an error. So is a result that its own numbers do not bear out
 * (compare/contradiction.h): what is missing must never make a pass. Errors: FIREBREAK_ERROR_STORAGE if it is no report
 * of this schema, or contradicts itself. */
CheckResult *report_read(const char *text, gsize length, const char *what, GError **error);
