/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediffspread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* main;leaf with the costs of `leaf` per run, and `own` of main in all of them. */
static Profile *profile_of(const guint64 *leaf, guint runs, guint64 own)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "", "counts");
	StackId outer = stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, "main", NULL, FRAME_USER));
	StackId inner = stack_table_push(table, outer, stack_table_frame_named(table, "leaf", NULL, FRAME_USER));
	for (guint run = 0; run < runs; run++) {
		profile_add_run(profile);
		profile_add(profile, run, outer, (ProfileCell){own, own});
		profile_add(profile, run, inner, (ProfileCell){leaf[run], leaf[run]});
	}
	return profile;
}

/* Mean 30, standard deviation sqrt(250), t = 2.776445 with 4 degrees of freedom. */
static void half_an_interval_is_that_of_students_t(void **state)
{
	(void)state;
	static const guint64 costs[] = {10, 20, 30, 40, 50};
	g_autoptr(Profile) profile = profile_of(costs, 5, 1000000);
	g_autofree double *spread = flame_spread_new(profile, 0), *per_work = flame_spread_new(profile, 4);
	double wanted = 2.776445105 * sqrt(250. / 5);
	for (guint stack = 0; stack < 3; stack++) {
		assert_float_equal(spread[stack], wanted, 1e-6); /* what is constant adds nothing */
		assert_float_equal(per_work[stack], wanted / 4, 1e-6);
	}
}

static void runs_that_agree_have_no_spread(void **state)
{
	(void)state;
	static const guint64 costs[] = {7, 7, 7, 7, 7, 7};
	g_autoptr(Profile) profile = profile_of(costs, 6, 3);
	g_autofree double *spread = flame_spread_new(profile, 1);
	assert_true(spread[0] == 0 && spread[2] == 0);
}

static void few_runs_have_no_interval(void **state)
{
	(void)state;
	static const guint64 costs[] = {10, 20, 30, 40};
	g_autoptr(Profile) profile = profile_of(costs, 4, 0);
	assert_null(flame_spread_new(profile, 1));
	assert_null(flame_spread_new(NULL, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(half_an_interval_is_that_of_students_t),
	        cmocka_unit_test(runs_that_agree_have_no_spread),
	        cmocka_unit_test(few_runs_have_no_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
