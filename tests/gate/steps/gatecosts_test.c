/* SPDX-License-Identifier: Apache-2.0 */
/* Stored runs share out the time of a check. */
#include "gate/steps/gatecosts.h"

#include "tests/gate/fixture/gatefixture.h"

#define LONG_FIRST                                                                                                     \
	"version: 1\nbenchmarks:\n- {name: long, command: ./long, engines: [callgrind]}\n"                             \
	"- {name: work, command: ./work, engines: [callgrind]}\n"

/* A run of `long` takes 100 s, one of `work` 25 s; of either, two follow each other. */
static const CheckResult *check_twice(GateFixture *f, gboolean store)
{
	gate_fixture_put(f, "long.costs", "main 2000 1000\n");
	gate_fixture_base(f, LONG_FIRST, COSTS);
	gate_fixture_head(f, COSTS "\n");
	f->request.store = store;
	assert_ends(gate_fixture_check(f), 0, "");
	f->request.max_time_s = 300;
	f->request.measure_base = TRUE;
	return gate_fixture_check(f);
}

static void what_is_known_to_take_long_gets_more_of_the_time(void **state)
{
	assert_ends(check_twice(*state, TRUE), 0, "");
}

static void what_is_not_known_gets_an_equal_part(void **state)
{
	const CheckResult *result = check_twice(*state, FALSE);
	assert_ends(result, 3, NOT_MEASURED);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->benchmark, "long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(what_is_known_to_take_long_gets_more_of_the_time),
	        GATE_TEST(what_is_not_known_gets_an_equal_part),
	};
	return run_gate_tests(tests);
}
