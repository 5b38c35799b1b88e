/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign with made-up runs: an executor that notes what it is asked for, and a clock that only runs while something
 * is executed. A run of base costs .5 s, one of head .6 s, one of the yardstick .05 s, unless a test says otherwise. */
#pragma once

#include "runner/campaign/campaign.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FAKE_LAYOUTS 3

/* A run as it was asked for. */
typedef struct {
	char side; /* b or h */
	guint layout, padding, sampling_hz;
	const ConfigBenchmark *benchmark;
	gboolean together, first, recorded, weighs, slow_clocks;
	guint stack_bytes;
} FakeRun;

/* Calls are pairs or single runs of the benchmark, counted from 0; a range of them is [from, until). */
typedef struct {
	Executor interface;
	const ConfigBenchmark *yardstick;
	GArray *runs;  /* of FakeRun: those of the benchmark */
	GArray *yards; /* of FakeRun: those of the yardstick */
	guint calls, yard_calls;
	int fail_from, fail_until;
	const char *fail_code;
	gboolean fail_retry, fail_only_together;
	char fail_side; /* 0 = the run that is released last */
	int wait_from, wait_until;
	char wait_side;            /* 0 = both */
	double wait_factor;        /* wall time over what it is else */
	int slow_from, slow_until; /* calls that cost slow_factor times as much */
	double slow_factor;
	int steal_from, steal_until; /* calls of which the hypervisor takes steal_share */
	char steal_side;             /* 0 = both */
	double steal_share;
	double yard_steal_share;
	double cpu_ns[N_SIDES]; /* alone */
	double beside_factor;   /* costs so much more when two run together */
	double yard_ns[N_SIDES];
	double yard_beside_factor;
	double yard_wait_factor;          /* its wall time over its CPU time */
	gboolean yard_fails;              /* its runs fail */
	gboolean yard_breaks;             /* executing it is an error */
	StackPieceCounts pieces[N_SIDES]; /* of every run */
	double work;                      /* units that head reports; 0 = none */
	gboolean records;                 /* makes the files of its recordings */
	gboolean asks_cpu_clock;          /* every run */
	/* of head with slow clocks, one after the other; 0 = it fails; the last one stays */
	double clock_factors[4];
	guint clock_runs;
	int other_unit_from; /* calls from which on `rate` is in another unit, -1 = never */
} FakeExecutor;

static gint64 fake_clock_ns, fake_paused_ns;

static inline gint64 fake_now_ns(void)
{
	return fake_clock_ns;
}

static inline gboolean fake_pause(gint64 ns, GError **error)
{
	(void)error;
	fake_clock_ns += ns;
	fake_paused_ns += ns;
	return TRUE;
}

static inline void fake_note_run(FakeExecutor *fake, const RunRequest *request, gboolean together, gboolean first)
{
	FakeRun run = {
	        .side = request->side->name[0],
	        .layout = request->side->layout,
	        .padding = request->padding,
	        .sampling_hz = request->sampling_hz,
	        .benchmark = request->benchmark,
	        .together = together,
	        .first = first,
	        .recorded = request->recording != NULL,
	        .weighs = request->weigh_pieces,
	        .slow_clocks = request->slow_clocks,
	        .stack_bytes = request->stack_bytes,
	};
	g_array_append_val(request->benchmark == fake->yardstick ? fake->yards : fake->runs, run);
	if (fake->records && run.recorded)
		g_assert_true(g_file_set_contents(request->recording, "", 0, NULL));
}

static inline void fake_add_metric(RunOutcome *outcome, RunMetric metric)
{
	if (outcome->metrics == NULL)
		outcome->metrics = g_array_new(FALSE, FALSE, sizeof metric);
	g_array_append_val(outcome->metrics, metric);
}

static inline gboolean fake_in(int call, int from, int until)
{
	return call >= from && call < until;
}

static inline double fake_clock_factor(FakeExecutor *fake, const RunRequest *request)
{
	if (!request->slow_clocks || request->side->name[0] == 'b')
		return 1;
	guint run = fake->clock_runs++;
	return fake->clock_factors[MIN(run, G_N_ELEMENTS(fake->clock_factors) - 1)];
}

static inline void fake_run(FakeExecutor *fake, const RunRequest *request, int call, guint n, RunOutcome *outcome)
{
	char side = request->side->name[0];
	double cpu_ns = fake->cpu_ns[side == 'b' ? SIDE_BASE : SIDE_HEAD] * (n == 2 ? fake->beside_factor : 1);
	gboolean waits =
	        fake_in(call, fake->wait_from, fake->wait_until) && (fake->wait_side == 0 || fake->wait_side == side);
	gboolean other_unit = fake->other_unit_from >= 0 && call >= fake->other_unit_from;
	if (fake_in(call, fake->slow_from, fake->slow_until))
		cpu_ns *= fake->slow_factor;
	cpu_ns *= fake_clock_factor(fake, request);
	if (cpu_ns == 0)
		outcome->failure_code = g_strdup("benchmark_failed");
	outcome->asks_cpu_clock = fake->asks_cpu_clock;
	fake_add_metric(outcome, (RunMetric){&engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, cpu_ns});
	fake_add_metric(outcome,
	        (RunMetric){&engine_benchmark, "rate", other_unit ? "1/ms" : "1/s", METRIC_SAME_CAMPAIGN, TRUE, 7});
	outcome->facts.work = side == 'h' ? fake->work * (1 + call % 2) : 0;
	outcome->facts.samples = 100;
	outcome->pieces = fake->pieces[side == 'b' ? SIDE_BASE : SIDE_HEAD];
	outcome->start_ns = fake_clock_ns;
	outcome->end_ns = fake_clock_ns + (gint64)(cpu_ns * n * (waits ? fake->wait_factor : 1));
	outcome->facts.wall_ns = (guint64)(outcome->end_ns - outcome->start_ns);
	if (fake_in(call, fake->steal_from, fake->steal_until) && (fake->steal_side == 0 || fake->steal_side == side))
		outcome->facts.steal_share = outcome->stolen_share = fake->steal_share;
}

static inline void fake_fail(FakeExecutor *fake, const RunRequest *requests, guint n, RunOutcome *outcomes)
{
	guint failing = n - 1;
	if (fake->fail_side != 0 && requests[failing].side->name[0] != fake->fail_side)
		failing = 0;
	if (fake->fail_side != 0 && requests[failing].side->name[0] != fake->fail_side)
		return;
	outcomes[failing].failure_code = g_strdup(fake->fail_code);
	outcomes[failing].failure = g_strdup("killed by SIGABRT (Aborted)");
	outcomes[failing].retry = fake->fail_retry;
}

static inline gboolean fake_execute_yardstick(
        FakeExecutor *fake, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	fake->yard_calls++;
	for (guint i = 0; i < n; i++) {
		double cpu_ns = fake->yard_ns[requests[i].side->name[0] == 'b' ? SIDE_BASE : SIDE_HEAD] *
		                (n == 2 ? fake->yard_beside_factor : 1);
		fake_clock_ns += (gint64)(cpu_ns * fake->yard_wait_factor);
		if (fake->yard_breaks)
			continue;
		fake_add_metric(&outcomes[i],
		        (RunMetric){&engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, cpu_ns});
		outcomes[i].stolen_share = fake->yard_steal_share;
		if (fake->yard_fails && requests[i].side->name[0] == 'h')
			outcomes[i].failure_code = g_strdup("data_lost");
	}
	if (fake->yard_breaks)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "cannot start it");
	return !fake->yard_breaks;
}

static inline gboolean fake_execute(
        Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	FakeExecutor *fake = (FakeExecutor *)executor;
	for (guint i = 0; i < n; i++)
		fake_note_run(fake, &requests[i], n == 2, i == 0);
	if (requests[0].benchmark == fake->yardstick)
		return fake_execute_yardstick(fake, requests, n, outcomes, error);
	int call = (int)fake->calls++;
	for (guint i = 0; i < n; i++)
		fake_run(fake, &requests[i], call, n, &outcomes[i]);
	for (guint i = 0; i < n; i++)
		fake_clock_ns += (outcomes[i].end_ns - outcomes[i].start_ns) / n;
	if (fake_in(call, fake->fail_from, fake->fail_until) && (n == 2 || !fake->fail_only_together))
		fake_fail(fake, requests, n, outcomes);
	return TRUE;
}

static inline void fake_destroy(Executor *executor)
{
	FakeExecutor *fake = (FakeExecutor *)executor;
	g_array_unref(fake->runs);
	g_array_unref(fake->yards);
}

typedef struct {
	FakeExecutor fake;
	CampaignPlan plan; /* of two sides, one layout, AUTO, looks after 8, 12 and 20 rounds; no yardstick */
	Measurement *measurements[N_SIDES];
	Side sides[N_SIDES][FAKE_LAYOUTS];
	Config *config; /* of `one`, `slower` and `yardstick` */
	FindingList *findings;
	GString *talk;       /* the lines of progress */
	guint asked;         /* how often the decision was asked for */
	guint asked_at[8];   /* after how many rounds */
	guint decided_after; /* rounds after which it is decided */
} Fixture;

static inline gboolean fixture_decide(gpointer data, const Campaign *campaign)
{
	Fixture *f = data;
	assert_true(f->asked < G_N_ELEMENTS(f->asked_at));
	f->asked_at[f->asked++] = campaign->rounds;
	return campaign->rounds >= f->decided_after;
}

static inline void fixture_listen(gpointer data, const char *text)
{
	g_string_append_printf(((Fixture *)data)->talk, "%s\n", text);
}

static const guint looks[] = {8, 12, 20};

static inline void fixture_plan(Fixture *f)
{
	f->plan = (CampaignPlan){
	        .benchmark = f->config->benchmarks->pdata[0],
	        .sides = {f->sides[SIDE_BASE], f->sides[SIDE_HEAD]},
	        .n_layouts = 1,
	        .now_ns = fake_now_ns,
	        .pause = fake_pause,
	        .measurements = {f->measurements[SIDE_BASE], f->measurements[SIDE_HEAD]},
	        .schedule = SCHEDULE_AUTO,
	        .looks = looks,
	        .n_looks = G_N_ELEMENTS(looks),
	        .seed = 7,
	        .recording_dir = "/tmp",
	        .executor = &f->fake.interface,
	        .findings = f->findings,
	        .decided = fixture_decide,
	        .decided_data = f,
	        .progress = fixture_listen,
	        .progress_data = f,
	};
}

static inline int fixture_set_up(void **state)
{
	static const char text[] = "version: 1\nbenchmarks:\n- {name: one, command: ./one}\n"
	                           "- {name: slower, command: ./slower}\n- {name: yardstick, command: ./yardstick}\n";
	Fixture *f = g_new0(Fixture, 1);
	f->config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	f->fake = (FakeExecutor){
	        .interface = {fake_execute, fake_destroy},
	        .yardstick = f->config->benchmarks->pdata[2],
	        .runs = g_array_new(FALSE, FALSE, sizeof(FakeRun)),
	        .yards = g_array_new(FALSE, FALSE, sizeof(FakeRun)),
	        .wait_factor = 1,
	        .slow_factor = 1,
	        .cpu_ns = {5e8, 6e8},
	        .beside_factor = 1,
	        .yard_ns = {5e7, 5e7},
	        .yard_beside_factor = 1,
	        .yard_wait_factor = 1,
	        .other_unit_from = -1,
	};
	for (int s = 0; s < N_SIDES; s++)
		for (guint l = 0; l < FAKE_LAYOUTS; l++)
			f->sides[s][l] = (Side){.name = s == SIDE_BASE ? "base" : "head", .layout = l};
	for (int s = 0; s < N_SIDES; s++)
		f->measurements[s] = measurement_new("one", "worktree", "");
	f->findings = finding_list_new();
	f->talk = g_string_new(NULL);
	f->decided_after = 8;
	fake_paused_ns = 0;
	fixture_plan(f);
	*state = f;
	return 0;
}

static inline int fixture_tear_down(void **state)
{
	Fixture *f = *state;
	executor_free(&f->fake.interface);
	for (int s = 0; s < N_SIDES; s++)
		measurement_free(f->measurements[s]);
	config_free(f->config);
	finding_list_free(f->findings);
	g_string_free(f->talk, TRUE);
	g_free(f);
	return 0;
}

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

static inline Campaign *fixture_run(Fixture *f, Schedule schedule, GError **error)
{
	f->plan.schedule = schedule;
	return campaign_run(&f->plan, error);
}

/* The same for a campaign that must not fail. */
static inline Campaign *fixture_must_run(Fixture *f, Schedule schedule)
{
	g_autoptr(GError) error = NULL;
	Campaign *campaign = fixture_run(f, schedule, &error);
	assert_null(error);
	assert_non_null(campaign);
	return campaign;
}

static inline void fixture_limit_time(Fixture *f, double seconds)
{
	f->plan.deadline_ns = fake_clock_ns + (gint64)(seconds * 1e9);
}

/* The first finding with this code, which must be there. */
static inline const Finding *fixture_finding(const Fixture *f, const char *code)
{
	for (guint i = 0; i < finding_count(f->findings); i++)
		if (g_str_equal(finding_get(f->findings, i)->code, code))
			return finding_get(f->findings, i);
	fail_msg("no finding %s", code);
	return NULL;
}

static inline void assert_says(const char *text, const char *what)
{
	if (strstr(text, what) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", text, what);
}
