#include "compare/special.h"

#include <math.h>

#define MAX_TERMS 300
#define TINY 1e-300

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

double student_upper_tail(double t, double df)
{
	double tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t));
	return t >= 0 ? tail : 1 - tail;
}

double student_upper_quantile(double p, double df)
{
	double low = 0, high = 1e4;
	if (isnan(p) || isnan(df))
		return NAN;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		if (student_upper_tail(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
