/* SPDX-License-Identifier: Apache-2.0 */
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

/* --- what an entry is for, and until when --- */

#define COUNTED_TWICE                                                                                                  \
	"version: 1\nbenchmarks:\n- {name: work, command: ./work, engines: [callgrind]}\n"                             \
	"- {name: other, command: ./other, engines: [callgrind]}\n"
/* `sort` as in SLOWER, and `parse` costs more, too. */
#define SLOWER_STILL "main 20 1000\nparse 80 25000\nsort 480 96000\n"
/* The day on which the fixture commits, and the day before. */
#define TODAY "2023-11-14"
#define YESTERDAY "2023-11-13"

/* Base has the entry, and head costs more than base by as much again. */
static void check_again(GateFixture *f, const char *config, const char *then)
{
	gate_fixture_base(f, config, SLOWER);
	gate_fixture_put(f, "firebreak.yml", then);
	gate_fixture_head(f, SLOWER_STILL);
	gate_fixture_check(f);
}

static void the_last_day_of_an_entry_counts(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED, ACCEPTING("callgrind", "benchmark: work, until: " TODAY ", " REASON));
	assert_ends(f->result, 0, "");
}

static void a_day_later_it_does_not(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED, ACCEPTING("callgrind", "benchmark: work, until: " YESTERDAY ", " REASON));
	assert_ends(f->result, 1, "regression");
	assert_int_equal(found(f->result, "acceptance_refused")->severity, FINDING_WARNING);
}

static void until_its_last_day_an_entry_that_base_has_counts_too(void **state)
{
	GateFixture *f = *state;
	const char *config = ACCEPTING("callgrind", "benchmark: work, until: " TODAY ", " REASON);
	check_again(f, config, config);
	assert_ends(f->result, 0, "");
}

static void an_entry_of_its_own_accepts_the_next_change(void **state)
{
	GateFixture *f = *state;
	check_again(f, ACCEPTING("callgrind", "benchmark: work, " REASON),
	        ACCEPTING("callgrind", "benchmark: work, " REASON "}, {benchmark: work, reason: again"));
	assert_ends(f->result, 0, "");
}

static void another_function_after_an_accepted_one_still_fails(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(f, "firebreak.yml", ACCEPTING("callgrind", "benchmark: work, function: sort, " REASON));
	gate_fixture_head(f, SLOWER_STILL);
	assert_ends(gate_fixture_check(f), 1, "regression");
	const BenchmarkComparison *comparison = only_benchmark(f->result)->comparison;
	assert_says(comparison->reason, "beyond what is accepted");
	assert_true(comparison->accepted->len > 0);
}

/* --- what a trailer names --- */

static void check_trailer(GateFixture *f, const char *value)
{
	g_autofree char *message = g_strdup_printf("more\n\nPerf-Accepted: %s", value);
	check_message(f, COUNTED, message);
}

static void a_trailer_needs_no_name_where_there_is_one_benchmark(void **state)
{
	GateFixture *f = *state;
	check_trailer(f, "it is worth it");
	assert_ends(f->result, 0, "");
	const Acceptance *acceptance = f->result->acceptances->pdata[0];
	assert_int_equal(acceptance->source, ACCEPTANCE_BY_TRAILER);
	assert_string_equal(acceptance->sha, f->result->head.sha);
	assert_string_equal(acceptance->benchmark, "work");
	assert_true(g_str_has_prefix(acceptance->where, "commit "));
}

static void what_only_looks_like_a_name_accepts_nothing(void **state)
{
	GateFixture *f = *state;
	check_trailer(f, "work:it is worth it");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_UNNAMED);
	assert_says(found(f->result, "acceptance_refused")->text, "Perf-Accepted: NAME: reason");
}

static void another_name_accepts_nothing(void **state)
{
	GateFixture *f = *state;
	check_trailer(f, "wrok: it is worth it");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_UNKNOWN_BENCHMARK);
}

static void a_trailer_of_base_accepts_nothing(void **state)
{
	GateFixture *f = *state;
	check_trailer(f, "it is worth it");
	f->request.base = "main^";
	gate_fixture_head(f, SLOWER_STILL);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(f->result->acceptances->len, 0);
}

static void check_two(GateFixture *f, const char *base, const char *message)
{
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, base, COSTS);
	gate_fixture_put(f, "firebreak.yml", COUNTED_TWICE);
	gate_fixture_put(f, "other.costs", SLOWER);
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, message);
	gate_fixture_check(f);
}

static void a_trailer_without_a_name_accepts_nothing_of_two(void **state)
{
	GateFixture *f = *state;
	check_two(f, COUNTED_TWICE, "more\n\nPerf-Accepted: it is worth it");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_UNNAMED);
}

static void a_trailer_with_a_star_accepts_both(void **state)
{
	GateFixture *f = *state;
	check_two(f, COUNTED_TWICE, "more\n\nPerf-Accepted: *: it is worth it");
	assert_ends(f->result, 0, "");
	assert_says(found(f->result, "accepted_regression")->text, "for any benchmark");
}

static void a_benchmark_that_head_adds_makes_two(void **state)
{
	GateFixture *f = *state;
	check_two(f, COUNTED, "more\n\nPerf-Accepted: it is worth it");
	assert_ends(f->result, 1, "regression");
}

/* --- what the policy allows --- */

static void base_may_forbid_all(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED "accept_from: none\n",
	        ACCEPTING("callgrind", "benchmark: work, " REASON) "accept_from: none\n");
	assert_ends(f->result, 1, "regression");
	assert_int_equal(first_state(f), ACCEPTANCE_FORBIDDEN);
}

static void head_does_not_allow_itself_more(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED "accept_from: [config]\n", COSTS);
	gate_fixture_put(f, "firebreak.yml", COUNTED);
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, "more\n\nPerf-Accepted: work: please");
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
	f->request.allow_policy_change = TRUE;
	assert_ends(gate_fixture_check(f), 1, "regression");
}

static void adding_an_entry_is_no_weaker_policy(void **state)
{
	GateFixture *f = *state;
	check_entry(f, COUNTED, ACCEPTING("callgrind", "benchmark: work, " REASON));
	assert_not_found(f->result, "policy_changed");
}

/* --- what is never accepted --- */

static void fail_all(FakeRun *run)
{
	run->failure_code = "benchmark_failed";
}

static void a_benchmark_that_fails_is_never_accepted(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_all;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(f, "firebreak.yml", ACCEPTING("callgrind", "benchmark: work, " REASON));
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
}

static void a_build_that_fails_is_never_accepted(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(
	        f, "firebreak.yml", ACCEPTING("callgrind", "benchmark: work, " REASON) "build: {command: exit 1}\n");
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 5, "build_failed");
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
	        GATE_TEST(the_last_day_of_an_entry_counts),
	        GATE_TEST(a_day_later_it_does_not),
	        GATE_TEST(until_its_last_day_an_entry_that_base_has_counts_too),
	        GATE_TEST(an_entry_of_its_own_accepts_the_next_change),
	        GATE_TEST(another_function_after_an_accepted_one_still_fails),
	        GATE_TEST(a_trailer_needs_no_name_where_there_is_one_benchmark),
	        GATE_TEST(what_only_looks_like_a_name_accepts_nothing),
	        GATE_TEST(another_name_accepts_nothing),
	        GATE_TEST(a_trailer_of_base_accepts_nothing),
	        GATE_TEST(a_trailer_without_a_name_accepts_nothing_of_two),
	        GATE_TEST(a_trailer_with_a_star_accepts_both),
	        GATE_TEST(a_benchmark_that_head_adds_makes_two),
	        GATE_TEST(base_may_forbid_all),
	        GATE_TEST(head_does_not_allow_itself_more),
	        GATE_TEST(adding_an_entry_is_no_weaker_policy),
	        GATE_TEST(a_benchmark_that_fails_is_never_accepted),
	        GATE_TEST(a_build_that_fails_is_never_accepted),
	};
	return run_gate_tests(tests);
}
