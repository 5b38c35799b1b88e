/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/shardjson.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char *text_of(const ShardSet *shards)
{
	json_auto_t *object = shards_json(shards);
	return json_dump_text(object, NULL);
}

/* The set that comes back from its text. Owned by the caller. */
static ShardSet *read_again(const ShardSet *shards)
{
	json_auto_t *object = shards_json(shards);
	return shards_read(object);
}

/* One that has not been joined. */
static ShardSet *one_shard(void)
{
	ShardSet *shards = shard_set_new(4);
	ShardPart *part = shard_set_add(shards, 2);
	g_ptr_array_add(shards->benchmarks, g_strdup("a"));
	g_ptr_array_add(shards->benchmarks, g_strdup("b\xff\\x41"));
	g_ptr_array_add(part->benchmarks, g_strdup("b\xff\\x41"));
	part->machine = environment_new();
	environment_set(part->machine, "compiler", METRIC_DETERMINISTIC, "gcc");
	environment_set(part->machine, "cpu_model", METRIC_REPLICABLE, "Model");
	return shards;
}

static void a_set_that_is_read_and_written_is_the_same(void **state)
{
	(void)state;
	g_autoptr(ShardSet) shards = one_shard(), again = read_again(shards);
	g_autofree char *first = text_of(shards), *second = text_of(again);
	assert_string_equal(first, second);
	assert_int_equal(again->total, 4);
	assert_string_equal(again->benchmarks->pdata[1], "b\xff\\x41");
}

static void fields_keep_how_strictly_they_must_be_equal(void **state)
{
	(void)state;
	g_autoptr(ShardSet) shards = one_shard(), again = read_again(shards);
	const ShardPart *part = shard_set_single(again);
	g_autofree char *before = environment_fingerprint(shard_set_single(shards)->machine, METRIC_DETERMINISTIC);
	g_autofree char *after = environment_fingerprint(part->machine, METRIC_DETERMINISTIC);
	assert_string_equal(before, after);
	g_autofree char *loose = environment_fingerprint(part->machine, METRIC_REPLICABLE);
	assert_string_not_equal(after, loose);
}

static void what_was_joined_comes_back_as_that(void **state)
{
	(void)state;
	g_autoptr(ShardSet) shards = one_shard();
	ShardPart *part = shards->parts->pdata[0];
	part->exit_code = 0;
	part->seed = G_MAXUINT64;
	part->elapsed_s = 1.5;
	g_autoptr(ShardSet) again = read_again(shards);
	assert_null(shard_set_single(again));
	part = again->parts->pdata[0];
	assert_int_equal(part->exit_code, 0);
	assert_true(part->seed == G_MAXUINT64);
	assert_true(part->elapsed_s == 1.5);
}

static void a_machine_that_was_not_looked_at_stays_unknown(void **state)
{
	(void)state;
	g_autoptr(ShardSet) shards = shard_set_new(2);
	shard_set_add(shards, 1);
	g_autoptr(ShardSet) again = read_again(shards);
	assert_non_null(shard_set_single(again));
	assert_null(shard_set_single(again)->machine);
	assert_true(isnan(shard_set_single(again)->elapsed_s));
}

static void a_check_that_was_not_split_has_none(void **state)
{
	(void)state;
	assert_null(shards_read(NULL));
	assert_null(read_again(NULL));
}

static void nonsense_is_read_without_harm(void **state)
{
	(void)state;
	static const char text[] =
	        "{\"total\": -3, \"benchmarks\": 7, \"parts\": [1, {\"index\": \"x\", \"benchmarks\": [2], "
	        "\"machine\": [], \"toolchain\": {\"compiler\": 4}, \"exit_code\": 1e99, \"seed\": {}}]}";
	json_auto_t *object = json_load_text(text, sizeof text - 1, "text", NULL);
	assert_non_null(object);
	g_autoptr(ShardSet) shards = shards_read(object);
	assert_int_equal(shards->total, 0);
	assert_int_equal(shards->benchmarks->len, 0);
	assert_int_equal(shards->parts->len, 2);
	assert_int_equal(((const ShardPart *)shards->parts->pdata[1])->index, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_set_that_is_read_and_written_is_the_same),
	        cmocka_unit_test(fields_keep_how_strictly_they_must_be_equal),
	        cmocka_unit_test(what_was_joined_comes_back_as_that),
	        cmocka_unit_test(a_machine_that_was_not_looked_at_stays_unknown),
	        cmocka_unit_test(a_check_that_was_not_split_has_none),
	        cmocka_unit_test(nonsense_is_read_without_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
