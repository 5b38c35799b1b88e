/* SPDX-License-Identifier: Apache-2.0 */
/* The stored form of an A/A campaign: one sealed JSON object ("firebreak-calibration/1", docs/FORMATS.md).
 *
 * Reals have 17 significant digits, NaN is null. Members that are not known are skipped on reading. Internal to this
 * folder. */
#pragma once

#include "model/calibration.h"

/* The text; owned by the caller. The same campaign gives the same bytes. */
GString *calibration_text_write(const Calibration *calibration);
/* Reads a text back with all checks. Errors: FIREBREAK_ERROR_BASELINE. */
Calibration *calibration_text_read(const GString *text, GError **error);
