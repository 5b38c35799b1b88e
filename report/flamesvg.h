/* The flame graph of one profile as a self-contained SVG (see flamecanvas.h for what all pictures share).
 *
 * Frames are as wide as their inclusive cost, coloured by module; kernel code has its own colour, inlined functions are
 * pale with a dashed border. The legend names the modules with the largest self cost. */
#pragma once

#include "profile/profile.h"

/* Frames narrower than this share of the picture are left out and counted in the line below it. */
#define FLAME_MIN_SHARE .0002

typedef struct {
	const Profile *profile;
	double work;           /* units of work of one run; 0 counts as 1 */
	const char *benchmark; /* what was measured; foreign text */
	const char *title;     /* which side, which commit; foreign text */
	const char *sentence;  /* one line more, or NULL; foreign text */
	gboolean counted;      /* costs are exact counts: there are no samples to speak of */
} FlameGraph;

/* The text of the picture; sets *length (may be NULL) to its bytes. Owned by the caller. Never fails: a profile
 * without cost gives a picture that says so. */
char *flame_svg(const FlameGraph *graph, gsize *length);
