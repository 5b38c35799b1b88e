/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a flame graph whose stacks are merged from their leaves (FlameInput.reversed).
 *
 * There is no reversed trie, which could be much larger than the trie itself. Stacks with a cost are entries; those
 * with the same leaf are a node, then each of its entries goes on to its caller, entries that meet become one, and
 * those with the same caller are a node above. Entries of a node that is too narrow are not followed. */
#pragma once

#include "report/flame/flamenode.h"

/* Fills an empty layout. */
void flame_reverse_lay_out(FlameLayout *layout, const FlameInput *input);
