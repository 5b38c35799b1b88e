/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/folded/difffolded.h"

#include "tests/profile/sharedfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The two columns of two texts. Owned by the caller. */
static char *columns_of(const char *base, const char *head, const DiffFoldedOptions *options)
{
	static const DiffFoldedOptions plain = {FALSE, FALSE};
	g_autoptr(DiffFolded) diff = diff_folded_new(options != NULL ? options : &plain);
	diff_folded_add(diff, DIFF_FOLDED_BASE, base, strlen(base), NULL);
	diff_folded_add(diff, DIFF_FOLDED_HEAD, head, strlen(head), NULL);
	return diff_folded_text(diff);
}

static void assert_columns(const char *base, const char *head, const DiffFoldedOptions *options, const char *wanted)
{
	g_autofree char *got = columns_of(base, head, options);
	assert_string_equal(got, wanted);
}

static void a_stack_of_one_side_has_a_zero_on_the_other(void **state)
{
	(void)state;
	assert_columns("a;b 1\na;c 2\n", "a;b 3\na;d 4\n", NULL, "a;b 1 3\na;c 2 0\na;d 0 4\n");
}

static void equal_stacks_add_up_on_their_side(void **state)
{
	(void)state;
	assert_columns("a;b 1\na;b 2\n", "a;b 5\na;b 12\n", NULL, "a;b 3 17\n");
}

/* A name may have blanks and end in a number: only the last word is the count. */
static void the_last_word_is_the_count(void **state)
{
	(void)state;
	assert_columns("a;op 3 10\n", "a;b(int, long) 7\n", NULL, "a;b(int, long) 0 7\na;op 3 10 0\n");
	assert_columns("a;b  4\n", "a;b\t5\r\n", NULL, "a;b 0 5\na;b  4 0\n");
}

static void lines_without_a_count_are_counted_and_left_out(void **state)
{
	(void)state;
	static const char text[] = "a;b 1\nno count here\n 5\na;b .5\na;b 1.2.3\n\na;c\n";
	g_autoptr(DiffFolded) diff = diff_folded_new(&(DiffFoldedOptions){FALSE, FALSE});
	FoldedSummary summary;
	diff_folded_add(diff, DIFF_FOLDED_BASE, text, strlen(text), &summary);
	assert_int_equal(summary.stack_lines, 1);
	assert_int_equal(summary.bad_lines, 5);
	assert_int_equal(summary.first_bad_line, 2);
	assert_string_equal(summary.first_bad_text, "no count here");
	folded_summary_clear(&summary);
	g_autofree char *got = diff_folded_text(diff);
	assert_string_equal(got, "a;b 1 0\n");
}

static void a_line_with_a_nul_is_none(void **state)
{
	(void)state;
	static const char text[] = "a\0;b 1\na 2\n";
	g_autoptr(DiffFolded) diff = diff_folded_new(&(DiffFoldedOptions){FALSE, FALSE});
	diff_folded_add(diff, DIFF_FOLDED_HEAD, text, sizeof text - 1, NULL);
	g_autofree char *got = diff_folded_text(diff);
	assert_string_equal(got, "a 0 2\n");
}

static void fractions_are_kept(void **state)
{
	(void)state;
	assert_columns("a 1.5\na 2.25\nb 1.0\n", "a 7\n", NULL, "a 3.75 7\nb 1 0\n");
}

static void whole_counts_keep_all_digits(void **state)
{
	(void)state;
	assert_columns("a 18446744073709551614\na 1\n", "b 9007199254740993\n", NULL,
	        "a 18446744073709551615 0\nb 0 9007199254740993\n");
}

/* As in the tool that is imitated: what is small disappears. */
static void normalised_counts_are_cut_to_whole_numbers(void **state)
{
	(void)state;
	const DiffFoldedOptions options = {.normalize = TRUE};
	assert_columns("m;x 1\nm;y 199\n", "m;x 1\nm;y 99\n", &options, "m;x 0 1\nm;y 99 99\n");
	assert_columns("a 14\nb 11\nc 40\n", "a 80\n", &options, "a 17 80\nb 13 0\nc 49 0\n");
	assert_columns("a 5\nb 5\n", "a 10\n", &options, "a 5 10\nb 5 0\n");
	assert_columns("a 0\n", "a 10\n", &options, "a 0 10\n");
}

static void numbers_in_hexadecimal_become_one_name(void **state)
{
	(void)state;
	const DiffFoldedOptions options = {.strip_hex = TRUE};
	assert_columns("a;0x1f 1\na;0xABC 2\n", "a;f+0x10;0x 3\n", &options, "a;0x... 3 0\na;f+0x...;0x 0 3\n");
}

#define FOLDER "jonhoo-inferno/diff-folded/"

static gint by_text(gconstpointer left, gconstpointer right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static char *sorted(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	qsort(lines, g_strv_length(lines), sizeof *lines, by_text);
	g_autofree char *joined = g_strjoinv("\n", lines);
	return g_strdup(joined + strspn(joined, "\n"));
}

static void assert_known_answer(const char *base, const DiffFoldedOptions *options, const char *answer)
{
	g_autofree char *from = shared_text(FOLDER, base), *to = shared_text(FOLDER, "after.txt");
	g_autofree char *wanted = shared_text(FOLDER, answer);
	g_autofree char *columns = columns_of(from, to, options);
	g_autofree char *got = sorted(columns), *sorted_answer = sorted(wanted);
	assert_string_equal(got, sorted_answer);
}

static void known_answers_are_reproduced(void **state)
{
	(void)state;
	assert_known_answer("before.txt", NULL, "results/default.txt");
	assert_known_answer("before.txt", &(DiffFoldedOptions){.normalize = TRUE}, "results/normalize.txt");
	assert_known_answer("before.txt", &(DiffFoldedOptions){.strip_hex = TRUE}, "results/strip_hex.txt");
}

/* The known answer is of a tool that cuts fractions off; apart from them all columns agree. */
static void known_answers_with_fractions_agree_up_to_them(void **state)
{
	(void)state;
	g_autofree char *from = shared_text(FOLDER, "before_fractionals.txt"), *to = shared_text(FOLDER, "after.txt");
	g_autofree char *wanted = shared_text(FOLDER, "results/fractionals.txt"), *columns = columns_of(from, to, NULL);
	g_autoptr(GRegex) fraction = g_regex_new(" (\\d+)\\.\\d+ ", 0, 0, NULL);
	g_autofree char *cut = g_regex_replace(fraction, columns, -1, 0, " \\1 ", 0, NULL);
	g_autofree char *got = sorted(cut), *sorted_answer = sorted(wanted);
	assert_string_equal(got, sorted_answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stack_of_one_side_has_a_zero_on_the_other),
	        cmocka_unit_test(equal_stacks_add_up_on_their_side),
	        cmocka_unit_test(the_last_word_is_the_count),
	        cmocka_unit_test(lines_without_a_count_are_counted_and_left_out),
	        cmocka_unit_test(a_line_with_a_nul_is_none),
	        cmocka_unit_test(fractions_are_kept),
	        cmocka_unit_test(whole_counts_keep_all_digits),
	        cmocka_unit_test(normalised_counts_are_cut_to_whole_numbers),
	        cmocka_unit_test(numbers_in_hexadecimal_become_one_name),
	        cmocka_unit_test(known_answers_are_reproduced),
	        cmocka_unit_test(known_answers_with_fractions_agree_up_to_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
