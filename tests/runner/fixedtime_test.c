/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/fixedtime.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void half_the_CPU_time_in_the_same_time_is_work_for_a_fixed_time(void **state)
{
	static const struct {
		double cpu, wall;
		gboolean fixed;
	} rows[] = {
	        {.5, 1, TRUE},
	        {.65, 1.1, TRUE},
	        {.7, 1.4, TRUE}, /* 40 % of the run are other work */
	        {.8, 1.6, TRUE},
	        {.75, 1, TRUE}, /* on a CPU that two others use, too */
	        {1, 2, FALSE},  /* a fixed amount of work */
	        {1.1, 2.3, FALSE},
	        {.9, 1.8, FALSE}, /* the same, after a run that was cold */
	        {.5, .5, FALSE},  /* less work, done sooner */
	        {1, 1, FALSE},    /* it waits, or has a CPU of its own */
	        {NAN, 1, FALSE},
	        {.5, NAN, FALSE},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		print_message("%g %g\n", rows[i].cpu, rows[i].wall);
		assert_int_equal(fixed_time_of_wall(rows[i].cpu, rows[i].wall), rows[i].fixed);
	}
}

static void half_as_much_again_with_slow_clocks_is_work_for_a_fixed_CPU_time(void **state)
{
	(void)state;
	assert_true(fixed_time_of_cpu(4));
	assert_true(fixed_time_of_cpu(1.5)); /* one sixth of the run */
	assert_false(fixed_time_of_cpu(1.4));
	assert_false(fixed_time_of_cpu(1));
	assert_false(fixed_time_of_cpu(NAN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(half_the_CPU_time_in_the_same_time_is_work_for_a_fixed_time),
	        cmocka_unit_test(half_as_much_again_with_slow_clocks_is_work_for_a_fixed_CPU_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
