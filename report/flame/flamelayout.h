/* The layout of a flame graph: which frames are drawn, where, and what they cost on both sides.
 *
 * It is made from the trie of the stack table, never from sorted text, so that a frame is drawn once however its stacks
 * are spread over the input. Base and head are laid out together (either may be missing): a frame of one side only has
 * its place too, and nothing that vanished is lost. With self(side) and total(side) the cost of a frame alone and with
 * everything it calls, a frame is as wide as
 *
 *     FLAME_WIDTH_UNION   max(self(base), self(head)) + the widths of its children
 *     FLAME_WIDTH_BASE    total(base)
 *     FLAME_WIDTH_HEAD    total(head)
 *     FLAME_WIDTH_SUM     total(base) + total(head)
 *
 * so children always fit into their parent. (A plain max of the two totals would not nest: children that go 100 -> 0
 * and 0 -> 100 under a parent that stays at 100 need 200.) Siblings are in order of name, then module, from the left
 * edge of their parent; the room of those too narrow to be drawn is at its right edge, with that of its own cost.
 *
 * Reversed, stacks are merged from their leaves: the functions with a cost of their own stand on the bottom, their
 * callers above them, and what is a node's own are the stacks that begin there.
 *
 * Costs are means per run and unit of work, in the unit of the profile. For every node and side, the totals of its
 * children and its own self cost add up to its total, whatever was cut. */
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

/* Never fails; a profile without cost gives the bottom alone, with width 0. */
FlameLayout *flame_layout_new(const FlameInput *input);
void flame_layout_free(FlameLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlameLayout, flame_layout_free)

const FlameNode *flame_layout_node(const FlameLayout *layout, guint index);
/* Head's total less base's; 0 where the difference is what rounding leaves of equal costs. */
double flame_node_change(const FlameNode *node);
