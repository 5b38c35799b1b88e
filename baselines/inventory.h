/* What the store holds: the list of baselines, and whether all of them can be read. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

typedef struct {
	char *commit;      /* full SHA */
	char *path;        /* in the tree of the ref: "<16 digits>/<benchmark file>"; "" if the ref itself is damaged */
	char *fingerprint; /* 64 hex digits, the first 16 if the manifest is damaged */
	char *benchmark;   /* name, its file name if the manifest is damaged */
	char **engines;    /* sorted names of the engines with metrics; NULL-terminated */
	guint runs;
	guint64 size_bytes; /* of manifest and stacks, before git compresses them */
	char *problem;      /* what is damaged, NULL if the manifest is sound */
} BaselineEntry;

void baseline_entry_free(BaselineEntry *entry);

/* All baselines, a GPtrArray of BaselineEntry owned by the caller: by ancestry of the commits, oldest first
 * (baselines/ancestry.h), then by benchmark and fingerprint. Reads manifests, not stacks. A damaged baseline is listed
 * with its problem. Errors: FIREBREAK_ERROR_STORAGE. */
GPtrArray *baseline_store_list(BaselineStore *store, GError **error);

/* Reads every baseline back with all checks. Each damaged one is a finding `baseline_corrupt` of severity error and
 * makes *ok FALSE. Errors: FIREBREAK_ERROR_STORAGE, where something could not be read for another reason. */
gboolean baseline_store_verify(BaselineStore *store, FindingList *findings, gboolean *ok, GError **error);
