/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a self-test: head is base with a planted delay, so anything but a regression that names the planted function
 * is a failure of the gate. */
#pragma once

#include "compare/result.h"

/* Adds the reason SELF_TEST_MISSED with what was seen instead, unless the delay was found: a gating time (or the
 * counted instructions) regressed, or the planted function gates by itself; and where functions have names, it is among
 * those that rose. The benchmark has a comparison that is no error. */
void self_test_judge(CheckResult *result, const ResultBenchmark *benchmark);
