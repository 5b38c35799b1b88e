/* SPDX-License-Identifier: Apache-2.0 */
#include "model/perwork.h"

gboolean metric_is_per_work(const Engine *engine, const char *metric)
{
	static const char *const peaks[] = {"peak-rss", "peak-heap", NULL};
	return engine != &engine_benchmark && !g_strv_contains(peaks, metric);
}
