/* SPDX-License-Identifier: Apache-2.0 */
/* The results of all shards of a check, joined into the one result that a single machine would have given.
 *
 *     shard 1/2: a, d ──┐
 *                       ├── a, b, c, d in the order of the configuration, reasons and findings once, one exit code
 *     shard 2/2: b, c ──┘
 *
 * Benchmarks are taken as they are: each was judged on its machine, with the error rates of the whole check. What is
 * accepted is listed once, as used if any shard used it; what none used is a finding of the whole check. A shard that
 * ended worse than its reasons say is a reason itself. What would not be one check is refused: other commits, another
 * number or list, a shard or a benchmark that is there twice, other toolchains or rules (whatever METRIC_DETERMINISTIC
 * needs equal, and the version of firebreak), and, unless that is wanted, other kinds of machine (METRIC_REPLICABLE). A
 * shard or benchmark that is missing is no reason to refuse, but it is an error in the result: what was not measured
 * never passes. Pure. */
#pragma once

#include "compare/result.h"

typedef struct {
	CheckResult *result; /* of one shard; its benchmarks are taken by the merge */
	const char *what;    /* what messages call it */
} MergeInput;

typedef struct {
	gboolean mixed_machines; /* other kinds of machine are a finding and not refused */
} MergeOptions;

/* Joins at least one MergeInput, in any order, with the same result. On error nothing was taken. Owned by the caller,
 * and decided. Errors: FIREBREAK_ERROR_USAGE; FIREBREAK_ERROR_BASELINE where machines are not comparable. */
CheckResult *merge_results(const GArray *inputs, const MergeOptions *options, GError **error);
