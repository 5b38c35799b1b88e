/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecanvas.h"

#include "core/escape.h"
#include "model/numbers/number.h"
#include "report/flame/flamescript.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define FRAME_HEIGHT 18
#define NARROW_PX 4
#define LABEL_SIZE 11
#define LABEL_CHAR_WIDTH .6027 /* advance of a monospaced font, relative to its size */
#define CAP_HEIGHT .71         /* of most fonts, relative to their size */
#define LABEL_PAD_PX 4
#define NUMBER_LIMIT 1e12
#define NAME_MAX_CHARS 40
#define NAME_CHAR_PX 11 /* mean advance of what is larger and bold */
#define TITLE_MAX_CHARS 60
#define TITLE_CHAR_PX 7.85
#define SEARCH_LEFT_PX 960 /* from the first frame on, at the nominal width */
#define TEXT_MAX_CHARS 512
#define NOTES_MAX_CHARS 8192
#define FIXED_BYTES 32768 /* style, script and the like */
#define SANS "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
#define MONO "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

/* A number with at most four decimals and no needless ones. Pictures have many. */
static void append_number(GString *out, double value)
{
	char digits[32];
	g_assert(fabs(value) < NUMBER_LIMIT);
	gint64 scaled = llround(value * 10000);
	guint64 rest = (guint64)ABS(scaled), decimals = rest % 10000;
	gsize at = sizeof digits;
	if (decimals > 0) {
		guint n = 4;
		for (; decimals % 10 == 0; n--)
			decimals /= 10;
		for (; n > 0; n--, decimals /= 10)
			digits[--at] = (char)('0' + decimals % 10);
		digits[--at] = '.';
	}
	rest /= 10000;
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (scaled < 0)
		digits[--at] = '-';
	g_string_append_len(out, digits + at, (gssize)(sizeof digits - at));
}

static void append_attribute(GString *out, const char *name, double value, const char *unit)
{
	g_string_append_printf(out, " %s=\"", name);
	append_number(out, value);
	g_string_append_printf(out, "%s\"", unit);
}

/* Foreign text, cut first and escaped then. */
static void append_foreign(GString *out, const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten(text, max_chars);
	escape_xml(out, shortened, -1);
}

void flame_canvas_init(FlameCanvas *canvas)
{
	*canvas = (FlameCanvas){.body = g_string_new(NULL)};
}

static double or_usual(double value, double usual)
{
	return value > 0 ? value : usual;
}

static double width_of(const FlameStyle *style)
{
	return or_usual(style->width_px, FLAME_CANVAS_WIDTH);
}

static double frame_height(const FlameStyle *style)
{
	return or_usual(style->frame_height, FRAME_HEIGHT);
}

static double label_size(const FlameStyle *style)
{
	return or_usual(style->font_size, LABEL_SIZE);
}

static double label_char_px(const FlameStyle *style)
{
	return label_size(style) * or_usual(style->font_width, LABEL_CHAR_WIDTH);
}

/* Capitals in the middle of a frame. */
static double label_baseline(const FlameStyle *style)
{
	return (frame_height(style) - 1 + CAP_HEIGHT * label_size(style)) / 2;
}

double flame_canvas_frames_px(const FlameStyle *style)
{
	return width_of(style) * (1 - 2 * FLAME_CANVAS_PAD / 100);
}

void flame_canvas_text(FlameCanvas *canvas, const FlameText *style, const char *text)
{
	GString *out = canvas->body;
	g_string_append(out, "<text");
	append_attribute(out, "x", style->x_pct, "%");
	if (style->x_px != 0)
		append_attribute(out, "dx", style->x_px, "");
	append_attribute(out, "y", style->y, "");
	append_attribute(out, "font-size", style->size > 0 ? style->size : 12, "");
	if (style->anchor != NULL)
		g_string_append_printf(out, " text-anchor=\"%s\"", style->anchor);
	if (style->bold)
		g_string_append(out, " font-weight=\"600\"");
	if (style->mono && canvas->style.font == NULL)
		g_string_append(out, " font-family=\"" MONO "\"");
	if (style->fill != NULL)
		g_string_append_printf(out, " fill=\"%s\">", style->fill);
	else
		g_string_append_printf(out, " class=\"%s%s\" fill=\"%s\">", style->faint ? "s" : "t",
		        style->cell ? " cell" : "", style->faint ? "#57606a" : "#1f2328");
	append_foreign(out, text, style->max_chars > 0 ? style->max_chars : TEXT_MAX_CHARS);
	g_string_append(out, "</text>\n");
}

static void badge(FlameCanvas *canvas, Verdict verdict)
{
	char fill[FLAME_COLOR_HEX_BYTES];
	g_string_append_printf(canvas->body,
	        "<rect x=\"" G_STRINGIFY(FLAME_CANVAS_PAD) "%%\" y=\"16\" width=\"108\""
	                                                   " height=\"24\" rx=\"12\" fill=\"%s\"/>\n",
	        flame_color_hex(flame_color_verdict(verdict), fill));
	FlameText style = {.x_pct = FLAME_CANVAS_PAD,
	        .x_px = 54,
	        .y = 32.5,
	        .size = 13,
	        .anchor = "middle",
	        .bold = TRUE,
	        .fill = "#ffffff"};
	flame_canvas_text(canvas, &style, wording_verdict(verdict));
}

/* In the middle, but after a name that reaches as far, and then no further than the search. */
static void write_title(FlameCanvas *canvas, const FlameHeader *header, double indent)
{
	g_autofree char *name = wording_shorten(header->benchmark, NAME_MAX_CHARS);
	g_autofree char *text = wording_shorten(header->title, TITLE_MAX_CHARS);
	double end = indent + NAME_CHAR_PX * (double)wording_columns(name) + 20;
	double half = TITLE_CHAR_PX * (double)wording_columns(text) / 2;
	FlameText title = {.x_pct = 50, .y = 33, .size = 13, .mono = TRUE, .anchor = "middle", .faint = TRUE};
	if (flame_canvas_frames_px(&canvas->style) / 2 - half < end) {
		title.x_pct = FLAME_CANVAS_PAD;
		title.x_px = end;
		title.anchor = NULL;
		title.max_chars = (gsize)MAX((SEARCH_LEFT_PX - end) / TITLE_CHAR_PX, 10);
	}
	flame_canvas_text(canvas, &title, text);
}

void flame_canvas_header(FlameCanvas *canvas, const FlameHeader *header)
{
	double indent = 0;
	if (header->verdict != NULL) {
		badge(canvas, *header->verdict);
		indent = 122;
	}
	FlameText name = {.x_pct = FLAME_CANVAS_PAD,
	        .x_px = indent,
	        .y = 34,
	        .size = 18,
	        .bold = TRUE,
	        .max_chars = NAME_MAX_CHARS};
	flame_canvas_text(canvas, &name, header->benchmark);
	write_title(canvas, header, indent);
	canvas->y = 50;
	if (header->sentence != NULL && *header->sentence != '\0') {
		FlameText sentence = {.x_pct = FLAME_CANVAS_PAD, .y = 66, .size = 14, .max_chars = 150};
		flame_canvas_text(canvas, &sentence, header->sentence);
		canvas->y = 80;
	}
}

/* The border lies inside of the frame; one of only a few pixels would be nothing but border. A dark border would end a
 * frame on a dark ground before its edge, so the style sheet draws that there. */
static void frame_rect(GString *out, const FlameFrameLook *look, double width_px)
{
	char fill[FLAME_COLOR_HEX_BYTES];
	g_string_append_printf(
	        out, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"", flame_color_hex(look->fill, fill));
	if (look->samples > 0)
		g_string_append_printf(out, " fg:x=\"%" G_GUINT64_FORMAT "\" fg:w=\"%" G_GUINT64_FORMAT "\"",
		        look->first_sample, look->samples);
	if (look->outlined)
		g_string_append_printf(
		        out, " stroke=\"#1f2328\" stroke-width=\"%s\"", width_px < NARROW_PX ? ".6" : "3");
	else if (look->dashed && width_px >= NARROW_PX)
		g_string_append(out, " stroke=\"#6e7781\" stroke-width=\"1\" stroke-dasharray=\"3 2\"");
	else if (width_px >= NARROW_PX)
		g_string_append(out, " stroke=\"#ffffff\" stroke-width=\".8\"");
	g_string_append(out, "/>");
	if (look->outlined)
		g_string_append(out, "<rect class=\"edge\" width=\"100%\" height=\"100%\" fill=\"none\"/>");
	if (look->hatched)
		g_string_append(out, "<rect width=\"100%\" height=\"100%\" fill=\"url(#gone)\"/>");
}

void flame_canvas_swatch(FlameCanvas *canvas, double x, double width, const FlameFrameLook *look)
{
	g_string_append(canvas->body, "<svg x=\"" G_STRINGIFY(FLAME_CANVAS_PAD) "%\" overflow=\"visible\"");
	append_attribute(canvas->body, "y", canvas->y, "");
	g_string_append(canvas->body, "><svg");
	append_attribute(canvas->body, "x", x, "");
	append_attribute(canvas->body, "width", width, "");
	g_string_append(canvas->body, " height=\"14\">");
	frame_rect(canvas->body, look, width);
	g_string_append(canvas->body, "</svg></svg>\n");
}

void flame_canvas_rule(FlameCanvas *canvas)
{
	g_string_append(canvas->body, "<line class=\"l\" x1=\"0\" x2=\"100%\"");
	append_attribute(canvas->body, "y1", canvas->y, "");
	append_attribute(canvas->body, "y2", canvas->y, "");
	g_string_append(canvas->body, " stroke=\"#d8dee4\"/>\n");
}

/* Folded text marks the kind of a frame after its name. */
static gboolean has_kind_mark(const char *name, gsize length)
{
	const char *mark = name + length - 4;
	return length > 4 && mark[0] == '_' && mark[1] == '[' && strchr("kijw", mark[2]) != NULL && mark[3] == ']';
}

char *flame_node_label(const FlameNode *node, const StackTable *table)
{
	if (node->hidden_frames > 0)
		return g_strdup_printf("… %u frames", node->hidden_frames);
	if (node->stack.index == STACK_ROOT.index)
		return g_strdup("all");
	const char *name = stack_table_frame_name(table, stack_table_leaf(table, node->stack));
	gsize length = strlen(name);
	return g_strndup(name, has_kind_mark(name, length) ? length - 4 : length);
}

/* As much of the label as fits at the nominal width; the script fits it again when the width changes. Both ends are
 * kept: namespaces stand in front, and what tells functions apart often stands last. */
static void append_label(FlameCanvas *canvas, const FlameNode *node, const FlameFrameLook *look, const char *label)
{
	GString *out = canvas->body;
	double px = node->width * flame_canvas_frames_px(&canvas->style) - 2 * LABEL_PAD_PX;
	gint columns = (gint)(px / label_char_px(&canvas->style));
	if (columns < 3)
		return;
	g_autofree char *whole = g_strconcat(
	        look->mark != NULL ? look->mark : "", label, look->suffix != NULL ? look->suffix : "", NULL);
	g_autofree char *fitting = wording_shorten_middle(whole, (gsize)columns);
	for (gsize chars = (gsize)columns; wording_columns(fitting) > (gsize)columns && chars > 1; chars--) {
		g_free(fitting);
		fitting = wording_shorten_middle(whole, chars);
	}
	g_string_append_printf(out, "<text x=\"%d\"", LABEL_PAD_PX);
	append_attribute(out, "y", label_baseline(&canvas->style), "");
	g_string_append_c(out, '>');
	escape_xml(out, fitting, -1);
	g_string_append(out, "</text>");
}

static double share_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* With so many digits that thousands of them add up. */
static void append_percent(GString *out, const char *name, double share)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(digits, sizeof digits, "%.9g", 100 * share);
	g_string_append_printf(out, " %s=\"%s\"", name, digits);
}

static void append_script_data(
        GString *out, const FlameLayout *layout, const FlameNode *node, const FlameFrameLook *look)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	g_string_append_printf(out, " data-d=\"%u\"", node->depth);
	if (bottom->base.total > 0)
		append_percent(out, "data-b", share_of(node->base.total, bottom->base.total));
	append_percent(out, "data-h", share_of(node->head.total, bottom->head.total));
	if (look->mark != NULL)
		g_string_append_printf(out, " data-m=\"%s\"", look->mark);
	if (look->suffix != NULL)
		g_string_append_printf(out, " data-s=\"%s\"", look->suffix);
}

static void append_tooltip(GString *out, const FlameFrameLook *look, const char *label)
{
	g_string_append(out, "><title>");
	append_foreign(out, label, TEXT_MAX_CHARS);
	if (look->remark != NULL)
		escape_xml(out, look->remark, -1);
	if (look->tooltip != NULL) {
		g_string_append(out, "&#10;");
		escape_xml(out, look->tooltip, -1);
	}
	g_string_append(out, "</title>");
}

static void append_frame(FlameCanvas *canvas, const FlameLayout *layout, const FlameNode *node,
        const FlameFrameLook *look, const char *label)
{
	GString *out = canvas->body;
	double height = frame_height(&canvas->style);
	guint level = canvas->style.inverted ? node->depth : layout->depth - node->depth;
	g_string_append(out, "<g class=\"f\"");
	append_script_data(out, layout, node, look);
	append_tooltip(out, look, label);
	g_string_append(out, "<svg");
	append_attribute(out, "x", 100 * node->x, "%");
	append_attribute(out, "y", level * height, "");
	append_attribute(out, "width", 100 * node->width, "%");
	append_attribute(out, "height", height - 1, "");
	g_string_append_c(out, '>');
	frame_rect(out, look, node->width * flame_canvas_frames_px(&canvas->style));
	append_label(canvas, node, look, label);
	g_string_append(out, "</svg></g>\n");
}

/* "512" if stacks end there in a frame that stands for all above it; 0 = all are drawn to their ends. */
static guint depth_limit(const FlameLayout *layout)
{
	for (guint i = 0; i < layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(layout, i);
		if (node->hidden_frames > 0)
			return node->depth - 1;
	}
	return 0;
}

/* NULL where none is too narrow. Owned by the caller. */
static char *cut_note(const FlameLayout *layout)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	if (layout->cut_frames == 0)
		return NULL;
	g_autofree char *n = number_count(layout->cut_frames);
	g_autofree char *frames = g_strconcat(layout->cut_is_least ? "at least " : "", n,
	        layout->cut_frames == 1 ? " frame is" : " frames are", NULL);
	g_autofree char *base = number_share(share_of(layout->cut_base.total, bottom->base.total));
	g_autofree char *head = number_share(share_of(layout->cut_head.total, bottom->head.total));
	if (bottom->base.total <= 0)
		return g_strdup_printf("%s too narrow to be drawn (%s of the cost)", frames, head);
	return g_strdup_printf("%s too narrow to be drawn (%s of base, %s of head)", frames, base, head);
}

/* Tells which frames are not drawn, or that all are. Owned by the caller. */
static char *drawn_note(const FlameLayout *layout, const FlamePainter *painter)
{
	if (flame_layout_node(layout, 0)->width <= 0)
		return g_strdup("nothing was measured");
	guint limit = depth_limit(layout);
	g_autofree char *cut = cut_note(layout);
	if (limit == 0 && cut == NULL)
		return g_strdup(painter->all_drawn != NULL ? painter->all_drawn : "every frame is drawn");
	if (limit == 0)
		return g_steal_pointer(&cut);
	g_autofree char *deep =
	        g_strdup_printf("stacks of more than %u frames end in one that stands for the rest", limit);
	return cut == NULL ? g_steal_pointer(&deep) : g_strjoin("  ·  ", cut, deep, NULL);
}

static void append_foreign_attribute(GString *out, const char *name, const char *text)
{
	g_string_append_printf(out, " %s=\"", name);
	append_foreign(out, text, TEXT_MAX_CHARS);
	g_string_append_c(out, '"');
}

/* The element around the frames, which clips them. */
static void open_frames(FlameCanvas *canvas, double height, const FlamePainter *painter)
{
	const FlameStyle *style = &canvas->style;
	GString *out = canvas->body;
	g_string_append_printf(
	        out, "<svg class=\"frames\" x=\"%s%%\" width=\"97.3334%%\"", G_STRINGIFY(FLAME_CANVAS_PAD));
	append_attribute(out, "y", canvas->y, "");
	append_attribute(out, "height", height, "");
	g_string_append(out, " data-label=\"");
	append_number(out, label_char_px(style));
	g_string_append_c(out, ' ');
	append_number(out, label_baseline(style));
	g_string_append_printf(out, "\" data-up=\"%d\"", !style->inverted);
	if (painter->total_samples > 0)
		g_string_append_printf(out,
		        " xmlns:fg=\"http://github.com/jonhoo/inferno\" total_samples=\"%" G_GUINT64_FORMAT "\"",
		        painter->total_samples);
	if (painter->has_remarks)
		g_string_append(out, " data-remarks=\"1\"");
	if (style->name_type != NULL)
		append_foreign_attribute(out, "data-before", style->name_type);
	if (style->font == NULL)
		g_string_append(out, " font-family=\"" MONO "\"");
	append_attribute(out, "font-size", label_size(style), "");
	g_string_append(out, " fill=\"#000000\">\n");
}

static void append_nodes(
        FlameCanvas *canvas, const FlameLayout *layout, const StackTable *table, const FlamePainter *painter)
{
	for (guint i = 0; i < layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(layout, i);
		g_autofree char *label = flame_node_label(node, table);
		FlameFrameLook look = {0};
		painter->paint(node, painter->data, &look);
		append_frame(canvas, layout, node, &look, label);
		g_free(look.suffix);
		g_free(look.remark);
		g_free(look.tooltip);
	}
}

void flame_canvas_frames(
        FlameCanvas *canvas, const FlameLayout *layout, const StackTable *table, const FlamePainter *painter)
{
	double height = (layout->depth + 1.) * frame_height(&canvas->style);
	open_frames(canvas, height, painter);
	append_nodes(canvas, layout, table, painter);
	g_string_append(canvas->body, "</svg>\n");
	canvas->y += height + 20;
	g_autofree char *drawn = drawn_note(layout, painter);
	g_autofree char *note = g_strjoin("  ·  ", drawn, painter->remark, NULL);
	g_string_append(canvas->body, "<g class=\"details\">\n");
	FlameText style = {.x_pct = FLAME_CANVAS_PAD, .y = canvas->y, .faint = TRUE};
	flame_canvas_text(canvas, &style, note);
	g_string_append(canvas->body, "</g>\n");
}

/* The element of the picture, what it is called, and what is noted about it. */
static void open_picture(GString *out, const FlameCanvas *canvas, const FlameHeader *header)
{
	const FlameStyle *style = &canvas->style;
	g_string_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                     "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	g_string_append_printf(out, " class=\"flame%s\"", style->background[0] == NULL ? " themed" : "");
	append_attribute(out, "width", width_of(style), "");
	append_attribute(out, "height", canvas->y + 18, "");
	g_string_append(out, " role=\"figure\" aria-label=\"");
	append_foreign(out, header->benchmark, TEXT_MAX_CHARS);
	g_string_append(out, ": ");
	append_foreign(out, header->title, TEXT_MAX_CHARS);
	g_string_append_c(out, '"');
	if (style->font != NULL)
		append_foreign_attribute(out, "font-family", style->font);
	else
		g_string_append(out, " font-family=\"" SANS "\"");
	g_string_append(out, ">\n<title>");
	append_foreign(out, header->benchmark, TEXT_MAX_CHARS);
	g_string_append(out, ": ");
	append_foreign(out, header->title, TEXT_MAX_CHARS);
	g_string_append(out, "</title>\n");
	if (style->notes != NULL) {
		g_string_append(out, "<desc>");
		append_foreign(out, style->notes, NOTES_MAX_CHARS);
		g_string_append(out, "</desc>\n");
	}
}

/* The pattern of what vanished, and the background. */
static void append_ground(GString *out, const FlameStyle *style)
{
	const char *above = style->background[0], *below = style->background[1];
	g_string_append(out,
	        "<defs><pattern id=\"gone\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\""
	        " patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#ffffff\""
	        " fill-opacity=\".45\"/><rect width=\"2.5\" height=\"7\" fill=\"#1f2328\" fill-opacity=\".5\"/>"
	        "</pattern>");
	if (above != NULL && below != NULL)
		g_string_append_printf(out,
		        "<linearGradient id=\"ground\" x2=\"0\" y2=\"1\"><stop stop-color=\"%s\"/>"
		        "<stop offset=\"1\" stop-color=\"%s\"/></linearGradient>",
		        above, below);
	g_string_append_printf(out, "</defs>\n<rect class=\"bg\" width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
	        above == NULL   ? "#ffffff"
	        : below != NULL ? "url(#ground)"
	                        : above);
}

char *flame_canvas_finish(FlameCanvas *canvas, const FlameHeader *header, gsize *length)
{
	GString *out = g_string_sized_new(canvas->body->len + FIXED_BYTES);
	open_picture(out, canvas, header);
	g_string_append_printf(out, "<style>%s</style>\n", flame_style);
	append_ground(out, &canvas->style);
	g_string_append_len(out, canvas->body->str, (gssize)canvas->body->len);
	g_string_append_printf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
	g_string_free(canvas->body, TRUE);
	canvas->body = NULL;
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
