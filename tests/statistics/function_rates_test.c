/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how often functions are accused: innocent ones, of which at most one campaign in twenty or in a hundred may
 * name any, and guilty ones; whether a function that changed makes others look changed; and whether intervals hold what
 * they enclose. */
#include "compare/functions/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compare/statistics/order.h"
#include "tests/statistics/families.h"
#include "tests/statistics/ratetable.h"

enum { GUILTY = 3 };

/* More rounds take longer, and say more. */
static guint campaigns_of(guint rounds)
{
	return rounds <= 8 ? SIMULATED(600) : rounds <= 12 ? SIMULATED(300) : SIMULATED(120);
}

typedef struct {
	guint campaigns, tested;
	guint accused_05, accused_01; /* campaigns that call an unchanged function slower */
	guint improved_05;            /* and faster */
	guint found_05[GUILTY], found_01[GUILTY];
} Counts;

static double share(guint count, const Counts *counts)
{
	return (double)count / counts->campaigns;
}

static gint guilty_index(const guint *guilty, guint function)
{
	for (guint g = 0; guilty != NULL && g < GUILTY; g++)
		if (guilty[g] == function)
			return (gint)g;
	return -1;
}

/* Adds one campaign. `guilty` are the functions that changed, NULL = none. */
static void count_family(const FunctionFamily *family, const FamilyNames *names, const guint *guilty, Counts *counts)
{
	double smallest = 1, smallest_improvement = 1;
	for (guint i = 0; i < family->rows->len; i++) {
		const FunctionRow *row = &g_array_index(family->rows, FunctionRow, i);
		if (row->tested < 0)
			continue;
		double p = family->test->p_adjusted[row->tested];
		gint g = guilty_index(guilty, row->head.index - names->frames[0].index);
		if (g >= 0) {
			counts->found_05[g] += p <= .05;
			counts->found_01[g] += p <= .01;
			continue;
		}
		smallest = MIN(smallest, p);
		smallest_improvement = MIN(smallest_improvement, family->test->p_adjusted_improvement[row->tested]);
	}
	counts->tested += family->test->functions;
	counts->accused_05 += smallest <= .05;
	counts->accused_01 += smallest <= .01;
	counts->improved_05 += smallest_improvement <= .05;
}

/* One drawn campaign and its test. */
typedef struct {
	FamilyCampaign campaign;
	FunctionFamily *family;
} Drawn;

static void drawn_init(Drawn *drawn, const FamilyPlan *plan, const FamilyNames *names, Draws *draws)
{
	FunctionPolicy policy = default_function_policy(FALSE, 1);
	family_campaign_init(&drawn->campaign, plan, names, draws);
	family_campaign_run(&drawn->campaign, plan->rounds, draws);
	FamilyInput input = {
	        .base = drawn->campaign.base, .head = drawn->campaign.head, .rounds = plan->rounds, .policy = &policy};
	drawn->family = function_family_new(&input);
}

static void drawn_clear(Drawn *drawn)
{
	function_family_free(drawn->family);
	family_campaign_clear(&drawn->campaign);
}

static Counts simulate(const FamilyPlan *plan, const FamilyNames *names, const guint *guilty, guint campaigns)
{
	Counts counts = {.campaigns = campaigns};
	Draws draws = {plan->functions * 1000 + plan->rounds};
	for (guint i = 0; i < campaigns; i++) {
		Drawn drawn;
		drawn_init(&drawn, plan, names, &draws);
		count_family(drawn.family, names, guilty, &counts);
		drawn_clear(&drawn);
	}
	return counts;
}

static const FamilyNoise *const noises[] = {&family_quiet, &family_vm, &family_noisy, &family_bimodal, &family_drift};
static const guint sizes[] = {40, 200, 500}, rounds_of[] = {8, 12, 20};

static gboolean keeps_innocent(GString *limits, const Counts *counts)
{
	gboolean held =
	        keeps_most(limits, "at .05", share(counts->accused_05, counts), most_at_level(.05, counts->campaigns));
	held = keeps_most(limits, "at .01", share(counts->accused_01, counts), most_at_level(.01, counts->campaigns)) &&
	       held;
	return keeps_most(
	               limits, "faster", share(counts->improved_05, counts), most_at_level(.05, counts->campaigns)) &&
	       held;
}

static void unchanged_functions_are_accused_no_more_often_than_the_level(void **state)
{
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nNo function changed: campaigns that accuse any.\n\n"
	       "| machine | functions | tested | rounds | campaigns | slower at .05 | slower at .01 | faster at .05 | "
	       "limits | held |\n|---|---|---|---|---|---|---|---|---|---|\n");
	for (guint n = 0; n < G_N_ELEMENTS(noises); n++)
		for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
			for (guint k = 0; k < G_N_ELEMENTS(rounds_of); k++) {
				FamilyPlan plan = {.noise = noises[n], .functions = sizes[s], .rounds = rounds_of[k]};
				Counts c = simulate(&plan, names, NULL, campaigns_of(plan.rounds));
				g_autoptr(GString) limits = g_string_new(NULL);
				gboolean held = keeps_innocent(limits, &c);
				printf("| %s | %u | %.0f | %u | %u | %.1f %% | %.1f %% | %.1f %% |",
				        noises[n]->machine->name, plan.functions, share(c.tested, &c), plan.rounds,
				        c.campaigns, 100 * share(c.accused_05, &c), 100 * share(c.accused_01, &c),
				        100 * share(c.improved_05, &c));
				end_row(&table, limits, held);
			}
	assert_true(all_held(&table));
}

/* --- functions that changed --- */

typedef struct {
	const FamilyNoise *noise;
	guint functions, rounds;
	guint reference_campaigns;
	double found_05[GUILTY]; /* percent, of an independent simulation */
} PowerCase;

static const PowerCase powers[] = {
        {&family_vm, 40, 8, 400, {60.5, 97.2, 99.2}},
        {&family_vm, 40, 12, 400, {87.5, 100, 100}},
        {&family_vm, 40, 20, 200, {99, 100, 100}},
        {&family_vm, 200, 8, 400, {58.2, 92, 92.5}},
        {&family_vm, 200, 10, 300, {78, 99, 99}},
        {&family_vm, 200, 12, 400, {87, 99.5, 99.2}},
        {&family_vm, 200, 20, 200, {100, 100, 100}},
        {&family_vm, 500, 8, 400, {54.2, 98, 90.5}},
        {&family_vm, 500, 10, 300, {65, 99, 99}},
        {&family_vm, 500, 12, 400, {82.2, 100, 99.8}},
        {&family_vm, 500, 20, 200, {99.5, 100, 100}},
        {&family_quiet, 200, 8, 400, {100, 100, 100}},
        {&family_noisy, 200, 8, 400, {49, 93, 91}},
        {&family_noisy, 200, 12, 400, {69, 99.2, 99.8}},
        {&family_noisy, 200, 20, 200, {93.5, 100, 100}},
        {&family_bimodal, 200, 8, 400, {65.5, 95.8, 88.8}},
        {&family_bimodal, 200, 12, 400, {89.5, 99.8, 99.2}},
        {&family_drift, 200, 8, 400, {63.7, 94.8, 92.2}},
        {&family_drift, 200, 12, 400, {88.8, 99.5, 99}},
};

/* Three functions of very different size. */
static const double guilty_shares[GUILTY] = {.05, .02, .005}, guilty_factors[GUILTY] = {1.2, 1.5, 2};

static gboolean keeps_power(GString *limits, const PowerCase *power, const Counts *counts)
{
	static const char *const labels[GUILTY] = {"+20 %", "+50 %", "+100 %"};
	gboolean held = TRUE;
	for (guint g = 0; g < GUILTY; g++) {
		double least = least_like(power->found_05[g] / 100, power->reference_campaigns, counts->campaigns);
		held = keeps_least(limits, labels[g], share(counts->found_05[g], counts), least) && held;
	}
	return held;
}

static void changed_functions_are_found_and_do_not_accuse_the_others(void **state)
{
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nThree functions of about 5 %%, 2 %% and .5 %% of the samples grow by 20 %%, 50 %% and 100 %%: "
	       "campaigns "
	       "that find each at .05 and, after the stroke, at .01, and that accuse any of the others.\n\n"
	       "| machine | functions | rounds | campaigns | 5 %%: +20 %% | 2 %%: +50 %% | .5 %%: +100 %% | innocent "
	       "at .05 "
	       "| innocent at .01 | limits | held |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (guint i = 0; i < G_N_ELEMENTS(powers); i++) {
		FamilyPlan plan = {
		        .noise = powers[i].noise, .functions = powers[i].functions, .rounds = powers[i].rounds};
		guint guilty[GUILTY];
		for (guint g = 0; g < GUILTY; g++) {
			guilty[g] = family_nearest(&plan, guilty_shares[g]);
			plan.factors[guilty[g]] = guilty_factors[g];
		}
		Counts c = simulate(&plan, names, guilty, campaigns_of(plan.rounds));
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_power(limits, &powers[i], &c);
		held = keeps_innocent(limits, &c) && held;
		printf("| %s | %u | %u | %u |", plan.noise->machine->name, plan.functions, plan.rounds, c.campaigns);
		for (guint g = 0; g < GUILTY; g++)
			printf(" %.1f / %.1f %% |", 100 * share(c.found_05[g], &c), 100 * share(c.found_01[g], &c));
		printf(" %.1f %% | %.1f %% |", 100 * share(c.accused_05, &c), 100 * share(c.accused_01, &c));
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

/* --- one large function that changes the composition of the profile --- */

/* The largest of a hundred functions is 19 % of the samples; here it is made 27 % by leaving out the smaller ones. */
enum { COMPOSED_FUNCTIONS = 22 };

typedef struct {
	FamilyNoise noise;
	double factor;
} ComposedCase;

static void a_large_function_that_changes_accuses_no_other(void **state)
{
	static const ComposedCase composed[] = {
	        {{&scenario_quiet, 8000, .005, .005}, .5},
	        {{&scenario_quiet, 8000, .005, .005}, 1.3},
	        {{&scenario_vm, 8000, .005, .050}, .5},
	        {{&scenario_vm, 8000, .005, .050}, 1.3},
	};
	static const guint functions[] = {COMPOSED_FUNCTIONS, 100};
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nThe largest function changes, all others stay; 10 rounds.\n\n"
	       "| machine | functions | its share | it changes by | campaigns | others called slower | others called "
	       "faster | "
	       "limits | held |\n|---|---|---|---|---|---|---|---|---|\n");
	for (guint i = 0; i < G_N_ELEMENTS(composed); i++)
		for (guint s = 0; s < G_N_ELEMENTS(functions); s++) {
			FamilyPlan plan = {.noise = &composed[i].noise, .functions = functions[s], .rounds = 10};
			const guint guilty[GUILTY] = {0, 0, 0};
			plan.factors[0] = composed[i].factor;
			Counts c = simulate(&plan, names, guilty, SIMULATED(600));
			g_autoptr(GString) limits = g_string_new(NULL);
			double level = most_at_level(.05, c.campaigns);
			gboolean held = keeps_most(limits, "slower", share(c.accused_05, &c), level);
			held = keeps_most(limits, "faster", share(c.improved_05, &c), level) && held;
			printf("| %s | %u | %.0f %% | %+.0f %% | %u | %.1f %% | %.1f %% |", plan.noise->machine->name,
			        plan.functions, 100 * family_mean(&plan, 0) / plan.noise->samples,
			        100 * (composed[i].factor - 1), c.campaigns, 100 * share(c.accused_05, &c),
			        100 * share(c.improved_05, &c));
			end_row(&table, limits, held);
		}
	assert_true(all_held(&table));
}

/* --- intervals --- */

enum { COVER_FUNCTIONS = 100, HOTTEST = 5, COVER_CHANGED = 3 };
static const double cover_factor = 1.3;

/* Means over campaigns, with their spread: functions of one campaign are no independent trials. */
typedef struct {
	double sum, squares;
	guint n;
} Mean;

static void mean_add(Mean *mean, double value)
{
	mean->sum += value;
	mean->squares += value * value;
	mean->n++;
}

static double mean_of(const Mean *mean)
{
	return mean->sum / mean->n;
}

static double spread_of_mean(const Mean *mean)
{
	double m = mean_of(mean);
	return sqrt(MAX(mean->squares / mean->n - m * m, 0) / mean->n);
}

typedef struct {
	Mean pointwise, hottest, simultaneous, multiplier;
	guint changed; /* campaigns whose interval holds the change of the one function that changed */
} Coverage;

/* Intervals and truth in percentage points of base's total as it was measured. */
static void count_coverage(const Drawn *drawn, const FamilyNames *names, double change, Coverage *coverage)
{
	g_autoptr(BenchmarkComparison) report = benchmark_comparison_new("family");
	function_family_report(drawn->family, report);
	double unit = drawn->family->costs->base_total;
	guint inside = 0, hot = 0, tested = 0;
	gboolean all = TRUE;
	for (guint i = 0; i < report->functions->len; i++) {
		const FunctionComparison *f = report->functions->pdata[i];
		guint function = f->frame.index - names->frames[0].index;
		double truth = function == COVER_CHANGED ? change / unit : 0;
		gboolean holds = f->contribution_lower <= truth && truth <= f->contribution_upper;
		if (!f->tested)
			continue;
		tested++;
		inside += holds;
		hot += function < HOTTEST && holds;
		coverage->changed += function == COVER_CHANGED && holds;
		all = all && f->simultaneous_lower <= truth && truth <= f->simultaneous_upper;
	}
	mean_add(&coverage->pointwise, (double)inside / tested);
	mean_add(&coverage->hottest, (double)hot / HOTTEST);
	mean_add(&coverage->simultaneous, all);
	mean_add(&coverage->multiplier, drawn->family->test->multiplier);
}

/* The mean cost of the changed function in base, noise included: exp() of noise is above 1 on average. */
static double expected_cost(const FamilyPlan *plan)
{
	Mean factor = {0};
	Draws draws = {8};
	for (guint i = 0; i < 4000; i++) {
		RoundOrder order = draw_order(&draws, plan->rounds);
		DrawnCampaign common;
		draw_campaign(plan->noise->machine, &draws, &order, &common);
		for (guint r = 0; r < plan->rounds; r++)
			mean_add(&factor, exp(common.base[r]));
	}
	return family_mean(plan, COVER_CHANGED) * mean_of(&factor) * FAMILY_SAMPLE_NS;
}

typedef struct {
	const FamilyNoise *noise;
	guint rounds;
	double pointwise, hottest, simultaneous; /* of the design */
} CoverCase;

static void intervals_hold_what_they_enclose(void **state)
{
	static const CoverCase covers[] = {{&family_vm, 8, .96, .955, .94}, {&family_vm, 12, .96, .955, .94},
	        {&family_noisy, 8, .96, .92, .94}, {&family_noisy, 12, .96, .92, .94}};
	const guint campaigns = SIMULATED(600);
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nIntervals of 95 %% that hold the true change, of %d functions; the fourth grows by 30 %%: %u "
	       "campaigns per "
	       "row.\n\n| machine | rounds | pointwise | the 5 hottest | the changed one | all at once | its width in "
	       "standard errors | limits | held |\n|---|---|---|---|---|---|---|---|---|\n",
	        COVER_FUNCTIONS, campaigns);
	for (guint i = 0; i < G_N_ELEMENTS(covers); i++) {
		FamilyPlan plan = {.noise = covers[i].noise, .functions = COVER_FUNCTIONS, .rounds = covers[i].rounds};
		plan.factors[COVER_CHANGED] = cover_factor;
		double change = (cover_factor - 1) * expected_cost(&plan);
		Coverage c = {0};
		Draws draws = {9};
		for (guint n = 0; n < campaigns; n++) {
			Drawn drawn;
			drawn_init(&drawn, &plan, names, &draws);
			count_coverage(&drawn, names, change, &c);
			drawn_clear(&drawn);
		}
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_least(limits, "pointwise", mean_of(&c.pointwise),
		        covers[i].pointwise - ROUNDING - 3 * spread_of_mean(&c.pointwise));
		held = keeps_least(limits, "hottest", mean_of(&c.hottest),
		               covers[i].hottest - ROUNDING - 3 * spread_of_mean(&c.hottest)) &&
		       held;
		held = keeps_least(limits, "all", mean_of(&c.simultaneous),
		               least_at_level(covers[i].simultaneous - ROUNDING, campaigns)) &&
		       held;
		printf("| %s | %u | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.2f |", plan.noise->machine->name,
		        plan.rounds, 100 * mean_of(&c.pointwise), 100 * mean_of(&c.hottest),
		        100.0 * c.changed / campaigns, 100 * mean_of(&c.simultaneous), mean_of(&c.multiplier));
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

/* --- intervals across campaigns --- */

/* The change of one function is another one in each campaign, by `spread` of itself: share of the pointwise intervals
 * that hold what it is on average. */
static double cover_across(const FamilyPlan *typical, const FamilyNames *names, double spread, guint campaigns)
{
	double change = (typical->factors[COVER_CHANGED] - 1) * expected_cost(typical);
	Coverage c = {0};
	Draws draws = {12};
	for (guint n = 0; n < campaigns; n++) {
		FamilyPlan plan = *typical;
		Drawn drawn;
		plan.factors[COVER_CHANGED] =
		        1 + (typical->factors[COVER_CHANGED] - 1) * (1 + spread * draw_normal(&draws));
		drawn_init(&drawn, &plan, names, &draws);
		count_coverage(&drawn, names, change, &c);
		drawn_clear(&drawn);
	}
	return (double)c.changed / campaigns;
}

/* The cause, measured on real programs: what lasts as long as a campaign is the same in all of its rounds. */
static void intervals_hold_across_campaigns_of_one_machine(void **state)
{
	static const FamilyNoise *const machines[] = {&family_quiet, &family_vm};
	static const double factors[] = {1.3, 2, 5}, spreads[] = {0, .04, CAMPAIGN_SPREAD};
	const guint campaigns = SIMULATED(600);
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nIntervals of 95 %% of the changed one of %d functions, 8 rounds, where its change differs from "
	       "campaign "
	       "to campaign: %u campaigns per row.\n\n| machine | it grows by | standard deviation between campaigns | "
	       "hold the mean | limits | held |\n|---|---|---|---|---|---|\n",
	        COVER_FUNCTIONS, campaigns);
	for (guint m = 0; m < G_N_ELEMENTS(machines); m++)
		for (guint i = 0; i < G_N_ELEMENTS(factors); i++)
			for (guint s = 0; s < G_N_ELEMENTS(spreads); s++) {
				FamilyPlan plan = {.noise = machines[m], .functions = COVER_FUNCTIONS, .rounds = 8};
				plan.factors[COVER_CHANGED] = factors[i];
				double held_share = cover_across(&plan, names, spreads[s], campaigns);
				g_autoptr(GString) limits = g_string_new(NULL);
				gboolean held = keeps_least(
				        limits, "pointwise", held_share, least_at_level(.95 - ROUNDING, campaigns));
				printf("| %s | %.0f %% | %.0f %% | %.1f %% |", machines[m]->machine->name,
				        100 * (factors[i] - 1), 100 * spreads[s], 100 * held_share);
				end_row(&table, limits, held);
			}
	assert_true(all_held(&table));
}

/* --- the smallest detectable change --- */

static double printed_mde(const FamilyPlan *plan, const FamilyNames *names, guint function)
{
	enum { PRINTED = 60 };
	double printed[PRINTED];
	Draws draws = {10};
	for (guint i = 0; i < PRINTED; i++) {
		Drawn drawn;
		drawn_init(&drawn, plan, names, &draws);
		g_autoptr(BenchmarkComparison) report = benchmark_comparison_new("family");
		function_family_report(drawn.family, report);
		printed[i] = NAN;
		for (guint f = 0; f < report->functions->len; f++) {
			const FunctionComparison *row = report->functions->pdata[f];
			if (row->frame.index == names->frames[function].index)
				printed[i] = row->mde_ratio;
		}
		drawn_clear(&drawn);
	}
	return order_median(printed, PRINTED);
}

static void a_function_changed_by_the_printed_mde_is_mostly_found(void **state)
{
	static const FamilyNoise noise = {&scenario_vm, 6000, .010, 0};
	static const double shares[] = {.10, .03, .01, .003};
	static const guint rounds[] = {8, 12};
	const guint campaigns = SIMULATED(400);
	g_autoptr(FamilyNames) names = family_names_new();
	RateTable table = {0};
	(void)state;
	printf("\nFunctions that change by the smallest detectable change of the report: %u campaigns per row, 200 "
	       "functions, %.0f samples per run.\n\n| share | samples per run | rounds | detectable | found at .05 | "
	       "limits | "
	       "held |\n|---|---|---|---|---|---|---|\n",
	        campaigns, noise.samples);
	for (guint s = 0; s < G_N_ELEMENTS(shares); s++)
		for (guint k = 0; k < G_N_ELEMENTS(rounds); k++) {
			FamilyPlan plan = {.noise = &noise, .functions = 200, .rounds = rounds[k]};
			guint function = family_nearest(&plan, shares[s]),
			      guilty[GUILTY] = {function, function, function};
			double mde = printed_mde(&plan, names, function), mean = family_mean(&plan, function);
			plan.factors[function] = 1 + mde;
			Counts c = simulate(&plan, names, guilty, campaigns);
			double least = mean >= 60 ? .76 : .62;
			g_autoptr(GString) limits = g_string_new(NULL);
			gboolean held = keeps_least(
			        limits, "found", share(c.found_05[0], &c), least_at_level(least, campaigns));
			printf("| %.2f %% | %.0f | %u | %+.1f %% | %.1f %% |", 100 * mean / noise.samples, mean,
			        plan.rounds, 100 * mde, 100 * share(c.found_05[0], &c));
			end_row(&table, limits, held);
		}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(unchanged_functions_are_accused_no_more_often_than_the_level),
	        cmocka_unit_test(changed_functions_are_found_and_do_not_accuse_the_others),
	        cmocka_unit_test(a_large_function_that_changes_accuses_no_other),
	        cmocka_unit_test(intervals_hold_what_they_enclose),
	        cmocka_unit_test(intervals_hold_across_campaigns_of_one_machine),
	        cmocka_unit_test(a_function_changed_by_the_printed_mde_is_mostly_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
