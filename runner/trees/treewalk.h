/* SPDX-License-Identifier: Apache-2.0 */
/* Every entry of a folder tree once, folders before what is in them. Links are entries and are not followed.
 *
 * The tree is foreign: of any width, with any names. Paths that are longer than the kernel takes are an error. Nothing
 * else may work in it meanwhile. */
#pragma once

#include <glib.h>
#include <sys/stat.h>

typedef struct {
	const char *path; /* below the root, "lib/x.so" */
	int folder;       /* descriptor of the folder that it is in */
	const char *name; /* in that folder */
	const struct stat *info;
} TreeEntry;

typedef enum { TREE_GO_ON, TREE_PASS_BY /* do not enter this folder */, TREE_STOP /* with *error set */ } TreeStep;
typedef TreeStep (*TreeVisit)(gpointer data, const TreeEntry *entry, GError **error);

/* FALSE if a visit stopped the walk, or a folder cannot be read (FIREBREAK_ERROR_STORAGE). */
gboolean tree_walk(const char *root, TreeVisit visit, gpointer data, GError **error);
