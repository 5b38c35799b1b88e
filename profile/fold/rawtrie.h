/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks before their addresses have names: a trie of raw frames, filled while recordings are read.
 *
 * A raw frame is either an address that the symbolizer is to resolve, which may become several frames, or a frame that
 * is known already (a command name, a bucket). Row 0 is the empty stack; a row's parent has a smaller number. */
#pragma once

#include "model/pairindex.h"
#include "model/stacktable.h"

typedef struct {
	gboolean is_address;
	guint32 row; /* of the symbolizer's address, or the index of a FrameId */
} RawFrame;

typedef struct {
	guint32 parent;
	guint32 root; /* row of the first frame of the stack, its own if it has one frame */
	RawFrame frame;
} RawStack;

typedef struct {
	PairIndex index;
	GArray *stacks; /* of RawStack */
} RawTrie;

/* An empty trie. The caller clears it. */
void raw_trie_init(RawTrie *trie);
void raw_trie_clear(RawTrie *trie);
/* The row of the stack `parent` + `frame`. */
guint32 raw_trie_push(RawTrie *trie, guint32 parent, RawFrame frame);
/* A stack of the trie; borrowed, until one is added. */
const RawStack *raw_trie_get(const RawTrie *trie, guint32 stack);

/* A stack while it is put together from its root. What it has in common with the one before it costs no look into the
 * trie, and stacks that follow each other are mostly alike. */
typedef struct {
	RawTrie *trie; /* borrowed */
	GArray *steps; /* of the last stack: each frame and the row up to it */
	guint depth;   /* of this one */
} RawPath;

/* A path that begins at the root of `trie`, which is borrowed. */
void raw_path_init(RawPath *path, RawTrie *trie);
void raw_path_clear(RawPath *path);
/* Begins a new stack, which is empty. */
void raw_path_restart(RawPath *path);
/* Appends a frame to the path. */
void raw_path_push(RawPath *path, RawFrame frame);
/* The row of the stack so far. */
guint32 raw_path_row(const RawPath *path);
