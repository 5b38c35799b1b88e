/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/endpoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/comparison/totals.h"
#include "compare/statistics/signedrank.h"
#include "tests/compare/near.h"

enum { MAX_ROUNDS = 14 };

static guint64 next(guint64 *state)
{
	guint64 z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Coarse values, so that many tie with each other and with the margin. */
static void fill_coarse(double *d, guint rounds, guint64 *state)
{
	for (guint i = 0; i < rounds; i++)
		d[i] = log1p(.01 * ((double)(next(state) % 9) - 3));
}

static double rank_p(const double *d, guint rounds, double margin)
{
	g_autoptr(GArray) walsh = walsh_averages(d, rounds);
	return signed_rank_upper_tail(rounds, walsh_above(walsh, log1p(margin)));
}

static void one_endpoint_has_the_p_of_the_signed_rank_test_ties_included(void **state)
{
	guint64 generator = 1;
	(void)state;
	for (guint rounds = 1; rounds <= MAX_ROUNDS; rounds++)
		for (guint repeat = 0; repeat < 20; repeat++) {
			double d[MAX_ROUNDS];
			fill_coarse(d, rounds, &generator);
			Endpoint endpoint = {d, .01 * (repeat % 3)};
			EndpointVerdict verdict;
			endpoints_test(&endpoint, 1, rounds, .01, &verdict);
			assert_near(verdict.p_adjusted, rank_p(d, rounds, endpoint.margin), 1e-12);
			assert_near(verdict.p_value, verdict.p_adjusted, 0);
		}
}

static void each_endpoint_of_a_family_has_the_same_unadjusted_p(void **state)
{
	guint64 generator = 2;
	double d[3][MAX_ROUNDS];
	(void)state;
	for (guint repeat = 0; repeat < 30; repeat++) {
		Endpoint endpoints[3];
		EndpointVerdict verdicts[3];
		for (guint e = 0; e < 3; e++) {
			fill_coarse(d[e], 9, &generator);
			endpoints[e] = (Endpoint){d[e], .01 * e};
		}
		endpoints_test(endpoints, 3, 9, .01, verdicts);
		for (guint e = 0; e < 3; e++) {
			assert_near(verdicts[e].p_value, rank_p(d[e], 9, endpoints[e].margin), 1e-12);
			assert_true(verdicts[e].p_adjusted >= verdicts[e].p_value);
		}
	}
}

/* The most significant one is never worse off than with Bonferroni. */
static void the_smallest_p_is_at_most_that_of_bonferroni(void **state)
{
	guint64 generator = 3;
	double d[4][MAX_ROUNDS];
	(void)state;
	for (guint repeat = 0; repeat < 50; repeat++) {
		Endpoint endpoints[4];
		EndpointVerdict verdicts[4];
		double single = 1, family = 1;
		for (guint e = 0; e < 4; e++) {
			fill_coarse(d[e], 8, &generator);
			endpoints[e] = (Endpoint){d[e], 0};
		}
		endpoints_test(endpoints, 4, 8, .01, verdicts);
		for (guint e = 0; e < 4; e++) {
			single = MIN(single, verdicts[e].p_value);
			family = MIN(family, verdicts[e].p_adjusted);
		}
		assert_true(family <= 4 * single + 1e-12);
	}
}

static void endpoints_that_agree_in_every_round_cost_nothing(void **state)
{
	const double a[7] = {.10, .11, .12, .13, .14, .15, .16}, b[7] = {.30, .21, .28, .24, .29, .22, .26};
	Endpoint endpoints[] = {{a, .02}, {b, .05}, {a, .03}};
	EndpointVerdict verdicts[3];
	(void)state;
	endpoints_test(endpoints, 3, 7, .01, verdicts);
	for (guint e = 0; e < 3; e++) {
		assert_near(verdicts[e].p_adjusted, 1 / 128.0, 0);
		assert_true(verdicts[e].fails);
	}
}

/* An endpoint far below its margin is as far from it as one can be, so one more vector reaches the largest statistic.
 */
static void an_endpoint_below_its_margin_counts_like_any_other(void **state)
{
	const double risen[7] = {.10, .11, .12, .13, .14, .15, .16}, still[7] = {0, .001, -.001, .002, -.002, 0, .001};
	Endpoint endpoints[] = {{still, .02}, {risen, .02}};
	EndpointVerdict verdicts[2];
	(void)state;
	endpoints_test(endpoints, 2, 7, .01, verdicts);
	assert_near(verdicts[1].p_value, 1 / 128.0, 0);
	assert_near(verdicts[1].p_adjusted, 2 / 128.0, 0);
	assert_false(verdicts[1].fails);
	assert_near(verdicts[0].p_adjusted, 1, 0);
}

/* Step-down: what is decided does not burden the rest, but no p is below that of a larger statistic. */
static void adjusted_p_rise_with_falling_statistics(void **state)
{
	guint64 generator = 5;
	double d[3][MAX_ROUNDS];
	(void)state;
	for (guint repeat = 0; repeat < 50; repeat++) {
		Endpoint endpoints[3];
		EndpointVerdict verdicts[3];
		for (guint e = 0; e < 3; e++) {
			fill_coarse(d[e], 10, &generator);
			endpoints[e] = (Endpoint){d[e], 0};
		}
		endpoints_test(endpoints, 3, 10, .05, verdicts);
		for (guint a = 0; a < 3; a++)
			for (guint b = 0; b < 3; b++)
				assert_true(verdicts[a].p_value >= verdicts[b].p_value ||
				            verdicts[a].p_adjusted <= verdicts[b].p_adjusted);
	}
}

static void many_rounds_use_drawn_vectors(void **state)
{
	double d[30];
	Endpoint endpoint = {d, .02};
	EndpointVerdict verdict;
	(void)state;
	for (guint i = 0; i < 30; i++)
		d[i] = .05 + .001 * i;
	endpoints_test(&endpoint, 1, 30, .01, &verdict);
	assert_near(verdict.p_adjusted, 1 / 16384.0, 0);
}

static void infinite_ratios_are_as_clear_as_can_be(void **state)
{
	double d[7];
	Endpoint endpoint = {d, .02};
	EndpointVerdict verdict;
	(void)state;
	for (guint i = 0; i < 7; i++)
		d[i] = INFINITY;
	endpoints_test(&endpoint, 1, 7, .01, &verdict);
	assert_near(verdict.p_adjusted, 1 / 128.0, 0);
	for (guint i = 0; i < 7; i++)
		d[i] = -INFINITY;
	endpoints_test(&endpoint, 1, 7, .01, &verdict);
	assert_near(verdict.p_adjusted, 1, 0);
}

/* --- judging the metrics of a benchmark --- */

typedef struct {
	MetricPolicy policies[3];
	GPtrArray *policy_list, *metrics;
	LookPlan plan;
} Judged;

/* Metrics m0, m1, ... with changes of each, over `rounds` fixed rounds, judged each on its own. */
static Judged *judged_new(const double *changes, guint n, guint rounds, const LookPlan *plan)
{
	Judged *j = g_new0(Judged, 1);
	j->policy_list = g_ptr_array_new();
	j->metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	j->plan = *plan;
	for (guint m = 0; m < n; m++) {
		static const char *const names[] = {"m0", "m1", "m2"};
		double base[MAX_ROUNDS], head[MAX_ROUNDS];
		for (guint i = 0; i < rounds; i++) {
			base[i] = 100 + i % 3;
			head[i] = base[i] * (1 + changes[m]) * (1 + .001 * ((double)((i + m) * 5 % 7) - 3));
		}
		j->policies[m] = (MetricPolicy){.metric = (char *)names[m],
		        .engine = m == 0 ? NULL : &engine_perf,
		        .margin = .02,
		        .pass_margin = .04,
		        .gates = TRUE};
		g_ptr_array_add(j->policy_list, &j->policies[m]);
		TotalsInput input = {.base = base,
		        .head = head,
		        .rounds = rounds,
		        .name = names[m],
		        .engine = &engine_perf,
		        .unit = "ns",
		        .policy = &j->policies[m],
		        .plan = &j->plan};
		g_ptr_array_add(j->metrics, totals_compare(&input));
	}
	return j;
}

static void judged_free(Judged *j)
{
	g_ptr_array_unref(j->metrics);
	g_ptr_array_unref(j->policy_list);
	g_free(j);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Judged, judged_free)

static const MetricComparison *metric_at(const Judged *j, guint i)
{
	return j->metrics->pdata[i];
}

static Verdict verdict_at(const Judged *j, guint i)
{
	return metric_at(j, i)->verdict;
}

/* Seven rounds and two metrics: .005 is below 2^-7, .01 is not. */
static void metrics_that_fail_together_fail_where_each_alone_could_not(void **state)
{
	const double changes[] = {.10, .20};
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 7, &plan);
	assert_int_equal(verdict_at(j, 0), VERDICT_INCONCLUSIVE);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	for (guint i = 0; i < 2; i++) {
		const MetricComparison *m = metric_at(j, i);
		assert_int_equal(m->verdict, VERDICT_REGRESSION);
		assert_string_equal(
		        m->reason, "beyond the margin of 2 % in 7 rounds, p = 0.0078 over 2 gating metrics");
		assert_int_equal(g_array_index(m->looks, MetricLook, 0).verdict, VERDICT_REGRESSION);
	}
}

static void a_metric_that_fails_alone_stays_inconclusive(void **state)
{
	const double changes[] = {.10, 0};
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 7, &plan);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 0), VERDICT_INCONCLUSIVE);
	assert_int_equal(verdict_at(j, 1), VERDICT_INCONCLUSIVE); /* and nothing passes */
	assert_true(g_str_has_prefix(metric_at(j, 1)->reason, "too few rounds"));
}

static void the_family_of_one_benchmark_has_only_its_part_of_the_level(void **state)
{
	const double changes[] = {.10, .20};
	LookPlan plan = look_plan_fixed(7, 4); /* two more in other benchmarks: 2 x .0025 is below 2^-7 */
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 7, &plan);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 0), VERDICT_INCONCLUSIVE);
}

/* Each could be shown alone and was not: that is final. */
static void looks_at_which_one_metric_can_fail_are_left_alone(void **state)
{
	const double changes[] = {.02, .02};
	LookPlan plan = look_plan_fixed(10, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 10, &plan);
	Verdict before = verdict_at(j, 0);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 0), before);
	LookPlan sequential = look_plan_sequential(2);
	g_autoptr(Judged) early = judged_new(changes, 2, 7, &sequential);
	endpoints_judge(early->metrics, early->policy_list, &early->plan);
	assert_int_equal(verdict_at(early, 0), VERDICT_INCONCLUSIVE);
}

static void metrics_that_do_not_gate_are_no_part_of_the_family(void **state)
{
	const double changes[] = {.10, .20, .30};
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 3, 7, &plan);
	((MetricComparison *)j->metrics->pdata[2])->gates = FALSE;
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 1), VERDICT_REGRESSION);
	assert_int_equal(verdict_at(j, 2), VERDICT_INCONCLUSIVE);
}

static void no_metric_at_all_is_fine(void **state)
{
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(NULL, 0, 7, &plan);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(j->metrics->len, 0);
}

/* More is better: a fall is what fails. */
static void a_metric_of_which_more_is_better_fails_when_it_falls(void **state)
{
	const double changes[] = {-.10, .20};
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 7, &plan);
	((MetricComparison *)j->metrics->pdata[0])->higher_is_better = TRUE;
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 0), VERDICT_REGRESSION);
	assert_int_equal(verdict_at(j, 1), VERDICT_REGRESSION);
}

static void a_metric_without_a_policy_is_left_alone(void **state)
{
	const double changes[] = {.10, .20, .30};
	LookPlan plan = look_plan_fixed(7, 2);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 3, 7, &plan);
	g_ptr_array_remove_index(j->policy_list, 1);
	endpoints_judge(j->metrics, j->policy_list, &j->plan);
	assert_int_equal(verdict_at(j, 0), VERDICT_REGRESSION);
	assert_int_equal(verdict_at(j, 1), VERDICT_INCONCLUSIVE);
	assert_true(g_str_has_suffix(metric_at(j, 2)->reason, "over 2 gating metrics"));
}

/* Six rounds would be enough for this level. */
static void a_metric_that_was_judged_after_other_rounds_is_left_alone(void **state)
{
	const double changes[] = {.10, .20};
	LookPlan plan = look_plan_fixed(7, 2), other = look_plan_fixed(6, 1);
	(void)state;
	g_autoptr(Judged) j = judged_new(changes, 2, 7, &plan);
	endpoints_judge(j->metrics, j->policy_list, &other);
	assert_int_equal(verdict_at(j, 0), VERDICT_INCONCLUSIVE);
	assert_int_equal(verdict_at(j, 1), VERDICT_INCONCLUSIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_endpoint_has_the_p_of_the_signed_rank_test_ties_included),
	        cmocka_unit_test(each_endpoint_of_a_family_has_the_same_unadjusted_p),
	        cmocka_unit_test(the_smallest_p_is_at_most_that_of_bonferroni),
	        cmocka_unit_test(endpoints_that_agree_in_every_round_cost_nothing),
	        cmocka_unit_test(an_endpoint_below_its_margin_counts_like_any_other),
	        cmocka_unit_test(adjusted_p_rise_with_falling_statistics),
	        cmocka_unit_test(many_rounds_use_drawn_vectors),
	        cmocka_unit_test(infinite_ratios_are_as_clear_as_can_be),
	        cmocka_unit_test(metrics_that_fail_together_fail_where_each_alone_could_not),
	        cmocka_unit_test(a_metric_that_fails_alone_stays_inconclusive),
	        cmocka_unit_test(the_family_of_one_benchmark_has_only_its_part_of_the_level),
	        cmocka_unit_test(looks_at_which_one_metric_can_fail_are_left_alone),
	        cmocka_unit_test(metrics_that_do_not_gate_are_no_part_of_the_family),
	        cmocka_unit_test(no_metric_at_all_is_fine),
	        cmocka_unit_test(a_metric_of_which_more_is_better_fails_when_it_falls),
	        cmocka_unit_test(a_metric_without_a_policy_is_left_alone),
	        cmocka_unit_test(a_metric_that_was_judged_after_other_rounds_is_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
