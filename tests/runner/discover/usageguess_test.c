/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/usageguess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The arguments as one text; NULL if they cannot be guessed. Owned by the caller. */
static char *guessed(const char *output, const char *data)
{
	g_auto(GStrv) words = usage_words(output);
	g_auto(GStrv) arguments = words != NULL ? usage_arguments(words, data) : NULL;
	return arguments != NULL ? g_strjoinv(" ", arguments) : NULL;
}

static void files_sizes_and_numbers_are_understood(void **state)
{
	(void)state;
	g_autofree char *parser = guessed("usage: ./bench [-n] filename bufferSize nr_of_loops\n", "data/a.xml");
	assert_string_equal(parser, "data/a.xml 65536 " USAGE_KNOB);
	g_autofree char *range = guessed("starting\nUSAGE: x MIN_N MAX_N\n", NULL);
	assert_string_equal(range, USAGE_KNOB " " USAGE_KNOB);
	g_autofree char *options = guessed("bench: Usage: bench [-v [level]] INPUT_FILE", "a.txt");
	assert_string_equal(options, "a.txt");
}

static void other_words_are_not_guessed(void **state)
{
	(void)state;
	assert_null(guessed("usage: bench HOST iterations", "a.txt"));
	assert_null(guessed("usage: bench -f file", "a.txt"));
	assert_null(guessed("usage: bench FILE", NULL));
	assert_null(guessed("usage: bench", "a.txt"));
	assert_null(guessed("no file given", "a.txt"));
}

static void the_knob_takes_a_number(void **state)
{
	(void)state;
	char *arguments[] = {(char *)"a", (char *)USAGE_KNOB, NULL};
	g_auto(GStrv) filled = usage_fill(arguments, 300);
	assert_true(usage_has_knob(arguments));
	assert_false(usage_has_knob(filled));
	assert_string_equal(filled[1], "300");
	assert_false(usage_has_knob(NULL));
}

static void a_word_may_end_with_the_knob(void **state)
{
	(void)state;
	char *arguments[] = {(char *)"N=" USAGE_KNOB, NULL};
	g_auto(GStrv) filled = usage_fill(arguments, 7);
	assert_true(usage_has_knob(arguments));
	assert_string_equal(filled[0], "N=7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(files_sizes_and_numbers_are_understood),
	        cmocka_unit_test(other_words_are_not_guessed),
	        cmocka_unit_test(the_knob_takes_a_number),
	        cmocka_unit_test(a_word_may_end_with_the_knob),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
