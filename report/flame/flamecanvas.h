/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that all flame graph pictures share: the SVG document, its texts, and the frames.
 *
 * A canvas is filled from top to bottom; `y` is where the next section starts. All horizontal positions are in percent
 * of the width, so that the picture fills whatever it is shown in; each frame is an <svg> of its own that clips its
 * label. Everything is readable without scripts and style sheets: colours, fonts and sizes are presentation attributes.
 * The style element only adds the dark scheme, the script only zoom, search and keyboard. No foreign text is part of
 * either; foreign text stands in text, title and desc elements and in attributes, cut first and escaped then. The same
 * input gives the same bytes.
 *
 * Frames carry for the script: class `f`, data-d (depth), data-b and data-h (share of the base and head total, for the
 * matched percentage), data-m and data-s (mark before, number after the label). The <svg class="frames"> around them
 * has data-label (pixels per character and baseline of a label), data-up (1: the bottom is below, 0: it is above),
 * data-remarks (the first line of each tooltip ends in a remark in parentheses, which is not part of the name) and
 * data-before (what stands before a name in the line under the picture). */
#pragma once

#include "report/flame/flamecolor.h"
#include "report/flame/flamelayout.h"

/* The nominal width in pixels: what label lengths are made for, and what a viewer shows that asks the picture. */
#define FLAME_CANVAS_WIDTH 1200
/* Space left and right, percent of the width. */
#define FLAME_CANVAS_PAD 1.3333

/* Settings of a picture; a field that is 0, NULL or FALSE takes its default. */
typedef struct {
	double width_px;     /* FLAME_CANVAS_WIDTH */
	double frame_height; /* of a level, with the gap to the next: 18 */
	double font_size;    /* of labels: 11 */
	double font_width;   /* mean advance of a character, relative to the size: .603 */
	const char *font;    /* of everything; foreign */
	const char *
	        background[2]; /* colours above and below, ours; the second may be NULL. Then there is no dark scheme */
	gboolean inverted;     /* the bottom is above */
	const char *name_type; /* stands before a name in the line under the picture; foreign */
	const char *notes;     /* part of the file that is not shown; foreign */
} FlameStyle;

typedef struct {
	GString *body;
	double y;
	FlameStyle style;
} FlameCanvas;

typedef struct {
	double x_pct; /* percent of the width */
	double x_px;  /* plus pixels */
	double y;
	double size;        /* font size in pixels; 0 = 12 */
	const char *anchor; /* "start" (NULL), "middle" or "end" */
	const char *fill;   /* NULL = the text colour */
	gboolean bold, mono, faint;
	gboolean cell;   /* of a table, whose columns the script moves in a narrow window */
	gsize max_chars; /* longer text is cut; 0 = 512 */
} FlameText;

/* The look of one frame. */
typedef struct {
	FlameColor fill;
	gboolean hatched;  /* it vanished */
	gboolean outlined; /* it is new */
	gboolean dashed;   /* it has no code of its own: inlined */
	const char *mark;  /* in front of the label: static text, or NULL */
	char *suffix;      /* after the label, ours, owned by the caller of the painter; or NULL */
	char *remark; /* " (...)" after the name in the tooltip's first line, foreign; for all frames or NULL for all */
	guint64 first_sample, samples; /* its place and width, where the painter has `total_samples` */
	char *tooltip; /* lines after the first, which is the label; foreign text, owned by the caller; NULL = none */
} FlameFrameLook;

typedef struct {
	/* Fills `look`, which is zeroed before. */
	void (*paint)(const FlameNode *node, gpointer data, FlameFrameLook *look);
	gpointer data;
	gboolean has_remarks;  /* every look has a remark */
	const char *remark;    /* is added to the note below the frames; NULL = none */
	const char *all_drawn; /* said where no frame is too narrow or too deep; NULL = "every frame is drawn" */
	/* of the whole width: then this is an attribute of the frames and each has its place as fg:x and fg:w, as
	 * pictures of inferno have them; 0 = no */
	guint64 total_samples;
} FlamePainter;

typedef struct {
	const char *benchmark;  /* what the picture is of; foreign */
	const char *title;      /* "base 1a2b3c4 → head 5d6e7f8"; foreign */
	const char *sentence;   /* what it says; foreign, may be NULL */
	const Verdict *verdict; /* shown as a badge; NULL = none */
} FlameHeader;

/* The style may be changed until the first thing is written. */
void flame_canvas_init(FlameCanvas *canvas);
/* The width between the first and last frame, in pixels at the nominal width. */
double flame_canvas_frames_px(const FlameStyle *style);
/* Badge, benchmark, title and sentence. */
void flame_canvas_header(FlameCanvas *canvas, const FlameHeader *header);
/* Draws a text in a style; it is escaped. */
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

/* The label of a node: its function, without the note of its kind that folded text puts after it (`_[k]`, `_[i]`,
 * `_[j]`, `_[w]`); "all" for the bottom, "… n frames" for what is too deep. Foreign text, owned by the caller. */
char *flame_node_label(const FlameNode *node, const StackTable *table);
