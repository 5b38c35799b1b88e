/* SPDX-License-Identifier: Apache-2.0 */
/* The colour of a frame, and the schemes that say what the colours of a single graph mean. */
#pragma once

#include <glib.h>

typedef struct {
	guint8 red, green, blue;
} FlameColor;

/* The meaning of the colours of a single graph. */
typedef enum {
	FLAME_COLORS_MODULE,
	FLAME_COLORS_KIND,
	FLAME_COLORS_HASH, /* of the name of the function */
	FLAME_COLORS_HOT,  /* from here on those of flamegraph.pl */
	FLAME_COLORS_MEM,
	FLAME_COLORS_IO,
	FLAME_COLORS_RED,
	FLAME_COLORS_GREEN,
	FLAME_COLORS_BLUE,
	FLAME_COLORS_YELLOW,
	FLAME_COLORS_PURPLE,
	FLAME_COLORS_AQUA,
	FLAME_COLORS_ORANGE,
	FLAME_COLORS_JAVA, /* a hue per language, from here on */
	FLAME_COLORS_JS,
	FLAME_COLORS_PERL,
	FLAME_COLORS_WAKEUP,
	FLAME_COLORS_CHAIN, /* off-CPU time with its wakers, whose names end in _[w] */
	N_FLAME_COLORS
} FlameColors;
