/* SPDX-License-Identifier: Apache-2.0 */
/* The thing that a bisection looks for, and what a check of one commit against the good one says about it. Pure.
 *
 * It looks for one thing all the way: a metric, or a function. That is what was asked for, or what the check of the
 * bad commit found first: a gating metric that regressed (a counted one before others), else the gating function that
 * contributes most. So a commit that is slow in another way does not mislead the search.
 *
 *     metric      bad if the check calls it a regression, good if it passes, else unclear
 *     function    bad if it gates, or would if the total did not hold it; good if it does not and that is certain: its
 *                 count repeats, the check accounts for its change, or the upper end of its contribution is below half
 *                 of what it contributes to the bad commit; else unclear, as where cost moved to an edited function
 *
 * Nothing is believed of a campaign that the check itself does not believe: one that was contaminated, or whose
 * regression was not confirmed, is unclear, and an error is untestable. */
#pragma once

#include "compare/bisect/bisectplan.h"
#include "compare/result.h"

typedef struct {
	char *metric;         /* NULL = not one metric */
	const Engine *engine; /* NULL until it is settled */
	char *function;       /* name, or NULL */
	double contribution;  /* of the function, bad against good */
} BisectTarget;

void bisect_target_clear(BisectTarget *target);
/* "instructions", or "the function hash_word". Owned by the caller. */
char *bisect_target_text(const BisectTarget *target);
/* TRUE if counts decide about it. */
gboolean bisect_target_is_counted(const BisectTarget *target);

/* The answer about one commit. */
typedef struct {
	BisectVerdict verdict;
	double change_ratio; /* of the metric, head / base; NaN if not known, and for a function */
	double contribution; /* of the function, share of base's total; NaN if not known, and for a metric */
	char *text;          /* one line: "instructions +5.1 %", or why nothing can be told */
} BisectAnswer;

void bisect_answer_clear(BisectAnswer *answer);

/* Judges a commit by the comparisons of one benchmark: `comparisons` is NULL-terminated, those of other engines after
 * the first. `target` is settled. Fills *answer, whose text is owned by the caller. */
void bisect_judge(const BisectTarget *target, const BenchmarkComparison *const *comparisons, BisectAnswer *answer);
/* The same from the result of a check of that benchmark alone; one without a comparison is untestable. */
void bisect_judge_check(const BisectTarget *target, const CheckResult *result, BisectAnswer *answer);

/* The same where no metric and no function is asked for: the verdict on the whole. */
void bisect_judge_whole(const CheckResult *result, BisectAnswer *answer);
/* The bad commit, of which no check told that it is worse: good if none saw a regression, else unclear. `why` is
 * copied.
 */
void bisect_judge_not_bad(gboolean no_regression, const char *why, BisectAnswer *answer);
/* A commit whose check could not be made at all. `why` is copied. */
void bisect_judge_failed(const char *why, BisectAnswer *answer);

/* Settles on one thing by the comparisons of the bad commit with the good one: what `target` asks for, or what
 * regressed. FALSE if there is nothing of the kind, with the reason in *why (owned by the caller); such a target is not
 * settled. */
gboolean bisect_target_settle(BisectTarget *target, const BenchmarkComparison *const *comparisons, char **why);
/* The same from the result of a check. */
gboolean bisect_target_settle_check(BisectTarget *target, const CheckResult *result, char **why);
