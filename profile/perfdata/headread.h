/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the head of a recording without its records. */
#pragma once

#include "model/recordinghead.h"

/* The head of a file; NULL if it is none that can be read twice, or no recording that can be read: reading its records
 * says why. Owned by the caller. */
RecordingHead *head_read(const char *path);
