/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of benchmarks out of the store: what `firebreak history` shows, and what a check adds to its report. Joins
 * baselines/trend.h and compare/history/historybuilder.h. */
#pragma once

#include "baselines/trend.h"
#include "compare/history/historybuilder.h"

typedef struct {
	TrendRequest trend;
	const char *benchmark; /* NULL = all */
	HistoryWanted wanted;
} HistoryRequest;

/* The histories, a GPtrArray of MetricHistory owned by the caller; empty if nothing is stored. *n_commits (may be NULL)
 * is how many commits were read. Damaged baselines are findings. Errors: those of trend_commits(), and of
 * core/cancel.h. */
GPtrArray *history_read_store(
        BaselineStore *store, const HistoryRequest *request, FindingList *findings, guint *n_commits, GError **error);
/* The names of the benchmarks that these commits have baselines of, sorted; a GPtrArray of char * owned by the caller.
 * Damaged baselines are passed over. Errors as above. */
GPtrArray *history_read_names(BaselineStore *store, const TrendRequest *trend, GError **error);
