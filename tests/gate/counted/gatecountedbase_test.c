/* SPDX-License-Identifier: Apache-2.0 */
/* Stored counts of base are believed, or base is counted after all; what becomes of that decides. */
#include "gate/counted/gatecountedbase.h"

#include "core/durable.h"
#include "tests/gate/fixture/gatefixture.h"

#define BUILT "version: 1\nbuild: {command: '%s'}\nbenchmarks: [{name: work, command: ./work, engines: [callgrind]}]\n"

/* The least change that is told from none, and that no margin minds: an instruction in ten thousand. */
#define BARELY_MORE "main 20 1000\nparse 80 19000\nsort 400 80050\n"

static const BenchmarkComparison *comparison_of(const GateFixture *f)
{
	return only_benchmark(f->result)->comparison;
}

/* --- one step --- */

/* The finding of a base that was counted again. Owned by the caller. */
static char *recount_text(gboolean same)
{
	g_autoptr(CheckResult) result = check_result_new();
	Gate gate = {.result = result};
	const ConfigBenchmark benchmark = {.name = (char *)"work"};
	const GateWork work = {.gate = &gate, .benchmark = &benchmark};
	const GateCounted job = {.gate = &gate, .work = &work, .same_as_stored = same};
	gate_counted_note_recount(&job, "head costs more");
	return g_strdup(found(result, "stored_base_recounted")->text);
}

static void a_recount_says_why_and_what_came_of_it(void **state)
{
	g_autofree char *same = recount_text(TRUE), *other = recount_text(FALSE);
	(void)state;
	assert_string_equal(same, "base was counted again, since head costs more; its counts are as stored");
	assert_says(other, "its counts are not as stored");
}

/* Makes base ready in a check that cannot do it: it is known not to build, or there is no time. */
static Counting prepare(const char *no_base, double passed_s)
{
	GateRequest request = {.host = &fake_host.host};
	Gate gate = {.request = &request, .no_base = (char *)no_base};
	const ConfigBenchmark benchmark = {.name = (char *)"work"};
	const GateWork work = {.gate = &gate, .benchmark = &benchmark};
	fake_host_reset();
	gate_budget_start(&gate.budget, fake_host.host.now_ns, 10);
	gate_budget_plan(&gate.budget, 1, NULL);
	GateCounted job = {.gate = &gate, .work = &work, .share = gate_budget_share(&gate.budget, 0)};
	fake_host_pass(passed_s);
	Counting counting = gate_counted_prepare_base(&job, "it is needed", NULL);
	gate_budget_clear(&gate.budget);
	return counting;
}

static void a_base_that_did_not_build_is_not_built_again(void **state)
{
	(void)state;
	assert_int_equal(prepare("the build of base fails", 0), COUNTING_NO_BASE);
}

static void base_is_not_built_without_time(void **state)
{
	(void)state;
	assert_int_equal(prepare(NULL, 60), COUNTING_OUT_OF_TIME);
}

/* --- base is believed, or counted --- */

/* Stores base's counts by a check of base and another head. */
static void store_base(GateFixture *f)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
}

static void a_small_change_against_stored_counts_counts_base_once_more(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	gate_fixture_head(f, BARELY_MORE);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 1);
	assert_says(found(f->result, "stored_base_recounted")->text, "its counts are as stored");
}

static void count_more_than_then(FakeRun *run)
{
	run->factor = 1.2;
}

/* The machine has changed in what no fingerprint holds: head looks slower, and base is, too. */
static void stored_counts_that_are_outdated_are_replaced(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	fake_host.on_run = count_more_than_then;
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "stored_base_outdated");
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_MEASURED);
	/* the next check has nothing to doubt */
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	gate_fixture_head(f, COSTS "\n\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

static void a_shard_replaces_outdated_counts_too(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	f->request.shard = (Shard){1, 1};
	fake_host.on_run = count_more_than_then;
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	f->request.shard = (Shard){0, 0};
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	gate_fixture_check(f);
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

/* Libraries that runs take from the system are no part of the fingerprint. */
static void counts_with_another_library_do_not_stand_for_base(void **state)
{
	GateFixture *f = *state;
	g_autofree char *library = g_build_filename(f->root, "libhelp.so", NULL);
	assert_true(g_file_set_contents(library, "as it was", -1, NULL));
	fake_host.library = library;
	store_base(f);
	assert_true(g_file_set_contents(library, "as it is", -1, NULL));
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "stored_base_foreign")->text, "libhelp.so");
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_MEASURED);
}

/* --- base is stored, and cannot be made again --- */

static void store_base_that_builds_once(GateFixture *f)
{
	g_autofree char *flag = g_build_filename(f->root, "built", NULL);
	g_autofree char *command = g_strdup_printf("test ! -e %s", flag), *config = g_strdup_printf(BUILT, command);
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	/* from now on base does not build, and head does */
	g_autofree char *cache = g_build_filename(g_get_user_cache_dir(), "firebreak", NULL);
	durable_remove_tree(cache, NULL);
	assert_true(g_file_set_contents(flag, "", 0, NULL));
	g_autofree char *other = g_strdup_printf(BUILT, "true");
	gate_fixture_put(f, "firebreak.yml", other);
}

static void a_base_that_does_not_build_any_more_leaves_a_regression(void **state)
{
	GateFixture *f = *state;
	store_base_that_builds_once(f);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(comparison_of(f)->confirmation, CONFIRMATION_NOT_RUN);
	assert_says(comparison_of(f)->confirmation_text, "base could not be built again: the build of base");
}

static void a_base_that_does_not_build_any_more_lets_no_doubtful_pass_stand(void **state)
{
	GateFixture *f = *state;
	store_base_that_builds_once(f);
	gate_fixture_head(f, BARELY_MORE);
	assert_ends(gate_fixture_check(f), 3, "base_not_built");
}

static void a_base_that_does_not_build_any_more_is_not_needed_where_nothing_differs(void **state)
{
	GateFixture *f = *state;
	store_base_that_builds_once(f);
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
}

/* Head was counted with another library than base, so not even equal counts say that nothing changed. */
static void a_base_with_other_libraries_that_does_not_build_lets_no_pass_stand(void **state)
{
	GateFixture *f = *state;
	g_autofree char *library = g_build_filename(f->root, "libhelp.so", NULL);
	assert_true(g_file_set_contents(library, "as it was", -1, NULL));
	fake_host.library = library;
	store_base_that_builds_once(f);
	assert_true(g_file_set_contents(library, "as it is", -1, NULL));
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 3, "base_not_built");
	assert_says(comparison_of(f)->reason, "base was stored with other libraries or tools");
}

static void time_ran_out(void)
{
	fake_host_pass(10000);
}

/* A build that fails when the time is over was ended, or would have been; base may well build. */
static void a_build_of_base_without_time_says_nothing_about_base(void **state)
{
	GateFixture *f = *state;
	store_base_that_builds_once(f);
	f->request.max_time_s = 1000;
	gate_fixture_head(f, BARELY_MORE);
	gate_fixture_when_said("base is counted", time_ran_out);
	assert_ends(gate_fixture_check(f), 3, "out_of_time");
}

/* One run does not tell a base that changed from counts that do not repeat. */
static void time_runs_out_after_one_run_of_base(FakeRun *run)
{
	run->factor = 1.2;
	if (g_str_equal(run->side, "base"))
		fake_host_pass(10000);
}

static void one_run_of_base_replaces_no_stored_counts(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	f->request.max_time_s = 1000;
	fake_host.on_run = time_runs_out_after_one_run_of_base;
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 1);
	assert_not_found(f->result, "stored_base_outdated");
	/* what was stored is there as it was */
	fake_host.on_run = NULL;
	f->request.max_time_s = 0;
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	gate_fixture_head(f, COSTS "\n\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

/* All runs of head cost more than base, and each another amount. */
static void rise_and_scatter(FakeRun *run)
{
	if (g_str_equal(run->side, "head"))
		run->factor = 1.1 + .01 * (run->number % 3);
}

/* One stored run says too little where head's runs differ. */
static void base_is_counted_as_often_as_head_where_counts_do_not_repeat(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	/* of what was head, one run is stored */
	f->request.base = "main^";
	fake_host.on_run = rise_and_scatter;
	gate_fixture_head(f, COSTS "\n\n");
	gate_fixture_check(f);
	assert_int_equal(fake_host.counted[SIDE_BASE], COUNTED_NOISY_RUNS);
	assert_int_equal(fake_host.counted[SIDE_HEAD], COUNTED_NOISY_RUNS);
	assert_says(gate_fixture_said(), "there are too few stored ones of base: base is counted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_recount_says_why_and_what_came_of_it),
	        cmocka_unit_test(a_base_that_did_not_build_is_not_built_again),
	        cmocka_unit_test(base_is_not_built_without_time),
	        GATE_TEST(a_small_change_against_stored_counts_counts_base_once_more),
	        GATE_TEST(stored_counts_that_are_outdated_are_replaced),
	        GATE_TEST(a_shard_replaces_outdated_counts_too),
	        GATE_TEST(counts_with_another_library_do_not_stand_for_base),
	        GATE_TEST(a_base_that_does_not_build_any_more_leaves_a_regression),
	        GATE_TEST(a_base_that_does_not_build_any_more_lets_no_doubtful_pass_stand),
	        GATE_TEST(a_base_that_does_not_build_any_more_is_not_needed_where_nothing_differs),
	        GATE_TEST(a_base_with_other_libraries_that_does_not_build_lets_no_pass_stand),
	        GATE_TEST(a_build_of_base_without_time_says_nothing_about_base),
	        GATE_TEST(one_run_of_base_replaces_no_stored_counts),
	        GATE_TEST(base_is_counted_as_often_as_head_where_counts_do_not_repeat),
	};
	return run_gate_tests(tests);
}
