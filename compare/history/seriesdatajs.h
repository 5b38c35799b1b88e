/* SPDX-License-Identifier: Apache-2.0 */
/* Series from data.js of github-action-benchmark (https://github.com/benchmark-action/github-action-benchmark): an
 * assignment to window.BENCHMARK_DATA, or the JSON alone. Benchmarks of several suites are named "suite: benchmark". */
#pragma once

#include "compare/history/seriesvalues.h"

/* TRUE if the text looks like one. */
gboolean series_is_datajs(const char *text, gsize length);
/* Adds all values. Errors: FIREBREAK_ERROR_USAGE with `name`. */
gboolean series_datajs_read(const char *text, gsize length, const char *name, SeriesFile *file, GError **error);
