/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that programs which calibrate themselves are found among what a run executes, whoever starts them. */
#include "runner/frameworks/programwatch.h"

#include "runner/frameworks/frameworks.h"
#include "tests/runner/hintfixture.h"

/* In two halves, so that this test is no such program. */
#define NANOBENCH                                                                                                      \
	"NANOBENCH_"                                                                                                   \
	"ENDLESS"
#define GOOGLE                                                                                                         \
	"_ZN9benchmark22RunSpecified"                                                                                  \
	"Benchmarks"
#define GOOGLE_TAKES                                                                                                   \
	"min_time=`<integer>x` OR"                                                                                     \
	" `<float>s`"

/* A program that is written with a framework: a real one, with a text at its end. */
static void put_program(const char *tree, const char *path, const char *program, const char *mark)
{
	g_autofree char *whole = g_build_filename(tree, path, NULL), *bytes = NULL;
	gsize length;
	put(tree, path, "", 0755);
	assert_true(g_file_get_contents(program, &bytes, &length, NULL));
	g_autoptr(GByteArray) all = g_byte_array_new();
	g_byte_array_append(all, (const guint8 *)bytes, (guint)length);
	g_byte_array_append(all, (const guint8 *)mark, (guint)strlen(mark) + 1);
	assert_true(g_file_set_contents(whole, (const char *)all->data, all->len, NULL));
	assert_int_equal(g_chmod(whole, 0755), 0);
}

static gboolean tick(gpointer watch, GError **error)
{
	(void)error;
	program_watch_look(watch);
	return TRUE;
}

/* Runs a text in the tree. The program that calibrates itself, as it is named; "" if there is none. */
static char *watched(const char *tree, const char *text, gboolean closely, ProgramMemory *memory)
{
	const char *argv[] = {"/bin/sh", "-c", text, NULL}, *envp[] = {"PATH=/usr/bin:/bin", NULL};
	const ChildSpec spec = {.argv = argv, .envp = envp, .cwd = tree};
	const ConfigBenchmark benchmark = {.name = (char *)"one"};
	const Side side = {.tree_dir = (char *)tree};
	const RunRequest request = {.benchmark = &benchmark, .side = &side};
	RunOutcome outcome = {0};
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_non_null(child);
	g_autoptr(ProgramWatch) watch = program_watch_new(child_pid(child), closely, memory);
	program_watch_timer(watch, watches);
	const ChildDuties duties = {tick, watch, (const ChildWatch *)(void *)watches->data, watches->len};
	child_release(child);
	assert_true(child_wait_all(&child, 1, &duties, NULL));
	program_watch_judge(watch, &request, &outcome);
	print_message("%s\n", outcome.failure != NULL ? outcome.failure : "none");
	assert_int_equal(outcome.failure != NULL, g_strcmp0(outcome.failure_code, CALIBRATES_FAILURE) == 0);
	g_auto(GStrv) words = g_strsplit(outcome.failure != NULL ? outcome.failure : "its command starts ,", " ", 5);
	words[3][strlen(words[3]) - 1] = '\0';
	run_outcome_clear(&outcome);
	return g_strdup(words[3]);
}

static void assert_found(const char *tree, const char *text, const char *expected)
{
	g_autoptr(ProgramMemory) memory = program_memory_new();
	g_autofree char *found = watched(tree, text, TRUE, memory);
	assert_string_equal(found, expected);
}

static void a_program_is_found_whoever_starts_it(void **state)
{
	put_program(*state, "build/bench", "/bin/sleep", NANOBENCH);
	put(*state, "inner.sh", "#!/bin/sh\n\"$(dirname \"$0\")\"/build/b*h .4\n", 0755);
	put(*state, "outer.sh", "#!/bin/sh\nenv X=1 ./inner.sh\n", 0755);
	assert_found(*state, "build/bench .4", "build/bench");
	assert_found(*state, "x=build; exec $x/bench .4", "build/bench");
	assert_found(*state, "./outer.sh", "build/bench");
	assert_found(*state, "cd / && \"$OLDPWD\"/build/bench .4 | cat", "build/bench");
	assert_found(*state, "sleep .1; cat build/bench >/dev/null", "");
}

/* On a busy machine one may pass unseen. */
static void a_run_of_milliseconds_is_seen(void **state)
{
	g_autoptr(ProgramMemory) memory = program_memory_new();
	gboolean seen = FALSE;
	put_program(*state, "bench", "/bin/sleep", NANOBENCH);
	for (guint i = 0; i < 50 && !seen; i++) {
		g_autofree char *found = watched(*state, "x=.; $x/bench .015", TRUE, memory);
		seen = g_str_equal(found, "bench");
	}
	assert_true(seen);
}

static void a_program_that_is_removed_is_found(void **state)
{
	g_autofree char *gone = g_build_filename(*state, "bench", NULL);
	put_program(*state, "bench", "/bin/sleep", NANOBENCH);
	assert_found(*state, "./bench .5 & sleep .4; rm bench; wait", "bench");
	assert_false(g_file_test(gone, G_FILE_TEST_EXISTS));
}

static void one_that_takes_the_place_of_another_is_found(void **state)
{
	put_program(*state, "bench", "/bin/sleep", "no mark");
	put_program(*state, "other", "/bin/sleep", NANOBENCH);
	assert_found(*state, "./bench .1; mv other bench; ./bench .4", "bench");
}

static void arguments_of_the_process_decide(void **state)
{
	/* as if it was the shell that a benchmark is */
	put_program(*state, "bench", "/bin/sh", GOOGLE " " GOOGLE_TAKES);
	assert_found(*state, "./bench -c 'sleep .4; true' x --benchmark_min_time=100x", "");
	assert_found(*state, "./bench -c 'sleep .4; true' x --benchmark_list_tests", "");
	assert_found(*state, "./bench -c 'sleep .4; true' x --benchmark_min_time=.5", "bench");
	assert_found(
	        *state, "./bench -c 'sleep .4; true' x --benchmark_min_time=9x; ./bench -c 'sleep .4; true'", "bench");
}

static void a_process_that_is_left_behind_is_found(void **state)
{
	put_program(*state, "bench", "/bin/sleep", NANOBENCH);
	assert_found(*state, "(setsid ./bench .4 &) & sleep .1", "bench");
}

/* TRUE if a run of that text, in the tree, asks such a clock. */
static gboolean asks(const char *tree, const char *text, ProgramMemory *memory)
{
	const char *argv[] = {"/bin/sh", "-c", text, NULL}, *envp[] = {"PATH=/usr/bin:/bin", NULL};
	const ChildSpec spec = {.argv = argv, .envp = envp, .cwd = tree};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_non_null(child);
	g_autoptr(ProgramWatch) watch = program_watch_new(child_pid(child), TRUE, memory);
	const ChildDuties duties = {.tick = tick, .data = watch};
	child_release(child);
	assert_true(child_wait_all(&child, 1, &duties, NULL));
	return program_watch_asks_cpu_clock(watch);
}

static void a_clock_of_cpu_time_is_noticed(void **state)
{
	static const char names[] = "a_clock";
	g_autoptr(ProgramMemory) memory = program_memory_new();
	put_program(*state, "asks", "/bin/sleep", "getrusage");
	/* the shell asks, but it is of the system */
	assert_false(asks(*state, "sleep .4; true", memory));
	for (guint i = 0; i < 2; i++)
		assert_true(asks(*state, "./asks .4; true", memory));
	put(*state, "other", "", 0755);
	g_autofree char *other = g_build_filename(*state, "other", NULL);
	assert_true(g_file_set_contents(other, ELF "\0a_clock\0clocks", sizeof ELF + sizeof names + 6, NULL));
	assert_false(framework_file_asks_cpu_clock(other));
	assert_true(g_file_set_contents(other, ELF "\0clock\0", sizeof ELF + 6, NULL));
	assert_true(framework_file_asks_cpu_clock(other));
	/* which asks it in a library of the system */
	assert_true(g_file_set_contents(other, ELF "\0_gfortran_cpu_time_4\0", sizeof ELF + 21, NULL));
	assert_true(framework_file_asks_cpu_clock(other));
}

static void what_was_read_is_remembered(void **state)
{
	g_autoptr(ProgramMemory) memory = program_memory_new();
	put_program(*state, "bench", "/bin/sleep", NANOBENCH);
	for (guint i = 0; i < 2; i++) {
		g_autofree char *found = watched(*state, "./bench .4; true", FALSE, memory);
		assert_string_equal(found, "bench");
	}
	put_program(*state, "bench", "/bin/sleep", "no mark");
	g_autofree char *changed = watched(*state, "./bench .4; true", FALSE, memory);
	assert_string_equal(changed, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        TEST(a_program_is_found_whoever_starts_it),
	        TEST(a_run_of_milliseconds_is_seen),
	        TEST(a_program_that_is_removed_is_found),
	        TEST(one_that_takes_the_place_of_another_is_found),
	        TEST(arguments_of_the_process_decide),
	        TEST(a_process_that_is_left_behind_is_found),
	        TEST(a_clock_of_cpu_time_is_noticed),
	        TEST(what_was_read_is_remembered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
