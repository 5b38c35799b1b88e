/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of a failed metric without what certain functions cost more: the part of a regression that accepting those
 * functions does not cover.
 *
 *     perf       head'[i] = head[i] - sum over F of (cost of F in head[i] - cost of F in base[i])      round by round
 *     callgrind  head'[i] = head[i] - sum over F of (cost of F in head[i] - mean cost of F in base)    and base' alike
 *
 * The rest is judged like the metric itself, by the same margins, looks and bounds, so it passes, fails, or cannot be
 * told. Sampled costs of functions vary by chance; so does the rest, and its interval says so. Costs are self costs.
 *
 * Only a metric that the profile is a profile of has a rest: CPU time (task-clock, cycles) of samples, instructions of
 * callgrind. What a function adds to elapsed time, memory or any other metric is not known. */
#pragma once

#include "compare/counted/counted.h"
#include "compare/timed/verdict.h"

/* The metric without what `functions` (of FunctionComparison, of the same comparison) cost more: with verdict, bounds
 * and reason. NULL if the metric has no such rest. Owned by the caller. */
MetricComparison *accepted_rest(const CompareInput *input, const MetricComparison *metric, const GPtrArray *functions);
/* The same of counts. */
MetricComparison *accepted_rest_counted(
        const CountedInput *input, const MetricComparison *metric, const GPtrArray *functions);
