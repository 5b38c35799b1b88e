/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a comparison into one sentence, for a reader who knows nothing but the name of the benchmark: what changed by
 * how much, since which function, and whether that function is the change's doing.
 *
 *     parse is 12 % slower (11 to 14 %), caused by hash_word in hash.c:21, edited in this change
 *     parse takes 30 % less time (28 to 31 %), thanks to hash_word in hash.c:21, edited in this change
 *     parse: no slowdown beyond 4 % (measured +0.42 %, -0.81 to +1.6 %)
 *
 * How a metric is put into words, compare/comparison/changewords.h says; which function is named, culprit.h. One that
 * explains less than half of the change is a part of the cause ("caused in part by"). What an edited function calls is
 * named with that one, a function that does not explain the metric has a clause of its own, and further functions that
 * gate are counted:
 *
 *     parse runs 161.7 % more instructions (+326 M), in to_upper, called more often by hash in hash.c:21, edited in
 *     this change
 *     parse: no slowdown beyond 4 % (measured +0.42 %, -0.81 to +1.6 %); hash_word in hash.c:21, edited in this change,
 *     costs +1.9 pp [+1.1, +2.7] more; and 2 more functions
 *
 * Sentences about a single function have its numbers. Functions are physical ones; what is inlined into one and moved
 * by itself is named after it:
 *
 *     compress_generic +3.1 pp [+2.5, +3.7] (+4.0 % of itself; of which LZ4_count, inlined, +5.0 pp)
 *
 * Counts have ranges over the runs instead of intervals, and none where all runs agree
 * (compare/comparison/countedwords.h).
 *
 * One line without markup or full stop. Names are foreign text as it is; whoever renders a sentence escapes it. The
 * numbers are those of comparison.h: intervals of metrics have the levels of the two decisions, those of functions are
 * pointwise 95 %. */
#pragma once

#include "compare/comparison/comparison.h"

/* The note of a function that took over the cost of another one begins with this. */
#define MOVED_FROM "cost moved from "

/* Of one function, with its note at the end: "hash_word +11.9 pp [+10.8, +13.0] (+45.1 % of itself), edited in this
 * change". Owned by the caller. */
char *sentence_of_function(const StackTable *table, const FunctionComparison *function);

/* The same of a function whose cost was counted: "hash_word +11.90 pp (+45.1 % of itself), edited in this change".
 * Owned by the caller. */
char *sentence_of_counted_function(const StackTable *table, const FunctionComparison *function);

/* Of a metric: "task-clock +12.3 % [+11.0, +13.5]", "instructions +12.31 % (448 M more)". Owned by the
 * caller. */
char *sentence_of_metric(const MetricComparison *metric);

/* Of a benchmark that has been judged: its most telling metric (one that failed before one that is open before one that
 * passed, time first) and the function to blame: of a time that failed, among those that gate or whose adjusted p is at
 * most `report_alpha`; of a time that improved, among those that became cheaper as surely; of other metrics among those
 * that gate; of counts among all that rose, also if they pass, but for what sentence_of_slower() tells. An error
 * verdict is its reason. Where there are functions, the comparison
 * has their table. Owned by the caller. */
char *sentence_of_benchmark(const BenchmarkComparison *comparison, double report_alpha);

/* The function that this sentence blames, or NULL; borrowed. */
const FunctionComparison *sentence_function(const BenchmarkComparison *comparison, double report_alpha);

/* TRUE if a function explains less than half of the change of the total, so that it is only a part of the cause. */
gboolean sentence_is_part(const BenchmarkComparison *comparison, const FunctionComparison *function);

/* The functions that are slower though they do not fail the check (FunctionComparison.held): first the one that the
 * change has most to do with, and then the largest. NULL if there is none. "slower although the total passes: hash_word
 * +4.1 pp [+3.0, +5.2] (+45.1 % of itself), edited in this change; masked by parse_rows -4.0 pp; and 1 more
 * function". Where cost only moved: "cost moved from discount_of to key_of: +12.3 pp [+10.2, +14.3], edited in this
 * change; total unchanged". Owned by the caller. */
char *sentence_of_slower(const BenchmarkComparison *comparison);
/* TRUE if all of these functions took over the cost of others, so that nothing became dearer. */
gboolean sentence_is_shift(const BenchmarkComparison *comparison);
/* Of such a comparison: "cost moved from discount_of to key_of". Owned by the caller. */
char *sentence_moved(const BenchmarkComparison *comparison);
/* The function that this sentence names first, or NULL; borrowed. */
const FunctionComparison *sentence_slower_function(const BenchmarkComparison *comparison);

/* Renews the sentences of a comparison, by its report_alpha: to be called when its verdict was changed. */
void sentence_renew(BenchmarkComparison *comparison);

/* Tells where a metric stands among those that people ask for first, 0 = before all others: times, then instructions,
 * then all others alike. */
guint telling_rank(const MetricComparison *metric);
/* TRUE for the metrics to which the costs of functions add up: times, cycles and instructions. */
gboolean metric_is_time(const MetricComparison *metric);
/* Of the gating metrics with this verdict, accepted ones aside, the one to speak of: times first. NULL if there is
 * none; borrowed. */
const MetricComparison *most_telling_metric(const GPtrArray *metrics, Verdict verdict);
/* The largest function that gates, or NULL; borrowed. Which one is to blame, compare/comparison/culprit.h says. */
const FunctionComparison *gating_function(const GPtrArray *functions);
