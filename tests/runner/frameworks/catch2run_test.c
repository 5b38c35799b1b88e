/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/catch2run.h"

#include "core/durable.h"
#include "runner/frameworks/frameworkoutput.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* 160,000 iterations are 20,000 samples of 8, after 15. */
#define ASKED 160000
#define ITERATIONS 160015
#define RESULT(name)                                                                                                   \
	"<BenchmarkResults name=\"" name "\" samples=\"20000\" iterations=\"8\"><mean "                                \
	"value=\"0\"/></BenchmarkResults>"
/* The library writes so of them: the readings around 1, 2, 4 and 8 iterations, and those of the samples, which took
 * .32 and .64 s. */
#define FIRST "8 0\n50002 320000000\n"
#define SECOND "8 0\n50002 640000000\n"

/* The cases of a run that was asked for them, printed this, and wrote this log, NULL = none. */
static GPtrArray *cases_of(const char *log, const char *output)
{
	g_autofree char *dir = g_dir_make_tmp("catch2run-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "catch2.log", NULL);
	if (log != NULL)
		assert_true(g_file_set_contents(path, log, -1, NULL));
	g_autoptr(GArray) times = catch2_sample_times(dir, ASKED, FALSE);
	GPtrArray *cases = catch2_output_parse(output, times, NULL);
	assert_non_null(cases);
	catch2_settle(cases, ASKED, FALSE, times->len);
	g_unlink(path);
	g_rmdir(dir);
	return cases;
}

static const FrameworkCase *case_at(const GPtrArray *cases, guint i)
{
	return cases->pdata[i];
}

static void benchmarks_that_did_what_was_asked_for_have_the_times_of_the_log(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) cases =
	        cases_of("50017 9\n" FIRST "3 0\n" SECOND "1 0\n", "<Catch>" RESULT("a") RESULT("b"));
	assert_int_equal(cases->len, 2);
	assert_true(case_at(cases, 0)->reported == ASKED && case_at(cases, 0)->iterations == ITERATIONS);
	assert_true(case_at(cases, 0)->ns == 2000);
	assert_true(case_at(cases, 1)->reported == ASKED && case_at(cases, 1)->ns == 4000);
}

static void benchmarks_of_one_name_are_repetitions(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) cases = cases_of("50017 9\n" FIRST SECOND, "<Catch>" RESULT("a") RESULT("a"));
	assert_int_equal(cases->len, 1);
	assert_true(case_at(cases, 0)->reported == ASKED && case_at(cases, 0)->iterations == 2 * ITERATIONS);
	assert_true(case_at(cases, 0)->ns == 3000);
}

static void other_readings_tell_nothing(void **state)
{
	static const char *const logs[] = {NULL, "", "8 0\n", "8 0\n50004 1\n", "10 0\n50002 1\n", "50002 1\n",
	        FIRST SECOND, "8 0\n3 0\n50002 1\n", "x\ny\n"};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(logs); i++) {
		g_autoptr(GPtrArray) cases = cases_of(logs[i], "<Catch>" RESULT("a"));
		assert_true(isnan(case_at(cases, 0)->reported));
	}
}

static void other_samples_or_iterations_than_the_log_tells_of_tell_nothing(void **state)
{
	static const char *const outputs[] = {
	        "<Catch><BenchmarkResults name=\"a\" samples=\"20000\" iterations=\"9\"><mean value=\"0\"/>"
	        "</BenchmarkResults>",
	        "<Catch><BenchmarkResults name=\"a\" samples=\"16000\" iterations=\"10\"><mean value=\"0\"/>"
	        "</BenchmarkResults>",
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
		g_autoptr(GPtrArray) cases = cases_of(FIRST, outputs[i]);
		assert_true(isnan(case_at(cases, 0)->reported));
	}
}

/* A case that writes to a stream cost 1034 ns in samples of 7 ms, and 508 ns in those that Catch2 itself chooses. */
static void samples_are_as_short_as_those_of_catch2_itself(void **state)
{
	(void)state;
	assert_int_equal(catch2_samples(3, FALSE), 3);
	assert_true(catch2_iterations(3, FALSE) == 4);
	assert_int_equal(catch2_samples(32767, FALSE), 32767);
	assert_int_equal(catch2_samples(32768, FALSE), 16384);
	assert_true(catch2_iterations(32768, FALSE) == 16384 * 2 + 3);
	assert_int_equal(catch2_samples(ASKED, FALSE), 20000);
	assert_true(catch2_iterations(ASKED, FALSE) == ITERATIONS);
	assert_int_equal(catch2_samples(1000000000, FALSE), 30517);
	assert_true(catch2_iterations(1000000000, FALSE) == (30517. + 2) * (1 << 15) - 1);
	/* of a case of 500 ns, which does 1,400,000 in .7 s, a sample takes 32 us */
	assert_int_equal(1400000 / catch2_samples(1400000, FALSE), 64);
}

static void counted_runs_have_few_samples(void **state)
{
	(void)state;
	assert_int_equal(catch2_samples(127, TRUE), 127);
	assert_int_equal(catch2_samples(128, TRUE), 64);
	assert_int_equal(catch2_samples(100000, TRUE), 97);
	assert_true(catch2_iterations(100000, TRUE) == 97 * 1024 + 2047);
}

static void what_was_asked_for_is_found_from_what_was_counted(void **state)
{
	(void)state;
	for (guint asked = 1; asked <= 500000000; asked = asked * 5 / 4 + 1) {
		double counted = catch2_iterations(asked, TRUE);
		assert_true(catch2_iterations(catch2_asked(counted), TRUE) == counted);
	}
	assert_int_equal(catch2_asked(97 * 1024 + 2047), 97 * 1024);
	assert_int_equal(catch2_asked(.5), 1);
}

static void the_library_is_told_how_often_iterations_double(void **state)
{
	(void)state;
	g_auto(GStrv) environment = g_environ_setenv(g_new0(char *, 1), "LD_PRELOAD", "/own.so", TRUE);
	environment = catch2_environment("/run", ASKED, FALSE, g_steal_pointer(&environment));
	assert_true(catch2_can_fix(NULL));
	assert_non_null(strstr(g_environ_getenv(environment, "LD_PRELOAD"), "/firebreak-catch2clock.so:/own.so"));
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_CATCH2_DOUBLINGS"), "3");
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_CATCH2_LOG"), "/run/catch2.log");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(benchmarks_that_did_what_was_asked_for_have_the_times_of_the_log),
	        cmocka_unit_test(benchmarks_of_one_name_are_repetitions),
	        cmocka_unit_test(other_readings_tell_nothing),
	        cmocka_unit_test(other_samples_or_iterations_than_the_log_tells_of_tell_nothing),
	        cmocka_unit_test(samples_are_as_short_as_those_of_catch2_itself),
	        cmocka_unit_test(counted_runs_have_few_samples),
	        cmocka_unit_test(what_was_asked_for_is_found_from_what_was_counted),
	        cmocka_unit_test(the_library_is_told_how_often_iterations_double),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
