/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph of one profile as a self-contained SVG (see flamecanvas.h for what all pictures share).
 *
 * Frames are as wide as their inclusive cost, coloured by module unless asked otherwise; kernel code has its own
 * colour, inlined functions are pale with a dashed border. The legend names the modules (or kinds) with the largest
 * self cost. The tooltip of a frame begins with `name (1,234 samples, 12.34%)`. */
#pragma once

#include "report/flame/flamecanvas.h"

/* Frames narrower than this share of the picture are left out and counted in the line below it. */
#define FLAME_MIN_SHARE .0002

/* Settings of the picture; all 0 is the default. */
typedef struct {
	FlameStyle style;
	FlameColors colors;
	gboolean by_letters; /* of colours, see flame_palette_new_of() */
	gboolean reversed;   /* merge stacks from their leaves */
	double min_share;    /* frames narrower than this share are left out; 0 = FLAME_MIN_SHARE, negative = none is */
	double factor;       /* costs are multiplied by this wherever they are shown; 0 = 1 */
	double total;        /* what the bottom stands for, if it is more than was measured; 0 = what was measured */
	const char *count_name; /* instead of the unit; foreign, without parentheses */
} FlameOptions;

typedef struct {
	const Profile *profile;
	double work;                 /* units of work of one run; 0 counts as 1 */
	const char *benchmark;       /* what was measured; foreign text */
	const char *title;           /* which side, which commit; foreign text */
	const char *sentence;        /* one line more, or NULL; foreign text */
	gboolean counted;            /* costs are counts: there are no samples to speak of */
	const FlameOptions *options; /* NULL = as usual */
} FlameGraph;

/* The text of the picture; sets *length (may be NULL) to its bytes. Owned by the caller. Never fails: a profile
 * without cost gives a picture that says so. */
char *flame_svg(const FlameGraph *graph, gsize *length);
