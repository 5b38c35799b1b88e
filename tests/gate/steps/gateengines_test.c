/* SPDX-License-Identifier: Apache-2.0 */
/* A check asks a machine only for what the engines of its benchmarks need. */
#include "gate/steps/gateengines.h"

#include "tests/gate/fixture/gatefixture.h"

static const CheckResult *check(GateFixture *f, const char *config)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static void counting_needs_no_perf_events(void **state)
{
	fake_host.no_perf = "perf events are closed";
	assert_ends(check(*state, COUNTED), 0, "");
}

static void timing_needs_no_valgrind(void **state)
{
	fake_host.no_valgrind = "valgrind is not installed";
	assert_ends(check(*state, TIMED), 0, "");
}

static void timing_needs_perf_events(void **state)
{
	fake_host.no_perf = "perf events are closed";
	assert_ends(check(*state, TIMED), 8, "environment_unsupported");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

static void counting_needs_valgrind(void **state)
{
	fake_host.no_valgrind = "valgrind is not installed";
	assert_ends(check(*state, COUNTED), 8, "environment_unsupported");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

static void both_need_either(void **state)
{
	fake_host.no_valgrind = "valgrind is not installed";
	assert_ends(check(*state, BOTH), 8, "environment_unsupported");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

static void findings_about_perf_are_only_of_checks_that_use_it(void **state)
{
	GateFixture *f = *state;
	assert_not_found(check(f, COUNTED), "no_hardware_counters");
	f->request.head = "main";
	gate_fixture_put(f, "firebreak.yml", BOTH);
	gate_fixture_commit(f, "both");
	f->request.base = "main";
	found(gate_fixture_check(f), "no_hardware_counters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(counting_needs_no_perf_events),
	        GATE_TEST(timing_needs_no_valgrind),
	        GATE_TEST(timing_needs_perf_events),
	        GATE_TEST(counting_needs_valgrind),
	        GATE_TEST(both_need_either),
	        GATE_TEST(findings_about_perf_are_only_of_checks_that_use_it),
	};
	return run_gate_tests(tests);
}
