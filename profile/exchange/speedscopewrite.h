/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of speedscope's own format: JSON by https://www.speedscope.app/file-format-schema.json.
 *
 * One `sampled` profile: a row per distinct stack, root first, with its weight. Of a comparison, which speedscope
 * cannot show, there are three: base, head, and increases, where every stack weighs what head costs more than base.
 * Weights are nanoseconds or bytes, or have no unit. A frame has the source file and line of its declaration; a frame
 * without has its module in place of the file, which tells equal names of different modules apart. */
#pragma once

#include "model/exported.h"

/* The text; owned by the caller. About 7 bytes for each frame of each stack. */
GString *speedscope_write(const ExportedProfile *exported);
