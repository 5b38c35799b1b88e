/* SPDX-License-Identifier: Apache-2.0 */
/* The views of a differential flame graph: what its frames are as wide as, what their colour says, and in which value.
 *
 *     width    larger of both (the layout as drawn) | base | head
 *     colour   change with all it calls (as drawn)  | change of the frame itself
 *     value    per unit of work (as drawn)          | share of the total of each side
 *
 * All numbers of all views are computed here and stand in the picture as lists, one entry per frame in the order of the
 * layout's nodes; the script only chooses. Without scripts the view as drawn is complete. The switches are buttons, and
 * the keys w, c and v; where the picture is a document of its own, its URL keeps the view: `#view=head,self,share`.
 *
 * Colour is a claim in every view: a frame has one only as far as paths that are known to have changed explain its
 * change (flamepaths.h). A share is not what was tested, so in that value a path counts only if its share moved in the
 * direction in which its cost did. Marks and points of labels are those of the value, too. Children never exceed their
 * parent, whatever the width.
 *
 * For the other script of the picture (flamescript.h): a frame is an element of class `f`, its box the first <svg> in
 * it, its fill that of the first <rect>. In another view each has data-x and data-w, its place in percent of the
 * whole, and the data-m and data-s of that view, and the outermost <svg> gets an event `viewchange`. */
#pragma once

#include "report/flame/flamecanvas.h"
#include "report/flame/flamepaths.h"

typedef enum { FLAME_COLOUR_INCLUSIVE, FLAME_COLOUR_SELF, FLAME_COLOURS } FlameColourBy;
typedef enum { FLAME_VALUE_WORK, FLAME_VALUE_SHARE, FLAME_VALUES } FlameValue;
typedef enum {
	FLAME_VIEW_LARGER,
	FLAME_VIEW_LARGER_SHARE,
	FLAME_VIEW_BASE,
	FLAME_VIEW_HEAD,
	FLAME_WIDTHS
} FlameViewWidth;

/* Widths are counted in this part of the whole. */
#define FLAME_VIEW_WHOLE 10000000

typedef struct {
	const FlameInput *input;   /* what the layout was made from, FLAME_WIDTH_UNION */
	const FlameLayout *layout; /* outlives the views */
	const FlamePaths *paths;   /* what is known to have changed; outlives the views */
	gboolean untested;         /* nothing is known: all changes are shown, in paler colours, and called untested */
	double points_total;       /* what points per unit of work are points of; 0 = what base adds up to */
	double least_scale;        /* the smallest change that may be full colour, as a share of the total */
	gboolean counted;          /* costs are counts, and so are points */
	const char *per;           /* what costs are means of: "run"; static */
} FlameViewsInput;

typedef struct {
	const FlameLayout *layout;
	const FlamePaths *paths;
	gboolean untested;
	const char *per;
	guint32 *widths[FLAME_WIDTHS]; /* per node */
	double *change[FLAME_COLOURS]
	              [FLAME_VALUES];              /* per node: what its colour says, a share of the total; 0 = grey */
	double scale[FLAME_COLOURS][FLAME_VALUES]; /* the change that is full colour */
	double *mark[FLAME_VALUES]; /* per node: known change of the frame itself, where its colour says the same; 0 =
	                               none */
	gboolean counted;
} FlameViews;

FlameViews *flame_views_new(const FlameViewsInput *input);
void flame_views_free(FlameViews *views);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlameViews, flame_views_free)

/* The colour of a node in one of the views. */
FlameColor flame_views_fill(const FlameViews *views, FlameColourBy colour, FlameValue value, guint node);
/* The colour of a change of that size: `strength` is its share of the scale, -1 to 1. */
FlameColor flame_views_color(const FlameViews *views, double strength);

/* The row of the picture that says what is shown and holds the lists; to be written before the frames. */
void flame_views_row(FlameCanvas *canvas, const FlameViews *views);
/* The script that turns the row into switches; to be written after the frames, whose order it relies on. */
void flame_views_script(FlameCanvas *canvas);
