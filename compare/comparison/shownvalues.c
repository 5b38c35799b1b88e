/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/shownvalues.h"

#include "model/engine.h"

#include <math.h>

double metric_shown_head(const MetricComparison *metric)
{
	double shown = metric->base * metric->change_ratio;
	gboolean counted = engine_counts(metric->engine);
	return counted || metric->deterministic || metric->verdict == VERDICT_ERROR || !(metric->base > 0) ||
	                       !isfinite(shown)
	               ? metric->head
	               : shown;
}
