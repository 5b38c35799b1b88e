/* SPDX-License-Identifier: Apache-2.0 */
/* Series of values that other tools measured, read from a file that a person has: the past of a project, in a shape
 * that change points can be looked for in. Nothing of it is stored, and nothing measured is compared with it.
 *
 *     CSV: a header, then one value of one commit in a row        ┐
 *     data.js of github-action-benchmark (or its JSON alone)      ┴─ SeriesFile ── HistoryBuilder
 *
 * Commits are in the order of their times, or where a file has none in that of their first values. docs/HISTORY.md
 * describes both forms. Pure. */
#pragma once

#include "compare/history/historybuilder.h"
#include "compare/history/seriesvalues.h"

/* Reads a file's text, of either form; `name` is the file's in messages. Owned by the caller. Errors:
 * FIREBREAK_ERROR_USAGE with the line, where there is one. */
SeriesFile *series_file_read(const char *text, gsize length, const char *name, GError **error);

/* Gives the values of the newest `most` commits (0 = all) to a builder, commit by commit; those of `benchmark` alone if
 * it is not NULL. The number of commits; *newest (may be NULL) is the last of them, borrowed, or NULL without any. */
guint series_file_build(
        const SeriesFile *file, const char *benchmark, guint most, HistoryBuilder *builder, const char **newest);
/* The names of the benchmarks, sorted; a GPtrArray of borrowed char *, owned by the caller. */
GPtrArray *series_file_benchmarks(const SeriesFile *file);
