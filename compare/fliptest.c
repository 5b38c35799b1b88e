#include "compare/fliptest.h"

#include <math.h>
#include <stdlib.h>

#include "compare/order.h"

#define TIE_SLACK 1e-9 /* sums of counts tie often, and rounding must not turn a tie into a miss */
#define DISPERSION_MIN_COST 2
#define DISPERSION_FLOOR .1
#define DISPERSION_BIAS .85 /* the median of the ratios is about this share of their mean */

double flip_prior_variance(double phi, double s1)
{
	return phi * MAX(s1, 1);
}

double flip_standard_error(const double *difference, guint k, double v0)
{
	double sum = 0, squares = 0;
	for (guint i = 0; i < k; i++)
		sum += difference[i];
	for (guint i = 0; i < k; i++)
		squares += (difference[i] - sum / k) * (difference[i] - sum / k);
	return sqrt((FLIP_PRIOR_ROUNDS * v0 + squares) / (FLIP_PRIOR_ROUNDS + k - 1) / k);
}

/* s1 and S2 of one function. */
static void moments(const FlipInput *input, guint function, double *s1, double *s2)
{
	const double *base = input->base + (gsize)function * input->rounds;
	const double *head = input->head + (gsize)function * input->rounds;
	*s1 = *s2 = 0;
	for (guint i = 0; i < input->rounds; i++) {
		*s1 += base[i] + head[i];
		*s2 += (head[i] - base[i]) * (head[i] - base[i]);
	}
	*s1 /= input->rounds;
}

double flip_dispersion(const FlipInput *input)
{
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint f = 0; f < input->functions; f++) {
		double s1, s2;
		moments(input, f, &s1, &s2);
		double ratio = s2 / input->rounds / s1;
		if (s1 >= DISPERSION_MIN_COST)
			g_array_append_val(ratios, ratio);
	}
	if (ratios->len == 0)
		return 1 / DISPERSION_BIAS;
	double median = order_median((const double *)ratios->data, ratios->len);
	return MAX(median / DISPERSION_BIAS, DISPERSION_FLOOR);
}

/* One direction of the test while sign vectors are counted. */
typedef struct {
	double sign;       /* +1 regressions, -1 improvements */
	double *threshold; /* per function: the observed statistic in this direction, less the slack for ties */
	double *observed;
	guint *order;                /* functions by falling observed statistic */
	guint *reached, *reached_by; /* per function: vectors whose own T, whose largest T of the rest, is as large */
} Direction;

static gint compare_observed(gconstpointer a, gconstpointer b, gpointer data)
{
	const double *observed = data;
	guint x = *(const guint *)a, y = *(const guint *)b;
	if (observed[x] != observed[y])
		return observed[x] > observed[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static void direction_init(Direction *direction, const FlipTest *test, const double *margins, double sign)
{
	guint n = test->functions;
	*direction = (Direction){
	        sign, g_new(double, n), g_new(double, n), g_new(guint, n), g_new0(guint, n), g_new0(guint, n)};
	for (guint f = 0; f < n; f++) {
		double observed = sign * test->t[f];
		if (margins != NULL && test->mean[f] != 0)
			observed -= margins[f] * test->t[f] / test->mean[f];
		direction->observed[f] = observed;
		direction->threshold[f] = observed - TIE_SLACK * MAX(1, fabs(observed));
		direction->order[f] = f;
	}
	g_qsort_with_data(direction->order, (gint)n, sizeof(guint), compare_observed, direction->observed);
}

static void direction_count(Direction *direction, const double *t, guint n)
{
	double largest = -INFINITY;
	for (guint j = n; j > 0; j--) {
		guint f = direction->order[j - 1];
		double own = direction->sign * t[f];
		largest = MAX(largest, own);
		direction->reached[f] += own >= direction->threshold[f];
		direction->reached_by[f] += largest >= direction->threshold[f];
	}
}

static void direction_finish(Direction *direction, const FlipTest *test, double *p_value, double *p_adjusted)
{
	double previous = 0;
	for (guint j = 0; j < test->functions; j++) {
		guint f = direction->order[j];
		p_value[f] = (double)direction->reached[f] / test->flips;
		previous = MAX(previous, (double)direction->reached_by[f] / test->flips);
		p_adjusted[f] = previous;
	}
	g_free(direction->threshold);
	g_free(direction->observed);
	g_free(direction->order);
	g_free(direction->reached);
	g_free(direction->reached_by);
}

static guint64 splitmix64(guint64 *state)
{
	guint64 z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* The next sign vector after the identity. */
static void next_signs(guint64 *signs, guint rounds, guint flip, guint64 *state)
{
	if (rounds <= FLIP_ENUMERATED_ROUNDS) {
		signs[0] = flip;
		return;
	}
	for (guint word = 0; word * 64 < rounds; word++)
		signs[word] = splitmix64(state);
}

static void add_signed(double *restrict sum, const double *restrict row, guint n, gboolean minus)
{
	if (minus)
		for (guint f = 0; f < n; f++)
			sum[f] -= row[f];
	else
		for (guint f = 0; f < n; f++)
			sum[f] += row[f];
}

void flip_test_statistics(const FlipTest *test, const guint64 *signs, double *t)
{
	guint n = test->functions, k = test->rounds;
	for (guint f = 0; f < n; f++)
		t[f] = 0;
	for (guint i = 0; i < k; i++)
		add_signed(t, test->difference + (gsize)i * n, n, (signs[i / 64] >> (i % 64)) & 1);
	double root = sqrt(k);
	for (guint f = 0; f < n; f++) {
		double mean = t[f] / k;
		double left = FLIP_PRIOR_ROUNDS * test->v0[f] + test->s2[f] - k * mean * mean;
		t[f] = root * mean / sqrt(left / (FLIP_PRIOR_ROUNDS + k - 1));
	}
}

static double largest_magnitude(const double *t, guint n)
{
	double largest = 0;
	for (guint f = 0; f < n; f++)
		largest = MAX(largest, fabs(t[f]));
	return largest;
}

static void run_flips(FlipTest *test, Direction *up, Direction *down)
{
	guint words = (test->rounds + 63) / 64;
	guint64 state = FLIP_SEED;
	g_autofree guint64 *signs = g_new0(guint64, words);
	g_autofree double *t = g_new(double, test->functions);
	g_autofree double *largest = g_new(double, test->flips);
	for (guint flip = 0; flip < test->flips; flip++) {
		if (flip > 0)
			next_signs(signs, test->rounds, flip, &state);
		flip_test_statistics(test, signs, t);
		direction_count(up, t, test->functions);
		direction_count(down, t, test->functions);
		largest[flip] = largest_magnitude(t, test->functions);
	}
	qsort(largest, test->flips, sizeof(double), order_compare);
	test->multiplier = largest[(guint)ceil(.95 * (test->flips - 1))];
}

static void test_alloc(FlipTest *test, guint functions)
{
	double **columns[] = {&test->s1, &test->s2, &test->v0, &test->mean, &test->se, &test->t, &test->p_value,
	        &test->p_value_improvement, &test->p_adjusted, &test->p_adjusted_improvement};
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		*columns[i] = g_new0(double, functions);
}

static void fill_function(FlipTest *test, const FlipInput *input, guint f)
{
	guint k = input->rounds;
	g_autofree double *difference = g_new(double, k);
	double sum = 0;
	for (guint i = 0; i < k; i++) {
		difference[i] = input->head[(gsize)f * k + i] - input->base[(gsize)f * k + i];
		test->difference[(gsize)i * input->functions + f] = difference[i];
		sum += difference[i];
	}
	moments(input, f, &test->s1[f], &test->s2[f]);
	test->v0[f] = flip_prior_variance(test->phi, test->s1[f]);
	test->mean[f] = sum / k;
	test->se[f] = flip_standard_error(difference, k, test->v0[f]);
}

FlipTest *flip_test_new(const FlipInput *input)
{
	g_assert(input->rounds > 0);
	FlipTest *test = g_new0(FlipTest, 1);
	test->functions = input->functions;
	test->rounds = input->rounds;
	test->flips = input->rounds <= FLIP_ENUMERATED_ROUNDS ? 1U << input->rounds : FLIP_DRAWN;
	test->phi = input->phi;
	test->difference = g_new0(double, (gsize)input->functions * input->rounds);
	test_alloc(test, input->functions);
	for (guint f = 0; f < input->functions; f++)
		fill_function(test, input, f);
	g_autofree guint64 *identity = g_new0(guint64, (input->rounds + 63) / 64);
	flip_test_statistics(test, identity, test->t);
	Direction up, down;
	direction_init(&up, test, input->margins, 1);
	direction_init(&down, test, input->margins, -1);
	run_flips(test, &up, &down);
	direction_finish(&up, test, test->p_value, test->p_adjusted);
	direction_finish(&down, test, test->p_value_improvement, test->p_adjusted_improvement);
	return test;
}

void flip_test_free(FlipTest *test)
{
	if (test == NULL)
		return;
	g_free(test->difference);
	g_free(test->s1);
	g_free(test->s2);
	g_free(test->v0);
	g_free(test->mean);
	g_free(test->se);
	g_free(test->t);
	g_free(test->p_value);
	g_free(test->p_value_improvement);
	g_free(test->p_adjusted);
	g_free(test->p_adjusted_improvement);
	g_free(test);
}
