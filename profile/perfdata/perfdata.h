/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of perf.data recordings: files and pipes of perf 3.2 to 6.16, of either order of bytes, compressed or not, and
 * what our own recorder writes.
 *
 * The file is mapped and indexed once (one small row per record), sorted by time, and then handed record by record to
 * the caller's visitor. Nothing is allocated per record. Records that carry no time, such as those that perf makes up
 * at the start for processes that were there before, come first, in file order. Compressed records are inflated while
 * they are indexed, and kept in memory, at most 2 GiB of them.
 *
 * The file is foreign: every length is checked; unknown record types, longer attributes and features that are not known
 * are skipped and counted. A file that is cut short is an error, and so is one whose recorder was killed before it
 * wrote the size of its records; a pipe may end after any record. Numbers are handed out in this machine's order of
 * bytes. Times are in nanoseconds of the recorder's clock. */
#pragma once

#include "profile/perfdata/perfdatacontent.h"

/* Frees the texts of a PerfDataEvent. */
void perfdata_event_clear(gpointer event);
void perfdata_summary_clear(PerfDataSummary *summary);

typedef struct {
	/* Called once before the first record, with a complete summary. FALSE with an error set ends the reading. May
	 * be NULL. */
	gboolean (*begin)(gpointer data, const PerfDataSummary *summary, GError **error);
	/* Called for each record in order of time. May be NULL. */
	void (*record)(gpointer data, const PerfDataRecord *record);
} PerfDataVisitor;

/* Reads a recording. `summary` may be NULL; it is filled only on success and owned by the caller, see
 * perfdata_summary_clear(). Errors: FIREBREAK_ERROR_STORAGE if the file cannot be opened, FIREBREAK_ERROR_INVALID if it
 * is no perf.data file, of a kind not read, truncated or corrupt. */
gboolean perfdata_read(
        const char *path, const PerfDataVisitor *visitor, gpointer data, PerfDataSummary *summary, GError **error);
/* The same of a recording in memory, which must stay as it is until the function returns; `name` is for errors. */
gboolean perfdata_read_bytes(const guint8 *bytes, gsize length, const char *name, const PerfDataVisitor *visitor,
        gpointer data, PerfDataSummary *summary, GError **error);
