/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark that is timed: what is kept, what is left out, and what a lack of time makes of it. */
#include "gate/timed/gatetimed.h"

#include "tests/gate/fixture/gatefixture.h"

static void commit_equal_sides(GateFixture *f, const char *config)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
}

static void both_measurements_become_baselines(void **state)
{
	GateFixture *f = *state;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 1);
	assert_int_equal(stored_baselines(f, "main"), 1);
}

static void nothing_is_stored_where_nobody_wants_it(void **state)
{
	GateFixture *f = *state;
	f->request.store = FALSE;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 0);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

/* A measurement is kept before more is measured, whatever it says. */
static void a_regression_is_stored_too(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(stored_baselines(f, "main"), 1);
}

static void each_side_has_its_own_measurement(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_string_equal(row->base->commit, f->result->base.sha);
	assert_string_equal(row->head->commit, f->result->head.sha);
	assert_true(metric_median(measurement_metric(row->base, &engine_perf, "task-clock")) < 520e6);
	assert_true(metric_median(measurement_metric(row->head, &engine_perf, "task-clock")) > 560e6);
	assert_int_equal(row->base_source, BASE_MEASURED);
	assert_ptr_equal(row->engine, &engine_perf);
}

static void samples_of_all_runs_become_profiles(void **state)
{
	GateFixture *f = *state;
	commit_equal_sides(f, TIMED);
	gate_fixture_check(f);
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_int_equal(profile_n_runs(row->head->profile), measurement_n_runs(row->head));
	assert_int_equal(profile_n_runs(row->base->profile), measurement_n_runs(row->base));
	assert_true(row->comparison->functions->len >= 3);
	assert_int_equal(row->campaign.rounds, FIRST_ROUNDS);
}

static void rounds_are_as_many_as_were_asked_for(void **state)
{
	GateFixture *f = *state;
	f->request.rounds = 13;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->campaign.rounds, 13);
}

static void too_few_rounds_are_said_before_anything_is_measured(void **state)
{
	GateFixture *f = *state;
	f->request.rounds = 3;
	commit_equal_sides(f, TIMED);
	assert_int_equal(gate_fixture_check(f)->exit_code, 3);
	found(f->result, "too_few_rounds");
	assert_true(
	        strstr(gate_fixture_said(), "3 rounds cannot decide") < strstr(gate_fixture_said(), "built before"));
	assert_says(gate_fixture_said(), "3 rounds cannot decide");
}

static void sides_run_beside_each_other_or_one_by_one(void **state)
{
	GateFixture *f = *state;
	commit_equal_sides(f, TIMED);
	gate_fixture_check(f);
	assert_int_equal(fake_host.together, 2 * FIRST_ROUNDS);
	assert_string_equal(only_benchmark(f->result)->head->schedule, "coscheduled");
	fake_host_reset();
	f->request.schedule = SCHEDULE_SEQUENTIAL;
	gate_fixture_check(f);
	assert_int_equal(fake_host.together, 0);
	assert_string_equal(only_benchmark(f->result)->head->schedule, "sequential");
}

static void the_yardstick_runs_unless_the_policy_leaves_it_out(void **state)
{
	GateFixture *f = *state;
	commit_equal_sides(f, "version: 1\nbenchmarks: [{name: work, command: ./work, yardstick: false}]\n");
	gate_fixture_check(f);
	assert_int_equal(fake_host.yardsticks, 0);
}

static void a_baseline_that_cannot_be_written_ends_the_check(void **state)
{
	GateFixture *f = *state;
	commit_equal_sides(f, TIMED);
	gate_fixture_check(f);
	gate_fixture_damage_baselines(f, "base");
	assert_ends(gate_fixture_check(f), 6, "no_baseline");
	/* it was judged all the same */
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_PASS);
}

/* --- no time --- */

static void a_check_without_time_for_a_round_is_inconclusive(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 3;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_INCONCLUSIVE);
	assert_null(only_benchmark(f->result)->head);
	assert_int_equal(stored_baselines(f, "main"), 0);
	assert_says(((ResultReason *)f->result->reasons->pdata[0])->text, "would do");
}

static void scatter_and_end(FakeRun *run)
{
	if (run->number == 10)
		fake_host_pass(60);
}

static void rounds_that_lack_time_are_inconclusive(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 60;
	fake_host.noise = .08;
	fake_host.on_run = scatter_and_end;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 3, "out_of_time");
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_true(row->campaign.out_of_time);
	assert_true(row->campaign.rounds >= 8 && row->campaign.rounds < 20);
}

static void time_out(FakeRun *run)
{
	run->failure_code = "timeout";
	run->failure = "timed out after 1 s";
}

static void a_run_that_its_timeout_ends_is_an_error(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = time_out;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
}

static void a_run_that_the_deadline_ends_is_a_lack_of_time(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 20;
	fake_host.on_run = time_out;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
}

/* A run of it takes a minute. */
static void a_run_does_not_outlive_the_time_of_the_check(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 20;
	gate_fixture_base(f, TIMED, "main 60000 1000\n");
	gate_fixture_head(f, "main 60000 1001\n");
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_true(f->result->elapsed_s <= 20);
}

static void time_ran_out(void)
{
	fake_host_pass(1000);
}

static void a_build_that_used_up_the_time_is_no_failure(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 100;
	gate_fixture_base(
	        f, "version: 1\nbuild: {command: exit 1}\nbenchmarks: [{name: work, command: ./work}]\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_when_said("building", time_ran_out);
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_says(((ResultReason *)f->result->reasons->pdata[0])->text, "before both sides were built");
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_INCONCLUSIVE);
}

static void a_benchmark_whose_turn_comes_too_late_is_not_measured(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 100;
	commit_equal_sides(f, TIMED);
	gate_fixture_when_said("head ", time_ran_out);
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

/* --- one side --- */

static void sleep_only(FakeRun *run)
{
	run->factor = 0;
}

static void one_side_that_does_nothing_is_no_measurement(void **state)
{
	GateFixture *f = *state;
	fake_host.samples = 0;
	fake_host.on_run = sleep_only;
	commit_equal_sides(f, TIMED);
	assert_ends(gate_fixture_measure(f), 4, "measurement_invalid");
	assert_int_equal(stored_baselines(f, "main"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(both_measurements_become_baselines),
	        GATE_TEST(nothing_is_stored_where_nobody_wants_it),
	        GATE_TEST(a_regression_is_stored_too),
	        GATE_TEST(each_side_has_its_own_measurement),
	        GATE_TEST(samples_of_all_runs_become_profiles),
	        GATE_TEST(rounds_are_as_many_as_were_asked_for),
	        GATE_TEST(too_few_rounds_are_said_before_anything_is_measured),
	        GATE_TEST(sides_run_beside_each_other_or_one_by_one),
	        GATE_TEST(the_yardstick_runs_unless_the_policy_leaves_it_out),
	        GATE_TEST(a_baseline_that_cannot_be_written_ends_the_check),
	        GATE_TEST(a_check_without_time_for_a_round_is_inconclusive),
	        GATE_TEST(rounds_that_lack_time_are_inconclusive),
	        GATE_TEST(a_run_that_its_timeout_ends_is_an_error),
	        GATE_TEST(a_run_that_the_deadline_ends_is_a_lack_of_time),
	        GATE_TEST(a_run_does_not_outlive_the_time_of_the_check),
	        GATE_TEST(a_build_that_used_up_the_time_is_no_failure),
	        GATE_TEST(a_benchmark_whose_turn_comes_too_late_is_not_measured),
	        GATE_TEST(one_side_that_does_nothing_is_no_measurement),
	};
	return run_gate_tests(tests);
}
