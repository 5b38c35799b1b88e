/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of which more runs were wanted than could be made: there was no time for them, or base could not be built
 * again. They decide all the same where more runs could not change it; else they are inconclusive. `doubt` is a clause
 * that says why head is not to be compared with what is stored of base; NULL where nothing speaks against that. */
#pragma once

#include "compare/comparison/comparison.h"

/* TRUE if the verdict stands without more runs: an error, or, where nothing is in doubt, a regression, or one that
 * `lacks` no run. More runs only make ranges wider; but what is stored of base makes nothing certain if it is not to be
 * compared with head. */
gboolean counted_is_settled(const BenchmarkComparison *comparison, const char *doubt, gboolean lacks);
/* Time ran out before `runs` ("base twice"); `needed` is the clause that says what to ask for. No function gates then,
 * and with a doubt no metric was judged. */
void counted_lacks_time(BenchmarkComparison *comparison, const char *doubt, const char *runs, const char *needed);
/* Base could not be built again, which `why` tells. Likewise. */
void counted_lacks_base(BenchmarkComparison *comparison, const char *doubt, const char *why);
/* TRUE if the verdict rests on stored counts that have to be asked for a doubt (compare/counted/countedbase.h): a
 * regression is confirmed instead, and an error is none that base could mend. */
gboolean counted_rests_on_stored(const BenchmarkComparison *comparison);
