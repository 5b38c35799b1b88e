/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a bisection that git leads: the exit code for every ending. */
#include "gate/bisect/bisectstep.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

#define BUILD(command)                                                                                                 \
	"version: 1\nbuild: {command: '" command "'}\n"                                                                \
	"benchmarks: [{name: work, command: ./work, engines: [callgrind]}]\n"

/* The exit code of the step that tests what is checked out, against `base`. */
static int step(GateFixture *f, const char *good, const char *metric)
{
	const BisectMeasure measure = {
	        .repo_path = f->repo, .benchmark = "work", .talk = &f->talk, .host = &fake_host.host};
	BisectTest *test = NULL;
	gate_fixture_import(f);
	run_git(f->repo, "checkout -q -f main");
	int code = bisect_step(&measure, good, metric, NULL, &test);
	assert_non_null(test->answer.text);
	bisect_test_free(test);
	return code;
}

static void a_commit_that_costs_as_much_is_good(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_head(*state, COSTS "\n");
	assert_int_equal(step(*state, "base", NULL), 0);
}

static void a_commit_that_costs_more_is_bad(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "base", NULL), 1);
}

/* Git looks for what made it slow, which a check might accept. */
static void a_regression_that_is_accepted_is_bad(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_put(*state, "work.costs", SLOWER);
	gate_fixture_commit(*state, "slow\n\nPerf-Accepted: work: it has to be");
	assert_int_equal(step(*state, "base", NULL), 1);
}

static void a_metric_can_be_asked_about(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "base", "instructions"), 1);
}

static void a_commit_that_does_not_build_is_skipped(void **state)
{
	gate_fixture_base(*state, BUILD("test ! -e broken"), COSTS);
	gate_fixture_put(*state, "broken", "");
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "base", NULL), 125);
}

static void a_commit_without_a_configuration_is_skipped(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_delete(*state, "firebreak.yml");
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "base", NULL), 125);
}

/* Other commits would be refused for it, too. */
static void a_good_commit_that_is_none_stops_git(void **state)
{
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "no-such-ref", NULL), BISECT_STEP_ABORT + FIREBREAK_ERROR_USAGE);
}

static void a_machine_that_cannot_count_stops_git(void **state)
{
	fake_host.no_valgrind = "valgrind is not installed";
	gate_fixture_base(*state, COUNTED, COSTS);
	gate_fixture_head(*state, SLOWER);
	assert_int_equal(step(*state, "base", NULL), BISECT_STEP_ABORT + FIREBREAK_ERROR_ENVIRONMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_commit_that_costs_as_much_is_good),
	        GATE_TEST(a_commit_that_costs_more_is_bad),
	        GATE_TEST(a_regression_that_is_accepted_is_bad),
	        GATE_TEST(a_metric_can_be_asked_about),
	        GATE_TEST(a_commit_that_does_not_build_is_skipped),
	        GATE_TEST(a_commit_without_a_configuration_is_skipped),
	        GATE_TEST(a_good_commit_that_is_none_stops_git),
	        GATE_TEST(a_machine_that_cannot_count_stops_git),
	};
	return run_gate_tests(tests);
}
