/* SPDX-License-Identifier: Apache-2.0 */
/* Default margins: what is judged, and how strictly, when the configuration says nothing.
 *
 * Time-like metrics measured in co-scheduled rounds are limited by layout bias (2 % / 4 %), in sequential rounds on a
 * dedicated host by noise (2 % / 5 %), on a hosted machine by much noise (3 % / 10 %). Counts have no noise of
 * the machine, but some of their own: what a program does by address, time or chance. */
#pragma once

#include "compare/comparison/comparison.h"

/* Sets margin, pass_margin, abs_floor and gates of *policy for a metric; name and engine are the caller's and not
 * touched. `schedule` is "coscheduled" or "sequential"; `hosted` says that the machine is a shared virtual one. FALSE
 * if the metric is not known; then *policy is untouched. "instructions" is to gate where it was measured: a gate on a
 * metric that nobody measured is an error (verdict.h). */
gboolean default_policy(const char *metric, const char *schedule, gboolean hosted, MetricPolicy *policy);

/* The same for a metric of the engine callgrind: counts, whose pass margin is the margin. FALSE if it is not
 * known. `instructions` gates; the others only where the configuration says so:
 *
 *     instructions       executed, all processes and threads
 *     estimated-cycles   instructions + 10 x misses of the first level + 100 x misses of the last level
 *                        + 10 x mispredicted branches: the weights of KCachegrind's "cycle estimation"
 *     l1-misses, ll-misses, branch-misses    simulated
 *     allocations        calls of allocating functions
 *     allocated-bytes, peak-heap             of the run under DHAT
 *     system-calls
 *
 * abs_floor is of the size of what loading a program costs anyway: from 3 to 4 allocations is no story. It holds for a
 * whole run, not per unit of work. */
gboolean counted_policy(const char *metric, MetricPolicy *policy);

/* The same for a metric that benchmarks report themselves: 5 % / 15 %, and it gates only where the configuration says
 * so. */
void own_metric_policy(MetricPolicy *policy);

/* The policy for functions in a check of `benchmarks` benchmarks: each benchmark is one family of tests. */
FunctionPolicy default_function_policy(gboolean hosted, guint benchmarks);
