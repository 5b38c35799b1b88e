/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of flame graphs.
 *
 * Differences: orange for more, blue for less, light grey for no evidence. The two hues differ for every kind of colour
 * blindness and in brightness steps, and nothing is said by colour alone (hatching, outlines and marks repeat it).
 * Single graphs: a hue per module, chosen by a hash of its name; a module whose hue is taken by one that sorts before
 * it gets the next free one. So the pictures of both sides, which share one stack table, agree, and others mostly do. A
 * shade per function. All frame colours are light enough for black text.
 *
 * The other schemes of single graphs are a hue per kind of frame, a hue per function, and those that flamegraph.pl
 * knows, with its formulas: where that draws random numbers, they come from the name here, too. */
#pragma once

#include "compare/comparison/comparison.h"
#include "report/flame/flamescheme.h"

#define FLAME_COLOR_HEX_BYTES 8
/* Writes "#rrggbb" and returns `buffer`. */
const char *flame_color_hex(FlameColor color, char buffer[FLAME_COLOR_HEX_BYTES]);

/* A difference: strength -1 (all blue) to +1 (all orange); 0 is neutral. The smallest strength is already visible. */
FlameColor flame_color_change(double strength);

/* Their names in lower case: "module", "kind", "hash", "hot", ... */
extern const char *const flame_colors_names[N_FLAME_COLORS + 1];

/* The colours of the frames of one stack table. */
typedef struct FlamePalette FlamePalette;

/* By module. `table` must outlive the palette. */
FlamePalette *flame_palette_new(const StackTable *table);
/* `by_letters`: in schemes of flamegraph.pl, its option --hash: names that begin and end alike have like colours. */
FlamePalette *flame_palette_new_of(const StackTable *table, FlameColors colors, gboolean by_letters);
void flame_palette_free(FlamePalette *palette);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlamePalette, flame_palette_free)
/* The hue of a module or kind, for legends of FLAME_COLORS_MODULE and FLAME_COLORS_KIND. */
FlameColor flame_palette_module(const FlamePalette *palette, NameId module, FrameKind kind);
/* The colour of a frame. */
FlameColor flame_palette_frame(const FlamePalette *palette, const Frame *frame);

/* Background of a verdict's badge; dark enough for white text. */
FlameColor flame_color_verdict(Verdict verdict);
