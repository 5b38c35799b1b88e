/* SPDX-License-Identifier: Apache-2.0 */
/* The library that fixes the iterations of libtest, beside the clock as it is. What it does to real programs is shown
 * by tests/cli/frameworks_test.sh. */
#include <dlfcn.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define READINGS 204
#define N 2000 /* iterations, so that the first one is to take 500 ns */

static int (*read_clock)(clockid_t, struct timespec *);
static ssize_t (*print)(int, const void *, size_t);
static char *log_path;

static gint64 ns_by(int (*clock)(clockid_t, struct timespec *), clockid_t id)
{
	struct timespec time = {0};
	assert_int_equal(clock(id, &time), 0);
	return time.tv_sec * G_GINT64_CONSTANT(1000000000) + time.tv_nsec;
}

static gint64 true_ns(void)
{
	return ns_by(clock_gettime, CLOCK_MONOTONIC);
}

static gint64 told_ns(void)
{
	return ns_by(read_clock, CLOCK_MONOTONIC);
}

/* Prints on standard output, which is not shown. */
static void print_text(const char *text)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), out = dup(STDOUT_FILENO);
	assert_true(null >= 0 && out >= 0);
	dup2(null, STDOUT_FILENO);
	assert_int_equal(print(STDOUT_FILENO, text, strlen(text)), strlen(text));
	dup2(out, STDOUT_FILENO);
	close(null);
	close(out);
}

static int set_up(void **state)
{
	(void)state;
	g_autofree char *folder = g_dir_make_tmp("libtestclock-XXXXXX", NULL);
	log_path = g_build_filename(folder, "log", NULL);
	g_autofree char *asked = g_strdup_printf("%d", N);
	g_setenv("FIREBREAK_LIBTEST_ITERATIONS", asked, TRUE);
	g_setenv("FIREBREAK_LIBTEST_LOG", log_path, TRUE);
	void *library = dlopen(BUILD_DIR "/firebreak-libtestclock.so", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return -1;
	*(void **)&read_clock = dlsym(library, "clock_gettime");
	*(void **)&print = dlsym(library, "write");
	return read_clock != NULL && print != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	g_autofree char *folder = g_path_get_dirname(log_path);
	g_unlink(log_path);
	g_rmdir(folder);
	g_free(log_path);
	return 0;
}

/* Reads the clock so many times, each time truly. */
static void assert_true_readings(guint n)
{
	for (guint i = 0; i < n; i++) {
		gint64 before = true_ns(), told = told_ns(), after = true_ns();
		assert_true(before <= told && told <= after);
	}
}

/* One case, as libtest reads the clock: the first iteration took 500 ns, and at the end enough time has passed. */
static void assert_case(void)
{
	gint64 before = true_ns(), first = told_ns(), after = true_ns();
	assert_true(before <= first && first <= after);
	assert_int_equal(told_ns() - first, 1000000 / N);
	assert_true_readings(READINGS - 3);
	before = true_ns();
	assert_true(told_ns() - before > G_GINT64_CONSTANT(3000000000));
}

static void assert_log(const char *wanted)
{
	g_autofree char *log = NULL;
	assert_true(g_file_get_contents(log_path, &log, NULL, NULL));
	assert_string_equal(log, wanted);
}

static void a_program_that_is_not_libtest_has_a_true_clock(void **state)
{
	(void)state;
	print_text("hello\n");
	assert_true_readings(2 * READINGS);
	print_text("walk, or\nrunning 3 tests\n");
	assert_true_readings(2 * READINGS);
	assert_false(g_file_test(log_path, G_FILE_TEST_EXISTS));
}

static void two_readings_of_a_case_are_changed_and_all_are_counted(void **state)
{
	(void)state;
	print_text("\nrunning 3 tests\n");
	assert_case();
	print_text("test a ... ");
	print_text("bench");
	assert_log("204\n");
	assert_case();
	assert_case(); /* Bencher::iter twice in one function */
	print_text("test b ... ");
	assert_log("204\n408\n");
	assert_case();
	told_ns();
	print_text("test c ... ");
	assert_log("204\n408\n205\n");
	told_ns(); /* at the end of all */
	print_text("\ntest result: ok.");
	assert_log("204\n408\n205\n");
}

static gpointer read_elsewhere(gpointer data)
{
	(void)data;
	assert_true_readings(2 * READINGS);
	return NULL;
}

static void other_clocks_and_other_threads_are_left_alone(void **state)
{
	(void)state;
	print_text("\nrunning 1 test\n");
	told_ns();
	g_thread_join(g_thread_new("other", read_elsewhere, NULL));
	gint64 before = ns_by(clock_gettime, CLOCK_REALTIME), told = ns_by(read_clock, CLOCK_REALTIME);
	assert_true(told - before >= 0 && told - before < G_GINT64_CONSTANT(1000000000));
	gint64 first = true_ns();
	assert_true(told_ns() < first); /* the second reading of this thread */
	struct timespec time;
	assert_int_equal(read_clock(12345, &time), -1);
	print_text("\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_program_that_is_not_libtest_has_a_true_clock),
	        cmocka_unit_test(two_readings_of_a_case_are_changed_and_all_are_counted),
	        cmocka_unit_test(other_clocks_and_other_threads_are_left_alone),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
