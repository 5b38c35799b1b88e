/* Files of a tree by their name, for messages that say where something is that was looked for elsewhere. */
#pragma once

#include <glib.h>

/* The paths (below the root, sorted, shorter ones first) of files in the tree that end with `path`, whole names only:
 * "data/x.json" finds "bench/data/x.json". `programs`: only what can be executed. What git keeps for itself is passed
 * by. An array of char * that owns them; empty if there is none or the tree cannot be read. */
GPtrArray *tree_files_named(const char *root, const char *path, gboolean programs);
/* The programs of the tree: executable ELF files. As above. */
GPtrArray *tree_programs(const char *root);
/* TRUE if the file is an ELF file: a compiled program or library. */
gboolean tree_file_is_elf(const char *path);
