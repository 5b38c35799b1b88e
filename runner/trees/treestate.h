/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the tree that runs use is still as it was built, and restores it if not.
 *
 * Kind, mode, size, inode, time of last write and time of last change of every entry are noted once, and what else a
 * folder or file can keep (runner/trees/inodestate.h). The time of last change (ctime) is set by the kernel alone, so
 * an entry that was changed is found, whatever the program did to its other times. What differs is copied anew from the
 * build, what is new is removed, and folders get back what they were: a run starts from the tree as built. Nothing else
 * may work in the tree meanwhile.
 *
 * A file that was copied anew is younger than the others. Nobody can set that back, and a program could know by it what
 * an earlier run had changed. So all entries get one time of last change, and where a tree is small and allows it, all
 * of it is copied anew.
 *
 * On some file systems (tmpfs), a write through a shared mapping that was read first changes no time. Whether that is
 * so is tried out; there, the contents of all files are compared with the seal, too.
 *
 * Limits: root can set the clock; in a large tree, what was made anew has another inode and time of birth. */
#pragma once

#include "runner/trees/treeseal.h"

typedef struct TreeState TreeState;

typedef struct {
	const char *root;     /* the tree */
	const char *build;    /* what it is mended from; read only when needed */
	const TreeSeal *seal; /* of the contents of both; borrowed until the state goes */
	gboolean copies;      /* it is the copy that runs: a small one may be copied anew as a whole */
} TreeStatePlan;

/* Notes the tree. Errors: FIREBREAK_ERROR_STORAGE. */
TreeState *tree_state_new(const TreeStatePlan *plan, GError **error);
void tree_state_free(TreeState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TreeState, tree_state_free)

/* The entries that had to be mended. */
typedef struct {
	guint added, changed, removed;
	gboolean programs; /* an added file may be executed */
	GString *names;    /* the first of them, "a, b"; NULL = none */
} TreeChanges;

void tree_changes_clear(TreeChanges *changes);

/* Mends the tree. `changes` is zeroed by the caller and cleared by it. Errors: FIREBREAK_ERROR_INVALID if a file that
 * was changed is changed in the build, too; FIREBREAK_ERROR_STORAGE. */
gboolean tree_state_restore(TreeState *state, TreeChanges *changes, GError **error);
