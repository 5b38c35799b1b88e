/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a file of series (compare/history/seriesfile.h). Data. */
#pragma once

#include "model/engine.h"

#include <glib.h>

/* One value. Texts are owned; those that are not given are "". */
typedef struct {
	char *commit, *subject;
	char *benchmark, *metric, *unit;
	char *environment; /* values of different ones are never compared */
	const Engine *engine;
	gboolean higher_is_better;
	gint64 time_s;              /* 0 = not known */
	double value, lower, upper; /* lower and upper are NaN where not known */
} SeriesValue;

typedef struct {
	GArray *values; /* of SeriesValue, in the order of the file */
	guint left_out; /* values that are no finite number */
} SeriesFile;

SeriesFile *series_file_new(void);
void series_file_free(SeriesFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SeriesFile, series_file_free)
/* Sets a time from seconds since 1970. FALSE, and 0 for not known, of what is no number or in no year of four digits.
 */
gboolean series_time_set(gint64 *time_s, double seconds);
/* Appends a value; takes its texts. */
void series_file_add(SeriesFile *file, const SeriesValue *value);
