/* The logic of a campaign with made-up runs: order, looks, retries, failures, fall-back. */
#include "core/error.h"
#include "runner/campaign.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	Executor interface;
	GString *log;              /* one letter per run: b or h, upper case when run together */
	guint calls;               /* rounds or single runs so far */
	int fail_from, fail_until; /* calls that fail, [from, until) */
	const char *fail_code;
	gboolean fail_retry, fail_only_together;
	char fail_side;      /* 0 = the run that is released last */
	double work;         /* units that head reports; 0 = none */
	int other_unit_from; /* calls from which on `latency` is in another unit, -1 = never */
} FakeExecutor;

static gboolean fake_execute(
        Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	FakeExecutor *fake = (FakeExecutor *)executor;
	(void)error;
	int call = (int)fake->calls++;
	for (guint i = 0; i < n; i++) {
		char letter = requests[i].side->name[0];
		g_string_append_c(fake->log, n == 2 ? g_ascii_toupper(letter) : letter);
		RunMetric metric = {"perf", "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, letter == 'b' ? 5e8 : 6e8};
		gboolean other_unit = fake->other_unit_from >= 0 && call >= fake->other_unit_from;
		RunMetric rate = {"benchmark", "rate", other_unit ? "1/ms" : "1/s", METRIC_SAME_CAMPAIGN, TRUE, 7};
		outcomes[i].metrics = g_array_new(FALSE, FALSE, sizeof metric);
		g_array_append_val(outcomes[i].metrics, metric);
		g_array_append_val(outcomes[i].metrics, rate);
		outcomes[i].facts.work = letter == 'h' ? fake->work * (1 + call % 2) : 0;
		outcomes[i].facts.samples = 100;
	}
	if (call >= fake->fail_from && call < fake->fail_until && (n == 2 || !fake->fail_only_together)) {
		guint failing = n - 1;
		if (fake->fail_side != 0 && requests[failing].side->name[0] != fake->fail_side)
			failing = 0;
		outcomes[failing].failure_code = g_strdup(fake->fail_code);
		outcomes[failing].failure = g_strdup("killed by SIGABRT (Aborted)");
		outcomes[failing].retry = fake->fail_retry;
	}
	return TRUE;
}

static void fake_destroy(Executor *executor)
{
	g_string_free(((FakeExecutor *)executor)->log, TRUE);
}

typedef struct {
	FakeExecutor fake;
	Measurement *measurements[N_SIDES];
	Side sides[N_SIDES];
	Config *config;
	FindingList *findings;
	guint asked;         /* how often the decision was asked for */
	guint decided_after; /* rounds after which it is decided */
} Fixture;

static gboolean decide(gpointer data, const Campaign *campaign)
{
	Fixture *fixture = data;
	fixture->asked++;
	return campaign->rounds >= fixture->decided_after;
}

static int set_up(void **state)
{
	static const char text[] = "version: 1\nbenchmarks: [{name: one, command: ./one}]\n";
	Fixture *f = g_new0(Fixture, 1);
	f->fake = (FakeExecutor){.interface = {fake_execute, fake_destroy},
	        .log = g_string_new(NULL),
	        .fail_from = -1,
	        .other_unit_from = -1};
	f->sides[SIDE_BASE].name = "base";
	f->sides[SIDE_HEAD].name = "head";
	for (int s = 0; s < N_SIDES; s++)
		f->measurements[s] = measurement_new("one", "worktree", "");
	f->config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	f->findings = finding_list_new();
	f->decided_after = 8;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	executor_free(&f->fake.interface);
	for (int s = 0; s < N_SIDES; s++)
		measurement_free(f->measurements[s]);
	config_free(f->config);
	finding_list_free(f->findings);
	g_free(f);
	return 0;
}

static const guint looks[] = {8, 12, 20};

static Campaign *run(Fixture *f, Schedule schedule, GError **error)
{
	CampaignPlan plan = {
	        .benchmark = f->config->benchmarks->pdata[0],
	        .sides = {&f->sides[SIDE_BASE], &f->sides[SIDE_HEAD]},
	        .measurements = {f->measurements[SIDE_BASE], f->measurements[SIDE_HEAD]},
	        .schedule = schedule,
	        .looks = looks,
	        .n_looks = G_N_ELEMENTS(looks),
	        .seed = 7,
	        .recording_dir = "/tmp",
	        .executor = &f->fake.interface,
	        .findings = f->findings,
	        .decided = decide,
	        .decided_data = f,
	};
	return campaign_run(&plan, error);
}

static void warm_up_is_alone_and_rounds_are_together(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->schedule, SCHEDULE_COSCHEDULED);
	assert_int_equal(f->fake.log->len, 2 + 2 * 8);
	assert_true(g_ascii_islower(f->fake.log->str[0]) && g_ascii_islower(f->fake.log->str[1]));
	for (guint i = 2; i < f->fake.log->len; i++)
		assert_true(g_ascii_isupper(f->fake.log->str[i]));
	assert_string_equal(f->measurements[SIDE_HEAD]->schedule, "coscheduled");
}

static void a_decision_ends_the_campaign_at_a_look(void **state)
{
	Fixture *f = *state;
	f->decided_after = 9;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_SEQUENTIAL, NULL);
	assert_int_equal(campaign->rounds, 12);
	assert_int_equal(f->asked, 2);
	assert_int_equal(measurement_n_runs(f->measurements[SIDE_BASE]), 12);
	assert_int_equal(campaign->recordings[SIDE_HEAD]->len, 12);
}

static void an_undecided_campaign_ends_at_the_last_look(void **state)
{
	Fixture *f = *state;
	f->decided_after = 1000;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->rounds, 20);
	assert_int_equal(f->asked, 3);
}

static void values_belong_to_their_side_whatever_the_order(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	for (guint i = 0; i < campaign->rounds; i++) {
		assert_true(
		        metric_value(measurement_metric(f->measurements[SIDE_BASE], "perf", "task-clock"), i) == 5e8);
		assert_true(
		        metric_value(measurement_metric(f->measurements[SIDE_HEAD], "perf", "task-clock"), i) == 6e8);
		assert_int_not_equal(g_array_index(f->measurements[SIDE_BASE]->runs, RunFacts, i).started_first,
		        g_array_index(f->measurements[SIDE_HEAD]->runs, RunFacts, i).started_first);
	}
}

static void own_metrics_keep_engine_and_direction(void **state)
{
	Fixture *f = *state;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	const MetricSeries *rate = measurement_metric(f->measurements[SIDE_HEAD], "benchmark", "rate");
	assert_true(rate->higher_is_better);
	assert_string_equal(rate->unit, "1/s");
	assert_true(metric_value(rate, 7) == 7);
	assert_false(measurement_metric(f->measurements[SIDE_HEAD], "perf", "task-clock")->higher_is_better);
}

static void a_metric_that_changes_its_unit_on_the_way_is_invalid(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	f->fake.other_unit_from = 5;
	assert_null(run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "reported rate in another unit"));
}

static void work_that_runs_report_becomes_that_of_the_measurement(void **state)
{
	Fixture *f = *state;
	f->fake.work = 10;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_COSCHEDULED, NULL);
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
	assert_null(run(f, SCHEDULE_AUTO, &error));
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
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->rounds, 8);
	assert_int_equal(campaign->retries, 2);
	assert_int_equal(f->fake.log->len, 2 + 2 * (8 + 2));
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
	assert_null(run(f, SCHEDULE_COSCHEDULED, &error));
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
	assert_null(run(f, SCHEDULE_AUTO, &error));
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
	assert_null(run(f, SCHEDULE_AUTO, &error));
	assert_int_equal(f->fake.calls, 5 + 1);
}

static void a_benchmark_that_fails_beside_itself_runs_sequentially_with_a_finding(void **state)
{
	Fixture *f = *state;
	f->fake.fail_from = 0, f->fake.fail_until = 1000;
	f->fake.fail_code = "benchmark_failed";
	f->fake.fail_retry = TRUE;
	f->fake.fail_only_together = TRUE;
	g_autoptr(Campaign) campaign = run(f, SCHEDULE_AUTO, NULL);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_true(finding_has(f->findings, "cannot_run_beside_itself"));
	assert_string_equal(f->measurements[SIDE_BASE]->schedule, "sequential");
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
	        cmocka_unit_test_setup_teardown(warm_up_is_alone_and_rounds_are_together, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_decision_ends_the_campaign_at_a_look, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_undecided_campaign_ends_at_the_last_look, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(values_belong_to_their_side_whatever_the_order, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(own_metrics_keep_engine_and_direction, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_metric_that_changes_its_unit_on_the_way_is_invalid, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                work_that_runs_report_becomes_that_of_the_measurement, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_failing_warm_up_is_an_error_that_names_side_and_signal, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_disturbed_round_is_done_again_as_a_pair, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_round_that_fails_four_times_makes_the_measurement_invalid, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_timeout_is_not_tried_again, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_side_that_fails_now_and_then_is_invalid, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_benchmark_that_fails_beside_itself_runs_sequentially_with_a_finding, set_up, tear_down),
	        cmocka_unit_test(the_order_is_balanced_within_every_step_of_the_looks),
	        cmocka_unit_test(an_odd_step_gives_the_extra_first_place_to_either_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
