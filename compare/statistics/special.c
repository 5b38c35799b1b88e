/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/special.h"

#include <math.h>

#define MAX_TERMS 300
#define TINY 1e-300
#define MAX_STEPS 300
#define STEP_SLACK 1e-14

/* Thompson and Barnett (1986) replace a 0, by which Lentz's recurrence would divide, by a tiny number; the next factor
 * makes up for it. */
static double not_zero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* One step of the Lentz recurrence with coefficient `a`; returns the factor by which the fraction changes. */
static double lentz_step(double a, double *c, double *d)
{
	*d = 1 / not_zero(1 + a * *d);
	*c = not_zero(1 + a / *c);
	return *c * *d;
}

/* The continued fraction of DLMF 8.17.22, two of its terms at a time. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double fraction = d;
	for (int m = 1; m <= MAX_TERMS; m++) {
		fraction *= lentz_step(m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m)), &c, &d);
		double factor = lentz_step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m)), &c, &d);
		fraction *= factor;
		if (fabs(factor - 1) < 1e-15)
			break;
	}
	return fraction;
}

double incomplete_beta(double a, double b, double x)
{
	if (x <= 0 || x >= 1 || isnan(x))
		return isnan(x) ? x : x >= 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* The fraction converges fast only on its side of the mean. */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The distribution of Student's t is half an incomplete beta function on either side of 0 (Abramowitz and Stegun
 * 26.7.1). */
double student_upper_tail(double t, double df)
{
	double tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t));
	return t >= 0 ? tail : 1 - tail;
}

static double student_density(double t, double df)
{
	double log_scale = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * G_PI) / 2;
	return exp(log_scale - (df + 1) / 2 * log1p(t * t / df));
}

/* One step of Newton's method from below. The tail of a density that falls is convex, so no step goes too far: what is
 * not a step up any more is the end. */
static gboolean step_up(double *t, double tail, double p, double density)
{
	double step = (tail - p) / density;
	if (!(step > STEP_SLACK * (1 + *t)))
		return FALSE;
	*t += step;
	return TRUE;
}

double student_upper_quantile(double p, double df)
{
	double t = 0;
	if (isnan(p) || isnan(df))
		return NAN;
	for (int i = 0; i < MAX_STEPS; i++)
		if (!step_up(&t, student_upper_tail(t, df), p, student_density(t, df)))
			break;
	return t;
}

double normal_upper_quantile(double p)
{
	double z = 0;
	if (isnan(p))
		return NAN;
	for (int i = 0; i < MAX_STEPS; i++)
		if (!step_up(&z, erfc(z / G_SQRT2) / 2, p, exp(-z * z / 2) / sqrt(2 * G_PI)))
			break;
	return z;
}
