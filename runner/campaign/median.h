/* The median of a few numbers, for what a campaign foretells and compares along the way. */
#pragma once

#include <glib.h>

/* Median over the finite ones of `values` (of double), NaN if there is none. */
double median_of(const GArray *values);
