/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecompat.h"

#include "model/numbers/number.h"
#include "report/flame/flamecanvas.h"
#include "report/words/wording.h"

#include <math.h>

#define PERL_MIN_PX .1 /* of a picture of so many: */
#define PERL_FRAMES_PX 1180
#define INFERNO_MIN_SHARE .0001

const char *const flame_compat_names[N_FLAME_COMPAT_TOOLS + 1] = {
        [FLAME_COMPAT_FLAMEGRAPH_PL] = "flamegraph.pl",
        [FLAME_COMPAT_INFERNO] = "inferno",
        NULL,
};

typedef struct {
	const FlameCompat *compat;
	const FlameLayout *layout;
	double largest; /* change of a stack, without its sign; at least 1 */
	guint64 total;  /* of the second side */
} Painting;

static const char *name_of_counts(const FlameCompat *compat)
{
	return compat->options != NULL && compat->options->count_name != NULL ? compat->options->count_name : "samples";
}

static double count_of(const Profile *counts, guint side, StackId stack)
{
	return (double)profile_cell(counts, side, stack).weight;
}

/* Gives the change as shown: turned round where the sides were. */
static double change_of(const FlameCompat *compat, StackId stack)
{
	double first = count_of(compat->counts, 0, stack), second = count_of(compat->counts, 1, stack);
	return compat->negate ? first - second : second - first;
}

/* Of all stacks, those that are not drawn among them. */
static double largest_change(const FlameCompat *compat)
{
	double largest = 1;
	for (guint i = 1; i < stack_table_n_stacks(compat->counts->table); i++)
		largest = MAX(largest, fabs(change_of(compat, (StackId){i})));
	return largest;
}

static FlameColor color_of(const Painting *painting, double change)
{
	double left = (painting->largest - fabs(change)) / painting->largest;
	gboolean perl = painting->compat->tool == FLAME_COMPAT_FLAMEGRAPH_PL;
	guint8 other = (guint8)(perl ? 210 * left : 100 + floor(150 * left));
	if (change > 0)
		return (FlameColor){255, other, other};
	if (change < 0)
		return (FlameColor){other, other, 255};
	return perl ? (FlameColor){255, 255, 255} : (FlameColor){250, 250, 250};
}

static gboolean is_bottom(const FlameNode *node)
{
	return node->hidden_frames == 0 && node->stack.index == STACK_ROOT.index;
}

static double node_change(const Painting *painting, const FlameNode *node)
{
	return node->hidden_frames > 0 || is_bottom(node) ? 0 : change_of(painting->compat, node->stack);
}

/* " (1,234 samples, 12.34%; +1.23%)" */
static char *remark(const Painting *painting, const FlameNode *node, guint64 samples)
{
	double total = (double)MAX(painting->total, 1), change = node_change(painting, node);
	const char *name = name_of_counts(painting->compat);
	g_autofree char *count = number_count(samples);
	if (is_bottom(node))
		return g_strdup_printf(" (%s %s, 100%%)", count, name);
	g_autofree char *share = number_decimal(100 * (double)samples / total, 2);
	g_autofree char *moved = number_decimal(100 * change / total, 2);
	return g_strdup_printf(" (%s %s, %s%%; %s%s%%)", count, name, share, change > 0 ? "+" : "", moved);
}

static void paint(const FlameNode *node, gpointer data, FlameFrameLook *look)
{
	const Painting *painting = data;
	look->samples = (guint64)llround(node->head.total);
	look->first_sample = (guint64)llround(node->x * (double)painting->total);
	look->remark = remark(painting, node, look->samples);
	look->fill = color_of(painting, node_change(painting, node));
}

/* The second side alone, which is what frames are as wide as. */
static Profile *second_side(const Profile *counts)
{
	Profile *second = profile_new(counts->table, counts->event, counts->unit);
	profile_add_run(second);
	for (guint i = 1; i < stack_table_n_stacks(counts->table); i++) {
		ProfileCell cell = profile_cell(counts, 1, (StackId){i});
		if (cell.weight > 0)
			profile_add(second, 0, (StackId){i}, cell);
	}
	return second;
}

/* "As wide as head, coloured by the change of the stacks that end in a frame; 3 stacks (40 samples) are gone". Owned by
 * the caller. */
static char *sentence(const FlameCompat *compat)
{
	guint n = 0;
	double samples = 0;
	for (guint i = 1; i < stack_table_n_stacks(compat->counts->table); i++) {
		double first = count_of(compat->counts, 0, (StackId){i});
		gboolean is_missing = first > 0 && !(count_of(compat->counts, 1, (StackId){i}) > 0);
		n += is_missing;
		samples += is_missing ? first : 0;
	}
	const char *side = compat->negate ? "base" : "head", *fate = compat->negate ? "new in head" : "gone in head";
	g_autofree char *count = number_count((guint64)samples), *stacks = number_count(n);
	g_autofree char *missing = n == 0 ? g_strdup("")
	                                  : g_strdup_printf("; %s and not drawn: %s stack%s, %s %s", fate, stacks,
	                                            n == 1 ? "" : "s", count, name_of_counts(compat));
	return g_strdup_printf(
	        "as wide as %s, coloured by the change of what a frame does itself, nothing tested%s", side, missing);
}

/* The scale with its ends. */
static void write_legend(FlameCanvas *canvas, const Painting *painting)
{
	static const double steps[] = {-1, -.75, -.5, -.25, -.01, 0, .01, .25, .5, .75, 1};
	g_autofree char *count = number_count((guint64)painting->largest);
	const char *name = name_of_counts(painting->compat);
	g_autofree char *less = g_strdup_printf("-%s %s", count, name), *more = g_strdup_printf("+%s %s", count, name);
	FlameText style = {.x_pct = FLAME_CANVAS_PAD, .y = canvas->y + 11, .faint = TRUE};
	flame_canvas_text(canvas, &style, less);
	double x = 6.6 * (double)wording_columns(less) + 14;
	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++, x += 20) {
		FlameFrameLook look = {.fill = color_of(painting, steps[i] * painting->largest)};
		flame_canvas_swatch(canvas, x, 20, &look);
	}
	style.x_px = x + 10;
	flame_canvas_text(canvas, &style, more);
	canvas->y += 26;
}

/* White frames are to be seen. */
static FlameStyle style_of(const FlameOptions *options)
{
	FlameStyle style = options != NULL ? options->style : (FlameStyle){0};
	if (style.background[0] == NULL) {
		style.background[0] = "#eeeeee";
		style.background[1] = "#eeeeb0";
	}
	return style;
}

char *flame_compat_svg(const FlameCompat *compat, gsize *length)
{
	g_autoptr(Profile) second = second_side(compat->counts);
	FlameInput input = {
	        .head = second, .width = FLAME_WIDTH_HEAD, .own_first = TRUE, .min_share = INFERNO_MIN_SHARE};
	if (compat->tool == FLAME_COMPAT_FLAMEGRAPH_PL)
		input.min_share = PERL_MIN_PX / PERL_FRAMES_PX;
	if (compat->options != NULL && compat->options->min_share != 0)
		input.min_share = compat->options->min_share;
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	Painting painting = {compat, layout, largest_change(compat), profile_run_total(second, 0).weight};
	g_autofree char *said = sentence(compat);
	FlameHeader header = {.benchmark = compat->heading, .title = compat->title, .sentence = said};
	FlameCanvas canvas;
	flame_canvas_init(&canvas);
	canvas.style = style_of(compat->options);
	flame_canvas_header(&canvas, &header);
	canvas.y += 10;
	write_legend(&canvas, &painting);
	FlamePainter painter = {
	        .paint = paint, .data = &painting, .has_remarks = TRUE, .total_samples = painting.total};
	painter.all_drawn = compat->negate ? "every frame of base is drawn" : "every frame of head is drawn";
	flame_canvas_frames(&canvas, layout, compat->counts->table, &painter);
	return flame_canvas_finish(&canvas, &header, length);
}
