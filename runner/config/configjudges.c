/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configjudges.h"

#include "runner/config/configlookup.h"

char *config_weaker_calibration(gconstpointer base, gconstpointer head)
{
	guint was = ((const Config *)base)->calibrate_every, is = ((const Config *)head)->calibrate_every;
	if (was == 0 || (is > 0 && is <= was))
		return NULL;
	if (is == 0)
		return g_strdup("checks are no longer calibrated");
	return g_strdup_printf("one check in %u is calibrated, no longer one in %u", is, was);
}

char *config_weaker_anchor(gconstpointer base, gconstpointer head)
{
	const Config *was = base, *is = head;
	if (!was->gate_drift || g_str_equal(was->anchor, is->anchor))
		return NULL;
	return g_strdup("drift is measured from another anchor");
}

char *config_weaker_drift_margin(gconstpointer base, gconstpointer head)
{
	const Config *was = base, *is = head;
	gboolean both_gate = was->gate_drift && is->gate_drift;
	return both_gate && is->drift_margin > was->drift_margin ? g_strdup("drift_margin is larger") : NULL;
}

char *config_weaker_sources(gconstpointer base, gconstpointer head)
{
	guint added = ((const Config *)head)->accept_from & ~((const Config *)base)->accept_from;
	if (added == 0)
		return NULL;
	return g_strdup_printf("accept_from allows %s", added == ACCEPT_FROM_CONFIG ? "entries of `accept`"
	                                                : added == ACCEPT_FROM_TRAILERS
	                                                        ? "commit trailers"
	                                                        : "entries of `accept` and commit trailers");
}

char *config_weaker_work(gconstpointer base, gconstpointer head)
{
	const ConfigBenchmark *was = base, *is = head;
	if (!was->work_reported && is->work_reported)
		return g_strdup("its runs report their units of work themselves");
	if (was->work_reported != is->work_reported || was->work != is->work)
		return g_strdup("its units of work are changed");
	return NULL;
}

char *config_weaker_measure(gconstpointer base, gconstpointer head)
{
	MeasureScope was = ((const ConfigBenchmark *)base)->measure, is = ((const ConfigBenchmark *)head)->measure;
	if (was == is)
		return NULL;
	return g_strdup_printf("another part of a run is measured: the %s%s", measure_name(is),
	        is == MEASURE_WHOLE ? " of it" : " that it says itself");
}

char *config_weaker_functions(gconstpointer base, gconstpointer head)
{
	const ConfigBenchmark *was = base, *is = head;
	if (was->gate_functions && !is->gate_functions)
		return g_strdup("functions no longer gate");
	if (was->strict_functions && !is->strict_functions)
		return g_strdup("functions no longer gate strictly");
	return NULL;
}
