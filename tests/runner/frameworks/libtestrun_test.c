/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/libtestrun.h"

#include "core/durable.h"
#include "runner/frameworks/frameworkoutput.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define OUTPUT "test a ... bench:   50.00 ns/iter (+/- 1)\ntest b ... bench:   70.00 ns/iter (+/- 1)\n"

/* The cases of a run that was asked for 500 and wrote this log, NULL = none. */
static GPtrArray *cases_of(const char *log)
{
	g_autofree char *dir = g_dir_make_tmp("libtestrun-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "libtest.log", NULL);
	GPtrArray *cases = libtest_output_parse(OUTPUT, NULL);
	if (log != NULL)
		assert_true(g_file_set_contents(path, log, -1, NULL));
	libtest_read_log(dir, 500, cases);
	g_unlink(path);
	g_rmdir(dir);
	return cases;
}

static const FrameworkCase *case_at(const GPtrArray *cases, guint i)
{
	return cases->pdata[i];
}

static void cases_with_the_readings_of_libtest_did_what_was_asked_for(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) cases = cases_of("204\n408\n");
	assert_true(case_at(cases, 0)->reported == 500 && case_at(cases, 0)->iterations == 150001);
	assert_true(case_at(cases, 1)->reported == 500 && case_at(cases, 1)->iterations == 300002);
	assert_true(case_at(cases, 1)->ns == 70);
}

static void other_readings_tell_nothing(void **state)
{
	static const char *const logs[] = {NULL, "", "204\n", "204\n205\n", "204\n204\n204\n", "204\nx5\n"};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(logs); i++) {
		g_autoptr(GPtrArray) cases = cases_of(logs[i]);
		for (guint j = 0; j < 2; j++)
			assert_true(isnan(case_at(cases, j)->reported) && isnan(case_at(cases, j)->iterations));
	}
}

/* By division of whole numbers: 1 ms / (1 ms / n). */
static void the_iterations_of_a_case_are_those_that_libtest_makes_of_a_time(void **state)
{
	(void)state;
	assert_true(libtest_iterations(1) == 301);
	assert_true(libtest_iterations(500) == 150001);
	assert_true(libtest_iterations(300000) == 1 + 300. * 333333);
	assert_true(libtest_iterations(1000000) == 300000001);
	assert_true(libtest_iterations(2000000) == 300000001);
	for (guint n = 1; n <= LIBTEST_MAX_ITERATIONS; n *= 10)
		assert_int_equal(libtest_asked(libtest_iterations(n)), n);
	assert_int_equal(libtest_asked(1), 1);
}

static void the_library_comes_before_those_of_the_environment(void **state)
{
	(void)state;
	g_auto(GStrv) environment = g_environ_setenv(g_new0(char *, 1), "LD_PRELOAD", "/own.so", TRUE);
	environment = libtest_environment("/run", 500, g_steal_pointer(&environment));
	const char *preload = g_environ_getenv(environment, "LD_PRELOAD");
	assert_true(libtest_can_fix(NULL));
	assert_non_null(strstr(preload, "/firebreak-libtestclock.so:/own.so"));
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_LIBTEST_ITERATIONS"), "500");
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_LIBTEST_LOG"), "/run/libtest.log");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cases_with_the_readings_of_libtest_did_what_was_asked_for),
	        cmocka_unit_test(other_readings_tell_nothing),
	        cmocka_unit_test(the_iterations_of_a_case_are_those_that_libtest_makes_of_a_time),
	        cmocka_unit_test(the_library_comes_before_those_of_the_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
