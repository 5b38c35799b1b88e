/* SPDX-License-Identifier: Apache-2.0 */
/* The control protocol, from both ends of its pipes. */
#include "core/durable.h"
#include "runner/record/control.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* One benchmark's end of the pipes, and what the switch was told. */
typedef struct {
	char *dir;
	Control *control;
	GString *turns; /* "+" on, "-" off */
	int commands, answers;
} Benchmark;

static gboolean turn(gpointer data, gboolean on, GError **error)
{
	(void)error;
	g_string_append_c(((Benchmark *)data)->turns, on ? '+' : '-');
	return TRUE;
}

static void start(Benchmark *benchmark)
{
	benchmark->dir = g_dir_make_tmp("firebreak-control-XXXXXX", NULL);
	benchmark->turns = g_string_new(NULL);
	benchmark->control = control_new(benchmark->dir, turn, benchmark, NULL);
	assert_non_null(benchmark->control);
	benchmark->commands = open(control_command_path(benchmark->control), O_WRONLY | O_NONBLOCK);
	benchmark->answers = open(control_answer_path(benchmark->control), O_RDONLY | O_NONBLOCK);
	assert_true(benchmark->commands >= 0 && benchmark->answers >= 0);
}

static void stop(Benchmark *benchmark)
{
	close(benchmark->commands);
	close(benchmark->answers);
	control_free(benchmark->control);
	durable_remove_tree(benchmark->dir, NULL);
	g_free(benchmark->dir);
	g_string_free(benchmark->turns, TRUE);
}

static int set_up(void **state)
{
	Benchmark *both = g_new0(Benchmark, 2);
	start(&both[0]);
	start(&both[1]);
	*state = both;
	return 0;
}

static int tear_down(void **state)
{
	Benchmark *both = *state;
	stop(&both[0]);
	stop(&both[1]);
	g_free(both);
	return 0;
}

static void serve(const Benchmark *benchmark)
{
	ChildWatch watch = control_watch(benchmark->control);
	assert_true(watch.ready(watch.data, NULL));
}

static void say(const Benchmark *benchmark, const char *text)
{
	assert_int_equal(write(benchmark->commands, text, strlen(text)), strlen(text));
	serve(benchmark);
}

static void assert_answer(const Benchmark *benchmark, const char *wanted)
{
	char answer[256] = "";
	gssize n = read(benchmark->answers, answer, sizeof answer - 1);
	answer[MAX(n, 0)] = '\0';
	assert_string_equal(answer, wanted);
}

static ControlFacts finish(const Benchmark *benchmark, gint64 end_ns)
{
	ControlFacts facts;
	assert_true(control_finish(benchmark->control, end_ns, &facts, NULL));
	return facts;
}

static void a_region_is_switched_on_and_off_and_every_command_is_answered(void **state)
{
	Benchmark *one = *state;
	say(one, "ping\n");
	assert_answer(one, "ack\n");
	assert_string_equal(one->turns->str, "");
	say(one, "enable\n");
	assert_answer(one, "ack\n");
	assert_string_equal(one->turns->str, "+");
	say(one, "disable\n");
	assert_answer(one, "ack\n");
	assert_string_equal(one->turns->str, "+-");
	ControlFacts facts = finish(one, G_MAXINT64);
	assert_true(facts.first_ns > 0 && facts.end_ns >= facts.first_ns);
	assert_int_equal(facts.enabled_ns, facts.end_ns - facts.first_ns);
	assert_false(facts.left_on);
	assert_int_equal(facts.unknown_commands, 0);
}

static void times_of_several_regions_add_up(void **state)
{
	Benchmark *one = *state;
	say(one, "enable\n");
	say(one, "disable\n");
	g_usleep(20000);
	say(one, "enable\n");
	say(one, "disable\n");
	ControlFacts facts = finish(one, G_MAXINT64);
	assert_string_equal(one->turns->str, "+-+-");
	assert_true(facts.end_ns - facts.first_ns >= 20000000);
	assert_true(facts.enabled_ns + 20000000 <= (guint64)(facts.end_ns - facts.first_ns));
}

static void what_is_said_twice_is_done_once(void **state)
{
	Benchmark *one = *state;
	say(one, "disable\nenable\nenable\ndisable\ndisable\n");
	assert_answer(one, "ack\nack\nack\nack\nack\n");
	assert_string_equal(one->turns->str, "+-");
}

static void a_command_may_come_in_pieces_and_end_with_a_nul(void **state)
{
	Benchmark *one = *state;
	say(one, "ena");
	assert_answer(one, "");
	say(one, "ble\ndis");
	assert_answer(one, "ack\n");
	assert_int_equal(write(one->commands, "able", 5), 5);
	serve(one);
	assert_answer(one, "ack\n");
	assert_string_equal(one->turns->str, "+-");
}

static void unknown_commands_are_answered_with_an_error_and_counted(void **state)
{
	Benchmark *one = *state;
	g_autofree char *endless = g_strnfill(5000, 'e');
	say(one, "stop\n");
	assert_answer(one, "error\n");
	say(one, "enable cycles\n");
	assert_answer(one, "error\n");
	say(one, "\n\nenable \n");
	assert_answer(one, "error\n");
	assert_int_equal(write(one->commands, endless, 5000), 5000);
	for (int i = 0; i < 5; i++)
		serve(one);
	say(one, "\nping\n");
	assert_answer(one, "error\nack\n");
	assert_string_equal(one->turns->str, "");
	ControlFacts facts = finish(one, G_MAXINT64);
	assert_int_equal(facts.unknown_commands, 4);
	assert_string_equal(facts.first_unknown, "stop");
}

static void answers_that_nobody_reads_do_not_stop_us(void **state)
{
	Benchmark *one = *state;
	for (int i = 0; i < 2000; i++)
		say(one, "ping\nping\nping\nping\nping\nping\nping\nping\nping\nping\n");
	say(one, "enable\n");
	assert_string_equal(one->turns->str, "+");
}

static void a_region_that_never_began_has_no_time(void **state)
{
	Benchmark *one = *state;
	ControlFacts facts = finish(one, G_MAXINT64);
	assert_int_equal(facts.first_ns, 0);
	assert_int_equal(facts.enabled_ns, 0);
	assert_false(facts.left_on);
}

static void a_region_left_open_ends_with_the_process(void **state)
{
	Benchmark *one = *state;
	say(one, "enable\n");
	gint64 end_ns = g_get_monotonic_time() * 1000 + 5000000;
	ControlFacts facts = finish(one, end_ns);
	assert_true(facts.left_on);
	assert_int_equal(facts.end_ns, end_ns);
	assert_string_equal(one->turns->str, "+-");
}

static void a_last_word_before_the_end_still_counts(void **state)
{
	Benchmark *one = *state;
	say(one, "enable\n");
	gint64 end_ns = g_get_monotonic_time() * 1000 + 1000;
	g_usleep(2000);
	assert_int_equal(write(one->commands, "disable\n", 8), 8);
	ControlFacts facts = finish(one, end_ns);
	assert_false(facts.left_on);
	assert_int_equal(facts.end_ns, end_ns);
}

static void two_that_are_to_meet_start_together(void **state)
{
	Benchmark *one = *state, *other = one + 1;
	control_meet(one->control, other->control);
	say(one, "enable\n");
	assert_answer(one, "");
	assert_true(control_waiting_ns(one->control) >= 0);
	assert_string_equal(one->turns->str, "");
	say(other, "enable\n");
	assert_answer(one, "ack\n");
	assert_answer(other, "ack\n");
	assert_string_equal(one->turns->str, "+");
	assert_string_equal(other->turns->str, "+");
	/* only the first time */
	say(one, "disable\nenable\n");
	assert_answer(one, "ack\nack\n");
}

static void nobody_waits_for_a_run_that_has_ended(void **state)
{
	Benchmark *one = *state, *other = one + 1;
	control_meet(one->control, other->control);
	say(one, "enable\n");
	assert_true(control_go_on(one->control, NULL));
	assert_answer(one, "ack\n");
	assert_string_equal(one->turns->str, "+");
	assert_int_equal(control_waiting_ns(one->control), -1);
	say(other, "enable\n");
	assert_answer(other, "ack\n");
}

static void one_that_does_not_wait_for_its_answer_is_not_kept_waiting(void **state)
{
	Benchmark *one = *state, *other = one + 1;
	control_meet(one->control, other->control);
	say(one, "enable\ndisable\n");
	assert_answer(one, "ack\nack\n");
	assert_string_equal(one->turns->str, "+-");
	say(other, "enable\n");
	assert_answer(other, "ack\n");
}

static void a_run_that_waits_to_its_end_never_began(void **state)
{
	Benchmark *one = *state, *other = one + 1;
	control_meet(one->control, other->control);
	say(one, "enable\n");
	ControlFacts facts = finish(one, G_MAXINT64);
	assert_int_equal(facts.first_ns, 0);
	assert_string_equal(one->turns->str, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                a_region_is_switched_on_and_off_and_every_command_is_answered, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(times_of_several_regions_add_up, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_said_twice_is_done_once, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_command_may_come_in_pieces_and_end_with_a_nul, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                unknown_commands_are_answered_with_an_error_and_counted, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(answers_that_nobody_reads_do_not_stop_us, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_region_that_never_began_has_no_time, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_region_left_open_ends_with_the_process, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_last_word_before_the_end_still_counts, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_that_are_to_meet_start_together, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(nobody_waits_for_a_run_that_has_ended, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                one_that_does_not_wait_for_its_answer_is_not_kept_waiting, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_run_that_waits_to_its_end_never_began, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
