/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/rawtrie.h"

void raw_trie_init(RawTrie *trie)
{
	const RawStack empty = {0};
	*trie = (RawTrie){.stacks = g_array_new(FALSE, FALSE, sizeof(RawStack))};
	g_array_append_val(trie->stacks, empty);
}

void raw_trie_clear(RawTrie *trie)
{
	pair_index_clear(&trie->index);
	g_array_unref(trie->stacks);
	*trie = (RawTrie){0};
}

guint32 raw_trie_push(RawTrie *trie, guint32 parent, RawFrame frame)
{
	gboolean is_new;
	/* Addresses and frames are numbered apart, so their rows alone do not tell them apart. */
	guint64 key = (guint64)frame.row << 1 | (frame.is_address ? 1 : 0);
	/* the empty stack takes row 0 of the array but is not in the index */
	guint32 row = pair_index_find_or_add(&trie->index, key, parent, &is_new) + 1;
	if (is_new) {
		RawStack stack = {.parent = parent, .root = row, .frame = frame};
		if (parent != 0)
			stack.root = raw_trie_get(trie, parent)->root;
		g_array_append_val(trie->stacks, stack);
	}
	return row;
}

const RawStack *raw_trie_get(const RawTrie *trie, guint32 stack)
{
	g_assert(stack < trie->stacks->len);
	return &g_array_index(trie->stacks, RawStack, stack);
}

typedef struct {
	RawFrame frame;
	guint32 row;
} PathStep;

void raw_path_init(RawPath *path, RawTrie *trie)
{
	*path = (RawPath){.trie = trie, .steps = g_array_new(FALSE, FALSE, sizeof(PathStep))};
}

void raw_path_clear(RawPath *path)
{
	g_array_unref(path->steps);
	*path = (RawPath){0};
}

void raw_path_restart(RawPath *path)
{
	path->depth = 0;
}

void raw_path_push(RawPath *path, RawFrame frame)
{
	/* Samples that follow each other share most of their outer frames: where a frame is that of the path before,
	 * its row is known without a look into the index. */
	if (path->depth < path->steps->len) {
		const PathStep *known = &g_array_index(path->steps, PathStep, path->depth);
		if (known->frame.row == frame.row && known->frame.is_address == frame.is_address) {
			path->depth++;
			return;
		}
	}
	const PathStep step = {frame, raw_trie_push(path->trie, raw_path_row(path), frame)};
	g_array_set_size(path->steps, path->depth++);
	g_array_append_val(path->steps, step);
}

guint32 raw_path_row(const RawPath *path)
{
	return path->depth > 0 ? g_array_index(path->steps, PathStep, path->depth - 1).row : 0;
}
