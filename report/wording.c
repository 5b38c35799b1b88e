#include "report/wording.h"

#include <math.h>
#include <string.h>

#define SHORT_SHA_CHARS 7

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
		return g_strdup(value > 0 ? "+inf" : "-inf");
	const char *format = fabs(value) < .995 ? "%+.2f" : fabs(value) < 999.5 ? "%+.1f" : "%+.0f";
	char *text = number(format, value);
	if (strcmp(text, "-0.00") == 0)
		text[0] = '+';
	return text;
}

static char *with_suffix(char *text, const char *suffix)
{
	g_autofree char *owned = text;
	if (strcmp(text, "n/a") == 0)
		return g_steal_pointer(&owned);
	return g_strconcat(text, suffix, NULL);
}

/* An end that is open says nothing, so only the other one is said. */
static char *interval(double lower, double upper, const char *unit)
{
	if ((isnan(lower) && isnan(upper)) || lower == INFINITY)
		return g_strdup("");
	if (lower == -INFINITY && upper == INFINITY)
		return g_strdup("none");
	g_autofree char *from = signed_number(lower), *to = signed_number(upper);
	if (lower == -INFINITY)
		return g_strconcat("≤ ", to, unit, NULL);
	if (upper == INFINITY)
		return g_strconcat("≥ ", from, unit, NULL);
	return g_strdup_printf("[%s, %s]", from, to);
}

char *wording_change(double ratio)
{
	if (ratio == INFINITY)
		return g_strdup("from 0");
	return with_suffix(signed_number((ratio - 1) * 100), " %");
}

char *wording_change_interval(double lower_ratio, double upper_ratio)
{
	/* A ratio has no room below 0: a bound that says nothing is 0, or negative infinity. */
	double lower = lower_ratio <= 0 ? -INFINITY : (lower_ratio - 1) * 100;
	return interval(lower, (upper_ratio - 1) * 100, " %");
}

char *wording_points(double share)
{
	return with_suffix(signed_number(share * 100), " pp");
}

char *wording_points_interval(double lower_share, double upper_share)
{
	return interval(lower_share * 100, upper_share * 100, " pp");
}

char *wording_share(double share)
{
	if (!isfinite(share))
		return g_strdup("n/a");
	return with_suffix(number("%.3g", share * 100), " %");
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

char *wording_value(double value, const char *unit)
{
	if (!isfinite(value))
		return g_strdup("n/a");
	const Scale *scale = scale_of(unit), *step = scale;
	while (fabs(value) < step->from)
		step++;
	g_autofree char *digits = three_digits(value / step->divisor, step->divisor == 1);
	if (unit_is_said(scale, unit))
		return g_strconcat(digits, step->suffix, NULL);
	return g_strconcat(digits, step->suffix, " ", unit, NULL);
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

char *wording_relation(const FunctionComparison *function)
{
	static const char *const words[] = {
	        [CHANGE_UNKNOWN] = "",
	        [CHANGE_TOUCHED] = "touched",
	        [CHANGE_CALLS_TOUCHED] = "calls touched",
	        [CHANGE_UNTOUCHED] = "untouched",
	};
	const char *word = words[function->relation];
	if (function->code != CODE_SAME)
		return g_strdup(word);
	return g_strconcat(word, *word != '\0' ? ", same code" : "same code", NULL);
}

char *wording_confirmation(const BenchmarkComparison *comparison)
{
	static const char *const words[] = {
	        [CONFIRMATION_NOT_NEEDED] = NULL,
	        [CONFIRMATION_NOT_RUN] = "not measured a second time",
	        [CONFIRMATION_CONFIRMED] = "confirmed by a second campaign",
	        [CONFIRMATION_NOT_CONFIRMED] = "not confirmed by a second campaign",
	};
	const char *word = words[comparison->confirmation], *text = comparison->confirmation_text;
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
