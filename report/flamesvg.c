#include "report/flamesvg.h"

#include "report/flamecanvas.h"
#include "report/wording.h"

#include <string.h>

#define LEGEND_MODULES 6
#define NAME_MAX_CHARS 300

typedef struct {
	const FlameGraph *graph;
	const FlameLayout *layout;
	const StackTable *table;
	const FlamePalette *palette;
} Painting;

static const char *kind_remark(FrameKind kind)
{
	switch (kind) {
	case FRAME_INLINED:
		return " (inlined)";
	case FRAME_KERNEL:
		return " (kernel)";
	case FRAME_JIT:
		return " (generated code)";
	case FRAME_COMMAND:
		return "command";
	case FRAME_USER:
	case FRAME_SYNTHETIC:
		break;
	}
	return "";
}

/* All digits of what was counted. */
static char *say_cost(const FlameGraph *graph, double cost)
{
	const char *unit = graph->profile->unit;
	return graph->counted ? wording_counted(cost, unit) : wording_value(cost, unit);
}

static char *tooltip(const Painting *painting, const FlameNode *node, const Frame *frame)
{
	double whole = flame_layout_node(painting->layout, 0)->head.total;
	g_autofree char *total = say_cost(painting->graph, node->head.total);
	g_autofree char *self = say_cost(painting->graph, node->head.self);
	g_autofree char *share = wording_share(whole > 0 ? node->head.total / whole : 0);
	g_autofree char *count = wording_count(node->head.samples);
	g_autofree char *samples = painting->graph->counted ? g_strdup("") : g_strdup_printf("\n%s samples", count);
	g_autofree char *module =
	        frame == NULL ? g_strdup("")
	                      : wording_shorten(stack_table_text(painting->table, frame->module), NAME_MAX_CHARS);
	const char *kind = frame == NULL ? "" : kind_remark(frame->kind);
	return g_strdup_printf("%s%s%s%s with everything it calls, %s of all; %s itself%s", module, kind,
	        *module != '\0' || *kind != '\0' ? "\n" : "", total, share, self, samples);
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
static gboolean is_same_group(const Group *group, const Frame *frame)
{
	gboolean one_for_all = frame->kind == FRAME_KERNEL || frame->kind == FRAME_JIT;
	return group->kind == frame->kind && (one_for_all || group->module.index == frame->module.index);
}

static void add_to_group(GArray *groups, const StackTable *table, const Frame *frame, double self)
{
	for (guint i = 0; i < groups->len; i++) {
		Group *group = &g_array_index(groups, Group, i);
		if (is_same_group(group, frame)) {
			group->self += self;
			return;
		}
	}
	Group group = {frame->module, stack_table_text(table, frame->module), frame->kind, self};
	g_array_append_val(groups, group);
}

static GArray *legend_groups(const Painting *painting)
{
	GArray *groups = g_array_new(FALSE, FALSE, sizeof(Group));
	for (guint i = 0; i < painting->layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(painting->layout, i);
		const Frame *frame = frame_of(painting->table, node);
		if (is_in_legend(frame))
			add_to_group(groups, painting->table, frame, node->head.self);
	}
	g_array_sort(groups, by_self_cost);
	g_array_set_size(groups, MIN(groups->len, LEGEND_MODULES));
	return groups;
}

static char *group_label(const Group *group, double whole)
{
	g_autofree char *module = wording_shorten(group->name, 18);
	g_autofree char *share = wording_share(whole > 0 ? group->self / whole : 0);
	if (group->kind == FRAME_KERNEL)
		return g_strdup_printf("kernel %s", share);
	if (group->kind == FRAME_JIT)
		return g_strdup_printf("generated code %s", share);
	return g_strdup_printf("%s%s %s", *module == '\0' ? "no module" : module,
	        group->kind == FRAME_INLINED ? " (inlined)" : "", share);
}

static void write_legend(FlameCanvas *canvas, const Painting *painting)
{
	g_autoptr(GArray) groups = legend_groups(painting);
	double whole = flame_layout_node(painting->layout, 0)->head.total, x = 0;
	for (guint i = 0; i < groups->len; i++) {
		const Group *group = &g_array_index(groups, Group, i);
		g_autofree char *label = group_label(group, whole);
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

/* What the widths mean. */
static char *scale_sentence(const FlameGraph *graph, const FlameLayout *layout)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	const Profile *profile = graph->profile;
	guint n = profile_n_runs(profile);
	const char *per = graph->work > 0 && graph->work != 1 ? "unit of work" : "run";
	g_autofree char *total = say_cost(graph, bottom->head.total);
	g_autofree char *samples = wording_count(bottom->head.samples);
	g_autofree char *what = event_words(profile);
	if (!graph->counted)
		return g_strdup_printf("%s%s per %s, mean of %u runs, %s samples", total, what, per, n, samples);
	if (n == 1)
		return g_strdup_printf("%s%s per %s", total, what, per);
	return g_strdup_printf("%s%s per %s, mean of %u runs", total, what, per, n);
}

char *flame_svg(const FlameGraph *graph, gsize *length)
{
	FlameInput input = {.head = graph->profile,
	        .head_work = graph->work,
	        .width = FLAME_WIDTH_HEAD,
	        .min_share = FLAME_MIN_SHARE};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	g_autoptr(FlamePalette) palette = flame_palette_new(graph->profile->table);
	Painting painting = {graph, layout, graph->profile->table, palette};
	g_autofree char *scale = scale_sentence(graph, layout);
	FlameHeader header = {.benchmark = graph->benchmark,
	        .title = graph->title,
	        .sentence = graph->sentence != NULL ? graph->sentence : scale};
	FlameCanvas canvas;
	flame_canvas_init(&canvas);
	flame_canvas_header(&canvas, &header);
	canvas.y += 6;
	write_legend(&canvas, &painting);
	flame_canvas_frames(&canvas, layout, painting.table, &(FlamePainter){paint, &painting});
	return flame_canvas_finish(&canvas, &header, length);
}
