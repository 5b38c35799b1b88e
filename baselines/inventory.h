/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the baselines and A/A campaigns of the store, and verifies that all of them can be read. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

typedef struct {
	char *commit; /* full SHA */
	/* in the tree of the ref: "<16 digits>/<benchmark file>", of A/A campaigns their folder; "" if the ref itself
	 * is damaged */
	char *path;
	char *fingerprint; /* 64 hex digits, the first 16 if the manifest is damaged */
	char *benchmark;   /* name, its file name if the manifest is damaged */
	guint campaigns;   /* 0 = a baseline; else so many A/A campaigns of the benchmark, without engines and runs */
	char **engines;    /* sorted names of the engines with metrics; NULL-terminated */
	guint runs;
	guint64 size_bytes; /* of manifest and stacks, before git compresses them; 0 for A/A campaigns */
	char *problem;      /* what is damaged, NULL if the manifest, or the newest campaign, is sound */
} BaselineEntry;

void baseline_entry_free(BaselineEntry *entry);

/* All baselines, a GPtrArray of BaselineEntry owned by the caller: by ancestry of the commits, oldest first
 * (baselines/git/ancestry.h), then by benchmark and fingerprint; after the baselines of a commit one entry for the A/A
 * campaigns of each benchmark and kind of machine. Reads manifests and the newest campaign, not stacks. What is damaged
 * is listed with its problem. Errors: FIREBREAK_ERROR_STORAGE. */
GPtrArray *baseline_store_list(BaselineStore *store, GError **error);

/* The same of one commit (full SHA), without looking at others; empty if nothing is stored of it. */
GPtrArray *baseline_store_list_commit(BaselineStore *store, const char *commit, GError **error);

/* Reads every baseline and A/A campaign back with all checks. Each damaged one is a finding `baseline_corrupt` of
 * severity error and makes *ok FALSE. Errors: FIREBREAK_ERROR_STORAGE, where something could not be read for another
 * reason. */
gboolean baseline_store_verify(BaselineStore *store, FindingList *findings, gboolean *ok, GError **error);
/* The same of one commit. */
gboolean baseline_store_verify_commit(
        BaselineStore *store, const char *commit, FindingList *findings, gboolean *ok, GError **error);
