/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how often the totals of a campaign are called a regression, left open, or passed, on machines of every
 * kind: at no change, where nothing may fail; at exactly the margin, which is the worst case of the promise; and
 * beyond. */
#include "compare/comparison/totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compare/statistics/order.h"
#include "compare/timed/contamination.h"
#include "compare/timed/endpoints.h"
#include "tests/statistics/ratetable.h"
#include "tests/statistics/scenarios.h"

#define CAMPAIGNS SIMULATED(5000)
#define REFERENCE_CAMPAIGNS 20000 /* of the independent simulation */

enum { MAX_ROUNDS = SCENARIO_MAX_ROUNDS, PLANS = 4, EFFECTS = 5 };

static const char *const plan_names[PLANS] = {"looks at 8, 12, 20", "8 rounds", "12 rounds", "20 rounds"};
static const char *const effect_names[EFFECTS] = {
        "none", "the margin", "midway", "the pass margin", "twice the pass margin"};
enum { NO_CHANGE, AT_MARGIN, MIDWAY, AT_PASS_MARGIN, TWICE_PASS_MARGIN };

typedef struct {
	double regression, pass, rounds; /* percent, percent, mean */
} Figures;

typedef struct {
	const Scenario *machine;
	double margin, pass_margin;
	Figures figures[EFFECTS][PLANS]; /* of the independent simulation */
} TotalCase;

static const TotalCase cases[] = {
        {&scenario_counts, .005, .01,
                {
                        {{0.0, 100.0, 8.0}, {0.0, 100.0, 8}, {0.0, 100.0, 12}, {0.0, 100.0, 20}},
                        {{0.4, 99.6, 8.0}, {0.8, 99.2, 8}, {0.8, 99.2, 12}, {1.1, 98.9, 20}},
                        {{98.5, 1.5, 8.0}, {99.5, 0.5, 8}, {99.7, 0.3, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                }},
        {&scenario_quiet, .02, .05,
                {
                        {{0.0, 100.0, 8.0}, {0.0, 100.0, 8}, {0.0, 100.0, 12}, {0.0, 100.0, 20}},
                        {{0.3, 99.7, 8.0}, {0.5, 99.5, 8}, {0.4, 99.6, 12}, {0.6, 99.5, 20}},
                        {{99.1, 0.9, 8.0}, {99.8, 0.2, 8}, {99.8, 0.2, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                }},
        {&scenario_vm, .03, .10,
                {
                        {{0.0, 100.0, 8.0}, {0.0, 99.7, 8}, {0.0, 100.0, 12}, {0.0, 100.0, 20}},
                        {{0.4, 99.6, 8.1}, {0.6, 98.4, 8}, {0.7, 99.2, 12}, {0.9, 99.1, 20}},
                        {{85.7, 14.3, 8.1}, {91.8, 7.4, 8}, {94.2, 5.7, 12}, {99.9, 0.1, 20}},
                        {{99.8, 0.1, 8.3}, {98.1, 0.1, 8}, {98.7, 0.1, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {99.9, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                }},
        {&scenario_noisy, .03, .10,
                {
                        {{0.0, 99.5, 9.4}, {0.0, 87.8, 8}, {0.0, 97.0, 12}, {0.0, 99.8, 20}},
                        {{0.7, 93.3, 11.8}, {0.9, 68.5, 8}, {0.9, 86.3, 12}, {1.1, 96.8, 20}},
                        {{21.8, 43.5, 16.1}, {9.7, 27.8, 8}, {17.4, 40.5, 12}, {35.2, 50.4, 20}},
                        {{79.1, 3.2, 15.1}, {36.8, 3.8, 8}, {60.9, 4.2, 12}, {89.2, 2.8, 20}},
                        {{99.7, 0.0, 9.1}, {91.2, 0.0, 8}, {96.2, 0.0, 12}, {99.9, 0.0, 20}},
                }},
        {&scenario_noisy, .05, .15,
                {
                        {{0.0, 100.0, 8.4}, {0.0, 96.0, 8}, {0.0, 99.4, 12}, {0.0, 100.0, 20}},
                        {{0.5, 98.8, 9.6}, {0.8, 85.8, 8}, {0.8, 95.9, 12}, {1.1, 98.7, 20}},
                        {{35.9, 55.0, 13.5}, {19.3, 38.6, 8}, {34.1, 48.4, 12}, {62.6, 35.7, 20}},
                        {{93.9, 2.4, 12.0}, {63.0, 2.8, 8}, {83.7, 2.4, 12}, {98.3, 0.6, 20}},
                        {{99.9, 0.0, 8.5}, {97.0, 0.0, 8}, {98.9, 0.0, 12}, {100.0, 0.0, 20}},
                }},
        {&scenario_bimodal, .02, .05,
                {
                        {{0.0, 100.0, 8.1}, {0.0, 99.3, 8}, {0.0, 100.0, 12}, {0.0, 100.0, 20}},
                        {{0.7, 97.7, 10.6}, {0.8, 66.9, 8}, {0.8, 93.2, 12}, {0.9, 98.7, 20}},
                        {{17.0, 33.0, 16.7}, {10.3, 22.4, 8}, {13.6, 34.1, 12}, {22.6, 47.5, 20}},
                        {{86.9, 3.0, 16.2}, {35.5, 3.5, 8}, {63.9, 4.0, 12}, {95.4, 1.8, 20}},
                        {{100.0, 0.0, 8.1}, {99.5, 0.0, 8}, {99.8, 0.0, 12}, {100.0, 0.0, 20}},
                }},
        {&scenario_drift, .03, .10,
                {
                        {{0.0, 100.0, 8.0}, {0.0, 100.0, 8}, {0.0, 100.0, 12}, {0.0, 100.0, 20}},
                        {{0.3, 99.7, 8.0}, {0.5, 99.5, 8}, {0.5, 99.5, 12}, {0.6, 99.4, 20}},
                        {{99.1, 0.9, 8.0}, {99.8, 0.2, 8}, {99.9, 0.1, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                        {{100.0, 0.0, 8.0}, {100.0, 0.0, 8}, {100.0, 0.0, 12}, {100.0, 0.0, 20}},
                }},
};

static LookPlan plan_of(guint plan)
{
	static const guint rounds[PLANS] = {0, 8, 12, 20};
	return plan == 0 ? look_plan_sequential(1) : look_plan_fixed(rounds[plan], 1);
}

static double effect_of(const TotalCase *total, guint effect)
{
	const double effects[EFFECTS] = {
	        0, total->margin, (total->margin + total->pass_margin) / 2, total->pass_margin, 2 * total->pass_margin};
	return effects[effect];
}

/* Costs of a campaign of the largest number of rounds, with a true change of head. */
static void draw_costs(const Scenario *machine, Draws *draws, double change, DrawnCampaign *campaign)
{
	RoundOrder order = draw_order(draws, MAX_ROUNDS);
	draw_campaign(machine, draws, &order, campaign);
	for (guint i = 0; i < MAX_ROUNDS; i++) {
		campaign->base[i] = exp(campaign->base[i]);
		campaign->head[i] = (1 + change) * exp(campaign->head[i]);
	}
}

static MetricComparison *judge(
        const DrawnCampaign *campaign, guint rounds, const MetricPolicy *policy, const LookPlan *plan)
{
	TotalsInput input = {.base = campaign->base,
	        .head = campaign->head,
	        .rounds = rounds,
	        .name = "task-clock",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = policy,
	        .plan = plan};
	return totals_compare(&input);
}

typedef struct {
	guint verdicts[4];
	guint rounds;
} TotalCounts;

/* Every campaign is judged by all plans: those of fewer rounds see the first ones of it. */
static void simulate(const TotalCase *total, double change, TotalCounts *counts)
{
	MetricPolicy policy = {.margin = total->margin, .pass_margin = total->pass_margin, .gates = TRUE};
	Draws draws = {1};
	for (guint i = 0; i < CAMPAIGNS; i++) {
		DrawnCampaign campaign;
		draw_costs(total->machine, &draws, change, &campaign);
		for (guint p = 0; p < PLANS; p++) {
			LookPlan plan = plan_of(p);
			MetricComparison *c = judge(&campaign, plan.rounds[plan.n - 1], &policy, &plan);
			counts[p].verdicts[c->verdict]++;
			counts[p].rounds += c->rounds;
			metric_comparison_free(c);
		}
	}
}

static double share(const TotalCounts *counts, Verdict verdict)
{
	return (double)counts->verdicts[verdict] / CAMPAIGNS;
}

/* Verdicts that are wrong at this effect must be rare, right ones frequent. Between the margins both verdicts are
 * true. */
static gboolean keeps_limits(GString *limits, guint effect, const Figures *figures, const TotalCounts *counts)
{
	const guint n = CAMPAIGNS, ref = REFERENCE_CAMPAIGNS;
	double regression = share(counts, VERDICT_REGRESSION), pass = share(counts, VERDICT_PASS);
	double figure = figures->regression / 100, passed = figures->pass / 100;
	gboolean held;
	if (effect == NO_CHANGE || effect == AT_MARGIN) {
		double most = MIN(most_like(figure, ref, n), most_at_level(LOOKS_ALPHA, n));
		held = keeps_most(limits, "regression", regression, most);
		return keeps_least(limits, "pass", pass, least_like(passed, ref, n)) && held;
	}
	held = keeps_least(limits, "regression", regression, least_like(figure, ref, n));
	if (effect == MIDWAY)
		return held;
	return keeps_most(limits, "pass", pass, MIN(most_like(passed, ref, n), most_at_level(.05, n))) && held;
}

/* The number of rounds of a campaign varies by at most half of what there is between the first look and the last. */
static gboolean keeps_rounds(GString *limits, double reference, double rounds)
{
	double most = reference + .05 + 3 * 6 * sqrt(1.0 / CAMPAIGNS + 1.0 / REFERENCE_CAMPAIGNS);
	g_string_append_printf(limits, ", rounds <= %.1f", most);
	return rounds <= most;
}

/* The rows of all plans. */
static void print_rows(RateTable *table, const TotalCase *total, guint effect, const TotalCounts *counts)
{
	for (guint p = 0; p < PLANS; p++) {
		const Figures *figures = &total->figures[effect][p];
		double rounds = (double)counts[p].rounds / CAMPAIGNS;
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_limits(limits, effect, figures, &counts[p]);
		if (p == 0)
			held = keeps_rounds(limits, figures->rounds, rounds) && held;
		printf("| %s | %g %% / %g %% | %s | %s: %+.2f %% | %.2f %% | %.2f %% | %.2f %% | %.1f |",
		        total->machine->name, 100 * total->margin, 100 * total->pass_margin, plan_names[p],
		        effect_names[effect], 100 * effect_of(total, effect),
		        100 * share(&counts[p], VERDICT_REGRESSION), 100 * share(&counts[p], VERDICT_INCONCLUSIVE),
		        100 * share(&counts[p], VERDICT_PASS), rounds);
		end_row(table, limits, held && counts[p].verdicts[VERDICT_ERROR] == 0);
	}
}

static void totals_keep_their_levels_and_find_what_the_design_finds(void **state)
{
	RateTable table = {0};
	(void)state;
	printf("\nTotals: %d campaigns per row, one gating metric.\n\n"
	       "| machine | margins | plan | true change | regression | inconclusive | pass | rounds | limits | held "
	       "|\n"
	       "|---|---|---|---|---|---|---|---|---|---|\n",
	        CAMPAIGNS);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		for (guint effect = 0; effect < EFFECTS; effect++) {
			TotalCounts counts[PLANS] = {0};
			simulate(&cases[i], effect_of(&cases[i], effect), counts);
			print_rows(&table, &cases[i], effect, counts);
		}
	assert_true(all_held(&table));
}

/* --- a check with several gating metrics --- */

/* The worst case: every metric of the check changed by exactly its margin, and they have nothing in common. */
static guint checks_with_a_false_regression(const Scenario *machine, guint metrics, guint checks)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(metrics);
	guint wrong = 0, last = MIN(plan.rounds[plan.n - 1], MAX_ROUNDS);
	Draws draws = {2};
	for (guint i = 0; i < checks; i++) {
		gboolean failed = FALSE;
		for (guint m = 0; m < metrics; m++) {
			DrawnCampaign campaign;
			draw_costs(machine, &draws, policy.margin, &campaign);
			MetricComparison *c = judge(&campaign, last, &policy, &plan);
			failed = failed || c->verdict == VERDICT_REGRESSION;
			metric_comparison_free(c);
		}
		wrong += failed;
	}
	return wrong;
}

static void a_check_of_many_metrics_keeps_the_level_of_one(void **state)
{
	static const Scenario *const machines[] = {&scenario_vm, &scenario_noisy, &scenario_bimodal};
	static const guint metrics[] = {2, 4, 8};
	const guint checks = CAMPAIGNS / 2;
	RateTable table = {0};
	(void)state;
	printf("\nSeveral gating metrics: %u checks per row; all metrics changed by exactly the margin.\n\n"
	       "| machine | gating metrics | checks with a false regression | limits | held |\n|---|---|---|---|---|\n",
	        checks);
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
		for (guint m = 0; m < G_N_ELEMENTS(metrics); m++) {
			double rate = (double)checks_with_a_false_regression(machines[i], metrics[m], checks) / checks;
			g_autoptr(GString) limits = g_string_new(NULL);
			gboolean held = keeps_most(limits, "rate", rate, most_at_level(LOOKS_ALPHA, checks));
			printf("| %s | %u | %.2f %% |", machines[i]->name, metrics[m], 100 * rate);
			end_row(&table, limits, held);
		}
	assert_true(all_held(&table));
}

/* --- several metrics of one benchmark in too few rounds --- */

typedef struct {
	guint metrics, rounds;
	double common; /* part of the scatter that all metrics of a round share */
} FamilyCase;

enum { MAX_METRICS = 8 };

/* Log ratios of one round: what all metrics share, and what each has of its own. */
static void draw_ratios(const FamilyCase *family, double change, Draws *draws, double d[MAX_METRICS][MAX_ROUNDS])
{
	double own = sqrt(1 - family->common * family->common);
	for (guint i = 0; i < family->rounds; i++) {
		double shared = family->common * draw_heavy(draws, 3);
		for (guint m = 0; m < family->metrics; m++)
			d[m][i] = log1p(change) + .01 * (shared + own * draw_heavy(draws, 3));
	}
}

/* Share of campaigns in which any of the metrics fails. */
static double family_rate(const FamilyCase *family, double margin, double change)
{
	double d[MAX_METRICS][MAX_ROUNDS], alpha = LOOKS_ALPHA;
	guint failed = 0;
	Draws draws = {3};
	for (guint i = 0; i < CAMPAIGNS; i++) {
		Endpoint endpoints[MAX_METRICS];
		EndpointVerdict verdicts[MAX_METRICS];
		gboolean any = FALSE;
		draw_ratios(family, change, &draws, d);
		for (guint m = 0; m < family->metrics; m++)
			endpoints[m] = (Endpoint){d[m], margin};
		endpoints_test(endpoints, family->metrics, family->rounds, alpha, verdicts);
		for (guint m = 0; m < family->metrics; m++)
			any = any || verdicts[m].fails;
		failed += any;
	}
	return (double)failed / CAMPAIGNS;
}

/* With a common change of five times the margin nearly every round is beyond it for all metrics at once. */
static void metrics_tested_together_keep_their_level_in_few_rounds(void **state)
{
	static const FamilyCase families[] = {{2, 7, 0}, {2, 7, .9}, {4, 7, .9}, {4, 8, 0}, {4, 8, .9}, {8, 8, .9}};
	RateTable table = {0};
	(void)state;
	printf("\nGating metrics of one benchmark in rounds too few for one alone (level 1 %%, margin 2 %%): %d "
	       "campaigns "
	       "per row.\n\n| metrics | rounds | correlation | any regression, all at the margin | any, all +10 %% | "
	       "limits | held |\n|---|---|---|---|---|---|---|\n",
	        CAMPAIGNS);
	for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
		const FamilyCase *f = &families[i];
		double wrong = family_rate(f, .02, .02), found = family_rate(f, .02, .10);
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_most(limits, "at the margin", wrong, most_at_level(LOOKS_ALPHA, CAMPAIGNS));
		held = keeps_least(limits, "at +10 %", found, least_at_level(.99, CAMPAIGNS)) && held;
		printf("| %u | %u | %.2f | %.2f %% | %.1f %% |", f->metrics, f->rounds, f->common * f->common,
		        100 * wrong, 100 * found);
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

/* --- the smallest detectable change --- */

typedef struct {
	const Scenario *machine;
	guint rounds;
	double least; /* power that the design has at the change it prints */
} MdeCase;

/* The median of what campaigns without a change print. */
static double printed_mde(const MdeCase *mde, const MetricPolicy *policy, const LookPlan *plan)
{
	enum { PRINTED = 500 };
	double printed[PRINTED];
	Draws draws = {4};
	for (guint i = 0; i < PRINTED; i++) {
		DrawnCampaign campaign;
		draw_costs(mde->machine, &draws, 0, &campaign);
		MetricComparison *c = judge(&campaign, mde->rounds, policy, plan);
		printed[i] = c->mde_ratio;
		metric_comparison_free(c);
	}
	return order_median(printed, PRINTED);
}

static double power_at(const MdeCase *mde, double change, const MetricPolicy *policy, const LookPlan *plan)
{
	guint found = 0;
	Draws draws = {5};
	for (guint i = 0; i < CAMPAIGNS; i++) {
		DrawnCampaign campaign;
		draw_costs(mde->machine, &draws, change, &campaign);
		MetricComparison *c = judge(&campaign, mde->rounds, policy, plan);
		found += c->verdict == VERDICT_REGRESSION;
		metric_comparison_free(c);
	}
	return (double)found / CAMPAIGNS;
}

static void a_total_changed_by_the_printed_mde_is_mostly_found(void **state)
{
	static const MdeCase mdes[] = {{&scenario_quiet, 8, .70}, {&scenario_quiet, 10, .70},
	        {&scenario_quiet, 20, .70}, {&scenario_vm, 8, .70}, {&scenario_vm, 10, .70}, {&scenario_vm, 20, .70},
	        {&scenario_noisy, 8, .70}, {&scenario_noisy, 10, .70}, {&scenario_noisy, 20, .70}};
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	RateTable table = {0};
	(void)state;
	printf("\nTotals that change by the margin and the smallest detectable change of the report: %d campaigns per "
	       "row.\n\n| machine | rounds | detectable beyond the margin | found | limits | held "
	       "|\n|---|---|---|---|---|---|\n",
	        CAMPAIGNS);
	for (guint i = 0; i < G_N_ELEMENTS(mdes); i++) {
		LookPlan plan = look_plan_fixed(mdes[i].rounds, 1);
		double mde = printed_mde(&mdes[i], &policy, &plan);
		double power = power_at(&mdes[i], (1 + policy.margin) * (1 + mde) - 1, &policy, &plan);
		g_autoptr(GString) limits = g_string_new(NULL);
		gboolean held = keeps_least(limits, "found", power, least_at_level(mdes[i].least, CAMPAIGNS));
		printf("| %s | %u | %.2f %% | %.1f %% |", mdes[i].machine->name, mdes[i].rounds, 100 * mde,
		        100 * power);
		end_row(&table, limits, held);
	}
	assert_true(all_held(&table));
}

/* --- the yardstick --- */

static double contaminated_rate(const Scenario *machine, guint rounds, double margin, double drift)
{
	guint contaminated = 0;
	Draws draws = {6};
	for (guint i = 0; i < CAMPAIGNS; i++) {
		DrawnCampaign campaign;
		draw_costs(machine, &draws, drift, &campaign);
		contaminated += contamination_judge(campaign.base, campaign.head, rounds, margin).contaminated;
	}
	return (double)contaminated / CAMPAIGNS;
}

/* At no drift the bound alone would be wrong in two of a hundred campaigns; the margin makes it less. */
static void a_yardstick_rarely_contaminates_by_chance(void **state)
{
	static const Scenario *const machines[] = {&scenario_quiet, &scenario_vm, &scenario_noisy, &scenario_bimodal};
	static const guint rounds[] = {8, 20};
	RateTable table = {0};
	(void)state;
	printf("\nThe yardstick, margin 2 %%: %d campaigns per row.\n\n| machine | rounds | contaminated, no drift | "
	       "contaminated, drift of 5 %% | limits | held |\n|---|---|---|---|---|---|\n",
	        CAMPAIGNS);
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
		for (guint k = 0; k < G_N_ELEMENTS(rounds); k++) {
			double none = contaminated_rate(machines[i], rounds[k], .02, 0);
			double drift = contaminated_rate(machines[i], rounds[k], .02, .05);
			g_autoptr(GString) limits = g_string_new(NULL);
			gboolean held =
			        keeps_most(limits, "no drift", none, most_at_level(2 * CONTAMINATION_ALPHA, CAMPAIGNS));
			printf("| %s | %u | %.2f %% | %.1f %% |", machines[i]->name, rounds[k], 100 * none,
			        100 * drift);
			end_row(&table, limits, held);
		}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(totals_keep_their_levels_and_find_what_the_design_finds),
	        cmocka_unit_test(a_check_of_many_metrics_keeps_the_level_of_one),
	        cmocka_unit_test(metrics_tested_together_keep_their_level_in_few_rounds),
	        cmocka_unit_test(a_total_changed_by_the_printed_mde_is_mostly_found),
	        cmocka_unit_test(a_yardstick_rarely_contaminates_by_chance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
