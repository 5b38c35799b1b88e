/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flameviews.h"

#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "report/flame/flamescript.h"

#include <math.h>
#include <string.h>

#define PALE .55 /* of the colour that a tested change has */

/* The sums for each row of the stack table, in shares of the totals. */
typedef struct {
	double base, head; /* self cost */
	double larger;     /* width of the subtree */
	double known;      /* known change of shares in the subtree */
} ShareRow;

typedef struct {
	const FlameViewsInput *input;
	const StackTable *table;       /* NULL without any profile */
	double base_total, head_total; /* of the picture */
	double points_total;
	guint n_rows;
	ShareRow *rows;
} Builder;

static double share_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double self_share(const Profile *profile, StackId stack, double total)
{
	return profile == NULL ? 0 : share_of((double)profile_stack_total(profile, stack).weight, total);
}

/* Sum of all runs: in shares, neither runs nor units of work matter. */
static double sum_of(const Profile *profile)
{
	double sum = 0;
	for (guint i = 0; profile != NULL && i < stack_table_n_stacks(profile->table); i++)
		sum += (double)profile_stack_total(profile, (StackId){i}).weight;
	return sum;
}

static void fill_rows(Builder *builder)
{
	const FlameInput *input = builder->input->input;
	const FlamePaths *paths = builder->input->paths;
	double base = sum_of(input->base), head = sum_of(input->head);
	for (guint i = 0; i < builder->n_rows; i++) {
		ShareRow *row = &builder->rows[i];
		row->base = self_share(input->base, (StackId){i}, base);
		row->head = self_share(input->head, (StackId){i}, head);
		row->larger = MAX(row->base, row->head);
		row->known = paths->own_share[i] + paths->rest_share[i];
	}
}

/* A parent has a smaller id than its children, so one pass backwards sums all subtrees. */
static void sum_rows(Builder *builder)
{
	for (guint i = builder->n_rows - 1; i > 0; i--) {
		ShareRow *row = &builder->rows[i];
		ShareRow *parent = &builder->rows[stack_table_parent(builder->table, (StackId){i}).index];
		parent->known += row->known;
		parent->larger += row->larger;
	}
}

static const FlameNode *node_of(const FlameViews *views, guint index)
{
	return flame_layout_node(views->layout, index);
}

/* The part of a change that is explained by what is known to have changed; 0 = none. */
static double explained(double change, double known)
{
	if (!(change * known > 0))
		return 0;
	return fabs(change) < fabs(known) ? change : known;
}

static double inclusive_change(const Builder *builder, const FlameNode *node, FlameValue value)
{
	double base = builder->base_total, head = builder->head_total, whole = builder->points_total;
	if (value == FLAME_VALUE_WORK)
		return whole > 0 ? explained(flame_node_change(node) / whole, node->known_change / whole) : 0;
	if (node->hidden_frames > 0 || !(base > 0) || !(head > 0))
		return 0;
	return explained(node->head.total / head - node->base.total / base, builder->rows[node->stack.index].known);
}

static double self_change(const Builder *builder, const FlameNode *node, FlameValue value)
{
	const FlamePaths *paths = builder->input->paths;
	double base = builder->base_total, head = builder->head_total;
	if (!flame_node_is_frame(node) || !(base > 0) || (value == FLAME_VALUE_SHARE && !(head > 0)))
		return 0;
	if (value == FLAME_VALUE_SHARE)
		return explained(node->head.self / head - node->base.self / base, paths->own_share[node->stack.index]);
	double whole = builder->points_total;
	return explained((node->head.self - node->base.self) / whole, paths->own[node->stack.index] / whole);
}

static void fill_changes(const Builder *builder, FlameViews *views)
{
	guint n = views->layout->nodes->len;
	for (guint colour = 0; colour < FLAME_COLOURS; colour++)
		for (guint value = 0; value < FLAME_VALUES; value++) {
			double *changes = views->change[colour][value] = g_new0(double, n);
			double largest = builder->input->least_scale;
			for (guint i = 0; i < n; i++) {
				const FlameNode *node = node_of(views, i);
				changes[i] = colour == FLAME_COLOUR_SELF ? self_change(builder, node, value)
				                                         : inclusive_change(builder, node, value);
				largest = MAX(largest, fabs(changes[i]));
			}
			views->scale[colour][value] = largest;
		}
}

/* Untested changes have colour, but nothing marks a frame as changed. */
static void fill_marks(const Builder *builder, FlameViews *views)
{
	const FlamePaths *paths = builder->input->paths;
	guint n = views->layout->nodes->len;
	for (guint value = 0; value < FLAME_VALUES; value++) {
		views->mark[value] = g_new0(double, n);
		for (guint i = 0; i < n; i++) {
			const FlameNode *node = node_of(views, i);
			double own = value == FLAME_VALUE_SHARE
			                     ? paths->own_share[node->stack.index]
			                     : share_of(paths->own[node->stack.index], builder->points_total);
			if (flame_node_is_frame(node) && !views->untested &&
			        own * views->change[FLAME_COLOUR_INCLUSIVE][value][i] > 0)
				views->mark[value][i] = own;
		}
	}
}

/* The larger share of a node on either side. A node that stands for frames that are too deep is as wide as its parent
 * without the parent's own code. */
static double larger_share(const Builder *builder, const FlameNode *node)
{
	const ShareRow *row = &builder->rows[node->stack.index];
	return row->larger - (node->hidden_frames > 0 ? MAX(row->base, row->head) : 0);
}

static double width_of(const Builder *builder, const FlameNode *node, FlameViewWidth width)
{
	switch (width) {
	case FLAME_VIEW_LARGER_SHARE:
		return builder->rows[0].larger > 0 ? larger_share(builder, node) / builder->rows[0].larger : 0;
	case FLAME_VIEW_BASE:
		return share_of(node->base.total, builder->base_total);
	case FLAME_VIEW_HEAD:
		return share_of(node->head.total, builder->head_total);
	case FLAME_VIEW_LARGER:
	case FLAME_WIDTHS:
		break;
	}
	return node->width;
}

/* Cut to whole parts, children fit into their parent; what the last bit of a sum took away is given back. */
static void fill_widths(const Builder *builder, FlameViews *views)
{
	guint n = views->layout->nodes->len;
	g_autofree guint32 *children = g_new(guint32, n);
	for (guint width = 0; width < FLAME_WIDTHS; width++) {
		guint32 *widths = views->widths[width] = g_new0(guint32, n);
		memset(children, 0, n * sizeof *children);
		for (guint i = n; i-- > 0;) {
			const FlameNode *node = node_of(views, i);
			double whole = width_of(builder, node, (FlameViewWidth)width) * FLAME_VIEW_WHOLE;
			widths[i] = MAX((guint32)MAX(whole, 0), children[i]);
			if (i > 0)
				children[node->parent] += widths[i];
		}
	}
}

FlameViews *flame_views_new(const FlameViewsInput *input)
{
	FlameViews *views = g_new0(FlameViews, 1);
	const FlameNode *bottom = flame_layout_node(input->layout, 0);
	const Profile *profile = input->input->head != NULL ? input->input->head : input->input->base;
	Builder builder = {.input = input,
	        .table = profile->table,
	        .base_total = bottom->base.total,
	        .head_total = bottom->head.total,
	        .points_total = input->points_total > 0 ? input->points_total : bottom->base.total,
	        .n_rows = stack_table_n_stacks(profile->table)};
	G_GNUC_UNUSED g_autofree ShareRow *rows = builder.rows = g_new0(ShareRow, builder.n_rows);
	views->layout = input->layout;
	views->paths = input->paths;
	views->untested = input->untested;
	views->counted = input->counted;
	views->per = input->per;
	fill_rows(&builder);
	sum_rows(&builder);
	fill_changes(&builder, views);
	fill_marks(&builder, views);
	fill_widths(&builder, views);
	return views;
}

void flame_views_free(FlameViews *views)
{
	if (views == NULL)
		return;
	for (guint width = 0; width < FLAME_WIDTHS; width++)
		g_free(views->widths[width]);
	for (guint value = 0; value < FLAME_VALUES; value++)
		g_free(views->mark[value]);
	for (guint colour = 0; colour < FLAME_COLOURS; colour++)
		for (guint value = 0; value < FLAME_VALUES; value++)
			g_free(views->change[colour][value]);
	g_free(views);
}

static guint8 pale(guint8 channel, guint8 grey)
{
	return (guint8)lround(grey + (channel - grey) * PALE);
}

FlameColor flame_views_color(const FlameViews *views, double strength)
{
	FlameColor color = flame_color_change(strength), grey = flame_color_change(0);
	if (!views->untested)
		return color;
	return (FlameColor){pale(color.red, grey.red), pale(color.green, grey.green), pale(color.blue, grey.blue)};
}

FlameColor flame_views_fill(const FlameViews *views, FlameColourBy colour, FlameValue value, guint node)
{
	return flame_views_color(views, views->change[colour][value][node] / views->scale[colour][value]);
}

/* --- in the picture --- */

static void append_widths(GString *out, const char *name, const FlameViews *views, FlameViewWidth width)
{
	g_string_append_printf(out, " data-%s=\"", name);
	for (guint i = 0; i < views->layout->nodes->len; i++)
		g_string_append_printf(out, i > 0 ? " %u" : "%u", views->widths[width][i]);
	g_string_append_c(out, '"');
}

static void append_depths(GString *out, const FlameViews *views)
{
	g_string_append(out, " data-depths=\"");
	for (guint i = 0; i < views->layout->nodes->len; i++)
		g_string_append_printf(out, i > 0 ? " %u" : "%u", node_of(views, i)->depth);
	g_string_append_c(out, '"');
}

/* Most frames are grey, so only the others are listed: "12:f27d0c 14:e4e7eb". */
static void append_fills(
        GString *out, const char *name, const FlameViews *views, FlameColourBy colour, FlameValue value)
{
	char hex[FLAME_COLOR_HEX_BYTES];
	const char *between = "";
	g_string_append_printf(out, " data-%s=\"", name);
	for (guint i = 0; i < views->layout->nodes->len; i++) {
		if (views->change[colour][value][i] == 0)
			continue;
		flame_color_hex(flame_views_fill(views, colour, value, i), hex);
		g_string_append_printf(out, "%s%u:%s", between, i, hex + 1);
		between = " ";
	}
	g_string_append_c(out, '"');
}

/* "12:+3.2 pp|14:-.8 pp". */
static void append_marks(GString *out, const FlameViews *views)
{
	const char *between = "";
	g_string_append(out, " data-share-marks=\"");
	for (guint i = 0; i < views->layout->nodes->len; i++) {
		if (views->mark[FLAME_VALUE_SHARE][i] == 0)
			continue;
		g_autofree char *points = number_words(views->counted)->points(views->mark[FLAME_VALUE_SHARE][i]);
		g_string_append_printf(out, "%s%u:%s", between, i, points);
		between = "|";
	}
	g_string_append_c(out, '"');
}

static void append_scales(GString *out, const FlameViews *views)
{
	g_string_append(out, " data-scales=\"");
	for (guint colour = 0; colour < FLAME_COLOURS; colour++)
		for (guint value = 0; value < FLAME_VALUES; value++) {
			double scale = views->scale[colour][value];
			g_autofree char *less = number_points(-scale), *more = number_points(scale);
			g_string_append_printf(out, "%s%s ... %s", colour + value > 0 ? "|" : "", less, more);
		}
	g_string_append_c(out, '"');
}

void flame_views_row(FlameCanvas *canvas, const FlameViews *views)
{
	char grey[FLAME_COLOR_HEX_BYTES];
	GString *out = canvas->body;
	flame_color_hex(flame_color_change(0), grey);
	g_string_append_printf(out, "<g class=\"views\" data-per=\"%s\" data-grey=\"%s\"", views->per, grey);
	append_scales(out, views);
	append_depths(out, views);
	append_widths(out, "larger-share", views, FLAME_VIEW_LARGER_SHARE);
	append_widths(out, "base", views, FLAME_VIEW_BASE);
	append_widths(out, "head", views, FLAME_VIEW_HEAD);
	append_fills(out, "inclusive-share", views, FLAME_COLOUR_INCLUSIVE, FLAME_VALUE_SHARE);
	append_fills(out, "self-work", views, FLAME_COLOUR_SELF, FLAME_VALUE_WORK);
	append_fills(out, "self-share", views, FLAME_COLOUR_SELF, FLAME_VALUE_SHARE);
	append_marks(out, views);
	g_string_append(out, ">\n");
	g_autofree char *said = g_strdup_printf(
	        "width: larger of both    colour: change with all it calls    value: per %s", views->per);
	FlameText text = {.x_pct = FLAME_CANVAS_PAD, .y = canvas->y + 14, .faint = TRUE};
	flame_canvas_text(canvas, &text, said);
	g_string_append(out, "</g>\n");
	canvas->y += 28;
}

void flame_views_script(FlameCanvas *canvas)
{
	g_string_append_printf(
	        canvas->body, "<style>%s</style>\n<script><![CDATA[\n%s]]></script>\n", views_style, views_script);
}
