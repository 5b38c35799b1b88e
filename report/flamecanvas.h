/* What all flame graph pictures share: the SVG document, its texts, and the frames.
 *
 * A canvas is filled from top to bottom; `y` is where the next section starts. All horizontal positions are in percent
 * of the width, so that the picture fills whatever it is shown in; each frame is an <svg> of its own that clips its
 * label. Everything is readable without scripts and style sheets: colours, fonts and sizes are presentation attributes.
 * The style element only adds the dark scheme, the script only zoom, search and keyboard. No foreign text is part of
 * either; foreign text stands in text and title elements, cut first and escaped then. The same input gives the same
 * bytes.
 *
 * Frames carry for the script: class `f`, data-d (depth), data-b and data-h (share of the base and head total, for the
 * matched percentage), data-m and data-s (mark before, number behind the label). */
#pragma once

#include "report/flamecolor.h"
#include "report/flamelayout.h"

/* The nominal width in pixels: what label lengths are made for, and what a viewer shows that asks the picture. */
#define FLAME_CANVAS_WIDTH 1200
/* Space left and right, percent of the width. */
#define FLAME_CANVAS_PAD 1.3333

typedef struct {
	GString *body;
	double y;
} FlameCanvas;

typedef struct {
	double x_pct; /* percent of the width */
	double x_px;  /* plus pixels */
	double y;
	double size;        /* font size in pixels; 0 = 12 */
	const char *anchor; /* "start" (NULL), "middle" or "end" */
	const char *fill;   /* NULL = the text colour */
	gboolean bold, mono, faint;
	gsize max_chars; /* longer text is cut; 0 = 512 */
} FlameText;

/* How one frame is drawn. */
typedef struct {
	FlameColor fill;
	gboolean hatched;  /* it vanished */
	gboolean outlined; /* it is new */
	gboolean dashed;   /* it has no code of its own: inlined */
	const char *mark;  /* in front of the label: static text, or NULL */
	char *suffix;      /* behind the label, ours, owned by the caller of the painter; or NULL */
	char *tooltip;     /* lines behind the first, which is the label; foreign text, owned by the caller */
} FlameFrameLook;

typedef struct {
	/* Fills `look`, which is zeroed before. */
	void (*paint)(const FlameNode *node, gpointer data, FlameFrameLook *look);
	gpointer data;
} FlamePainter;

typedef struct {
	const char *benchmark;  /* what the picture is of; foreign */
	const char *title;      /* "base 1a2b3c4 → head 5d6e7f8"; foreign */
	const char *sentence;   /* what it says; foreign, may be NULL */
	const Verdict *verdict; /* shown as a badge; NULL = none */
} FlameHeader;

void flame_canvas_init(FlameCanvas *canvas);
/* Badge, benchmark, title and sentence. */
void flame_canvas_header(FlameCanvas *canvas, const FlameHeader *header);
void flame_canvas_text(FlameCanvas *canvas, const FlameText *style, const char *text);
/* A filled box of a legend at the pixel `x` from the left edge. */
void flame_canvas_swatch(FlameCanvas *canvas, double x, double width, const FlameFrameLook *look);
/* A thin line over the whole width at `canvas->y`. */
void flame_canvas_rule(FlameCanvas *canvas);
/* All frames, bottom below, and the line under them that says what was left out. */
void flame_canvas_frames(
        FlameCanvas *canvas, const FlameLayout *layout, const StackTable *table, const FlamePainter *painter);
/* Ends the picture and gives its text; the canvas is empty then. Sets *length (may be NULL). Owned by the caller. */
char *flame_canvas_finish(FlameCanvas *canvas, const FlameHeader *header, gsize *length);

/* The label of a node: its function, "all" for the bottom, "… n frames" for what is too deep. Foreign text, owned by
 * the caller. */
char *flame_node_label(const FlameNode *node, const StackTable *table);
