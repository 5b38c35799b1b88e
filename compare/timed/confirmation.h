/* SPDX-License-Identifier: Apache-2.0 */
/* A regression is measured once more before it is believed: its confirmation by a fresh campaign.
 *
 *     first campaign            second campaign                          outcome
 *     regression of some   ->   some of them are found again        ->   confirmed: the regression stands, for those
 *     metrics, functions        every one is shown to be absent     ->   not confirmed: the verdict is inconclusive
 *                               it cannot tell: a wide interval,    ->   unclear: the verdict is inconclusive
 *                               few samples or rounds, contaminated
 *                               there is none: no time, an error,   ->   not run: the regression stands
 *                               --no-confirm, a deterministic metric
 *
 * So only a second campaign that is valid takes a regression back. Where there is none, the first one stands at its own
 * error rate: a head that is slow enough to use up the time, or that fails when it is run again, gains nothing by it.
 *
 * The second campaign has few things to judge and one look at them, after all of its rounds: a gating metric that
 * failed fails again if its bound at CONFIRMATION_ALPHA is beyond the margin; a function that gated is found again if
 * it passes the same floors, its own p-value is at most CONFIRMATION_ALPHA, neither a cost shift nor layout explains
 * it, and nothing holds it (attribution.h): neither a total that is now shown to be below its margin nor equal code
 * alone. The level is per metric or function: with n of them, chance alone confirms a false regression in at most n x 5
 * % of the cases, on top of the level of the first campaign. Functions are found by name and module. A function that
 * was excused as the consequence of another is suspected like one that gated.
 *
 * That something was not found is no proof that it is not there. A metric is absent if its bound at CONFIRMATION_ALPHA
 * on the worse side is within the margin; a function if the upper end of its pointwise interval is below the floor of
 * contributions, or if head does not run it. So a true regression of at least the margin (of a function: a rise of at
 * least the floor) is refuted with a probability of at most 5 % per metric or function. */
#pragma once

#include "compare/timed/compareinput.h"

#define CONFIRMATION_ALPHA .05

/* The policies of the second campaign: those of `input`, of which only what failed in input->suspected gates. An array
 * of MetricPolicy, owned by the caller; its texts are borrowed from input->policies. */
GPtrArray *confirmation_policies(const CompareInput *input);

/* The input by which the second campaign is compared: with these policies, one look after `rounds`, and no function
 * that gates. Borrows everything. */
CompareInput confirmation_input(const CompareInput *input, const GPtrArray *policies, guint rounds);

/* The verdict on the second campaign, whose metrics and functions were compared: regression if any suspect is found
 * again (its function then gates), else inconclusive with reason_code not_confirmed if every suspect is shown to be
 * absent, else unclear, too_few_rounds or contaminated. */
void confirmation_judge(const CompareInput *input, BenchmarkComparison *comparison);

/* Draws the conclusion for the first campaign. `second` is what compare_benchmark() says with `suspected` = `first`.
 * Sets confirmation and confirmation_text, and takes back what was not found again: such a metric becomes inconclusive,
 * such a function does not gate any more, and if nothing else is left, neither does the benchmark fail. Renews reason
 * and sentence by what is left. TRUE if `first` stays a regression. */
gboolean confirmation_apply(BenchmarkComparison *first, const BenchmarkComparison *second);

/* Says that there was no second measurement, and why; takes the text. Nothing where `first` is no regression. */
void confirmation_skip(BenchmarkComparison *first, char *why);

/* Says that counting once more came to the same; takes the text. Nothing where `comparison` is no regression. */
void confirmation_note_repeated(BenchmarkComparison *comparison, char *how);
