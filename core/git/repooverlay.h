/* SPDX-License-Identifier: Apache-2.0 */
/* Lays files of one tree over another one. The result is a tree like any other, which is checked out and kept in the
 * build cache like that of a commit; nothing is written but objects, which git's garbage collection removes in time.
 *
 *     onto      src/a.c  bench/old.c
 *     from      src/b.c  bench/old.c (changed)  bench/new.c      paths: bench
 *     missing   src/a.c  bench/old.c            bench/new.c      what `onto` has stays as it is
 *     exact     src/a.c  bench/old.c (changed)  bench/new.c      what `from` lacks below a path is removed, too
 *
 * Paths are looked up in git's trees, so that no link is followed: `link/x` names nothing. */
#pragma once

#include "core/git/repo.h"

typedef struct {
	const char *onto, *from; /* full SHAs of trees */
	char *const *paths;      /* files and folders, relative to the root, without "." and ".."; NULL = none */
	gboolean only_missing;   /* files that `onto` has stay, */
	/* but for those whose last part is one of these patterns, with * and ?; NULL = none */
	const char *const *replaced;
} OverlayPlan;

typedef struct {
	char *tree_sha;  /* of the result; that of `onto` if nothing was laid */
	GPtrArray *laid; /* of char *: files that were added, replaced or removed, in the order of git's trees */
	GPtrArray *kept; /* of char *: files that `onto` has, other than `from`, and that stay */
} Overlay;

void overlay_clear(Overlay *overlay);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Overlay, overlay_clear)

/* Makes the tree; *overlay is cleared by the caller. A path that `from` lacks names nothing. Errors: those of
 * core/git/repo.h. */
gboolean repo_overlay(Repo *repo, const OverlayPlan *plan, Overlay *overlay, GError **error);

/* The first of the paths at which the tree has nothing, or NULL; borrowed. Errors: those of core/git/repo.h. */
gboolean repo_lacks_path(Repo *repo, const char *tree_sha, char *const *paths, const char **lacking, GError **error);
