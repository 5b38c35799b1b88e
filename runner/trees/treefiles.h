/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a tree by their name, for messages that say where something is that was looked for elsewhere. */
#pragma once

#include <glib.h>

/* The paths (below the root, sorted, shorter ones first) of files in the tree that end with `path`, whole names only:
 * "data/x.json" finds "bench/data/x.json". `programs`: only what can be executed. What git keeps for itself is passed
 * by. An array of char * that owns them; empty if there is none or the tree cannot be read. */
GPtrArray *tree_files_named(const char *root, const char *path, gboolean programs);
/* The programs of the tree: executable ELF files. As above. */
GPtrArray *tree_programs(const char *root);
/* The path below the root, links followed, of what a command that runs in `cwd` names by this word; NULL if the word is
 * an absolute path, or leads out of the tree or nowhere. Owned by the caller. */
char *tree_path_named(const char *root, const char *cwd, const char *word);
/* TRUE if the file is an ELF file: a compiled program or library. */
gboolean tree_file_is_elf(const char *path);
