/* SPDX-License-Identifier: Apache-2.0 */
/* The logic of a campaign with made-up runs: order, looks, layouts, schedules, failures. */
#include "core/error.h"
#include "runner/campaign/fixedwall.h"
#include "tests/runner/campaignfixture.h"

#include <glib/gstdio.h>

static const FakeRun *run_at(const Fixture *f, guint i)
{
	return &g_array_index(f->fake.runs, FakeRun, i);
}

static void warm_up_is_alone_and_rounds_are_together(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(f->fake.runs->len, 2 + 2 * 8);
	for (guint i = 0; i < f->fake.runs->len; i++)
		assert_int_equal(run_at(f, i)->together, i >= 2);
	assert_string_equal(f->measurements[SIDE_HEAD]->schedule, "coscheduled");
}

static void a_decision_ends_the_campaign_at_a_look(void **state)
{
	Fixture *f = *state;
	f->decided_after = 9;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_SEQUENTIAL, NULL);
	assert_int_equal(campaign->rounds, 12);
	assert_int_equal(f->asked, 2);
	assert_int_equal(measurement_n_runs(f->measurements[SIDE_BASE]), 12);
	assert_int_equal(campaign->recordings[SIDE_HEAD]->len, 12);
}

/* The seconds that were told to be left, and how often. */
typedef struct {
	double whole_s, left_s;
	guint n;
} Left;

static void note_left(gpointer data, double whole_s, double left_s)
{
	Left *left = data;
	assert_true(left_s >= 0 && left_s < whole_s);
	assert_true(left->n == 0 || left_s < left->left_s);
	*left = (Left){whole_s, left_s, left->n + 1};
}

static void the_time_to_the_look_is_told_after_each_round(void **state)
{
	Fixture *f = *state;
	Left left = {0};
	f->plan.tell_left = note_left;
	f->plan.tell_left_data = &left;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(left.n, campaign->rounds);
	assert_true(left.left_s == 0);
}

static void an_undecided_campaign_ends_at_the_last_look(void **state)
{
	Fixture *f = *state;
	f->decided_after = 1000;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->rounds, 20);
	assert_int_equal(f->asked, 3);
}

static void values_belong_to_their_side_whatever_the_order(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	for (guint i = 0; i < campaign->rounds; i++) {
		assert_true(metric_value(measurement_metric(f->measurements[SIDE_BASE], &engine_perf, "task-clock"),
		                    i) == 5e8);
		assert_true(metric_value(measurement_metric(f->measurements[SIDE_HEAD], &engine_perf, "task-clock"),
		                    i) == 6e8);
		assert_int_not_equal(g_array_index(f->measurements[SIDE_BASE]->runs, RunFacts, i).started_first,
		        g_array_index(f->measurements[SIDE_HEAD]->runs, RunFacts, i).started_first);
	}
}

static void own_metrics_keep_engine_and_direction(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	const MetricSeries *rate = measurement_metric(f->measurements[SIDE_HEAD], &engine_benchmark, "rate");
	assert_true(rate->higher_is_better);
	assert_string_equal(rate->unit, "1/s");
	assert_true(metric_value(rate, 7) == 7);
	assert_false(measurement_metric(f->measurements[SIDE_HEAD], &engine_perf, "task-clock")->higher_is_better);
}

static void a_metric_that_changes_its_unit_on_the_way_is_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.other_unit_from = 5;
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "reported rate in another unit"));
}

static void work_that_runs_report_becomes_that_of_the_measurement(void **state)
{
	Fixture *f = *state;
	f->fake.work = 10;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_COSCHEDULED, NULL);
	const Measurement *base = f->measurements[SIDE_BASE], *head = f->measurements[SIDE_HEAD];
	assert_true(measurement_run_work(base, 0) == 1 && base->work == 1);
	assert_true(measurement_run_work(head, 0) + measurement_run_work(head, 1) == 30);
	assert_true(head->work == 15);
}

static void a_failing_warm_up_is_an_error_that_names_side_and_signal(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 0, f->fake.fail_until = 1;
	f->fake.fail_code = "benchmark_failed";
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "benchmark one of "));
	assert_non_null(strstr(error->message, "warm-up: killed by SIGABRT"));
}

static void a_disturbed_round_is_done_again_as_a_pair(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 3, f->fake.fail_until = 5;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 2);
	assert_int_equal(f->fake.runs->len, 2 + 2 * (8 + 2));
	assert_int_equal(g_array_index(f->measurements[SIDE_BASE]->runs, RunFacts, 1).attempts, 3);
}

static void a_side_that_fails_now_and_then_is_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_side = 'h';
	f->fake.fail_from = 3, f->fake.fail_until = 5;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	assert_null(fixture_run(f, SCHEDULE_COSCHEDULED, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "of head failed in 2 runs"));
}

static void a_round_that_fails_four_times_makes_the_measurement_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 3, f->fake.fail_until = 1000;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_int_equal(f->fake.calls, 3 + 4);
	assert_non_null(strstr(error->message, "round 2"));
}

static void a_timeout_is_not_tried_again(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 5, f->fake.fail_until = 1000;
	f->fake.fail_code = "timeout";
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(f->fake.calls, 5 + 1);
}

static void a_benchmark_that_fails_beside_itself_runs_sequentially_with_a_finding(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 0, f->fake.fail_until = 1000;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	f->fake.fail_only_together = TRUE;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_true(finding_has(f->findings, "cannot_run_beside_itself"));
	assert_string_equal(f->measurements[SIDE_BASE]->schedule, "sequential");
}

/* The warm-up ran, and then it fails beside its twin and alone. */
static void a_benchmark_that_fails_at_all_is_not_said_to_work_alone(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 2, f->fake.fail_until = 1000;
	f->fake.fail_code = "benchmark_failed";
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_false(finding_has(f->findings, "cannot_run_beside_itself"));
}

static void the_warm_up_is_sampled_like_the_rounds_it_is_compared_with(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_run(f, SCHEDULE_AUTO, NULL);
	assert_true(run_at(f, 0)->recorded && run_at(f, 1)->recorded);
	assert_int_equal(campaign->recordings[SIDE_BASE]->len, campaign->rounds);
}

static void a_disturbed_warm_up_is_nothing_to_stop_for(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 0, f->fake.fail_until = 2;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
}

static void rounds_take_the_layouts_of_both_sides_in_turns(void **state)
{
	Fixture *f = *state;
	f->plan.n_layouts = FAKE_LAYOUTS;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(run_at(f, 0)->layout, 0);
	assert_int_equal(run_at(f, 1)->layout, 0);
	for (guint i = 0; i < 2 * 8; i++)
		assert_int_equal(run_at(f, 2 + i)->layout, i / 2 % FAKE_LAYOUTS);
}

static void a_round_that_is_done_again_keeps_layout_padding_rate_and_order(void **state)
{
	Fixture *f = *state;
	f->plan.n_layouts = FAKE_LAYOUTS;
	f->fake.fail_from = 3, f->fake.fail_until = 4;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	for (guint i = 4; i < 6; i++) {
		assert_int_equal(run_at(f, i)->layout, 1);
		assert_int_equal(run_at(f, i)->layout, run_at(f, i + 2)->layout);
		assert_int_equal(run_at(f, i)->padding, run_at(f, i + 2)->padding);
		assert_int_equal(run_at(f, i)->sampling_hz, run_at(f, i + 2)->sampling_hz);
		assert_int_equal(run_at(f, i)->side, run_at(f, i + 2)->side);
	}
}

static void padding_is_equal_for_both_runs_of_a_round_and_changes_between_rounds(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	g_autoptr(GHashTable) different = g_hash_table_new(NULL, NULL);
	for (guint i = 2; i < f->fake.runs->len; i += 2) {
		assert_int_equal(run_at(f, i)->padding, run_at(f, i + 1)->padding);
		g_hash_table_add(different, GUINT_TO_POINTER(run_at(f, i)->padding));
	}
	assert_in_range(g_hash_table_size(different), 6, 8);
}

/* It was empty, by which a run could tell that it was none of a round. */
static void a_warm_up_is_padded_like_a_round(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_not_equal(run_at(f, 0)->padding, 0);
	assert_int_equal(run_at(f, 0)->padding, run_at(f, 1)->padding);
	for (guint i = 2; i < f->fake.runs->len; i++)
		assert_int_not_equal(run_at(f, 0)->padding, run_at(f, i)->padding);
}

/* At one rate, a loop whose turns take as long as the time between two samples is seen at the same place in all rounds.
 */
static void the_sampling_rate_is_equal_for_both_runs_of_a_round_and_changes_between_rounds(void **state)
{
	Fixture *f = *state;
	guint asked_hz = f->plan.benchmark->sampling_hz;
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	g_autoptr(GHashTable) different = g_hash_table_new(NULL, NULL);
	assert_int_equal(run_at(f, 0)->sampling_hz, 0);
	for (guint i = 2; i < f->fake.runs->len; i += 2) {
		guint rate_hz = run_at(f, i)->sampling_hz;
		assert_int_equal(rate_hz, run_at(f, i + 1)->sampling_hz);
		assert_in_range(rate_hz, asked_hz - asked_hz / 10, asked_hz);
		g_hash_table_add(different, GUINT_TO_POINTER(rate_hz));
	}
	assert_in_range(g_hash_table_size(different), 6, 8);
}

static void head_runs_a_command_of_its_own_where_it_has_one(void **state)
{
	Fixture *f = *state;
	f->plan.head_benchmark = f->config->benchmarks->pdata[1];
	G_GNUC_UNUSED g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	for (guint i = 0; i < f->fake.runs->len; i++)
		assert_ptr_equal(run_at(f, i)->benchmark,
		        run_at(f, i)->side == 'h' ? f->plan.head_benchmark : f->plan.benchmark);
}

static void without_a_head_every_round_is_one_run(void **state)
{
	Fixture *f = *state;
	f->plan.sides[SIDE_HEAD] = NULL;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(f->fake.runs->len, 1 + 8);
	assert_true(isnan(campaign->interference_ratio));
}

static void a_benchmark_that_costs_more_beside_its_twin_starts_anew_back_to_back(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(f->asked_at[0], 8);
	assert_int_equal(f->fake.runs->len, 2 + 2 * 4 + 2 + 2 * 8);
	assert_false(run_at(f, 2 + 2 * 4)->together);
	assert_int_equal(measurement_n_runs(f->measurements[SIDE_HEAD]), 8);
	assert_true(metric_value(measurement_metric(f->measurements[SIDE_HEAD], &engine_perf, "task-clock"), 0) == 6e8);
	assert_int_equal(campaign->recordings[SIDE_BASE]->len, 8);
	assert_string_equal(f->measurements[SIDE_BASE]->schedule, "sequential");
	assert_true(campaign->interference_ratio == 2);
	const Finding *finding = fixture_finding(f, "cache_interference");
	assert_int_equal(finding->severity, FINDING_WARNING);
	assert_says(finding->text, "costs 2.0 times as much CPU time beside its twin as alone");
	assert_says(finding->text, "the first 4 rounds, which all showed it, were discarded");
	assert_says(finding->text, "with more noise and the margins of co-scheduled rounds");
}

/* A program that was fine beside itself was called cache-bound for its first two rounds, and got wider margins. */
static void a_few_noisy_rounds_are_no_interference(void **state)
{
	Fixture *f = *state;
	f->fake.slow_from = 2, f->fake.slow_until = 2 + 3;
	f->fake.slow_factor = 4;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(f->fake.runs->len, 2 + 2 * 8);
	assert_false(finding_has(f->findings, "cache_interference"));
}

static void a_machine_that_gets_slower_after_the_warm_up_is_no_interference(void **state)
{
	Fixture *f = *state;
	f->fake.slow_from = 2, f->fake.slow_until = 1000;
	f->fake.slow_factor = 2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(f->fake.runs->len, 2 + 2 * 4 + 2 + 2 * 4);
	assert_true(campaign->interference_ratio == 1);
}

static void what_the_yardstick_meets_too_is_no_interference(void **state)
{
	Fixture *f = *state;
	f->plan.yardstick = f->fake.yardstick;
	f->fake.beside_factor = 2;
	f->fake.yard_beside_factor = 1.5;
	g_autoptr(Campaign) with_it = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(with_it->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(with_it->rounds, 8);
}

static void interference_beyond_that_of_the_yardstick_counts(void **state)
{
	Fixture *f = *state;
	f->plan.yardstick = f->fake.yardstick;
	f->fake.beside_factor = 2;
	f->fake.yard_beside_factor = 1.2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
}

static void fewer_rounds_than_the_evidence_takes_change_no_schedule(void **state)
{
	static const guint three[] = {3};
	Fixture *f = *state;
	f->plan.looks = three;
	f->plan.n_looks = 1;
	f->fake.beside_factor = 2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(fixture_finding(f, "cache_interference")->severity, FINDING_INFO);
}

static void a_schedule_that_was_asked_for_is_kept_with_a_remark(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(f->fake.runs->len, 2 + 2 * 8);
	assert_int_equal(fixture_finding(f, "cache_interference")->severity, FINDING_INFO);
}

static void little_interference_is_no_reason_to_change_the_schedule(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 1.5;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_true(campaign->interference_ratio == 1.5);
	assert_false(finding_has(f->findings, "cache_interference"));
}

/* The first run of the warm-up costs half of the other: a ratio of 2 on one side, of 1 on the other. */
static void interference_is_judged_by_both_sides(void **state)
{
	Fixture *f = *state;
	f->fake.slow_from = 0, f->fake.slow_until = 1;
	f->fake.slow_factor = .5;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_true(campaign->interference_ratio == 1.5);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
}

static void rounds_with_interference_are_kept_where_time_is_short(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = 2;
	fixture_limit_time(f, 1.1 + 8 * 2.2 + 1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->rounds, 8);
	assert_true(finding_has(f->findings, "cache_interference"));
}

static void without_a_deadline_no_campaign_is_out_of_time(void **state)
{
	Fixture *f = *state;
	f->decided_after = 1000;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_false(campaign->out_of_time);
	assert_true(campaign->lacking_s == 0);
	assert_false(finding_has(f->findings, "out_of_time"));
}

static void rounds_towards_a_look_past_the_deadline_are_not_started(void **state)
{
	Fixture *f = *state;
	f->decided_after = 1000;
	fixture_limit_time(f, 1.1 + 12 * 1.1 + 2);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 12);
	assert_int_equal(f->asked, 2);
	assert_true(campaign->out_of_time);
	assert_true(fabs(campaign->lacking_s - (8 * 1.1 - 2)) < 1e-6);
	assert_says(fixture_finding(f, "out_of_time")->text, "after 12 of 20 rounds: the look after 20 needs 1.1 s");
}

static void a_campaign_that_is_decided_in_time_is_not_out_of_time(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, 1.1 + 8 * 1.1 + .1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_false(campaign->out_of_time);
}

static void too_little_time_for_the_first_look_is_not_spent(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, 5);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 0);
	assert_int_equal(f->fake.calls, 2);
	assert_int_equal(f->asked, 0);
	assert_true(campaign->out_of_time);
	assert_true(fabs(campaign->lacking_s - (1.1 + 8 * 1.1 - 5)) < 1e-6);
	assert_string_equal(f->measurements[SIDE_BASE]->schedule, "coscheduled");
}

static void a_deadline_that_has_passed_runs_nothing(void **state)
{
	Fixture *f = *state;
	fixture_limit_time(f, -1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(f->fake.calls, 0);
	assert_true(campaign->out_of_time);
	assert_true(isnan(campaign->lacking_s));
	assert_true(campaign->estimate_s == 0);
	assert_string_equal(f->measurements[SIDE_BASE]->schedule, "coscheduled");
	assert_says(fixture_finding(f, "out_of_time")->text, "no time was left");
}

static void a_cold_warm_up_does_not_make_a_campaign_give_up(void **state)
{
	Fixture *f = *state;
	f->fake.slow_from = 0, f->fake.slow_until = 1;
	f->fake.slow_factor = 5;
	fixture_limit_time(f, 3.6 + 8 * 1.1 + 1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_false(campaign->out_of_time);
}

/* It costs twice as much as the rounds, and takes as long alone as these beside each other. */
static void a_cold_warm_up_does_not_make_fixed_work_look_like_fixed_time(void **state)
{
	Fixture *f = *state;
	f->fake.slow_from = 0, f->fake.slow_until = 2;
	f->fake.slow_factor = 2;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_false(campaign_is_fixed_wall(campaign));
}

static void work_for_a_fixed_time_is_told_after_another_look(void **state)
{
	Fixture *f = *state;
	f->fake.beside_factor = .5;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_COSCHEDULED);
	assert_true(campaign_is_fixed_wall(campaign));
}

static void a_warm_up_that_had_to_wait_does_not_make_a_campaign_give_up(void **state)
{
	Fixture *f = *state;
	f->fake.wait_from = 0, f->fake.wait_until = 2;
	f->fake.wait_factor = 5;
	fixture_limit_time(f, 5.5 + 8 * 1.1 + 1);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 8);
	assert_false(campaign->out_of_time);
}

static void rounds_that_get_slower_end_before_the_deadline(void **state)
{
	Fixture *f = *state;
	double limit_s = 1.1 + 8 * 1.1 + .5;
	f->fake.slow_from = 2 + 4, f->fake.slow_until = 1000;
	f->fake.slow_factor = 3;
	fixture_limit_time(f, limit_s);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 5);
	assert_true(campaign->out_of_time);
	assert_true(campaign->elapsed_s < limit_s);
}

static void a_round_is_not_done_again_past_the_deadline(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 2 + 7, f->fake.fail_until = 1000;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	fixture_limit_time(f, 1.1 + 8 * 1.1 + 1.5);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->rounds, 7);
	assert_int_equal(f->fake.calls, 2 + 7 + 2);
	assert_true(campaign->out_of_time);
}

static void a_failure_beside_the_twin_is_not_counted_against_a_side(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 2, f->fake.fail_until = 5;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	f->fake.fail_side = 'h';
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->crashes[SIDE_HEAD], 1);
}

static void a_crash_in_the_warm_up_is_not_tried_again(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 0, f->fake.fail_until = 1;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
}

static void a_timeout_in_the_warm_up_is_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.fail_from = 1, f->fake.fail_until = 2;
	f->fake.fail_code = "timeout";
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_TIMEOUT);
	assert_int_equal(firebreak_error_exit_code(error), FIREBREAK_ERROR_INVALID);
}

static void the_recording_of_the_warm_up_is_removed(void **state)
{
	Fixture *f = *state;
	g_autofree char *dir = g_dir_make_tmp("campaign-XXXXXX", NULL);
	f->plan.recording_dir = dir;
	f->fake.records = TRUE;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	for (int s = 0; s < N_SIDES; s++)
		for (guint i = 0; i < campaign->recordings[s]->len; i++)
			assert_int_equal(g_unlink(campaign->recordings[s]->pdata[i]), 0);
	assert_int_equal(g_rmdir(dir), 0);
}

static void the_name_of_a_recording_tells_neither_side_nor_round(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	for (int s = 0; s < N_SIDES; s++)
		for (guint i = 0; i < campaign->recordings[s]->len; i++) {
			char *path = campaign->recordings[s]->pdata[i];
			assert_true(g_hash_table_add(names, path));
			assert_int_equal(strlen(path), strlen("/tmp/.data") + ARENA_NAME_LENGTH);
			assert_null(strstr(path, "one"));
		}
}

static void lost_data_is_no_reason_to_change_the_schedule(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 2, f->fake.fail_until = 3;
	f->fake.fail_code = "data_lost";
	f->fake.fail_retry = TRUE;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(campaign->retries, 1);
	assert_says(f->talk->str, "one: round 1 of ");
	assert_says(f->talk->str, " is repeated: data_lost\n");
}

static void a_single_side_that_fails_now_and_then_is_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->plan.sides[SIDE_HEAD] = NULL;
	f->fake.fail_from = 3, f->fake.fail_until = 5;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	assert_null(fixture_run(f, SCHEDULE_AUTO, &error));
	assert_non_null(strstr(error->message, "of base failed in 2 runs"));
}

/* Back to back, a round is two calls: three of them in a row meet both sides, and one of them twice. */
static void failures_on_both_sides_are_the_machines(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 2, f->fake.fail_until = 5;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->crashes[SIDE_BASE] + campaign->crashes[SIDE_HEAD], 3);
	assert_says(fixture_finding(f, "rounds_done_again")->text, "2 rounds were disturbed and repeated (3 by");
}

static void the_order_is_balanced_within_every_step_of_the_looks(void **state)
{
	(void)state;
	for (guint64 seed = 0; seed < 50; seed++) {
		guint64 random = seed;
		g_autofree gboolean *order = campaign_order(looks, G_N_ELEMENTS(looks), &random);
		guint counts[3] = {0};
		for (guint i = 0; i < 20; i++)
			counts[i < 8 ? 0 : i < 12 ? 1 : 2] += order[i] ? 1 : 0;
		assert_int_equal(counts[0], 4);
		assert_int_equal(counts[1], 2);
		assert_int_equal(counts[2], 4);
	}
}

static void an_odd_step_gives_the_extra_first_place_to_either_side(void **state)
{
	(void)state;
	static const guint odd[] = {9};
	guint base_more = 0;
	for (guint64 seed = 0; seed < 200; seed++) {
		guint64 random = seed;
		g_autofree gboolean *order = campaign_order(odd, 1, &random);
		guint count = 0;
		for (guint i = 0; i < 9; i++)
			count += order[i] ? 1 : 0;
		assert_true(count == 4 || count == 5);
		base_more += count == 5;
	}
	assert_in_range(base_more, 60, 140);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(warm_up_is_alone_and_rounds_are_together),
	        FIXTURE_TEST(a_decision_ends_the_campaign_at_a_look),
	        FIXTURE_TEST(the_time_to_the_look_is_told_after_each_round),
	        FIXTURE_TEST(an_undecided_campaign_ends_at_the_last_look),
	        FIXTURE_TEST(values_belong_to_their_side_whatever_the_order),
	        FIXTURE_TEST(own_metrics_keep_engine_and_direction),
	        FIXTURE_TEST(a_metric_that_changes_its_unit_on_the_way_is_invalid),
	        FIXTURE_TEST(work_that_runs_report_becomes_that_of_the_measurement),
	        FIXTURE_TEST(a_failing_warm_up_is_an_error_that_names_side_and_signal),
	        FIXTURE_TEST(a_disturbed_round_is_done_again_as_a_pair),
	        FIXTURE_TEST(a_round_that_fails_four_times_makes_the_measurement_invalid),
	        FIXTURE_TEST(a_timeout_is_not_tried_again),
	        FIXTURE_TEST(a_side_that_fails_now_and_then_is_invalid),
	        FIXTURE_TEST(a_benchmark_that_fails_beside_itself_runs_sequentially_with_a_finding),
	        FIXTURE_TEST(a_benchmark_that_fails_at_all_is_not_said_to_work_alone),
	        FIXTURE_TEST(the_warm_up_is_sampled_like_the_rounds_it_is_compared_with),
	        FIXTURE_TEST(a_disturbed_warm_up_is_nothing_to_stop_for),
	        FIXTURE_TEST(rounds_take_the_layouts_of_both_sides_in_turns),
	        FIXTURE_TEST(a_round_that_is_done_again_keeps_layout_padding_rate_and_order),
	        FIXTURE_TEST(padding_is_equal_for_both_runs_of_a_round_and_changes_between_rounds),
	        FIXTURE_TEST(a_warm_up_is_padded_like_a_round),
	        FIXTURE_TEST(the_sampling_rate_is_equal_for_both_runs_of_a_round_and_changes_between_rounds),
	        FIXTURE_TEST(head_runs_a_command_of_its_own_where_it_has_one),
	        FIXTURE_TEST(without_a_head_every_round_is_one_run),
	        FIXTURE_TEST(a_benchmark_that_costs_more_beside_its_twin_starts_anew_back_to_back),
	        FIXTURE_TEST(a_few_noisy_rounds_are_no_interference),
	        FIXTURE_TEST(a_machine_that_gets_slower_after_the_warm_up_is_no_interference),
	        FIXTURE_TEST(what_the_yardstick_meets_too_is_no_interference),
	        FIXTURE_TEST(interference_beyond_that_of_the_yardstick_counts),
	        FIXTURE_TEST(fewer_rounds_than_the_evidence_takes_change_no_schedule),
	        FIXTURE_TEST(a_schedule_that_was_asked_for_is_kept_with_a_remark),
	        FIXTURE_TEST(little_interference_is_no_reason_to_change_the_schedule),
	        FIXTURE_TEST(interference_is_judged_by_both_sides),
	        FIXTURE_TEST(rounds_with_interference_are_kept_where_time_is_short),
	        FIXTURE_TEST(without_a_deadline_no_campaign_is_out_of_time),
	        FIXTURE_TEST(rounds_towards_a_look_past_the_deadline_are_not_started),
	        FIXTURE_TEST(a_campaign_that_is_decided_in_time_is_not_out_of_time),
	        FIXTURE_TEST(too_little_time_for_the_first_look_is_not_spent),
	        FIXTURE_TEST(a_deadline_that_has_passed_runs_nothing),
	        FIXTURE_TEST(a_cold_warm_up_does_not_make_a_campaign_give_up),
	        FIXTURE_TEST(a_cold_warm_up_does_not_make_fixed_work_look_like_fixed_time),
	        FIXTURE_TEST(work_for_a_fixed_time_is_told_after_another_look),
	        FIXTURE_TEST(a_warm_up_that_had_to_wait_does_not_make_a_campaign_give_up),
	        FIXTURE_TEST(rounds_that_get_slower_end_before_the_deadline),
	        FIXTURE_TEST(a_round_is_not_done_again_past_the_deadline),
	        FIXTURE_TEST(a_failure_beside_the_twin_is_not_counted_against_a_side),
	        FIXTURE_TEST(a_crash_in_the_warm_up_is_not_tried_again),
	        FIXTURE_TEST(a_timeout_in_the_warm_up_is_invalid),
	        FIXTURE_TEST(the_recording_of_the_warm_up_is_removed),
	        FIXTURE_TEST(the_name_of_a_recording_tells_neither_side_nor_round),
	        FIXTURE_TEST(lost_data_is_no_reason_to_change_the_schedule),
	        FIXTURE_TEST(a_single_side_that_fails_now_and_then_is_invalid),
	        FIXTURE_TEST(failures_on_both_sides_are_the_machines),
	        cmocka_unit_test(the_order_is_balanced_within_every_step_of_the_looks),
	        cmocka_unit_test(an_odd_step_gives_the_extra_first_place_to_either_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
