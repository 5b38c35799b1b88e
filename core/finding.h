/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: remarks that are part of the result ("no hardware counters", "too few samples", "policy changed").
 *
 * Every layer appends to the one list that its caller hands in; nothing below cli/ prints. A finding never changes a
 * verdict by itself. Order is the order of insertion; a finding that is there already is not added again. */
#pragma once

#include <glib.h>

typedef enum { FINDING_INFO, FINDING_WARNING, FINDING_ERROR } FindingSeverity;

typedef struct {
	FindingSeverity severity;
	char *code;      /* stable identifier, lower case with underscores: `no_hardware_counters` */
	char *benchmark; /* the benchmark it is about, or NULL for the whole check */
	char *text;      /* one sentence for a reader, with the remedy where there is one */
} Finding;

typedef struct FindingList FindingList;

FindingList *finding_list_new(void);
void finding_list_free(FindingList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FindingList, finding_list_free)

/* Appends a finding; all strings are copied. `benchmark` may be NULL. */
void finding_add(FindingList *list, FindingSeverity severity, const char *code, const char *benchmark,
        const char *format, ...) G_GNUC_PRINTF(5, 6);

/* The number of findings in the list. */
guint finding_count(const FindingList *list);
/* The finding at `index` < finding_count(); borrowed from the list. */
const Finding *finding_get(const FindingList *list, guint index);
/* TRUE if a finding with this code is there (of any benchmark). */
gboolean finding_has(const FindingList *list, const char *code);
/* TRUE if one with this code is there of this benchmark, whose text begins so. */
gboolean finding_has_of(const FindingList *list, const char *code, const char *benchmark, const char *begins);
/* "info", "warning" or "error". */
const char *finding_severity_name(FindingSeverity severity);
