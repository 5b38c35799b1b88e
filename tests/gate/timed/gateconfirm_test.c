/* SPDX-License-Identifier: Apache-2.0 */
/* A regression is measured once more: what a second campaign finds, or why there is none. */
#include "gate/timed/gateconfirm.h"

#include "tests/gate/fixture/gatefixture.h"

static gboolean is_second(const FakeRun *run)
{
	return run->number >= FIRST_RUNS;
}

static const BenchmarkComparison *check_slower(GateFixture *f)
{
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	return only_benchmark(f->result)->comparison;
}

static void what_a_second_campaign_finds_again_stays_a_regression(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->confirmation, CONFIRMATION_CONFIRMED);
	assert_int_equal(fake_host.timed[SIDE_HEAD], 2 * FIRST_RUNS);
}

static void be_like_base_in_the_second(FakeRun *run)
{
	if (is_second(run) && g_str_equal(run->side, "head"))
		run->factor = 500.0 / 580;
}

static void what_a_second_campaign_does_not_find_is_taken_back(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = be_like_base_in_the_second;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_int_equal(f->result->exit_code, 3);
	assert_int_equal(comparison->verdict, VERDICT_INCONCLUSIVE);
	assert_int_not_equal(comparison->confirmation, CONFIRMATION_CONFIRMED);
	assert_int_not_equal(comparison->confirmation, CONFIRMATION_NOT_RUN);
}

static void fail_in_the_second(FakeRun *run)
{
	if (is_second(run))
		run->failure_code = "benchmark_failed";
}

static void a_second_campaign_that_fails_takes_nothing_back(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_in_the_second;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->confirmation, CONFIRMATION_NOT_RUN);
	assert_says(comparison->confirmation_text, "exit code 1");
}

static void no_time_for_a_second_campaign_takes_nothing_back(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 15;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->confirmation, CONFIRMATION_NOT_RUN);
	assert_says(comparison->confirmation_text, "it takes about");
	assert_int_equal(fake_host.timed[SIDE_HEAD], FIRST_RUNS);
}

/* The estimate said that there was time. */
static void be_slow_in_the_second(FakeRun *run)
{
	if (is_second(run))
		fake_host_pass(2);
}

static void a_second_campaign_that_runs_out_of_time_takes_nothing_back(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 45;
	fake_host.on_run = be_slow_in_the_second;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->confirmation, CONFIRMATION_NOT_RUN);
	assert_says(comparison->confirmation_text, "time ran out");
}

static void nobody_has_to_confirm(void **state)
{
	GateFixture *f = *state;
	f->request.no_confirm = TRUE;
	const BenchmarkComparison *comparison = check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_string_equal(comparison->confirmation_text, "--no-confirm");
	assert_int_equal(fake_host.timed[SIDE_HEAD], FIRST_RUNS);
}

static void a_pass_is_measured_once(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.timed[SIDE_HEAD], FIRST_RUNS);
}

static void be_disturbed_in_the_second(FakeRun *run)
{
	if (run->number == FIRST_RUNS + 3) {
		run->failure_code = "data_lost";
		run->retry = TRUE;
	}
}

/* Its remarks would stand beside the same remarks of the first. */
static void a_second_campaign_makes_no_remarks_of_its_own(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = be_disturbed_in_the_second;
	check_slower(f);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(fake_host.timed[SIDE_HEAD], 2 * FIRST_RUNS + 1);
	assert_not_found(f->result, "rounds_done_again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(what_a_second_campaign_finds_again_stays_a_regression),
	        GATE_TEST(what_a_second_campaign_does_not_find_is_taken_back),
	        GATE_TEST(a_second_campaign_that_fails_takes_nothing_back),
	        GATE_TEST(no_time_for_a_second_campaign_takes_nothing_back),
	        GATE_TEST(a_second_campaign_that_runs_out_of_time_takes_nothing_back),
	        GATE_TEST(nobody_has_to_confirm),
	        GATE_TEST(a_pass_is_measured_once),
	        GATE_TEST(a_second_campaign_makes_no_remarks_of_its_own),
	};
	return run_gate_tests(tests);
}
