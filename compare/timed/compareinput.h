/* SPDX-License-Identifier: Apache-2.0 */
/* The data that the verdict on one benchmark is made from (compare/timed/verdict.h). */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/functions/attribution.h"
#include "compare/statistics/looks.h"

typedef struct {
	const Measurement *base, *head; /* borrowed; their profiles share one stack table */
	const GPtrArray *policies;      /* of MetricPolicy: what is judged. A metric without one is not compared */
	FunctionPolicy functions;
	LookPlan plan;
	gboolean contaminated;     /* a control that nobody changed moved beyond the margin in this campaign */
	const CodeFacts *code;     /* as in attribution.h; NULL = not known */
	const LineChanges *change; /* likewise */
	/* The confirmation of an earlier result by a fresh campaign: only what failed there is judged, at the level
	 * CONFIRMATION_ALPHA each (compare/timed/confirmation.h); NULL = a first campaign. */
	const BenchmarkComparison *suspected;
	/* A regression may be accepted (compare/acceptance.h), so it is not the end: what else there is has to be
	 * known. */
	gboolean beyond_regression;
	guint layouts;        /* links of each side that took turns; 0 or 1 = as built */
	gboolean waits_meant; /* the policy says so: a rise of the wait keeps nothing from passing
	                         (compare/timed/waiting.h) */
} CompareInput;
