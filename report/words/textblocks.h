/* SPDX-License-Identifier: Apache-2.0 */
/* A text made of blocks, of which the least important ones are left out whole where there is a limit.
 *
 *     block   rank 0: always kept; the higher the rank, the earlier it goes
 *     group   a block with followers: when it goes, they go with it (the frame around the rows of a table)
 *
 * Among blocks of one rank the last goes first. What is left is never cut inside of a block, so neither a character nor
 * a table row or code span is. */
#pragma once

#include <glib.h>

#define TEXT_BLOCK_KINDS 8

typedef struct {
	GString *text;
	guint rank;
	guint kind;      /* below TEXT_BLOCK_KINDS; what the caller counts it as when it is left out */
	guint followers; /* how many of the next blocks go with it */
} TextBlock;

typedef struct {
	GArray *blocks; /* of TextBlock */
} TextBlocks;

TextBlocks *text_blocks_new(void);
void text_blocks_free(TextBlocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextBlocks, text_blocks_free)

/* Appends a block and returns its text, to be filled; borrowed. */
GString *text_blocks_add(TextBlocks *blocks, guint rank, guint kind);
/* The number of blocks, which is the index that the next one gets. */
guint text_blocks_count(const TextBlocks *blocks);
/* Makes all blocks after the block `first` its followers. */
void text_blocks_bind(TextBlocks *blocks, guint first);
/* Takes away the block `first` and all after it. */
void text_blocks_truncate(TextBlocks *blocks, guint first);
/* Bytes of all blocks together. */
gsize text_blocks_bytes(const TextBlocks *blocks);
/* Empties blocks until the rest has at most `max_bytes`, or only blocks of rank 0 are left. Adds to dropped[kind] for
 * each that had text. */
void text_blocks_drop(TextBlocks *blocks, gsize max_bytes, guint dropped[TEXT_BLOCK_KINDS]);
/* Appends what is left. */
void text_blocks_append(GString *out, const TextBlocks *blocks);
