#include "report/flamelayout.h"

#include <math.h>
#include <string.h>

/* What is summed up for each row of the stack table. */
typedef struct {
	FlameCost base, head;
	double marked_change;
	double width;        /* of the subtree, unit of the profile */
	guint frames;        /* rows with width in the subtree, itself included */
	guint32 first_child; /* range in `Builder.order` */
	guint32 n_children;
} Row;

typedef struct {
	const FlameInput *input;
	const StackTable *table;
	Row *rows;
	guint n_rows;
	guint32 *order; /* rows with width, grouped by parent, siblings in drawing order */
	guint n_order;
	guint max_depth;
	FlameLayout *layout;
} Builder;

static const StackTable *table_of(const FlameInput *input)
{
	const Profile *profile = input->base != NULL ? input->base : input->head;
	return profile == NULL ? NULL : profile->table;
}

static void add_self_cost(FlameCost *cost, const Profile *profile, StackId stack, double work)
{
	if (profile == NULL || profile_n_runs(profile) == 0)
		return;
	double weight = 0; /* a sum in floating point cannot saturate */
	for (guint run = 0; run < profile_n_runs(profile); run++) {
		ProfileCell cell = profile_cell(profile, run, stack);
		weight += (double)cell.weight;
		cost->samples += cell.samples;
	}
	cost->self = weight / profile_n_runs(profile) / (work > 0 ? work : 1);
	cost->total = cost->self;
}

static double own_width(const Row *row, FlameWidth width)
{
	switch (width) {
	case FLAME_WIDTH_BASE:
		return row->base.self;
	case FLAME_WIDTH_HEAD:
		return row->head.self;
	case FLAME_WIDTH_SUM:
		return row->base.self + row->head.self;
	case FLAME_WIDTH_UNION:
		break;
	}
	return MAX(row->base.self, row->head.self);
}

static void add_subtree(FlameCost *parent, const FlameCost *child)
{
	parent->total += child->total;
	parent->samples += child->samples;
}

/* A parent has a smaller id than its children, so one pass backwards sums all subtrees. */
static void sum_subtrees(Builder *builder)
{
	const FlameInput *input = builder->input;
	for (guint i = 0; i < builder->n_rows; i++) {
		Row *row = &builder->rows[i];
		add_self_cost(&row->base, input->base, (StackId){i}, input->base_work);
		add_self_cost(&row->head, input->head, (StackId){i}, input->head_work);
		row->width = own_width(row, input->width);
		if (i > 0 && input->marked != NULL &&
		        input->marked[stack_table_leaf(builder->table, (StackId){i}).index])
			row->marked_change = row->head.self - row->base.self;
	}
	for (guint i = builder->n_rows - 1; i > 0; i--) {
		Row *row = &builder->rows[i], *parent;
		parent = &builder->rows[stack_table_parent(builder->table, (StackId){i}).index];
		row->frames += row->width > 0;
		add_subtree(&parent->base, &row->base);
		add_subtree(&parent->head, &row->head);
		parent->marked_change += row->marked_change;
		parent->width += row->width;
		parent->frames += row->frames;
		parent->n_children += row->width > 0;
	}
}

static int by_parent_and_name(gconstpointer left, gconstpointer right, gpointer data)
{
	const StackTable *table = data;
	StackId a = {*(const guint32 *)left}, b = {*(const guint32 *)right};
	guint32 a_parent = stack_table_parent(table, a).index, b_parent = stack_table_parent(table, b).index;
	if (a_parent != b_parent)
		return a_parent < b_parent ? -1 : 1;
	FrameId a_frame = stack_table_leaf(table, a), b_frame = stack_table_leaf(table, b);
	int order = strcmp(stack_table_frame_name(table, a_frame), stack_table_frame_name(table, b_frame));
	if (order == 0)
		order = strcmp(stack_table_frame_module(table, a_frame), stack_table_frame_module(table, b_frame));
	return order != 0 ? order : a.index < b.index ? -1 : a.index > b.index;
}

static void order_siblings(Builder *builder)
{
	builder->order = g_new(guint32, builder->n_rows);
	for (guint32 i = 1; i < builder->n_rows; i++) {
		if (builder->rows[i].width > 0)
			builder->order[builder->n_order++] = i;
	}
	g_qsort_with_data(
	        builder->order, (gint)builder->n_order, sizeof(guint32), by_parent_and_name, (gpointer)builder->table);
	for (guint32 i = builder->n_order; i-- > 0;) {
		guint32 parent = stack_table_parent(builder->table, (StackId){builder->order[i]}).index;
		builder->rows[parent].first_child = i;
	}
}

static guint add_node(Builder *builder, FlameNode node)
{
	FlameLayout *layout = builder->layout;
	layout->depth = MAX(layout->depth, node.depth);
	g_array_append_val(layout->nodes, node);
	return layout->nodes->len - 1;
}

static void cut(Builder *builder, const Row *row)
{
	FlameLayout *layout = builder->layout;
	layout->cut_frames += row->frames;
	add_subtree(&layout->cut_base, &row->base);
	add_subtree(&layout->cut_head, &row->head);
}

/* One node in place of everything above a node at the deepest level. */
static void add_hidden_node(Builder *builder, guint parent_index, const FlameNode *parent, const Row *row)
{
	FlameNode node = {
	        .stack = parent->stack,
	        .parent = parent_index,
	        .depth = parent->depth + 1,
	        .hidden_frames = row->frames - 1,
	        .x = parent->x,
	        .base = {.total = row->base.total - row->base.self},
	        .head = {.total = row->head.total - row->head.self},
	};
	for (guint32 i = 0; i < row->n_children; i++) {
		const Row *child = &builder->rows[builder->order[row->first_child + i]];
		node.width += child->width / builder->rows[0].width;
		node.base.samples += child->base.samples;
		node.head.samples += child->head.samples;
	}
	if (node.width >= builder->input->min_share)
		add_node(builder, node);
}

/* Where the next node goes. */
typedef struct {
	guint32 row;
	guint parent;
	guint depth;
	double x;
} Place;

/* Puts the children of a node on the stack of places, rightmost first, so that the leftmost is laid out next. */
static void push_children(Builder *builder, GArray *places, guint index)
{
	FlameNode node = *flame_layout_node(builder->layout, index);
	const Row *row = &builder->rows[node.stack.index];
	if (row->n_children > 0 && node.depth == builder->max_depth) {
		add_hidden_node(builder, index, &node, row);
		return;
	}
	guint first = places->len;
	double x = node.x;
	for (guint32 i = 0; i < row->n_children; i++) {
		guint32 id = builder->order[row->first_child + i];
		double share = builder->rows[id].width / builder->rows[0].width;
		Place place = {.row = id, .parent = index, .depth = node.depth + 1, .x = x};
		x += share;
		if (share >= builder->input->min_share)
			g_array_append_val(places, place);
		else
			cut(builder, &builder->rows[id]);
	}
	for (guint a = first, b = places->len; a + 1 < b; a++) {
		b--;
		Place swapped = g_array_index(places, Place, a);
		g_array_index(places, Place, a) = g_array_index(places, Place, b);
		g_array_index(places, Place, b) = swapped;
	}
}

static void place_nodes(Builder *builder)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
	Place bottom = {0};
	g_array_append_val(places, bottom);
	while (places->len > 0) {
		Place place = g_array_index(places, Place, places->len - 1);
		g_array_set_size(places, places->len - 1);
		const Row *row = &builder->rows[place.row];
		FlameNode node = {
		        .stack = {place.row},
		        .parent = place.parent,
		        .depth = place.depth,
		        .x = place.x,
		        .width = builder->rows[0].width > 0 ? row->width / builder->rows[0].width : 0,
		        .base = row->base,
		        .head = row->head,
		        .marked_change = row->marked_change,
		};
		push_children(builder, places, add_node(builder, node));
	}
}

FlameLayout *flame_layout_new(const FlameInput *input)
{
	FlameLayout *layout = g_new0(FlameLayout, 1);
	layout->nodes = g_array_new(FALSE, TRUE, sizeof(FlameNode));
	const StackTable *table = table_of(input);
	Builder builder = {
	        .input = input,
	        .table = table,
	        .n_rows = table == NULL ? 1 : stack_table_n_stacks(table),
	        .max_depth = input->max_depth > 0 ? input->max_depth : FLAME_MAX_DEPTH,
	        .layout = layout,
	};
	g_autofree Row *rows = g_new0(Row, builder.n_rows);
	builder.rows = rows;
	sum_subtrees(&builder);
	order_siblings(&builder);
	G_GNUC_UNUSED g_autofree guint32 *order = builder.order; /* owned from here on */
	place_nodes(&builder);
	return layout;
}

void flame_layout_free(FlameLayout *layout)
{
	if (layout == NULL)
		return;
	g_array_unref(layout->nodes);
	g_free(layout);
}

const FlameNode *flame_layout_node(const FlameLayout *layout, guint index)
{
	g_assert(index < layout->nodes->len);
	return &g_array_index(layout->nodes, FlameNode, index);
}
