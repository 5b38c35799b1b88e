/* SPDX-License-Identifier: Apache-2.0 */
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

#include "report/flame/flamenode.h"

/* Never fails; a profile without cost gives the bottom alone, with width 0. */
FlameLayout *flame_layout_new(const FlameInput *input);
void flame_layout_free(FlameLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlameLayout, flame_layout_free)

/* A node by its index; borrowed. */
const FlameNode *flame_layout_node(const FlameLayout *layout, guint index);
/* Head's total less base's; 0 where the difference is what rounding leaves of equal costs. */
double flame_node_change(const FlameNode *node);

/* FALSE of the root, and of a node that stands for hidden frames. */
gboolean flame_node_is_frame(const FlameNode *node);
