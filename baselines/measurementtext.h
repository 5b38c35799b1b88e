/* SPDX-License-Identifier: Apache-2.0 */
/* A measurement as the two texts that are stored: the manifest (manifest.h) and, where there is a profile, its stacks
 * (stackmatrix.h). The manifest holds the hash of the stacks, so neither can be damaged or swapped unnoticed. */
#pragma once

#include "baselines/git/entrytexts.h"
#include "model/measurement.h"

/* The stored form; owned by the caller. The same measurement gives the same bytes. */
MeasurementText *measurement_text_new(const Measurement *measurement);

/* Reads the measurement from the texts, its stacks in `table` (shared with other measurements as the caller likes).
 * Errors: FIREBREAK_ERROR_BASELINE for texts that are damaged, do not belong together or are of a newer schema.
 * *fingerprint (may be NULL) is the full fingerprint in the manifest, owned by the caller. */
Measurement *measurement_text_read(const MeasurementText *text, StackTable *table, char **fingerprint, GError **error);
