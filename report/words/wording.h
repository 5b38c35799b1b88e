/* How numbers read in everything that people look at: terminal, Markdown, pictures.
 *
 * Ratios and shares come in as the data model has them (1.0 = equal, .01 = one percentage point) and go out in percent;
 * this is the only place that turns one into the other for text. What is not known reads "n/a", never 0. The decimal
 * point is always a point, whatever the locale. Every function returns a string that the caller owns; only those that
 * take a unit (an unknown one) and wording_confirmation() may contain foreign text.
 *
 * What was measured is rounded to what matters. What was counted is exact, and says so: all digits of a whole number,
 * and "0 %" only where nothing changed at all. */
#pragma once

#include "compare/calibrationsummary.h"

/* A change from a ratio: 1.123 is "+12.3 %". Two decimals below one percent, none from a thousand on;
 * infinity is "from 0". */
char *wording_change(double ratio);
/* The two bounds of a change: "[+11.0, +13.5]"; with an open end "≤ +20.5 %" or "≥ -3.0 %", with two "none"; "" if
 * neither bound is known or both are infinite. */
char *wording_change_interval(double lower_ratio, double upper_ratio);
/* The interval of a metric that was measured; "" for one whose sides were measured at different times, which has none.
 */
char *wording_metric_interval(const MetricComparison *metric);
/* What such a metric has instead of a verdict: "not judged: other times". Static; NULL for any other. */
const char *wording_not_judged(const MetricComparison *metric);
/* A contribution in percentage points of the base total: .119 is "+11.9 pp". */
char *wording_points(double share);
char *wording_points_interval(double lower_share, double upper_share);
/* The same four of what was counted: two decimals, more where a change is small, "+0.000022 %"; no change is "0 %", and
 * a range whose ends are equal, as that of counts which repeat, is "". */
char *wording_count_change(double ratio);
char *wording_count_range(double lower_ratio, double upper_ratio);
char *wording_count_points(double share);
char *wording_count_points_range(double lower_share, double upper_share);
/* A size without sign, such as a margin: .03 is "3 %". */
char *wording_share(double share);
/* What a cost was of the total of base: "8.9 %". A head that costs more than base has no share of base, so nothing is
 * above 100 %; samples that add up to a little more than what was counted are 100 %, too. */
char *wording_base_share(double cost, double base_total);
/* The margin of a metric, and its pass margin where that is another one: "2 %, pass 4 %". */
char *wording_margins(const MetricComparison *metric);
/* A value with its unit, scaled for reading: 1.92e9 "ns" is "1.92 s", 5e6 "bytes" is "4.77 MiB", 5e6 "count" is
 * "5.00 M". */
char *wording_value(double value, const char *unit);
/* The same beside another value: in the step of the larger one where that still leaves a digit before the point, so
 * that 9494 beside 11234 is "9.49 k". */
char *wording_value_beside(double value, double other, const char *unit);
/* What values up to `largest` are divided by to be written in one unit, as wording_value() does with it: 1e6 of 3e6
 * "ns". */
double wording_divisor(double largest, const char *unit);
/* A value in that unit with so many decimals: 9e8 "ns" is "0.9 s" where the largest is 1.1e9. */
char *wording_value_as(double value, double largest, int decimals, const char *unit);
/* A count with separators: "12,345". */
char *wording_count(guint64 count);
/* A number of units that was kept in parts of 1/scale: "12,345.75"; without decimals if `scale` is 1. */
char *wording_parts(double value, guint64 scale);
/* A counted value with its unit: 448201334 "instructions" is "448,201,334 instructions", 412 "count" is "412"; one that
 * is not whole (per unit of work) is scaled as above. */
char *wording_counted(double value, const char *unit);
/* The value of a metric: counted exactly or measured, without a unit that its name says. */
char *wording_metric_value(const MetricSeries *series, double value);
/* A p-value: "0.0002", "< 0.0001". */
char *wording_p_value(double p_value);
/* The first characters of a SHA, enough to find the commit; "worktree" stays, "" is "?". */
char *wording_sha(const char *sha);
/* The verdict on a metric that gates: "pass", "regression", ..., or "accepted" for a regression that is. Static. */
const char *wording_metric_verdict(const MetricComparison *metric);
/* "Pass", "Regression", "Inconclusive", "Error". Static. */
const char *wording_verdict(Verdict verdict);

/* What the change did to a function: "touched", "calls touched", "called by touched", "untouched", with ", same code"
 * if its machine code is the same on both sides; "" if nothing is known. */
char *wording_relation(const FunctionComparison *function);
/* The same word of what is inlined into a function. Static. */
const char *wording_part_relation(const InlinedPart *part);
/* What a row for a part of a function's contribution (highlights_parts()) is called behind the name of the inlined
 * function: ", inlined"; of what the parts leave, which has no name, all of it: "the rest of it". Static. */
const char *wording_part(gboolean is_rest);
/* Why a function that is slower for certain does not fail the check, for the cell with its class: "total passes", "same
 * code"; NULL of all others. Static. */
const char *wording_hold(const FunctionComparison *function);
/* What stands below a table of these functions, so that its contributions add up: "all other cost: +0.86 pp, of +19.4
 * pp in all"; NULL if nothing is left, or if the change of the total is not known.
 */
char *wording_rest(const BenchmarkComparison *comparison, const GPtrArray *shown);
/* How many runs a counted metric rests on: "1", "5", or base and head "1 + 5". */
char *wording_runs(const MetricComparison *metric);
/* How often it was measured, "10 rounds", or counted, "2 + 1 runs". Owned by the caller. */
char *wording_repetitions(const MetricComparison *metric);
/* Whether its runs agree: "exact", or by how much those of a side differ at most: "up to 0.02 % apart". */
char *wording_repeats(const MetricComparison *metric);
/* What stands above a list of some of `n` functions whose counts did not repeat. */
char *wording_unstable_title(guint n);
/* That no function changed: "all functions (1,129) have the same counts on both sides". */
char *wording_all_same(const BenchmarkComparison *comparison);
/* What the runs of a side counted of one of them: "1,000 to 1,200 instructions in base". */
char *wording_unstable(const UnstableFunction *function, const char *unit);
/* What became of a regression when it was measured once more: "confirmed by a second campaign: task-clock +12.9 %",
 * "not confirmed by a second campaign", "not measured a second time: no time was left", of exact counts "confirmed:
 * head was counted twice"; NULL without a regression. */
char *wording_confirmation(const BenchmarkComparison *comparison);
/* The same in a table: "confirmed", "not confirmed", "could not tell", "not done", NULL without a regression. Static.
 */
const char *wording_confirmed(const BenchmarkComparison *comparison);
/* What A/A campaigns showed: "in 24 A/A campaigns on this kind of machine 0 false alarms (at most 11.7 % with 95 %
 * confidence); changes from about 2.6 % on are visible". */
char *wording_calibration(const CalibrationSummary *calibration);

/* The first `max_chars` code points of foreign text, with a last one of "…" if there is more. Bytes that are not UTF-8
 * are kept as they are and count as one each. Looks at no more text than it returns. Escape after this, not before. */
char *wording_shorten(const char *text, gsize max_chars);
/* The same of sentences: cut behind the last word that fits, unless that would lose a third of the text. */
char *wording_shorten_words(const char *text, gsize max_chars);
/* How many columns the text takes in a monospaced font: wide characters count two, combining ones none. */
gsize wording_columns(const char *text);
