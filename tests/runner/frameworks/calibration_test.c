/* SPDX-License-Identifier: Apache-2.0 */
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

/* A side with an empty tree in a temporary folder. */
static Side side_in(const char *dir)
{
	g_autofree char *link_dir = g_build_filename(dir, "short", NULL);
	assert_int_equal(g_mkdir(link_dir, 0700), 0);
	Arena *arena = arena_new(dir, link_dir, NULL);
	Side side = {.name = "base", .arena = arena, .tree_dir = arena_draw(arena)};
	assert_int_equal(g_mkdir(side.tree_dir, 0700), 0);
	return side;
}

static void remove_side(Side *side, const char *dir)
{
	g_free(side->tree_dir);
	arena_free(side->arena);
	assert_true(durable_remove_tree(dir, NULL));
}

/* Two cases of Go, of which the short one fails with more than a thousand iterations, as one that fills a buffer. */
static void a_short_case_that_fails_is_not_run_again(void **state)
{
	static const char script[] =
	        "#!/bin/sh\nfor word; do case $word in\n"
	        "-test.benchtime=*) n=${word#*=}; n=${n%x};;\n-test.bench=*Push*) alone=1;;\nesac; done\n"
	        "[ \"$alone\" ] || echo \"BenchmarkBig $n 1000000 ns/op\"\n"
	        "[ $n -le 1000 ] || { echo $n >>$0.failed; exit 1; }\n"
	        "echo \"BenchmarkPush $n 2 ns/op\"\n";
	g_autofree char *dir = g_dir_make_tmp("firebreak-calibration-XXXXXX", NULL), *failed = NULL;
	g_autofree char *program = g_build_filename(dir, "ring", NULL), *log = g_strconcat(program, ".failed", NULL);
	(void)state;
	Side side = side_in(dir);
	assert_true(g_file_set_contents(program, script, -1, NULL));
	assert_int_equal(g_chmod(program, 0700), 0);
	char *command[] = {program, NULL};
	ConfigBenchmark benchmark = {.name = (char *)"ring", .framework = FRAMEWORK_GO, .timeout_ms = 60000};
	benchmark.command = command;
	benchmark.cwd = (char *)".";
	benchmark.gates = g_ptr_array_new();
	const RunRequest request = {.benchmark = &benchmark, .side = &side};
	FrameworkPlan plan = {.iterations = 100};
	g_autoptr(GError) error = NULL;
	if (!framework_calibrate(&request, .7, &plan, &error))
		fail_msg("%s", error->message);
	assert_int_equal(plan.cases->len, 2);
	assert_true(g_file_get_contents(log, &failed, NULL, NULL));
	assert_string_equal(failed, "10000\n");
	g_ptr_array_unref(plan.cases);
	g_ptr_array_unref(benchmark.gates);
	remove_side(&side, dir);
}

/* The program would run for a minute, which the benchmark's own timeout allows. */
static void a_probe_ends_when_the_time_of_the_check_is_over(void **state)
{
	(void)state;
	g_autofree char *dir = g_dir_make_tmp("firebreak-calibration-XXXXXX", NULL);
	Side side = side_in(dir);
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
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_TIMEOUT));
	assert_non_null(strstr(error->message, "timed out"));
	assert_true(g_get_monotonic_time() - start_us < 55 * G_USEC_PER_SEC);
	remove_side(&side, dir);
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
	        cmocka_unit_test(probes_are_bounded_by_what_the_last_one_took),
	        cmocka_unit_test(a_short_case_that_fails_is_not_run_again),
	        cmocka_unit_test(a_probe_ends_when_the_time_of_the_check_is_over),
	        cmocka_unit_test(without_a_limit_the_time_of_a_plan_is_not_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
