/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/seriesvalues.h"

#include <math.h>

#define LAST_SECOND 253402300799. /* of the year 9999 */

static void value_clear(gpointer data)
{
	SeriesValue *value = data;
	g_free(value->commit);
	g_free(value->subject);
	g_free(value->benchmark);
	g_free(value->metric);
	g_free(value->unit);
	g_free(value->environment);
}

SeriesFile *series_file_new(void)
{
	SeriesFile *file = g_new0(SeriesFile, 1);
	file->values = g_array_new(FALSE, FALSE, sizeof(SeriesValue));
	g_array_set_clear_func(file->values, value_clear);
	return file;
}

void series_file_free(SeriesFile *file)
{
	if (file == NULL)
		return;
	g_array_unref(file->values);
	g_free(file);
}

void series_file_add(SeriesFile *file, const SeriesValue *value)
{
	g_array_append_vals(file->values, value, 1);
}

gboolean series_time_set(gint64 *time_s, double seconds)
{
	gboolean known = fabs(seconds) <= LAST_SECOND; /* FALSE of NaN */
	*time_s = known ? (gint64)seconds : 0;
	return known;
}
