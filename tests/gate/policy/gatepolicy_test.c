/* SPDX-License-Identifier: Apache-2.0 */
/* Whose configuration decides, and which benchmarks and engines it leaves. */
#include "gate/policy/gatepolicy.h"

#include "tests/gate/fixture/gatefixture.h"

#define TIMED_AND(entry) "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- " entry "\n"
#define TWO "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other}\n"

static void a_benchmark_that_head_adds_is_judged_by_its_entry(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", TWO);
	gate_fixture_put(f, "other.costs", SLOWER);
	gate_fixture_commit(f, "another benchmark");
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_string_equal(found(f->result, "new_benchmark")->benchmark, "other");
	found(f->result, "config_differs");
	assert_int_equal(f->result->benchmarks->len, 2);
	assert_string_equal(((ResultReason *)f->result->reasons->pdata[0])->benchmark, "other");
}

/* Only base can say that. */
static void a_new_benchmark_that_wants_privileges_waits_for_base(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", TIMED_AND("{name: other, command: ./other, privileges: allow}"));
	gate_fixture_commit(f, "another benchmark");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(found(f->result, "new_benchmark")->benchmark, "other");
	assert_string_equal(only_benchmark(f->result)->name, "work");
}

static void a_benchmark_that_is_left_out_is_told(void **state)
{
	GateFixture *f = *state;
	char *names[] = {(char *)"work", NULL};
	f->request.benchmarks = names;
	gate_fixture_base(f, TWO, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(found(f->result, "not_measured")->benchmark, "other");
	assert_string_equal(only_benchmark(f->result)->name, "work");
}

static void several_that_are_left_out_are_one_finding(void **state)
{
	GateFixture *f = *state;
	char *names[] = {(char *)"work", NULL};
	f->request.benchmarks = names;
	gate_fixture_base(f, TWO "- {name: third, command: ./third}\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(
	        found(f->result, "not_measured")->text, "2 benchmarks were left out by --benchmark: other, third");
	assert_string_equal(only_benchmark(f->result)->name, "work");
}

static void an_engine_that_is_left_out_is_told(void **state)
{
	GateFixture *f = *state;
	f->request.engine = &engine_callgrind;
	gate_fixture_base(f, BOTH, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_callgrind);
	assert_string_equal(found(f->result, "engine_left_out")->benchmark, "work");
}

/* A benchmark with one engine has nothing to leave out. */
static void an_engine_that_a_benchmark_lacks_changes_nothing(void **state)
{
	GateFixture *f = *state;
	f->request.engine = &engine_callgrind;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_perf);
	assert_false(finding_has(f->result->findings, "engine_left_out"));
}

static void a_head_without_a_configuration_of_base_sets_the_policy(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "work.costs", COSTS);
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "firebreak.yml", TIMED);
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->config_source, "head");
	found(f->result, "policy_from_head");
}

static void a_file_that_is_given_is_the_policy_of_both(void **state)
{
	GateFixture *f = *state;
	g_autofree char *path = g_build_filename(f->root, "policy.yml", NULL);
	assert_true(g_file_set_contents(path, COUNTED, -1, NULL));
	f->request.config_file = path;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_delete(f, "firebreak.yml");
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->config_source, path);
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_callgrind);
	found(f->result, "policy_from_file");
}

static void a_file_that_there_is_not_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	f->request.config_file = "/no/such/policy.yml";
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 2, "usage");
}

/* A list of arguments is not the same command as one that is split in another way. */
static void arguments_that_are_split_in_another_way_are_another_build(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED "build: {command: [sh, -c, 'true  x']}\n", COSTS);
	gate_fixture_put(f, "firebreak.yml", TIMED "build: {command: [sh, -c, 'true ', x]}\n");
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "build_changed");
}

static void a_build_that_head_changes_is_pointed_out(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", TIMED "build: {command: 'true'}\n");
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "build_changed");
}

/* The rules of base decide, and how head is built is its own. */
static void head_is_built_as_head_says(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED "build: {command: cp slow.costs work.costs}\n", COSTS);
	gate_fixture_put(f, "slow.costs", SLOWER);
	gate_fixture_put(f, "firebreak.yml", TIMED "build: {command: cp slow.costs work.costs}\n");
	gate_fixture_head(f, COSTS);
	gate_fixture_put(f, "firebreak.yml", TIMED "build: {command: 'true'}\n");
	gate_fixture_commit(f, "built otherwise");
	f->request.base = "main^";
	assert_ends(gate_fixture_check(f), 0, "");
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_true(metric_median(measurement_metric(row->base, &engine_perf, "task-clock")) > 560e6);
	assert_true(metric_median(measurement_metric(row->head, &engine_perf, "task-clock")) < 520e6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_benchmark_that_head_adds_is_judged_by_its_entry),
	        GATE_TEST(a_new_benchmark_that_wants_privileges_waits_for_base),
	        GATE_TEST(a_benchmark_that_is_left_out_is_told),
	        GATE_TEST(several_that_are_left_out_are_one_finding),
	        GATE_TEST(an_engine_that_is_left_out_is_told),
	        GATE_TEST(an_engine_that_a_benchmark_lacks_changes_nothing),
	        GATE_TEST(a_head_without_a_configuration_of_base_sets_the_policy),
	        GATE_TEST(a_file_that_is_given_is_the_policy_of_both),
	        GATE_TEST(a_file_that_there_is_not_is_a_mistake),
	        GATE_TEST(a_build_that_head_changes_is_pointed_out),
	        GATE_TEST(arguments_that_are_split_in_another_way_are_another_build),
	        GATE_TEST(head_is_built_as_head_says),
	};
	return run_gate_tests(tests);
}
