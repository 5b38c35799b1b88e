/* SPDX-License-Identifier: Apache-2.0 */
/* The differential flame graph of a benchmark as a self-contained SVG (see flamecanvas.h for what all pictures share).
 *
 * Base and head stand in one picture (union layout, flamelayout.h): what vanished is there, hatched; what is new has a
 * dark outline. Widths are costs per run and unit of work, so a function that did not change does not turn colour
 * because another one did.
 *
 * Colour is a claim, so it follows tests, not the pictures' noise. A function is significant if its adjusted p-value in
 * either direction is at most `report_alpha`; of its paths, those count that pass a test of their own (flamepaths.h). A
 * frame is orange (more) or blue (less) only if its own inclusive change has the sign of what is known to have changed
 * in its subtree; its strength is the smaller of the two, relative to the largest in the picture (at least two points
 * of the base total), which the legend states. Everything else is grey: nothing was shown. Frames whose function is
 * known to have changed on that path carry a mark and what it changed there, in points of the base total.
 *
 * Counts (`counted`) need no test: a function is significant if its class says that it changed, all its paths
 * count whose costs do not overlap between the runs of both sides, the scale begins at a smaller change, and no text
 * speaks of samples, tests or intervals.
 *
 * Without tests (`untested`, for want of runs) every change has its colour, but all are pale, and text and legend say
 * that nothing was tested.
 *
 * The tooltip of every frame tells cost on both sides with its 95 % interval over the runs where there are enough of
 * them, the absolute change, the change relative to this very frame, its contribution, share, samples, self cost and
 * the test of its function; of a frame with colour also what it changed itself on this path, and which function above
 * it gives it its colour. Points are of the base total of the comparison, which has also what was measured but not
 * sampled, so a function has the number that every table gives it; without a comparison they are of what the stacks of
 * base add up to, and the tooltip says so.
 *
 * The picture can be switched to other widths, colours and values (flameviews.h), and holds the profiles it was made
 * from (flamediffdata.h). */
#pragma once

#include "compare/comparison/comparison.h"
#include "report/flame/flamesvg.h"

/* So many frames make a picture of one or two megabytes that a browser redraws without delay. */
#define FLAME_DIFF_MAX_FRAMES 2500

typedef struct {
	const Profile *base, *head; /* one table; at most one is NULL */
	double base_work, head_work;
	const BenchmarkComparison *comparison; /* its functions are rows of that table; NULL = nothing was compared */
	double report_alpha;                   /* 0 = .05 */
	gboolean counted;                      /* costs are counts, and so is the comparison */
	gboolean shown_only;                   /* it decides nothing: the totals instead of verdict and sentence */
	const char *outcome; /* what `shown_only` profiles show, a clause after the totals; foreign; NULL = that they
	                      * decide nothing */
	gboolean untested;   /* there are too few runs: changes are shown, without a claim; not with `counted` */
	const char *per;     /* static: what costs are means of; NULL = "run", or "unit of work" where that is not 1 */
	gboolean normalized; /* base_work scales base to the total of head; the picture says so when it is read again */
	gboolean without_data; /* leave out the profiles, in a page that has them elsewhere */
	gboolean frames_only;  /* leave out title, sentence and table, in a page that has them: legend and frames */
	guint max_frames; /* draw the widest so many, see FlameInput; 0 = all but the narrowest. How many frames were
	                   * left out and what they cost stands below them */
	const char *benchmark;       /* foreign text */
	const FlameOptions *options; /* its style, min_share and count_name; NULL = as usual */
	const char *title;           /* "base 1a2b3c4 → head 5d6e7f8"; foreign text */
} FlameDiff;

/* The text of the picture; sets *length (may be NULL) to its bytes. Owned by the caller. Never fails. */
char *flame_diff_svg(const FlameDiff *diff, gsize *length);
