/* SPDX-License-Identifier: Apache-2.0 */
/* Every exit code of a check, and the endings before anything is measured. The machine is made up
 * (tests/gate/fixture/fakehost.h). */
#include "gate/gate.h"

#include "core/error.h"
#include "tests/gate/fixture/gatefixture.h"

#define BUILD(command) "version: 1\nbuild: {command: '" command "'}\nbenchmarks: [{name: work, command: ./work}]\n"
#define MARGIN(text) "version: 1\nbenchmarks: [{name: work, command: ./work, gate: {task-clock: {margin: " text "}}}]\n"

static void commit_config(GateFixture *f, const char *config)
{
	gate_fixture_put(f, "firebreak.yml", config);
	gate_fixture_commit(f, "another configuration");
}

/* --- 0, 1, 3, 4 --- */

static void equal_sides_pass(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(f->result->verdict, VERDICT_PASS);
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_PASS);
}

static void a_slower_head_is_a_regression(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_says(only_benchmark(f->result)->comparison->sentence, "sort");
}

static void a_faster_head_passes(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, SLOWER);
	gate_fixture_head(f, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
}

static void base_may_stand_in_the_environment(void **state)
{
	GateFixture *f = *state;
	g_autofree char *sha = NULL;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_head(f, COSTS "\n\n");
	f->request.base = "base";
	sha = g_strdup(gate_fixture_check(f)->base.sha);
	fake_host.variable = "CI_MERGE_REQUEST_DIFF_BASE_SHA";
	fake_host.value = sha;
	f->request.base = NULL;
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->base.sha, sha);
	assert_string_equal(f->result->base.chosen_by, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
}

static void a_probe_runs_head_against_itself_and_looks_for_no_base(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, SLOWER);
	f->request.mode = CHECK_CALIBRATE;
	f->request.probe = TRUE;
	f->request.base = "no such commit";
	f->request.head = NULL;
	f->request.rounds = 5;
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->base.sha, f->result->head.sha);
	assert_string_equal(f->result->base.chosen_by, "head");
	assert_not_found(f->result, "too_few_rounds");
	assert_int_equal(fake_host.timed[SIDE_HEAD], 6);
}

static void times_that_scatter_are_inconclusive(void **state)
{
	GateFixture *f = *state;
	fake_host.noise = .3;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 3, "interval_too_wide");
	found(f->result, "noisy_benchmark");
}

static void fail_head(FakeRun *run)
{
	if (g_str_equal(run->side, "head"))
		run->failure_code = "benchmark_failed";
}

static void a_benchmark_that_fails_is_an_invalid_measurement(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_head;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_null(only_benchmark(f->result)->comparison);
}

/* --- 2 --- */

static void an_unknown_revision_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	f->request.head = "no-such-branch";
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 2, "usage");
	assert_int_equal(f->result->benchmarks->len, 0);
}

static void a_commit_without_a_configuration_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "work.costs", COSTS);
	gate_fixture_commit(f, "base");
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 2, "usage");
}

static void a_benchmark_that_there_is_not_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	char *names[] = {(char *)"wrok", NULL};
	f->request.benchmarks = names;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 2, "usage");
	assert_int_equal(fake_host.timed[SIDE_HEAD], 0);
}

static void the_first_commit_has_no_base(void **state)
{
	GateFixture *f = *state;
	f->request.base = NULL;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 2, "usage");
	assert_says(gate_fixture_said(), "there is no base to compare it with");
}

/* --- 5 --- */

static void a_head_that_does_not_build_says_why(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BUILD("true"), COSTS);
	commit_config(f, BUILD("echo making; echo work.c:3: error: no semicolon; exit 1"));
	assert_ends(gate_fixture_check(f), 5, "build_failed");
	assert_says(((ResultReason *)f->result->reasons->pdata[0])->text, "error: no semicolon");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

static void both_failures_to_build_are_told(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BUILD("exit 1"), COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 5, "build_failed");
	assert_int_equal(f->result->reasons->len, 2);
}

/* --- 7 --- */

static void an_output_folder_that_cannot_be_made_ends_the_check_at_once(void **state)
{
	GateFixture *f = *state;
	f->request.out_dir = "/dev/null/out";
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 7, "storage");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

/* --- 8 --- */

static void a_machine_without_perf_events_times_nothing(void **state)
{
	GateFixture *f = *state;
	fake_host.no_perf = "perf_event_open: permission denied";
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 8, "environment_unsupported");
	assert_says(gate_fixture_said(), "perf_event_open: permission denied");
}

static void a_machine_without_perf_events_counts_all_the_same(void **state)
{
	GateFixture *f = *state;
	fake_host.no_perf = "perf_event_open: permission denied";
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_not_found(f->result, "no_hardware_counters");
}

static void a_machine_without_valgrind_counts_nothing(void **state)
{
	GateFixture *f = *state;
	fake_host.no_valgrind = "valgrind is not installed";
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 8, "environment_unsupported");
}

static void a_machine_without_valgrind_times_all_the_same(void **state)
{
	GateFixture *f = *state;
	fake_host.no_valgrind = "valgrind is not installed";
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "no_hardware_counters");
}

/* Refused before the next benchmark is measured: it is the machine's trouble. */
static void break_machine(FakeRun *run)
{
	if (run->number == 3)
		g_set_error_literal(&run->error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT, "no more events");
}

static void a_machine_that_fails_ends_the_check(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = break_machine;
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other}\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 8, "environment_unsupported");
	assert_int_equal(only_benchmark(f->result)->comparison == NULL, TRUE);
}

/* --- 9 --- */

static void a_head_that_widens_a_margin_is_refused_unmeasured(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, MARGIN("2%"), COSTS);
	commit_config(f, MARGIN("30%"));
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
	assert_int_equal(f->result->benchmarks->len, 0);
}

static void a_wider_margin_that_is_allowed_does_not_count_yet(void **state)
{
	GateFixture *f = *state;
	f->request.allow_policy_change = TRUE;
	gate_fixture_base(f, MARGIN("2%"), COSTS);
	gate_fixture_put(f, "work.costs", SLOWER);
	commit_config(f, MARGIN("30%"));
	assert_ends(gate_fixture_check(f), 1, "regression");
	found(f->result, "policy_changed");
}

static void a_head_that_removes_the_configuration_is_refused(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_delete(f, "firebreak.yml");
	gate_fixture_commit(f, "no gate");
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
}

static void a_base_that_cannot_be_read_does_not_leave_the_policy_to_head(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, "version: 1\nbenchmraks: []\n", COSTS);
	commit_config(f, TIMED);
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
	f->request.allow_policy_change = TRUE;
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "base_config_unreadable");
}

static void a_build_that_links_out_of_its_tree_is_refused(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BUILD("true"), COSTS);
	commit_config(f, BUILD("ln -s ../../.. out"));
	assert_ends(gate_fixture_check(f), 9, "tree_refused");
}

/* --- what is said --- */

static void all_is_told_in_the_end_and_said_on_the_way(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->base.ref, "base");
	assert_string_equal(f->result->head.subject, "head");
	assert_string_equal(f->result->config_source, "base");
	assert_string_equal(environment_get(f->result->environment, "sampled_event"), "cpu-clock");
	assert_true(f->result->elapsed_s > 5 && f->result->elapsed_s < 60);
	assert_says(gate_fixture_said(), "base ");
}

static void commits_of_equal_files_are_pointed_out(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_commit(f, "nothing");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "same_tree");
}

static void privileges_that_are_allowed_stand_in_the_report(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, "version: 1\nbenchmarks: [{name: work, command: ./work, privileges: allow}]\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(found(f->result, "privileges_allowed")->benchmark, "work");
}

/* --- one side: `firebreak run` --- */

static void head_alone_is_measured_and_stored(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_measure(f), 0, "");
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_null(row->base);
	assert_null(row->comparison);
	assert_int_equal(measurement_n_runs(row->head), 8);
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
	assert_int_equal(stored_baselines(f, "main"), 1);
	assert_int_equal(stored_baselines(f, "base"), 0);
}

static void head_alone_is_counted_twice(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_measure(f), 0, "");
	assert_int_equal(measurement_n_runs(only_benchmark(f->result)->head), 2);
	assert_int_equal(stored_baselines(f, "main"), 1);
}

static void head_alone_that_fails_is_an_error(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_head;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_measure(f), 4, "measurement_invalid");
	assert_int_equal(f->result->verdict, VERDICT_ERROR);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(equal_sides_pass),
	        GATE_TEST(a_slower_head_is_a_regression),
	        GATE_TEST(base_may_stand_in_the_environment),
	        GATE_TEST(a_probe_runs_head_against_itself_and_looks_for_no_base),
	        GATE_TEST(a_faster_head_passes),
	        GATE_TEST(times_that_scatter_are_inconclusive),
	        GATE_TEST(a_benchmark_that_fails_is_an_invalid_measurement),
	        GATE_TEST(an_unknown_revision_is_a_mistake),
	        GATE_TEST(a_commit_without_a_configuration_is_a_mistake),
	        GATE_TEST(a_benchmark_that_there_is_not_is_a_mistake),
	        GATE_TEST(the_first_commit_has_no_base),
	        GATE_TEST(a_head_that_does_not_build_says_why),
	        GATE_TEST(both_failures_to_build_are_told),
	        GATE_TEST(an_output_folder_that_cannot_be_made_ends_the_check_at_once),
	        GATE_TEST(a_machine_without_perf_events_times_nothing),
	        GATE_TEST(a_machine_without_perf_events_counts_all_the_same),
	        GATE_TEST(a_machine_without_valgrind_counts_nothing),
	        GATE_TEST(a_machine_without_valgrind_times_all_the_same),
	        GATE_TEST(a_machine_that_fails_ends_the_check),
	        GATE_TEST(a_head_that_widens_a_margin_is_refused_unmeasured),
	        GATE_TEST(a_wider_margin_that_is_allowed_does_not_count_yet),
	        GATE_TEST(a_head_that_removes_the_configuration_is_refused),
	        GATE_TEST(a_base_that_cannot_be_read_does_not_leave_the_policy_to_head),
	        GATE_TEST(a_build_that_links_out_of_its_tree_is_refused),
	        GATE_TEST(all_is_told_in_the_end_and_said_on_the_way),
	        GATE_TEST(commits_of_equal_files_are_pointed_out),
	        GATE_TEST(privileges_that_are_allowed_stand_in_the_report),
	        GATE_TEST(head_alone_is_measured_and_stored),
	        GATE_TEST(head_alone_is_counted_twice),
	        GATE_TEST(head_alone_that_fails_is_an_error),
	};
	return run_gate_tests(tests);
}
