/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialremarks.h"

#include "discoverfixture.h"

#define SECOND G_GINT64_CONSTANT(1000000000)

/* A proposal of `n` plain programs whose runs take these times. */
static Proposal *timed_each(const gint64 *times_ns, guint n, gboolean can_count)
{
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", ".");
	Proposal *proposal = proposal_new();
	for (guint i = 0; i < n; i++) {
		const DiscoveredProgram *program = discovered_build_add(build, "speed", "speed", ".", NULL);
		remark_time(proposal_add(proposal, program, NULL), times_ns[i], can_count);
	}
	remark_long_runs(proposal);
	return proposal;
}

static Proposal *timed(gint64 cpu_ns, gboolean can_count)
{
	return timed_each(&cpu_ns, 1, can_count);
}

static const ProposedBenchmark *first(const Proposal *proposal)
{
	return g_ptr_array_index(proposal->benchmarks, 0);
}

static void a_run_of_a_second_needs_no_remark(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = timed(SECOND, TRUE);
	assert_null(first(proposal)->comment);
	assert_false(first(proposal)->counted);
	assert_int_equal(first(proposal)->rounds, 0);
}

static void a_short_run_is_counted(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = timed(SECOND / 10, TRUE), uncounted = timed(SECOND / 10, FALSE);
	assert_true(first(proposal)->counted);
	assert_false(first(uncounted)->counted);
	assert_non_null(strstr(first(uncounted)->comment, "install valgrind"));
}

static void a_long_run_is_proposed_with_the_time_of_its_check(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = timed(3 * SECOND, TRUE);
	assert_null(first(proposal)->left_out);
	assert_int_equal(first(proposal)->rounds, 0);
	/* 2 runs of 3 s in 9 to 21 rounds */
	assert_non_null(strstr(first(proposal)->comment, "a run takes 3.0 s, so a check takes 54 s to 126 s"));
}

static void a_very_long_run_gets_few_rounds(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = timed(40 * SECOND, TRUE);
	assert_null(first(proposal)->left_out);
	assert_int_equal(first(proposal)->rounds, 10);
	assert_int_equal(first(proposal)->timeout_s, 660);
	/* 2 runs of 40 s in 11 rounds */
	assert_non_null(strstr(first(proposal)->comment, "so a check takes 15 min for it (10 rounds"));
	g_autofree char *text = proposal_text(proposal);
	assert_non_null(strstr(text, "\n    rounds: 10\n"));
}

/* A run of 11 s of CPU time took more than the default of 60 s in a round on a machine that others used, too. */
static void the_timeout_has_room_for_two_runs_on_a_busy_cpu(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = timed(11 * SECOND, TRUE), seconds = timed(3 * SECOND, TRUE);
	assert_int_equal(first(proposal)->timeout_s, 180);
	assert_int_equal(first(seconds)->timeout_s, 0);
}

static void more_benchmarks_need_more_rounds(void **state)
{
	(void)state;
	static const gint64 times_ns[12] = {
	        6 * SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND};
	g_autoptr(Proposal) proposal = timed_each(times_ns, 12, TRUE);
	assert_int_equal(first(proposal)->rounds, 14);
}

/* Such a project has programs of 6, 31 and 118 s: a check of all takes an hour. */
static void what_makes_a_check_too_long_is_left_out(void **state)
{
	(void)state;
	static const gint64 times_ns[] = {31 * SECOND, 6 * SECOND, 118 * SECOND, SECOND};
	g_autoptr(Proposal) proposal = timed_each(times_ns, 4, TRUE);
	const ProposedBenchmark *kept = g_ptr_array_index(proposal->benchmarks, 1);
	assert_int_equal(proposal_count(proposal), 2);
	assert_null(kept->left_out);
	assert_int_equal(kept->rounds, 11);
	/* 2 runs of 31 s in 13 rounds */
	assert_string_equal(first(proposal)->left_out,
	        "a run takes 31 s, so a check would take 13 min for it: where it can be told to do less, let it run "
	        "for 0.5 to 1 s");
}

/* A check of http-parser took 13 minutes, because one line makes a run parse 8 GiB. */
static void the_line_that_sets_the_work_of_a_long_run_is_told(void **state)
{
	(void)state;
	static const gint64 times_ns[] = {17 * SECOND, 170 * SECOND};
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", ".");
	g_autoptr(Proposal) proposal = proposal_new();
	for (guint i = 0; i < 2; i++) {
		const DiscoveredProgram *program = discovered_build_add(build, "bench", "bench", ".", NULL);
		ProposedBenchmark *benchmark = proposal_add(proposal, program, NULL);
		remark_time(benchmark, times_ns[i], TRUE);
		benchmark->work_line = g_strdup("bench.c:29: kBytes = 8LL << 30;");
	}
	remark_long_runs(proposal);
	const ProposedBenchmark *left = g_ptr_array_index(proposal->benchmarks, 1);
	assert_non_null(strstr(first(proposal)->comment, "such as BENCH_ITERS: bench.c:29: kBytes = 8LL << 30;"));
	assert_non_null(strstr(left->left_out, "such as BENCH_ITERS: bench.c:29: kBytes = 8LL << 30;"));
}

/* The number of cases, of ten whose runs start that long, that are proposed. */
static guint proposed_cases(FrameworkId id, gint64 start_ns)
{
	g_autoptr(DiscoveredBuild) build = discovered_build_new("CMake", ".");
	g_autoptr(Proposal) proposal = proposal_new();
	const DiscoveredProgram *program = discovered_build_add(build, "speed", "speed", ".", NULL);
	for (guint i = 0; i < 10; i++)
		remark_case_time(proposal_add(proposal, program, "case"), id, start_ns);
	remark_long_runs(proposal);
	assert_null(first(proposal)->left_out);
	assert_int_equal(first(proposal)->rounds, 0);
	const ProposedBenchmark *last = g_ptr_array_index(proposal->benchmarks, 9);
	if (last->left_out != NULL)
		assert_true(g_str_has_suffix(last->left_out, "for it, and more than some minutes for all"));
	return proposal_count(proposal);
}

/* A program that takes 1.4 s to start made a check of ten cases last a quarter of an hour. */
static void fewer_cases_are_proposed_where_each_takes_long(void **state)
{
	(void)state;
	assert_int_equal(proposed_cases(FRAMEWORK_GOOGLE_BENCHMARK, SECOND / 50), 10);
	/* 13 rounds of 2 runs of 2.1 s; what takes 1.5 s in a trial of Catch2 is not done in a check */
	assert_int_equal(proposed_cases(FRAMEWORK_GOOGLE_BENCHMARK, 14 * SECOND / 10), 6);
	assert_int_equal(proposed_cases(FRAMEWORK_CATCH2, 15 * SECOND / 10), 10);
	/* neither does libtest calibrate: seven of ten cases of strsim-rs were left out for 3.6 to 5.1 s of that */
	assert_int_equal(proposed_cases(FRAMEWORK_LIBTEST, 51 * SECOND / 10), 10);
	/* but iterations of 50 ms take long, since it does 301 or more */
	assert_int_equal(proposed_cases(FRAMEWORK_LIBTEST, 64 * SECOND / 10), 6);
}

/* The remark on a program that is compiled with those options; NULL if there is none. Owned by the caller. */
static char *compiled(const DiscoverPlace *place, const char *options)
{
	put_program(place, "speed.c");
	g_autofree char *program = discover_file(place, "speed"), *source = discover_file(place, "speed.c");
	const char *argv[] = {"gcc", "-g", options, "-o", program, source, NULL};
	int status;
	assert_true(
	        g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
	assert_int_equal(status, 0);
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", ".");
	g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
	discovered_build_add(build, "speed", "speed", ".", NULL);
	discovered_build_add(build, "gone", "gone", ".", NULL);
	remark_unoptimised(place, build, remarks);
	return remarks->len > 0 ? g_strdup(g_ptr_array_index(remarks, 0)) : NULL;
}

static void a_build_without_optimisation_is_told_with_the_remedy(void **state)
{
	NEEDS("gcc");
	g_autofree char *text = compiled(*state, "-O0");
	assert_non_null(text);
	assert_non_null(strstr(text, "Make in . builds without optimisation (-O0): speed; "));
	assert_non_null(strstr(text, "add -O2 to CFLAGS in the Makefile"));
}

static void an_optimised_build_is_not(void **state)
{
	NEEDS("gcc");
	g_autofree char *text = compiled(*state, "-O2");
	assert_null(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_run_of_a_second_needs_no_remark),
	        TEST(a_short_run_is_counted),
	        TEST(a_long_run_is_proposed_with_the_time_of_its_check),
	        TEST(a_very_long_run_gets_few_rounds),
	        TEST(the_timeout_has_room_for_two_runs_on_a_busy_cpu),
	        TEST(more_benchmarks_need_more_rounds),
	        TEST(what_makes_a_check_too_long_is_left_out),
	        TEST(the_line_that_sets_the_work_of_a_long_run_is_told),
	        TEST(fewer_cases_are_proposed_where_each_takes_long),
	        TEST(a_build_without_optimisation_is_told_with_the_remedy),
	        TEST(an_optimised_build_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
