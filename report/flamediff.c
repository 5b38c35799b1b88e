#include "report/flamediff.h"

#include "report/flamecanvas.h"
#include "report/flamesvg.h"
#include "report/highlights.h"
#include "report/wording.h"

#include <math.h>
#include <string.h>

#define DEFAULT_ALPHA .05
#define SMALLEST_SCALE .02          /* share of the base total that is full colour at least */
#define SMALLEST_COUNTED_SCALE .002 /* the same of exact counts */
#define TABLE_FUNCTIONS 6
#define TABLE_UNCHANGED 2
#define NAME_MAX_CHARS 300
#define MARK_MORE "▲ "
#define MARK_LESS "▼ "

typedef struct {
	const FlameDiff *diff;
	const StackTable *table;
	const Profile *profile; /* of either side: event and unit */
	const FlameLayout *layout;
	const FunctionComparison **functions; /* by FrameId, NULL where none */
	gboolean *significant;                /* by FrameId */
	double base_total;                    /* what shares are shares of; 0 = unknown */
	double scale;                         /* share of the base total that is full colour */
} Painting;

static double alpha_of(const FlameDiff *diff)
{
	return diff->report_alpha > 0 ? diff->report_alpha : DEFAULT_ALPHA;
}

/* A renamed function is known under both names. */
static void index_functions(Painting *painting)
{
	const BenchmarkComparison *comparison = painting->diff->comparison;
	guint n_frames = MAX(stack_table_n_frames(painting->table), 1);
	painting->functions = g_new0(const FunctionComparison *, n_frames);
	painting->significant = g_new0(gboolean, n_frames);
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		gboolean significant = highlights_significant(comparison, function, alpha_of(painting->diff));
		painting->functions[function->renamed_from.index] = function;
		painting->functions[function->frame.index] = function;
		painting->significant[function->renamed_from.index] = significant;
		painting->significant[function->frame.index] = significant;
	}
}

/* Change of the node as a share of the base total; NaN if that is 0. */
static double contribution(const Painting *painting, const FlameNode *node)
{
	return painting->base_total > 0 ? (node->head.total - node->base.total) / painting->base_total : NAN;
}

/* The part of a node's change that significant functions explain, as a share of the base total; 0 = none. */
static double explained(const Painting *painting, const FlameNode *node)
{
	if (!(painting->base_total > 0))
		return 0;
	double change = contribution(painting, node), marked = node->marked_change / painting->base_total;
	if (change * marked <= 0)
		return 0;
	return fabs(change) < fabs(marked) ? change : marked;
}

static double largest_explained(const Painting *painting)
{
	double largest = painting->diff->counted ? SMALLEST_COUNTED_SCALE : SMALLEST_SCALE;
	for (guint i = 0; i < painting->layout->nodes->len; i++)
		largest = MAX(largest, fabs(explained(painting, flame_layout_node(painting->layout, i))));
	return largest;
}

static gboolean is_frame(const FlameNode *node)
{
	return node->hidden_frames == 0 && node->stack.index != STACK_ROOT.index;
}

/* "catalog · words.c:27", and the linkage name where it is another. */
static void append_place(GString *out, const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	const char *raw = stack_table_text(table, frame->raw_name);
	g_autofree char *module = wording_shorten(stack_table_text(table, frame->module), NAME_MAX_CHARS);
	g_autofree char *long_place = highlights_place(table, id);
	g_autofree char *place = wording_shorten(long_place, NAME_MAX_CHARS);
	if (*raw != '\0' && strcmp(raw, stack_table_text(table, frame->name)) != 0) {
		g_autofree char *shortened = wording_shorten(raw, NAME_MAX_CHARS);
		g_string_append_printf(out, "%s\n", shortened);
	}
	g_string_append(out, module);
	if (strcmp(place, module) != 0)
		g_string_append_printf(out, "%s%s", *module != '\0' ? " · " : "", place);
	if (*module != '\0' || *place != '\0')
		g_string_append_c(out, '\n');
}

/* All digits of what was counted. */
static char *say_cost(const Painting *painting, double cost, const char *unit)
{
	return painting->diff->counted ? wording_counted(cost, unit) : wording_value(cost, unit);
}

static char *say_points(const Painting *painting, double share)
{
	return painting->diff->counted ? wording_count_points(share) : wording_points(share);
}

static char *say_change(const Painting *painting, double ratio)
{
	return painting->diff->counted ? wording_count_change(ratio) : wording_change(ratio);
}

static char *say_interval(const Painting *painting, const FunctionComparison *function)
{
	double lower = function->contribution_lower, upper = function->contribution_upper;
	return painting->diff->counted ? wording_count_points_range(lower, upper)
	                               : wording_points_interval(lower, upper);
}

/* Change relative to the frame itself. */
static char *own_change(const Painting *painting, const FlameNode *node)
{
	if (node->base.total <= 0)
		return g_strdup("new");
	if (node->head.total <= 0)
		return g_strdup("gone");
	g_autofree char *change = say_change(painting, node->head.total / node->base.total);
	return g_strconcat(change, " of this frame", NULL);
}

/* What costs are means of. */
static const char *per_words(const Painting *painting)
{
	double work = MAX(painting->diff->base_work, painting->diff->head_work);
	return work > 0 && work != 1 ? "unit of work" : "run";
}

static void append_costs(GString *out, const Painting *painting, const FlameNode *node)
{
	const char *unit = painting->profile->unit, *event = painting->profile->event;
	double change = node->head.total - node->base.total;
	g_autofree char *base = say_cost(painting, node->base.total, unit);
	g_autofree char *head = say_cost(painting, node->head.total, unit);
	g_autofree char *size = say_cost(painting, fabs(change), unit), *own = own_change(painting, node);
	g_autofree char *points = say_points(painting, contribution(painting, node));
	g_autofree char *of_event = strcmp(event, unit) == 0 ? g_strdup("") : g_strdup_printf(" (%s)", event);
	g_string_append_printf(out, "base %s → head %s per %s%s\n", base, head, per_words(painting), of_event);
	g_string_append_printf(out, "change %s%s: %s, %s of the base total\n",
	        change > 0   ? "+"
	        : change < 0 ? "-"
	                     : "",
	        size, own, points);
}

static void append_shares(GString *out, const Painting *painting, const FlameNode *node)
{
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	const char *unit = painting->profile->unit;
	g_autofree char *base = wording_share(bottom->base.total > 0 ? node->base.total / bottom->base.total : NAN);
	g_autofree char *head = wording_share(bottom->head.total > 0 ? node->head.total / bottom->head.total : NAN);
	g_autofree char *base_samples = wording_count(node->base.samples);
	g_autofree char *head_samples = wording_count(node->head.samples);
	g_autofree char *base_self = say_cost(painting, node->base.self, unit);
	g_autofree char *head_self = say_cost(painting, node->head.self, unit);
	g_string_append_printf(out, "share of the total %s → %s, ", base, head);
	if (!painting->diff->counted)
		g_string_append_printf(out, "samples %s → %s, ", base_samples, head_samples);
	g_string_append_printf(out, "itself %s → %s", base_self, head_self);
}

static void append_former_name(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (function->klass != FUNCTION_RENAMED)
		return;
	g_autofree char *from =
	        wording_shorten(stack_table_frame_name(painting->table, function->renamed_from), NAME_MAX_CHARS);
	g_string_append_printf(out, "\nrenamed from %s", from);
}

/* What was counted of the function, whatever the stack. */
static void append_count(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (function == NULL)
		return;
	g_autofree char *points = say_points(painting, function->contribution);
	g_autofree char *range = say_interval(painting, function);
	g_string_append_printf(out, "\nfunction: %s, itself %s%s%s", function_class_name(function->klass), points,
	        *range != '\0' ? " " : "", range);
	if (!function->repeats)
		g_string_append(out, ", not the same in all runs");
	append_former_name(out, painting, function);
}

static void append_test(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (function == NULL || !function->tested) {
		g_string_append(out, "\nfunction test: too little evidence, not tested");
		return;
	}
	double p = function->contribution < 0 ? function->p_adjusted_improvement : function->p_adjusted;
	g_autofree char *p_value = wording_p_value(p), *points = wording_points(function->contribution);
	g_autofree char *interval = say_interval(painting, function);
	g_autofree char *detectable = wording_share(function->mde_ratio);
	if (painting->significant[function->frame.index])
		g_string_append_printf(out, "\nfunction test: significant, %s; ", function_class_name(function->klass));
	else
		g_string_append_printf(out, "\nfunction test: not significant, detectable from %s; ", detectable);
	g_string_append_printf(out, "itself %s %s, adjusted p %s", points, interval, p_value);
	append_former_name(out, painting, function);
}

static void append_function(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (painting->diff->counted)
		append_count(out, painting, function);
	else
		append_test(out, painting, function);
}

static char *tooltip(const Painting *painting, const FlameNode *node)
{
	GString *out = g_string_new(NULL);
	FrameId frame = {0};
	if (is_frame(node)) {
		frame = stack_table_leaf(painting->table, node->stack);
		append_place(out, painting->table, frame);
	}
	append_costs(out, painting, node);
	append_shares(out, painting, node);
	if (is_frame(node) && painting->diff->comparison != NULL)
		append_function(out, painting, painting->functions[frame.index]);
	return g_string_free(out, FALSE);
}

static void paint(const FlameNode *node, gpointer data, FlameFrameLook *look)
{
	const Painting *painting = data;
	double strength = explained(painting, node) / painting->scale;
	look->tooltip = tooltip(painting, node);
	look->fill = flame_color_change(strength);
	look->hatched = node->base.total > 0 && node->head.total <= 0;
	look->outlined = node->base.total <= 0 && node->head.total > 0;
	if (!is_frame(node) || !painting->significant[stack_table_leaf(painting->table, node->stack).index] ||
	        strength == 0)
		return;
	/* mark and number speak of the function, as the table does; colour and width of the subtree */
	const FunctionComparison *function = painting->functions[stack_table_leaf(painting->table, node->stack).index];
	g_autofree char *points = say_points(painting, function->contribution);
	look->mark = function->contribution > 0 ? MARK_MORE : MARK_LESS;
	look->suffix = g_strconcat("  ", points, NULL);
}

/* Places a text of the legend and returns where the next thing goes. */
static double legend_text(FlameCanvas *canvas, double x, const char *text)
{
	FlameText style = {.x_pct = FLAME_CANVAS_PAD, .x_px = x, .y = canvas->y + 11, .faint = TRUE};
	flame_canvas_text(canvas, &style, text);
	return x + 6.2 * (double)wording_columns(text) + 22;
}

static double legend_swatch(FlameCanvas *canvas, double x, const FlameFrameLook *look, const char *text)
{
	flame_canvas_swatch(canvas, x, 24, look);
	return legend_text(canvas, x + 31, text);
}

static void write_legend(FlameCanvas *canvas, const Painting *painting)
{
	static const double steps[] = {-1, -.5, -.2, -.05, 0, .05, .2, .5, 1};
	const char *nothing = painting->diff->counted ? "unchanged" : "no significant change";
	g_autofree char *less = wording_points(-painting->scale), *more = wording_points(painting->scale);
	double x = legend_text(canvas, 0, less) - 8;
	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++, x += 20)
		flame_canvas_swatch(canvas, x, 20, &(FlameFrameLook){.fill = flame_color_change(steps[i])});
	x = legend_text(canvas, x + 8, more);
	FlameColor grey = flame_color_change(0);
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey}, nothing);
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey, .hatched = TRUE}, "gone in head");
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey, .outlined = TRUE}, "new in head");
	legend_text(
	        canvas, x, "▲ ▼ the function itself changed    colour: with all it calls    width: the larger side");
	canvas->y += 28;
}

typedef struct {
	double x_pct;
	const char *title;
	gboolean right;
} Column;

#define MOST_COLUMNS 7

static const Column sampled_columns[] = {
        {FLAME_CANVAS_PAD, "function", FALSE},
        {38, "contribution", TRUE},
        {39, "95 % interval", FALSE},
        {57, "own change", TRUE},
        {75, "base → head", TRUE},
        {88.5, "samples", TRUE},
        {89.8, "class", FALSE},
};

static const Column counted_columns[] = {
        {FLAME_CANVAS_PAD, "function", FALSE},
        {38, "contribution", TRUE},
        {39, "over the runs", FALSE},
        {57, "own change", TRUE},
        {82, "base → head", TRUE},
        {84, "class", FALSE},
};

static const Column *columns_of(const Painting *painting, gsize *n)
{
	*n = painting->diff->counted ? G_N_ELEMENTS(counted_columns) : G_N_ELEMENTS(sampled_columns);
	return painting->diff->counted ? counted_columns : sampled_columns;
}

static void write_cell(FlameCanvas *canvas, const Column *column, const char *text, gboolean bold, gboolean title)
{
	FlameText style = {
	        .x_pct = column->x_pct,
	        .y = canvas->y,
	        .anchor = column->right ? "end" : NULL,
	        .mono = !title,
	        .bold = bold,
	        .faint = title,
	        .max_chars = column->x_pct == FLAME_CANVAS_PAD ? 36 : 40,
	};
	flame_canvas_text(canvas, &style, text);
}

/* What goes into the columns: the same for both kinds but for the samples. Texts are owned by the caller. */
static void fill_cells(const Painting *painting, const FunctionComparison *function, char *cells[MOST_COLUMNS])
{
	const char *unit = painting->diff->counted ? NULL : painting->profile->unit;
	gboolean significant = painting->significant[function->frame.index];
	g_autofree char *base = say_cost(painting, function->base_cost, unit);
	g_autofree char *head = say_cost(painting, function->head_cost, unit);
	g_autofree char *from = wording_count(function->base_samples), *to = wording_count(function->head_samples);
	g_autofree char *short_name =
	        wording_shorten(highlights_name(painting->table, function->frame), NAME_MAX_CHARS);
	const char *mark = !significant ? "  " : function->contribution < 0 ? MARK_LESS : MARK_MORE;
	gsize n = 0;
	cells[n++] = g_strconcat(mark, short_name, NULL);
	cells[n++] = say_points(painting, function->contribution);
	cells[n++] = say_interval(painting, function);
	cells[n++] = isnan(function->change_ratio) ? g_strdup("-") : say_change(painting, function->change_ratio);
	cells[n++] = g_strconcat(base, " → ", head, NULL);
	if (!painting->diff->counted)
		cells[n++] = g_strconcat(from, " → ", to, NULL);
	cells[n++] = g_strdup(function_class_name(function->klass));
}

static void write_table_row(FlameCanvas *canvas, const Painting *painting, const FunctionComparison *function)
{
	gsize n;
	const Column *columns = columns_of(painting, &n);
	char *cells[MOST_COLUMNS] = {NULL};
	fill_cells(painting, function, cells);
	for (gsize i = 0; i < n; i++) {
		write_cell(
		        canvas, &columns[i], cells[i], i == 0 && painting->significant[function->frame.index], FALSE);
		g_free(cells[i]);
	}
	canvas->y += 18;
}

static void write_table(FlameCanvas *canvas, const Painting *painting)
{
	const BenchmarkComparison *comparison = painting->diff->comparison;
	if (comparison == NULL || comparison->functions->len == 0)
		return;
	g_autoptr(GPtrArray) functions = highlights_functions(comparison, TABLE_FUNCTIONS, TABLE_UNCHANGED);
	gsize n;
	const Column *columns = columns_of(painting, &n);
	canvas->y += 12;
	for (gsize i = 0; i < n; i++)
		write_cell(canvas, &columns[i], columns[i].title, FALSE, TRUE);
	canvas->y += 19;
	for (guint i = 0; i < functions->len; i++)
		write_table_row(canvas, painting, g_ptr_array_index(functions, i));
}

static FlameLayout *lay_out(const Painting *painting)
{
	const FlameDiff *diff = painting->diff;
	FlameInput input = {
	        .base = diff->base,
	        .head = diff->head,
	        .base_work = diff->base_work,
	        .head_work = diff->head_work,
	        .width = FLAME_WIDTH_UNION,
	        .min_share = FLAME_MIN_SHARE,
	        .marked = painting->significant,
	};
	return flame_layout_new(&input);
}

/* "base 42 → head 43 per run, +2.38 %". */
static char *totals_sentence(const Painting *painting)
{
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	const char *unit = painting->profile->unit;
	g_autofree char *base = say_cost(painting, bottom->base.total, unit);
	g_autofree char *head = say_cost(painting, bottom->head.total, unit);
	g_autofree char *change = say_change(painting, bottom->head.total / bottom->base.total);
	return g_strdup_printf(
	        "base %s → head %s per %s, %s; decides nothing", base, head, per_words(painting), change);
}

char *flame_diff_svg(const FlameDiff *diff, gsize *length)
{
	const BenchmarkComparison *comparison = diff->comparison;
	Painting painting = {.diff = diff, .profile = diff->head != NULL ? diff->head : diff->base};
	g_assert(painting.profile != NULL);
	painting.table = painting.profile->table;
	index_functions(&painting);
	G_GNUC_UNUSED g_autofree const FunctionComparison **functions = painting.functions;
	G_GNUC_UNUSED g_autofree gboolean *significant = painting.significant;
	g_autoptr(FlameLayout) layout = lay_out(&painting);
	painting.layout = layout;
	painting.base_total = flame_layout_node(layout, 0)->base.total;
	painting.scale = largest_explained(&painting);

	g_autofree char *totals = totals_sentence(&painting);
	FlameHeader header = {
	        .benchmark = diff->benchmark,
	        .title = diff->title,
	        .sentence = comparison == NULL ? "not compared: all frames are grey"
	                    : diff->shown_only ? totals
	                                       : comparison->sentence,
	        .verdict = comparison == NULL || diff->shown_only ? NULL : &comparison->verdict,
	};
	FlameCanvas canvas;
	flame_canvas_init(&canvas);
	flame_canvas_header(&canvas, &header);
	write_table(&canvas, &painting);
	canvas.y += 4;
	flame_canvas_rule(&canvas);
	canvas.y += 12;
	write_legend(&canvas, &painting);
	flame_canvas_frames(&canvas, layout, painting.table, &(FlamePainter){paint, &painting});
	return flame_canvas_finish(&canvas, &header, length);
}
