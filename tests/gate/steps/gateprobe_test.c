/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that is new is tried on base: which failures mean that base cannot run it. */
#include "gate/steps/gateprobe.h"

#include "tests/gate/fixture/gatefixture.h"

#define TWO(more)                                                                                                      \
	"version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other" more "}\n"

static const char *code, *text;

/* The new benchmark fails on base, in the check and when it is tried. */
static void fail_on_base(FakeRun *run)
{
	if (!g_str_equal(run->benchmark->name, "other") || !g_str_equal(run->side, "base"))
		return;
	run->failure_code = code;
	run->failure = text;
}

/* The text of the first reason of a check whose head adds a benchmark that fails on base. */
static const char *check_failing(GateFixture *f, const char *config, const char *failure_code, const char *failure)
{
	code = failure_code;
	text = failure;
	fake_host.on_run = fail_on_base;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", config);
	gate_fixture_commit(f, "another benchmark");
	gate_fixture_check(f);
	assert_true(f->result->reasons->len > 0);
	return ((const ResultReason *)f->result->reasons->pdata[0])->text;
}

static void a_program_that_gives_up_cannot_run_on_base(void **state)
{
	GateFixture *f = *state;
	const char *reason = check_failing(f, TWO(""), "benchmark_failed", "./other exited with 7\nno such data\nmore");
	assert_ends(f->result, 0, "nothing_to_compare");
	assert_says(reason, "./other exited with 7");
	assert_says(reason, "no such data");
	assert_null(strstr(reason, "more"));
}

static void a_counted_program_is_tried_under_its_engine(void **state)
{
	GateFixture *f = *state;
	check_failing(f, TWO(", engines: [callgrind]"), "benchmark_failed", "./other exited with 7");
	assert_ends(f->result, 0, "nothing_to_compare");
}

static void what_the_entry_promises_may_be_lacking_on_base(void **state)
{
	GateFixture *f = *state;
	check_failing(f, TWO(""), "region_missing", "no mark was set");
	assert_ends(f->result, 0, "nothing_to_compare");
}

/* Another run may go well: nobody may call that new code that base cannot run, and let it pass. */
static void a_timeout_is_no_lack_of_base(void **state)
{
	GateFixture *f = *state;
	check_failing(f, TWO(""), "timeout", "./other timed out after 10 s");
	assert_ends(f->result, 4, "measurement_invalid");
}

static void lost_data_are_no_lack_of_base(void **state)
{
	GateFixture *f = *state;
	check_failing(f, TWO(""), "data_lost", "samples were lost");
	assert_ends(f->result, 4, "measurement_invalid");
}

static guint runs_on_base;

static void count_on_base(FakeRun *run)
{
	runs_on_base += g_str_equal(run->benchmark->name, "other") && g_str_equal(run->side, "base");
}

static void a_base_without_the_folder_is_not_even_tried(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", TWO(", cwd: bench"));
	gate_fixture_put(f, "bench/note", "there is a folder now");
	gate_fixture_commit(f, "another benchmark");
	runs_on_base = 0;
	fake_host.on_run = count_on_base;
	assert_ends(gate_fixture_check(f), 0, "nothing_to_compare");
	assert_says(((const ResultReason *)f->result->reasons->pdata[0])->text, "bench");
	assert_int_equal(runs_on_base, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_program_that_gives_up_cannot_run_on_base),
	        GATE_TEST(a_counted_program_is_tried_under_its_engine),
	        GATE_TEST(what_the_entry_promises_may_be_lacking_on_base),
	        GATE_TEST(a_timeout_is_no_lack_of_base),
	        GATE_TEST(lost_data_are_no_lack_of_base),
	        GATE_TEST(a_base_without_the_folder_is_not_even_tried),
	};
	return run_gate_tests(tests);
}
