/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON that a command prints: an object with its schema, the fields of a struct, and what is to be known of it. */
#pragma once

#include "core/finding.h"
#include "core/json/fieldtable.h"

typedef struct {
	const char *schema; /* "firebreak-doctor/1", which docs/schema/doctor-1.json describes */
	FieldTable table;
	gboolean counted;            /* costs are counted */
	gboolean benchmarks;         /* findings say which benchmark they are about */
	const FindingList *findings; /* NULL = there is no such key */
} JsonDocument;

/* The text; sets *length (may be NULL). Owned by the caller. */
char *json_document(const JsonDocument *document, gconstpointer record, gsize *length);
