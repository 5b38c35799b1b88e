/* SPDX-License-Identifier: Apache-2.0 */
/* When the totals of a check may be judged, and at which levels (group-sequential plan).
 *
 * With M gating endpoints (benchmark x metric, over the whole check) every one-sided FAIL level is divided by M
 * (Bonferroni); PASS levels are not, because a pass needs all endpoints. The levels of the looks add up to the total
 * level (union bound), so a campaign may stop at any look, and only at looks. */
#pragma once

#include <glib.h>

#define LOOKS_MAX 3
#define LOOKS_ALPHA .01 /* total level of a false FAIL in one check */

typedef struct {
	guint n;
	guint rounds[LOOKS_MAX]; /* ascending */
	double alpha_fail[LOOKS_MAX], alpha_pass[LOOKS_MAX];
} LookPlan;

/* The default plan for M >= 1 endpoints: k1 = max(8, ceil(log2(M / .004))), k1 + 4, k1 + 12 rounds; FAIL levels
 * (.004, .003, .003) / M, PASS levels .02, .015, .015. */
LookPlan look_plan_sequential(guint endpoints);
/* One look after `rounds` rounds: FAIL level .01 / M, PASS level .05. */
LookPlan look_plan_fixed(guint rounds, guint endpoints);
/* The FAIL level of all looks together. */
double look_plan_alpha(const LookPlan *plan);
/* The smallest number of rounds at which a FAIL of level `alpha` is possible at all: ceil(log2(1 / alpha)). */
guint look_rounds_possible(double alpha);
