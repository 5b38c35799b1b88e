/* SPDX-License-Identifier: Apache-2.0 */
/* The data that a flame graph is laid out from (FlameInput), and the frames that come out (FlameNode, in a
 * FlameLayout). Data: report/flame/flamelayout.h says what it means and fills it. */
#pragma once

#include "model/profile.h"

typedef enum { FLAME_WIDTH_UNION, FLAME_WIDTH_BASE, FLAME_WIDTH_HEAD, FLAME_WIDTH_SUM } FlameWidth;

/* Deepest level that is drawn by default; the rest of a deeper stack becomes one "... n frames". */
#define FLAME_MAX_DEPTH 512

/* The cost of a frame on one side. */
typedef struct {
	double self, total; /* per run and unit of work */
	guint64 samples;    /* in the subtree, over all runs */
} FlameCost;

typedef struct {
	StackId stack;       /* the path that ends in this frame, reversed one of those; STACK_ROOT for the bottom */
	guint parent;        /* index of the parent's node; 0 for the bottom itself */
	guint depth;         /* 0 is the bottom, "all" */
	guint hidden_frames; /* 0, or how many frames beyond the deepest level this node stands for */
	double x, width;     /* shares of the bottom's width, 0..1 */
	FlameCost base, head;
	double known_change; /* sum of FlameInput.known over the subtree */
} FlameNode;

typedef struct {
	const Profile *base, *head;  /* with the same table; NULL = nothing on that side */
	double base_work, head_work; /* units of work of one run; 0 counts as 1 */
	FlameWidth width;
	double min_share;    /* frames narrower than this share of the whole are left out, with all above them */
	guint max_frames;    /* of those, the widest so many, of equally wide ones all or none; 0 = no limit; not
	                        reversed */
	guint max_depth;     /* deepest level drawn, 0 = FLAME_MAX_DEPTH */
	gboolean own_first;  /* its own cost is at the left edge of a frame instead; with FLAME_WIDTH_HEAD only */
	gboolean reversed;   /* merge stacks from their leaves */
	double total;        /* the bottom stands for that much, if it is more than what was measured; 0 = no */
	const double *known; /* by StackId: change that is summed up on its own, in cost; NULL = none */
} FlameInput;

typedef struct {
	GArray *nodes; /* of FlameNode, depth first: a parent stands before its children, siblings from left to right */
	guint depth;   /* of the deepest node */
	guint cut_frames;             /* frames left out because they are too narrow */
	gboolean cut_is_least;        /* those above them are not counted */
	FlameCost cut_base, cut_head; /* what they cost: total and samples */
} FlameLayout;
