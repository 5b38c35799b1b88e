/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a result that comes from a file does not contradict itself. A file may be cut, damaged or written by
 * anybody, and what it lacks reads as empty; so nothing is believed that the numbers below it do not say:
 *
 *     exit code = verdict = what rows and reasons decide        (check_result_decide())
 *     a row that passes = every gating metric of it passes, or is accepted, and no function of it gates
 *     a gating metric that passes = rounds, values and medians of both sides, and a bound within the margin
 *
 * A whole forgery cannot be told: who may write results may write any. Pure. */
#pragma once

#include "compare/result.h"

/* The first thing that contradicts another one, as a clause without the name of the file ("count passes, but none of
 * its metrics gates"); NULL if there is none. Results of a check, of `compare` and of a merge have none. Owned by the
 * caller. */
char *result_contradiction(const CheckResult *result);
