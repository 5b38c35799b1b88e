/* SPDX-License-Identifier: Apache-2.0 */
/* The history in the report of a check: of which benchmarks, of which metrics, and what is said if it cannot be read.
 */
#include "gate/context/gatehistory.h"

#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

#define TWO                                                                                                            \
	"version: 1\nbenchmarks:\n- {name: work, command: ./work, engines: [callgrind]}\n"                             \
	"- {name: other, command: ./other, engines: [callgrind]}\n"
#define SYSTEM_CALLS_GATE                                                                                              \
	"version: 1\nbenchmarks: [{name: work, command: ./work, engines: [callgrind],\n"                               \
	"  gate: {instructions: {margin: 1%}, system-calls: {margin: 1%}}}]\n"

/* The history of a metric of a benchmark, or NULL. */
static const MetricHistory *history_of(const CheckResult *result, guint row, const char *metric)
{
	const GPtrArray *all = ((const ResultBenchmark *)result->benchmarks->pdata[row])->history;
	for (guint i = 0; all != NULL && i < all->len; i++)
		if (g_str_equal(((const MetricHistory *)all->pdata[i])->metric, metric))
			return all->pdata[i];
	return NULL;
}

static const CheckResult *check(GateFixture *f, const char *config)
{
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static void base_and_head_are_in_the_history(void **state)
{
	const MetricHistory *history = history_of(check(*state, COUNTED), 0, "instructions");
	assert_non_null(history);
	assert_int_equal(history->points->len, 2);
}

static void commits_that_were_measured_before_are_in_it(void **state)
{
	GateFixture *f = *state;
	check(f, COUNTED);
	f->request.base = "main^";
	gate_fixture_head(f, SLOWER);
	assert_int_equal(history_of(gate_fixture_check(f), 0, "instructions")->points->len, 3);
}

/* Its one point would tell nothing that the report does not say elsewhere. */
static void a_point_alone_is_no_history(void **state)
{
	GateFixture *f = *state;
	f->request.shard = (Shard){1, 1}; /* a shard does not store base */
	assert_null(only_benchmark(check(f, COUNTED))->history);
}

static void each_benchmark_has_its_own(void **state)
{
	const CheckResult *result = check(*state, TWO);
	assert_string_equal(history_of(result, 0, "instructions")->benchmark, "work");
	assert_string_equal(history_of(result, 1, "instructions")->benchmark, "other");
}

static void other_metrics_are_shown_where_they_gate(void **state)
{
	assert_non_null(history_of(check(*state, SYSTEM_CALLS_GATE), 0, "system-calls"));
}

static void metrics_that_neither_lead_nor_gate_are_left_out(void **state)
{
	assert_null(history_of(check(*state, COUNTED), 0, "system-calls"));
}

static void a_benchmark_that_was_not_measured_has_none(void **state)
{
	GateFixture *f = *state;
	check(f, COUNTED);
	gate_fixture_head(f, COSTS "\n\n");
	f->request.max_time_s = .001;
	assert_int_equal(gate_fixture_check(f)->exit_code, 3);
	assert_null(only_benchmark(f->result)->history);
}

static void base_against_base_has_none(void **state)
{
	GateFixture *f = *state;
	check(f, COUNTED);
	f->request.mode = CHECK_CALIBRATE;
	f->request.base = "main"; /* of which two commits are stored */
	assert_null(only_benchmark(gate_fixture_check(f))->history);
}

static void a_side_alone_has_none(void **state)
{
	GateFixture *f = *state;
	check(f, COUNTED);
	assert_null(only_benchmark(gate_fixture_measure(f))->history);
}

/* A verdict stands without its history. */
static void a_store_that_cannot_be_read_is_a_finding(void **state)
{
	GateFixture *f = *state;
	f->request.store = FALSE;
	f->request.measure_base = TRUE;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_import(f);
	run_git(f->repo, "config firebreak.prefix refs/heads/");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "history_unreadable")->text, "earlier commits are not shown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(base_and_head_are_in_the_history),
	        GATE_TEST(commits_that_were_measured_before_are_in_it),
	        GATE_TEST(a_point_alone_is_no_history),
	        GATE_TEST(each_benchmark_has_its_own),
	        GATE_TEST(other_metrics_are_shown_where_they_gate),
	        GATE_TEST(metrics_that_neither_lead_nor_gate_are_left_out),
	        GATE_TEST(a_benchmark_that_was_not_measured_has_none),
	        GATE_TEST(base_against_base_has_none),
	        GATE_TEST(a_side_alone_has_none),
	        GATE_TEST(a_store_that_cannot_be_read_is_a_finding),
	};
	return run_gate_tests(tests);
}
