#include "runner/frameworks/calibration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void iterations_are_round_numbers(void **state)
{
	(void)state;
	assert_int_equal(framework_round(0), 1);
	assert_int_equal(framework_round(4999), 2000);
	assert_int_equal(framework_round(5000), 5000);
	assert_int_equal(framework_round(1e12), 1000000000);
}

static void samples_follow_the_CPU_time_that_they_used(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, 2e8, 1e9, 7e8) == 3500);
	assert_true(framework_samples(1000, 7e8, 1e9, 2e8) < 1000);
}

/* On a busy machine a run of few samples takes no longer than one of very few. */
static void samples_that_say_little_are_not_multiplied_by_much(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, -1e6, 1e9, 7e8) == 5000);
	assert_true(framework_samples(1000, 1, 1e9, 7e8) == 5000);
	assert_true(framework_samples(500000, 0, 1e9, 7e8) == 1000000);
	assert_true(framework_samples(20, 7e8, 1e9, 1) == 10);
}

static void a_run_that_is_long_by_the_wall_gets_no_longer(void **state)
{
	(void)state;
	assert_true(framework_samples(1000, 1e8, 3e9, 7e8) == 2000);
	assert_true(framework_samples(1000, 1e8, 12e9, 7e8) == 500);
}

/* Of a program whose start takes long the next probe may do many more; one whose iterations take long, a few. */
static void probes_are_bounded_by_what_the_last_one_took(void **state)
{
	(void)state;
	assert_int_equal(framework_next_iterations(3, 1e6, 0, 2e9), 300);
	assert_int_equal(framework_next_iterations(3, 3e8, 0, 2e9), 20);
	assert_int_equal(framework_next_iterations(3, 5e9, 0, 2e9), 6);
	assert_int_equal(framework_next_iterations(6, 0, 1e9, 2e9), 545);
	assert_int_equal(framework_next_iterations(500000000, 1e6, 0, 2e9), 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(iterations_are_round_numbers),
	        cmocka_unit_test(samples_follow_the_CPU_time_that_they_used),
	        cmocka_unit_test(samples_that_say_little_are_not_multiplied_by_much),
	        cmocka_unit_test(a_run_that_is_long_by_the_wall_gets_no_longer),
	        cmocka_unit_test(probes_are_bounded_by_what_the_last_one_took),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
