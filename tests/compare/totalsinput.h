/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of totals share this example of ten rounds, and the comparison of its sides. */
#pragma once

#include "compare/comparison/totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double base[] = {1.002, .998, 1.051, 1.004, .997, 1.010, 1.003, .999, 1.020, 1.001};
static const double head[] = {1.041, 1.046, 1.080, 1.049, 1.030, 1.062, 1.044, 1.039, 1.050, 1.047};

static inline MetricComparison *compare(
        const double *b, const double *h, guint rounds, const MetricPolicy *policy, const LookPlan *plan)
{
	TotalsInput input = {.base = b,
	        .head = h,
	        .rounds = rounds,
	        .name = "task-clock",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = policy,
	        .plan = plan};
	return totals_compare(&input);
}
