/* SPDX-License-Identifier: Apache-2.0 */
/* Links and working folders that lead out of a tree.
 *
 * A run reads what a link leads to. A link into the other side makes a side run foreign code, and one into a folder
 * that both sides share keeps state. So
 *
 *     lib/x.so -> x.so.1          within the tree: fine
 *     lib/y.so -> /usr/lib/y.so   the same for both sides: fine (python3 of a venv, install-sh of autotools)
 *     lib/z.so -> ../../other/z   climbs out of the tree: refused
 *     w -> /cache/builds/...      into a folder of firebreak or the repository: refused, unless it is `own`
 *     w -> /proc/self/cwd/...     leads each process somewhere else: refused
 *
 * A link that base's commit has, too, with the same target, was there before the change and is the same for both sides:
 * it may stay, wherever it leads. Names of folders are random (runner/trees/arena.h), so that none was made to lead
 * into the other side.
 *
 * What is refused is FIREBREAK_ERROR_POLICY, as a tree with a forbidden name is: no run may make a verdict of it. */
#pragma once

#include <glib.h>

/* TRUE if the link may stay although it leaves the tree; an error is none of the links. */
typedef gboolean (*TreeLinkKnown)(gpointer data, const char *path, const char *target, GError **error);

typedef struct {
	const char *tree;             /* absolute */
	const char *const *forbidden; /* absolute folders that no link may lead into; NULL-terminated, NULL = none */
	const char *const *own; /* folders that it may lead into all the same: other places of this tree; likewise */
	TreeLinkKnown known;    /* asked about each link that is to be refused; NULL = none may stay */
	gpointer known_data;
} TreeLinksPlan;

/* TRUE if no link in the tree leads where it may not. The message names the link, where it leads, and the remedy. */
gboolean tree_links_check(const TreeLinksPlan *plan, GError **error);

/* TRUE if the folder `path` below `tree` (no "..") is a folder of that tree, whatever links lie on the way. */
gboolean tree_holds_folder(const char *tree, const char *path, GError **error);
