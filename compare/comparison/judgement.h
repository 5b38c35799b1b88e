/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that both judges share, that of times (compare/timed/verdict.h) and that of counts
 * (compare/counted/counted.h): can two measurements be compared at all, and which of the things that speak against a
 * pass comes first.
 *
 *     error           no round on both sides, no metric that gates, a gating metric missing or invalid,
 *                     a profile missing
 *     regression      a gating metric, then a function
 *     inconclusive    an objection to the campaign, a gating metric that is open, an objection to the functions
 *     pass            else */
#pragma once

#include "compare/comparison/comparison.h"

/* The first gating metric with this verdict, or NULL. */
const MetricComparison *judgement_gating(const GPtrArray *metrics, Verdict verdict);

/* The checks. Each sets an error verdict and is FALSE if there is something that keeps the two from being compared. */

/* `word` is that for what is repeated: "round" or "run". */
gboolean judgement_has_runs(
        BenchmarkComparison *comparison, const Measurement *base, const Measurement *head, const char *word);
/* There is a metric that gates. */
gboolean judgement_has_endpoints(BenchmarkComparison *comparison);
/* No metric that gates is missing or invalid. */
gboolean judgement_has_metrics(BenchmarkComparison *comparison, const Measurement *base, const Measurement *head);
/* The profiles of base and head have at least so many runs. */
gboolean judgement_has_profiles(
        BenchmarkComparison *comparison, const Profile *base, guint base_runs, const Profile *head, guint head_runs);

/* Something that keeps a comparison from passing: the code of a reason, and its text, which is taken. None if the code
 * is NULL. */
typedef struct {
	const char *code;
	char *text;
} Objection;

typedef struct {
	/* the reason of a function that gates; owned by the caller */
	char *(*function_reason)(
	        const BenchmarkComparison *comparison, const FunctionComparison *function, double margin);
	double margin; /* of functions, for that */
	Objection campaign, functions;
} JudgementInput;

/* The reasons of metrics that were not judged, because too few rounds or runs were made, begin with this. */
#define JUDGEMENT_TOO_FEW "too few"

/* Decides by what was compared. */
void judgement_decide(BenchmarkComparison *comparison, JudgementInput *input);
/* The beginning of the reason of a metric that is open because the same code did the same work
 * (compare/timed/verdict.h). */
#define JUDGEMENT_SAME_CODE "the code that ran is the same"
/* The code of the reason that a metric is inconclusive: too_few_rounds, same_code or interval_too_wide. */
const char *judgement_open_code(const MetricComparison *metric);
