/* SPDX-License-Identifier: Apache-2.0 */
/* The differential flame graph that users of difffolded.pl, flamegraph.pl and inferno know, for those who have to
 * compare with their pictures. flamediff.h is the better one: this shows neither what vanished nor what a whole subtree
 * changed by, and tests nothing, which the picture says.
 *
 *     width    counts of the second side
 *     change   second - first of the stacks that end in the frame; that of frames which only call is 0
 *     colour   red is more, blue is less, white none; strong relative to the largest change of one stack
 *     tooltip  `name (1,234 samples, 12.34%; +1.23%)`: share, and the change as share of the second total
 *
 * With `negate`, as in those tools: the sides were given the other way round, so that the widths are those of base, and
 * the signs of changes are turned back.
 *
 * Tooltips are theirs to the letter, fills are by the formula of the tool, and each frame has the attributes fg:x and
 * fg:w of inferno, its place and width in samples. Not theirs: a stack that comes in several lines, or whose lines are
 * not neighbours in sorted text, is one frame with the sum of its changes. */
#pragma once

#include "model/profile.h"
#include "report/flame/flamesvg.h"

/* Whose colours. */
typedef enum { FLAME_COMPAT_FLAMEGRAPH_PL, FLAME_COMPAT_INFERNO, N_FLAME_COMPAT_TOOLS } FlameCompatTool;

/* "flamegraph.pl", "inferno" */
extern const char *const flame_compat_names[N_FLAME_COMPAT_TOOLS + 1];

typedef struct {
	const Profile *counts; /* run 0 is the first side, run 1 the second; that has at least one count */
	FlameCompatTool tool;
	gboolean negate;
	const char *heading;         /* foreign text */
	const char *title;           /* which sides; foreign text */
	const FlameOptions *options; /* its style, min_share and count_name; NULL = as usual */
} FlameCompat;

/* The text of the picture; sets *length (may be NULL) to its bytes. Owned by the caller. Never fails. */
char *flame_compat_svg(const FlameCompat *compat, gsize *length);
