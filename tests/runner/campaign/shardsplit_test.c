/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/shardsplit.h"

#include "core/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* "1 2 2 1": the shard of each benchmark. Owned by the caller. */
static char *split(const double *costs_s, guint n, guint total)
{
	g_autofree guint *shards = shard_split(costs_s, n, total);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, i > 0 ? " %u" : "%u", shards[i]);
	return g_string_free(text, FALSE);
}

static void assert_split(const double *costs_s, guint n, guint total, const char *wanted)
{
	g_autofree char *got = split(costs_s, n, total);
	assert_string_equal(got, wanted);
}

static void the_most_expensive_benchmarks_are_spread_first(void **state)
{
	(void)state;
	assert_split((double[]){10, 60, 20, 50}, 4, 2, "1 1 2 2");
}

static void equal_costs_are_dealt_in_turn(void **state)
{
	(void)state;
	assert_split((double[]){5, 5, 5, 5, 5}, 5, 2, "1 2 1 2 1");
}

static void unknown_costs_count_as_the_mean_of_the_known_ones(void **state)
{
	(void)state;
	/* the mean is 20, so the unknown one goes beside the 10 */
	assert_split((double[]){30, 0, 10}, 3, 2, "1 2 2");
	assert_split((double[]){30, NAN, 10}, 3, 2, "1 2 2");
	assert_split((double[]){30, INFINITY, 10}, 3, 2, "1 2 2");
}

static void without_any_cost_all_count_the_same(void **state)
{
	(void)state;
	assert_split((double[]){0, NAN, -1}, 3, 3, "1 2 3");
}

static void one_shard_has_everything(void **state)
{
	(void)state;
	assert_split((double[]){3, 1, 2}, 3, 1, "1 1 1");
}

static void no_shard_is_empty_while_there_are_benchmarks_enough(void **state)
{
	(void)state;
	const double costs_s[] = {1e6, 1e-6, 1e-6, 1e-6, 1e-6};
	for (guint total = 1; total <= G_N_ELEMENTS(costs_s); total++) {
		g_autofree guint *shards = shard_split(costs_s, G_N_ELEMENTS(costs_s), total);
		guint64 seen = 0;
		for (guint i = 0; i < G_N_ELEMENTS(costs_s); i++)
			seen |= (guint64)1 << shards[i];
		assert_int_equal(seen, (((guint64)1 << total) - 1) << 1);
	}
}

static void more_shards_than_benchmarks_leave_some_empty(void **state)
{
	(void)state;
	assert_split((double[]){1, 2}, 2, 5, "2 1");
}

static void no_shard_has_more_than_a_third_beyond_the_best_split(void **state)
{
	(void)state;
	/* the best split is 9 and 9; this one is 10 and 8 */
	const double costs_s[] = {5, 4, 3, 3, 3};
	g_autofree guint *shards = shard_split(costs_s, G_N_ELEMENTS(costs_s), 2);
	double loads_s[3] = {0};
	for (guint i = 0; i < G_N_ELEMENTS(costs_s); i++)
		loads_s[shards[i]] += costs_s[i];
	assert_true(MAX(loads_s[1], loads_s[2]) <= 9. * 4 / 3);
	assert_true(loads_s[1] + loads_s[2] == 18);
}

static void a_shard_is_read_from_its_text(void **state)
{
	(void)state;
	Shard shard = {0};
	assert_true(shard_parse("2/4", &shard, NULL));
	assert_int_equal(shard.index, 2);
	assert_int_equal(shard.total, 4);
	assert_true(shard_parse("1000/1000", &shard, NULL));
}

static void what_is_no_shard_is_a_usage_error(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "1/2/3", "1 /2", "1/1001",
	        "a/b", "1.0/2", "+1/2", "1/0"};
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		Shard shard = {7, 9};
		g_autoptr(GError) error = NULL;
		assert_false(shard_parse(wrong[i], &shard, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
		assert_int_equal(shard.index, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_most_expensive_benchmarks_are_spread_first),
	        cmocka_unit_test(equal_costs_are_dealt_in_turn),
	        cmocka_unit_test(unknown_costs_count_as_the_mean_of_the_known_ones),
	        cmocka_unit_test(without_any_cost_all_count_the_same),
	        cmocka_unit_test(one_shard_has_everything),
	        cmocka_unit_test(no_shard_is_empty_while_there_are_benchmarks_enough),
	        cmocka_unit_test(more_shards_than_benchmarks_leave_some_empty),
	        cmocka_unit_test(no_shard_has_more_than_a_third_beyond_the_best_split),
	        cmocka_unit_test(a_shard_is_read_from_its_text),
	        cmocka_unit_test(what_is_no_shard_is_a_usage_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
