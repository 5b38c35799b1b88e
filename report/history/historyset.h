/* SPDX-License-Identifier: Apache-2.0 */
/* The data that `firebreak history` shows: the histories of metrics and functions, and which of them by themselves.
 * Data; the outputs are historytext, historycsv, historypage and, as JSON, history_set_json(). */
#pragma once

#include "compare/history/history.h"
#include "core/finding.h"
#include "core/jsontext.h"

#define HISTORY_SCHEMA "firebreak-history/1"

typedef struct {
	const char *revision, *sha;  /* the newest commit, as named (foreign) and as full SHA */
	guint commits;               /* with baselines, or of the file, that were read */
	const GPtrArray *histories;  /* of MetricHistory */
	const FindingList *findings; /* what could not be read */
	gboolean from_file;          /* that another tool wrote, and `revision` is its name */
} HistorySet;

/* TRUE if readers who did not ask for more are shown it: functions, what the benchmark reports itself, and of each
 * engine the metric that gates by default. */
gboolean history_leads(const MetricHistory *history);
/* The histories of the set that are shown, all or those that lead; all if none leads. Elements are borrowed, the array
 * is the caller's. */
GPtrArray *history_set_shown(const HistorySet *set, gboolean all);
/* The index of the first point of the newest environment; 0 without points. */
guint history_newest_part(const MetricHistory *history);
/* "4 commits: too few ..." where values are sampled and no change could be found; NULL elsewhere. Of
 * functions, which share the level of the test, more may be needed. Owned by the caller. */
char *history_too_few(const MetricHistory *history);
/* A value as text; what was counted has all its digits. Owned by the caller. */
char *history_value(const MetricHistory *history, double value);

/* The whole set, with every history, as the text of a JSON document. Owned by the caller. */
char *history_set_json(const HistorySet *set);
