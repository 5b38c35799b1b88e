/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up what A/A campaigns say about a gate: its rate of false alarms on this benchmark and kind of machine, and the
 * smallest change that it sees. */
#pragma once

#include "compare/comparison/comparison.h"
#include "model/calibration.h"

typedef struct {
	guint campaigns;
	guint false_alarms; /* regression verdicts */
	guint passes;
	guint function_alarms;   /* campaigns that flagged any function */
	double alarm_rate_upper; /* one-sided 95 % upper bound of the false-alarm rate (Clopper and Pearson, 1934) */
	double smallest_visible; /* median over campaigns of margin + MDE of the gating time metric, as ratio - 1; NaN =
	                          * not known */
	double aa_spread;        /* standard deviation of the A/A changes (log ratio) of that metric; NaN below 2 */
	gboolean suspicious; /* more false alarms than the promised rate (1 % totals + 1 % functions) can explain: the
	                      * exact binomial p is below .01 */
} CalibrationSummary;

/* `calibrations` holds Calibration; may be empty. The time metric of a campaign is the first of cycles, task-clock and
 * wall that gates, else the first metric that gates. Assumes that the campaigns are independent. */
CalibrationSummary calibration_summary(const GPtrArray *calibrations);
/* The record of an A/A comparison, without commit, fingerprint, schedule, time and seed, which the caller fills in
 * (NULL and 0). Owned by the caller. */
Calibration *calibration_of(const BenchmarkComparison *comparison);
/* One-sided upper 95 % bound of a rate of which k of n were seen: the p with P(X <= k) = .05, by bisection; 1 for k =
 * n.
 */
double binomial_upper_bound(guint k, guint n);
