#include "compare/counted/countedwords.h"

#include <math.h>

#define MAX_DECIMALS 9
#define WHOLE_BELOW 10000

char *counted_number(double percent)
{
	double size = fabs(percent);
	int decimals = 2;
	while (size > 0 && decimals < MAX_DECIMALS && size * pow(10, decimals) < .5)
		decimals++;
	return g_strdup_printf("%+.*f", decimals, percent);
}

char *counted_amount(double value, const char *unit)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T"};
	double size = fabs(value);
	const char *of_unit = g_str_equal(unit, "bytes") ? "B" : "";
	if (size < WHOLE_BELOW) {
		int decimals = size < 100 && size != floor(size) ? 1 : 0;
		return g_strdup_printf("%.*f%s%s", decimals, size, *of_unit != '\0' ? " " : "", of_unit);
	}
	guint prefix = 0;
	/* what would be shown as 1000.0 of one is 1.0 of the next */
	while (size >= 999.95 && prefix + 1 < G_N_ELEMENTS(prefixes)) {
		size /= 1000;
		prefix++;
	}
	return g_strdup_printf("%.1f %s%s", size, prefixes[prefix], of_unit);
}

static void append_range(GString *text, double lower, double upper)
{
	g_autofree char *from = counted_number(100 * lower), *to = counted_number(100 * upper);
	g_string_append_printf(text, " [%s, %s]", from, to);
}

char *counted_change(const MetricComparison *metric)
{
	g_autofree char *head = counted_amount(metric->head, metric->unit);
	if (metric->base == metric->head && metric->lower_ratio == metric->upper_ratio)
		return g_strdup_printf("unchanged (%s)", head);
	if (isinf(metric->change_ratio))
		return g_strdup_printf("from 0 to %s", head);
	g_autofree char *change = counted_number(100 * (metric->change_ratio - 1));
	g_autofree char *amount = counted_amount(metric->head - metric->base, metric->unit);
	GString *text = g_string_new(change);
	g_string_append(text, " %");
	if (metric->lower_ratio != metric->upper_ratio && isfinite(metric->upper_ratio))
		append_range(text, metric->lower_ratio - 1, metric->upper_ratio - 1);
	g_string_append_printf(text, " (%s %s)", amount, metric->head < metric->base ? "fewer" : "more");
	return g_string_free(text, FALSE);
}

char *counted_points(const FunctionComparison *function)
{
	g_autofree char *points = counted_number(100 * function->contribution);
	GString *text = g_string_new(points);
	g_string_append(text, " pp");
	if (function->contribution_lower != function->contribution_upper)
		append_range(text, function->contribution_lower, function->contribution_upper);
	return g_string_free(text, FALSE);
}
