/* Error rates by simulation with fixed seeds: the gate must not cry wolf more often than it says, and must find what it
 * promises to find. A bound is the nominal rate plus three standard deviations of the simulated count. */
#include "compare/totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/fliptest.h"
#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static double upper_bound(guint campaigns, double rate)
{
	return campaigns * rate + 3 * sqrt(campaigns * rate * (1 - rate));
}

/* Rounds with drift from run to run, heavy tails and a random start order that costs the first run a little. */
static void draw_rounds(double *base, double *head, guint rounds, double change, double noise, guint64 *state)
{
	double drift = 0;
	for (guint i = 0; i < rounds; i++) {
		drift = .8 * drift + .03 * synthetic_normal(state);
		double slot = synthetic_next(state) % 2 == 0 ? .01 : -.01;
		double spike = synthetic_next(state) % 20 == 0 ? .1 : 0;
		gboolean on_base = synthetic_next(state) % 2 == 0;
		base[i] = exp(drift + slot + noise * synthetic_normal(state) + (on_base ? spike : 0));
		head[i] = (1 + change) * exp(drift - slot + noise * synthetic_normal(state) + (on_base ? 0 : spike));
	}
}

/* How many of `campaigns` end with each verdict. */
static void simulate_totals(guint campaigns, double change, double noise, guint *counts)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	guint64 state = 12345;
	for (guint i = 0; i < campaigns; i++) {
		double base[20], head[20];
		draw_rounds(base, head, 20, change, noise, &state);
		TotalsInput input = {.base = base,
		        .head = head,
		        .rounds = 20,
		        .name = "task-clock",
		        .engine = "perf",
		        .unit = "ns",
		        .policy = &policy,
		        .plan = &plan};
		MetricComparison *c = totals_compare(&input);
		counts[c->verdict]++;
		metric_comparison_free(c);
	}
}

static void an_unchanged_total_hardly_ever_fails(void **state)
{
	guint counts[4] = {0};
	(void)state;
	simulate_totals(3000, 0, .01, counts);
	assert_true(counts[VERDICT_REGRESSION] <= upper_bound(3000, .001));
	assert_true(counts[VERDICT_PASS] > 2700);
	assert_int_equal(counts[VERDICT_ERROR], 0);
}

/* The worst case of the promise: an effect of exactly the margin. */
static void a_total_at_the_margin_fails_within_the_nominal_level(void **state)
{
	guint counts[4] = {0};
	(void)state;
	simulate_totals(3000, .02, .01, counts);
	assert_true(counts[VERDICT_REGRESSION] <= upper_bound(3000, .01));
}

static void a_total_at_the_pass_margin_passes_within_the_nominal_level(void **state)
{
	guint counts[4] = {0};
	(void)state;
	simulate_totals(3000, .05, .03, counts);
	assert_true(counts[VERDICT_PASS] <= upper_bound(3000, .05));
}

static void a_total_far_beyond_the_margin_fails(void **state)
{
	guint counts[4] = {0};
	(void)state;
	simulate_totals(1000, .15, .01, counts);
	assert_true(counts[VERDICT_REGRESSION] > 980);
	assert_int_equal(counts[VERDICT_PASS], 0);
}

enum { FUNCTIONS = 40, ROUNDS = 8 };

/* Counts that scatter more and less than Poisson, with a drift common to all functions of a run. */
static void draw_family(double *base, double *head, double change, guint64 *state)
{
	for (guint r = 0; r < ROUNDS; r++) {
		double common[] = {.03 * synthetic_normal(state), .03 * synthetic_normal(state)};
		for (guint f = 0; f < FUNCTIONS; f++) {
			double mean = 400.0 / (f + 1), scatter = f % 3 == 0 ? 1.6 : .4;
			double b = mean * (1 + common[0]) + scatter * sqrt(mean) * synthetic_normal(state);
			double h = mean * (f == 2 ? 1 + change : 1) * (1 + common[1]) +
			           scatter * sqrt(mean) * synthetic_normal(state);
			base[f * ROUNDS + r] = MAX(b, 0);
			head[f * ROUNDS + r] = MAX(h, 0);
		}
	}
}

typedef struct {
	guint any_05, any_01; /* campaigns that accuse an unchanged function */
	guint found_01;       /* campaigns that accuse the changed one */
} FamilyCounts;

static FamilyCounts simulate_families(guint campaigns, double change)
{
	FamilyCounts counts = {0};
	guint64 state = 777;
	for (guint i = 0; i < campaigns; i++) {
		double base[FUNCTIONS * ROUNDS], head[FUNCTIONS * ROUNDS], smallest = 1;
		draw_family(base, head, change, &state);
		FlipInput input = {.functions = FUNCTIONS, .rounds = ROUNDS, .base = base, .head = head};
		input.phi = flip_dispersion(&input);
		g_autoptr(FlipTest) test = flip_test_new(&input);
		for (guint f = 0; f < FUNCTIONS; f++)
			if (change <= 0 || f != 2)
				smallest = MIN(smallest, test->p_adjusted[f]);
		counts.any_05 += smallest <= .05;
		counts.any_01 += smallest <= .01;
		counts.found_01 += test->p_adjusted[2] <= .01;
	}
	return counts;
}

static void an_unchanged_family_accuses_no_more_often_than_its_level(void **state)
{
	(void)state;
	FamilyCounts counts = simulate_families(1500, 0);
	assert_true(counts.any_05 <= upper_bound(1500, .05));
	assert_true(counts.any_01 <= upper_bound(1500, .01));
	assert_true(counts.any_05 > 1500 * .01); /* and it is not blind */
}

static void a_real_regression_does_not_make_it_accuse_the_innocent(void **state)
{
	(void)state;
	FamilyCounts counts = simulate_families(800, .5);
	assert_true(counts.any_05 <= upper_bound(800, .05));
	assert_true(counts.found_01 > 760);
}

/* A whole campaign of an unchanged program: total, functions, floors and attribution together. */
static void an_unchanged_program_is_hardly_ever_a_regression(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 200, "a.c", 10},
	        {"main;hash;mix", 100, 100, "a.c", 5},
	        {"main;sort", 300, 300, "b.c", 30},
	        {"main;sort;compare", 80, 80, "b.c", 20},
	        {"main;render", 250, 250, "c.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	guint regressions = 0, campaigns = 400;
	(void)state;
	for (guint64 seed = 1; seed <= campaigns; seed++) {
		SyntheticPlan plan = {
		        .functions = tree, .rounds = 8, .seed = seed * 1000, .noise = 1, .time_noise = .005};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		regressions += c->verdict == VERDICT_REGRESSION;
	}
	assert_true(regressions <= upper_bound(campaigns, .02));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_unchanged_total_hardly_ever_fails),
	        cmocka_unit_test(a_total_at_the_margin_fails_within_the_nominal_level),
	        cmocka_unit_test(a_total_at_the_pass_margin_passes_within_the_nominal_level),
	        cmocka_unit_test(a_total_far_beyond_the_margin_fails),
	        cmocka_unit_test(an_unchanged_family_accuses_no_more_often_than_its_level),
	        cmocka_unit_test(a_real_regression_does_not_make_it_accuse_the_innocent),
	        cmocka_unit_test(an_unchanged_program_is_hardly_ever_a_regression),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
