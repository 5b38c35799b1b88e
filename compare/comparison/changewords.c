/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/changewords.h"

#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

static gboolean is_named(const MetricComparison *metric, const char *name)
{
	return g_str_equal(metric->name, name);
}

gboolean change_words_is_speed(const MetricComparison *metric)
{
	return is_named(metric, "task-clock") || is_named(metric, "cycles");
}

const char *change_words_name(const MetricComparison *metric)
{
	if (is_named(metric, "task-clock"))
		return "CPU time";
	return is_named(metric, "wall") ? "wall time" : metric->name;
}

static gboolean has_interval(const MetricComparison *metric)
{
	return isfinite(metric->upper_ratio) && metric->lower_ratio > 0;
}

/* " (11 to 14 %)", " (-0.81 to +1.6 %)": sizes of a rise or of a fall, signs where the two ends differ in theirs. "" if
 * an end is not known. Owned by the caller. */
static char *interval_words(const MetricComparison *metric)
{
	double lower = metric->lower_ratio - 1, upper = metric->upper_ratio - 1;
	if (!has_interval(metric) || engine_counts(metric->engine))
		return g_strdup("");
	if (lower > 0 || upper < 0) {
		g_autofree char *sizes =
		        number_rounded_range(fmin(fabs(lower), fabs(upper)), fmax(fabs(lower), fabs(upper)));
		return g_strdup_printf(" (%s)", sizes);
	}
	g_autofree char *range = number_rounded_change_range(metric->lower_ratio, metric->upper_ratio);
	return g_strdup_printf(" (%s)", range);
}

/* The size of a change without its sign: "12 %", of counts "12.31 %". Owned by the caller. */
static char *size_words(const MetricComparison *metric)
{
	double change = metric->change_ratio - 1;
	return engine_counts(metric->engine) ? number_count_size(change) : number_rounded(fabs(change));
}

/* " (+448 M)" of a count, in place of an interval; with the range over the runs where they differ. Owned by the
 * caller. */
static char *amount_words(const MetricComparison *metric)
{
	double difference = metric->head - metric->base;
	g_autofree char *amount = number_amount(difference, metric->unit);
	g_autofree char *range = isfinite(metric->upper_ratio)
	                                 ? number_count_range(metric->lower_ratio, metric->upper_ratio)
	                                 : g_strdup("");
	return g_strdup_printf(" (%s%s%s%s)", difference < 0 ? "-" : "+", amount, *range != '\0' ? "; " : "", range);
}

static char *evidence_words(const MetricComparison *metric)
{
	return engine_counts(metric->engine) ? amount_words(metric) : interval_words(metric);
}

/* TRUE for what is a number of things, of which there can be more or fewer. */
static gboolean is_number_of(const MetricComparison *metric)
{
	return is_named(metric, "instructions") || g_strcmp0(metric->unit, "count") == 0;
}

static char *rise_or_fall(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	gboolean rose = metric->change_ratio > 1;
	g_autofree char *size = size_words(metric), *evidence = evidence_words(metric);
	const char *subject = comparison->benchmark, *name = change_words_name(metric);
	if (change_words_is_speed(metric))
		return rose ? g_strdup_printf("%s is %s slower%s", subject, size, evidence)
		            : g_strdup_printf("%s takes %s less time%s", subject, size, evidence);
	if (is_named(metric, "wall"))
		return g_strdup_printf("%s takes %s %s wall time%s", subject, size, rose ? "more" : "less", evidence);
	if (is_number_of(metric))
		return g_strdup_printf("%s %s %s %s %s%s", subject, is_named(metric, "instructions") ? "runs" : "has",
		        size, rose ? "more" : "fewer", name, evidence);
	return g_strdup_printf("%s: %s is %s %s%s", subject, name, size, rose ? "higher" : "lower", evidence);
}

/* Of a count that is the same on both sides, or that there was none of. */
static char *without_percent(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	g_autofree char *head = engine_counts(metric->engine) ? number_amount(metric->head, metric->unit)
	                                                      : number_value(metric->head, metric->unit);
	if (isinf(metric->change_ratio))
		return g_strdup_printf("%s: %s from 0 to %s", comparison->benchmark, metric->name, head);
	return g_strdup_printf("%s: %s unchanged (%s)", comparison->benchmark, metric->name, head);
}

/* "CPU time +2.0 % (-0.69 to +4.6 %)" */
static char *open_words(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	g_autofree char *change = number_change(metric->change_ratio), *interval = interval_words(metric);
	return g_strdup_printf("%s: %s %s%s", comparison->benchmark, change_words_name(metric), change, interval);
}

/* The claim of a pass: that what would be worse than its pass margin is ruled out. Of a metric of which more is better,
 * the margin is about base against head. */
static char *pass_words(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	double most = metric->higher_is_better ? 1 - 1 / (1 + metric->pass_margin) : metric->pass_margin;
	const char *word = metric->higher_is_better ? "fall" : change_words_is_speed(metric) ? "slowdown" : "rise";
	g_autofree char *share = number_share(most), *change = number_change(metric->change_ratio);
	g_autofree char *range = number_rounded_change_range(metric->lower_ratio, metric->upper_ratio);
	g_autofree char *of = change_words_is_speed(metric) ? g_strdup("") : g_strdup_printf(" of %s", metric->name);
	return g_strdup_printf("%s: no %s%s beyond %s (measured %s%s%s)", comparison->benchmark, word, of, share,
	        change, has_interval(metric) ? ", " : "", has_interval(metric) ? range : "");
}

char *change_words(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	gboolean counted = engine_counts(metric->engine);
	gboolean same = counted && metric->base == metric->head && metric->lower_ratio == metric->upper_ratio;
	if (same || isinf(metric->change_ratio))
		return without_percent(comparison, metric);
	if (counted || metric->verdict == VERDICT_REGRESSION || metric->improved)
		return rise_or_fall(comparison, metric);
	gboolean claims = comparison->verdict == VERDICT_PASS && metric->verdict == VERDICT_PASS;
	return claims && !metric->negligible && metric->pass_margin > 0 ? pass_words(comparison, metric)
	                                                                : open_words(comparison, metric);
}
