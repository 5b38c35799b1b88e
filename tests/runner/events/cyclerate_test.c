/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/cyclerate.h"

#include "runner/events/countercost.h"
#include "runner/events/perfevent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* From a small embedded core to an overclocked one, with half of the time stolen. */
static void a_cpu_has_some_cycles_per_ns_or_counts_none(void **state)
{
	(void)state;
	double rate = cycle_rate_per_ns();
	assert_true(rate == 0 || (rate > .1 && rate < 10));
}

/* They are opened alike: where there is one, there is the other. */
static void counters_that_are_there_take_time_to_start(void **state)
{
	(void)state;
	assert_int_equal(counter_switch_ns() > 0, cycle_rate_per_ns() > 0);
}

static void the_rate_is_one_of_what_the_machine_can(void **state)
{
	(void)state;
	PerfAbilities abilities = {0};
	g_autoptr(FindingList) findings = finding_list_new();
	if (!perf_probe(&abilities, findings, NULL))
		skip();
	assert_int_equal(abilities.hardware, abilities.cycles_per_ns > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_cpu_has_some_cycles_per_ns_or_counts_none),
	        cmocka_unit_test(counters_that_are_there_take_time_to_start),
	        cmocka_unit_test(the_rate_is_one_of_what_the_machine_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
