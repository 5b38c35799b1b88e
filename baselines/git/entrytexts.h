/* SPDX-License-Identifier: Apache-2.0 */
/* The two texts that are stored of a measurement. baselines/measurementtext.h makes and reads them; the folder of git
 * objects only carries them. */
#pragma once

#include <glib.h>

typedef struct {
	GString *manifest; /* sealed JSON */
	GString *stacks;   /* folded matrix, NULL without a profile */
} MeasurementText;

void measurement_text_free(MeasurementText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeasurementText, measurement_text_free)
