/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a check in which the trees of both sides and the folders of their runs lie side by side.
 *
 *     <campaign>/<name>/<name>          the tree of a side, one for each layout
 *     <campaign>/<name>/<name>          the folder of a run, while it goes on
 *     <short>/<name>                    temporary files of that run, with the same name (runner/trees/campaignfolder.h)
 *
 * A path must not tell a run which side or which round it belongs to, nor where the other side lies. So all names are
 * drawn at random, anew for each check, and are equally long: the length of a path shifts the stack.
 *
 * Whatever else lies in these folders was put there by a build or a run, and would be state that a later run finds:
 * arena_clean() removes it, and puts back what the folders themselves, and the one of the check, have beside their
 * entries (runner/trees/inodestate.h). The folder of the check is locked and cannot be made anew: its size may grow. */
#pragma once

#include "core/finding.h"

#define ARENA_NAME_LENGTH 12

/* ARENA_NAME_LENGTH random letters and digits, drawn from the kernel: 62 bits. Owned by the caller. */
char *arena_random_name(void);

typedef struct Arena Arena;

/* Makes a folder with a random name in `campaign_dir`, which exists. `short_dir`, for temporary files: a folder of this
 * check with a short path, or NULL. Errors: FIREBREAK_ERROR_STORAGE. */
Arena *arena_new(const char *campaign_dir, const char *short_dir, GError **error);
/* The folders and what is in them stay. */
void arena_free(Arena *arena);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arena, arena_free)

/* Its folder, an absolute path; borrowed. */
const char *arena_dir(const Arena *arena);
/* A path in it with a new name. Nothing is made there; what is made belongs to the check until arena_forget(). Owned by
 * the caller. */
char *arena_draw(Arena *arena);
/* Tells where temporary files of the run with that folder go: below the short folder, or below `path` where there is
 * none. Nothing is made there; it belongs to the check as long as `path` does. Owned by the caller. */
char *arena_temporary(const Arena *arena, const char *path);
/* Forgets a path: what lies there does not belong to the check any more. */
void arena_forget(Arena *arena, const char *path);
/* Removes what does not belong to the check, while neither build nor run goes on. What was found is the finding
 * `state_removed`. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean arena_clean(const Arena *arena, FindingList *findings, GError **error);
