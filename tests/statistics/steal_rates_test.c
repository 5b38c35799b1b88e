/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how checks end on a machine whose hypervisor takes CPU time: whole campaigns with made-up runs and a clock
 * that only runs while something is executed.
 *
 * A stolen burst is added to the CPU time of the run that had the CPU, as it is in a virtual machine (the rounds in
 * docs/STATISTICS.md were measured so). Bursts come at random; their lengths are even between half and one and a half
 * of the mean. What is stolen is there all the time, or comes and goes in spells. */
#include "compare/policy.h"
#include "compare/timed/verdict.h"
#include "runner/campaign/campaign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/statistics/ratetable.h"
#include "tests/statistics/scenarios.h"

#define CAMPAIGNS SIMULATED(2000)
#define RUN_S .5
#define SPREAD .003 /* of a run without steal */
#define TICK_S .01
#define MIN_TICKS 5 /* as in judge_steal() */
#define INVALID_OR_RED .01
#define FALSE_PASS .05

typedef struct {
	const char *name;
	double share, burst_s, spell_s; /* on average over all time; spell_s 0 = all the time, else half of it */
	Schedule schedule;
} Stealing;

/* A made-up machine. */
typedef struct {
	Executor interface;
	const Stealing *stealing;
	Draws draws;
	double head_factor;
	double spell_ends_s; /* by its clock */
	gboolean calm;
} Machine;

typedef struct {
	guint verdicts[4], invalid, campaigns, rounds, again;
	double waited_s;
} Ends;

static double clock_s, paused_s;

static gint64 now_ns(void)
{
	return (gint64)(clock_s * 1e9);
}

static gboolean pause_clock(gint64 ns, GError **error)
{
	(void)error;
	clock_s += (double)ns / 1e9;
	paused_s += (double)ns / 1e9;
	return TRUE;
}

/* The share that is stolen now. */
static double share_now(Machine *machine)
{
	const Stealing *stealing = machine->stealing;
	if (stealing->spell_s == 0)
		return stealing->share;
	while (clock_s >= machine->spell_ends_s) {
		machine->calm = !machine->calm;
		machine->spell_ends_s += -log(draw_uniform(&machine->draws)) * stealing->spell_s;
	}
	return machine->calm ? 0 : 2 * stealing->share;
}

/* Adds bursts to the CPU times of n runs that share the CPU; returns what all of them are. */
static double steal_from(Machine *machine, double *cpu_s, guint n, double share)
{
	double burst_s = machine->stealing->burst_s, stolen_s = 0, whole_s = cpu_s[0] + (n == 2 ? cpu_s[1] : 0);
	double first_part = cpu_s[0] / whole_s;
	guint bursts = (guint)draw_poisson(&machine->draws, whole_s * share / (1 - share) / burst_s);
	for (guint i = 0; i < bursts; i++) {
		double length_s = burst_s * (.5 + draw_uniform(&machine->draws));
		cpu_s[draw_chance(&machine->draws, first_part) ? 0 : 1] += length_s;
		stolen_s += length_s;
	}
	return stolen_s;
}

static void add_task_clock(RunOutcome *outcome, double cpu_s)
{
	RunMetric metric = {&engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN, FALSE, cpu_s * 1e9};
	outcome->metrics = g_array_new(FALSE, FALSE, sizeof metric);
	g_array_append_val(outcome->metrics, metric);
}

static gboolean execute(Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	Machine *machine = (Machine *)(void *)executor;
	double cpu_s[N_SIDES] = {0};
	(void)error;
	for (guint i = 0; i < n; i++)
		cpu_s[i] = RUN_S * (1 + SPREAD * draw_normal(&machine->draws)) *
		           (requests[i].side->name[0] == 'h' ? machine->head_factor : 1);
	double stolen_s = steal_from(machine, cpu_s, n, share_now(machine));
	double whole_s = cpu_s[0] + cpu_s[1], began_s = clock_s;
	clock_s += whole_s;
	for (guint i = 0; i < n; i++) {
		add_task_clock(&outcomes[i], cpu_s[i]);
		outcomes[i].facts.steal_share = stolen_s / whole_s;
		outcomes[i].stolen_share = stolen_s >= MIN_TICKS * TICK_S ? stolen_s / whole_s : 0;
		outcomes[i].start_ns = (gint64)(began_s * 1e9);
		outcomes[i].end_ns = now_ns();
		outcomes[i].facts.wall_ns = (guint64)(outcomes[i].end_ns - outcomes[i].start_ns);
	}
	return TRUE;
}

static void destroy(Executor *executor)
{
	(void)executor;
}

/* The input of the verdict. */
typedef struct {
	GPtrArray *policies;
	CompareInput input;
} Judge;

static gboolean decided(gpointer data, const Campaign *campaign)
{
	(void)campaign;
	return compare_decided(&((Judge *)data)->input);
}

static CampaignPlan plan_of(const ConfigBenchmark *benchmark, Machine *machine, Judge *judge, FindingList *findings)
{
	static const Side sides[N_SIDES] = {{.name = "base"}, {.name = "head"}};
	return (CampaignPlan){
	        .benchmark = benchmark,
	        .sides = {&sides[SIDE_BASE], &sides[SIDE_HEAD]},
	        .n_layouts = 1,
	        .now_ns = now_ns,
	        .pause = pause_clock,
	        .measurements = {(Measurement *)judge->input.base, (Measurement *)judge->input.head},
	        .schedule = machine->stealing->schedule,
	        .looks = judge->input.plan.rounds,
	        .n_looks = judge->input.plan.n,
	        .seed = draw_bits(&machine->draws),
	        .recording_dir = "/nowhere",
	        .executor = &machine->interface,
	        .findings = findings,
	        .decided = decided,
	        .decided_data = judge,
	};
}

static void note_end(Ends *ends, const Campaign *campaign, const Judge *judge)
{
	g_autoptr(BenchmarkComparison) comparison = compare_benchmark(&judge->input);
	ends->verdicts[comparison->verdict]++;
	ends->rounds += campaign->rounds;
	ends->again += campaign->retries;
}

static void run_campaign(Machine *machine, const ConfigBenchmark *benchmark, GPtrArray *policies, Ends *ends)
{
	g_autoptr(Measurement) base = measurement_new("one", "worktree", ""),
	                       head = measurement_new("one", "worktree", "");
	g_autoptr(FindingList) findings = finding_list_new();
	Judge judge = {policies, {.base = base, .head = head, .policies = policies, .plan = look_plan_sequential(1)}};
	CampaignPlan plan = plan_of(benchmark, machine, &judge, findings);
	machine->spell_ends_s = clock_s;
	paused_s = 0;
	g_autoptr(Campaign) campaign = campaign_run(&plan, NULL);
	ends->campaigns++;
	ends->waited_s += paused_s;
	if (campaign != NULL)
		note_end(ends, campaign, &judge);
	else
		ends->invalid++;
}

static Ends simulate(const Stealing *stealing, double head_factor)
{
	static const char text[] = "version: 1\nbenchmarks:\n- {name: one, command: ./one}\n";
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	MetricPolicy policy = {.metric = (char *)"task-clock", .engine = &engine_perf};
	g_autoptr(GPtrArray) policies = g_ptr_array_new();
	Machine machine = {.interface = {execute, destroy}, .stealing = stealing, .head_factor = head_factor};
	Ends ends = {0};
	machine.draws.state = (guint64)(stealing->burst_s * 1e6) + (guint64)(1e3 * head_factor);
	default_policy("task-clock", schedule_name(stealing->schedule), TRUE, &policy);
	g_ptr_array_add(policies, &policy);
	for (int i = 0; i < CAMPAIGNS; i++)
		run_campaign(&machine, config->benchmarks->pdata[0], policies, &ends);
	return ends;
}

static const Stealing stealings[] = {
        {"10 %, bursts of 2 ms", .10, .002, 0, SCHEDULE_COSCHEDULED},
        {"10 %, bursts of 5 ms", .10, .005, 0, SCHEDULE_COSCHEDULED},
        {"10 %, bursts of 20 ms", .10, .020, 0, SCHEDULE_COSCHEDULED},
        {"10 %, in spells of 10 s", .10, .010, 10, SCHEDULE_COSCHEDULED},
        {"10 %, in spells of 60 s", .10, .010, 60, SCHEDULE_COSCHEDULED},
        {"30 %, bursts of 10 ms", .30, .010, 0, SCHEDULE_COSCHEDULED},
        {"10 %, bursts of 5 ms, back to back", .10, .005, 0, SCHEDULE_SEQUENTIAL},
        {"10 %, in spells of 10 s, back to back", .10, .010, 10, SCHEDULE_SEQUENTIAL},
};

static double rate(guint count, const Ends *ends)
{
	return (double)count / ends->campaigns;
}

static void print_ends(const char *name, const char *head, const Ends *ends)
{
	printf("| %s | %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f | %.1f | %.0f s |", name, head,
	        100 * rate(ends->verdicts[VERDICT_PASS], ends), 100 * rate(ends->verdicts[VERDICT_INCONCLUSIVE], ends),
	        100 * rate(ends->verdicts[VERDICT_REGRESSION], ends),
	        100 * rate(ends->invalid + ends->verdicts[VERDICT_ERROR], ends), rate(ends->rounds, ends),
	        rate(ends->again, ends), ends->waited_s / ends->campaigns);
}

static void unchanged_programs(RateTable *table, const Stealing *stealing)
{
	g_autoptr(GString) limits = g_string_new(NULL);
	Ends ends = simulate(stealing, 1);
	guint bad = ends.verdicts[VERDICT_REGRESSION] + ends.verdicts[VERDICT_ERROR] + ends.invalid;
	print_ends(stealing->name, "unchanged", &ends);
	end_row(table, limits,
	        keeps_most(limits, "red or invalid", rate(bad, &ends), most_at_level(INVALID_OR_RED, ends.campaigns)));
}

/* Slower by a little more than what is passed. */
static void slower_programs(RateTable *table, const Stealing *stealing)
{
	g_autoptr(GString) limits = g_string_new(NULL);
	gboolean sequential = stealing->schedule == SCHEDULE_SEQUENTIAL;
	Ends ends = simulate(stealing, sequential ? 1.11 : 1.045);
	print_ends(stealing->name, sequential ? "+11 %" : "+4.5 %", &ends);
	end_row(table, limits,
	        keeps_most(limits, "pass", rate(ends.verdicts[VERDICT_PASS], &ends),
	                most_at_level(FALSE_PASS, ends.campaigns)));
}

static void steal_makes_checks_inconclusive_and_neither_red_nor_invalid_nor_wrong(void **state)
{
	RateTable table = {0};
	(void)state;
	printf("| stolen | head | pass | inconclusive | regression | invalid | rounds | done again | waited | limits | "
	       "held |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (gsize i = 0; i < G_N_ELEMENTS(stealings); i++) {
		unchanged_programs(&table, &stealings[i]);
		slower_programs(&table, &stealings[i]);
	}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(steal_makes_checks_inconclusive_and_neither_red_nor_invalid_nor_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
