/* SPDX-License-Identifier: Apache-2.0 */
/* The library that fixes the iterations of Catch2, used as Catch2 uses the clock. What it does to real programs is
 * shown by tests/cli/frameworks_test.sh. */
#include <dlfcn.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define TICK_NS G_GINT64_CONSTANT(50000)
#define SAMPLE_NS (1000 * TICK_NS)
#define LEARNING 50017
#define WARM 10002
#define DOUBLINGS 2
#define LIBRARY BUILD_DIR "/firebreak-catch2clock.so"

static int (*read_clock)(clockid_t, struct timespec *);
static ssize_t (*print)(int, const void *, size_t);

static gint64 ns_by(int (*clock)(clockid_t, struct timespec *), clockid_t id)
{
	struct timespec time = {0};
	assert_int_equal(clock(id, &time), 0);
	return time.tv_sec * G_GINT64_CONSTANT(1000000000) + time.tv_nsec;
}

static gint64 told_ns(void)
{
	return ns_by(read_clock, CLOCK_MONOTONIC);
}

static void assert_true_clock(clockid_t id)
{
	gint64 before = ns_by(clock_gettime, id), told = ns_by(read_clock, id), after = ns_by(clock_gettime, id);
	assert_true(before <= told && told <= after);
}

static void print_text(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), out = dup(STDOUT_FILENO);
	assert_true(null >= 0 && out >= 0);
	dup2(null, STDOUT_FILENO);
	assert_int_equal(print(STDOUT_FILENO, "x", 1), 1);
	dup2(out, STDOUT_FILENO);
	close(null);
	close(out);
}

static void load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(library);
	*(void **)&read_clock = dlsym(library, "clock_gettime");
	*(void **)&print = dlsym(library, "write");
	assert_true(read_clock != NULL && print != NULL);
}

/* The time that so many readings take from the first to the last one. */
static gint64 read_times(guint n)
{
	gint64 first = told_ns(), last = first;
	for (guint i = 1; i < n; i++)
		last = told_ns();
	return last - first;
}

/* Looks for the iterations that take long enough; the number of doublings. */
static guint choose(void)
{
	for (guint d = 0; d < 30; d++) {
		gint64 began = told_ns(), took = told_ns() - began;
		assert_true(took == TICK_NS || took == SAMPLE_NS);
		if (took == SAMPLE_NS)
			return d;
	}
	return 30;
}

static gpointer read_elsewhere(gpointer data)
{
	(void)data;
	for (guint i = 0; i < 100; i++)
		assert_true_clock(CLOCK_MONOTONIC);
	return NULL;
}

static void the_clock_of_a_program_that_is_not_catch2_is_true(void **state)
{
	(void)state;
	load();
	for (guint i = 0; i < 100; i++)
		assert_true_clock(CLOCK_MONOTONIC);
}

static void iterations_are_enough_after_so_many_doublings(void **state)
{
	(void)state;
	load();
	assert_int_equal(read_times(LEARNING), (LEARNING - 1) * TICK_NS);
	for (guint benchmark = 0; benchmark < 3; benchmark++) {
		print_text();
		assert_int_equal(choose(), DOUBLINGS);
		print_text();
		assert_true(read_times(WARM) >= (WARM - 1) * TICK_NS);
		assert_int_equal(read_times(2 * 3), (2 * 3 - 1) * TICK_NS);
	}
}

static void other_clocks_and_other_threads_are_left_alone(void **state)
{
	(void)state;
	load();
	assert_true_clock(CLOCK_REALTIME);
	told_ns();
	g_thread_join(g_thread_new("other", read_elsewhere, NULL));
	struct timespec time;
	assert_int_equal(read_clock(12345, &time), -1);
}

/* Samples of 10 ms, and nothing else, are timed; work between them is not theirs. */
static void readings_are_counted_and_samples_timed(void **state)
{
	(void)state;
	load();
	read_times(LEARNING);
	print_text();
	choose();
	print_text();
	read_times(WARM);
	for (guint sample = 0; sample < 3; sample++) {
		told_ns();
		g_usleep(10000);
		told_ns();
		g_usleep(20000);
	}
	print_text();
	g_autofree char *log = NULL;
	assert_true(g_file_get_contents(g_getenv("FIREBREAK_CATCH2_LOG"), &log, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	assert_int_equal(g_strv_length(lines), 4);
	assert_string_equal(lines[1], "6 0");
	assert_true(g_str_has_prefix(lines[2], "10008 "));
	gint64 ns = g_ascii_strtoll(lines[2] + strlen("10008 "), NULL, 10);
	assert_true(ns >= 3 * G_GINT64_CONSTANT(10000000));
	assert_string_equal(lines[3], "");
}

/* The library looks at the arguments of the program that it is loaded into, so each test is a program of its own. */
static void run_alone(const char *test, const char *argument)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = g_dir_make_tmp("catch2clock-XXXXXX", NULL);
	g_autofree char *log = g_build_filename(folder, "log", NULL);
	const char *argv[] = {self, test, argument, NULL};
	int status = -1;
	g_setenv("FIREBREAK_CATCH2_DOUBLINGS", G_STRINGIFY(2), TRUE);
	g_setenv("FIREBREAK_CATCH2_LOG", log, TRUE);
	assert_true(g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
	g_unlink(log);
	g_rmdir(folder);
	assert_int_equal(status, 0);
}

static const struct CMUnitTest alone[] = {
        cmocka_unit_test(the_clock_of_a_program_that_is_not_catch2_is_true),
        cmocka_unit_test(iterations_are_enough_after_so_many_doublings),
        cmocka_unit_test(other_clocks_and_other_threads_are_left_alone),
        cmocka_unit_test(readings_are_counted_and_samples_timed),
};

static void start_test(void **state)
{
	const struct CMUnitTest *test = *state;
	gboolean is_catch2 = test != &alone[0];
	run_alone(test->name, is_catch2 ? "--benchmark-samples=3" : "--samples");
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[G_N_ELEMENTS(alone)];
	for (gsize i = 0; i < G_N_ELEMENTS(alone); i++) {
		if (argc > 1 && g_str_equal(argv[1], alone[i].name))
			return _cmocka_run_group_tests(alone[i].name, &alone[i], 1, NULL, NULL);
		tests[i] = (struct CMUnitTest){alone[i].name, start_test, NULL, NULL, (void *)&alone[i]};
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
