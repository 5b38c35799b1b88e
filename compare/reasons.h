/* SPDX-License-Identifier: Apache-2.0 */
/* The reasons of a check (compare/result.h): which are there already, and those that a comparison adds. */
#pragma once

#include "compare/result.h"

/* Sorts a GPtrArray of ResultReason by the precedence of the exit codes. */
gint result_reason_compare(gconstpointer a, gconstpointer b);
/* TRUE if that was given as a reason already. An error may have had a more telling exit code than 4. */
gboolean check_result_has_reason(const CheckResult *result, int exit_code, const char *code, const char *benchmark);
/* TRUE if a reason explains why there is no comparison of `benchmark`: one of its own, or an error of the whole check.
 */
gboolean check_result_explains(const CheckResult *result, const char *benchmark);
/* TRUE if a reason is an error. */
gboolean check_result_has_error(const CheckResult *result);

/* Adds every gating metric that regressed as a reason, not only the one that the verdict speaks of. */
void check_result_add_regressed_metrics(
        CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison);
/* Adds what an engine says of a benchmark as a reason, and one for every other metric that regressed, unless it passes,
 * has nothing to judge, or that is one already. In the modes that judge otherwise only an error is one. */
void check_result_add_verdict(CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison);
/* Joins what callgrind says to what perf said of a benchmark (compare/counted/enginepair.h), each with reasons of its
 * own. FALSE if the counts have nothing to judge beside a time that has: then they are shown only, and pass. */
gboolean check_result_join(CheckResult *result, ResultBenchmark *benchmark, BenchmarkComparison *counted);
/* One of a benchmark's two engines judged nothing, for a reason that `result` has; the other filled its comparison. The
 * verdict becomes that of the reason if it is graver, or if the other had nothing to judge. */
void check_result_lacks_engine(CheckResult *result, ResultBenchmark *benchmark, const ResultReason *why);
