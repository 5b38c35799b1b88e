/* SPDX-License-Identifier: Apache-2.0 */
/* The colour schemes of flamegraph.pl, by its formulas, so that those who know them find them again.
 *
 * A hue has three components of which each is a constant plus a share v (0..1) of a range. The shares come from the
 * name: by default from one number of the generator drand48() seeded with the sum of the code points, and with
 * `by_letters` from the first and last three letters (option --hash there), so that names that begin alike look alike.
 * Where that script takes random numbers if nothing else is asked for, this never does. */
#pragma once

#include "model/stacktable.h"
#include "report/flame/flamescheme.h"

/* `colors` is FLAME_COLORS_HOT or a later one. What the schemes of languages look for at the end of a name, `_[k]` and
 * the like, is as well taken from the kind of the frame. */
FlameColor flame_hue(FlameColors colors, const char *name, FrameKind kind, gboolean by_letters);
