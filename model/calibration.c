/* SPDX-License-Identifier: Apache-2.0 */
#include "model/calibration.h"

#include <math.h>

static void free_metric(gpointer data)
{
	CalibrationMetric *metric = data;
	g_free(metric->name);
	g_free(metric);
}

Calibration *calibration_new(void)
{
	Calibration *calibration = g_new0(Calibration, 1);
	calibration->smallest_p = 1;
	calibration->metrics = g_ptr_array_new_with_free_func(free_metric);
	return calibration;
}

void calibration_free(Calibration *calibration)
{
	if (calibration == NULL)
		return;
	g_free(calibration->benchmark);
	g_free(calibration->commit);
	g_free(calibration->fingerprint);
	g_free(calibration->schedule);
	g_free(calibration->verdict);
	g_ptr_array_unref(calibration->metrics);
	g_free(calibration);
}

CalibrationMetric *calibration_add_metric(Calibration *calibration, const char *name, const Engine *engine)
{
	CalibrationMetric *metric = g_new0(CalibrationMetric, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->change_ratio = metric->sd_log = metric->margin = metric->mde_ratio = NAN;
	g_ptr_array_add(calibration->metrics, metric);
	return metric;
}
