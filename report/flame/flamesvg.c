/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamesvg.h"

#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "profile/hotspots/hotspots.h"
#include "report/flame/flamecanvas.h"
#include "report/flame/lostcallers.h"
#include "report/words/wording.h"

#include <string.h>

#define LEGEND_MODULES 6
#define NAME_MAX_CHARS 300

typedef struct {
	const FlameGraph *graph;
	const FlameOptions *options;
	const FlameLayout *layout;
	const StackTable *table;
	const FlamePalette *palette;
} Painting;

static const char *kind_remark(FrameKind kind)
{
	switch (kind) {
	case FRAME_INLINED:
		return "inlined";
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_JIT:
		return "generated code";
	case FRAME_COMMAND:
		return "command";
	case FRAME_USER:
	case FRAME_SYNTHETIC:
	case FRAME_NOTE:
		break;
	}
	return "";
}

static double scaled(const FlameOptions *options, double cost)
{
	return options->factor > 0 ? cost * options->factor : cost;
}

/* All digits of what was counted. */
static char *say_cost(const FlameGraph *graph, double cost)
{
	const char *unit = graph->profile->unit;
	return number_words(graph->counted)->value(cost, unit);
}

/* TRUE if costs are numbers of samples, or of lines of folded text, which mostly stand for samples. */
static gboolean counts_samples(const Profile *profile)
{
	return strcmp(profile->unit, "samples") == 0 || strcmp(profile->unit, "counts") == 0;
}

/* The name of the things that costs count; fractions are no samples. */
static const char *name_of_count(const Painting *painting)
{
	if (painting->options->count_name != NULL)
		return painting->options->count_name;
	return painting->graph->profile->scale == 1 ? "samples" : painting->graph->profile->unit;
}

/* "1,234 samples", "1.92 s". */
static char *say_size(const Painting *painting, double cost)
{
	const Profile *profile = painting->graph->profile;
	double size = scaled(painting->options, cost);
	if (painting->options->count_name == NULL && !counts_samples(profile))
		return say_cost(painting->graph, size);
	g_autofree char *count = number_parts(size, profile->scale);
	return g_strdup_printf("%s %s", count, name_of_count(painting));
}

/* " (1,234 samples, 12.34%)": what users of flame graphs know. */
static char *remark(const Painting *painting, const FlameNode *node)
{
	double whole = flame_layout_node(painting->layout, 0)->head.total;
	double percent = whole > 0 ? 100 * node->head.total / whole : 0;
	g_autofree char *number = number_decimal(percent, 2);
	g_autofree char *size = say_size(painting, node->head.total);
	gboolean is_bottom = node->stack.index == STACK_ROOT.index;
	return g_strdup_printf(" (%s, %s%%)", size, is_bottom ? "100" : number);
}

/* "catalog, inlined". */
static void append_place(GString *out, const Painting *painting, const Frame *frame)
{
	const char *kind = frame == NULL ? "" : kind_remark(frame->kind);
	const char *module = frame == NULL ? "" : stack_table_text(painting->table, frame->module);
	g_autofree char *shortened = hotspots_short_name(module, NAME_MAX_CHARS);
	if (*module == '\0' && *kind == '\0')
		return;
	g_string_append_printf(out, "%s%s%s\n", shortened, *module != '\0' && *kind != '\0' ? ", " : "", kind);
}

/* The lines of the tooltip below the first; NULL if that says it all. */
static char *tooltip(const Painting *painting, const FlameNode *node, const Frame *frame)
{
	const FlameGraph *graph = painting->graph;
	GString *out = g_string_new(NULL);
	append_place(out, painting, frame);
	if (frame != NULL && node->head.self > 0 && node->head.self < node->head.total &&
	        !painting->options->reversed) {
		g_autofree char *self = say_size(painting, node->head.self);
		g_string_append_printf(out, "itself %s\n", self);
	}
	if (!graph->counted && !counts_samples(graph->profile)) {
		g_autofree char *samples = number_count(node->head.samples);
		g_string_append_printf(out, "%s samples\n", samples);
	}
	if (out->len > 0)
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, out->len == 0);
}

static const Frame *frame_of(const StackTable *table, const FlameNode *node)
{
	if (node->hidden_frames > 0 || node->stack.index == STACK_ROOT.index)
		return NULL;
	return stack_table_get_frame(table, stack_table_leaf(table, node->stack));
}

static void paint(const FlameNode *node, gpointer data, FlameFrameLook *look)
{
	const Painting *painting = data;
	const Frame *frame = frame_of(painting->table, node);
	look->remark = remark(painting, node);
	look->tooltip = tooltip(painting, node, frame);
	if (frame == NULL) {
		look->fill = flame_color_change(0);
		return;
	}
	look->fill = flame_palette_frame(painting->palette, frame);
	look->dashed = frame->kind == FRAME_INLINED;
}

/* One entry of the legend: frames of one colour. */
typedef struct {
	NameId module;
	const char *name; /* of the module */
	FrameKind kind;
	double self;
} Group;

static int by_self_cost(gconstpointer left, gconstpointer right)
{
	const Group *a = left, *b = right;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	int order = strcmp(a->name, b->name);
	return order != 0 ? order : (int)a->kind - (int)b->kind;
}

static gboolean is_in_legend(const Frame *frame)
{
	return frame != NULL && frame->kind != FRAME_COMMAND && frame->kind != FRAME_SYNTHETIC;
}

/* The kernel and generated code are one group each, whatever their modules are called. */
static gpointer group_key(const Painting *painting, const Frame *frame)
{
	gboolean one_for_all = frame->kind == FRAME_KERNEL || frame->kind == FRAME_JIT ||
	                       painting->options->colors == FLAME_COLORS_KIND;
	guint64 module = one_for_all ? 0 : frame->module.index + 1;
	return GSIZE_TO_POINTER(module * FRAME_KINDS + frame->kind + 1);
}

/* `places` has the index of each group, plus 1. */
static void add_to_group(GArray *groups, GHashTable *places, const Painting *painting, const Frame *frame, double self)
{
	gpointer key = group_key(painting, frame);
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, key));
	if (place > 0) {
		g_array_index(groups, Group, place - 1).self += self;
		return;
	}
	Group group = {frame->module, stack_table_text(painting->table, frame->module), frame->kind, self};
	g_array_append_val(groups, group);
	g_hash_table_insert(places, key, GUINT_TO_POINTER(groups->len));
}

/* Covers all functions, drawn or not; costs are sums over all runs. */
static GArray *legend_groups(const Painting *painting)
{
	const Profile *profile = painting->graph->profile;
	guint n_frames, n_runs = profile_n_runs(profile);
	g_autofree ProfileCell *cells = profile_self_by_frame(profile, &n_frames);
	g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
	GArray *groups = g_array_new(FALSE, FALSE, sizeof(Group));
	for (guint i = 0; i < n_frames; i++) {
		const Frame *frame = stack_table_get_frame(painting->table, (FrameId){i});
		double self = 0;
		for (guint run = 0; run < n_runs; run++)
			self += (double)cells[(gsize)i * n_runs + run].weight;
		if (self > 0 && is_in_legend(frame))
			add_to_group(groups, places, painting, frame, self);
	}
	g_array_sort(groups, by_self_cost);
	g_array_set_size(groups, MIN(groups->len, LEGEND_MODULES));
	return groups;
}

/* The divisor of the costs of a run. */
static double divisor_of(const FlameGraph *graph)
{
	return (graph->work > 0 ? graph->work : 1) * (double)graph->profile->scale;
}

/* Of --total, too, if that is more. */
static double total_of_runs(const Painting *painting)
{
	const FlameGraph *graph = painting->graph;
	double per_run = flame_layout_node(painting->layout, 0)->head.total;
	return per_run * profile_n_runs(graph->profile) * divisor_of(graph);
}

/* Folded stacks of other tools have no modules. */
static gboolean says_nothing(const Painting *painting, const GArray *groups)
{
	const Group *first = groups->len > 0 ? &g_array_index(groups, Group, 0) : NULL;
	return first == NULL || (groups->len == 1 && painting->options->colors == FLAME_COLORS_MODULE &&
	                                first->kind == FRAME_USER && *first->name == '\0');
}

static char *group_label(const Painting *painting, const Group *group)
{
	double whole = total_of_runs(painting);
	g_autofree char *module = hotspots_short_name(group->name, 18);
	g_autofree char *share = number_share(whole > 0 ? group->self / whole : 0);
	if (group->kind == FRAME_KERNEL)
		return g_strdup_printf("kernel %s", share);
	if (group->kind == FRAME_JIT)
		return g_strdup_printf("generated code %s", share);
	if (painting->options->colors == FLAME_COLORS_KIND)
		return g_strdup_printf("%s %s", group->kind == FRAME_INLINED ? "inlined" : "user code", share);
	return g_strdup_printf("%s%s %s", *module == '\0' ? "no module" : module,
	        group->kind == FRAME_INLINED ? " (inlined)" : "", share);
}

static void write_legend(FlameCanvas *canvas, const Painting *painting)
{
	g_autoptr(GArray) groups = legend_groups(painting);
	double x = 0;
	if (says_nothing(painting, groups))
		return;
	for (guint i = 0; i < groups->len; i++) {
		const Group *group = &g_array_index(groups, Group, i);
		g_autofree char *label = group_label(painting, group);
		FlameColor fill = flame_palette_module(painting->palette, group->module, group->kind);
		FlameFrameLook look = {.fill = fill, .dashed = group->kind == FRAME_INLINED};
		FlameText style = {.x_pct = FLAME_CANVAS_PAD, .x_px = x + 28, .y = canvas->y + 11, .faint = TRUE};
		flame_canvas_swatch(canvas, x, 22, &look);
		flame_canvas_text(canvas, &style, label);
		x += 28 + 7. * (double)wording_columns(label) + 18;
	}
	canvas->y += 28;
}

/* " of cpu-clock:u", " system-calls"; "" where the unit has said it, as that of allocated-bytes. */
static char *event_words(const Profile *profile)
{
	if (*profile->unit != '\0' && g_str_has_suffix(profile->event, profile->unit))
		return g_strdup("");
	return g_strconcat(strcmp(profile->unit, "count") == 0 ? " " : " of ", profile->event, NULL);
}

/* The sentence that says what the widths mean. */
static char *scale_sentence(const FlameGraph *graph, const FlameLayout *layout)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	const Profile *profile = graph->profile;
	guint n = profile_n_runs(profile);
	const char *per = graph->work > 0 && graph->work != 1 ? "unit of work" : "run";
	g_autofree char *total = say_cost(graph, bottom->head.total);
	g_autofree char *samples = number_count(bottom->head.samples);
	g_autofree char *what = event_words(profile);
	if (!graph->counted)
		return g_strdup_printf("%s%s per %s, mean of %u runs, %s samples", total, what, per, n, samples);
	if (n == 1)
		return g_strdup_printf("%s%s per %s", total, what, per);
	return g_strdup_printf("%s%s per %s, mean of %u runs", total, what, per, n);
}

static FlameLayout *lay_out(const FlameGraph *graph, const FlameOptions *options)
{
	FlameInput input = {
	        .head = graph->profile,
	        .head_work = divisor_of(graph),
	        .width = FLAME_WIDTH_HEAD,
	        .min_share = options->min_share == 0 ? FLAME_MIN_SHARE : options->min_share,
	        .reversed = options->reversed,
	        .total = options->factor > 0 ? options->total / options->factor : options->total,
	};
	return flame_layout_new(&input);
}

/* Colours of modules and kinds mean something; the others are explained by their name. */
static gboolean has_legend(const FlameOptions *options)
{
	return options->colors == FLAME_COLORS_MODULE || options->colors == FLAME_COLORS_KIND;
}

/* The graph as it is drawn: upside down, stacks begin with what was running, and nothing says that callers are missing.
 */
static FlameGraph with_marks(const FlameGraph *graph, const LostCallers *lost)
{
	FlameGraph marked = *graph;
	if (lost->head != NULL)
		marked.profile = lost->head;
	return marked;
}

char *flame_svg(const FlameGraph *given, gsize *length)
{
	static const FlameOptions usual = {0};
	const FlameOptions *options = given->options != NULL ? given->options : &usual;
	g_auto(LostCallers) lost = options->reversed ? (LostCallers){0} : lost_callers_find(NULL, given->profile);
	g_autofree char *remark = lost_callers_remark(&lost);
	FlameGraph marked = with_marks(given, &lost), *graph = &marked;
	g_autoptr(FlameLayout) layout = lay_out(graph, options);
	g_autoptr(FlamePalette) palette =
	        flame_palette_new_of(graph->profile->table, options->colors, options->by_letters);
	Painting painting = {graph, options, layout, graph->profile->table, palette};
	g_autofree char *scale = scale_sentence(graph, layout);
	FlameHeader header = {.benchmark = graph->benchmark,
	        .title = graph->title,
	        .sentence = graph->sentence != NULL ? graph->sentence : scale};
	FlameCanvas canvas;
	flame_canvas_init(&canvas);
	canvas.style = options->style;
	flame_canvas_header(&canvas, &header);
	canvas.y += 6;
	if (has_legend(options))
		write_legend(&canvas, &painting);
	FlamePainter painter = {.paint = paint, .data = &painting, .has_remarks = TRUE, .remark = remark};
	flame_canvas_frames(&canvas, layout, painting.table, &painter);
	return flame_canvas_finish(&canvas, &header, length);
}
