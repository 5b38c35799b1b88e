/* Whether the tree that runs use is still as it was built, and how it becomes so again.
 *
 * Kind, mode, size, inode, time of last write and time of last change of every entry are noted once. The time of last
 * change (ctime) is set by the kernel alone, so an entry whose contents were changed is found, whatever the program did
 * to its other times. What differs is copied anew from the build, and what is new is removed: a run starts from the
 * tree as built. Nothing else may work in the tree meanwhile.
 *
 * On some file systems (tmpfs), a write through a shared mapping that was read first changes no time. Whether that is
 * so is tried out; there, the contents of all files are compared with the seal, too.
 *
 * Limit: root can set the clock. */
#pragma once

#include "runner/treeseal.h"

typedef struct TreeState TreeState;

/* Notes the tree `root`. It is mended from `build`, whose contents are those of `seal`; both are copied or read only
 * when needed, and `seal` is borrowed until the state goes. Errors: FIREBREAK_ERROR_STORAGE. */
TreeState *tree_state_new(const char *root, const char *build, const TreeSeal *seal, GError **error);
void tree_state_free(TreeState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TreeState, tree_state_free)

/* What had to be mended. */
typedef struct {
	guint added, changed, removed;
	gboolean programs; /* an added file may be executed */
	GString *names;    /* the first of them, "a, b"; NULL = none */
} TreeChanges;

void tree_changes_clear(TreeChanges *changes);

/* Mends the tree. `changes` is zeroed by the caller and cleared by it. Errors: FIREBREAK_ERROR_INVALID if a file that
 * was changed is changed in the build, too; FIREBREAK_ERROR_STORAGE. */
gboolean tree_state_restore(TreeState *state, TreeChanges *changes, GError **error);
