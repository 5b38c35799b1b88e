/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how often a check fails over functions that nobody made slower: where cost moves between inlined pieces of
 * one function and between functions that a compiler inlines or outlines, with and without a change of the total; and
 * how often it still fails, or tells, where one function is slower, alone, masked by another, or in totals that are
 * open. */
#include "compare/timed/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/compare/synthetic.h"
#include "tests/statistics/ratetable.h"
#include "tests/statistics/scenarios.h"

enum { MAX_FUNCTIONS = 14, ROUNDS = 8 };

#define ALWAYS .99   /* at least, where nothing but luck is in the way */
#define INNOCENT .01 /* chance that a function is accused that nobody made slower */
#define NOBODY .001  /* the same where the total is known to be below its margin */

/* The limits of a row, as shares of the campaigns; 0 = no limit from below. */
typedef struct {
	double most_innocent, least_red, least_told;
} Limits;

typedef struct {
	const char *what;
	const char *guilty; /* the function that is slower, or NULL */
	double time_spread; /* of the CPU time of a run */
	Limits limits;
	SyntheticFunction tree[MAX_FUNCTIONS]; /* samples per run of either side */
} SiblingCase;

/* clang-format off */
#define PROGRAM(hash, sort, render) \
	{"main", 40, 40, "a.c", 90}, {"main;parse", 40, 40, "p.c", 1}, {"main;emit", 40, 40, "e.c", 1}, \
	        {"main;lookup", 40, 40, "l.c", 1}, {"main;store", 40, 40, "t.c", 1}, {"main;input;hash", 800, hash, "h.c", 10}, {"main;output;sort", 1200, sort, "s.c", 30}, \
	        {"main;render", 800, render, "r.c", 50}
#define COMPRESS(own, count, put) \
	{"main;compress", 400, own, "lz.c", 10}, {"main;compress;~count", 300, count, "lz.c", 80}, \
	        {"main;compress;~put", 300, put, "lz.c", 95}
#define OUTLINED(base, head) {"main;compress;count", base, head, "lz.c", 80}
#define END {NULL, 0, 0, NULL, 0}

/* 4000 samples per run in base; 40 are one percent. */
static const SiblingCase cases[] = {
        {"cost moves between inlined pieces", NULL, .005, {NOBODY, 0, 0},
                {PROGRAM(800, 1200, 800), COMPRESS(400, 500, 100), END}},
        {"the same, total +1 % in `render`", "render", .005, {NOBODY, 0, 0},
                {PROGRAM(800, 1200, 840), COMPRESS(400, 500, 100), END}},
        {"the same, total +8 % in `compress`", "compress", .005, {INNOCENT, ALWAYS, 0},
                {PROGRAM(800, 1200, 800), COMPRESS(400, 820, 100), END}},
        {"an inlined piece is outlined", NULL, .005, {NOBODY, 0, 0},
                {PROGRAM(800, 1200, 800), COMPRESS(400, 0, 300), OUTLINED(0, 300), END}},
        {"the same, total +1 % in `render`", "render", .005, {NOBODY, 0, 0},
                {PROGRAM(800, 1200, 840), COMPRESS(400, 0, 300), OUTLINED(0, 300), END}},
        {"the same, total +8 % in `render`", "render", .005, {INNOCENT, ALWAYS, 0},
                {PROGRAM(800, 1200, 1120), COMPRESS(400, 0, 300), OUTLINED(0, 300), END}},
        {"a function is inlined", NULL, .005, {NOBODY, 0, 0},
                {PROGRAM(800, 1200, 800), {"main;compress", 400, 400, "lz.c", 10}, OUTLINED(300, 0),
                        {"main;compress;~count", 0, 300, "lz.c", 80}, END}},
        {"a function is inlined, total open", NULL, .03, {INNOCENT, 0, 0},
                {PROGRAM(800, 1200, 800), {"main;compress", 400, 400, "lz.c", 10}, OUTLINED(300, 0),
                        {"main;compress;~count", 0, 300, "lz.c", 80}, END}},
        {"an inlined piece is outlined, total open", NULL, .03, {INNOCENT, 0, 0},
                {PROGRAM(800, 1200, 800), COMPRESS(400, 0, 300), OUTLINED(0, 300), END}},
        {"`hash` +15 % (3 % of the total), total open", "hash", .03, {INNOCENT, .7, 0},
                {PROGRAM(920, 1200, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +5 % (1 %)", "hash", .005, {NOBODY, 0, 0},
                {PROGRAM(840, 1200, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +10 % (2 %)", "hash", .005, {INNOCENT, 0, 0},
                {PROGRAM(880, 1200, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +15 % (3 %)", "hash", .005, {INNOCENT, 0, 0},
                {PROGRAM(920, 1200, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +25 % (5 %)", "hash", .005, {INNOCENT, ALWAYS, 0},
                {PROGRAM(1000, 1200, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +20 % (4 %), masked by `sort`", "hash", .005, {NOBODY, 0, .95},
                {PROGRAM(960, 1040, 800), COMPRESS(400, 300, 300), END}},
        {"`hash` +20 % (4 %), masked by `sort`, total open", "hash", .03, {INNOCENT, .7, 0},
                {PROGRAM(960, 1040, 800), COMPRESS(400, 300, 300), END}},
};
/* clang-format on */

/* Deals the samples out to the functions by chance; there are as many as the CPU time asks for. */
static void fill_run(const SiblingCase *row, Measurement *m, gboolean is_head, Draws *draws)
{
	RunFacts facts = {.round = m->runs->len + 1, .started_first = (m->runs->len % 2 == 0) != is_head};
	guint run = profile_add_run(m->profile);
	double counts[MAX_FUNCTIONS], drawn = 0, mean = 0, speed = exp(row->time_spread * draw_normal(draws));
	for (guint f = 0; row->tree[f].path != NULL; f++) {
		double expected = is_head ? row->tree[f].head : row->tree[f].base;
		counts[f] = expected > 0 ? draw_poisson(draws, expected) : 0;
		drawn += counts[f];
		mean += expected;
	}
	for (guint f = 0; row->tree[f].path != NULL; f++) {
		guint64 samples = (guint64)(counts[f] * speed * mean / drawn + .5);
		if (samples > 0)
			profile_add(m->profile, run, synthetic_stack(m->profile->table, &row->tree[f]),
			        (ProfileCell){samples, samples * SAMPLE_NS});
	}
	g_array_append_val(m->runs, facts);
	synthetic_value(m, "task-clock", "ns", run, mean * speed * SAMPLE_NS);
}

static Measurement *side_new(const SiblingCase *row, StackTable *table, gboolean is_head, Draws *draws)
{
	Measurement *m = measurement_new("siblings", is_head ? "head" : "base", "tree");
	m->work = 1;
	m->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint i = 0; i < ROUNDS; i++)
		fill_run(row, m, is_head, draws);
	return m;
}

typedef struct {
	guint red, by_total, told; /* campaigns that fail, that fail by their total, that tell of a slower function */
	guint innocent;            /* that fail over a function that nobody made slower */
	guint strict;              /* that would fail under a strict policy */
} SiblingCounts;

static gboolean accuses_innocents(const BenchmarkComparison *c, const char *guilty)
{
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *f = c->functions->pdata[i];
		if (f->gates && g_strcmp0(stack_table_frame_name(c->table, f->frame), guilty) != 0)
			return TRUE;
	}
	return FALSE;
}

static void count_campaign(CompareInput *input, const char *guilty, SiblingCounts *counts)
{
	input->functions.strict = FALSE;
	g_autoptr(BenchmarkComparison) usual = compare_benchmark(input);
	input->functions.strict = TRUE;
	g_autoptr(BenchmarkComparison) strict = compare_benchmark(input);
	counts->red += usual->verdict == VERDICT_REGRESSION;
	counts->by_total += strcmp(usual->reason_code, "regression") == 0;
	counts->told += usual->slower != NULL;
	counts->innocent += accuses_innocents(usual, guilty);
	counts->strict += strict->verdict == VERDICT_REGRESSION;
}

static SiblingCounts simulate(const SiblingCase *row, guint campaigns)
{
	SiblingCounts counts = {0};
	Draws draws = {21};
	MetricPolicy policy = {.metric = (char *)"task-clock", .engine = &engine_perf};
	default_policy("task-clock", "coscheduled", TRUE, &policy);
	g_autoptr(GPtrArray) policies = g_ptr_array_new();
	g_ptr_array_add(policies, &policy);
	for (guint i = 0; i < campaigns; i++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) base = side_new(row, table, FALSE, &draws);
		g_autoptr(Measurement) head = side_new(row, table, TRUE, &draws);
		CompareInput input = {.base = base,
		        .head = head,
		        .policies = policies,
		        .functions = default_function_policy(TRUE, 1),
		        .plan = look_plan_sequential(1)};
		count_campaign(&input, row->guilty, &counts);
	}
	return counts;
}

static gboolean keeps_limits(GString *limits, const Limits *wanted, const SiblingCounts *counts, guint n)
{
	gboolean held =
	        keeps_most(limits, "innocent", (double)counts->innocent / n, most_at_level(wanted->most_innocent, n));
	if (wanted->least_red > 0)
		held = keeps_least(
		               limits, "regression", (double)counts->red / n, least_at_level(wanted->least_red, n)) &&
		       held;
	if (wanted->least_told > 0)
		held = keeps_least(limits, "told", (double)counts->told / n, least_at_level(wanted->least_told, n)) &&
		       held;
	return held;
}

static void cost_that_moves_among_siblings_fails_no_check_below_the_margin(void **state)
{
	const guint n = SIMULATED(500);
	RateTable table = {0};
	(void)state;
	printf("\nCost that moves among siblings, and one function that is slower: %d rounds on a co-scheduled virtual "
	       "machine, margin 2 %%, pass margin 4 %%, %u campaigns per row; \"strict\" is `functions: strict`.\n\n"
	       "| change | spread of a run | regression | by its total | an innocent one gates | told | regression, "
	       "strict | limits | held "
	       "|\n|---|---|---|---|---|---|---|---|---|\n",
	        ROUNDS, n);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		SiblingCounts c = simulate(&cases[i], n);
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_limits(limits, &cases[i].limits, &c, n);
		printf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |", cases[i].what,
		        100 * cases[i].time_spread, 100.0 * c.red / n, 100.0 * c.by_total / n, 100.0 * c.innocent / n,
		        100.0 * c.told / n, 100.0 * c.strict / n);
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cost_that_moves_among_siblings_fails_no_check_below_the_margin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
