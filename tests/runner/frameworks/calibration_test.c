#include "runner/frameworks/calibration.h"

#include "core/durable.h"
#include "core/error.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void iterations_are_round_numbers(void **state)
{
	(void)state;
	assert_int_equal(framework_round(0), 1);
	assert_int_equal(framework_round(4999), 2000);
	assert_int_equal(framework_round(5000), 5000);
	assert_int_equal(framework_round(1e12), 1000000000);
}

static void samples_follow_the_CPU_time_that_they_used(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, 2e8, 1e9, 7e8) == 3500);
	assert_true(framework_samples(1000, 7e8, 1e9, 2e8) < 1000);
}

/* On a busy machine a run of few samples takes no longer than one of very few. */
static void samples_that_say_little_are_not_multiplied_by_much(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, -1e6, 1e9, 7e8) == 5000);
	assert_true(framework_samples(1000, 1, 1e9, 7e8) == 5000);
	assert_true(framework_samples(500000, 0, 1e9, 7e8) == 1000000);
	assert_true(framework_samples(20, 7e8, 1e9, 1) == 10);
}

static void a_run_that_is_long_by_the_wall_gets_no_longer(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, 1e8, 3e9, 7e8) == 2000);
	assert_true(framework_samples(1000, 1e8, 12e9, 7e8) == 500);
}

/* Of a program whose start takes long the next probe may do many more; one whose iterations take long, a few. */
static void probes_are_bounded_by_what_the_last_one_took(void **state)
{
	(void)state;
	assert_int_equal(framework_next_iterations(3, 1e6, 0, 2e9), 300);
	assert_int_equal(framework_next_iterations(3, 3e8, 0, 2e9), 20);
	assert_int_equal(framework_next_iterations(3, 5e9, 0, 2e9), 6);
	assert_int_equal(framework_next_iterations(6, 0, 1e9, 2e9), 545);
	assert_int_equal(framework_next_iterations(500000000, 1e6, 0, 2e9), 1000000000);
}

/* The program would run for a minute, which the benchmark's own timeout allows. */
static void a_probe_ends_when_the_time_of_the_check_is_over(void **state)
{
	(void)state;
	g_autofree char *dir = g_dir_make_tmp("firebreak-calibration-XXXXXX", NULL);
	g_autofree char *link_dir = g_build_filename(dir, "short", NULL);
	assert_int_equal(g_mkdir(link_dir, 0700), 0);
	Arena *arena = arena_new(dir, link_dir, NULL);
	Side side = {.name = "base", .arena = arena, .tree_dir = arena_draw(arena)};
	assert_int_equal(g_mkdir(side.tree_dir, 0700), 0);
	char *command[] = {(char *)"sleep", (char *)"60", NULL};
	const ConfigBenchmark benchmark = {.name = (char *)"waits",
	        .command = command,
	        .cwd = (char *)".",
	        .framework = FRAMEWORK_GOOGLE_BENCHMARK,
	        .timeout_ms = 600000};
	const RunRequest request = {.benchmark = &benchmark, .side = &side};
	FrameworkPlan plan = {0};
	g_autoptr(GError) error = NULL;
	gint64 start_us = g_get_monotonic_time();
	framework_plan_limit(&plan, .05);
	assert_false(framework_calibrate(&request, .7, &plan, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(error->message, "timed out"));
	assert_true(g_get_monotonic_time() - start_us < 55 * G_USEC_PER_SEC);
	g_free(side.tree_dir);
	arena_free(arena);
	assert_true(durable_remove_tree(dir, NULL));
}

static void without_a_limit_the_time_of_a_plan_is_not_over(void **state)
{
	(void)state;
	FrameworkPlan plan = {.end_ns = 7};
	framework_plan_limit(&plan, INFINITY);
	assert_int_equal(plan.end_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(iterations_are_round_numbers),
	        cmocka_unit_test(samples_follow_the_CPU_time_that_they_used),
	        cmocka_unit_test(samples_that_say_little_are_not_multiplied_by_much),
	        cmocka_unit_test(a_run_that_is_long_by_the_wall_gets_no_longer),
	        cmocka_unit_test(probes_are_bounded_by_what_the_last_one_took),
	        cmocka_unit_test(a_probe_ends_when_the_time_of_the_check_is_over),
	        cmocka_unit_test(without_a_limit_the_time_of_a_plan_is_not_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
