/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways in which numbers read, a row each: that of what was measured, and that of what was counted. Who writes a
 * number says only which of the two it is (engine_counts(), or `counted` of a comparison). The rows are functions of
 * model/numbers/number.h; every text is owned by the caller. */
#pragma once

#include <glib.h>

typedef struct {
	char *(*value)(double value, const char *unit);
	char *(*change)(double ratio);
	char *(*change_range)(double lower_ratio, double upper_ratio); /* "" where there is none */
	char *(*points)(double share);                                 /* of the base total */
	char *(*points_range)(double lower_share, double upper_share); /* "" where there is none */
} NumberWords;

/* The row of what was counted, or of what was measured. */
const NumberWords *number_words(gboolean counted);
