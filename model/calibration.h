/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of one A/A campaign, in which both sides ran the same program: what the gate says where nothing changed.
 * Data only; baselines/calibrations.h stores it, compare/timed/calibrationsummary.h sums many of them up. */
#pragma once

#include "model/engine.h"

#include <glib.h>

typedef struct {
	char *name;
	const Engine *engine;
	double change_ratio;       /* head / base, Hodges-Lehmann */
	double sd_log;             /* of the log ratios of rounds */
	double margin, mde_ratio;  /* the smallest visible change is about margin + mde_ratio */
	gboolean gates, regressed; /* regressed: a false alarm */
	gboolean passed;
} CalibrationMetric;

typedef struct {
	char *benchmark;
	char *commit;      /* full SHA that ran on both sides */
	char *fingerprint; /* environment_fingerprint() of METRIC_REPLICABLE: the kind of machine */
	char *schedule;    /* "coscheduled" or "sequential" */
	gint64 time_s;     /* seconds since 1970: the one thing that tells two A/A campaigns of a commit apart */
	guint64 seed;      /* of the order of its rounds */
	guint rounds;
	char *verdict;         /* "pass", "regression", "inconclusive" */
	guint functions;       /* tested */
	guint false_functions; /* called a regression or an improvement */
	double smallest_p;     /* over functions, both directions, adjusted; 1 if none was tested */
	GPtrArray *metrics;    /* of CalibrationMetric */
} Calibration;

/* Texts are NULL until the caller sets them to copies, smallest_p is 1, other numbers are 0. Owned by the caller. */
Calibration *calibration_new(void);
void calibration_free(Calibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Calibration, calibration_free)
/* Appends a metric with copies of the names and numbers that are not known; borrowed. */
CalibrationMetric *calibration_add_metric(Calibration *calibration, const char *name, const Engine *engine);
