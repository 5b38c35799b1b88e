/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/cyclerate.h"

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
	PerfAbilities abilities = {0};
	g_autoptr(FindingList) findings = finding_list_new();
	double rate = cycle_rate_per_ns();
	if (!perf_probe(&abilities, findings, NULL) || !abilities.hardware) {
		assert_true(rate == 0);
		return;
	}
	assert_true(rate > .2 && rate < 10);
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
	        cmocka_unit_test(the_rate_is_one_of_what_the_machine_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
