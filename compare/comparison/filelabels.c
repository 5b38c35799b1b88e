/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/filelabels.h"

#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* The end of `path` that has one part more than `end`, which is an end of it; NULL if that is all of it. */
static const char *one_part_more(const char *path, const char *end)
{
	if (end == path)
		return NULL;
	const char *at = end - 1; /* the slash before it */
	while (at > path && at[-1] != '/')
		at--;
	return at;
}

static gboolean ends_with_parts(const char *path, const char *end)
{
	gsize length = strlen(path), wanted = strlen(end);
	if (wanted > length || strcmp(path + length - wanted, end) != 0)
		return FALSE;
	return wanted == length || path[length - wanted - 1] == '/';
}

static gboolean is_of_one(const GPtrArray *alike, const char *end)
{
	guint n = 0;
	for (guint i = 0; i < alike->len; i++)
		n += ends_with_parts(alike->pdata[i], end);
	return n == 1;
}

/* The shortest end that no other path with the same base name has; of one that is the end of another all of it. */
static const char *telling_end(const char *path, const GPtrArray *alike)
{
	const char *end = base_name(path);
	while (!is_of_one(alike, end)) {
		const char *more = one_part_more(path, end);
		if (more == NULL)
			return path;
		end = more;
	}
	return end;
}

/* Groups of paths by base name, each path once. Keys and paths are borrowed from the table. */
static void collect(GHashTable *groups, GHashTable *seen, const StackTable *table, NameId file)
{
	const char *path = stack_table_text(table, file);
	if (*path == '\0' || !g_hash_table_add(seen, GUINT_TO_POINTER(file.index)))
		return;
	GPtrArray *alike = g_hash_table_lookup(groups, base_name(path));
	if (alike == NULL) {
		alike = g_ptr_array_new();
		g_hash_table_insert(groups, (gpointer)base_name(path), alike);
	}
	g_ptr_array_add(alike, (gpointer)path);
}

void file_labels_set(BenchmarkComparison *comparison, const StackTable *table)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) groups =
	        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		gboolean placed = f->place.file.index != 0;
		collect(groups, seen, table, placed ? f->place.file : stack_table_get_frame(table, f->frame)->file);
	}
	g_clear_pointer(&comparison->file_labels, g_hash_table_unref);
	comparison->file_labels = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	GHashTableIter iter;
	gpointer key;
	g_hash_table_iter_init(&iter, seen);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const char *path = stack_table_text(table, (NameId){GPOINTER_TO_UINT(key)});
		const GPtrArray *alike = g_hash_table_lookup(groups, base_name(path));
		if (alike->len > 1)
			g_hash_table_insert(comparison->file_labels, key, g_strdup(telling_end(path, alike)));
	}
}

const char *file_label(const BenchmarkComparison *comparison, const StackTable *table, NameId file)
{
	const char *label = comparison != NULL && comparison->file_labels != NULL
	                            ? g_hash_table_lookup(comparison->file_labels, GUINT_TO_POINTER(file.index))
	                            : NULL;
	return label != NULL ? label : base_name(stack_table_text(table, file));
}
