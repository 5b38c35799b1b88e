#include "profile/rawtrie.h"

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
