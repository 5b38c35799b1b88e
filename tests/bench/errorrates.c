/* Error rates of the verdict by simulation with fixed seeds, as Markdown tables for docs/STATISTICS.md: how often a
 * total, a family of functions, and a whole campaign is called a regression, with and without one. Built and run by
 * errorrates.sh beside it. */
#include <stdio.h>

#include "compare/fliptest.h"
#include "compare/looks.h"
#include "compare/totals.h"
#include "compare/verdict.h"
#include "tests/compare/synthetic.h"

#define TOTAL_CAMPAIGNS 10000
#define WHOLE_CAMPAIGNS 1000
#define MAX_FUNCTIONS 200
#define MAX_ROUNDS 20

/* --- totals --- */

typedef struct {
	const char *what;
	double margin, pass_margin, spread;
} TotalCase;

/* Log ratios of rounds that scatter around the change; every tenth one scatters three times as much. */
static void draw_total(double *base, double *head, double change, double spread, guint64 *state)
{
	for (guint i = 0; i < MAX_ROUNDS; i++) {
		double factor = synthetic_next(state) % 10 == 0 ? 3 : 1;
		base[i] = 1;
		head[i] = (1 + change) * exp(factor * spread * synthetic_normal(state));
	}
}

static void print_total(const TotalCase *total, const char *effect, double change)
{
	MetricPolicy policy = {.margin = total->margin, .pass_margin = total->pass_margin, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	guint counts[4] = {0}, rounds = 0;
	guint64 state = 1;
	for (guint i = 0; i < TOTAL_CAMPAIGNS; i++) {
		double base[MAX_ROUNDS], head[MAX_ROUNDS];
		draw_total(base, head, change, total->spread, &state);
		TotalsInput input = {.base = base,
		        .head = head,
		        .rounds = MAX_ROUNDS,
		        .name = "task-clock",
		        .engine = "perf",
		        .unit = "ns",
		        .policy = &policy,
		        .plan = &plan};
		MetricComparison *comparison = totals_compare(&input);
		counts[comparison->verdict]++;
		rounds += comparison->rounds;
		metric_comparison_free(comparison);
	}
	double percent = 100.0 / TOTAL_CAMPAIGNS;
	printf("| %s | %.1f %% | %s: %+.1f %% | %.2f %% | %.2f %% | %.2f %% | %.1f |\n", total->what,
	        100 * total->spread, effect, 100 * change, percent * counts[VERDICT_REGRESSION],
	        percent * counts[VERDICT_INCONCLUSIVE], percent * counts[VERDICT_PASS],
	        (double)rounds / TOTAL_CAMPAIGNS);
}

static void print_totals(void)
{
	static const TotalCase cases[] = {
	        {"margins 2 % / 4 %", .02, .04, .005},
	        {"margins 2 % / 4 %", .02, .04, .02},
	        {"margins 3 % / 10 %", .03, .10, .05},
	};
	printf("| judged by | spread of a round | true change | regression | inconclusive | pass | rounds |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		print_total(&cases[i], "none", 0);
		print_total(&cases[i], "the margin", cases[i].margin);
		print_total(&cases[i], "the pass margin", cases[i].pass_margin);
		print_total(&cases[i], "twice that", 2 * cases[i].pass_margin);
	}
}

/* --- families of functions --- */

typedef struct {
	guint functions, rounds, campaigns;
	double change; /* of the third largest function */
} FamilyCase;

typedef struct {
	double base[MAX_FUNCTIONS * MAX_ROUNDS], head[MAX_FUNCTIONS * MAX_ROUNDS];
} FamilyDraw;

/* Sample counts that fall with the rank of a function. Every third function scatters more than counting does, the
 * others less, and each run has a speed of its own. */
static void draw_family(const FamilyCase *family, FamilyDraw *draw, guint64 *state)
{
	for (guint r = 0; r < family->rounds; r++) {
		double base_speed = .02 * synthetic_normal(state), head_speed = .02 * synthetic_normal(state);
		for (guint f = 0; f < family->functions; f++) {
			double mean = 800.0 / (f + 1), scatter = (f % 3 == 0 ? 1.6 : .4) * sqrt(mean);
			double change = f == 2 ? family->change : 0;
			double base = mean * (1 + base_speed) + scatter * synthetic_normal(state);
			double head = mean * (1 + change) * (1 + head_speed) + scatter * synthetic_normal(state);
			draw->base[f * family->rounds + r] = MAX(base, 0);
			draw->head[f * family->rounds + r] = MAX(head, 0);
		}
	}
}

static void print_family(const FamilyCase *family)
{
	guint innocent_05 = 0, innocent_01 = 0, found_01 = 0;
	guint64 state = 2;
	for (guint i = 0; i < family->campaigns; i++) {
		FamilyDraw draw;
		draw_family(family, &draw, &state);
		FlipInput input = {
		        .functions = family->functions, .rounds = family->rounds, .base = draw.base, .head = draw.head};
		input.phi = flip_dispersion(&input);
		g_autoptr(FlipTest) test = flip_test_new(&input);
		double smallest = 1;
		for (guint f = 0; f < family->functions; f++)
			if (f != 2 || family->change <= 0)
				smallest = MIN(smallest, test->p_adjusted[f]);
		innocent_05 += smallest <= .05;
		innocent_01 += smallest <= .01;
		found_01 += test->p_adjusted[2] <= .01;
	}
	double percent = 100.0 / family->campaigns;
	printf("| %u | %u | %+.0f %% | %.1f %% | %.1f %% | ", family->functions, family->rounds, 100 * family->change,
	        percent * innocent_05, percent * innocent_01);
	if (family->change > 0)
		printf("%.1f %% |\n", percent * found_01);
	else
		printf("- |\n");
}

static void print_families(void)
{
	static const FamilyCase cases[] = {
	        {40, 8, 4000, 0},
	        {200, 8, 4000, 0},
	        {200, 12, 500, 0},
	        {40, 8, 4000, .2},
	        {200, 8, 4000, .2},
	        {200, 12, 500, .2},
	};
	printf("| functions | rounds | third function | an innocent one at .05 | at .01 | the third at .01 |\n"
	       "|---|---|---|---|---|---|\n");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		print_family(&cases[i]);
}

/* --- whole campaigns --- */

#define TREE_FUNCTIONS 6
#define WHOLE_ROUNDS 8
#define TIME_SPREAD .005 /* of the CPU time of a run */

/* One run under a clock: how the samples fall on the functions is chance, but there are as many as the CPU time asks
 * for. So a function's count scatters like counts do, and their sum only as the time does. */
static void fill_run(const SyntheticFunction *tree, Measurement *m, gboolean is_head, guint64 *state)
{
	RunFacts facts = {.round = m->runs->len + 1, .started_first = (m->runs->len % 2 == 0) != is_head};
	guint run = profile_add_run(m->profile);
	double counts[TREE_FUNCTIONS], drawn = 0, mean = 0, speed = exp(TIME_SPREAD * synthetic_normal(state));
	for (guint f = 0; f < TREE_FUNCTIONS; f++) {
		double expected = is_head ? tree[f].head : tree[f].base;
		counts[f] = MAX(expected + sqrt(expected) * synthetic_normal(state), 0);
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

static Measurement *new_side(const SyntheticFunction *tree, StackTable *table, gboolean is_head, guint64 seed)
{
	Measurement *m = measurement_new("tree", is_head ? "head" : "base", "tree");
	guint64 state = seed * 2 + (is_head ? 1 : 0);
	m->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint i = 0; i < WHOLE_ROUNDS; i++)
		fill_run(tree, m, is_head, &state);
	return m;
}

typedef struct {
	guint regressions, named, innocents;
} WholeCounts;

static void count_whole(const StackTable *table, const BenchmarkComparison *c, const char *guilty, WholeCounts *counts)
{
	gboolean named = FALSE, innocent = FALSE;
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *f = c->functions->pdata[i];
		gboolean is_guilty = g_strcmp0(stack_table_frame_name(table, f->frame), guilty) == 0;
		named = named || (f->gates && is_guilty);
		innocent = innocent || (f->gates && !is_guilty);
	}
	counts->regressions += c->verdict == VERDICT_REGRESSION;
	counts->named += named;
	counts->innocents += innocent;
}

static WholeCounts simulate_whole(const SyntheticFunction *tree, const char *guilty)
{
	WholeCounts counts = {0};
	MetricPolicy policy = {.metric = (char *)"task-clock", .engine = (char *)"perf"};
	g_autoptr(GPtrArray) policies = g_ptr_array_new();
	default_policy("task-clock", "coscheduled", TRUE, &policy);
	g_ptr_array_add(policies, &policy);
	for (guint64 seed = 1; seed <= WHOLE_CAMPAIGNS; seed++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) base = new_side(tree, table, FALSE, seed * 1000);
		g_autoptr(Measurement) head = new_side(tree, table, TRUE, seed * 1000);
		CompareInput input = {.base = base,
		        .head = head,
		        .policies = policies,
		        .functions = default_function_policy(TRUE, 1),
		        .plan = look_plan_sequential(1)};
		g_autoptr(BenchmarkComparison) comparison = compare_benchmark(&input);
		count_whole(table, comparison, guilty, &counts);
	}
	return counts;
}

/* `hash` and `sort` have 200 and 300 samples per run in base and what is given here in head; all times `samples`. */
static void print_whole(const char *what, const char *guilty, double hash, double sort, double samples)
{
	SyntheticFunction tree[TREE_FUNCTIONS] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, hash, "a.c", 10},
	        {"main;hash;mix", 100, 100, "a.c", 5},
	        {"main;sort", 300, sort, "b.c", 30},
	        {"main;sort;compare", 80, 80, "b.c", 20},
	        {"main;render", 250, 250, "c.c", 50},
	};
	double total = 0, percent = 100.0 / WHOLE_CAMPAIGNS;
	for (guint f = 0; f < TREE_FUNCTIONS; f++) {
		tree[f].base *= samples;
		tree[f].head *= samples;
		total += tree[f].base;
	}
	WholeCounts counts = simulate_whole(tree, guilty);
	printf("| %s | %.0f | %.1f %% | ", what, total, percent * counts.regressions);
	if (guilty != NULL)
		printf("%.1f %% | ", percent * counts.named);
	else
		printf("- | ");
	printf("%.1f %% |\n", percent * counts.innocents);
}

static void print_wholes(void)
{
	printf("| change | samples per run | called a regression | guilty function gates | an innocent one gates |\n"
	       "|---|---|---|---|---|\n");
	print_whole("none", NULL, 200, 300, 1);
	print_whole("`hash` +10 % (2 % of the total)", "hash", 220, 300, 1);
	print_whole("`hash` +15 % (3 %)", "hash", 230, 300, 1);
	print_whole("`hash` +25 % (5 %)", "hash", 250, 300, 1);
	print_whole("20 % of `sort` moved to `hash`", NULL, 260, 240, 1);
	print_whole("20 % of `sort` moved to `hash`", NULL, 260, 240, 4);
}

int main(void)
{
	printf("Totals: %d campaigns per row, one gating metric.\n\n", TOTAL_CAMPAIGNS);
	print_totals();
	printf("\nFamilies of functions: share of campaigns that accuse, 4000 per row with 8 rounds and 500 with "
	       "12.\n\n");
	print_families();
	printf("\nWhole campaigns: %d per row, %d rounds, %d functions, totals and functions together.\n\n",
	        WHOLE_CAMPAIGNS, WHOLE_ROUNDS, TREE_FUNCTIONS);
	print_wholes();
	return 0;
}
