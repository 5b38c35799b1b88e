/* SPDX-License-Identifier: Apache-2.0 */
/* The standing of a benchmark, as a reader of a review counts it: "1 slower, 2 faster, 7 unchanged". Finer than a
 * verdict, which knows no improvement and no acceptance; it decides nothing. */
#pragma once

#include "compare/result.h"

/* In the order in which a reader looks at them. */
typedef enum {
	STANDING_REGRESSED,
	STANDING_BROKEN,       /* it could not be compared, or an error */
	STANDING_INCONCLUSIVE, /* too little evidence, or a second campaign did not confirm the regression */
	STANDING_ACCEPTED,     /* it passed because somebody accepted its regression */
	STANDING_SLOWER,       /* it passed, and a function of it is slower for certain */
	STANDING_SHIFTED,      /* it passed, and cost moved from one function to another */
	STANDING_IMPROVED,     /* it passed, and a metric that gates is better by more than its margin */
	STANDING_NEW,          /* base cannot run it, so that there is nothing to compare yet */
	STANDING_PASSED,
} Standing;
#define N_STANDINGS (STANDING_PASSED + 1)

/* The standing of a benchmark of the result. */
Standing standing_of(const CheckResult *result, const ResultBenchmark *benchmark);
/* The word for it: "slower", "faster", "unchanged", "unclear", "broken", ...; "worse" and "better" where what changed
 * is no time. Static. */
const char *standing_word(const ResultBenchmark *benchmark, Standing standing);
/* FALSE for those of which a reader needs no more than their number: passed. */
gboolean standing_needs_a_look(Standing standing);
/* The metric to speak of: the one that failed, is open, was accepted or improved; of equals times first. NULL if none
 * was compared. Borrowed. */
const MetricComparison *standing_metric(const ResultBenchmark *benchmark, Standing standing);
/* "1 slower, 2 faster, 7 unchanged", in that order, without those that there are none of; "no benchmarks". Owned by
 * the caller. */
char *standing_counts(const CheckResult *result);
