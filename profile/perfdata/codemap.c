/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/codemap.h"

#define MAX_RANGES (1u << 21)

/* Key and value of the tree, which is ordered by `start`. */
typedef struct {
	guint64 start, end; /* [start, end) */
	guint32 value;
} Range;

struct CodeMap {
	GTree *ranges; /* of Range */
};

static gint compare_starts(gconstpointer a, gconstpointer b, gpointer data)
{
	guint64 x = ((const Range *)a)->start, y = ((const Range *)b)->start;
	(void)data;
	return (x > y) - (x < y);
}

CodeMap *code_map_new(void)
{
	CodeMap *map = g_new(CodeMap, 1);
	map->ranges = g_tree_new_full(compare_starts, NULL, NULL, g_free);
	return map;
}

void code_map_free(CodeMap *map)
{
	if (map == NULL)
		return;
	g_tree_unref(map->ranges);
	g_free(map);
}

static void add_range(CodeMap *map, guint64 start, guint64 end, guint32 value)
{
	if (start >= end || value == CODE_MAP_NOTHING || (guint)g_tree_nnodes(map->ranges) >= MAX_RANGES)
		return;
	Range *range = g_new(Range, 1);
	*range = (Range){start, end, value};
	g_tree_insert(map->ranges, range, range);
}

/* The last range that starts at or before an address, or NULL. */
static Range *range_before(const CodeMap *map, guint64 address)
{
	const Range key = {.start = address};
	GTreeNode *node = g_tree_upper_bound(map->ranges, &key);
	node = node != NULL ? g_tree_node_previous(node) : g_tree_node_last(map->ranges);
	return node != NULL ? g_tree_node_value(node) : NULL;
}

/* Makes room for [start, end). */
static void cut_out(CodeMap *map, guint64 start, guint64 end)
{
	Range *before = start > 0 ? range_before(map, start - 1) : NULL;
	if (before != NULL && before->end > start) {
		Range rest = *before;
		before->end = start;
		add_range(map, end, rest.end, rest.value);
	}
	const Range key = {.start = start};
	for (GTreeNode *node; (node = g_tree_lower_bound(map->ranges, &key)) != NULL;) {
		Range range = *(const Range *)g_tree_node_value(node);
		/* The rest of a range that reaches beyond the end is put back with its start at `end`, so the loop ends
		 * here. */
		if (range.start >= end)
			return;
		g_tree_remove(map->ranges, &range);
		add_range(map, end, range.end, range.value);
	}
}

void code_map_set(CodeMap *map, guint64 start, guint64 size, guint32 value)
{
	guint64 end = size > G_MAXUINT64 - start ? G_MAXUINT64 : start + size;
	if (start >= end)
		return;
	cut_out(map, start, end);
	add_range(map, start, end, value);
}

guint32 code_map_find(const CodeMap *map, guint64 address)
{
	const Range *range = range_before(map, address);
	return range != NULL && address < range->end ? range->value : CODE_MAP_NOTHING;
}
