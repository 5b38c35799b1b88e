/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/endpoints.h"

#include <math.h>

#include "compare/comparison/totals.h"
#include "compare/statistics/order.h"
#include "compare/statistics/signedrank.h"
#include "compare/statistics/signvectors.h"
#include "model/numbers/number.h"

#define LEVEL_SLACK 1e-12 /* keeps a level that equals a probability from failing by rounding */

/* One endpoint while sign vectors are counted. */
typedef struct {
	guint *rank;      /* per round, of its distance from the margin */
	gboolean *above;  /* per round: beyond the margin */
	guint observed;   /* the statistic as measured */
	guint reached;    /* vectors whose own statistic is as large */
	guint reached_by; /* vectors whose largest statistic of this and all smaller ones is as large */
	guint index;      /* in the caller's order */
} Ranked;

typedef struct {
	double d;
	guint round;
} Distance;

static gint compare_distance(gconstpointer a, gconstpointer b)
{
	const Distance *x = a, *y = b;
	int by_value = order_compare(&x->d, &y->d);
	return by_value != 0 ? by_value : (x->round > y->round) - (x->round < y->round);
}

/* Ranks by distance from the limit, in such a way that the ranks of the rounds above it add up to the number of Walsh
 * averages above it, whatever ties and rounding do: the rank of the t-th smallest one above is t plus the number of
 * rounds not above it whose average with it is above. The others keep the ranks that are left, nearest first. */
static void rank_rounds(Ranked *ranked, const double *d, guint rounds, double limit)
{
	g_autofree Distance *sorted = g_new(Distance, rounds);
	for (guint i = 0; i < rounds; i++)
		sorted[i] = (Distance){d[i], i};
	qsort(sorted, rounds, sizeof(Distance), compare_distance);
	guint below = 0;
	while (below < rounds && !(sorted[below].d > limit))
		below++;
	guint next = 1, nearest = below;
	for (guint i = below; i < rounds; i++) {
		while (nearest > 0 && (sorted[i].d + sorted[nearest - 1].d) / 2 > limit)
			ranked->rank[sorted[--nearest].round] = next++;
		ranked->above[sorted[i].round] = TRUE;
		ranked->observed += next;
		ranked->rank[sorted[i].round] = next++;
	}
	while (nearest > 0)
		ranked->rank[sorted[--nearest].round] = next++;
}

static gint compare_ranked(gconstpointer a, gconstpointer b)
{
	const Ranked *x = a, *y = b;
	if (x->observed != y->observed)
		return x->observed > y->observed ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static guint flipped_statistic(const Ranked *ranked, const SignVectors *signs, guint vector)
{
	guint sum = 0;
	for (guint i = 0; i < signs->rounds; i++)
		if ((ranked->above[i] != FALSE) != sign_vectors_is_minus(signs, vector, i))
			sum += ranked->rank[i];
	return sum;
}

/* `ranked` by falling statistic, so the maximum over all smaller ones grows from the end. */
static void count_vector(Ranked *ranked, guint n, const SignVectors *signs, guint vector)
{
	guint largest = 0;
	for (guint j = n; j > 0; j--) {
		Ranked *one = &ranked[j - 1];
		guint own = flipped_statistic(one, signs, vector);
		largest = MAX(largest, own);
		one->reached += own >= one->observed;
		one->reached_by += largest >= one->observed;
	}
}

static Ranked *ranked_new(const Endpoint *endpoints, guint n, guint rounds)
{
	Ranked *ranked = g_new0(Ranked, n);
	for (guint e = 0; e < n; e++) {
		g_assert(endpoints[e].d != NULL);
		ranked[e].index = e;
		ranked[e].rank = g_new0(guint, rounds);
		ranked[e].above = g_new0(gboolean, rounds);
		rank_rounds(&ranked[e], endpoints[e].d, rounds, log1p(endpoints[e].margin));
	}
	qsort(ranked, n, sizeof(Ranked), compare_ranked);
	return ranked;
}

static void ranked_free(Ranked *ranked, guint n)
{
	for (guint e = 0; e < n; e++) {
		g_free(ranked[e].rank);
		g_free(ranked[e].above);
	}
	g_free(ranked);
}

void endpoints_test(const Endpoint *endpoints, guint n, guint rounds, double alpha, EndpointVerdict *verdicts)
{
	g_autoptr(SignVectors) signs = sign_vectors_new(rounds);
	Ranked *ranked = ranked_new(endpoints, n, rounds);
	for (guint vector = 0; vector < signs->vectors; vector++)
		count_vector(ranked, n, signs, vector);
	double previous = 0;
	for (guint j = 0; j < n; j++) {
		previous = MAX(previous, (double)ranked[j].reached_by / signs->vectors);
		verdicts[ranked[j].index] = (EndpointVerdict){
		        .p_value = (double)ranked[j].reached / signs->vectors,
		        .p_adjusted = previous,
		        .fails = previous <= alpha + LEVEL_SLACK,
		};
	}
	ranked_free(ranked, n);
}

/* TRUE for a gating metric of which the only look was in vain. */
static gboolean is_open(const MetricComparison *metric, const LookPlan *plan)
{
	return metric->gates && metric->verdict == VERDICT_INCONCLUSIVE && metric->looks->len == 1 &&
	       metric->rounds == plan->rounds[0] && signed_rank_critical(metric->rounds, metric->alpha_fail) == 0;
}

static double *log_ratios(const MetricComparison *metric)
{
	double *d = g_new(double, metric->rounds), shift = metric->abs_floor / 2;
	for (guint i = 0; i < metric->rounds; i++) {
		double base = g_array_index(metric->base_values, double, i) + shift;
		double head = g_array_index(metric->head_values, double, i) + shift;
		d[i] = metric->higher_is_better ? totals_log_ratio(head, base) : totals_log_ratio(base, head);
	}
	return d;
}

static void set_regression(MetricComparison *metric, const EndpointVerdict *verdict, guint n)
{
	metric->verdict = VERDICT_REGRESSION;
	g_array_index(metric->looks, MetricLook, 0).verdict = VERDICT_REGRESSION;
	g_free(metric->reason);
	g_autofree char *margin = number_share(metric->margin), *p = number_p(verdict->p_adjusted);
	metric->reason = g_strdup_printf(
	        "beyond the margin of %s in %u rounds, %s over %u gating metrics", margin, metric->rounds, p, n);
}

void endpoints_judge(const GPtrArray *metrics, const GPtrArray *policies, const LookPlan *plan)
{
	g_autoptr(GPtrArray) open = g_ptr_array_new(), ratios = g_ptr_array_new_with_free_func(g_free);
	g_autofree Endpoint *endpoints = g_new0(Endpoint, metrics->len + 1);
	g_autofree EndpointVerdict *verdicts = g_new0(EndpointVerdict, metrics->len + 1);
	for (guint i = 0; i < metrics->len; i++) {
		MetricComparison *metric = metrics->pdata[i];
		const MetricPolicy *policy = metric_policy_find(policies, metric);
		if (policy == NULL || !is_open(metric, plan))
			continue;
		g_ptr_array_add(ratios, log_ratios(metric));
		endpoints[open->len] = (Endpoint){g_ptr_array_index(ratios, open->len), policy->margin};
		g_ptr_array_add(open, metric);
	}
	if (open->len == 0)
		return;
	endpoints_test(endpoints, open->len, plan->rounds[0], open->len * plan->alpha_fail[0], verdicts);
	for (guint i = 0; i < open->len; i++)
		if (verdicts[i].fails)
			set_regression(open->pdata[i], &verdicts[i], open->len);
}
