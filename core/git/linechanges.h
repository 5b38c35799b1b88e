/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which lines of which source files a change touches: what attribution asks of a diff, without the diff's text.
 *
 *     file of base   src/rank.c   12..14 removed   ┐ one LineChange: base_first 12, base_lines 3,
 *     file of head   src/rank.c   12..20 added     ┘                 head_first 12, head_lines 9
 *
 * Paths are relative to the root of the repository, `/` between folders. Lines count from 1. A side without lines
 * (pure insertion or deletion) gives the line before which the others stand. core/git/repodiff.h makes it from two
 * trees.
 *
 * A path that changed as a whole (a binary file, a submodule) stands for everything below it. */
#pragma once

#include <glib.h>

typedef enum { LINES_OF_BASE, LINES_OF_HEAD, LINES_SIDES } LinesSide;

typedef struct {
	guint32 base_first, base_lines, head_first, head_lines;
} LineChange;

typedef struct {
	char *paths[LINES_SIDES]; /* NULL on the side that lacks the file */
	gboolean binary;          /* its lines are not known: all of it counts as changed */
	GArray *changes;          /* of LineChange, ascending */
} ChangedFile;

typedef struct {
	GPtrArray *files;                 /* of ChangedFile, in the order of their paths */
	GHashTable *by_path[LINES_SIDES]; /* path -> ChangedFile, borrowed from `files` */
} LineChanges;

LineChanges *line_changes_new(void);
void line_changes_free(LineChanges *changes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LineChanges, line_changes_free)

/* Appends a file; paths are copied, one of them may be NULL. Borrowed, to append its changes to. */
ChangedFile *line_changes_add_file(LineChanges *changes, const char *base_path, const char *head_path);
/* Changes begin..end-1 of a file; none if both are equal. */
typedef struct {
	guint begin, end;
} ChangeRange;
/* The changes that line_changes_touch() means by lines first..last of that side. A file that changed as a whole has
 * none. */
ChangeRange changed_file_range(const ChangedFile *file, LinesSide side, guint32 first, guint32 last);
/* TRUE if any changed line of that side lies in first..last of the file, or lines of the other side were put in or
 * taken out there. A path that the change does not mention is not touched. */
gboolean line_changes_touch(const LineChanges *changes, LinesSide side, const char *path, guint32 first, guint32 last);
/* The first line of first..last that changed, or beside which lines of the other side were put in or taken out; 0 if
 * none did, or the file changed as a whole. */
guint32 line_changes_first(const LineChanges *changes, LinesSide side, const char *path, guint32 first, guint32 last);
/* TRUE if the file is changed at all, be it only by a rename. */
gboolean line_changes_mention(const LineChanges *changes, LinesSide side, const char *path);
/* TRUE if nothing was changed at all. */
gboolean line_changes_empty(const LineChanges *changes);

/* The path of the file in head; in base of one that head lacks. */
const char *changed_file_path(const ChangedFile *file);
