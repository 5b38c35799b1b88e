/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of doubles in full precision: cmocka's own goes through float. NaN is near nothing. */
#pragma once

#include <math.h>

#define assert_near(value, wanted, tolerance)                                                                          \
	do {                                                                                                           \
		double near_value = (value), near_wanted = (wanted);                                                   \
		if (!(fabs(near_value - near_wanted) <= (tolerance)))                                                  \
			print_error("%s is %.17g, wanted %.17g\n", #value, near_value, near_wanted);                   \
		assert_true(fabs(near_value - near_wanted) <= (tolerance));                                            \
	} while (0)
