#include "report/words/wording.h"

#include "compare/storedmetrics.h"
#include "report/words/highlights.h"

#include <math.h>
#include <string.h>

#define SHORT_SHA_CHARS 7
#define MOST_DECIMALS 12
#define ROUNDING 1e-6                   /* of a decimal logarithm: .000999... is meant to be .001 */
#define LARGEST_WHOLE 9007199254740992. /* 2^53: up to here a double holds every whole number */

/* One number in C notation. `format` is "%.1f" or the like. */
static char *number(const char *format, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE * 2];
	if (value == 0)
		value = 0; /* no "-0.0" */
	return g_strdup(g_ascii_formatd(buffer, sizeof buffer, format, value));
}

/* `value` in percent or points with its sign, as many decimals as a reader needs. */
static char *signed_number(double value)
{
	if (isnan(value))
		return g_strdup("n/a");
	if (isinf(value))
		return g_strdup("none");
	const char *format = fabs(value) < .995 ? "%+.2f" : fabs(value) < 999.5 ? "%+.1f" : "%+.0f";
	char *text = number(format, value);
	if (strcmp(text, "-0.00") == 0)
		text[0] = '+';
	return text;
}

static char *with_suffix(char *text, const char *suffix)
{
	g_autofree char *owned = text;
	if (strcmp(text, "n/a") == 0 || strcmp(text, "none") == 0)
		return g_steal_pointer(&owned);
	return g_strconcat(text, suffix, NULL);
}

/* The same of what was counted: nothing is noise, so there are always two decimals, and two significant digits. */
static char *signed_count(double value)
{
	if (!isfinite(value) || fabs(value) >= 99.995)
		return signed_number(value);
	if (value == 0)
		return g_strdup("0");
	int decimals = fabs(value) >= .00995 ? 2 : 1 - (int)floor(log10(fabs(value)) + ROUNDING);
	g_autofree char *format = g_strdup_printf("%%+.%df", MIN(MOST_DECIMALS, decimals));
	return number(format, value);
}

typedef char *(*NumberFunc)(double value);

/* An end that is open, or not known beside one that is, says nothing, so only the other one is said. */
static char *interval(double lower, double upper, const char *unit, NumberFunc say)
{
	gboolean from_is_open = isnan(lower) || lower == -INFINITY, to_is_open = isnan(upper) || upper == INFINITY;
	if ((isnan(lower) && isnan(upper)) || lower == INFINITY || upper == -INFINITY)
		return g_strdup("");
	if (from_is_open && to_is_open)
		return g_strdup("none");
	g_autofree char *from = say(lower), *to = say(upper);
	if (from_is_open)
		return g_strconcat("≤ ", to, unit, NULL);
	if (to_is_open)
		return g_strconcat("≥ ", from, unit, NULL);
	return g_strdup_printf("[%s, %s]", from, to);
}

char *wording_change(double ratio)
{
	if (ratio == INFINITY)
		return g_strdup("from 0");
	return with_suffix(signed_number((ratio - 1) * 100), " %");
}

/* A ratio has no room below 0: a bound that says nothing is 0, or negative infinity. */
static double lower_percent(double ratio)
{
	return ratio <= 0 ? -INFINITY : (ratio - 1) * 100;
}

char *wording_change_interval(double lower_ratio, double upper_ratio)
{
	return interval(lower_percent(lower_ratio), (upper_ratio - 1) * 100, " %", signed_number);
}

char *wording_metric_interval(const MetricComparison *metric)
{
	return stored_metric_is_unpaired(metric) ? g_strdup("")
	                                         : wording_change_interval(metric->lower_ratio, metric->upper_ratio);
}

const char *wording_not_judged(const MetricComparison *metric)
{
	return stored_metric_is_unpaired(metric) ? "not judged: other times" : NULL;
}

char *wording_count_change(double ratio)
{
	return ratio == INFINITY ? wording_change(ratio) : with_suffix(signed_count((ratio - 1) * 100), " %");
}

char *wording_count_range(double lower_ratio, double upper_ratio)
{
	return lower_ratio == upper_ratio
	               ? g_strdup("")
	               : interval(lower_percent(lower_ratio), (upper_ratio - 1) * 100, " %", signed_count);
}

char *wording_points(double share)
{
	return with_suffix(signed_number(share * 100), " pp");
}

char *wording_points_interval(double lower_share, double upper_share)
{
	return interval(lower_share * 100, upper_share * 100, " pp", signed_number);
}

char *wording_count_points(double share)
{
	return with_suffix(signed_count(share * 100), " pp");
}

char *wording_count_points_range(double lower_share, double upper_share)
{
	return lower_share == upper_share ? g_strdup("")
	                                  : interval(lower_share * 100, upper_share * 100, " pp", signed_count);
}

char *wording_share(double share)
{
	if (!isfinite(share))
		return g_strdup("n/a");
	return with_suffix(number("%.3g", share * 100), " %");
}

char *wording_base_share(double cost, double base_total)
{
	return wording_share(base_total > 0 ? fmin(cost / base_total, 1) : NAN);
}

char *wording_margins(const MetricComparison *metric)
{
	g_autofree char *margin = wording_share(metric->margin), *pass = wording_share(metric->pass_margin);
	if (!isfinite(metric->pass_margin) || metric->pass_margin == metric->margin)
		return g_steal_pointer(&margin);
	return g_strdup_printf("%s, pass %s", margin, pass);
}

typedef struct {
	double from; /* smallest value written with this step */
	double divisor;
	const char *suffix;
} Scale;

static const Scale time_scale[] = {{1e9, 1e9, " s"}, {1e6, 1e6, " ms"}, {1e3, 1e3, " µs"}, {0, 1, " ns"}};
static const Scale byte_scale[] = {
        {0x1p30, 0x1p30, " GiB"}, {0x1p20, 0x1p20, " MiB"}, {0x1p10, 0x1p10, " KiB"}, {0, 1, " B"}};
static const Scale count_scale[] = {
        {1e12, 1e12, " T"}, {1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e4, 1e3, " k"}, {0, 1, ""}};

static const Scale *scale_of(const char *unit)
{
	if (g_strcmp0(unit, "ns") == 0)
		return time_scale;
	if (g_strcmp0(unit, "bytes") == 0)
		return byte_scale;
	return count_scale;
}

static gboolean unit_is_said(const Scale *scale, const char *unit)
{
	return scale != count_scale || unit == NULL || *unit == '\0' || strcmp(unit, "count") == 0;
}

/* Three significant digits, but never a digit left of the point lost; `exact` values that are whole stay whole. */
static char *three_digits(double value, gboolean exact)
{
	double size = fabs(value);
	if (size == 0 || (exact && size == floor(size)))
		return number("%.0f", value);
	return number(size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : size >= .0995 ? "%.2f" : "%.3g", value);
}

static const Scale *step_of(const Scale *scale, double value)
{
	while (fabs(value) < scale->from)
		scale++;
	return scale;
}

static char *with_unit(const char *digits, const Scale *step, const char *unit)
{
	if (unit_is_said(scale_of(unit), unit))
		return g_strconcat(digits, step->suffix, NULL);
	return g_strconcat(digits, step->suffix, " ", unit, NULL);
}

static char *in_step(double value, const Scale *step, const char *unit)
{
	g_autofree char *digits = three_digits(value / step->divisor, step->divisor == 1);
	return with_unit(digits, step, unit);
}

char *wording_value(double value, const char *unit)
{
	if (!isfinite(value))
		return g_strdup("n/a");
	return in_step(value, step_of(scale_of(unit), value), unit);
}

char *wording_value_beside(double value, double other, const char *unit)
{
	if (!isfinite(value) || !isfinite(other))
		return wording_value(value, unit);
	const Scale *shared = step_of(scale_of(unit), fmax(fabs(value), fabs(other)));
	return fabs(value) >= shared->divisor ? in_step(value, shared, unit) : wording_value(value, unit);
}

double wording_divisor(double largest, const char *unit)
{
	return step_of(scale_of(unit), largest)->divisor;
}

char *wording_value_as(double value, double largest, int decimals, const char *unit)
{
	const Scale *step = step_of(scale_of(unit), largest);
	char format[sizeof "%.99f"];
	g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 99));
	g_autofree char *digits = number(format, value / step->divisor);
	return with_unit(digits, step, unit);
}

char *wording_count(guint64 count)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, count);
	gsize length = strlen(digits);
	GString *text = g_string_new(NULL);
	for (gsize i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

char *wording_parts(double value, guint64 scale)
{
	double rounded = floor(value * (double)scale + .5);
	guint64 parts = rounded < (double)G_MAXUINT64 ? (guint64)rounded : G_MAXUINT64;
	g_autofree char *whole = wording_count(parts / scale);
	if (parts % scale == 0)
		return g_steal_pointer(&whole);
	g_autofree char *rest = number("%.9f", (double)(parts % scale) / (double)scale);
	gsize length = strlen(rest);
	while (rest[length - 1] == '0')
		rest[--length] = '\0';
	return g_strconcat(whole, rest + 1, NULL);
}

char *wording_counted(double value, const char *unit)
{
	if (!isfinite(value) || value < 0 || value > LARGEST_WHOLE || value != floor(value))
		return wording_value(value, unit);
	g_autofree char *digits = wording_count((guint64)value);
	if (unit_is_said(count_scale, unit))
		return g_steal_pointer(&digits);
	return g_strconcat(digits, " ", unit, NULL);
}

char *wording_metric_value(const MetricSeries *series, double value)
{
	const char *unit = g_str_equal(series->unit, series->name) ? NULL : series->unit;
	return g_str_equal(series->engine, EXACT_ENGINE) ? wording_counted(value, unit)
	                                                 : wording_value(value, series->unit);
}

char *wording_p_value(double p_value)
{
	if (isnan(p_value))
		return g_strdup("n/a");
	if (p_value < .0001)
		return g_strdup("< 0.0001");
	return number("%.2g", p_value);
}

char *wording_sha(const char *sha)
{
	if (sha == NULL || *sha == '\0')
		return g_strdup("?");
	gsize hex = strspn(sha, "0123456789abcdef");
	return sha[hex] == '\0' ? g_strndup(sha, SHORT_SHA_CHARS) : g_strdup(sha);
}

const char *wording_metric_verdict(const MetricComparison *metric)
{
	return metric->accepted ? "accepted" : verdict_name(metric->verdict);
}

const char *wording_verdict(Verdict verdict)
{
	static const char *const names[] = {
	        [VERDICT_PASS] = "Pass",
	        [VERDICT_REGRESSION] = "Regression",
	        [VERDICT_INCONCLUSIVE] = "Inconclusive",
	        [VERDICT_ERROR] = "Error",
	};
	return names[verdict];
}

static const char *const relation_words[] = {
        [CHANGE_UNKNOWN] = "",
        [CHANGE_TOUCHED] = "touched",
        [CHANGE_CALLS_TOUCHED] = "calls touched",
        [CHANGE_UNTOUCHED] = "untouched",
        [CHANGE_CALLED_BY_TOUCHED] = "called by touched",
};

const char *wording_part_relation(const InlinedPart *part)
{
	return relation_words[part->relation];
}

const char *wording_part(gboolean is_rest)
{
	return is_rest ? "the rest of it" : ", inlined";
}

const char *wording_hold(const FunctionComparison *function)
{
	static const char *const words[FUNCTION_HOLDS] = {
	        [FUNCTION_NOT_HELD] = NULL,
	        [FUNCTION_HELD_BY_TOTAL] = "total passes",
	        [FUNCTION_HELD_BY_CODE] = "same code",
	        [FUNCTION_HELD_BY_LEVEL] = "too little to fail",
	};
	return words[function->held];
}

char *wording_relation(const FunctionComparison *function)
{
	const char *word = relation_words[function->relation];
	if (function->code != CODE_SAME)
		return g_strdup(word);
	return g_strconcat(word, *word != '\0' ? ", same code" : "same code", NULL);
}

char *wording_rest(const BenchmarkComparison *comparison, const GPtrArray *shown)
{
	double rest = highlights_rest(comparison, shown);
	if (!isfinite(rest) || rest == 0)
		return NULL;
	g_autofree char *points = comparison->exact ? wording_count_points(rest) : wording_points(rest);
	g_autofree char *total = comparison->exact ? wording_count_points(comparison->total_change)
	                                           : wording_points(comparison->total_change);
	return g_strdup_printf(
	        "all other cost: %s, of %s in %s", points, total, comparison->exact ? "all" : "the mean of all rounds");
}

/* "1", "5", or "1 + 5" where the sides differ; a report of before values were read has only the number of rounds. */
char *wording_runs(const MetricComparison *metric)
{
	guint base = metric->base_values == NULL ? 0 : metric->base_values->len;
	guint head = metric->head_values == NULL ? 0 : metric->head_values->len;
	if (base == head)
		return g_strdup_printf("%u", base > 0 ? base : metric->rounds);
	return g_strdup_printf("%u + %u", base, head);
}

char *wording_repetitions(const MetricComparison *metric)
{
	if (g_strcmp0(metric->engine, EXACT_ENGINE) != 0)
		return g_strdup_printf("%u round%s", metric->rounds, metric->rounds == 1 ? "" : "s");
	g_autofree char *runs = wording_runs(metric);
	return g_strdup_printf("%s run%s", runs, strcmp(runs, "1") == 0 ? "" : "s");
}

/* NaN is the spread of a single run, and fmax() leaves it out. */
char *wording_repeats(const MetricComparison *metric)
{
	double spread = fmax(metric->base_spread, metric->head_spread);
	if (!(spread > 0))
		return g_strdup("exact");
	g_autofree char *size = signed_count(spread * 100);
	return g_strdup_printf("up to %s %% apart", size + 1); /* a size has no sign */
}

char *wording_unstable_title(guint n)
{
	return g_strdup_printf("in %u function%s the counts differ between runs of one side; the largest differences:",
	        n, n == 1 ? "" : "s");
}

char *wording_all_same(const BenchmarkComparison *comparison)
{
	g_autofree char *n = wording_count(comparison->functions->len);
	return g_strdup_printf("all functions (%s) have the same counts on both sides", n);
}

char *wording_unstable(const UnstableFunction *function, const char *unit)
{
	g_autofree char *lowest = wording_counted(function->lowest, NULL);
	g_autofree char *highest = wording_counted(function->highest, unit);
	return g_strdup_printf("%s to %s in %s", lowest, highest, function->side == 0 ? "base" : "head");
}

/* TRUE if it may not have been a campaign that confirmed the verdict: beside perf something was counted. */
static gboolean is_counted_too(const BenchmarkComparison *comparison)
{
	for (guint i = 0; comparison->metrics != NULL && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (g_strcmp0(metric->engine, EXACT_ENGINE) == 0)
			return comparison->confirmation != CONFIRMATION_NOT_RUN;
	}
	return FALSE;
}

const char *wording_confirmed(const BenchmarkComparison *comparison)
{
	static const char *const words[] = {
	        [CONFIRMATION_NOT_NEEDED] = NULL,
	        [CONFIRMATION_NOT_RUN] = "not done",
	        [CONFIRMATION_CONFIRMED] = "confirmed",
	        [CONFIRMATION_NOT_CONFIRMED] = "not confirmed",
	        [CONFIRMATION_UNCLEAR] = "could not tell",
	        [CONFIRMATION_PARTLY] = "partly confirmed",
	};
	return words[comparison->confirmation];
}

char *wording_confirmation(const BenchmarkComparison *comparison)
{
	static const char *const words[][2] = {
	        [CONFIRMATION_NOT_NEEDED] = {NULL, NULL},
	        [CONFIRMATION_NOT_RUN] = {"not measured a second time", "not counted a second time"},
	        [CONFIRMATION_CONFIRMED] = {"confirmed by a second campaign", "confirmed"},
	        [CONFIRMATION_NOT_CONFIRMED] = {"not confirmed by a second campaign", "not confirmed"},
	        [CONFIRMATION_UNCLEAR] = {"a second campaign could not tell", "a second campaign could not tell"},
	        [CONFIRMATION_PARTLY] = {"partly confirmed", "partly confirmed"},
	};
	const char *word = words[comparison->confirmation][comparison->exact || is_counted_too(comparison) ? 1 : 0];
	const char *text = comparison->confirmation_text;
	if (word == NULL || text == NULL || *text == '\0')
		return g_strdup(word);
	return g_strconcat(word, ": ", text, NULL);
}

char *wording_calibration(const CalibrationSummary *calibration)
{
	g_autofree char *bound = wording_share(calibration->alarm_rate_upper);
	double visible = calibration->smallest_visible * 100;
	GString *text = g_string_new(NULL);
	g_string_append_printf(text,
	        "in %u A/A campaign%s on this kind of machine %u false alarm%s (at most %s with 95 %% confidence)",
	        calibration->campaigns, calibration->campaigns == 1 ? "" : "s", calibration->false_alarms,
	        calibration->false_alarms == 1 ? "" : "s", bound);
	if (calibration->suspicious)
		g_string_append(text, ", more than are promised: do not trust its regressions");
	if (isfinite(visible)) {
		g_autofree char *about = number(visible < 9.95 ? "%.1f" : "%.0f", visible);
		g_string_append_printf(text, "; changes from about %s %% on are visible", about);
	}
	return g_string_free(text, FALSE);
}

/* The code point at `text`, or the byte itself if it is not UTF-8; *length is set to its bytes. */
static gunichar next_char(const char *text, gsize *length)
{
	gunichar c = g_utf8_get_char_validated(text, (gssize)strnlen(text, 6));
	if (c == (gunichar)-1 || c == (gunichar)-2) {
		*length = 1;
		return (guchar)*text;
	}
	*length = (gsize)(g_utf8_next_char(text) - text);
	return c;
}

char *wording_shorten(const char *text, gsize max_chars)
{
	const char *end = text, *last = text;
	for (gsize chars = 0; *end != '\0'; chars++) {
		if (chars == max_chars)
			return max_chars == 0 ? g_strdup("") : g_strdup_printf("%.*s…", (int)(last - text), text);
		gsize length;
		next_char(end, &length);
		last = end;
		end += length;
	}
	return g_strdup(text);
}

/* Words are broken where more than this part of the text would be lost. */
#define MOST_LOST 3

char *wording_shorten_words(const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten(text, max_chars);
	gsize end = strlen(shortened), cut = end - MIN(end, strlen("…"));
	if (strcmp(shortened, text) == 0 || text[cut] == ' ')
		return g_steal_pointer(&shortened);
	const char *blank = g_strrstr_len(shortened, (gssize)cut, " ");
	if (blank == NULL || cut - (gsize)(blank - shortened) > cut / MOST_LOST)
		return g_steal_pointer(&shortened);
	while (blank > shortened && strchr(" ,;", blank[-1]) != NULL)
		blank--;
	return g_strdup_printf("%.*s…", (int)(blank - shortened), shortened);
}

gsize wording_columns(const char *text)
{
	gsize columns = 0;
	while (*text != '\0') {
		gsize length;
		gunichar c = next_char(text, &length);
		columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
		text += length;
	}
	return columns;
}
