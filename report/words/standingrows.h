/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks of a result in the order in which a reader looks at them, each with its standing (standing.h) and the
 * metric to speak of. */
#pragma once

#include "report/words/standing.h"

typedef struct {
	const ResultBenchmark *benchmark;
	Standing standing;
	const MetricComparison *metric; /* to speak of; NULL = none */
} StandingRow;

/* Of StandingRow, by standing, and of one standing the largest change first; those that passed in the order of the
 * configuration. `n_look` becomes the number of those that need a look, which are the first ones. The array is the
 * caller's, what the rows point to is borrowed from the result. */
GArray *standing_rows(const CheckResult *result, guint *n_look);
