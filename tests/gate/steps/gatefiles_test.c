/* SPDX-License-Identifier: Apache-2.0 */
/* Whose version of a benchmark's files is run, once base has the benchmark. */
#include "gate/steps/gatefiles.h"

#include "tests/gate/fixture/gatefixture.h"

#define CONFIG(keys) "version: 1\nbenchmarks: [{name: work, command: ./work" keys "}]\n"
#define OF_BASE CONFIG(", files: [work.costs]")
#define OF_HEAD CONFIG(", files: [work.costs], files_from: head")
#define NEARLY "main 20 1001\nparse 80 19000\nsort 400 80000\n" /* within the margin */
#define EASIER "main 20 1000\n"

static void head_runs_the_files_of_base(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(
	        found(f->result, "files_laid_over")->text, "head is built with base's version of 1 file (work.costs)");
}

static void files_that_head_deletes_are_there(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_delete(f, "work.costs");
	gate_fixture_commit(f, "no benchmark");
	assert_ends(gate_fixture_check(f), 0, "");
	found(f->result, "files_laid_over");
}

static void files_that_head_adds_to_a_folder_are_not(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "bench/Makefile", "real");
	gate_fixture_base(f,
	        "version: 1\nbuild: {command: 'test ! -e bench/GNUmakefile'}\n"
	        "benchmarks: [{name: work, command: ./work, files: [bench]}]\n",
	        COSTS);
	gate_fixture_put(f, "bench/GNUmakefile", "easier");
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
}

static void base_runs_those_of_head_where_its_rules_say_so(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_HEAD, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "files_laid_over")->text, "base is built with head's version");
}

static void head_cannot_take_its_own_by_itself(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_put(f, "firebreak.yml", OF_HEAD);
	gate_fixture_head(f, EASIER);
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
}

static void files_that_head_no_longer_names_weaken_the_gate(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_put(f, "firebreak.yml", CONFIG(""));
	gate_fixture_head(f, EASIER);
	assert_ends(gate_fixture_check(f), 9, "policy_changed");
}

static void each_side_has_its_own_where_a_person_allows_that(void **state)
{
	GateFixture *f = *state;
	f->request.allow_policy_change = TRUE;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_says(found(f->result, "files_differ")->text, "work.costs");
}

/* Else the next check would take the counts of base's files for those of head's. */
static void what_was_laid_over_is_not_stored(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, OF_BASE, COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 1);
	assert_int_equal(stored_baselines(f, "main"), 0);
}

static void counts_of_files_that_were_laid_over_are_not_stored(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, CONFIG(", files: [work.costs], files_from: head, engines: [callgrind]"), COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 0);
	assert_int_equal(stored_baselines(f, "main"), 1);
}

/* Stored are the counts of base's own files. */
static void stored_counts_do_not_stand_for_head_s_files(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, CONFIG(", files: [work.costs], files_from: head, engines: [callgrind]"), COSTS);
	gate_fixture_commit(f, "the same");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 1);
	gate_fixture_head(f, NEARLY);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(only_benchmark(f->result)->base_source, BASE_MEASURED);
}

static void files_that_base_has_not_got_are_told(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, CONFIG(", files: [bench/]"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "files_missing")->text, "bench");
}

static void files_of_a_new_benchmark_that_head_has_not_got_are_a_mistake(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "work.costs", COSTS);
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "firebreak.yml", CONFIG(", files: [bnech]"));
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 2, "usage");
	assert_int_equal(fake_host.timed[SIDE_BASE], 0);
}

static void paths_that_lead_out_are_a_mistake(void **state)
{
	GateFixture *f = *state;
	static const char *const configs[] = {CONFIG(", files: [../other]"), CONFIG(", files: [/etc/passwd]"),
	        CONFIG(", files: [bench/../../x]"), CONFIG(", files: [./]"), CONFIG(", files: [.git/config]")};
	gate_fixture_put(f, "work.costs", COSTS);
	gate_fixture_commit(f, "base");
	for (gsize i = 0; i < G_N_ELEMENTS(configs); i++) {
		gate_fixture_put(f, "firebreak.yml", configs[i]);
		gate_fixture_commit(f, "a gate");
		assert_ends(gate_fixture_check(f), 2, "usage");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(head_runs_the_files_of_base),
	        GATE_TEST(files_that_head_deletes_are_there),
	        GATE_TEST(files_that_head_adds_to_a_folder_are_not),
	        GATE_TEST(base_runs_those_of_head_where_its_rules_say_so),
	        GATE_TEST(head_cannot_take_its_own_by_itself),
	        GATE_TEST(files_that_head_no_longer_names_weaken_the_gate),
	        GATE_TEST(each_side_has_its_own_where_a_person_allows_that),
	        GATE_TEST(what_was_laid_over_is_not_stored),
	        GATE_TEST(counts_of_files_that_were_laid_over_are_not_stored),
	        GATE_TEST(stored_counts_do_not_stand_for_head_s_files),
	        GATE_TEST(files_that_base_has_not_got_are_told),
	        GATE_TEST(files_of_a_new_benchmark_that_head_has_not_got_are_a_mistake),
	        GATE_TEST(paths_that_lead_out_are_a_mistake),
	};
	return run_gate_tests(tests);
}
