/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatesources.h"

#include "core/git/repopaths.h"

static SourceOrigin origin_of(const Gate *gate, const char *tree, const char *file)
{
	TreePath what;
	if (g_path_is_absolute(file) || g_str_has_prefix(file, "../"))
		return SOURCE_OUTSIDE;
	if (!repo_tree_path(gate->repo, tree, file, &what, NULL))
		return SOURCE_UNKNOWN;
	return what == TREE_PATH_FILE           ? SOURCE_COMMITTED
	       : what == TREE_PATH_OF_SUBMODULE ? SOURCE_SUBMODULE
	                                        : SOURCE_MADE;
}

/* Marks the places of a side. Many functions are of one file, which is looked up once. */
static void mark_side(const Gate *gate, const char *tree, const StackTable *table, CodePlace *places, guint n)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
	for (guint f = 0; f < n; f++) {
		gpointer key = GUINT_TO_POINTER(places[f].file.index), origin;
		if (places[f].file.index == 0)
			continue;
		if (!g_hash_table_lookup_extended(known, key, NULL, &origin)) {
			origin = GUINT_TO_POINTER(origin_of(gate, tree, stack_table_text(table, places[f].file)));
			g_hash_table_insert(known, key, origin);
		}
		places[f].origin = GPOINTER_TO_UINT(origin);
	}
}

void gate_sources_mark(const Gate *gate, const Choice *choices, const StackTable *table, CodeFacts *code)
{
	for (guint side = 0; side < N_SIDES; side++)
		if (choices[side].tree != NULL)
			mark_side(gate, choices[side].tree, table, code->places[side], code->n_frames);
}
