/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamelayout.h"

#include "report/flame/flamecosts.h"
#include "report/flame/flamereverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of a sum of costs per unit of work that may be rounding. Whole counts are exact and not that large. */
#define ROUNDING (64 * DBL_EPSILON)

/* A row of the stack table that is drawn. */
typedef struct {
	guint32 row;
	guint32 first_child; /* range in `Builder.order` */
	guint32 n_children;
	guint32 beyond_frames; /* what lies above a row at the deepest level */
	double beyond_width;
	FlameCost beyond_base, beyond_head;
} Kept;

typedef struct {
	const FlameInput *input;
	const StackTable *table;
	FlameCosts costs;   /* of subtrees, once they are summed up */
	double *known;      /* known change of subtrees by row, as costs; NULL = nothing is known */
	double least_width; /* narrower rows are left out */
	guint32 *frames;    /* rows with width in the subtree, itself included */
	guint32 *kept_of;   /* by row: index in `kept` + 1, 0 = not drawn */
	GArray *kept;       /* of Kept; a parent stands before its children */
	guint32 *order;     /* indexes in `kept`, grouped by parent, siblings in drawing order */
	guint max_depth;
	FlameLayout *layout;
} Builder;

static void add_row(FlameColumn *column, guint parent, guint row)
{
	if (column->cost == NULL)
		return;
	column->cost[parent] += column->cost[row];
	column->samples[parent] += column->samples[row];
}

/* A parent has a smaller id than its children, so one pass backwards sums all subtrees. */
static void sum_subtrees(Builder *builder)
{
	FlameCosts *costs = &builder->costs;
	for (guint i = costs->n_rows - 1; i > 0; i--) {
		guint parent = stack_table_parent(builder->table, (StackId){i}).index;
		builder->frames[i] += costs->width[i] > 0;
		builder->frames[parent] += builder->frames[i];
		costs->width[parent] += costs->width[i];
		add_row(&costs->base, parent, i);
		add_row(&costs->head, parent, i);
		if (builder->known != NULL)
			builder->known[parent] += builder->known[i];
	}
}

static int from_wide_to_narrow(gconstpointer left, gconstpointer right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a > b ? -1 : a < b;
}

/* A row is never wider than its parent, so a bound on the width alone never draws a row without its parent. */
static double least_width(const Builder *builder)
{
	const FlameInput *input = builder->input;
	const double *widths = builder->costs.width;
	double least = input->min_share * widths[0];
	if (input->max_frames == 0)
		return least;
	g_autoptr(GArray) wide = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 1; i < builder->costs.n_rows; i++)
		if (widths[i] > 0 && widths[i] >= least)
			g_array_append_val(wide, widths[i]);
	if (wide->len <= input->max_frames)
		return least;
	qsort(wide->data, wide->len, sizeof(double), from_wide_to_narrow);
	/* The bound is just above the width of the first row that is too many, so that rows of that same width go as
	 * well: which of them would stay were a matter of chance. */
	return nextafter(g_array_index(wide, double, input->max_frames), INFINITY);
}

static void cut(Builder *builder, guint frames, const FlameCost *base, const FlameCost *head)
{
	FlameLayout *layout = builder->layout;
	layout->cut_frames += frames;
	flame_cost_add(&layout->cut_base, base);
	flame_cost_add(&layout->cut_head, head);
}

static void cut_row(Builder *builder, guint row)
{
	FlameCost base = flame_column_get(&builder->costs.base, row);
	FlameCost head = flame_column_get(&builder->costs.head, row);
	cut(builder, builder->frames[row], &base, &head);
}

static void keep(Builder *builder, guint row)
{
	Kept kept = {.row = row};
	g_array_append_val(builder->kept, kept);
	builder->kept_of[row] = builder->kept->len;
}

static void add_beyond(Builder *builder, Kept *parent, guint row)
{
	FlameCost base = flame_column_get(&builder->costs.base, row);
	FlameCost head = flame_column_get(&builder->costs.head, row);
	parent->beyond_frames += builder->frames[row];
	parent->beyond_width += builder->costs.width[row];
	flame_cost_add(&parent->beyond_base, &base);
	flame_cost_add(&parent->beyond_head, &head);
}

/* A row that has width, and whose parent is drawn. */
static void choose_row(Builder *builder, Kept *parent, guint row)
{
	if (stack_table_depth(builder->table, (StackId){row}) > builder->max_depth)
		add_beyond(builder, parent, row);
	else if (builder->costs.width[row] < builder->least_width)
		cut_row(builder, row);
	else {
		parent->n_children++;
		keep(builder, row);
	}
}

static void choose_rows(Builder *builder)
{
	keep(builder, 0);
	for (guint i = 1; i < builder->costs.n_rows; i++) {
		if (!(builder->costs.width[i] > 0))
			continue;
		guint32 parent = builder->kept_of[stack_table_parent(builder->table, (StackId){i}).index];
		if (parent != 0)
			choose_row(builder, &g_array_index(builder->kept, Kept, parent - 1), i);
	}
}

static guint32 row_of(const Builder *builder, guint32 kept)
{
	return g_array_index(builder->kept, Kept, kept).row;
}

static int by_parent_and_name(gconstpointer left, gconstpointer right, gpointer data)
{
	const Builder *builder = data;
	const StackTable *table = builder->table;
	StackId a = {row_of(builder, *(const guint32 *)left)}, b = {row_of(builder, *(const guint32 *)right)};
	guint32 a_parent = stack_table_parent(table, a).index, b_parent = stack_table_parent(table, b).index;
	if (a_parent != b_parent)
		return a_parent < b_parent ? -1 : 1;
	/* Siblings stand in order of names and not of costs, as in other flame graphs: then a function keeps its place
	 * when costs change, and two pictures can be laid beside each other. */
	int order = stack_table_frame_order(table, stack_table_leaf(table, a), stack_table_leaf(table, b));
	return order != 0 ? order : a.index < b.index ? -1 : a.index > b.index;
}

static void order_siblings(Builder *builder)
{
	guint n = builder->kept->len;
	builder->order = g_new(guint32, n);
	for (guint32 i = 1; i < n; i++)
		builder->order[i - 1] = i;
	g_qsort_with_data(builder->order, (gint)n - 1, sizeof(guint32), by_parent_and_name, builder);
	for (guint32 i = n - 1; i-- > 0;) {
		StackId stack = {row_of(builder, builder->order[i])};
		guint32 parent = builder->kept_of[stack_table_parent(builder->table, stack).index];
		g_array_index(builder->kept, Kept, parent - 1).first_child = i;
	}
}

static guint add_node(Builder *builder, FlameNode node)
{
	FlameLayout *layout = builder->layout;
	layout->depth = MAX(layout->depth, node.depth);
	g_array_append_val(layout->nodes, node);
	return layout->nodes->len - 1;
}

/* Puts one node in place of everything above a node at the deepest level. */
static void add_hidden_node(Builder *builder, guint parent_index, const Kept *parent)
{
	const FlameNode *below = flame_layout_node(builder->layout, parent_index);
	FlameNode node = {
	        .stack = below->stack,
	        .parent = parent_index,
	        .depth = below->depth + 1,
	        .hidden_frames = parent->beyond_frames,
	        .x = below->x,
	        .width = parent->beyond_width / builder->costs.width[0],
	        .base = parent->beyond_base,
	        .head = parent->beyond_head,
	};
	if (parent->beyond_width >= builder->least_width)
		add_node(builder, node);
	else
		cut(builder, parent->beyond_frames, &node.base, &node.head);
}

/* Tells where the next node goes. */
typedef struct {
	guint32 kept;
	guint parent;
	guint depth;
	double x;
} Place;

/* Puts the children of a node on the stack of places, rightmost first, so that the leftmost is laid out next. */
static void push_children(Builder *builder, GArray *places, guint index, const Kept *kept)
{
	const FlameNode *node = flame_layout_node(builder->layout, index);
	gboolean own_first = builder->input->own_first && builder->costs.width[0] > 0;
	double x = node->x + (own_first ? node->head.self / builder->costs.width[0] : 0);
	guint first = places->len;
	g_array_set_size(places, first + kept->n_children);
	for (guint32 i = 0; i < kept->n_children; i++) {
		guint32 child = builder->order[kept->first_child + i];
		Place *place = &g_array_index(places, Place, first + kept->n_children - 1 - i);
		*place = (Place){.kept = child, .parent = index, .depth = node->depth + 1, .x = x};
		x += builder->costs.width[row_of(builder, child)] / builder->costs.width[0];
	}
}

static FlameNode node_at(const Builder *builder, const Place *place)
{
	const FlameInput *input = builder->input;
	const FlameCosts *costs = &builder->costs;
	StackId stack = {row_of(builder, place->kept)};
	FlameNode node = {
	        .stack = stack,
	        .parent = place->parent,
	        .depth = place->depth,
	        .x = place->x,
	        .width = costs->width[0] > 0 ? costs->width[stack.index] / costs->width[0] : 0,
	        .base = flame_column_get(&costs->base, stack.index),
	        .head = flame_column_get(&costs->head, stack.index),
	        .known_change = builder->known != NULL ? builder->known[stack.index] : 0,
	};
	/* The columns hold sums of subtrees by then, so the cost of the row itself is read again. */
	node.base.self = flame_self_cost(input->base, input->base_work, stack).self;
	node.head.self = flame_self_cost(input->head, input->head_work, stack).self;
	if (stack.index == STACK_ROOT.index)
		node.head.self += costs->extra;
	return node;
}

static void place_nodes(Builder *builder)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
	Place bottom = {0};
	g_array_append_val(places, bottom);
	while (places->len > 0) {
		Place place = g_array_index(places, Place, places->len - 1);
		const Kept *kept = &g_array_index(builder->kept, Kept, place.kept);
		g_array_set_size(places, places->len - 1);
		guint index = add_node(builder, node_at(builder, &place));
		push_children(builder, places, index, kept);
		if (kept->beyond_frames > 0)
			add_hidden_node(builder, index, kept);
	}
}

static void builder_clear(Builder *builder)
{
	flame_costs_clear(&builder->costs);
	g_free(builder->known);
	g_free(builder->frames);
	g_free(builder->kept_of);
	g_free(builder->order);
	g_array_unref(builder->kept);
}

static void lay_out(FlameLayout *layout, const FlameInput *input)
{
	Builder builder = {
	        .input = input,
	        .table = flame_input_table(input),
	        .max_depth = input->max_depth > 0 ? input->max_depth : FLAME_MAX_DEPTH,
	        .kept = g_array_new(FALSE, FALSE, sizeof(Kept)),
	        .layout = layout,
	};
	flame_costs_init(&builder.costs, input, builder.table);
	guint n = builder.costs.n_rows;
	builder.known = g_memdup2(input->known, input->known != NULL ? n * sizeof(double) : 0);
	builder.frames = g_new0(guint32, n);
	builder.kept_of = g_new0(guint32, n);
	sum_subtrees(&builder);
	builder.least_width = least_width(&builder);
	choose_rows(&builder);
	order_siblings(&builder);
	place_nodes(&builder);
	builder_clear(&builder);
}

FlameLayout *flame_layout_new(const FlameInput *input)
{
	FlameLayout *layout = g_new0(FlameLayout, 1);
	layout->nodes = g_array_new(FALSE, TRUE, sizeof(FlameNode));
	if (input->reversed)
		flame_reverse_lay_out(layout, input);
	else
		lay_out(layout, input);
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

double flame_node_change(const FlameNode *node)
{
	double change = node->head.total - node->base.total;
	return fabs(change) > ROUNDING * MAX(node->head.total, node->base.total) ? change : 0;
}

gboolean flame_node_is_frame(const FlameNode *node)
{
	return node->hidden_frames == 0 && node->stack.index != STACK_ROOT.index;
}
