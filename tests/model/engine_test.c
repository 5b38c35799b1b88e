/* SPDX-License-Identifier: Apache-2.0 */
/* The table of engines: what their names are, and what is true of each. */
#include "model/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_engine_is_found_by_its_name(void **state)
{
	(void)state;
	assert_ptr_equal(engine_find("perf"), &engine_perf);
	assert_ptr_equal(engine_find("callgrind"), &engine_callgrind);
	assert_ptr_equal(engine_find("benchmark"), &engine_benchmark);
}

static void another_name_and_none_are_no_engine(void **state)
{
	(void)state;
	assert_null(engine_find("dhat"));
	assert_null(engine_find(""));
	assert_null(engine_find(NULL));
}

static void only_callgrind_counts(void **state)
{
	(void)state;
	assert_true(engine_counts(&engine_callgrind));
	assert_false(engine_counts(&engine_perf) || engine_counts(&engine_benchmark) || engine_counts(NULL));
}

static void the_choices_are_the_engines_that_a_benchmark_may_ask_for(void **state)
{
	(void)state;
	for (guint i = 0; i < ENGINE_CHOICES; i++)
		assert_true(engine_find(engine_choices[i])->is_a_choice);
	assert_string_equal(engine_choices[0], "perf");
	assert_null(engine_choices[ENGINE_CHOICES]);
	assert_false(engine_benchmark.is_a_choice);
}

static void counts_are_of_the_engine_that_counts(void **state)
{
	(void)state;
	assert_true(engine_that(TRUE)->is_counted);
	assert_false(engine_that(FALSE)->is_counted);
}

static void the_rows_that_a_benchmark_may_ask_for_come_first(void **state)
{
	(void)state;
	for (guint i = 0; i < ENGINES; i++) {
		const Engine *engine = engine_row(i);
		assert_true(engine->is_a_choice == (i < ENGINE_CHOICES));
		if (i < ENGINE_CHOICES)
			assert_string_equal(engine->name, engine_choices[i]);
	}
}

static void engines_are_ordered_by_their_names_after_none(void **state)
{
	(void)state;
	assert_true(engine_order(&engine_benchmark, &engine_callgrind) < 0);
	assert_true(engine_order(&engine_perf, &engine_callgrind) > 0);
	assert_true(engine_order(NULL, &engine_benchmark) < 0);
	assert_int_equal(engine_order(&engine_perf, &engine_perf), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_engine_is_found_by_its_name),
	        cmocka_unit_test(another_name_and_none_are_no_engine),
	        cmocka_unit_test(only_callgrind_counts),
	        cmocka_unit_test(the_choices_are_the_engines_that_a_benchmark_may_ask_for),
	        cmocka_unit_test(the_rows_that_a_benchmark_may_ask_for_come_first),
	        cmocka_unit_test(engines_are_ordered_by_their_names_after_none),
	        cmocka_unit_test(counts_are_of_the_engine_that_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
