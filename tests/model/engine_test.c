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
	assert_false(engine_is(NULL, &engine_perf));
}

static void only_callgrind_counts(void **state)
{
	(void)state;
	assert_true(engine_counts("callgrind"));
	assert_false(engine_counts("perf") || engine_counts("benchmark"));
	assert_false(engine_counts("dhat") || engine_counts(NULL));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_engine_is_found_by_its_name),
	        cmocka_unit_test(another_name_and_none_are_no_engine),
	        cmocka_unit_test(only_callgrind_counts),
	        cmocka_unit_test(the_choices_are_the_engines_that_a_benchmark_may_ask_for),
	        cmocka_unit_test(counts_are_of_the_engine_that_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
