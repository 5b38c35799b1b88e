/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one benchmark, from the measurements of both sides.
 *
 * In this order, the first that applies:
 *
 *     error         no rounds, no gating metric, a gating metric not measured on both sides or with values that have no
 *                   ratio (totals.h), a profile on one side only or without samples
 *     regression    a gating metric fails, or a gating function does
 *     inconclusive  head waits much longer (waiting.h), the campaign was contaminated, too few
 *                   rounds, more CPU time for as many instructions of the same code, or a change too close to call
 *     pass          every gating metric passes and nothing above
 *
 * reason_code is one of zero_runs, zero_endpoints, metric_missing, invalid_value, profile_missing, zero_samples |
 * regression, function_regression | waits_more, contaminated, too_few_rounds, same_code, interval_too_wide | "" for a
 * pass; of a
 * confirmation also not_confirmed and unclear. A function gates where the total is not shown to be below its margin, or
 * under a strict policy; what is held back (attribution.h) is told in `slower`.
 *
 * Run i of base and run i of head are one round; runs that only one side has are ignored. All functions are pure: the
 * runner calls compare_decided() after each look of the plan and stops when it is TRUE; compare_benchmark() then
 * replays the same looks. Functions are tested once, on all rounds. */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/functions/attribution.h"
#include "compare/statistics/looks.h"
#include "compare/timed/compareinput.h"

/* Judges everything. Never fails: what cannot be compared is an error verdict. Owned by the caller. */
BenchmarkComparison *compare_benchmark(const CompareInput *input);

/* Tests the functions of two profiles that decide nothing, such as those of an extra event: as above, without metrics,
 * and the verdict stays one of error. No functions where a side has too few samples. Owned by the caller. */
BenchmarkComparison *compare_shown_profiles(const CompareInput *input);

/* TRUE if more rounds cannot change the verdict on the gating metrics: each of them is decided, or one of them fails or
 * is an error. A confirmation has one look, after all its rounds, so only an error decides it earlier. */
gboolean compare_decided(const CompareInput *input);
