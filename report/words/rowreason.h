/* SPDX-License-Identifier: Apache-2.0 */
/* Why a benchmark has its verdict, where a row of a table has to do below the headline of the check. */
#pragma once

#include "compare/result.h"

/* The reason of the benchmark; of one that is new, without what base said when it was run, and of an inconclusive one
 * whose reason the headline has in full "see the headline". Owned by the caller. */
char *row_reason(const CheckResult *result, const ResultBenchmark *benchmark);
