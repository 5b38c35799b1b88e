/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how often a whole campaign, totals and functions together, is called a regression: where nothing changed,
 * where one function got slower, and where code only moved. */
#include "compare/timed/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/compare/synthetic.h"
#include "tests/statistics/families.h"
#include "tests/statistics/ratetable.h"

#define TOTALS_AND_FUNCTIONS .02 /* chance of a false regression, .01 each */
#define FUNCTIONS .01
#define USUAL_CAMPAIGNS 1000 /* of earlier simulations */

typedef struct {
	guint campaigns;
	guint verdicts[4];
	guint named, innocents; /* campaigns in which the guilty function gates, in which another one does */
	guint told;             /* that do not fail, but tell of the guilty function */
	guint rounds;
} WholeCounts;

static double share(guint count, const WholeCounts *counts)
{
	return (double)count / counts->campaigns;
}

static void count_whole(const BenchmarkComparison *c, const StackTable *table, const char *guilty, WholeCounts *counts)
{
	gboolean named = FALSE, innocent = FALSE, told = FALSE;
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *f = c->functions->pdata[i];
		gboolean is_guilty = g_strcmp0(stack_table_frame_name(table, f->frame), guilty) == 0;
		named = named || (f->gates && is_guilty);
		innocent = innocent || (f->gates && !is_guilty);
		told = told || (f->held != FUNCTION_NOT_HELD && is_guilty);
	}
	counts->verdicts[c->verdict]++;
	counts->named += named;
	counts->innocents += innocent;
	counts->told += told && c->verdict != VERDICT_REGRESSION;
}

/* Judges one benchmark by the default margins of such a machine. */
typedef struct {
	MetricPolicy policy;
	GPtrArray *policies;
	CompareInput input;
} Judge;

static void judge_init(Judge *judge, const char *schedule, gboolean hosted)
{
	judge->policy = (MetricPolicy){.metric = (char *)"task-clock", .engine = &engine_perf};
	default_policy("task-clock", schedule, hosted, &judge->policy);
	judge->policies = g_ptr_array_new();
	g_ptr_array_add(judge->policies, &judge->policy);
	judge->input = (CompareInput){.policies = judge->policies,
	        .functions = default_function_policy(hosted, 1),
	        .plan = look_plan_sequential(1)};
}

static void judge_clear(Judge *judge)
{
	g_ptr_array_unref(judge->policies);
}

/* --- a small program under a clock --- */

enum { TREE_FUNCTIONS = 6, TREE_ROUNDS = 8 };

#define TIME_SPREAD .005 /* of the CPU time of a run */

/* One run: how the samples fall on the functions is chance, but there are as many as the CPU time asks for. So a
 * function's count scatters like counts do, and their sum only as the time does. */
static void fill_run(const SyntheticFunction *tree, Measurement *m, gboolean is_head, Draws *draws)
{
	RunFacts facts = {.round = m->runs->len + 1, .started_first = (m->runs->len % 2 == 0) != is_head};
	guint run = profile_add_run(m->profile);
	double counts[TREE_FUNCTIONS], drawn = 0, mean = 0, speed = exp(TIME_SPREAD * draw_normal(draws));
	for (guint f = 0; f < TREE_FUNCTIONS; f++) {
		double expected = is_head ? tree[f].head : tree[f].base;
		counts[f] = draw_poisson(draws, expected);
		drawn += counts[f];
		mean += expected;
	}
	for (guint f = 0; f < TREE_FUNCTIONS; f++) {
		guint64 samples = (guint64)(counts[f] * speed * mean / drawn + .5);
		profile_add(m->profile, run, synthetic_stack(m->profile->table, &tree[f]),
		        (ProfileCell){samples, samples * SAMPLE_NS});
	}
	g_array_append_val(m->runs, facts);
	synthetic_value(m, "task-clock", "ns", run, mean * speed * SAMPLE_NS);
}

static Measurement *tree_side_new(const SyntheticFunction *tree, StackTable *table, gboolean is_head, Draws *draws)
{
	Measurement *m = measurement_new("tree", is_head ? "head" : "base", "tree");
	m->work = 1;
	m->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint i = 0; i < TREE_ROUNDS; i++)
		fill_run(tree, m, is_head, draws);
	return m;
}

static WholeCounts simulate_tree(const SyntheticFunction *tree, const char *guilty, guint campaigns)
{
	WholeCounts counts = {.campaigns = campaigns};
	Draws draws = {11};
	Judge judge;
	judge_init(&judge, "coscheduled", TRUE);
	for (guint i = 0; i < campaigns; i++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) base = tree_side_new(tree, table, FALSE, &draws);
		g_autoptr(Measurement) head = tree_side_new(tree, table, TRUE, &draws);
		judge.input.base = base;
		judge.input.head = head;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&judge.input);
		count_whole(c, table, guilty, &counts);
	}
	judge_clear(&judge);
	return counts;
}

/* `hash` and `sort` have 200 and 300 samples per run in base and what is given here in head; all times `samples`. */
typedef struct {
	const char *what, *guilty;
	double hash, sort, samples;
	double usual; /* percent of campaigns that earlier simulations called a regression; 0 = only by chance */
} TreeCase;

static const TreeCase trees[] = {
        {"none", NULL, 200, 300, 1, 0},
        {"`hash` +10 % (2 % of the total)", "hash", 220, 300, 1, 36.5},
        {"`hash` +15 % (3 %)", "hash", 230, 300, 1, 89.3},
        {"`hash` +25 % (5 %)", "hash", 250, 300, 1, 100},
        {"20 % of `sort` moved to `hash`", NULL, 260, 240, 1, 0},
        {"20 % of `sort` moved to `hash`", NULL, 260, 240, 4, 0},
};

static double fill_tree(const TreeCase *row, SyntheticFunction *tree)
{
	static const SyntheticFunction program[TREE_FUNCTIONS] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 200, "a.c", 10},
	        {"main;hash;mix", 100, 100, "a.c", 5},
	        {"main;sort", 300, 300, "b.c", 30},
	        {"main;sort;compare", 80, 80, "b.c", 20},
	        {"main;render", 250, 250, "c.c", 50},
	};
	double total = 0;
	for (guint f = 0; f < TREE_FUNCTIONS; f++) {
		tree[f] = program[f];
		tree[f].base *= row->samples;
		tree[f].head *= row->samples;
		total += tree[f].base;
	}
	tree[1].head = row->hash * row->samples;
	tree[3].head = row->sort * row->samples;
	return total;
}

static gboolean keeps_tree_limits(GString *limits, const TreeCase *row, const WholeCounts *counts)
{
	guint n = counts->campaigns;
	double rate = share(counts->verdicts[VERDICT_REGRESSION], counts);
	gboolean held;
	if (row->usual > 0)
		held = keeps_least(limits, "regression", rate, least_like(row->usual / 100, USUAL_CAMPAIGNS, n));
	else
		held = keeps_most(limits, "regression", rate, most_at_level(TOTALS_AND_FUNCTIONS, n));
	return keeps_most(limits, "innocent", share(counts->innocents, counts), most_at_level(FUNCTIONS, n)) && held;
}

static void a_small_program_is_judged_by_what_changed_in_it(void **state)
{
	RateTable table = {0};
	(void)state;
	printf("\nA program of %d functions on a co-scheduled virtual machine, %d rounds, CPU time that varies by .5 "
	       "%%: "
	       "%d campaigns per row.\n\n| change | samples per run | regression | guilty function gates | an innocent "
	       "one gates | limits | held |\n|---|---|---|---|---|---|---|\n",
	        TREE_FUNCTIONS, TREE_ROUNDS, SIMULATED(800));
	for (guint i = 0; i < G_N_ELEMENTS(trees); i++) {
		SyntheticFunction tree[TREE_FUNCTIONS];
		double total = fill_tree(&trees[i], tree);
		WholeCounts c = simulate_tree(tree, trees[i].guilty, SIMULATED(800));
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_tree_limits(limits, &trees[i], &c);
		printf("| %s | %.0f | %.1f %% | ", trees[i].what, total,
		        100 * share(c.verdicts[VERDICT_REGRESSION], &c));
		if (trees[i].guilty != NULL)
			printf("%.1f %%", 100 * share(c.named, &c));
		else
			printf("-");
		printf(" | %.1f %% |", 100 * share(c.innocents, &c));
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

/* --- a program of forty functions on machines of every kind, measured until it is decided --- */

enum { MACHINE_FUNCTIONS = 40, GUILTY = 4 };

typedef struct {
	const FamilyNoise *noise;
	const char *schedule;
	gboolean hosted;
	double factor; /* of the fifth largest function, 4.7 % of the samples */
	double found;  /* percent of campaigns that at least have to fail or to tell of it; 0 = no limit */
} MachineCase;

static const MachineCase machines[] = {
        {&family_quiet, "sequential", FALSE, 1, 0},
        {&family_quiet, "sequential", FALSE, 1.5, 99},
        {&family_vm, "sequential", TRUE, 1, 0},
        {&family_vm, "sequential", TRUE, 1.5, 99},
        {&family_vm, "sequential", TRUE, 2, 99},
        {&family_noisy, "sequential", TRUE, 1, 0},
        {&family_noisy, "sequential", TRUE, 2, 99},
        {&family_noisy, "sequential", TRUE, 3, 99},
        {&family_bimodal, "sequential", FALSE, 1, 0},
        {&family_bimodal, "sequential", FALSE, 1.5, 99},
        {&family_drift, "sequential", TRUE, 1, 0},
        {&family_drift, "sequential", TRUE, 1.5, 99},
};

/* A machine, a program on it, and the gate. */
typedef struct {
	Judge judge;
	FamilyPlan plan;
	const FamilyNames *names;
	Draws draws;
} MachineRun;

/* Measures up to the look at which the totals are decided, as a check does. */
static void simulate_campaign(MachineRun *run, WholeCounts *counts)
{
	CompareInput *input = &run->judge.input;
	FamilyCampaign campaign;
	family_campaign_init(&campaign, &run->plan, run->names, &run->draws);
	input->base = campaign.base;
	input->head = campaign.head;
	for (guint look = 0; look < input->plan.n; look++) {
		family_campaign_run(&campaign, input->plan.rounds[look], &run->draws);
		if (compare_decided(input))
			break;
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(input);
	count_whole(c, run->names->table, run->plan.factors[GUILTY] > 0 ? "f4" : NULL, counts);
	counts->rounds += campaign.base->runs->len;
	family_campaign_clear(&campaign);
}

static WholeCounts simulate_machine(const MachineCase *machine, const FamilyNames *names, guint campaigns)
{
	WholeCounts counts = {.campaigns = campaigns};
	MachineRun run = {.names = names,
	        .draws = {12},
	        .plan = {.noise = machine->noise, .functions = MACHINE_FUNCTIONS, .rounds = SCENARIO_MAX_ROUNDS}};
	run.plan.factors[GUILTY] = machine->factor > 1 ? machine->factor : 0;
	judge_init(&run.judge, machine->schedule, machine->hosted);
	for (guint i = 0; i < campaigns; i++)
		simulate_campaign(&run, &counts);
	judge_clear(&run.judge);
	return counts;
}

static gboolean keeps_machine_limits(GString *limits, const MachineCase *machine, const WholeCounts *counts)
{
	guint n = counts->campaigns;
	double rate = share(counts->verdicts[VERDICT_REGRESSION], counts), found = machine->found / 100;
	gboolean held = keeps_most(limits, "innocent", share(counts->innocents, counts), most_at_level(FUNCTIONS, n));
	if (machine->factor > 1)
		return keeps_least(limits, "regression or told", rate + share(counts->told, counts),
		               least_at_level(found, n)) &&
		       held;
	return keeps_most(limits, "regression", rate, most_at_level(TOTALS_AND_FUNCTIONS, n)) && held;
}

static void a_program_is_judged_on_machines_of_every_kind(void **state)
{
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nA program of %d functions, default margins, looks at 8, 12 and 20 rounds: %d campaigns per row.\n\n"
	       "| machine | margins | change of the fifth function | of the total | regression | inconclusive | pass | "
	       "it gates | it is told | an innocent one gates | rounds | limits | held "
	       "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
	        MACHINE_FUNCTIONS, SIMULATED(800));
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
		const MachineCase *m = &machines[i];
		FamilyPlan plan = {.noise = m->noise, .functions = MACHINE_FUNCTIONS};
		WholeCounts c = simulate_machine(m, names, SIMULATED(800));
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_machine_limits(limits, m, &c);
		printf("| %s | %s | %+.0f %% | %+.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | "
		       "%.1f |",
		        m->noise->machine->name, m->hosted ? "3 % / 10 %" : "2 % / 5 %", 100 * (m->factor - 1),
		        100 * (m->factor - 1) * family_mean(&plan, GUILTY) / m->noise->samples,
		        100 * share(c.verdicts[VERDICT_REGRESSION], &c),
		        100 * share(c.verdicts[VERDICT_INCONCLUSIVE], &c), 100 * share(c.verdicts[VERDICT_PASS], &c),
		        100 * share(c.named, &c), 100 * share(c.told, &c), 100 * share(c.innocents, &c),
		        share(c.rounds, &c));
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_small_program_is_judged_by_what_changed_in_it),
	        cmocka_unit_test(a_program_is_judged_on_machines_of_every_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
