/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/contamination.h"

#include <math.h>

#include "compare/comparison/totals.h"
#include "compare/statistics/signedrank.h"

/* The log ratios of the rounds in which it ran on both sides. Array of double, owned by the caller. */
static GArray *known_ratios(const double *base, const double *head, guint n)
{
	GArray *ratios = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < n; i++) {
		double ratio = totals_log_ratio(base[i], head[i]);
		if (base[i] > 0 && head[i] > 0 && isfinite(ratio))
			g_array_append_val(ratios, ratio);
	}
	return ratios;
}

Contamination contamination_judge(const double *base, const double *head, guint n, double margin)
{
	g_autoptr(GArray) d = known_ratios(base, head, n);
	Contamination result = {d->len, NAN, 0, INFINITY, FALSE};
	if (d->len == 0)
		return result;
	g_autoptr(GArray) walsh = walsh_averages((const double *)d->data, d->len);
	guint c = signed_rank_critical(d->len, CONTAMINATION_ALPHA);
	double change = walsh_median(walsh), lower = walsh_lower(walsh, c), upper = walsh_upper(walsh, c);
	result.change_ratio = exp(change);
	result.lower_ratio = exp(lower);
	result.upper_ratio = exp(upper);
	result.contaminated = (change > log1p(margin) && lower > 0) || (change < -log1p(margin) && upper < 0);
	return result;
}
