/* SPDX-License-Identifier: Apache-2.0 */
/* Tells why a frame of a differential flame graph has its colour: the function whose known change (flamepaths.h) on the
 * paths above the frame is largest, of those in the direction of all of them together. */
#pragma once

#include "report/flame/flamepaths.h"

typedef struct {
	FrameId frame; /* the function, under its new name */
	double cost;   /* its known change above this frame, without the frame's own; 0 = there is none */
	guint others;  /* functions besides it in the same direction */
} FlameReason;

/* By StackId. Changes of a path that are smaller than `least`, in cost, are not looked at: what is too narrow to be
 * drawn explains nothing. `functions` by FrameId. Owned by the caller. */
FlameReason *flame_reasons_new(
        const FlamePaths *paths, const StackTable *table, const FunctionComparison *const *functions, double least);
