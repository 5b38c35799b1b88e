/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks that calibrate themselves: refused, or told how much to do by what base shows. */
#include "gate/steps/gateframework.h"

#include "tests/gate/fixture/gatefixture.h"

#define GO_CASE "version: 1\nbenchmarks: [{name: work, command: [sh, bench.sh], framework: go%s}]\n"

/* Does what a test program of Go does with its last argument: 1 us for each iteration, as it says. */
#define GO_PROGRAM                                                                                                     \
	"for last; do :; done\n"                                                                                       \
	"n=${last#-test.benchtime=}\n"                                                                                 \
	"echo \"BenchmarkWork-2 ${n%x} 1000 ns/op\"\n"
#define OTHER_PROGRAM "echo BenchmarkWork-2 77 1000 ns/op\n"
#define REMOVED_PROGRAM                                                                                                \
	"for last; do :; done\n"                                                                                       \
	"n=${last#-test.benchtime=}\n"                                                                                 \
	"echo \"BenchmarkWork-2 ${n%x} 0.25 ns/op\"\n"
#define NO_CASE "echo PASS\n"
#define ONE_CASE                                                                                                       \
	"for last; do :; done\n"                                                                                       \
	"n=${last#-test.benchtime=}\n"                                                                                 \
	"echo \"BenchmarkWork ${n%x} 1000 ns/op\"\n"

/* The same of two cases, `second` of them only where all are asked for or its filter names it. */
#define TWO_CASES(first_ns, second, second_ns)                                                                         \
	"for last; do :; done\n"                                                                                       \
	"n=${last#-test.benchtime=}\n"                                                                                 \
	"case $* in *-test.bench=.\\ *|*BenchmarkWork*) echo \"BenchmarkWork ${n%x} " first_ns " ns/op\";; esac\n"     \
	"case $* in *-test.bench=.\\ *|*" second "*) echo \"" second " ${n%x} " second_ns " ns/op\";; esac\n"

static void put_entry(GateFixture *f, const char *keys, const char *program)
{
	g_autofree char *config = g_strdup_printf(GO_CASE, keys);
	gate_fixture_put(f, "bench.sh", program);
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, SLOWER);
}

static void both_sides_do_the_iterations_that_base_needs(void **state)
{
	GateFixture *f = *state;
	put_entry(f, "", GO_PROGRAM);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_says(gate_fixture_said(), "iterations in each run");
	/* at 1 us they are 700,000 in .7 s, and a round number below that; CPU time of a shell may make it more */
	assert_true(only_benchmark(f->result)->base->work >= 500000);
	assert_true(only_benchmark(f->result)->base->work == only_benchmark(f->result)->head->work);
}

/* Then no side is there as its build links it. */
static void skip_without_layouts(void)
{
	g_autoptr(GError) error = NULL;
	if (side_can_shuffle(&error))
		return;
	print_message("%s\n", error->message);
	skip();
}

static void base_is_asked_also_where_only_layouts_run(void **state)
{
	GateFixture *f = *state;
	skip_without_layouts();
	put_entry(f, ", layouts: 2", GO_PROGRAM);
	gate_fixture_check(f);
	assert_says(gate_fixture_said(), "iterations in each run");
	assert_true(only_benchmark(f->result)->base->work >= 500000);
}

static void iterations_that_are_named_are_taken(void **state)
{
	GateFixture *f = *state;
	put_entry(f, ", iterations: 4000", GO_PROGRAM);
	gate_fixture_check(f);
	assert_says(gate_fixture_said(), "4000 iterations in each run");
	assert_true(only_benchmark(f->result)->base->work == 4001);
}

static void a_program_that_does_not_obey_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	put_entry(f, ", iterations: 4000", OTHER_PROGRAM);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_says(gate_fixture_said(), "was asked for 4000 iterations of BenchmarkWork-2 and says that it did 77");
}

static void a_filter_without_a_match_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	put_entry(f, ", filter: Nothing", NO_CASE);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_says(gate_fixture_said(), "`filter: Nothing` matches none");
}

static void a_case_that_measures_nothing_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	put_entry(f, "", REMOVED_PROGRAM);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_says(gate_fixture_said(), "an iteration of BenchmarkWork-2 takes 0.25 ns, less than a CPU cycle");
}

/* Base and head with programs of their own. */
static const CheckResult *check_programs(GateFixture *f, const char *base, const char *head)
{
	g_autofree char *config = g_strdup_printf(GO_CASE, "");
	gate_fixture_put(f, "bench.sh", base);
	gate_fixture_base(f, config, COSTS);
	gate_fixture_put(f, "bench.sh", head);
	gate_fixture_head(f, SLOWER);
	return gate_fixture_check(f);
}

static void work_that_head_alone_has_lost_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	assert_ends(check_programs(f, GO_PROGRAM, REMOVED_PROGRAM), 4, "measurement_invalid");
	assert_says(
	        gate_fixture_said(), "of head: an iteration of BenchmarkWork-2 takes 0.25 ns, less than a CPU cycle");
}

static void one_of_several_cases_that_head_alone_has_lost_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	assert_ends(check_programs(f, TWO_CASES("1000", "BenchmarkB", "500"), TWO_CASES("1300", "BenchmarkB", ".25")),
	        4, "measurement_invalid");
	assert_says(gate_fixture_said(), "of head: an iteration of BenchmarkB takes 0");
	assert_says(gate_fixture_said(), "on base it takes 500 ns, so they cannot be compared");
}

static void work_that_base_alone_has_lost_ends_the_benchmark(void **state)
{
	GateFixture *f = *state;
	assert_ends(check_programs(f, TWO_CASES("1000", "BenchmarkB", ".25"), TWO_CASES("1000", "BenchmarkB", "500")),
	        4, "measurement_invalid");
	assert_says(gate_fixture_said(), "of base: an iteration of BenchmarkB takes 0");
	assert_says(gate_fixture_said(), "head has work there");
}

static void a_case_without_work_on_both_sides_is_no_fault(void **state)
{
	GateFixture *f = *state;
	assert_ends(check_programs(f, TWO_CASES("1000", "BenchmarkB", ".25"), TWO_CASES("1000", "BenchmarkB", ".25")),
	        1, "regression");
}

static void cases_that_head_adds_are_left_out(void **state)
{
	GateFixture *f = *state;
	const CheckResult *result = check_programs(f, ONE_CASE, TWO_CASES("1000", "BenchmarkNew", "9000"));
	assert_ends(result, 1, "regression");
	assert_says(found(result, "cases_added")->text, "head adds BenchmarkNew, which base does not have");
}

static void put_program(GateFixture *f, const char *config)
{
	/* no program, but the beginning of one, with a name that nanobench has */
	gate_fixture_put(f, "bench", "\177ELF NANOBENCH_ENDLESS");
	gate_fixture_put(f, "run.sh", "#!/bin/sh\ncd . && ./bench --quick\n");
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
}

static void a_program_that_calibrates_itself_is_refused(void **state)
{
	static const char *const configs[] = {
	        "version: 1\nbenchmarks: [{name: work, command: [./bench]}]\n",
	        "version: 1\nbenchmarks: [{name: work, command: 'X=1 ./bench | cat'}]\n",
	        "version: 1\nbenchmarks: [{name: work, command: [sh, run.sh], engines: [callgrind]}]\n",
	        "version: 1\nbenchmarks: [{name: work, command: go test -bench . ./...}]\n",
	};
	GateFixture *f = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(configs); i++) {
		put_program(f, configs[i]);
		f->request.base = "HEAD~1";
		assert_ends(gate_fixture_check(f), 4, "calibrates_itself");
	}
}

static void it_is_refused_also_where_only_layouts_run(void **state)
{
	GateFixture *f = *state;
	skip_without_layouts();
	put_program(f, "version: 1\nbenchmarks: [{name: work, command: [./bench], layouts: 2}]\n");
	assert_ends(gate_fixture_check(f), 4, "calibrates_itself");
	assert_says(((const ResultReason *)f->result->reasons->pdata[0])->text, "bench of base is written with");
}

static void calibrate_head(FakeRun *run)
{
	if (g_str_equal(run->side, "head")) {
		run->failure_code = CALIBRATES_FAILURE;
		run->failure = "its command starts bench";
	}
}

static void one_that_a_run_of_head_executes_ends_the_benchmark(void **state)
{
	static const char *const configs[] = {TIMED, COUNTED, BOTH};
	GateFixture *f = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(configs); i++) {
		gate_fixture_base(f, configs[i], COSTS);
		gate_fixture_head(f, SLOWER);
		f->request.base = "HEAD~1";
		fake_host.on_run = calibrate_head;
		assert_ends(gate_fixture_check(f), 4, "calibrates_itself");
		assert_says(gate_fixture_said(), "benchmark work of head, ");
		assert_ends(gate_fixture_measure(f), 4, "calibrates_itself");
		fake_host.on_run = NULL;
	}
}

static void a_program_that_is_meant_so_is_taken(void **state)
{
	GateFixture *f = *state;
	put_program(f, "version: 1\nbenchmarks: [{name: work, command: [./bench], framework: none}]\n");
	assert_ends(gate_fixture_check(f), 0, "");
}

static void callgrind_needs_iterations_that_can_be_fixed(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f,
	        "version: 1\nbenchmarks: [{name: work, command: [true], framework: nanobench, engines: [callgrind]}]\n",
	        COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
	assert_says(gate_fixture_said(), "take callgrind out of `engines`");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(both_sides_do_the_iterations_that_base_needs),
	        GATE_TEST(base_is_asked_also_where_only_layouts_run),
	        GATE_TEST(iterations_that_are_named_are_taken),
	        GATE_TEST(a_program_that_does_not_obey_ends_the_benchmark),
	        GATE_TEST(a_filter_without_a_match_ends_the_benchmark),
	        GATE_TEST(a_case_that_measures_nothing_ends_the_benchmark),
	        GATE_TEST(work_that_head_alone_has_lost_ends_the_benchmark),
	        GATE_TEST(one_of_several_cases_that_head_alone_has_lost_ends_the_benchmark),
	        GATE_TEST(work_that_base_alone_has_lost_ends_the_benchmark),
	        GATE_TEST(a_case_without_work_on_both_sides_is_no_fault),
	        GATE_TEST(cases_that_head_adds_are_left_out),
	        GATE_TEST(a_program_that_calibrates_itself_is_refused),
	        GATE_TEST(it_is_refused_also_where_only_layouts_run),
	        GATE_TEST(one_that_a_run_of_head_executes_ends_the_benchmark),
	        GATE_TEST(a_program_that_is_meant_so_is_taken),
	        GATE_TEST(callgrind_needs_iterations_that_can_be_fixed),
	};
	return run_gate_tests(tests);
}
