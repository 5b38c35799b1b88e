/* SPDX-License-Identifier: Apache-2.0 */
#include "model/textindex.h"

#include "tests/profile/readers.h"

static void equal_pieces_have_one_row(void **state)
{
	(void)state;
	TextIndex index = {0};
	gboolean is_new;
	char text[] = "main main mai";
	assert_int_equal(text_index_find_or_add(&index, (TextPiece){text, 4}, &is_new), 0);
	assert_true(is_new);
	assert_int_equal(text_index_find_or_add(&index, (TextPiece){text + 5, 4}, &is_new), 0);
	assert_false(is_new);
	assert_int_equal(text_index_find_or_add(&index, (TextPiece){text + 10, 3}, &is_new), 1);
	assert_int_equal(text_index_find_or_add(&index, TEXT_NOTHING, &is_new), 2);
	text_index_clear(&index);
}

static void rows_stay_when_the_table_grows(void **state)
{
	(void)state;
	enum { N = 5000, WIDTH = 8 };
	TextIndex index = {0};
	gboolean is_new;
	g_autofree char *text = g_malloc(N * WIDTH + 1);
	for (guint i = 0; i < N; i++)
		g_snprintf(text + (gsize)i * WIDTH, WIDTH + 1, "%08u", i * 7);
	for (guint i = 0; i < N; i++)
		text_index_find_or_add(&index, (TextPiece){text + (gsize)i * WIDTH, WIDTH}, &is_new);
	for (guint i = 0; i < N; i++)
		assert_int_equal(
		        text_index_find_or_add(&index, (TextPiece){text + (gsize)i * WIDTH, WIDTH}, &is_new), i);
	assert_int_equal(index.n_rows, N);
	text_index_clear(&index);
}

static void lines_end_in_newline_carriage_return_or_the_end(void **state)
{
	(void)state;
	const char *text = "one\r\n\ntwo", *end = text + strlen(text);
	assert_true(text_equals(text_take_line(&text, end), "one"));
	assert_true(text_equals(text_take_line(&text, end), ""));
	assert_true(text_equals(text_take_line(&text, end), "two"));
	assert_ptr_equal(text, end);
}

static void words_are_taken_one_by_one(void **state)
{
	(void)state;
	TextPiece text = text_of("  a \tbc "), word;
	assert_true(text_take_word(&text, &word) && text_equals(word, "a"));
	assert_true(text_take_word(&text, &word) && text_equals(word, "bc"));
	assert_false(text_take_word(&text, &word));
}

static void numbers_end_at_their_largest(void **state)
{
	(void)state;
	assert_true(text_number(text_of("18446744073709551615")) == G_MAXUINT64);
	assert_true(text_number(text_of("18446744073709551614")) == G_MAXUINT64 - 1);
	assert_true(text_number(text_of("99999999999999999999999")) == G_MAXUINT64);
	assert_false(text_is_number(text_of("12x")));
	assert_false(text_is_number(TEXT_NOTHING));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(equal_pieces_have_one_row),
	        cmocka_unit_test(rows_stay_when_the_table_grows),
	        cmocka_unit_test(lines_end_in_newline_carriage_return_or_the_end),
	        cmocka_unit_test(words_are_taken_one_by_one),
	        cmocka_unit_test(numbers_end_at_their_largest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
