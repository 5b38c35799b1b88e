/* SPDX-License-Identifier: Apache-2.0 */
/* Trailers ("Key: value" lines at the end of a commit message) of the commits that head has and base has not.
 *
 * All of them are read, not only first parents: what a merge brought in belongs to what is compared.
 *
 *     base ── m1 ──────── merge = head        read: merge, p2, p1, m1
 *        \               /
 *         p1 ── p2 ─────
 *
 * A shallow clone does not tell everything. A commit counts only if it is known not to be one of base's ancestors: all
 * that are known to come after base, and no other one where the history is cut. Otherwise trailers of commits that were
 * merged long ago would count again. */
#pragma once

#include "core/git/repo.h"

#define REPO_TRAILER_COMMITS 10000    /* that are looked at; more is `is_cut` */
#define REPO_TRAILER_VALUE_BYTES 4000 /* of one value; the rest is cut off */
#define REPO_TRAILERS_MAX 1000        /* that are kept; more is `is_cut` */

typedef struct {
	char *sha;   /* full SHA of the commit */
	char *value; /* one line, valid UTF-8, without blanks around it, perhaps empty; foreign text */
} RepoTrailer;

typedef struct {
	GPtrArray *trailers; /* of RepoTrailer, newest commit first, of one commit in the order of its message */
	GPtrArray *strays;   /* of char *: SHAs of the commits, newest first, that have a line of the key outside of the
	                      * last   paragraph, where it is no trailer; at most REPO_TRAILERS_MAX */
	gboolean is_cut;     /* there are commits that were not read: a shallow clone, or too many */
} RepoTrailers;

void repo_trailers_free(RepoTrailers *trailers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RepoTrailers, repo_trailers_free)

/* The trailers of that key, in whatever case it is written, of the commits between two full SHAs. Both commits are in
 * the clone. NULL with *error as in core/git/repo.h. */
RepoTrailers *repo_trailers_between(Repo *repo, const char *base, const char *head, const char *key, GError **error);
