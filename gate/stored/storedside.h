/* SPDX-License-Identifier: Apache-2.0 */
/* One side of `firebreak compare`: the measurements that are stored of a commit, or that are in an exported file. */
#pragma once

#include "baselines/store.h"
#include "core/git/repo.h"

typedef struct {
	char *fingerprint, *benchmark;
	gboolean counted;         /* under callgrind; else timed */
	char *problem;            /* what is damaged, or NULL */
	Measurement *measurement; /* NULL = not read yet */
} StoredPiece;

typedef struct {
	char *name; /* as the user wrote it */
	char *sha;  /* the commit that was measured */
	gboolean is_file;
	BaselineStore *store; /* NULL of a file */
	GPtrArray *pieces;    /* of StoredPiece, by benchmark, then fingerprint */
} StoredSide;

/* Finds what is stored. A name that the repository resolves is a revision, anything else a file; `repo` is NULL outside
 * of a repository. Stacks of a file go to `table`. Errors: FIREBREAK_ERROR_USAGE if it is neither,
 * FIREBREAK_ERROR_BASELINE if nothing is stored, and those of the store. */
StoredSide *stored_side_open(Repo *repo, const char *name, StackTable *table, GError **error);
void stored_side_free(StoredSide *side);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StoredSide, stored_side_free)

/* The first sound piece of a benchmark of that kind with that fingerprint, NULL = any; NULL if there is none. Borrowed.
 */
StoredPiece *stored_side_find(const StoredSide *side, const char *benchmark, gboolean counted, const char *fingerprint);
/* Reads it, with stacks in `table`; borrowed from the piece. Errors: those of baseline_store_get(). */
Measurement *stored_side_read(const StoredSide *side, StoredPiece *piece, StackTable *table, GError **error);
