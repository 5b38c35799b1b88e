/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/fliptest.h"

#include <math.h>

#include "compare/statistics/order.h"

/* Sums of counts tie often, and rounding must not turn a tie into a miss. */
#define TIE_SLACK 1e-9       /* of T */
#define ROUNDING_SLACK 1e-13 /* of R, see Direction */
#define TABLE_SIZE (1U << FLIP_GROUP)
#define BLOCK 256      /* sign vectors handled at once: they stay in the nearest cache */
#define LANES 4        /* counters that take turns */
#define NO_VECTOR (-2) /* below every R */
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

/* The mean square of a function's differences, around 0 or around their own mean. */
static double mean_square(const FlipInput *input, guint function, double s2, gboolean around_mean)
{
	const double *base = input->base + (gsize)function * input->rounds;
	const double *head = input->head + (gsize)function * input->rounds;
	guint k = input->rounds;
	double sum = 0, squares = 0;
	if (!around_mean)
		return s2 / k;
	for (guint i = 0; i < k; i++)
		sum += head[i] - base[i];
	for (guint i = 0; i < k; i++)
		squares += (head[i] - base[i] - sum / k) * (head[i] - base[i] - sum / k);
	return squares / (k - 1);
}

static double dispersion(const FlipInput *input, gboolean around_mean)
{
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint f = 0; f < input->functions; f++) {
		double s1, s2;
		moments(input, f, &s1, &s2);
		double ratio = mean_square(input, f, s2, around_mean) / s1;
		if (s1 >= DISPERSION_MIN_COST)
			g_array_append_val(ratios, ratio);
	}
	if (ratios->len == 0)
		return 1 / DISPERSION_BIAS;
	double median = order_median((const double *)ratios->data, ratios->len);
	return MAX(median / DISPERSION_BIAS, DISPERSION_FLOOR);
}

double flip_dispersion(const FlipInput *input)
{
	return dispersion(input, FALSE);
}

double flip_interval_dispersion(const FlipInput *input)
{
	double around_zero = dispersion(input, FALSE);
	return input->rounds < 2 ? around_zero : MIN(around_zero, 2 * dispersion(input, TRUE));
}

/* One direction of the test while sign vectors are counted.
 *
 * T is a rising function of the correlation R = M sqrt(k / (d0 v0 + S2)), -1 < R < 1, the same one for every function:
 * T = sqrt(d0 + k - 1) R / sqrt(1 - R^2). So vectors are compared by R, which needs additions only. The functions come
 * from the smallest observed statistic to the largest, each with all vectors, while `largest` holds the maximum so far.
 */
typedef struct {
	double sign;       /* +1 regressions, -1 improvements */
	double *observed;  /* per function: its statistic in this direction */
	guint *order;      /* functions by falling observed statistic */
	guint *reached;    /* per function: vectors whose own R is as large */
	guint *reached_by; /* per function: vectors whose largest R of this and all smaller ones is as large */
	double *largest;   /* per vector */
} Direction;

static gint compare_observed(gconstpointer a, gconstpointer b, gpointer data)
{
	const double *observed = data;
	guint x = *(const guint *)a, y = *(const guint *)b;
	if (observed[x] != observed[y])
		return observed[x] > observed[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/* sqrt(d0 v0 + S2), which flips do not change. */
static double norm_of(const FlipTest *test, guint f)
{
	return sqrt(FLIP_PRIOR_ROUNDS * test->v0[f] + test->s2[f]);
}

/* The statistic T of a mean difference whose variance is that around `mean`. */
static double statistic_of(const FlipTest *test, guint f, double difference, double mean)
{
	guint k = test->rounds;
	double left = FLIP_PRIOR_ROUNDS * test->v0[f] + test->s2[f] - k * mean * mean;
	return sqrt(k) * difference / sqrt(left / (FLIP_PRIOR_ROUNDS + k - 1));
}

static guint whole_blocks(guint vectors)
{
	return (vectors + BLOCK - 1) / BLOCK * BLOCK;
}

static void direction_init(Direction *direction, const FlipTest *test, const double *margins, double sign)
{
	guint n = test->functions;
	*direction = (Direction){sign, g_new(double, n), g_new(guint, n), g_new0(guint, n), g_new0(guint, n),
	        g_new0(double, whole_blocks(test->flips))};
	for (guint f = 0; f < n; f++) {
		double margin = margins != NULL ? margins[f] : 0;
		direction->observed[f] = statistic_of(test, f, sign * test->mean[f] - margin, test->mean[f]);
		direction->order[f] = f;
	}
	for (guint w = 0; w < whole_blocks(test->flips); w++)
		direction->largest[w] = NO_VECTOR;
	g_qsort_with_data(direction->order, (gint)n, sizeof(guint), compare_observed, direction->observed);
}

/* The R that a flipped T has to reach, given as T; a little lower than R itself, for ties. */
static double threshold_of(const FlipTest *test, double t)
{
	double with_slack = t - TIE_SLACK * MAX(1, fabs(t)), df = FLIP_PRIOR_ROUNDS + test->rounds - 1;
	return MIN(with_slack / sqrt(df + with_slack * with_slack), t / sqrt(df + t * t) - ROUNDING_SLACK);
}

static double statistic_of_correlation(const FlipTest *test, double r)
{
	return sqrt(FLIP_PRIOR_ROUNDS + test->rounds - 1) * r / sqrt(1 - r * r);
}

/* All sums of n <= FLIP_GROUP numbers with signs: table[bits], bit i set = minus x[i]; added in the order of i. */
static void fill_table(double *table, const double *x, guint n)
{
	table[0] = 0;
	for (guint i = 0; i < n; i++)
		for (guint bits = 0; bits < 1U << i; bits++) {
			table[bits | 1U << i] = table[bits] - x[i];
			table[bits] += x[i];
		}
}

/* One table for each group of rounds of function f, in units of R. */
static void fill_tables(double *tables, const FlipTest *test, guint f, double sign)
{
	double scale = sign / (sqrt(test->rounds) * norm_of(test, f)), x[FLIP_GROUP];
	for (guint first = 0; first < test->rounds; first += FLIP_GROUP) {
		guint n = MIN(FLIP_GROUP, test->rounds - first);
		for (guint i = 0; i < n; i++)
			x[i] = scale * test->difference[(gsize)(first + i) * test->functions + f];
		fill_table(tables + (gsize)first / FLIP_GROUP * TABLE_SIZE, x, n);
	}
}

/* The parts of the sums of one function: a table for each group of rounds, and which entries a vector takes. */
typedef struct {
	double *tables;
	const SignVectors *signs;
} FunctionSums;

/* R of `n` vectors from `first` on: the sums of their groups, added in the order of groups. What is left of the block
 * is out of the way of every threshold. */
static void sum_block(const FunctionSums *sums, guint first, guint n, double *restrict r)
{
	const guint8 *minus = sums->signs->minus + first;
	const double *table = sums->tables;
	for (guint w = 0; w < n; w++)
		r[w] = table[minus[w]];
	for (guint group = 1; group < sums->signs->groups; group++) {
		minus += sums->signs->vectors;
		table += TABLE_SIZE;
		for (guint w = 0; w < n; w++)
			r[w] += table[minus[w]];
	}
	for (guint w = n; w < BLOCK; w++)
		r[w] = NO_VECTOR;
}

/* Loops over whole blocks, and counts in doubles of several lanes, because compilers make vector instructions of that.
 */
static guint count_reached(const double *r, double threshold)
{
	double reached[LANES] = {0}, sum = 0;
	for (guint w = 0; w < BLOCK; w += LANES)
		for (guint lane = 0; lane < LANES; lane++)
			reached[lane] += r[w + lane] >= threshold ? 1 : 0;
	for (guint lane = 0; lane < LANES; lane++)
		sum += reached[lane];
	return (guint)sum;
}

static void raise_largest(double *restrict largest, const double *restrict r)
{
	for (guint w = 0; w < BLOCK; w++)
		largest[w] = r[w] > largest[w] ? r[w] : largest[w];
}

static void direction_count(Direction *direction, const FlipTest *test, const SignVectors *signs)
{
	g_autofree double *tables = g_new0(double, (gsize)signs->groups *TABLE_SIZE);
	FunctionSums sums = {tables, signs};
	double r[BLOCK];
	for (guint j = test->functions; j > 0; j--) {
		guint f = direction->order[j - 1];
		double threshold = threshold_of(test, direction->observed[f]);
		fill_tables(tables, test, f, direction->sign);
		for (guint first = 0; first < signs->vectors; first += BLOCK) {
			double *largest = direction->largest + first;
			sum_block(&sums, first, MIN(BLOCK, signs->vectors - first), r);
			raise_largest(largest, r);
			direction->reached[f] += count_reached(r, threshold);
			direction->reached_by[f] += count_reached(largest, threshold);
		}
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
	g_free(direction->observed);
	g_free(direction->order);
	g_free(direction->reached);
	g_free(direction->reached_by);
	g_free(direction->largest);
}

void flip_test_statistics(const FlipTest *test, const guint64 *signs, double *t)
{
	guint n = test->functions, k = test->rounds;
	for (guint f = 0; f < n; f++) {
		double sum = 0;
		for (guint i = 0; i < k; i++) {
			double difference = test->difference[(gsize)i * n + f];
			sum += (signs[i / 64] >> (i % 64)) & 1 ? -difference : difference;
		}
		t[f] = statistic_of(test, f, sum / k, sum / k);
	}
}

/* The 95 % quantile of the largest |T| of a vector. Spends what `up` has. */
static double multiplier_of(const FlipTest *test, Direction *up, const Direction *down)
{
	if (test->functions == 0)
		return 0;
	for (guint first = 0; first < test->flips; first += BLOCK)
		raise_largest(up->largest + first, down->largest + first);
	guint rank = (guint)ceil(.95 * (test->flips - 1));
	return statistic_of_correlation(test, order_select(up->largest, test->flips, rank));
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
	test->t[f] = statistic_of(test, f, test->mean[f], test->mean[f]);
}

static void run_flips(FlipTest *test, const FlipInput *input, const SignVectors *signs)
{
	Direction up, down;
	direction_init(&up, test, input->margins, 1);
	direction_init(&down, test, input->margins, -1);
	direction_count(&up, test, signs);
	direction_count(&down, test, signs);
	test->multiplier = multiplier_of(test, &up, &down);
	direction_finish(&up, test, test->p_value, test->p_adjusted);
	direction_finish(&down, test, test->p_value_improvement, test->p_adjusted_improvement);
}

FlipTest *flip_test_new(const FlipInput *input)
{
	g_assert(input->rounds > 0);
	g_autoptr(SignVectors) signs = sign_vectors_new(input->rounds);
	FlipTest *test = g_new0(FlipTest, 1);
	test->functions = input->functions;
	test->rounds = input->rounds;
	test->flips = signs->vectors;
	test->phi = input->phi;
	test->difference = g_new0(double, (gsize)input->functions * input->rounds);
	test_alloc(test, input->functions);
	for (guint f = 0; f < input->functions; f++)
		fill_function(test, input, f);
	run_flips(test, input, signs);
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
