/* SPDX-License-Identifier: Apache-2.0 */
/* Exit codes of a check: what each stands for, and which of several is shown. */
#pragma once

#include "compare/comparison/comparison.h"

/* Position of an exit code in the order of precedence, most important first: the end by a signal (128+n), then a code
 * that is not known, then 9, 2, 8, 7, 5, 4, 6, 1, 3, 0. */
guint exit_code_precedence(int exit_code);
/* TRUE for all but 0 (pass), 1 (regression) and 3 (inconclusive). */
gboolean exit_code_is_error(int exit_code);
/* The exit code that a verdict alone comes to: 0 pass, 1 regression, 3 inconclusive, 4 error. */
int verdict_exit_code(Verdict verdict);
/* The verdict that an exit code stands for: 0 pass, 1 regression, 3 inconclusive, error for all others. */
Verdict exit_code_verdict(int exit_code);
