/* SPDX-License-Identifier: Apache-2.0 */
/* Words for counts: to the last digit that matters (number_count_change()), and with what was counted.
 *
 *     +12.31 % (448 M more)        +0.00030 % (14 more)        unchanged (3.60 G)        from 0 to 12
 *
 * Ranges stand in brackets where runs differ. */
#pragma once

#include "compare/comparison/comparison.h"

/* Of a metric: the text that follows its name above. Owned by the caller. */
char *counted_change(const MetricComparison *metric);
/* Of a function: "+11.90 pp", or "+11.90 pp [+11.70, +12.10]". Owned by the caller. */
char *counted_points(const FunctionComparison *function);
