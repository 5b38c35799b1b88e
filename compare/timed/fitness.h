/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which change a benchmark can be gated on, from a short comparison of a program with itself: the spread of a few
 * rounds tells what a whole campaign will see, by the formula of compare/comparison/totals.h. */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/statistics/looks.h"

/* firebreak.yml takes no more rounds. */
#define FITNESS_MOST_ROUNDS 62

typedef struct {
	const MetricComparison *metric; /* that decides it: of those that gate the one that takes most rounds where the
	                                 * campaign has too few, else the time; borrowed, NULL = none gates */
	gboolean fit;                   /* a pass can be told from a change of that metric's pass margin */
	gboolean repeats;               /* the metric is counted, or did not scatter at all */
	gboolean too_few;               /* rounds for any pass (look_rounds_possible()) */
	double visible;                 /* smallest change that is found with 80 % power, as a share; NaN = none is */
	guint rounds;                   /* of the campaign at most */
	guint rounds_needed;            /* for the pass margin; 0 = more than can be told */
} Fitness;

/* `comparison` is of base against base, `plan` that of the check to come. */
Fitness benchmark_fitness(const BenchmarkComparison *comparison, const LookPlan *plan);

/* "fit to gate at 2.6 %: ..." or "not fit to gate at 3 %: ...". `round_s` is the duration of a round. Owned by the
 * caller. */
char *fitness_sentence(const Fitness *fitness, double round_s);
/* The remedy for a benchmark that is not fit; NULL if it is. Owned by the caller. */
char *fitness_remedy(const Fitness *fitness, double round_s);
