/* SPDX-License-Identifier: Apache-2.0 */
/* The median of the numbers of which there are few: of runs, and of what a campaign foretells along the way. */
#pragma once

#include <glib.h>

/* Median over the finite ones of `values` (of double), NaN if there is none. */
double median_of(const GArray *values);
