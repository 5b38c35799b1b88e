/* SPDX-License-Identifier: Apache-2.0 */
/* Base against base: `--calibrate`, `calibrate_every`, and `--self-test`. */
#include "gate/timed/gatecalibrate.h"

#include "baselines/calibrations.h"
#include "tests/gate/fixture/gatefixture.h"

#define EVERY "version: 1\ncalibrate_every: 1\nbenchmarks: [{name: work, command: ./work}]\n"

static void calibrating_runs_base_on_both_sides(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_string_equal(f->result->base.sha, f->result->head.sha);
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_true(metric_median(measurement_metric(row->head, &engine_perf, "task-clock")) < 520e6);
	assert_int_equal(row->calibration->campaigns, 1);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

static void a_campaign_is_stored_with_the_time_of_the_host(void **state)
{
	GateFixture *f = *state;
	g_autoptr(FindingList) findings = finding_list_new();
	f->request.mode = CHECK_CALIBRATE;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_check(f);
	g_autoptr(BaselineStore) store = baseline_store_open(f->repo, NULL, NULL);
	g_autoptr(GPtrArray) stored = calibrations_list(store, "work", NULL, findings, NULL);
	assert_int_equal(stored->len, 1);
	assert_int_equal(((const Calibration *)stored->pdata[0])->time_s, FAKE_TIME_S);
}

static void as_many_campaigns_are_made_as_were_asked_for(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	f->request.campaigns = 3;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->calibration->campaigns, 3);
}

static void what_is_not_to_be_stored_is_reported_all_the_same(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	f->request.store = FALSE;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_check(f);
	assert_int_equal(only_benchmark(f->result)->calibration->campaigns, 1);
	f->request.mode = CHECK_GATE;
	gate_fixture_check(f);
	assert_null(only_benchmark(f->result)->calibration);
}

static void later_checks_report_stored_campaigns(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_check(f);
	f->request.mode = CHECK_GATE;
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_check(f);
	assert_int_equal(only_benchmark(f->result)->calibration->campaigns, 1);
}

static void slow_down_head(FakeRun *run)
{
	if (g_str_equal(run->side, "head"))
		run->factor = 1.2;
}

static void a_false_alarm_is_counted_and_no_regression(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	fake_host.on_run = slow_down_head;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "false_alarm");
	assert_says(only_benchmark(f->result)->comparison->confirmation_text, "false alarms are counted");
	assert_int_equal(fake_host.timed[SIDE_HEAD], FIRST_RUNS);
}

static void several_campaigns_are_nothing_for_counts(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	f->request.campaigns = 3;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_ends(gate_fixture_check(f), 2, "usage");
}

static void campaigns_without_time_are_left_out(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	f->request.campaigns = 5;
	f->request.max_time_s = 40;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "fewer_campaigns");
	assert_true(only_benchmark(f->result)->calibration->campaigns < 5);
}

static void a_check_whose_turn_has_come_calibrates_too(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, EVERY, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->calibration->campaigns, 1);
	assert_int_equal(fake_host.timed[SIDE_BASE], 2 * FIRST_RUNS);
}

static void its_turn_needs_time(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 15;
	gate_fixture_base(f, EVERY, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_null(only_benchmark(f->result)->calibration);
	assert_says(gate_fixture_said(), "no A/A campaign");
}

static void its_turn_is_about_what_is_stored(void **state)
{
	GateFixture *f = *state;
	f->request.store = FALSE;
	gate_fixture_base(f, EVERY, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.timed[SIDE_BASE], FIRST_RUNS);
}

/* --- self-test --- */

static void a_planted_delay_is_found(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_SELF_TEST;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_REGRESSION);
	assert_says(only_benchmark(f->result)->comparison->sentence, CHECK_PLANTED_FUNCTION);
	assert_int_equal(stored_baselines(f, "base"), 0);
}

static void a_planted_count_is_found(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_SELF_TEST;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_REGRESSION);
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
}

static void hide_the_delay(FakeRun *run)
{
	if (g_str_equal(run->side, "head"))
		run->factor = 1 / 1.06;
}

static void a_gate_that_misses_the_delay_does_not_pass(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_SELF_TEST;
	fake_host.on_run = hide_the_delay;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_check(f), 3, SELF_TEST_MISSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(calibrating_runs_base_on_both_sides),
	        GATE_TEST(a_campaign_is_stored_with_the_time_of_the_host),
	        GATE_TEST(as_many_campaigns_are_made_as_were_asked_for),
	        GATE_TEST(what_is_not_to_be_stored_is_reported_all_the_same),
	        GATE_TEST(later_checks_report_stored_campaigns),
	        GATE_TEST(a_false_alarm_is_counted_and_no_regression),
	        GATE_TEST(several_campaigns_are_nothing_for_counts),
	        GATE_TEST(campaigns_without_time_are_left_out),
	        GATE_TEST(a_check_whose_turn_has_come_calibrates_too),
	        GATE_TEST(its_turn_needs_time),
	        GATE_TEST(its_turn_is_about_what_is_stored),
	        GATE_TEST(a_planted_delay_is_found),
	        GATE_TEST(a_planted_count_is_found),
	        GATE_TEST(a_gate_that_misses_the_delay_does_not_pass),
	};
	return run_gate_tests(tests);
}
