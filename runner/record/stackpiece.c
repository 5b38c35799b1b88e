/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/stackpiece.h"

/* The share is of the stacks of a recording. */
#define MAX_LACKING_SHARE .01
/* Samples that a buffer must have room for: at 1999 a second, what comes in 32 ms. */
#define MIN_BUFFERED 64

static const guint sizes[STACK_PIECE_SIZES] = {3072, 6144, 12288, 16384, 24576, STACK_PIECE_MAX};

guint stack_piece_usual(RecorderStacks stacks)
{
	/* a qsort() of sixteen million elements is 24 calls deep, 112 bytes each */
	return stacks == RECORDER_DWARF ? 16384 : 3072;
}

guint stack_piece_size(guint i)
{
	g_assert(i < STACK_PIECE_SIZES);
	return sizes[i];
}

guint stack_piece_larger(guint bytes)
{
	for (guint i = 0; i < STACK_PIECE_SIZES; i++)
		if (sizes[i] > bytes)
			return sizes[i];
	return bytes < STACK_PIECE_LIMIT ? STACK_PIECE_LIMIT : 0;
}

static gboolean is_enough(const StackPieceCounts *const *counts, guint n, guint size)
{
	for (guint r = 0; r < n; r++)
		if ((double)counts[r]->lacking[size] > MAX_LACKING_SHARE * (double)counts[r]->samples)
			return FALSE;
	return TRUE;
}

static gboolean fits(const StackPieceCounts *const *counts, guint n, guint size)
{
	for (guint r = 0; r < n; r++)
		if (counts[r]->buffer_bytes / MIN_BUFFERED < sizes[size])
			return FALSE;
	return TRUE;
}

static gboolean has_samples(const StackPieceCounts *const *counts, guint n)
{
	for (guint r = 0; r < n; r++)
		if (counts[r]->samples > 0)
			return TRUE;
	return FALSE;
}

guint stack_piece_choose(const StackPieceCounts *const *counts, guint n, RecorderStacks stacks)
{
	guint size = 0;
	if (!has_samples(counts, n))
		return 0;
	while (sizes[size] < stack_piece_usual(stacks))
		size++;
	while (size + 1 < STACK_PIECE_SIZES && !is_enough(counts, n, size) && fits(counts, n, size + 1))
		size++;
	return sizes[size];
}
