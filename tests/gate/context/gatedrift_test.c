/* SPDX-License-Identifier: Apache-2.0 */
/* Head against a commit of long ago, by stored counts; and what is stored of the commits before head. */
#include "gate/context/gatedrift.h"

#include "tests/gate/fixture/gatefixture.h"

/* Each step is within the margin of .5 %, and all of them are not. */
#define STEP(n) "main 20 1000\nparse 80 19000\nsort 400 8" n "\n"
#define DRIFT(more) COUNTED "baselines: {anchor: base, drift_margin: 1%" more "}\n"

/* Three steps of .4 %, each checked against the one before. */
static const CheckResult *drift_away(GateFixture *f, const char *config)
{
	static const char *const steps[] = {STEP("0400"), STEP("0800"), STEP("1200")};
	gate_fixture_base(f, config, COSTS);
	f->request.base = "main^";
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		gate_fixture_head(f, steps[i]);
		gate_fixture_check(f);
	}
	return f->result;
}

static void small_steps_add_up_to_a_drift(void **state)
{
	GateFixture *f = *state;
	assert_ends(drift_away(f, DRIFT("")), 0, "");
	assert_says(found(f->result, "drift")->text, "instructions");
}

static void a_drift_fails_where_the_policy_says_so(void **state)
{
	GateFixture *f = *state;
	assert_ends(drift_away(f, DRIFT(", gate_drift: true")), 1, "drift");
}

static void what_adds_nothing_to_a_drift_does_not_fail_by_it(void **state)
{
	GateFixture *f = *state;
	drift_away(f, DRIFT(", gate_drift: true"));
	gate_fixture_head(f, STEP("1200") "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "drift")->text, "adds nothing to it");
}

static void a_drift_can_be_accepted(void **state)
{
	GateFixture *f = *state;
	drift_away(f, DRIFT(", gate_drift: true"));
	gate_fixture_put(f, "work.costs", STEP("1600"));
	gate_fixture_commit(f, "more\n\nPerf-Accepted: work: it has to be");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "drift")->text, "it has to be");
}

static void no_drift_is_looked_for_where_only_what_is_measured_decides(void **state)
{
	GateFixture *f = *state;
	f->request.only_measured = TRUE;
	drift_away(f, DRIFT(", gate_drift: true"));
	assert_ends(f->result, 0, "");
	assert_not_found(f->result, "drift");
}

static void an_anchor_that_nobody_counted_is_pointed_out(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, DRIFT(""), COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_head(f, COSTS "\n\n");
	f->request.base = "main^";
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "anchor_not_stored");
}

static void an_anchor_that_there_is_not_is_no_failure(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED "baselines: {anchor: no-such-tag}\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "drift_unknown");
}

static void earlier_commits_are_the_history_of_a_metric(void **state)
{
	GateFixture *f = *state;
	drift_away(f, COUNTED);
	const GPtrArray *history = only_benchmark(f->result)->history;
	assert_non_null(history);
	assert_int_equal(((const MetricHistory *)history->pdata[0])->points->len, 4);
}

static void the_first_check_has_no_history_but_base(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	f->request.store = FALSE;
	gate_fixture_check(f);
	assert_null(only_benchmark(f->result)->history);
}

/* --- drift and acceptance: 1.2 % were there before, and the change adds what head says --- */

static void drift_on(GateFixture *f, const char *costs, const char *accept)
{
	g_autofree char *config = g_strconcat(DRIFT(", gate_drift: true"), accept, NULL);
	drift_away(f, DRIFT(", gate_drift: true"));
	gate_fixture_put(f, "firebreak.yml", config);
	gate_fixture_head(f, costs);
	gate_fixture_check(f);
}

static AcceptanceState first_state(const GateFixture *f)
{
	return ((const Acceptance *)f->result->acceptances->pdata[0])->state;
}

static void a_drift_gates_although_every_metric_passes(void **state)
{
	GateFixture *f = *state;
	drift_on(f, STEP("1600"), "");
	assert_ends(f->result, 1, "drift");
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_PASS);
}

static void an_entry_for_the_benchmark_accepts_what_the_change_adds(void **state)
{
	GateFixture *f = *state;
	drift_on(f, STEP("1600"), "accept: [{benchmark: work, reason: it is worth it}]\n");
	assert_ends(f->result, 0, "");
	assert_int_equal(first_state(f), ACCEPTANCE_USED);
	const GPtrArray *accepted = only_benchmark(f->result)->comparison->accepted;
	assert_int_equal(accepted->len, 1);
	assert_says(((const AcceptedRegression *)accepted->pdata[0])->text, "since base");
}

static void an_entry_for_a_function_that_did_not_regress_accepts_no_drift(void **state)
{
	GateFixture *f = *state;
	drift_on(f, STEP("1600"), "accept: [{benchmark: work, function: parse, reason: it is worth it}]\n");
	assert_ends(f->result, 1, "drift");
	assert_int_equal(first_state(f), ACCEPTANCE_UNUSED);
}

static void what_is_accepted_of_a_function_is_no_drift(void **state)
{
	GateFixture *f = *state;
	drift_on(f, "main 20 1000\nparse 80 29000\nsort 400 81200\n",
	        "accept: [{benchmark: work, function: parse, reason: it is worth it}]\n");
	assert_ends(f->result, 0, "");
	assert_says(found(f->result, "drift")->text, "accepted in firebreak.yml:");
}

static void what_others_add_beside_an_accepted_function_is_drift(void **state)
{
	GateFixture *f = *state;
	drift_on(f, "main 20 1000\nparse 80 29000\nsort 400 81600\n",
	        "accept: [{benchmark: work, function: parse, reason: it is worth it}]\n");
	assert_ends(f->result, 1, "drift");
	assert_int_equal(f->result->reasons->len, 1);
	assert_string_equal(only_benchmark(f->result)->comparison->reason_code, "accepted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(small_steps_add_up_to_a_drift),
	        GATE_TEST(a_drift_fails_where_the_policy_says_so),
	        GATE_TEST(what_adds_nothing_to_a_drift_does_not_fail_by_it),
	        GATE_TEST(a_drift_can_be_accepted),
	        GATE_TEST(no_drift_is_looked_for_where_only_what_is_measured_decides),
	        GATE_TEST(an_anchor_that_nobody_counted_is_pointed_out),
	        GATE_TEST(an_anchor_that_there_is_not_is_no_failure),
	        GATE_TEST(earlier_commits_are_the_history_of_a_metric),
	        GATE_TEST(the_first_check_has_no_history_but_base),
	        GATE_TEST(a_drift_gates_although_every_metric_passes),
	        GATE_TEST(an_entry_for_the_benchmark_accepts_what_the_change_adds),
	        GATE_TEST(an_entry_for_a_function_that_did_not_regress_accepts_no_drift),
	        GATE_TEST(what_is_accepted_of_a_function_is_no_drift),
	        GATE_TEST(what_others_add_beside_an_accepted_function_is_drift),
	};
	return run_gate_tests(tests);
}
