/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark that is counted: base and head, stored counts of base, and a regression that is counted once more. */
#include "gate/counted/gatecounted.h"

#include "tests/gate/fixture/gatefixture.h"

static void commit_sides(GateFixture *f, const char *costs)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, costs);
}

static const BenchmarkComparison *comparison_of(const GateFixture *f)
{
	return only_benchmark(f->result)->comparison;
}

/* --- nothing is stored --- */

static void base_is_counted_twice_and_head_once(void **state)
{
	GateFixture *f = *state;
	commit_sides(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
	assert_ptr_equal(row->engine, &engine_callgrind);
	assert_int_equal(row->base_source, BASE_MEASURED);
	assert_true(metric_median(measurement_metric(row->head, &engine_callgrind, "instructions")) == 100000);
	assert_int_equal(stored_baselines(f, "base"), 1);
	assert_int_equal(stored_baselines(f, "main"), 1);
}

static void more_instructions_are_a_regression_that_is_counted_once_more(void **state)
{
	GateFixture *f = *state;
	commit_sides(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 2);
	assert_int_equal(comparison_of(f)->confirmation, CONFIRMATION_CONFIRMED);
	assert_says(comparison_of(f)->sentence, "sort");
}

static void fewer_instructions_pass(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, SLOWER);
	gate_fixture_head(f, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
}

static void nobody_has_to_count_again(void **state)
{
	GateFixture *f = *state;
	f->request.no_confirm = TRUE;
	commit_sides(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
	assert_string_equal(comparison_of(f)->confirmation_text, "--no-confirm");
}

static void count_more_the_first_time(FakeRun *run)
{
	if (g_str_equal(run->side, "head") && run->number == 0)
		run->factor = 1.2;
}

static void what_is_not_counted_again_is_no_regression(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = count_more_the_first_time;
	commit_sides(f, COSTS "\n");
	assert_int_equal(gate_fixture_check(f)->exit_code, 3);
	assert_int_equal(comparison_of(f)->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 2);
}

static void scatter(FakeRun *run)
{
	run->factor = 1 + .01 * (run->number % 3);
}

static void counts_that_do_not_repeat_are_made_more_often(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = scatter;
	commit_sides(f, COSTS "\n");
	gate_fixture_check(f);
	assert_int_equal(fake_host.counted[SIDE_BASE], 5);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 5);
	assert_true(comparison_of(f)->unstable->len > 0);
}

static void no_time_for_more_counts_is_inconclusive(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 80;
	fake_host.on_run = scatter;
	commit_sides(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 3, "out_of_time");
	assert_true(only_benchmark(f->result)->campaign.out_of_time);
}

static void time_ran_out(void)
{
	fake_host_pass(1000);
}

static void no_time_to_count_at_all_is_inconclusive(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 10;
	commit_sides(f, COSTS "\n");
	gate_fixture_when_said("head ", time_ran_out);
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

static void no_time_to_confirm_leaves_the_regression(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 60;
	commit_sides(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
	assert_says(comparison_of(f)->confirmation_text, "no time");
}

/* --- runs that fail --- */

static void fail_beside_the_twin(FakeRun *run)
{
	if (run->together == 2)
		run->failure_code = "benchmark_failed";
}

static void what_fails_beside_its_twin_is_counted_alone(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_beside_the_twin;
	commit_sides(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "cannot_run_beside_itself");
	assert_int_equal(measurement_n_runs(only_benchmark(f->result)->base), 2);
}

static void lose_data(FakeRun *run)
{
	if (run->number == 0) {
		run->failure_code = "data_lost";
		run->retry = TRUE;
	}
}

static void a_run_that_was_disturbed_is_made_again(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = lose_data;
	commit_sides(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->campaign.retries, 2);
}

static void lose_all(FakeRun *run)
{
	run->failure_code = "data_lost";
	run->retry = TRUE;
}

static void a_run_that_is_always_disturbed_is_an_invalid_measurement(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = lose_all;
	commit_sides(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_int_equal(fake_host.counted[SIDE_BASE] + fake_host.counted[SIDE_HEAD], 4);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

/* --- base is stored --- */

/* Stores base's counts by a check of base and another head. */
static void store_base(GateFixture *f)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
}

static void stored_counts_stand_for_base(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_STORED);
	assert_says(gate_fixture_said(), "base is not built: its counts are stored");
}

static void base_is_counted_all_the_same_where_that_is_asked_for(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	f->request.measure_base = TRUE;
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_MEASURED);
}

static void a_regression_against_stored_counts_counts_base_once_more(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(fake_host.counted[SIDE_BASE], 1);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 2);
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_STORED);
	assert_says(comparison_of(f)->confirmation_text, "base was counted again, with the stored result");
}

/* A damaged baseline is not read, and not written over. */
static void a_damaged_baseline_is_counted_again(void **state)
{
	GateFixture *f = *state;
	store_base(f);
	gate_fixture_damage_baselines(f, "base");
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "stored_base_unusable");
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
	found(f->result, "not_stored");
}

static void one_stored_run_takes_two_of_head(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_check(f);
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	/* of what was head, one run is stored */
	f->request.base = "main^";
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(base_is_counted_twice_and_head_once),
	        GATE_TEST(more_instructions_are_a_regression_that_is_counted_once_more),
	        GATE_TEST(fewer_instructions_pass),
	        GATE_TEST(nobody_has_to_count_again),
	        GATE_TEST(what_is_not_counted_again_is_no_regression),
	        GATE_TEST(counts_that_do_not_repeat_are_made_more_often),
	        GATE_TEST(no_time_for_more_counts_is_inconclusive),
	        GATE_TEST(no_time_to_count_at_all_is_inconclusive),
	        GATE_TEST(no_time_to_confirm_leaves_the_regression),
	        GATE_TEST(what_fails_beside_its_twin_is_counted_alone),
	        GATE_TEST(a_run_that_was_disturbed_is_made_again),
	        GATE_TEST(a_run_that_is_always_disturbed_is_an_invalid_measurement),
	        GATE_TEST(stored_counts_stand_for_base),
	        GATE_TEST(base_is_counted_all_the_same_where_that_is_asked_for),
	        GATE_TEST(a_regression_against_stored_counts_counts_base_once_more),
	        GATE_TEST(a_damaged_baseline_is_counted_again),
	        GATE_TEST(one_stored_run_takes_two_of_head),
	};
	return run_gate_tests(tests);
}
