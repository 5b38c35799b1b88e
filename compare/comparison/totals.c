/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/totals.h"

#include <math.h>

#include "compare/comparison/judgement.h"
#include "compare/statistics/order.h"
#include "compare/statistics/signedrank.h"
#include "compare/statistics/special.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#define POWER_TAIL .2          /* 1 - power of the smallest detectable effect */
#define FEW_ROUNDS_FACTOR 1.15 /* the t formula is too optimistic for the exact test below ten rounds */
#define MAX_ROUNDS_NEEDED 10000
#define EQUAL_SLACK 1e-12 /* a deterministic change of exactly the margin is not beyond it */

static double mean(const double *values, guint n)
{
	double sum = 0;
	for (guint i = 0; i < n; i++)
		sum += values[i];
	return sum / n;
}

static double deviation_product(const double *d, guint k, double centre, guint lag)
{
	double sum = 0;
	for (guint i = lag; i < k; i++)
		sum += (d[i] - centre) * (d[i - lag] - centre);
	return sum;
}

double totals_spread(const double *d, guint k)
{
	if (k < 2)
		return NAN;
	double sd = sqrt(deviation_product(d, k, mean(d, k), 0) / (k - 1));
	if (!isfinite(sd))
		return NAN;
	double centre = order_median(d, k);
	g_autofree double *distance = g_new(double, k);
	for (guint i = 0; i < k; i++)
		distance[i] = fabs(d[i] - centre);
	/* 1.4826 makes the median distance of a normal distribution its standard deviation. The larger of both is
	 * taken, so that no power is promised that one of them denies. */
	return MAX(sd, 1.4826 * order_median(distance, k));
}

double totals_known_median(const double *values, guint n)
{
	g_autofree double *known = g_new(double, MAX(n, 1));
	guint k = 0;
	for (guint i = 0; i < n; i++)
		if (isfinite(values[i]))
			known[k++] = values[i];
	return order_median(known, k);
}

double totals_mde(double sd, guint k, double alpha)
{
	if (k < 2)
		return NAN;
	double t = student_upper_quantile(alpha, k - 1) + student_upper_quantile(POWER_TAIL, k - 1);
	return t * sd / sqrt(k);
}

guint totals_rounds_needed(double sd, double alpha, double effect)
{
	if (!isfinite(sd) || !(effect > 0))
		return 0;
	guint k = MAX(look_rounds_possible(alpha), 2);
	/* The normal approximation is a lower bound, so the search starts just below the answer. */
	double normal = (normal_upper_quantile(alpha) + normal_upper_quantile(POWER_TAIL)) * sd / effect;
	if (normal * normal > MAX_ROUNDS_NEEDED)
		return 0;
	k = MAX(k, (guint)(normal * normal));
	while (k <= MAX_ROUNDS_NEEDED && totals_mde(sd, k, alpha) > effect)
		k++;
	return k <= MAX_ROUNDS_NEEDED ? k : 0;
}

static double autocorrelation(const double *d, guint k)
{
	if (k < 3)
		return NAN;
	double centre = mean(d, k), total = deviation_product(d, k, centre, 0);
	return total > 0 ? deviation_product(d, k, centre, 1) / total : NAN;
}

/* Mean of d over the rounds that base started minus that over the others. */
static double slot_effect(const double *d, const gboolean *base_first, guint k)
{
	double sum[2] = {0, 0};
	guint n[2] = {0, 0};
	for (guint i = 0; base_first != NULL && i < k; i++) {
		sum[base_first[i] != FALSE] += d[i];
		n[base_first[i] != FALSE]++;
	}
	return n[0] > 0 && n[1] > 0 ? sum[1] / n[1] - sum[0] / n[0] : NAN;
}

static gboolean all_equal(const double *values, guint n)
{
	for (guint i = 1; i < n; i++)
		if (values[i] != values[0])
			return FALSE;
	return TRUE;
}

/* The result of the first k rounds at one pair of levels. */
typedef struct {
	guint rounds;
	double alpha_fail, alpha_pass;
	double lower, upper, improved_below; /* L(a_f), U(a_p), U(a_f) */
	double estimate, p_value;
	gboolean possible; /* a FAIL of this level can happen in so few rounds */
	gboolean deterministic, negligible;
	Verdict verdict;
} Look;

static Verdict judge(double lower, double upper, const MetricPolicy *policy)
{
	if (lower > log1p(policy->margin))
		return VERDICT_REGRESSION;
	return upper < log1p(policy->pass_margin) ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

static void look_tested(Look *look, const double *d, const MetricPolicy *policy)
{
	g_autoptr(GArray) walsh = walsh_averages(d, look->rounds);
	guint fail = signed_rank_critical(look->rounds, look->alpha_fail);
	guint pass = signed_rank_critical(look->rounds, look->alpha_pass);
	look->possible = fail > 0;
	look->estimate = walsh_median(walsh);
	look->lower = walsh_lower(walsh, fail);
	look->upper = walsh_upper(walsh, pass);
	look->improved_below = walsh_upper(walsh, fail);
	look->p_value = signed_rank_upper_tail(look->rounds, walsh_above(walsh, log1p(policy->margin)));
	look->verdict = look->possible ? judge(look->lower, look->upper, policy) : VERDICT_INCONCLUSIVE;
}

static void look_deterministic(Look *look, double d, const MetricPolicy *policy)
{
	look->possible = look->deterministic = TRUE;
	look->estimate = look->lower = look->upper = look->improved_below = d;
	look->p_value = NAN;
	/* a configuration may name a pass margin that is below the margin */
	look->verdict = d > log1p(policy->margin) + EQUAL_SLACK        ? VERDICT_REGRESSION
	                : d > log1p(policy->pass_margin) + EQUAL_SLACK ? VERDICT_INCONCLUSIVE
	                                                               : VERDICT_PASS;
}

static Look look_at(const TotalsInput *input, const double *d, guint rounds, double alpha_fail, double alpha_pass)
{
	const MetricPolicy *policy = input->policy;
	Look look = {.rounds = rounds, .alpha_fail = alpha_fail, .alpha_pass = alpha_pass};
	gboolean enough = rounds >= TOTALS_DETERMINISTIC_ROUNDS;
	look.negligible = enough && order_median(input->base, rounds) < policy->abs_floor &&
	                  order_median(input->head, rounds) < policy->abs_floor;
	if (enough && all_equal(input->base, rounds) && all_equal(input->head, rounds))
		look_deterministic(&look, d[0], policy);
	else
		look_tested(&look, d, policy);
	if (look.negligible)
		look.verdict = VERDICT_PASS;
	return look;
}

/* A look before the first planned one: only what needs no test may decide. */
static Look look_early(const TotalsInput *input, const double *d)
{
	Look look = look_at(input, d, input->rounds, input->plan->alpha_fail[0], input->plan->alpha_pass[0]);
	if (!look.deterministic && !look.negligible)
		look.verdict = VERDICT_INCONCLUSIVE;
	return look;
}

/* The test looks at values with half the floor added. A change of the value itself is larger than that of this sum by
 * this factor; it is 1 where nothing is added. */
static double floor_factor(const TotalsInput *input, guint rounds)
{
	double base = order_median(input->base, rounds), shift = input->policy->abs_floor / 2;
	return base > 0 && shift > 0 && !input->higher_is_better ? 1 + shift / base : 1;
}

/* The ratio of the values themselves, from the log ratio that was tested. A bound below 0 says nothing, as 0 does. */
static double stated_ratio(double log_ratio, double factor)
{
	double ratio = exp(log_ratio);
	return factor > 1 ? MAX(0, 1 + (ratio - 1) * factor) : ratio;
}

/* A look speaks of cost, which falls where a better value rises. */
static void record_look(MetricComparison *comparison, const TotalsInput *input, const Look *look)
{
	gboolean flipped = comparison->higher_is_better;
	double factor = floor_factor(input, look->rounds);
	gboolean moved = factor > 1;
	MetricLook entry = {
	        .rounds = look->rounds,
	        .lower = flipped ? -look->upper
	                 : moved ? log(stated_ratio(look->lower, factor))
	                         : look->lower,
	        .upper = flipped ? -look->lower
	                 : moved ? log(stated_ratio(look->upper, factor))
	                         : look->upper,
	        .verdict = look->verdict,
	};
	g_array_append_val(comparison->looks, entry);
}

/* Replays the looks; the result is that of the first one that decides, or of the last one there are rounds for. */
static Look replay(const TotalsInput *input, const double *d, MetricComparison *comparison)
{
	const LookPlan *plan = input->plan;
	if (input->rounds < plan->rounds[0])
		return look_early(input, d);
	Look look = {0};
	for (guint i = 0; i < plan->n && plan->rounds[i] <= input->rounds; i++) {
		look = look_at(input, d, plan->rounds[i], plan->alpha_fail[i], plan->alpha_pass[i]);
		record_look(comparison, input, &look);
		if (look.verdict != VERDICT_INCONCLUSIVE)
			break;
	}
	return look;
}

static void fill_estimates(MetricComparison *comparison, const TotalsInput *input, const Look *look)
{
	comparison->rounds = look->rounds;
	comparison->base = order_median(input->base, look->rounds);
	comparison->head = order_median(input->head, look->rounds);
	gboolean flipped = comparison->higher_is_better;
	double factor = floor_factor(input, look->rounds);
	comparison->change_ratio = stated_ratio(flipped ? -look->estimate : look->estimate, factor);
	comparison->lower_ratio = stated_ratio(flipped ? -look->upper : look->lower, factor);
	comparison->upper_ratio = stated_ratio(flipped ? -look->lower : look->upper, factor);
	comparison->margin = input->policy->margin * factor;
	comparison->pass_margin = input->policy->pass_margin * factor;
	comparison->alpha_fail = look->alpha_fail;
	comparison->alpha_pass = look->alpha_pass;
	comparison->p_value = look->p_value;
	comparison->negligible = look->negligible;
	comparison->deterministic = look->deterministic;
	comparison->improved = !look->negligible && look->improved_below < -log1p(input->policy->margin) - EQUAL_SLACK;
	comparison->verdict = look->verdict;
}

static void fill_noise(MetricComparison *comparison, const TotalsInput *input, const Look *look, const double *d)
{
	guint k = comparison->rounds;
	double alpha = look_plan_alpha(input->plan);
	comparison->sd_log = totals_spread(d, k);
	comparison->acf1 = autocorrelation(d, k);
	comparison->slot_effect = slot_effect(d, input->base_first, k) * (comparison->higher_is_better ? -1 : 1);
	double mde = totals_mde(comparison->sd_log, k, alpha) * (k < 10 ? FEW_ROUNDS_FACTOR : 1);
	comparison->mde_ratio = look->possible ? expm1(mde) * floor_factor(input, k) : NAN;
	comparison->rounds_needed = comparison->deterministic ? TOTALS_DETERMINISTIC_ROUNDS
	                                                      : totals_rounds_needed(comparison->sd_log, alpha,
	                                                                log1p(input->policy->pass_margin));
}

/* An end at 0 or infinity is none: ratios of extreme values have no other. The lower end is never infinite, nor the
 * upper one 0: such an interval would have decided. */
static char *interval_words(double lower, double upper)
{
	gboolean from = lower > 0, to = isfinite(upper);
	g_autofree char *lowest = number_change(lower), *highest = number_change(upper);
	if (from && to)
		return g_strdup_printf("%s to %s", lowest, highest);
	if (from)
		return g_strdup_printf("from %s on", lowest);
	return to ? g_strdup_printf("up to %s", highest) : g_strdup("open at both ends");
}

/* A change beyond the pass margin that these rounds hardly see is a matter of noise; else the change itself is where
 * neither can be said. */
static char *open_reason(const MetricComparison *c)
{
	double visible = c->margin + c->mde_ratio;
	g_autofree char *interval = interval_words(c->lower_ratio, c->upper_ratio);
	g_autofree char *margin = number_share(c->margin), *pass = number_share(c->pass_margin);
	g_autofree char *smallest = number_about(visible);
	g_autofree char *cause = isfinite(visible) && visible > c->pass_margin
	                                 ? g_strdup_printf("too noisy: only changes above %s are visible", smallest)
	                                 : g_strdup("too close to call");
	return g_strdup_printf(
	        "%s (measured %s in %u rounds; margin %s, pass below %s)", cause, interval, c->rounds, margin, pass);
}

static char *inconclusive_reason(const MetricComparison *c, const TotalsInput *input, const Look *look)
{
	if (input->rounds < input->plan->rounds[0])
		return g_strdup_printf(JUDGEMENT_TOO_FEW " rounds: %u, and the first look is after %u", input->rounds,
		        input->plan->rounds[0]);
	if (!look->possible)
		return g_strdup_printf(JUDGEMENT_TOO_FEW
		        " rounds: %u, and a regression can be shown in %u at the earliest",
		        look->rounds, look_rounds_possible(look->alpha_fail));
	return open_reason(c);
}

static char *regression_reason(const MetricComparison *c, const Look *look)
{
	if (!isinf(look->lower)) {
		g_autofree char *least =
		        number_change_beyond(c->higher_is_better ? c->upper_ratio : c->lower_ratio, c->margin);
		g_autofree char *margin = number_share(c->margin);
		return g_strdup_printf("at least %s, beyond the margin of %s%s", least, margin,
		        c->higher_is_better ? " (higher is better)" : "");
	}
	return g_strdup(c->higher_is_better
	                        ? "above 0 in every run of base and 0 in every run of head (higher is better)"
	                        : "0 in every run of base and above 0 in every run of head");
}

static char *verdict_reason(const MetricComparison *c, const TotalsInput *input, const Look *look)
{
	if (c->verdict == VERDICT_REGRESSION)
		return regression_reason(c, look);
	return c->verdict == VERDICT_INCONCLUSIVE ? inconclusive_reason(c, input, look) : NULL;
}

static MetricComparison *comparison_new(const TotalsInput *input)
{
	MetricComparison *comparison = g_new0(MetricComparison, 1);
	comparison->name = g_strdup(input->name);
	comparison->engine = input->engine;
	comparison->unit = g_strdup(input->unit);
	comparison->base = comparison->head = comparison->change_ratio = NAN;
	comparison->lower_ratio = comparison->upper_ratio = comparison->mde_ratio = comparison->p_value = NAN;
	comparison->alpha_fail = comparison->alpha_pass = NAN;
	comparison->sd_log = comparison->acf1 = comparison->slot_effect = NAN;
	comparison->base_spread = comparison->head_spread = NAN;
	comparison->margin = input->policy->margin;
	comparison->pass_margin = input->policy->pass_margin;
	comparison->abs_floor = input->policy->abs_floor;
	comparison->gates = input->policy->gates;
	comparison->higher_is_better = input->higher_is_better;
	comparison->verdict = VERDICT_ERROR;
	comparison->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	comparison->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	comparison->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(comparison->base_values, input->base, input->rounds);
	g_array_append_vals(comparison->head_values, input->head, input->rounds);
	return comparison;
}

/* The remedy for a metric that gates and has no ratio; "" for all others. */
static const char *remedy(const TotalsInput *input)
{
	if (!input->policy->gates || !input->zero_is_measured)
		return "";
	return input->engine == &engine_benchmark ? "; report the value plus 1, or a larger count, or do not gate on it"
	                                          : "; do not gate on it";
}

/* Tells why a value cannot be compared, or NULL. `shift` is added to it before its logarithm; `zero` says that 0 can
 * be, too. */
static char *value_problem(const TotalsInput *input, guint round, gboolean of_head, double shift, gboolean zero)
{
	double value = (of_head ? input->head : input->base)[round];
	const char *side = of_head ? "head" : "base";
	g_autofree char *plain = number_plain(value);
	if (isnan(value))
		return g_strdup_printf("it was not measured in round %u of %s", round + 1, side);
	if (!isfinite(value) || (value == 0 && !input->zero_is_measured))
		return g_strdup_printf(
		        "round %u of %s has the value %s, which cannot be compared", round + 1, side, plain);
	if (value < 0 || (value + shift <= 0 && !zero))
		return g_strdup_printf("cannot be compared as a ratio: round %u of %s has the value %s%s", round + 1,
		        side, plain, remedy(input));
	return NULL;
}

static gboolean all_zero(const double *values, guint n)
{
	return values[0] == 0 && all_equal(values, n);
}

static gboolean all_positive(const double *values, guint n)
{
	for (guint i = 0; i < n; i++)
		if (!(values[i] > 0))
			return FALSE;
	return TRUE;
}

/* TRUE if a side that is 0 in every round is compared with a side that is always 0, or never: then the order of every
 * round is clear, and the test looks at nothing else. */
static gboolean zero_is_clear(const TotalsInput *input)
{
	guint n = input->rounds;
	gboolean base = all_zero(input->base, n), head = all_zero(input->head, n);
	return input->zero_is_measured &&
	       ((base && head) || (base && all_positive(input->head, n)) || (head && all_positive(input->base, n)));
}

/* The first thing that cannot be compared, as text, or NULL. */
static char *find_invalid(const TotalsInput *input, double shift)
{
	const MetricPolicy *policy = input->policy;
	if (!isfinite(policy->margin) || !isfinite(policy->pass_margin) || !isfinite(policy->abs_floor))
		return g_strdup("its margins are not finite numbers");
	if (input->rounds == 0)
		return g_strdup("no rounds were measured");
	gboolean zero = zero_is_clear(input);
	for (guint i = 0; i < 2 * input->rounds; i++) {
		char *problem = value_problem(input, i / 2, i % 2 == 1, shift, zero);
		if (problem != NULL)
			return problem;
	}
	return NULL;
}

/* A quotient of extreme values overflows where the difference of their logarithms does not; in between the quotient is
 * the more exact one, and equal ratios must give equal numbers. Infinite where one of them is 0. */
double totals_log_ratio(double base, double head)
{
	if (base == head)
		return 0;
	double ratio = log(head / base);
	return isfinite(ratio) ? ratio : log(head) - log(base);
}

MetricComparison *totals_compare(const TotalsInput *input)
{
	double shift = input->policy->abs_floor / 2;
	MetricComparison *comparison = comparison_new(input);
	comparison->rounds = input->rounds;
	comparison->reason = find_invalid(input, shift);
	if (comparison->reason != NULL) {
		comparison->base = totals_known_median(input->base, input->rounds);
		comparison->head = totals_known_median(input->head, input->rounds);
		return comparison;
	}
	g_autofree double *d = g_new0(double, input->rounds);
	for (guint i = 0; i < input->rounds; i++) {
		double base = input->base[i] + shift, head = input->head[i] + shift;
		d[i] = input->higher_is_better ? totals_log_ratio(head, base) : totals_log_ratio(base, head);
	}
	Look look = replay(input, d, comparison);
	fill_estimates(comparison, input, &look);
	fill_noise(comparison, input, &look, d);
	comparison->reason = verdict_reason(comparison, input, &look);
	return comparison;
}

gboolean compare_total_holds(const GPtrArray *metrics, const Profile *profile)
{
	g_auto(GStrv) parts = g_strsplit(profile->event, ":", 2);
	const char *name = g_str_equal(profile->unit, "ns") ? "task-clock" : parts[0];
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (g_strcmp0(metric->name, name) == 0 && metric->engine == &engine_perf)
			return metric->verdict != VERDICT_ERROR && metric->upper_ratio - 1 < metric->margin;
	}
	return FALSE;
}
