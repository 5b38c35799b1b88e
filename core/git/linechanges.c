/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/linechanges.h"

#include <string.h>

static void changed_file_free(gpointer data)
{
	ChangedFile *file = data;
	for (guint side = 0; side < LINES_SIDES; side++)
		g_free(file->paths[side]);
	g_array_unref(file->changes);
	g_free(file);
}

LineChanges *line_changes_new(void)
{
	LineChanges *changes = g_new0(LineChanges, 1);
	changes->files = g_ptr_array_new_with_free_func(changed_file_free);
	for (guint side = 0; side < LINES_SIDES; side++)
		changes->by_path[side] = g_hash_table_new(g_str_hash, g_str_equal);
	return changes;
}

void line_changes_free(LineChanges *changes)
{
	if (changes == NULL)
		return;
	for (guint side = 0; side < LINES_SIDES; side++)
		g_hash_table_unref(changes->by_path[side]);
	g_ptr_array_unref(changes->files);
	g_free(changes);
}

ChangedFile *line_changes_add_file(LineChanges *changes, const char *base_path, const char *head_path)
{
	const char *paths[LINES_SIDES] = {[LINES_OF_BASE] = base_path, [LINES_OF_HEAD] = head_path};
	ChangedFile *file = g_new0(ChangedFile, 1);
	file->changes = g_array_new(FALSE, FALSE, sizeof(LineChange));
	for (guint side = 0; side < LINES_SIDES; side++) {
		file->paths[side] = g_strdup(paths[side]);
		if (paths[side] != NULL)
			g_hash_table_insert(changes->by_path[side], file->paths[side], file);
	}
	g_ptr_array_add(changes->files, file);
	return file;
}

/* The lines of one side of a change. */
typedef struct {
	guint32 first, lines;
} LineSpan;

static LineSpan span_of(const ChangedFile *file, guint i, LinesSide side)
{
	const LineChange *change = &g_array_index(file->changes, LineChange, i);
	return side == LINES_OF_BASE ? (LineSpan){change->base_first, change->base_lines}
	                             : (LineSpan){change->head_first, change->head_lines};
}

/* The last line that a span says anything about. */
static guint64 end_of(LineSpan span)
{
	return (guint64)span.first + (span.lines > 0 ? span.lines - 1 : 0);
}

/* The first change that does not end before line `first`. */
static guint first_change_at(const ChangedFile *file, LinesSide side, guint32 first)
{
	guint low = 0, high = file->changes->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (end_of(span_of(file, middle, side)) < first)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The index of the first change after line `last`. */
static guint first_change_after(const ChangedFile *file, LinesSide side, guint32 last)
{
	guint low = 0, high = file->changes->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (span_of(file, middle, side).first <= last)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

ChangeRange changed_file_range(const ChangedFile *file, LinesSide side, guint32 first, guint32 last)
{
	ChangeRange range = {first_change_at(file, side, first), first_change_after(file, side, last)};
	for (; range.begin < range.end; range.begin++) {
		LineSpan span = span_of(file, range.begin, side);
		/* Lines put in before the first of a range are not in it. */
		if (span.lines > 0 || span.first > first)
			return range;
	}
	return (ChangeRange){0, 0};
}

static gboolean file_touches(const ChangedFile *file, LinesSide side, guint32 first, guint32 last)
{
	ChangeRange range = changed_file_range(file, side, first, last);
	return range.begin < range.end;
}

/* TRUE if the path lies in something that changed as a whole, such as a submodule. */
static gboolean is_in_changed_folder(const LineChanges *changes, LinesSide side, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		g_autofree char *folder = g_strndup(path, (gsize)(slash - path));
		const ChangedFile *file = g_hash_table_lookup(changes->by_path[side], folder);
		if (file != NULL && file->binary)
			return TRUE;
	}
	return FALSE;
}

gboolean line_changes_mention(const LineChanges *changes, LinesSide side, const char *path)
{
	return g_hash_table_contains(changes->by_path[side], path) || is_in_changed_folder(changes, side, path);
}

gboolean line_changes_touch(const LineChanges *changes, LinesSide side, const char *path, guint32 first, guint32 last)
{
	const ChangedFile *file = g_hash_table_lookup(changes->by_path[side], path);
	if (file == NULL)
		return is_in_changed_folder(changes, side, path);
	return file->binary || file_touches(file, side, first, last);
}

guint32 line_changes_first(const LineChanges *changes, LinesSide side, const char *path, guint32 first, guint32 last)
{
	const ChangedFile *file = g_hash_table_lookup(changes->by_path[side], path);
	if (file == NULL || file->binary)
		return 0;
	ChangeRange range = changed_file_range(file, side, first, last);
	return range.begin < range.end ? CLAMP(span_of(file, range.begin, side).first, first, last) : 0;
}

gboolean line_changes_empty(const LineChanges *changes)
{
	return changes->files->len == 0;
}

const char *changed_file_path(const ChangedFile *file)
{
	return file->paths[file->paths[LINES_OF_HEAD] != NULL ? LINES_OF_HEAD : LINES_OF_BASE];
}
