/* A regression that somebody accepts: where that is said, whether it counts, and what becomes of the rest. */
#include "gate/policy/gateaccept.h"

#include "tests/gate/fixture/gatefixture.h"

#define ACCEPTING(engines, entry)                                                                                      \
	"version: 1\nbenchmarks: [{name: work, command: ./work, engines: [" engines "]}]\naccept: [{" entry "}]\n"
#define REASON "reason: the input is validated now"

static const BenchmarkComparison *check_message(GateFixture *f, const char *config, const char *message)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, message);
	gate_fixture_check(f);
	return only_benchmark(f->result)->comparison;
}

static const BenchmarkComparison *check_entry(GateFixture *f, const char *base, const char *head)
{
	gate_fixture_base(f, base, COSTS);
	gate_fixture_put(f, "firebreak.yml", head);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	return only_benchmark(f->result)->comparison;
}

static AcceptanceState first_state(const GateFixture *f)
{
	assert_true(f->result->acceptances->len > 0);
	return ((const Acceptance *)f->result->acceptances->pdata[0])->state;
}

static void a_trailer_accepts_a_timed_regression(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison =
	        check_message(f, TIMED, "validate\n\nPerf-Accepted: work: it has to be");
	assert_ends(f->result, 0, "");
	assert_int_equal(comparison->verdict, VERDICT_PASS);
	assert_true(comparison->accepted->len > 0);
	assert_int_equal(first_state(f), ACCEPTANCE_USED);
	assert_says(found(f->result, "accepted_regression")->text, "it has to be");
}

static void a_trailer_accepts_a_counted_regression(void **state)
{
	GateFixture *f = *state;
	check_message(f, COUNTED, "validate\n\nPerf-Accepted: work: it has to be");
	assert_ends(f->result, 0, "");
	found(f->result, "accepted_regression");
}

static void a_trailer_accepts_what_both_engines_saw(void **state)
{
	GateFixture *f = *state;
	check_message(f, BOTH, "validate\n\nPerf-Accepted: work: it has to be");
	assert_ends(f->result, 0, "");
	found(f->result, "accepted_regression");
}

static void an_entry_that_head_adds_accepts(void **state)
{
	GateFixture *f = *state;
	check_entry(f, TIMED, ACCEPTING("perf", "benchmark: work, " REASON));
	assert_ends(f->result, 0, "");
	assert_int_equal(first_state(f), ACCEPTANCE_USED);
}

static void an_entry_that_base_has_was_for_an_earlier_change(void **state)
{
	GateFixture *f = *state;
	check_entry(f, ACCEPTING("perf", "benchmark: work, " REASON), ACCEPTING("perf", "benchmark: work, " REASON));
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_SPENT);
}

static void an_entry_for_a_function_covers_that_function(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED, ACCEPTING("callgrind", "benchmark: work, function: sort, " REASON));
	assert_ends(f->result, 0, "");
	assert_int_equal(first_state(f), ACCEPTANCE_USED);
}

static void an_entry_for_another_function_covers_nothing(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED, ACCEPTING("callgrind", "benchmark: work, function: parse, " REASON));
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_UNUSED);
}

static void the_policy_says_where_a_regression_may_be_accepted(void **state)
{
	GateFixture *f = *state;
	check_message(f, TIMED "accept_from: [config]\n", "validate\n\nPerf-Accepted: work: it has to be");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_FORBIDDEN);
}

static void an_entry_that_is_too_old_accepts_nothing(void **state)
{
	GateFixture *f = *state;
	check_entry(f, TIMED, ACCEPTING("perf", "benchmark: work, until: 2001-01-01, " REASON));
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_EXPIRED);
}

static void a_line_that_is_no_trailer_is_pointed_out(void **state)
{
	GateFixture *f = *state;
	check_message(f, TIMED, "validate\n\nPerf-Accepted: work: it has to be\n\nMore words.");
	assert_ends(f->result, 1, "regression");
	found(f->result, "acceptance_misplaced");
}

static void what_nobody_needs_is_pointed_out(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "work.costs", COSTS "\n");
	gate_fixture_commit(f, "tidy\n\nPerf-Accepted: work: just in case");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(first_state(f), ACCEPTANCE_UNUSED);
	found(f->result, "acceptance_unused");
}

static void what_is_measured_alone_decides_where_that_is_asked_for(void **state)
{
	GateFixture *f = *state;
	f->request.only_measured = TRUE;
	check_message(f, TIMED, "validate\n\nPerf-Accepted: work: it has to be");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(f->result->acceptances->len, 0);
}

static void an_invalid_measurement_is_never_accepted(void **state)
{
	GateFixture *f = *state;
	fake_host.noise = .5;
	check_message(f, TIMED, "validate\n\nPerf-Accepted: work: it has to be");
	assert_int_equal(f->result->exit_code, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_trailer_accepts_a_timed_regression),
	        GATE_TEST(a_trailer_accepts_a_counted_regression),
	        GATE_TEST(a_trailer_accepts_what_both_engines_saw),
	        GATE_TEST(an_entry_that_head_adds_accepts),
	        GATE_TEST(an_entry_that_base_has_was_for_an_earlier_change),
	        GATE_TEST(an_entry_for_a_function_covers_that_function),
	        GATE_TEST(an_entry_for_another_function_covers_nothing),
	        GATE_TEST(the_policy_says_where_a_regression_may_be_accepted),
	        GATE_TEST(an_entry_that_is_too_old_accepts_nothing),
	        GATE_TEST(a_line_that_is_no_trailer_is_pointed_out),
	        GATE_TEST(what_nobody_needs_is_pointed_out),
	        GATE_TEST(what_is_measured_alone_decides_where_that_is_asked_for),
	        GATE_TEST(an_invalid_measurement_is_never_accepted),
	};
	return run_gate_tests(tests);
}
