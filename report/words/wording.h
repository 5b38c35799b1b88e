/* SPDX-License-Identifier: Apache-2.0 */
/* Words that all texts have for the things of a comparison: metrics with their values and verdicts, functions, runs,
 * commits. Numbers themselves are written by model/numbers/number.h. Strings belong to the caller, but those said to be
 * static. */
#pragma once

#include "compare/history/history.h"
#include "compare/timed/calibrationsummary.h"

/* The change of a metric: "+13.4 %", of what was counted with all its digits. */
char *wording_metric_change(const MetricComparison *metric);
/* Its interval, "[+12.1, +14.7]", or the range over the runs of what was counted; "" for a metric whose sides were
 * measured at different times, which has none. */
char *wording_metric_interval(const MetricComparison *metric);
/* Its values of both sides: "1.92 s → 2.18 s". */
char *wording_metric_costs(const MetricComparison *metric);
/* The words that such a metric has instead of a verdict: "not judged: other times". Static; NULL for any other. */
const char *wording_not_judged(const MetricComparison *metric);
/* The margin of a metric, and its pass margin where that is another one: "2 %, pass 4 %". */
char *wording_margins(const MetricComparison *metric);
/* The value of a metric: counted exactly or measured, without a unit that its name says. */
char *wording_metric_value(const MetricSeries *series, double value);
/* A change of the level of a history, as a part of it (INFINITY = from 0): "+12.3 %"; of functions in points of what
 * the whole benchmark cost: "+1.20 pp". */
char *wording_history_change(const MetricHistory *history, double change);
/* The commits among which a change lies, as git log takes them: "1a2b3c4d..9f8e7d6c"; NULL if it has one place. */
char *wording_history_range(const MetricHistory *history, const HistoryChange *change);
/* "one of 3 commits", "little by little, over 58 commits"; NULL if it has one place. */
char *wording_history_spread(const HistoryChange *change);
/* The first characters of a SHA, enough to find the commit; "worktree" stays, "" is "?". */
char *wording_sha(const char *sha);
/* The verdict on a metric: "pass", "regression", ..., "accepted" for a regression that is; of one that does not gate
 * "not judged: other times" or "does not gate". Static. */
const char *wording_metric_verdict(const MetricComparison *metric);
/* "Pass", "Regression", "Inconclusive", "Error". Static. */
const char *wording_verdict(Verdict verdict);

/* The relation of the change to a function: "touched", "calls touched", "called by touched", "untouched", with ", same
 * code" if its machine code is the same on both sides; "" if nothing is known. */
char *wording_relation(const FunctionComparison *function);
/* The same word of what is inlined into a function. Static. */
const char *wording_part_relation(const InlinedPart *part);
/* The words after the name of the inlined function in a row for a part of a function's contribution
 * (highlights_parts()): ", inlined"; of what the parts leave, which has no name, all of it: "the rest of it".
 * Static. */
const char *wording_part(gboolean is_rest);
/* Tells why a function that is slower for certain does not fail the check, for the cell with its class: "total passes",
 * "same code"; NULL of all others. Static. */
const char *wording_hold(const FunctionComparison *function);
/* The line below a table of these functions, so that its contributions add up: "all other cost: +0.86 pp, of +19.4 pp
 * in all"; NULL if nothing is left, or if the change of the total is not known. */
char *wording_rest(const BenchmarkComparison *comparison, const GPtrArray *shown);
/* The number of runs that a counted metric rests on: "1", "5", or base and head "1 + 5". */
char *wording_runs(const MetricComparison *metric);
/* The number of times that it was measured, "10 rounds", or counted, "2 + 1 runs". Owned by the caller. */
char *wording_repetitions(const MetricComparison *metric);
/* The agreement of its runs: "exact", or by how much those of a side differ at most: "up to 0.02 % apart". */
char *wording_repeats(const MetricComparison *metric);
/* The title of a list of some of `n` functions whose counts did not repeat. */
char *wording_unstable_title(guint n);
/* That no function changed: "all functions (1,129) have the same counts on both sides". */
char *wording_all_same(const BenchmarkComparison *comparison);
/* The counts of one of them in the runs of a side: "1,000 to 1,200 instructions in base". */
char *wording_unstable(const UnstableFunction *function, const char *unit);
/* The outcome of measuring a regression once more: "confirmed by a second campaign: task-clock +12.9 %", "not confirmed
 * by a second campaign", "not measured a second time: no time was left", of counts "confirmed: head was counted twice";
 * NULL without a regression. */
char *wording_confirmation(const BenchmarkComparison *comparison);
/* The same in a table: "confirmed", "not confirmed", "could not tell", "not done", NULL without a regression. Static.
 */
const char *wording_confirmed(const BenchmarkComparison *comparison);
/* The results of A/A campaigns: "in 24 A/A campaigns on this kind of machine 0 false alarms (at most 11.7 % with 95 %
 * confidence); changes from about 2.6 % on are visible". */
char *wording_calibration(const CalibrationSummary *calibration);

/* The first `max_chars` code points of foreign text, with a last one of "…" if there is more. Bytes that are not UTF-8
 * are kept as they are and count as one each. Looks at no more text than it returns. Escape after this, not before. */
char *wording_shorten(const char *text, gsize max_chars);
/* The same of sentences: cut after the last word that fits, unless that would lose a third of the text. */
char *wording_shorten_words(const char *text, gsize max_chars);
/* Foreign sentences for the terminal: cut like that, then escaped. */
char *wording_clean(const char *text, gsize max_chars);
/* The text in at most so many characters: of a longer one the middle is left out, so that names of which only the ends
 * differ stay apart; with few characters the beginning alone. Owned by the caller. */
char *wording_shorten_middle(const char *text, gsize max_chars);
/* The number of columns that the text takes in a monospaced font: wide characters count two, combining ones none. */
gsize wording_columns(const char *text);
