/* SPDX-License-Identifier: Apache-2.0 */
/* The builds that checks keep, and whether they are still what they were when they were made.
 *
 *     <dir>/builds/<key>/tree   the build, without permission to write
 *     <dir>/builds/<key>/used   its size in bytes, written again whenever it is used
 *     <dir>/seals/<key>         its seal (runner/trees/treeseal.h): written when the build has ended
 *     <dir>/running/<name>      made and locked before the code of a change runs, removed when the check ends
 *
 * The folder of a build is locked (flock) while it is made or used, and is never removed then.
 *
 * Whatever runs can write here, also to the seals. So what was there when the check began is noted, with the time of
 * last change that only the kernel sets. From build_cache_distrust() on, a seal that is new or other than noted is not
 * believed, unless this check itself made it; build_cache_close() removes it with its build. A build of another check
 * that ended meanwhile is lost by that, and made again.
 *
 * A check that is killed cannot do that. So one that begins looks for files in `running` that nobody has locked, and
 * where there is one, believes no build any more: all seals are removed. A program that removes that file, too, before
 * it kills the check is not found out: all of them run as one user.
 *
 * What is kept is bounded by size and age: FIREBREAK_CACHE_MAX_MIB (default 5120) and FIREBREAK_CACHE_MAX_DAYS (default
 * 30, since the last use) in the environment of firebreak. */
#pragma once

#include "runner/trees/treeseal.h"

typedef struct BuildCache BuildCache;

/* `dir` exists. Errors: FIREBREAK_ERROR_USAGE for limits that are no numbers, FIREBREAK_ERROR_STORAGE. */
BuildCache *build_cache_open(const char *dir, GError **error);
/* Also removes what is too much or too old, but nothing that this check used. To be called when no build and no run of
 * the check goes on. */
void build_cache_close(BuildCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BuildCache, build_cache_close)

/* Its folder; borrowed. */
const char *build_cache_dir(const BuildCache *cache);
/* The folder of a build; owned by the caller. */
char *build_cache_path(const BuildCache *cache, const char *key);

/* Locks the folder of a build, which is made if it is missing, as flock() does with `how`: a descriptor to close, or -1
 * with FIREBREAK_ERROR_STORAGE. */
int build_cache_lock(const BuildCache *cache, const char *key, int how, GError **error);

/* TRUE if a check was killed while the code of its change ran, so that nothing that was kept is believed. */
gboolean build_cache_was_left(const BuildCache *cache);

/* The code of the change runs from now on, or has run. Errors: FIREBREAK_ERROR_STORAGE if that cannot be noted for
 * later checks. */
gboolean build_cache_distrust(BuildCache *cache, GError **error);
/* The seal of a build, NULL if there is none that can be believed; *doubtful tells whether there is one that cannot.
 * Owned by the caller. */
TreeSeal *build_cache_seal(const BuildCache *cache, const char *key, gboolean *doubtful);
/* Keeps a build that has just ended, with its seal; nobody may write in it any more. The build is locked. */
gboolean build_cache_keep(BuildCache *cache, const char *key, const TreeSeal *seal, GError **error);
/* Notes that the build is used; it is locked. */
void build_cache_note_use(BuildCache *cache, const char *key, const TreeSeal *seal);
/* TRUE if this check used the build already. */
gboolean build_cache_was_used(const BuildCache *cache, const char *key);
/* Removes build and seal, but not the folder that is locked. */
gboolean build_cache_discard(const BuildCache *cache, const char *key, GError **error);
