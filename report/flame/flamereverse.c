/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamereverse.h"

#include "report/flame/flamecosts.h"

#include <string.h>

/* Stacks that are in the same node, and go on to the same callers. */
typedef struct {
	guint32 at;   /* the path whose leaf is the frame of the node */
	guint32 rank; /* of that frame among all */
	double width, known_change;
	FlameCost base, head;
} Entry;

/* Entries that one node is made of: a range in `Reverser.entries`. */
typedef struct {
	guint32 start, end;
	guint parent;
	guint depth;
	double x;
} Group;

typedef struct {
	const FlameInput *input;
	const StackTable *table;
	guint32 *ranks; /* by FrameId */
	Entry *entries;
	guint32 n_entries;
	double whole; /* width of all */
	guint max_depth;
	GArray *groups; /* of Group: those to come, the next one last */
	FlameLayout *layout;
} Reverser;

static int by_frame(gconstpointer left, gconstpointer right, gpointer table)
{
	guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
	return stack_table_frame_order(table, (FrameId){a}, (FrameId){b});
}

/* Of no table there are none. */
/* Entries are sorted anew at every level. With ranks that compares two numbers, not two pairs of texts. */
static guint32 *rank_frames(const StackTable *table)
{
	guint n = table != NULL ? stack_table_n_frames(table) : 0;
	g_autofree guint32 *order = g_new(guint32, MAX(n, 1));
	guint32 *ranks = g_new(guint32, MAX(n, 1));
	for (guint32 i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof *order, by_frame, (gpointer)table);
	for (guint32 i = 0; i < n; i++)
		ranks[order[i]] = i;
	return ranks;
}

static FrameId leaf_of(const Reverser *reverser, const Entry *entry)
{
	return stack_table_leaf(reverser->table, (StackId){entry->at});
}

static void find_entries(Reverser *reverser, const FlameCosts *costs)
{
	const double *known = reverser->input->known;
	for (guint i = 1; i < costs->n_rows; i++) {
		if (!(costs->width[i] > 0))
			continue;
		Entry *entry = &reverser->entries[reverser->n_entries++];
		*entry = (Entry){
		        .at = i,
		        .width = costs->width[i],
		        .base = flame_column_get(&costs->base, i),
		        .head = flame_column_get(&costs->head, i),
		};
		FrameId leaf = leaf_of(reverser, entry);
		entry->rank = reverser->ranks[leaf.index];
		entry->known_change = known != NULL ? known[i] : 0;
	}
}

static int by_rank(gconstpointer left, gconstpointer right, gpointer data)
{
	const Entry *a = left, *b = right;
	(void)data;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Adds up a range of entries. */
static Entry sum_of(const Reverser *reverser, guint32 start, guint32 end)
{
	Entry sum = {0};
	for (guint32 i = start; i < end; i++) {
		const Entry *entry = &reverser->entries[i];
		sum.width += entry->width;
		sum.known_change += entry->known_change;
		flame_cost_add(&sum.base, &entry->base);
		flame_cost_add(&sum.head, &entry->head);
	}
	return sum;
}

/* Moves the entries of a range on to their callers; those that have none are left behind and added to the node's own
 * cost. Returns the new end of the range. */
static guint32 go_to_callers(Reverser *reverser, const Group *group, FlameNode *node)
{
	guint32 end = group->start;
	for (guint32 i = group->start; i < group->end; i++) {
		Entry entry = reverser->entries[i];
		entry.at = stack_table_parent(reverser->table, (StackId){entry.at}).index;
		if (entry.at == STACK_ROOT.index) {
			node->base.self += entry.base.total;
			node->head.self += entry.head.total;
			continue;
		}
		entry.rank = reverser->ranks[leaf_of(reverser, &entry).index];
		/* The range only shrinks, so the entries of a node are overwritten in place: a node is laid out
		 * completely before the node beside it, whose entries stand after them. */
		reverser->entries[end++] = entry;
	}
	return end;
}

/* Sorts a range by frame and joins entries of one path. Returns its new end. */
static guint32 join_entries(Reverser *reverser, guint32 start, guint32 end)
{
	Entry *entries = reverser->entries;
	guint32 joined = start;
	g_qsort_with_data(entries + start, (gint)(end - start), sizeof *entries, by_rank, NULL);
	for (guint32 i = start; i < end; i++) {
		Entry *last = &entries[joined > start ? joined - 1 : start];
		if (joined == start || last->at != entries[i].at) {
			entries[joined++] = entries[i];
			continue;
		}
		last->width += entries[i].width;
		last->known_change += entries[i].known_change;
		flame_cost_add(&last->base, &entries[i].base);
		flame_cost_add(&last->head, &entries[i].head);
	}
	return joined;
}

/* The frames above a node that is cut are not counted, as its entries are not followed: the number is a lower
 * bound. */
static void cut(Reverser *reverser, const Entry *sum)
{
	FlameLayout *layout = reverser->layout;
	layout->cut_frames++;
	layout->cut_is_least = TRUE;
	flame_cost_add(&layout->cut_base, &sum->base);
	flame_cost_add(&layout->cut_head, &sum->head);
}

/* The groups of a sorted range, one per frame, rightmost first onto the stack of groups. */
static void push_groups(Reverser *reverser, Group range)
{
	guint first = reverser->groups->len;
	for (guint32 start = range.start, end; start < range.end; start = end) {
		for (end = start + 1; end < range.end && reverser->entries[end].rank == reverser->entries[start].rank;)
			end++;
		Entry sum = sum_of(reverser, start, end);
		if (sum.width / reverser->whole < reverser->input->min_share) {
			cut(reverser, &sum);
			continue;
		}
		Group group = {start, end, range.parent, range.depth, range.x};
		g_array_append_val(reverser->groups, group);
		range.x += sum.width / reverser->whole;
	}
	for (guint a = first, b = reverser->groups->len; a + 1 < b; a++) {
		Group *left = &g_array_index(reverser->groups, Group, a);
		Group *right = &g_array_index(reverser->groups, Group, --b);
		Group swapped = *left;
		*left = *right;
		*right = swapped;
	}
}

static guint add_node(Reverser *reverser, const FlameNode *node)
{
	FlameLayout *layout = reverser->layout;
	layout->depth = MAX(layout->depth, node->depth);
	g_array_append_vals(layout->nodes, node, 1);
	return layout->nodes->len - 1;
}

static FlameNode node_of(const Reverser *reverser, const Group *group)
{
	Entry sum = sum_of(reverser, group->start, group->end);
	return (FlameNode){
	        .stack = {reverser->entries[group->start].at},
	        .parent = group->parent,
	        .depth = group->depth,
	        .x = group->x,
	        .width = sum.width / reverser->whole,
	        .base = sum.base,
	        .head = sum.head,
	        .known_change = sum.known_change,
	};
}

/* One node for all callers of a node at the deepest level; its frames are those of the longest way to a root. */
static void add_hidden_node(Reverser *reverser, const Group *callers)
{
	FlameNode node = node_of(reverser, callers);
	for (guint32 i = callers->start; i < callers->end; i++)
		node.hidden_frames =
		        MAX(node.hidden_frames, stack_table_depth(reverser->table, (StackId){reverser->entries[i].at}));
	Entry sum = sum_of(reverser, callers->start, callers->end);
	if (node.width >= reverser->input->min_share)
		add_node(reverser, &node);
	else
		cut(reverser, &sum);
}

static void place_group(Reverser *reverser, const Group *group)
{
	FlameNode node = node_of(reverser, group);
	Group callers = {.start = group->start, .depth = group->depth + 1, .x = group->x};
	callers.end = go_to_callers(reverser, group, &node);
	callers.parent = add_node(reverser, &node);
	callers.end = join_entries(reverser, callers.start, callers.end);
	if (callers.start == callers.end)
		return;
	if (group->depth == reverser->max_depth)
		add_hidden_node(reverser, &callers);
	else
		push_groups(reverser, callers);
}

static void place_all(Reverser *reverser, double extra)
{
	Entry sum = sum_of(reverser, 0, reverser->n_entries);
	sum.width += extra;
	sum.head.self = extra;
	sum.head.total += extra;
	reverser->whole = sum.width;
	FlameNode bottom = {
	        .width = sum.width > 0 ? 1 : 0, .base = sum.base, .head = sum.head, .known_change = sum.known_change};
	add_node(reverser, &bottom);
	if (!(sum.width > 0))
		return;
	guint32 end = join_entries(reverser, 0, reverser->n_entries);
	push_groups(reverser, (Group){.end = end, .depth = 1});
	while (reverser->groups->len > 0) {
		Group group = g_array_index(reverser->groups, Group, reverser->groups->len - 1);
		g_array_set_size(reverser->groups, reverser->groups->len - 1);
		place_group(reverser, &group);
	}
}

static guint32 count_entries(const FlameCosts *costs)
{
	guint32 n = 0;
	for (guint i = 1; i < costs->n_rows; i++)
		n += costs->width[i] > 0;
	return n;
}

void flame_reverse_lay_out(FlameLayout *layout, const FlameInput *input)
{
	const StackTable *table = flame_input_table(input);
	FlameCosts costs;
	flame_costs_init(&costs, input, table);
	g_autofree guint32 *ranks = rank_frames(table);
	g_autofree Entry *entries = g_new(Entry, MAX(count_entries(&costs), 1));
	g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
	Reverser reverser = {
	        .input = input,
	        .table = table,
	        .ranks = ranks,
	        .entries = entries,
	        .max_depth = input->max_depth > 0 ? input->max_depth : FLAME_MAX_DEPTH,
	        .groups = groups,
	        .layout = layout,
	};
	find_entries(&reverser, &costs);
	double extra = costs.extra;
	flame_costs_clear(&costs);
	place_all(&reverser, extra);
}
