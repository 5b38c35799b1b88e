/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the change of one metric into words that need no legend, with the benchmark as subject:
 *
 *     a time that rose        parse is 12 % slower (11 to 14 %)
 *     a time that fell        parse takes 30 % less time (28 to 31 %)
 *     a count that rose       parse runs 12.31 % more instructions (+448 M)
 *                             parse has 12 % more page-faults (11 to 14 %)
 *     any other               parse: peak-rss is 12 % higher (11 to 14 %)
 *     a pass                  parse: no slowdown beyond 4 % (measured +0.42 %, -0.81 to +1.6 %)
 *     not decided             parse: CPU time +2.0 % (-0.69 to +4.6 %)
 *
 * What was measured is rounded to what a reader keeps in mind, two digits; tables have the rest. What was counted has
 * all its digits (model/numbers/number.h). "30 % less time" and not "30 % faster": the latter is read as a ratio of
 * speeds as often as of times. */
#pragma once

#include "compare/comparison/comparison.h"

/* One clause without full stop; foreign text, owned by the caller. `comparison` is the benchmark that the metric is
 * of. */
char *change_words(const BenchmarkComparison *comparison, const MetricComparison *metric);

/* "CPU time" of task-clock, "wall time" of wall; any other name as it is. Foreign text, borrowed from the metric. */
const char *change_words_name(const MetricComparison *metric);
/* TRUE for a metric of which more is "slower": the times of the CPU and its cycles. */
gboolean change_words_is_speed(const MetricComparison *metric);
