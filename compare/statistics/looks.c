/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/looks.h"

#include <math.h>

#define FIRST_ALPHA .004
#define FIRST_ROUNDS 8

guint look_rounds_possible(double alpha)
{
	return (guint)ceil(log2(1 / alpha) - 1e-12);
}

LookPlan look_plan_sequential(guint endpoints)
{
	double m = MAX(endpoints, 1);
	guint first = look_rounds_possible(FIRST_ALPHA / m);
	g_assert(first >= FIRST_ROUNDS); /* 2^-7 is above FIRST_ALPHA */
	return (LookPlan){
	        .n = 3,
	        .rounds = {first, first + 4, first + 12},
	        .alpha_fail = {FIRST_ALPHA / m, .003 / m, .003 / m},
	        .alpha_pass = {.02, .015, .015},
	};
}

LookPlan look_plan_fixed(guint rounds, guint endpoints)
{
	return (LookPlan){
	        .n = 1,
	        .rounds = {rounds},
	        .alpha_fail = {LOOKS_ALPHA / MAX(endpoints, 1)},
	        .alpha_pass = {.05},
	};
}

double look_plan_alpha(const LookPlan *plan)
{
	double alpha = 0;
	for (guint i = 0; i < plan->n; i++)
		alpha += plan->alpha_fail[i];
	return alpha;
}
