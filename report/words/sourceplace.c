/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/sourceplace.h"

#include <string.h>

#define PATH_MAX_BYTES 4096

char *source_place_path(const char *file)
{
	gsize length = strnlen(file, PATH_MAX_BYTES);
	if (*file == '/' || *file == '<' || length == PATH_MAX_BYTES)
		return NULL;
	g_auto(GStrv) parts = g_strsplit(file, "/", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	for (guint i = 0; parts[i] != NULL; i++) {
		if (g_str_equal(parts[i], "..") && kept->len == 0)
			return NULL;
		if (g_str_equal(parts[i], ".."))
			g_ptr_array_set_size(kept, (gint)kept->len - 1);
		else if (*parts[i] != '\0' && !g_str_equal(parts[i], "."))
			g_ptr_array_add(kept, parts[i]);
	}
	if (kept->len == 0)
		return NULL;
	g_ptr_array_add(kept, NULL);
	return g_strjoinv("/", (char **)kept->pdata);
}

void source_place_clear(SourcePlace *place)
{
	g_clear_pointer(&place->path, g_free);
}

static SourcePlace committed(const StackTable *table, FunctionPlace place)
{
	gboolean may_be_committed = place.origin == SOURCE_UNKNOWN || place.origin == SOURCE_COMMITTED;
	char *path = may_be_committed ? source_place_path(stack_table_text(table, place.file)) : NULL;
	return (SourcePlace){.path = path, .line = MAX(place.line, 1)};
}

SourcePlace source_place_of(const FunctionList *list, const FunctionComparison *function)
{
	if (list->table == NULL)
		return (SourcePlace){.line = 1};
	SourcePlace edited = committed(list->table, function->edited_place);
	if (edited.path != NULL) {
		edited.edited = TRUE;
		return edited;
	}
	SourcePlace own = committed(list->table, highlights_function_place(list->table, function));
	own.edited = function->relation == CHANGE_TOUCHED;
	return own;
}
