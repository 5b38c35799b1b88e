/* SPDX-License-Identifier: Apache-2.0 */
/* Advice where counts cannot tell. */
#include "gate/counted/gatecountedadvice.h"

#include "tests/gate/fixture/gatefixture.h"

static const CheckResult *check_equal(GateFixture *f, const char *costs)
{
	gate_fixture_base(f, COUNTED, costs);
	gate_fixture_put(f, "note", "head");
	gate_fixture_commit(f, "head");
	return gate_fixture_check(f);
}

static void scatter(FakeRun *run)
{
	run->factor = 1 + .01 * (run->number % 3);
}

static void functions_that_do_not_repeat_are_named(void **state)
{
	fake_host.on_run = scatter;
	assert_says(found(check_equal(*state, COSTS), "counts_differ")->text, "sort");
}

static void functions_that_repeat_are_not_told(void **state)
{
	assert_not_found(check_equal(*state, COSTS), "counts_differ");
}

static void base_against_base_says_that_counts_repeat(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	assert_ends(check_equal(f, COSTS), 0, "");
	found(f->result, "counts_repeat");
	assert_int_equal(stored_baselines(f, "base"), 0);
}

static void base_against_base_says_what_does_not_repeat(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = scatter;
	f->request.mode = CHECK_CALIBRATE;
	check_equal(f, COSTS);
	assert_not_found(f->result, "counts_repeat");
	found(f->result, "counts_differ");
}

static void a_run_that_takes_long_is_told(void **state)
{
	found(check_equal(*state, "main 9000 1000\n"), "slow_under_valgrind");
}

static void a_run_that_does_not_is_not(void **state)
{
	assert_not_found(check_equal(*state, COSTS), "slow_under_valgrind");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(functions_that_do_not_repeat_are_named),
	        GATE_TEST(functions_that_repeat_are_not_told),
	        GATE_TEST(base_against_base_says_that_counts_repeat),
	        GATE_TEST(base_against_base_says_what_does_not_repeat),
	        GATE_TEST(a_run_that_takes_long_is_told),
	        GATE_TEST(a_run_that_does_not_is_not),
	};
	return run_gate_tests(tests);
}
