#include "report/flamecanvas.h"

#include "core/escape.h"
#include "report/flamescript.h"
#include "report/wording.h"

#include <string.h>

#define PAD_PX (FLAME_CANVAS_WIDTH * FLAME_CANVAS_PAD / 100)
#define FRAMES_PX (FLAME_CANVAS_WIDTH - 2 * PAD_PX)
#define FRAME_HEIGHT 18
#define NARROW_PX 4
#define LABEL_SIZE 11
#define LABEL_CHAR_PX 6.63 /* advance of a monospaced font of that size */
#define LABEL_PAD_PX 4
#define TEXT_MAX_CHARS 512
#define SANS "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
#define MONO "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

/* A number with at most four decimals and no needless ones. */
static void append_number(GString *out, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE * 2];
	g_ascii_formatd(buffer, sizeof buffer, "%.4f", value);
	gsize length = strlen(buffer);
	while (buffer[length - 1] == '0')
		length--;
	if (buffer[length - 1] == '.')
		length--;
	buffer[length] = '\0';
	g_string_append(out, strcmp(buffer, "-0") == 0 ? "0" : buffer);
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
	canvas->body = g_string_new(NULL);
	canvas->y = 0;
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
	if (style->mono)
		g_string_append(out, " font-family=\"" MONO "\"");
	if (style->fill != NULL)
		g_string_append_printf(out, " fill=\"%s\">", style->fill);
	else
		g_string_append(
		        out, style->faint ? " class=\"s\" fill=\"#57606a\">" : " class=\"t\" fill=\"#1f2328\">");
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

void flame_canvas_header(FlameCanvas *canvas, const FlameHeader *header)
{
	double indent = 0;
	if (header->verdict != NULL) {
		badge(canvas, *header->verdict);
		indent = 122;
	}
	FlameText name = {
	        .x_pct = FLAME_CANVAS_PAD, .x_px = indent, .y = 34, .size = 18, .bold = TRUE, .max_chars = 40};
	flame_canvas_text(canvas, &name, header->benchmark);
	FlameText title = {
	        .x_pct = 50, .y = 33, .size = 13, .mono = TRUE, .anchor = "middle", .faint = TRUE, .max_chars = 60};
	flame_canvas_text(canvas, &title, header->title);
	canvas->y = 50;
	if (header->sentence != NULL && *header->sentence != '\0') {
		FlameText sentence = {.x_pct = FLAME_CANVAS_PAD, .y = 66, .size = 14, .max_chars = 150};
		flame_canvas_text(canvas, &sentence, header->sentence);
		canvas->y = 80;
	}
}

/* The border lies inside of the frame; one of only a few pixels would be nothing but border. */
static void frame_rect(GString *out, const FlameFrameLook *look, double width_px)
{
	char fill[FLAME_COLOR_HEX_BYTES];
	g_string_append_printf(
	        out, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"", flame_color_hex(look->fill, fill));
	if (look->outlined)
		g_string_append_printf(
		        out, " stroke=\"#1f2328\" stroke-width=\"%s\"", width_px < NARROW_PX ? ".6" : "3");
	else if (look->dashed && width_px >= NARROW_PX)
		g_string_append(out, " stroke=\"#6e7781\" stroke-width=\"1\" stroke-dasharray=\"3 2\"");
	else if (width_px >= NARROW_PX)
		g_string_append(out, " stroke=\"#ffffff\" stroke-width=\".8\"");
	g_string_append(out, "/>");
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

char *flame_node_label(const FlameNode *node, const StackTable *table)
{
	if (node->hidden_frames > 0)
		return g_strdup_printf("… %u frames", node->hidden_frames);
	if (node->stack.index == STACK_ROOT.index)
		return g_strdup("all");
	return g_strdup(stack_table_frame_name(table, stack_table_leaf(table, node->stack)));
}

/* As much of the label as fits at the nominal width; the script fits it again when the width changes. */
static void append_label(GString *out, const FlameNode *node, const FlameFrameLook *look, const char *label)
{
	double px = node->width * FRAMES_PX - 2 * LABEL_PAD_PX;
	gint columns = (gint)(px / LABEL_CHAR_PX);
	if (columns < 3)
		return;
	g_autofree char *whole = g_strconcat(
	        look->mark != NULL ? look->mark : "", label, look->suffix != NULL ? look->suffix : "", NULL);
	g_autofree char *fitting = wording_shorten(whole, (gsize)columns);
	for (gsize chars = (gsize)columns; wording_columns(fitting) > (gsize)columns && chars > 1; chars--) {
		g_free(fitting);
		fitting = wording_shorten(whole, chars);
	}
	g_string_append_printf(out, "<text x=\"%d\" y=\"12.5\">", LABEL_PAD_PX);
	escape_xml(out, fitting, -1);
	g_string_append(out, "</text>");
}

static double share_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void append_script_data(
        GString *out, const FlameLayout *layout, const FlameNode *node, const FlameFrameLook *look)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	g_string_append_printf(out, " data-d=\"%u\"", node->depth);
	append_attribute(out, "data-b", 100 * share_of(node->base.total, bottom->base.total), "");
	append_attribute(out, "data-h", 100 * share_of(node->head.total, bottom->head.total), "");
	if (look->mark != NULL)
		g_string_append_printf(out, " data-m=\"%s\"", look->mark);
	if (look->suffix != NULL)
		g_string_append_printf(out, " data-s=\"%s\"", look->suffix);
}

static void append_frame(
        GString *out, const FlameLayout *layout, const FlameNode *node, const FlameFrameLook *look, const char *label)
{
	g_string_append(out, "<g class=\"f\"");
	append_script_data(out, layout, node, look);
	g_string_append(out, "><title>");
	append_foreign(out, label, TEXT_MAX_CHARS);
	g_string_append(out, "&#10;");
	escape_xml(out, look->tooltip, -1);
	g_string_append(out, "</title><svg");
	append_attribute(out, "x", 100 * node->x, "%");
	append_attribute(out, "y", (double)(layout->depth - node->depth) * FRAME_HEIGHT, "");
	append_attribute(out, "width", 100 * node->width, "%");
	g_string_append_printf(out, " height=\"%d\">", FRAME_HEIGHT - 1);
	frame_rect(out, look, node->width * FRAMES_PX);
	append_label(out, node, look, label);
	g_string_append(out, "</svg></g>\n");
}

static char *cut_note(const FlameLayout *layout)
{
	const FlameNode *bottom = flame_layout_node(layout, 0);
	if (bottom->width <= 0)
		return g_strdup("nothing was measured");
	if (layout->cut_frames == 0)
		return g_strdup("every frame is drawn");
	g_autofree char *frames = wording_count(layout->cut_frames);
	g_autofree char *base = wording_share(share_of(layout->cut_base.total, bottom->base.total));
	g_autofree char *head = wording_share(share_of(layout->cut_head.total, bottom->head.total));
	if (bottom->base.total <= 0)
		return g_strdup_printf("%s frames are too narrow to be drawn (%s of the cost)", frames, head);
	return g_strdup_printf("%s frames are too narrow to be drawn (%s of base, %s of head)", frames, base, head);
}

void flame_canvas_frames(
        FlameCanvas *canvas, const FlameLayout *layout, const StackTable *table, const FlamePainter *painter)
{
	GString *out = canvas->body;
	double height = (layout->depth + 1.) * FRAME_HEIGHT;
	g_string_append_printf(
	        out, "<svg class=\"frames\" x=\"%s%%\" width=\"97.3334%%\"", G_STRINGIFY(FLAME_CANVAS_PAD));
	append_attribute(out, "y", canvas->y, "");
	append_attribute(out, "height", height, "");
	g_string_append_printf(out, " font-family=\"" MONO "\" font-size=\"%d\" fill=\"#000000\">\n", LABEL_SIZE);
	for (guint i = 0; i < layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(layout, i);
		g_autofree char *label = flame_node_label(node, table);
		FlameFrameLook look = {0};
		painter->paint(node, painter->data, &look);
		append_frame(out, layout, node, &look, label);
		g_free(look.suffix);
		g_free(look.tooltip);
	}
	g_string_append(out, "</svg>\n");
	canvas->y += height + 20;
	g_autofree char *note = cut_note(layout);
	g_string_append(out, "<g class=\"details\">\n");
	FlameText style = {.x_pct = FLAME_CANVAS_PAD, .y = canvas->y, .faint = TRUE};
	flame_canvas_text(canvas, &style, note);
	g_string_append(out, "</g>\n");
}

char *flame_canvas_finish(FlameCanvas *canvas, const FlameHeader *header, gsize *length)
{
	GString *out =
	        g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" G_STRINGIFY(FLAME_CANVAS_WIDTH) "\"");
	append_attribute(out, "height", canvas->y + 18, "");
	g_string_append(out, " font-family=\"" SANS "\">\n<title>");
	append_foreign(out, header->benchmark, TEXT_MAX_CHARS);
	g_string_append(out, ": ");
	append_foreign(out, header->title, TEXT_MAX_CHARS);
	g_string_append_printf(out, "</title>\n<style>%s</style>\n", flame_style);
	g_string_append(out,
	        "<defs><pattern id=\"gone\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\""
	        " patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#ffffff\""
	        " fill-opacity=\".45\"/><rect width=\"2.5\" height=\"7\" fill=\"#1f2328\" fill-opacity=\".5\"/>"
	        "</pattern></defs>\n<rect class=\"bg\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	g_string_append_len(out, canvas->body->str, (gssize)canvas->body->len);
	g_string_append_printf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
	g_string_free(canvas->body, TRUE);
	canvas->body = NULL;
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
