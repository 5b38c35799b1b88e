/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/textblocks.h"

static void block_clear(gpointer data)
{
	g_string_free(((TextBlock *)data)->text, TRUE);
}

TextBlocks *text_blocks_new(void)
{
	TextBlocks *blocks = g_new0(TextBlocks, 1);
	blocks->blocks = g_array_new(FALSE, FALSE, sizeof(TextBlock));
	g_array_set_clear_func(blocks->blocks, block_clear);
	return blocks;
}

void text_blocks_free(TextBlocks *blocks)
{
	if (blocks == NULL)
		return;
	g_array_unref(blocks->blocks);
	g_free(blocks);
}

static TextBlock *block_at(const TextBlocks *blocks, guint index)
{
	return &g_array_index(blocks->blocks, TextBlock, index);
}

GString *text_blocks_add(TextBlocks *blocks, guint rank, guint kind)
{
	g_assert(kind < TEXT_BLOCK_KINDS);
	TextBlock block = {.text = g_string_new(NULL), .rank = rank, .kind = kind};
	g_array_append_val(blocks->blocks, block);
	return block.text;
}

guint text_blocks_count(const TextBlocks *blocks)
{
	return blocks->blocks->len;
}

void text_blocks_bind(TextBlocks *blocks, guint first)
{
	block_at(blocks, first)->followers = blocks->blocks->len - first - 1;
}

void text_blocks_truncate(TextBlocks *blocks, guint first)
{
	g_array_set_size(blocks->blocks, first);
}

gsize text_blocks_bytes(const TextBlocks *blocks)
{
	gsize bytes = 0;
	for (guint i = 0; i < blocks->blocks->len; i++)
		bytes += block_at(blocks, i)->text->len;
	return bytes;
}

static gint by_rank_then_last(gconstpointer left, gconstpointer right, gpointer data)
{
	guint a = *(const guint *)left, b = *(const guint *)right;
	guint x = block_at(data, a)->rank, y = block_at(data, b)->rank;
	if (x != y)
		return x > y ? -1 : 1;
	return a > b ? -1 : a < b;
}

/* The blocks that may go, the first to go first. */
static GArray *droppable(TextBlocks *blocks)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < blocks->blocks->len; i++)
		if (block_at(blocks, i)->rank > 0)
			g_array_append_val(order, i);
	g_array_sort_with_data(order, by_rank_then_last, blocks);
	return order;
}

/* Empties a block; returns the bytes that it had. */
static gsize empty(TextBlock *block, guint dropped[TEXT_BLOCK_KINDS])
{
	gsize bytes = block->text->len;
	dropped[block->kind] += bytes > 0 ? 1 : 0;
	g_string_truncate(block->text, 0);
	return bytes;
}

void text_blocks_drop(TextBlocks *blocks, gsize max_bytes, guint dropped[TEXT_BLOCK_KINDS])
{
	g_autoptr(GArray) order = droppable(blocks);
	gsize bytes = text_blocks_bytes(blocks);
	for (guint i = 0; i < order->len && bytes > max_bytes; i++) {
		guint index = g_array_index(order, guint, i);
		guint last = index + block_at(blocks, index)->followers;
		for (guint j = index; j <= last; j++)
			bytes -= empty(block_at(blocks, j), dropped);
	}
}

void text_blocks_append(GString *out, const TextBlocks *blocks)
{
	for (guint i = 0; i < blocks->blocks->len; i++) {
		const GString *text = block_at(blocks, i)->text;
		g_string_append_len(out, text->str, (gssize)text->len);
	}
}
