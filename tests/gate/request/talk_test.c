/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static GString *shown;

static gboolean keep(const char *text)
{
	g_string_append(shown, text);
	return TRUE;
}

static int set_up(void **state)
{
	(void)state;
	shown = g_string_new(NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	g_string_free(shown, TRUE);
	return 0;
}

static void say(TalkLevel level, gboolean terminal, const char *const *texts)
{
	Talk talk;
	talk_init(&talk, level, terminal, keep);
	for (gsize i = 0; texts[i] != NULL; i++)
		(strstr(texts[i], " of ") != NULL ? talk_detail : talk_progress)(&talk, texts[i]);
	talk_clear(&talk);
}

static const char *const steps[] = {"base: building", "sort: round 1 of 8", "sort: round 1 again", NULL};

static void a_file_has_a_line_for_each_step_that_matters(void **state)
{
	(void)state;
	say(TALK_NORMAL, FALSE, steps);
	assert_string_equal(shown->str, "base: building\nsort: round 1 again\n");
}

static void asked_for_it_has_a_line_for_each_round(void **state)
{
	(void)state;
	say(TALK_VERBOSE, FALSE, steps);
	assert_string_equal(shown->str, "base: building\nsort: round 1 of 8\nsort: round 1 again\n");
}

static void a_terminal_has_rounds_in_a_line_that_is_replaced(void **state)
{
	static const char *const round[] = {"sort: round 1 of 8", NULL};
	(void)state;
	say(TALK_NORMAL, TRUE, round);
	assert_string_equal(shown->str, "\r\033[K    0 s  sort: round 1 of 8\r\033[K");
}

static void a_terminal_says_how_long_it_still_takes(void **state)
{
	(void)state;
	Talk talk;
	talk_init(&talk, TALK_NORMAL, TRUE, keep);
	talk_set_left(&talk, 3600);
	talk_detail(&talk, "sort: round 1 of 8");
	talk_progress(&talk, "sort: done");
	talk_set_left(&talk, .5);
	talk_detail(&talk, "sort: round 8 of 8");
	talk_clear(&talk);
	assert_string_equal(shown->str,
	        "\r\033[K    0 s  sort: round 1 of 8; about 60 min left\r\033[K    0 s  sort: done\n"
	        "\r\033[K    0 s  sort: round 8 of 8\r\033[K");
}

static void say_wide(Talk *talk, guint width)
{
	talk_init(talk, TALK_NORMAL, TRUE, keep);
	talk->width = width;
}

static void long_lines_are_wrapped_to_the_terminal(void **state)
{
	(void)state;
	Talk talk;
	say_wide(&talk, 30);
	talk_line(&talk, "warning: one run takes 12 ms, so that noise grows");
	talk_progress(&talk, "base: building with all that it takes");
	talk_detail(&talk, "sort: round 1 of 8, with a long name");
	talk_clear(&talk);
	assert_string_equal(shown->str, "warning: one run takes 12 ms,\n  so that noise grows\n"
	                                "    0 s  base: building with\n         all that it takes\n"
	                                "\r\033[K    0 s  sort: round 1 of 8,…\r\033[K");
}

/* A file, and a terminal that does not say how wide it is. */
static void lines_are_never_wrapped_elsewhere(void **state)
{
	(void)state;
	Talk talk;
	say_wide(&talk, 0);
	talk_line(
	        &talk, "warning: one run takes 12 ms, so that noise grows, and it is far below what is needed for 1 %");
	talk_clear(&talk);
	assert_string_equal(strchr(shown->str, '\n'), "\n");
}

static void a_file_does_not(void **state)
{
	(void)state;
	Talk talk;
	talk_init(&talk, TALK_VERBOSE, FALSE, keep);
	talk_set_left(&talk, 3600);
	talk_detail(&talk, "sort: round 1 of 8");
	talk_clear(&talk);
	assert_string_equal(shown->str, "sort: round 1 of 8\n");
}

static void a_timed_talk_has_the_time_in_a_file_too(void **state)
{
	(void)state;
	Talk talk;
	talk_init(&talk, TALK_NORMAL, FALSE, keep);
	talk.timed = TRUE;
	talk_progress(&talk, "base: building");
	talk_clear(&talk);
	assert_true(g_regex_match_simple("^ *[0-9]+ s  base: building\n$", shown->str, 0, 0));
}

static void a_quiet_talk_says_nothing(void **state)
{
	(void)state;
	Talk talk;
	say(TALK_QUIET, TRUE, steps);
	talk_init(&talk, TALK_QUIET, FALSE, keep);
	assert_false(talk_line(&talk, "a line"));
	talk_clear(&talk);
	assert_string_equal(shown->str, "");
}

static void what_foreign_text_does_to_a_terminal_is_taken_from_it(void **state)
{
	static const char *const hostile[] = {"build\033[2J\rdone", NULL};
	(void)state;
	say(TALK_NORMAL, FALSE, hostile);
	assert_null(strchr(shown->str, '\033'));
	assert_null(strchr(shown->str, '\r'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(a_file_has_a_line_for_each_step_that_matters, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(asked_for_it_has_a_line_for_each_round, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_terminal_has_rounds_in_a_line_that_is_replaced, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_terminal_says_how_long_it_still_takes, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(long_lines_are_wrapped_to_the_terminal, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(lines_are_never_wrapped_elsewhere, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_file_does_not, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_timed_talk_has_the_time_in_a_file_too, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_quiet_talk_says_nothing, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                what_foreign_text_does_to_a_terminal_is_taken_from_it, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
