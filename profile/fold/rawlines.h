/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of raw stacks (profile/fold/rawtrie.h) by line: one pass up the trie for the sums of subtrees, one down for the
 * lines on the way to each stack.
 *
 *     stack             sum    lines of `walk` on the way     added to their totals
 *     walk tree.c:9      30    tree.c:9                       tree.c:9   30
 *      walk tree.c:12    20    tree.c:9 tree.c:12             tree.c:12  20
 *       walk tree.c:9    10    tree.c:9 tree.c:12             (it is on the way already)
 *
 * The root of a stack is a command and has no lines. */
#pragma once

#include "profile/fold/linetally.h"
#include "profile/fold/rawtrie.h"

typedef struct {
	const RawTrie *trie;
	const SymbolFrames *frames; /* resolved */
	const AddressLines *lines;  /* of what the tally wants */
	const LineShare *costs;     /* of one side, by raw stack: its own */
	guint side;
} RawLinesSource;

/* Adds the costs of `source` to the tally. */
void raw_lines_add(LineTally *tally, const RawLinesSource *source);
