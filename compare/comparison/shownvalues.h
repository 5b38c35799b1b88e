/* SPDX-License-Identifier: Apache-2.0 */
/* The two values that stand beside a change: "805 ms → 837 ms (+3.9 %)".
 *
 *     shown base = median of base              shown head = median of base x the stated ratio
 *
 * A change is estimated from pairs of runs, and the two medians are not a pair: where the machine got slower in
 * between, 653 and 724 ms may stand beside +20.7 %. A reader takes a change from two values for what these two give, so
 * head is shown where base and the estimate put it. The median of head itself stays in MetricComparison.head and
 * report.json. Where there is no finite ratio, and of counts, whose ratio is that of their medians, it is the median.
 * Pure. */
#pragma once

#include "compare/comparison/comparison.h"

/* The value of head that is shown, per unit of work; NaN where that is not known. Of base its median is shown. */
double metric_shown_head(const MetricComparison *metric);
