/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/textblocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add(TextBlocks *blocks, guint rank, guint kind, const char *text)
{
	g_string_append(text_blocks_add(blocks, rank, kind), text);
}

static char *joined(const TextBlocks *blocks)
{
	GString *out = g_string_new(NULL);
	text_blocks_append(out, blocks);
	return g_string_free(out, FALSE);
}

static void the_highest_rank_goes_first_and_of_one_rank_the_last(void **state)
{
	(void)state;
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	add(blocks, 1, 0, "a");
	add(blocks, 2, 1, "b");
	add(blocks, 2, 1, "c");
	add(blocks, 1, 0, "d");
	text_blocks_drop(blocks, 2, dropped);
	g_autofree char *rest = joined(blocks);
	assert_string_equal(rest, "ad");
	assert_int_equal(dropped[1], 2);
	assert_int_equal(dropped[0], 0);
}

static void no_more_goes_than_must(void **state)
{
	(void)state;
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	add(blocks, 1, 0, "aa");
	add(blocks, 1, 0, "bb");
	text_blocks_drop(blocks, 4, dropped);
	assert_int_equal(text_blocks_bytes(blocks), 4);
	text_blocks_drop(blocks, 3, dropped);
	assert_int_equal(text_blocks_bytes(blocks), 2);
}

static void rank_0_stays_whatever_the_limit(void **state)
{
	(void)state;
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	add(blocks, 0, 0, "head");
	add(blocks, 1, 0, "row");
	text_blocks_drop(blocks, 0, dropped);
	g_autofree char *rest = joined(blocks);
	assert_string_equal(rest, "head");
}

static void followers_go_with_their_block_and_are_counted(void **state)
{
	(void)state;
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	add(blocks, 0, 0, "<");
	guint first = text_blocks_count(blocks);
	add(blocks, 1, 0, "open");
	add(blocks, 3, 2, "row1");
	add(blocks, 4, 2, "row2");
	add(blocks, 0, 0, "close");
	text_blocks_bind(blocks, first);
	add(blocks, 0, 0, ">");
	text_blocks_drop(blocks, 15, dropped);
	g_autofree char *some = joined(blocks);
	assert_string_equal(some, "<openrow1close>");
	text_blocks_drop(blocks, 5, dropped);
	g_autofree char *none = joined(blocks);
	assert_string_equal(none, "<>");
	assert_int_equal(dropped[2], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_highest_rank_goes_first_and_of_one_rank_the_last),
	        cmocka_unit_test(no_more_goes_than_must),
	        cmocka_unit_test(rank_0_stays_whatever_the_limit),
	        cmocka_unit_test(followers_go_with_their_block_and_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
