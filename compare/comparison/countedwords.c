/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/countedwords.h"

#include "model/numbers/number.h"

#include <math.h>

char *counted_change(const MetricComparison *metric)
{
	double lower = metric->lower_ratio, upper = metric->upper_ratio;
	g_autofree char *head = number_amount(metric->head, metric->unit);
	if (metric->base == metric->head && lower == upper)
		return g_strdup_printf("unchanged (%s)", head);
	if (isinf(metric->change_ratio))
		return g_strdup_printf("from 0 to %s", head);
	g_autofree char *change = number_count_change(metric->change_ratio);
	g_autofree char *range = isfinite(upper) ? number_count_range(lower, upper) : g_strdup("");
	g_autofree char *amount = number_amount(metric->head - metric->base, metric->unit);
	return g_strdup_printf("%s%s%s (%s %s)", change, *range != '\0' ? " " : "", range, amount,
	        metric->head < metric->base ? "fewer" : "more");
}

char *counted_points(const FunctionComparison *function)
{
	g_autofree char *points = number_count_points(function->contribution);
	g_autofree char *range = number_count_points_range(function->contribution_lower, function->contribution_upper);
	return g_strconcat(points, *range != '\0' ? " " : "", range, NULL);
}
