/* SPDX-License-Identifier: Apache-2.0 */
/* Tells if everything that a result is about was measured: what `--on-inconclusive=pass` and CI templates ask before
 * they let an inconclusive result through.
 *
 *     inconclusive ── measured, but the rounds did not settle it ── may be let through by whoever wants that
 *                  └─ not measured, or not enough to be judged ──── never
 *
 * The reasons that may be let through are listed; every other one, also one that this version does not know, is taken
 * for something that was not measured. */
#pragma once

#include "compare/result.h"

/* TRUE if there are benchmarks, each was run on both sides, and each metric that gates was judged in enough rounds; and
 * if no reason says that something failed, was left out, or was measured elsewhere. Of a check that passes it is TRUE.
 * `result` is decided (check_result_decide()). */
gboolean result_is_measured(const CheckResult *result);

/* The ending that an inconclusive result gets, for CI systems that know only 0 and 1. */
typedef enum { INCONCLUSIVE_REPORT, INCONCLUSIVE_FAIL, INCONCLUSIVE_PASS } InconclusiveChoice;
/* Their names in this order, NULL-terminated. */
extern const char *const inconclusive_names[];
/* The exit code of a process: that of the result, but for 3 if something else is chosen. The report keeps 3. With
 * INCONCLUSIVE_PASS only a result of which all was measured becomes 0; others stay 3. */
int inconclusive_exit_code(const CheckResult *result, InconclusiveChoice choice);
