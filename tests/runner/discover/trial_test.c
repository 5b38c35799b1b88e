/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trial.h"

#include "discoverfixture.h"
#include "runner/config/config.h"

/* A project whose programs are scripts that a build copies. */
static Discovery *scripts(const DiscoverPlace *place, const char *const *names, const char *const *texts, guint n)
{
	Discovery *discovery = discovery_new();
	DiscoveredBuild *build = discovered_build_new("Make", ".");
	for (guint i = 0; i < n; i++) {
		g_autofree char *source = g_strconcat(names[i], ".sh", NULL);
		g_autofree char *line = g_strdup_printf("cp %s %s && chmod +x %s", source, names[i], names[i]);
		put(place, source, texts[i]);
		discovered_program_explain(discovered_build_add(build, names[i], names[i], ".", NULL), line, "a test");
	}
	g_ptr_array_add(discovery->builds, build);
	return discovery;
}

static const ProposedBenchmark *entry(const Proposal *proposal, guint i)
{
	assert_true(i < proposal->benchmarks->len);
	return g_ptr_array_index(proposal->benchmarks, i);
}

static void what_fails_is_left_out_with_the_reason(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"good", "usage", "quiet"};
	static const char *const texts[] = {"#!/bin/sh\nexit 0\n", "#!/bin/sh\necho usage: bench FILE >&2\nexit 1\n",
	        "#!/bin/sh\necho 'Error: no data'\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 3);
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_null(entry(proposal, 0)->left_out);
	assert_string_equal(entry(proposal, 1)->left_out, "exited with 1: usage: bench FILE");
	assert_string_equal(
	        entry(proposal, 2)->left_out, "it exits with 0, but says: Error: no data (run without arguments)");
	assert_int_equal(proposal_count(proposal), 1);
}

/* Numbers after the word are results; a line of use is none, whatever the program exits with. */
static void what_a_program_says_of_errors_is_read_as_in_a_check(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"results", "usage", "fatal"};
	static const char *const texts[] = {
	        "#!/bin/sh\necho 'error 1.2e-9 (relative)'; echo 'Error: 0'; echo 'error rate: 0.1 %'\n",
	        "#!/bin/sh\necho 'Usage: bench [--mode fast]'\n", "#!/bin/sh\necho 'FATAL cannot begin'\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 3);
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_null(entry(proposal, 0)->left_out);
	assert_string_equal(entry(proposal, 1)->left_out, "it exits with 0, but says: Usage: bench [--mode fast]");
	assert_string_equal(
	        entry(proposal, 2)->left_out, "it exits with 0, but says: FATAL cannot begin (run without arguments)");
}

static void a_script_that_works_until_a_time_is_over_is_left_out(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"timer"};
	static const char *const texts[] = {"#!/bin/bash\nend=$((${EPOCHREALTIME/[.,]/} + 150000))\n"
	                                    "while [ ${EPOCHREALTIME/[.,]/} -lt $end ]; do :; done\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	const Trial trial = {.place = place, .can_count = TRUE};
	/* on a CPU that others use it may take several looks */
	for (guint i = 0; i < 20; i++) {
		g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
		const char *why = entry(proposal, 0)->left_out;
		if (why != NULL && g_str_has_prefix(why, "it works until a time is over"))
			return;
	}
	fail_msg("it is proposed");
}

static void a_script_that_starts_what_calibrates_itself_is_left_out(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"bench"};
	static const char *const texts[] = {"#!/bin/sh\ncp /bin/sleep inner\nprintf NANOBENCH_%s ENDLESS >>inner\n"
	                                    "x=.; $x/inner .4\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	const Trial trial = {.place = place};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_string_equal(entry(proposal, 0)->left_out,
	        "it starts inner, which is written with nanobench and calibrates itself; let `command` name that "
	        "program, with `framework: nanobench`");
}

static void a_short_run_is_counted_where_that_is_possible(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"good"}, *const texts[] = {"#!/bin/sh\nexit 0\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Proposal) counted = trial_run(&trial, discovery, NULL);
	assert_true(entry(counted, 0)->counted);
	trial.can_count = FALSE;
	g_autoptr(Proposal) timed = trial_run(&trial, discovery, NULL);
	assert_false(entry(timed, 0)->counted);
	assert_non_null(strstr(entry(timed, 0)->comment, "valgrind"));
}

/* A program that works as long as it is told. */
static void arguments_that_a_usage_asks_for_are_guessed(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"speed"};
	static const char *const texts[] = {
	        "#!/bin/sh\n[ $# = 2 ] || { echo 'usage: speed file count' >&2; exit 2; }\n[ -f $1 ] || exit 3\n"
	        "i=0; while [ $i -lt $2 ]; do i=$((i + 1)); done\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	g_autofree char *data = g_strnfill(2000, 'x');
	put(place, "data/words.txt", data);
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	const ProposedBenchmark *speed = entry(proposal, 0);
	assert_null(speed->left_out);
	assert_false(speed->counted);
	assert_string_equal(speed->command[1], "./data/words.txt");
	/* half a second of CPU time is more than ten thousand rounds of a shell, and less than a thousand million */
	assert_true(g_ascii_strtoull(speed->command[2], NULL, 10) > 10000);
	assert_non_null(strstr(speed->comment, "guessed"));
}

/* A program that takes 2.2 s, unless a variable of the environment says how much it does. */
static void a_long_run_is_made_short_by_the_variable_that_the_program_names(void **state)
{
	const DiscoverPlace *place = *state;
	NEEDS("gcc");
	g_autoptr(Discovery) discovery = discovery_new();
	DiscoveredBuild *build = discovered_build_new("Make", ".");
	put(place, "speed.c",
	        "#include <stdlib.h>\n#include <time.h>\n"
	        "int main(void)\n{\n\tconst char *n = getenv(\"SPEED_TEST_ITERS\");\n"
	        "\tif (n == NULL)\n\t\twhile (clock() < 2.2 * CLOCKS_PER_SEC)\n\t\t\t;\n"
	        "\tfor (volatile long i = n == NULL ? 0 : 1000 * atol(n); i > 0; i--)\n\t\t;\n}\n");
	discovered_program_explain(
	        discovered_build_add(build, "speed", "speed", ".", NULL), "gcc -O2 -o speed speed.c", "a test");
	g_ptr_array_add(discovery->builds, build);
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	const ProposedBenchmark *speed = entry(proposal, 0);
	assert_null(speed->left_out);
	assert_string_equal(speed->command[0], "env");
	assert_true(g_str_has_prefix(speed->command[1], "SPEED_TEST_ITERS="));
	assert_true(g_ascii_strtoull(strchr(speed->command[1], '=') + 1, NULL, 10) > 100);
	assert_string_equal(speed->command[2], "./speed");
	assert_non_null(
	        strstr(speed->comment, "SPEED_TEST_ITERS sets how much a run does, which takes 2.2 s without it"));
	assert_int_equal(speed->rounds, 0);
}

static void one_that_does_not_build_keeps_no_other_from_it(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"good", "bad"}, *const texts[] = {"#!/bin/sh\n", "#!/bin/sh\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 2);
	g_autofree char *source = discover_file(place, "bad.sh");
	assert_int_equal(g_unlink(source), 0);
	const Trial trial = {.place = place};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_null(entry(proposal, 0)->left_out);
	assert_non_null(strstr(entry(proposal, 1)->left_out, "its build exited with 1"));
	assert_string_equal(proposal->build, "cp good.sh good && chmod +x good");
}

static void nothing_is_tried_on_request(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"good"}, *const texts[] = {"#!/bin/sh\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	g_autoptr(Proposal) proposal = trial_skip(discovery);
	assert_int_equal(proposal_count(proposal), 1);
	assert_false(discover_has(place, "good"));
}

/* Its cases are those of its arguments, which nobody knows. */
static void a_program_that_names_no_case_is_left_out_with_what_to_do(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const names[] = {"formats"}, *const texts[] = {"#!/bin/sh\n"};
	g_autoptr(Discovery) discovery = scripts(place, names, texts, 1);
	DiscoveredProgram *program = g_ptr_array_index(build_at(discovery, 0)->programs, 0);
	program->framework = g_strdup("google-benchmark");
	const Trial trial = {.place = place};
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_int_equal(proposal->benchmarks->len, 0);
	assert_string_equal(g_ptr_array_index(proposal->remarks, 0),
	        "formats: its list of google-benchmark cases is empty; if it needs arguments, add it to firebreak.yml "
	        "with "
	        "its `command`");
}

/* Makes a build of programs a and b, whose commands are `one` and `two`. */
static Discovery *two_programs(const char *prepare, const char *one, const char *two)
{
	Discovery *discovery = discovery_new();
	DiscoveredBuild *build = discovered_build_new("test", ".");
	build->prepare = g_strdup(prepare);
	discovered_program_explain(discovered_build_add(build, "a", "a", ".", NULL), one, "a test");
	discovered_program_explain(discovered_build_add(build, "b", "b", ".", NULL), two, "a test");
	g_ptr_array_add(discovery->builds, build);
	return discovery;
}

#define MAKE_A "echo '#!/bin/sh' >a && chmod +x a"

static void what_comes_first_is_done_once(void **state)
{
	const DiscoverPlace *place = *state;
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Discovery) discovery = two_programs("echo x >>prepared", MAKE_A, "echo error: no b >&2; exit 1");
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	g_autofree char *prepared = discover_text(place, "prepared");
	assert_string_equal(prepared, "x\n");
	assert_null(entry(proposal, 0)->left_out);
	assert_string_equal(entry(proposal, 1)->left_out, "its build exited with 1: error: no b");
	assert_string_equal(proposal->build, "set -e\necho x >>prepared\n" MAKE_A);
}

static void a_build_that_cannot_begin_fails_all(void **state)
{
	const DiscoverPlace *place = *state;
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Discovery) discovery = two_programs("echo fatal: no tool >&2\nfalse\ntrue", MAKE_A, "touch tried");
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_string_equal(entry(proposal, 0)->left_out, "its build exited with 1: fatal: no tool");
	assert_string_equal(entry(proposal, 1)->left_out, "its build exited with 1: fatal: no tool");
	assert_false(discover_has(place, "tried"));
}

static void what_the_build_does_not_make_is_built_no_more(void **state)
{
	const DiscoverPlace *place = *state;
	const Trial trial = {.place = place, .can_count = TRUE};
	g_autoptr(Discovery) discovery = two_programs(NULL, MAKE_A, "true make b");
	g_autoptr(Proposal) proposal = trial_run(&trial, discovery, NULL);
	assert_string_equal(entry(proposal, 1)->left_out, "the build does not make it");
	assert_string_equal(proposal->build, MAKE_A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_a_program_says_of_errors_is_read_as_in_a_check),
	        TEST(a_script_that_works_until_a_time_is_over_is_left_out),
	        TEST(what_fails_is_left_out_with_the_reason),
	        TEST(a_script_that_starts_what_calibrates_itself_is_left_out),
	        TEST(a_short_run_is_counted_where_that_is_possible),
	        TEST(arguments_that_a_usage_asks_for_are_guessed),
	        TEST(a_long_run_is_made_short_by_the_variable_that_the_program_names),
	        TEST(one_that_does_not_build_keeps_no_other_from_it),
	        TEST(nothing_is_tried_on_request),
	        TEST(a_program_that_names_no_case_is_left_out_with_what_to_do),
	        TEST(what_comes_first_is_done_once),
	        TEST(a_build_that_cannot_begin_fails_all),
	        TEST(what_the_build_does_not_make_is_built_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
