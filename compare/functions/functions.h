/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of one benchmark as a family: what each contributes to the change of the total, and with what
 * certainty.
 *
 *     measurements --costs.h--> cost per function and round --renames.h--> rows --fliptest.h--> p-values, intervals
 *
 * A row is one function, or a pair of names of which the second replaced the first. Rows with at least 20 samples and
 * .1 % of the cost, both sides together, are tested; all others only contribute. Contributions are shares of base's
 * mean total and exact: those of all rows (untested ones are `other_contribution`), `unknown_contribution` and
 * `unsampled_contribution` add up to `total_change`. They are differences of arithmetic means, so `total_change` is not
 * quite the estimate of totals.h.
 *
 * Functions are physical ones (costs.h); what is inlined into a row explains it (inlinedparts.h) and is not tested.
 */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/functions/costs.h"
#include "compare/functions/functionrow.h"
#include "compare/statistics/fliptest.h"

#define ELIGIBLE_SAMPLES 20
#define ELIGIBLE_SHARE .001

typedef struct {
	CostTable *costs;
	GArray *rows;        /* of FunctionRow, in table order of their head frame */
	FlipTest *test;      /* over the tested rows */
	double interval_phi; /* flip_interval_dispersion() of all rows */
} FunctionFamily;

typedef struct {
	const Measurement *base, *head; /* their profiles share one table */
	guint rounds;                   /* at least 1: the first runs of both */
	const FunctionPolicy *policy;
	const CodeFacts *code; /* by which renamed functions are recognized; NULL = not known */
} FamilyInput;

/* A row for each function with any cost of its own, a renamed one under both names, in table order of their head frame:
 * a GArray of FunctionRow, owned by the caller, that borrows from `costs`. Nothing is tested yet. */
GArray *function_rows_new(const CostTable *costs, const CodeFacts *code);

/* Builds the family and tests it. The measurements outlive it. Owned by the caller. */
FunctionFamily *function_family_new(const FamilyInput *input);
void function_family_free(FunctionFamily *family);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FunctionFamily, function_family_free)

/* Adds one FunctionComparison per row, in row order and all of class UNCHANGED, and sets the family's fields of
 * `comparison` (contributions, phi, d0, flips, number of tested functions). */
void function_family_report(const FunctionFamily *family, BenchmarkComparison *comparison);

/* The spread that a campaign's own state adds to a contribution, as a share of it: the standard deviation from campaign
 * to campaign, beyond what its rounds show. A state of the machine that lasts as long as a campaign (what its
 * neighbours leave of caches and memory) makes some functions dearer than others in all rounds alike, and with them the
 * total of base that contributions are shares of. Measured: docs/STATISTICS.md, "Intervals across campaigns". */
#define CAMPAIGN_SPREAD .06

/* The half width of an interval that holds across campaigns, from the one that the rounds of a campaign give: both
 * parts add up in squares, since they are independent. What is unchanged has no such part, because both sides meet the
 * same state. */
double campaign_half_width(double within, double contribution);

/* Head minus base of one row in round `round`, in cost. */
double function_row_difference(const FunctionRow *row, guint round);

/* Mean of a series of differences per round, with one-sided 95 % bounds by Student's t. Of its own variance only: the
 * typical variance of a family is blown up where many of its few functions changed. Bounds are NaN for k < 2. */
typedef struct {
	double mean, lower, upper;
} SeriesBounds;
/* Mean of k differences with its bounds. */
SeriesBounds series_bounds(const double *difference, guint k);

/* The share of the total's change that one function explains, with its 95 % interval by Fieller's method, from the
 * differences of the function and of the total per round. Three times NaN if the total's own 95 % interval includes 0
 * or k < 2: a share of nothing cannot be told. */
typedef struct {
	double share, lower, upper;
} ChangeShare;
/* The share of the total's change that a function makes, over k rounds, with its interval. */
ChangeShare change_share(const double *function, const double *total, guint k);
