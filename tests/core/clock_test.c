/* SPDX-License-Identifier: Apache-2.0 */
#include "core/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void it_is_the_monotonic_clock_in_nanoseconds(void **state)
{
	(void)state;
	gint64 before_us = g_get_monotonic_time(), now_ns = clock_now_ns(), after_us = g_get_monotonic_time();
	assert_true(before_us * 1000 <= now_ns);
	assert_true(now_ns < (after_us + 1) * 1000);
}

static void a_sleeping_thread_uses_no_time(void **state)
{
	(void)state;
	gint64 before_ns = clock_thread_ns();
	g_usleep(200000);
	assert_in_range(clock_thread_ns() - before_ns, 0, 100000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(it_is_the_monotonic_clock_in_nanoseconds),
	        cmocka_unit_test(a_sleeping_thread_uses_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
