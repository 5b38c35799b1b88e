/* SPDX-License-Identifier: Apache-2.0 */
/* The history of metrics and functions for a terminal: of each a sparkline, where it came from and went, and where its
 * level changed.
 *
 *     parse: instructions (callgrind), 42 commits
 *       ▁▁▁▁▂▂╎▅▅▅▇▇▇  3,612,001 → 3,980,112 instructions, +10.19 % since 1a2b3c4d
 *       +9.81 %  worse   9f8e7d6c  2026-10-01  parse in two passes
 *       another environment from 77aa66b5 on
 *
 * All foreign text is escaped. */
#pragma once

#include "report/history/historyset.h"

typedef struct {
	gboolean all;    /* every metric, not only those that lead */
	gboolean colour; /* of changes */
	gboolean utf8;   /* the terminal shows blocks; else ASCII stands for them */
} HistoryTextOptions;

/* Points of a sparkline: the newest. */
#define HISTORY_SPARK_POINTS 60

/* The text, with a newline at the end. Owned by the caller. */
char *history_text(const HistorySet *set, const HistoryTextOptions *options);
/* The points from `first` on as one character each, low to high, with a mark between environments. Owned by the caller.
 */
char *history_spark(const MetricHistory *history, gboolean utf8);
