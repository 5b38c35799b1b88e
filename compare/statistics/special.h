/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution and the normal one, which it tends to: the only special functions that the statistics need.
 *
 * The tail goes through the regularised incomplete beta function, evaluated by its continued fraction (modified Lentz
 * method; Abramowitz and Stegun 26.5.8 and 26.7.1); relative accuracy is about 1e-10. Degrees of freedom may be any
 * positive number. NaN in gives NaN out. */
#pragma once

#include <glib.h>

/* I_x(a, b) for a, b > 0 and 0 <= x <= 1. */
double incomplete_beta(double a, double b, double x);
/* P(T > t) with `df` degrees of freedom. */
double student_upper_tail(double t, double df);
/* The t with P(T > t) = p, for 0 < p <= .5, by Newton's method. */
double student_upper_quantile(double p, double df);
/* The same for the normal distribution: the limit for many degrees of freedom. */
double normal_upper_quantile(double p);
