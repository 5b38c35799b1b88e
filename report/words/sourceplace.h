/* SPDX-License-Identifier: Apache-2.0 */
/* Where a reader finds the code of a function: the file and line that a review of the change shows.
 *
 * Of a function that became dearer because another one was edited it is the place of that one, which the diff of the
 * change has; else its own. */
#pragma once

#include "report/words/highlights.h"

typedef struct {
	char *path;      /* as git writes it, `/` between folders; NULL = not known, or no file of the commits */
	guint line;      /* its first; 1 where only the file is known */
	gboolean edited; /* the change edits the function there */
} SourcePlace;

/* The place of a function of the list, in head, in base of what head lacks. The path is the caller's. */
SourcePlace source_place_of(const FunctionList *list, const FunctionComparison *function);
/* Frees the path. */
void source_place_clear(SourcePlace *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SourcePlace, source_place_clear)
/* The path as git writes it ("./build/../src/x.c" is "src/x.c"), or NULL for one that is empty, absolute, leads out of
 * the checkout or is longer than paths are. Owned by the caller. */
char *source_place_path(const char *file);
