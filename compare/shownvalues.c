#include "compare/shownvalues.h"

#include <math.h>

double metric_shown_head(const MetricComparison *metric)
{
	double shown = metric->base * metric->change_ratio;
	gboolean counted = g_strcmp0(metric->engine, EXACT_ENGINE) == 0;
	return counted || metric->deterministic || metric->verdict == VERDICT_ERROR || !(metric->base > 0) ||
	                       !isfinite(shown)
	               ? metric->head
	               : shown;
}
