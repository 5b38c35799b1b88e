/* `report.json`: the canonical result of a check. reportread.h is the way back.
 *
 * The shape is docs/schema/report-1.json (JSON Schema); keys are never renamed or given another meaning under the same
 * `schema`. What was not measured or cannot be told is null, never 0; an open bound is null. Percent stands in keys
 * that end in _pct, percentage points of the base total in those that end in _pp. Bytes that are not UTF-8 are written
 * as `\xNN`. The same result gives the same bytes. */
#pragma once

#include "compare/result.h"

#define REPORT_SCHEMA "firebreak-report/1"

/* The text of report.json; sets *length (may be NULL) to its bytes. Owned by the caller. */
char *report_json(const CheckResult *result, gsize *length);
