/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark by both engines: what they say together, and what becomes of it where one says nothing. */
#include "gate/gatebenchmark.h"

#include "compare/counted/enginepair.h"

#include "tests/gate/fixture/gatefixture.h"

/* The same time, with a fifth more instructions. */
#define HIDDEN "main 20 1000\nparse 80 19000\nsort 400 96000\n"

static const BenchmarkComparison *check(GateFixture *f, const char *costs)
{
	gate_fixture_base(f, BOTH, COSTS);
	gate_fixture_head(f, costs);
	gate_fixture_check(f);
	return only_benchmark(f->result)->comparison;
}

static const ResultProfile *counts_of(const GateFixture *f)
{
	const GPtrArray *profiles = only_benchmark(f->result)->profiles;
	for (guint i = 0; i < profiles->len; i++)
		if (g_str_equal(((const ResultProfile *)profiles->pdata[i])->event, "instructions"))
			return profiles->pdata[i];
	fail_msg("nothing was counted");
	return NULL;
}

static void both_engines_pass(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison = check(f, COSTS "\n");
	assert_ends(f->result, 0, "");
	assert_int_equal(comparison->pair, PAIR_SAME);
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_perf);
	assert_ptr_equal(counts_of(f)->engine, &engine_callgrind);
	assert_true(counts_of(f)->decides);
	assert_int_equal(fake_host.timed[SIDE_BASE], FIRST_RUNS);
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
}

static void more_of_both_is_more_work(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison = check(f, SLOWER);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->pair, PAIR_MORE_WORK);
}

static void more_time_alone_is_a_regression(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison = check(f, LONGER);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->pair, PAIR_SLOWER_WORK);
	assert_int_equal(counts_of(f)->comparison->verdict, VERDICT_PASS);
}

static void more_instructions_alone_are_a_regression(void **state)
{
	GateFixture *f = *state;
	const BenchmarkComparison *comparison = check(f, HIDDEN);
	assert_ends(f->result, 1, "regression");
	assert_int_equal(comparison->pair, PAIR_HIDDEN_WORK);
	assert_int_equal(counts_of(f)->comparison->verdict, VERDICT_REGRESSION);
}

static void only_the_engine_that_was_asked_for_measures(void **state)
{
	GateFixture *f = *state;
	f->request.engine = &engine_callgrind;
	check(f, LONGER);
	assert_ends(f->result, 0, "");
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_callgrind);
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

static void fail_timed(FakeRun *run)
{
	if (!run->counted)
		run->failure_code = "benchmark_failed";
}

static void counts_are_there_where_timing_fails(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_timed;
	check(f, COSTS "\n");
	assert_ends(f->result, 4, "measurement_invalid");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 1);
	assert_ptr_equal(only_benchmark(f->result)->engine, &engine_callgrind);
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_ERROR);
}

static void time_out(FakeRun *run)
{
	run->failure_code = "timeout";
	run->failure = "./bench timed out after 60.0 s\nlast words";
}

static void a_run_that_had_all_its_time_is_told_what_to_do(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = time_out;
	check(f, COSTS "\n");
	const ResultReason *reason = f->result->reasons->pdata[0];
	assert_non_null(
	        strstr(reason->text, " timed out after 60.0 s; let a run do less, or raise `timeout`: last words"));
}

static void fail_counted(FakeRun *run)
{
	if (run->counted)
		run->failure_code = "timeout";
}

static void times_are_there_where_counting_fails(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_counted;
	check(f, COSTS "\n");
	assert_ends(f->result, 4, "measurement_invalid");
	assert_int_equal(measurement_n_runs(only_benchmark(f->result)->head), FIRST_ROUNDS);
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_ERROR);
}

/* A benchmark that passes by one engine is not passed where the other had no time. */
static void a_pass_of_one_engine_is_none_of_both(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 35;
	check(f, COSTS "\n");
	assert_ends(f->result, 3, NOT_MEASURED);
	assert_int_equal(measurement_n_runs(only_benchmark(f->result)->head), FIRST_ROUNDS);
	assert_int_equal(only_benchmark(f->result)->comparison->verdict, VERDICT_INCONCLUSIVE);
}

static void stored_counts_do_not_spare_base_its_times(void **state)
{
	GateFixture *f = *state;
	check(f, COSTS "\n");
	fake_host_reset();
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
	assert_int_equal(fake_host.timed[SIDE_BASE], FIRST_RUNS);
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_STORED);
}

static void head_alone_has_both(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BOTH, COSTS);
	assert_ends(gate_fixture_measure(f), 0, "");
	assert_int_equal(measurement_n_runs(counts_of(f)->head), 2);
	assert_int_equal(stored_baselines(f, "main"), 2);
}

static void each_benchmark_has_a_row_of_its_own(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n"
	        "- {name: other, command: ./other, engines: [callgrind]}\n",
	        COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_int_equal(f->result->benchmarks->len, 2);
	assert_int_equal(((ResultBenchmark *)f->result->benchmarks->pdata[0])->comparison->verdict, VERDICT_REGRESSION);
	assert_int_equal(((ResultBenchmark *)f->result->benchmarks->pdata[1])->comparison->verdict, VERDICT_PASS);
}

/* Two benchmarks, each of which would take all of it. */
static void a_check_keeps_to_its_time(void **state)
{
	GateFixture *f = *state;
	gint64 begin_ns = fake_host.clock_ns;
	f->request.max_time_s = 60;
	gate_fixture_put(f, "other.costs", "main 2000 1000\n");
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other}\n",
	        "main 2000 1000\n");
	gate_fixture_head(f, "main 2000 1000\n\n");
	assert_int_equal(gate_fixture_check(f)->exit_code, 3);
	assert_int_equal(f->result->benchmarks->len, 2);
	assert_true(fake_host.clock_ns - begin_ns <= G_GINT64_CONSTANT(60000000000));
	assert_true(fake_host.timed[SIDE_HEAD] > 0);
}

/* Beside one that needs more than there is, and one that takes what is left. */
static void a_benchmark_that_needs_little_of_the_time_is_measured(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 60;
	gate_fixture_put(f, "little.costs", "main 200 1000\n");
	gate_fixture_put(f, "more.costs", "main 20000 1000\n");
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: little, command: ./little}\n"
	        "- {name: more, command: ./more}\n- {name: work, command: ./work}\n",
	        COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 3, "not_measured");
	const ResultBenchmark *little = f->result->benchmarks->pdata[0], *more = f->result->benchmarks->pdata[1];
	assert_string_equal(little->name, "little");
	assert_true(little->campaign.rounds >= FIRST_ROUNDS);
	assert_false(little->campaign.out_of_time);
	assert_int_equal(little->comparison->verdict, VERDICT_PASS);
	assert_int_equal(more->campaign.rounds, 0);
	const ResultBenchmark *work = f->result->benchmarks->pdata[2];
	assert_int_equal(work->comparison->verdict, VERDICT_PASS);
}

/* --- what does not gate decides nothing --- */

#define GATING(gates)                                                                                                  \
	"version: 1\nbenchmarks: [{name: work, command: ./work, engines: [perf, callgrind], gate: {" gates "}}]\n"

static void check_gating(GateFixture *f, const char *config, const char *costs)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, costs);
	gate_fixture_check(f);
}

static void counts_that_do_not_gate_decide_nothing(void **state)
{
	GateFixture *f = *state;
	check_gating(f, GATING("task-clock: {margin: 5%}"), HIDDEN);
	assert_ends(f->result, 0, "");
	assert_false(counts_of(f)->decides);
}

static void times_that_do_not_gate_decide_nothing(void **state)
{
	GateFixture *f = *state;
	check_gating(f, GATING("instructions: {margin: 1%}"), LONGER);
	assert_ends(f->result, 0, "");
}

static void nothing_that_gates_is_an_error(void **state)
{
	GateFixture *f = *state;
	check_gating(f, GATING("task-clock: {gates: false}"), COSTS "\n");
	assert_int_equal(f->result->exit_code, 4);
}

static void both_engines_are_needed_where_both_are_asked_for(void **state)
{
	GateFixture *f = *state;
	fake_host.no_valgrind = "valgrind is not installed";
	check_gating(f, BOTH, COSTS "\n");
	assert_ends(f->result, 8, "environment_unsupported");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(both_engines_pass),
	        GATE_TEST(more_of_both_is_more_work),
	        GATE_TEST(more_time_alone_is_a_regression),
	        GATE_TEST(more_instructions_alone_are_a_regression),
	        GATE_TEST(only_the_engine_that_was_asked_for_measures),
	        GATE_TEST(counts_are_there_where_timing_fails),
	        GATE_TEST(a_run_that_had_all_its_time_is_told_what_to_do),
	        GATE_TEST(times_are_there_where_counting_fails),
	        GATE_TEST(a_pass_of_one_engine_is_none_of_both),
	        GATE_TEST(stored_counts_do_not_spare_base_its_times),
	        GATE_TEST(head_alone_has_both),
	        GATE_TEST(each_benchmark_has_a_row_of_its_own),
	        GATE_TEST(a_check_keeps_to_its_time),
	        GATE_TEST(a_benchmark_that_needs_little_of_the_time_is_measured),
	        GATE_TEST(counts_that_do_not_gate_decide_nothing),
	        GATE_TEST(times_that_do_not_gate_decide_nothing),
	        GATE_TEST(nothing_that_gates_is_an_error),
	        GATE_TEST(both_engines_are_needed_where_both_are_asked_for),
	};
	return run_gate_tests(tests);
}
