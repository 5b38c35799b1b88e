/* SPDX-License-Identifier: Apache-2.0 */
/* Series from CSV (RFC 4180). The header names the columns, in any order:
 *
 *     commit, benchmark, value (or median)          needed
 *     metric ("value"), unit, lower, upper          of the value
 *     better (lower or higher), engine              of the metric
 *     time (or time_s: seconds since 1970, or ISO 8601), subject, environment (or fingerprint)      of the commit
 *
 * Other columns are passed over, so that what `firebreak history --format csv` writes can be read; its functions are
 * left out. */
#pragma once

#include "compare/history/seriesvalues.h"

/* Adds all rows. Errors: FIREBREAK_ERROR_USAGE with `name` and the line. */
gboolean series_csv_read(const char *text, gsize length, const char *name, SeriesFile *file, GError **error);
