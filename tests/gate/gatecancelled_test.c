/* SPDX-License-Identifier: Apache-2.0 */
/* A check that is cancelled. A signal that has arrived stays, so this program has one test. */
#include "gate/gate.h"

#include "core/cancel.h"
#include "tests/gate/fixture/gatefixture.h"

#include <signal.h>

static void interrupt(FakeRun *run)
{
	if (run->number == 4)
		raise(SIGINT);
}

static void a_cancelled_check_ends_with_the_signal(void **state)
{
	GateFixture *f = *state;
	cancel_install();
	fake_host.on_run = interrupt;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other}\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 128 + SIGINT, "cancelled");
	assert_int_equal(f->result->benchmarks->len, 1);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_cancelled_check_ends_with_the_signal),
	};
	return run_gate_tests(tests);
}
