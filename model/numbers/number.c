/* SPDX-License-Identifier: Apache-2.0 */
#include "model/numbers/number.h"

#include <math.h>
#include <string.h>

#define MAX_DECIMALS 12
#define ROUNDING 1e-6                   /* of percent and of decimal logarithms: .000999... is meant to be .001 */
#define LARGEST_WHOLE 9007199254740992. /* 2^53: up to here a double holds every whole number */

/* One number in C notation. `format` is "%.1f" or the like. */
static char *number(const char *format, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE * 2];
	if (value == 0)
		value = 0; /* no "-0.0" */
	return g_strdup(g_ascii_formatd(buffer, sizeof buffer, format, value));
}

static char *fixed(double value, int decimals)
{
	char format[sizeof "%.99f"];
	g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 99));
	return number(format, value);
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
	g_autofree char *format = g_strdup_printf("%%+.%df", MIN(MAX_DECIMALS, decimals));
	return number(format, value);
}

/* A size has no sign. */
static char *signless_count(double size)
{
	g_autofree char *text = signed_count(size);
	return g_strdup(text + (*text == '+' ? 1 : 0));
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

char *number_change(double ratio)
{
	if (ratio == INFINITY)
		return g_strdup("from 0");
	return with_suffix(signed_number((ratio - 1) * 100), " %");
}

char *number_change_beyond(double ratio, double limit)
{
	char *text = number_change(ratio);
	double change = (ratio - 1) * 100;
	gboolean beyond = isfinite(change) && fabs(change) > limit * 100 + ROUNDING;
	for (int decimals = 2; beyond && decimals < MAX_DECIMALS; decimals++) {
		if (fabs(g_ascii_strtod(text, NULL)) > limit * 100)
			break;
		g_free(text);
		char format[sizeof "%+.99f"];
		g_snprintf(format, sizeof format, "%%+.%df", decimals);
		text = with_suffix(number(format, change), " %");
	}
	return text;
}

/* A ratio has no room below 0: a bound that says nothing is 0, or negative infinity. */
static double lower_percent(double ratio)
{
	return ratio <= 0 ? -INFINITY : (ratio - 1) * 100;
}

char *number_change_interval(double lower_ratio, double upper_ratio)
{
	return interval(lower_percent(lower_ratio), (upper_ratio - 1) * 100, " %", signed_number);
}

char *number_count_change(double ratio)
{
	return ratio == INFINITY ? number_change(ratio) : with_suffix(signed_count((ratio - 1) * 100), " %");
}

char *number_count_range(double lower_ratio, double upper_ratio)
{
	return lower_ratio == upper_ratio
	               ? g_strdup("")
	               : interval(lower_percent(lower_ratio), (upper_ratio - 1) * 100, " %", signed_count);
}

char *number_points(double share)
{
	return with_suffix(signed_number(share * 100), " pp");
}

char *number_points_interval(double lower_share, double upper_share)
{
	return interval(lower_share * 100, upper_share * 100, " pp", signed_number);
}

char *number_count_points(double share)
{
	return with_suffix(signed_count(share * 100), " pp");
}

char *number_count_points_range(double lower_share, double upper_share)
{
	return lower_share == upper_share ? g_strdup("")
	                                  : interval(lower_share * 100, upper_share * 100, " pp", signed_count);
}

#define SHARE_FORMAT "%.3g"

char *number_share(double share)
{
	if (!isfinite(share))
		return g_strdup("n/a");
	return with_suffix(number(SHARE_FORMAT, share * 100), " %");
}

char *number_margin(double margin)
{
	return with_suffix(number_plain(margin * 100), " %");
}

char *number_share_range(double least, double most)
{
	g_autofree char *from = number(SHARE_FORMAT, least * 100), *to = number_share(most);
	return least < most ? g_strdup_printf("%s to %s", from, to) : g_steal_pointer(&to);
}

/* Two digits, and of what is smaller than one percent two decimals. */
static char *rounded(double size_pct, gboolean is_signed)
{
	double size = fabs(size_pct);
	int decimals = size >= 9.95 ? 0 : size >= .995 ? 1 : 2;
	g_autofree char *text = fixed(size_pct, decimals);
	gboolean is_nothing = g_ascii_strtod(text, NULL) == 0;
	if (is_nothing)
		return g_strdup("0");
	return g_strconcat(is_signed && size_pct > 0 ? "+" : "", text, NULL);
}

char *number_rounded(double size)
{
	return isfinite(size) ? with_suffix(rounded(size * 100, FALSE), " %") : g_strdup("n/a");
}

static char *rounded_range(double least_pct, double most_pct, gboolean is_signed)
{
	g_autofree char *from = rounded(least_pct, is_signed), *to = rounded(most_pct, is_signed);
	return g_str_equal(from, to) ? g_strconcat(to, " %", NULL) : g_strdup_printf("%s to %s %%", from, to);
}

char *number_rounded_range(double least, double most)
{
	return rounded_range(least * 100, most * 100, FALSE);
}

char *number_rounded_change_range(double lower_ratio, double upper_ratio)
{
	return rounded_range((lower_ratio - 1) * 100, (upper_ratio - 1) * 100, TRUE);
}

char *number_share_as(double share, int decimals)
{
	return isfinite(share) ? with_suffix(fixed(share * 100, decimals), " %") : g_strdup("n/a");
}

char *number_about(double share)
{
	return number_share_as(share, fabs(share) < .0995 ? 1 : 0);
}

char *number_count_size(double share)
{
	return with_suffix(signless_count(fabs(share * 100)), " %");
}

char *number_base_share(double cost, double base_total)
{
	return number_share(base_total > 0 ? fmin(cost / base_total, 1) : NAN);
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

/* Three significant digits, but never a digit left of the point lost; `counted` values that are whole stay whole. */
static char *three_digits(double value, gboolean counted)
{
	double size = fabs(value);
	if (size == 0 || (counted && size == floor(size)))
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

char *number_value(double value, const char *unit)
{
	if (!isfinite(value))
		return g_strdup("n/a");
	return in_step(value, step_of(scale_of(unit), value), unit);
}

char *number_value_beside(double value, double other, const char *unit)
{
	if (!isfinite(value) || !isfinite(other))
		return number_value(value, unit);
	const Scale *shared = step_of(scale_of(unit), fmax(fabs(value), fabs(other)));
	return fabs(value) >= shared->divisor ? in_step(value, shared, unit) : number_value(value, unit);
}

double number_divisor(double largest, const char *unit)
{
	return step_of(scale_of(unit), largest)->divisor;
}

char *number_value_as(double value, double largest, int decimals, const char *unit)
{
	const Scale *step = step_of(scale_of(unit), largest);
	g_autofree char *digits = fixed(value / step->divisor, decimals);
	return with_unit(digits, step, unit);
}

char *number_amount(double difference, const char *unit)
{
	return number_value(fabs(difference), scale_of(unit) == count_scale ? NULL : unit);
}

/* Writes the number with its sign; what rounds to nothing is no fall. */
static char *signed_tenth(double value)
{
	return number("%+.1f", fabs(value) < .05 ? 0 : value);
}

char *number_difference(double difference, double lower, double upper, const char *unit)
{
	const Scale *step = step_of(scale_of(unit), fmax(fabs(difference), fmax(fabs(lower), fabs(upper))));
	g_autofree char *digits = signed_tenth(difference / step->divisor);
	g_autofree char *value = with_unit(digits, step, unit);
	g_autofree char *from = signed_tenth(lower / step->divisor), *to = signed_tenth(upper / step->divisor);
	return g_strdup_printf("%s [%s, %s]", value, from, to);
}

#define LONGEST_IN_SECONDS 300
#define LONGEST_IN_MINUTES 7200

char *number_duration(double seconds)
{
	if (isnan(seconds))
		return g_strdup("n/a");
	if (seconds <= 0)
		return g_strdup("0 s");
	if (seconds < LONGEST_IN_SECONDS)
		return with_suffix(number(seconds < .095 ? "%.2f" : seconds < 9.95 ? "%.1f" : "%.0f", seconds), " s");
	if (seconds < LONGEST_IN_MINUTES)
		return with_suffix(number("%.0f", seconds / 60), " min");
	return with_suffix(number("%.1f", seconds / 3600), " h");
}

char *number_factor(double factor)
{
	return fixed(factor, 1);
}

char *number_decimal(double value, int decimals)
{
	return fixed(value, decimals);
}

char *number_digits(double value, int digits)
{
	char format[sizeof "%.99g"];
	g_snprintf(format, sizeof format, "%%.%dg", CLAMP(digits, 1, 99));
	return number(format, value);
}

char *number_plain(double value)
{
	return number("%g", value);
}

char *number_count(guint64 count)
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

char *number_parts(double value, guint64 scale)
{
	double rounded = floor(value * (double)scale + .5);
	guint64 parts = rounded < (double)G_MAXUINT64 ? (guint64)rounded : G_MAXUINT64;
	g_autofree char *whole = number_count(parts / scale);
	if (parts % scale == 0)
		return g_steal_pointer(&whole);
	g_autofree char *rest = number("%.9f", (double)(parts % scale) / (double)scale);
	gsize length = strlen(rest);
	while (rest[length - 1] == '0')
		rest[--length] = '\0';
	return g_strconcat(whole, rest + 1, NULL);
}

char *number_counted(double value, const char *unit)
{
	if (!isfinite(value) || value < 0 || value > LARGEST_WHOLE || value != floor(value))
		return number_value(value, unit);
	g_autofree char *digits = number_count((guint64)value);
	if (unit_is_said(count_scale, unit))
		return g_steal_pointer(&digits);
	return g_strconcat(digits, " ", unit, NULL);
}

char *number_p_value(double p_value)
{
	if (isnan(p_value))
		return g_strdup("n/a");
	if (p_value < .0001)
		return g_strdup("< 0.0001");
	return number("%.2g", p_value);
}

char *number_p(double p_value)
{
	g_autofree char *value = number_p_value(p_value);
	return g_strconcat(*value == '<' ? "p " : "p = ", value, NULL);
}
