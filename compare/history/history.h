/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a metric of a benchmark at earlier commits, as data for a plot. Data only: whoever knows the store
 * fills it.
 *
 *     value ┤      ●─●─●    ●─●      one point per measured commit, oldest first
 *           ┤ ●─●─●      ╎ ●         gap: measured in another environment from here on, so not comparable
 *
 * Values are per unit of work, in the unit of the metric. A point is one stored measurement; commits that nobody
 * measured are not there. */
#pragma once

#include "model/engine.h"

#include <glib.h>

typedef struct {
	char *sha;                   /* full SHA */
	char *subject;               /* first line of the commit message (foreign text); "" = not known */
	gint64 time_s;               /* committer time in seconds since 1970; 0 = not known */
	gboolean same_environment;   /* as the point before it; a line may join only those. FALSE of the first */
	double median, lower, upper; /* over the runs; lower and upper are the ends of their range; NaN = not known */
	guint runs;                  /* that have a value */
	char *fingerprint;           /* first digits of that of its environment; "" = not known */
	guint unmeasured;            /* commits between it and the point before it, in the first-parent history */
} HistoryPoint;

/* Tells where the level changed (compare/statistics/changepoints.h). */
typedef struct {
	guint point;          /* index of the first point of the new level */
	double before, after; /* the levels */
	double change;        /* (after - before) / before, of functions / what the whole benchmark cost before */
	double p_value;       /* NaN = counted, not tested */
	gboolean worse;       /* the direction that costs */
	guint candidates; /* commits that may have done it: 1 = the point's own, else it and those before it that nobody
	                   * measured, or those of all points from `earliest` to `latest` */
	/* Indexes of points. A step is as likely at any from the one to the other; a drift left the old level at
	 * `earliest`, which is `point`, and came to the new one at `latest`. Both 0 in reports of before they were
	 * known. */
	guint earliest, latest;
	gboolean drifts; /* it came little by little: no single commit did it */
} HistoryChange;

/* TRUE if no single point is to be named: a drift, or a step with several places. */
gboolean history_change_is_range(const HistoryChange *change);

typedef struct {
	char *metric, *unit;
	const Engine *engine;
	char *benchmark;         /* "" where the history is part of something that says it */
	char *function, *module; /* whose self cost it is; "" = of the whole benchmark */
	gboolean counted; /* counted, or replicable on the same kind of machine, and the same in each run: changes are
	                   * not tested */
	gboolean higher_is_better;
	GArray *points;  /* of HistoryPoint: ancestors of head, oldest first; base and head themselves may be among them
	                  */
	GArray *changes; /* of HistoryChange, by point */
} MetricHistory;

/* Without points and changes; texts are copied, and those that are not given are "". The engine is to be
 * set before the history is used. */
MetricHistory *metric_history_new(const char *metric, const Engine *engine, const char *unit);
void metric_history_free(MetricHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetricHistory, metric_history_free)
/* Appends a copy of the point, texts included; NULL texts count as "". */
void metric_history_add(MetricHistory *history, const HistoryPoint *point);
