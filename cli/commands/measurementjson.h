/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements as JSON: what `firebreak run --json` has measured and what `firebreak baseline show --json` finds
 * stored. One schema, docs/schema/measurements-1.json. */
#pragma once

#include "compare/result.h"

/* The list that is printed, and what is told besides. Texts are borrowed. */
typedef struct {
	const char *sha;             /* of the commit; "" if it could not be resolved */
	int code;                    /* exit code */
	GPtrArray *rows;             /* made by measurement_rows_new() */
	const GPtrArray *reasons;    /* of ResultReason; NULL = none */
	const FindingList *findings; /* NULL = none */
} MeasurementList;

/* An empty list of rows; owned by the caller. */
GPtrArray *measurement_rows_new(void);
/* Adds a measurement, which has to outlive the rows. `fingerprint` is copied, and may be NULL where it is not known. */
void measurement_rows_add(GPtrArray *rows, const Measurement *measurement, const char *fingerprint);
/* Adds what only is known of A/A campaigns: how many there are of a benchmark. Texts are copied. */
void measurement_rows_add_campaigns(GPtrArray *rows, const char *benchmark, const char *fingerprint, guint campaigns);

/* The text; owned by the caller. */
char *measurement_list_json(const MeasurementList *list);
