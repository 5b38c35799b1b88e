/* SPDX-License-Identifier: Apache-2.0 */
/* The decision on a whole check: from the verdicts on its benchmarks and the reasons so far to one verdict and one exit
 * code. */
#pragma once

#include "compare/result.h"

/* Decides: takes the benchmarks' verdicts and the reasons so far, sets verdict and exit_code and sorts the reasons.
 * Precedence of exit codes: 9, 2, 8, 7, 5, 4, 6, 1, 3, 0 (128+n before all). Zero benchmarks, or a benchmark without a
 * comparison and without a reason, is an error with exit code 4: nothing measured never passes.
 *
 * `mode` decides what the verdict of a benchmark means for the check; one of error is always an error:
 * - CHECK_GATE: what it says. NOTHING_TO_COMPARE is a reason with exit code 0: the check passes if all else does.
 * - CHECK_CALIBRATE: both sides ran the same, so a regression is a false alarm and not a fault of the code. Once
 *   everything was measured the check passes; NOT_MEASURED is inconclusive. False alarms are findings `false_alarm`,
 * what stayed open is a finding `aa_inconclusive`.
 * - CHECK_SELF_TEST: the check passes if every benchmark is a regression and, where it was sampled,
 *   CHECK_PLANTED_FUNCTION is among the functions that gate or rose. If not, the reason is `self_test_missed` with what
 *   was seen instead, and the exit code 3. */
void check_result_decide(CheckResult *result);
/* Decides where one side alone was measured, so that nothing was compared: whatever is a reason is an error, and the
 * exit code is that of the first one that happened. */
void check_result_decide_measured(CheckResult *result);
/* The exit code that check_result_decide() would come to. Changes nothing. */
int check_result_decided(const CheckResult *result);
