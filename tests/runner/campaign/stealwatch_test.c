/* SPDX-License-Identifier: Apache-2.0 */
/* After which pause a round with much steal is done again, and when no more is. */
#include "runner/campaign/stealwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND G_GINT64_CONSTANT(1000000000)

static void the_steal_of_a_round_is_that_of_the_worse_run(void **state)
{
	(void)state;
	RunOutcome first[2] = {{.stolen_share = .2}, {.stolen_share = .1}};
	RunOutcome second[2] = {{.stolen_share = .1}, {.stolen_share = .2}};
	assert_true(steal_of_round(first, 2) == .2);
	assert_true(steal_of_round(second, 2) == .2);
	assert_true(steal_of_round(second, 1) == .1);
}

static void more_than_five_percent_is_much(void **state)
{
	(void)state;
	assert_false(steal_is_much(.05));
	assert_true(steal_is_much(.051));
}

static void pauses_double_and_end_after_five_in_a_row(void **state)
{
	static const gint64 pauses_s[] = {1, 2, 4, 8, 16};
	StealWatch watch = {0};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(pauses_s); i++) {
		gint64 pause_ns = steal_watch_pause_ns(&watch, 0);
		assert_true(pause_ns == pauses_s[i] * SECOND);
		steal_watch_note_again(&watch, pause_ns);
	}
	assert_true(steal_watch_pause_ns(&watch, 0) == 0);
	assert_true(watch.waited_ns == 31e9);
}

static void a_round_is_done_again_three_times_at_most(void **state)
{
	StealWatch watch = {0};
	(void)state;
	assert_true(steal_watch_pause_ns(&watch, 2) > 0);
	assert_true(steal_watch_pause_ns(&watch, 3) == 0);
}

static void a_calm_round_ends_the_row_and_not_the_count(void **state)
{
	StealWatch watch = {0};
	(void)state;
	for (int i = 0; i < 5; i++)
		steal_watch_note_again(&watch, SECOND);
	steal_watch_keep(&watch, .2);
	assert_true(steal_watch_pause_ns(&watch, 0) == 0);
	steal_watch_keep(&watch, .05);
	assert_true(steal_watch_pause_ns(&watch, 0) == SECOND);
	assert_int_equal(watch.done_again, 5);
	assert_int_equal(watch.kept, 1);
	assert_true(watch.worst_share == .2);
}

static void eight_rounds_are_done_again_at_most(void **state)
{
	StealWatch watch = {0};
	(void)state;
	for (int i = 0; i < 8; i++) {
		assert_true(steal_watch_pause_ns(&watch, 0) == SECOND);
		steal_watch_note_again(&watch, SECOND);
		steal_watch_keep(&watch, 0);
	}
	assert_true(steal_watch_pause_ns(&watch, 0) == 0);
}

static void another_schedule_keeps_its_own_rounds(void **state)
{
	StealWatch watch = {0};
	(void)state;
	steal_watch_note_again(&watch, SECOND);
	steal_watch_keep(&watch, .2);
	steal_watch_forget(&watch);
	assert_int_equal(watch.kept, 0);
	assert_true(watch.worst_share == 0);
	assert_int_equal(watch.done_again, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_steal_of_a_round_is_that_of_the_worse_run),
	        cmocka_unit_test(more_than_five_percent_is_much),
	        cmocka_unit_test(pauses_double_and_end_after_five_in_a_row),
	        cmocka_unit_test(a_round_is_done_again_three_times_at_most),
	        cmocka_unit_test(a_calm_round_ends_the_row_and_not_the_count),
	        cmocka_unit_test(eight_rounds_are_done_again_at_most),
	        cmocka_unit_test(another_schedule_keeps_its_own_rounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
