/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks that base's configuration lacks, and the endings where base cannot run them. */
#include "gate/gatenew.h"

#include "compare/outcomewords.h"
#include "tests/gate/fixture/gatefixture.h"

#define ENTRY(more) "{name: other, command: ./other" more "}"
#define ALONE(entry) "version: 1\nbenchmarks: [" entry "]\n"
#define TWO(entry) "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- " entry "\n"
#define FILES ENTRY(", files: [bench/, other.costs]")

/* Base with `work`, head with `other`, too, whose costs base lacks. */
static void add_other(GateFixture *f, const char *entry, const char *costs)
{
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", entry);
	gate_fixture_put(f, "other.costs", costs);
	gate_fixture_commit(f, "another benchmark");
}

static const ResultBenchmark *row(const GateFixture *f, guint index, const char *name)
{
	assert_true(index < f->result->benchmarks->len);
	const ResultBenchmark *benchmark = f->result->benchmarks->pdata[index];
	assert_string_equal(benchmark->name, name);
	return benchmark;
}

static void base_gets_the_files_that_it_lacks(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(FILES), COSTS);
	gate_fixture_put(f, "bench/other.c", "int main;");
	gate_fixture_commit(f, "its source");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(row(f, 1, "other")->comparison->verdict, VERDICT_PASS);
	assert_says(found(f->result, "files_laid_over")->text, "2 files (bench/other.c, other.costs)");
}

/* The file of base costs less, and head's does not replace it. */
static void base_keeps_what_it_has(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	add_other(f, TWO(FILES), SLOWER);
	gate_fixture_put(f, "bench/other.c", "int main;");
	gate_fixture_commit(f, "its source");
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_says(found(f->result, "files_differ")->text, "other.costs");
}

/* Base's rules make nothing of the benchmark, and head's build command is told by them. */
static void base_is_built_by_the_rules_of_head(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "bench/Makefile", "old");
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "bench/Makefile", "new");
	gate_fixture_put(f, "bench/costs", COSTS);
	gate_fixture_put(f, "firebreak.yml",
	        TWO(ENTRY(", files: [bench/]")) "build: {command: 'grep -q new bench/Makefile && cp bench/costs "
	                                        "other.costs'}\n");
	gate_fixture_commit(f, "another benchmark");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(row(f, 1, "other")->comparison->verdict, VERDICT_PASS);
	assert_says(found(f->result, "files_laid_over")->text, "bench/Makefile, bench/costs");
}

/* The number of times that the build of base was told, made now or before. */
static guint times_base_was_built(void)
{
	guint n = 0;
	g_auto(GStrv) lines = g_strsplit(gate_fixture_said(), "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		n += g_regex_match_simple("^base [0-9a-f]{12}: (built before|checking out)$", lines[i], 0, 0);
	return n;
}

static void a_base_that_cannot_run_it_is_nothing_to_compare(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(ENTRY()), COSTS);
	assert_ends(gate_fixture_check(f), 0, "nothing_to_compare");
	assert_int_equal(f->result->verdict, VERDICT_PASS);
	assert_int_equal(row(f, 0, "work")->comparison->verdict, VERDICT_PASS);
	assert_string_equal(row(f, 1, "other")->comparison->reason_code, "nothing_to_compare");
	assert_int_equal(measurement_n_runs(row(f, 1, "other")->head), 8);
	assert_int_equal(times_base_was_built(), 1);
	g_autofree char *first = check_result_reason(f->result);
	assert_true(g_str_has_prefix(first, "1 benchmark passed"));
	assert_says(first, "; 1 new benchmark: nothing to compare yet");
}

static void a_counted_benchmark_has_nothing_to_compare_either(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(ENTRY(", engines: [callgrind]")), COSTS);
	assert_ends(gate_fixture_check(f), 0, "nothing_to_compare");
	assert_int_equal(measurement_n_runs(row(f, 1, "other")->head), 2);
}

static void a_slower_known_benchmark_comes_first(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(ENTRY()), COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_string_equal(row(f, 1, "other")->comparison->reason_code, "nothing_to_compare");
}

static void a_new_benchmark_that_head_cannot_run_is_an_error(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_put(f, "firebreak.yml", TWO(ENTRY()));
	gate_fixture_commit(f, "another benchmark");
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
}

static void lose_data_of_base(FakeRun *run)
{
	if (g_str_equal(run->benchmark->name, "other") && g_str_equal(run->side, "base"))
		run->failure_code = "data_lost";
}

/* The machine is to blame, not base. */
static void a_run_of_base_that_is_not_valid_is_no_excuse(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = lose_data_of_base;
	gate_fixture_put(f, "other.costs", COSTS);
	add_other(f, TWO(ENTRY()), COSTS);
	assert_ends(gate_fixture_check(f), 4, "measurement_invalid");
}

static void benchmarks_of_base_that_are_left_out_are_no_pass(void **state)
{
	GateFixture *f = *state;
	char *names[] = {(char *)"other", NULL};
	f->request.benchmarks = names;
	add_other(f, TWO(ENTRY()), COSTS);
	assert_ends(gate_fixture_check(f), 3, "nothing_to_compare");
}

static void the_first_configuration_is_tried_on_base(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "other.costs", SLOWER);
	gate_fixture_put(f, "firebreak.yml", ALONE(ENTRY()));
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 1, "regression");
}

static void a_base_without_configuration_that_cannot_be_built_is_nothing_to_compare(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "README", "text");
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_put(f, "firebreak.yml", "build: {command: test -e other.costs}\n" ALONE(ENTRY()));
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 0, "nothing_to_compare");
	g_autofree char *first = check_result_reason(f->result);
	assert_string_equal(first, "1 new benchmark: nothing to compare yet");
	const ResultReason *why = f->result->reasons->pdata[0];
	assert_says(why->text, "base cannot be built for it");
}

static void what_the_build_of_base_wrote_is_told_line_by_line(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "README", "text");
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_put(f, "firebreak.yml",
	        "build: {command: 'test -e other.costs || { echo no costs here; exit 3; }'}\n" ALONE(ENTRY()));
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 0, "nothing_to_compare");
	assert_says(gate_fixture_said(), "no costs here");
	assert_null(strstr(gate_fixture_said(), "\\n"));
}

static void a_head_that_cannot_be_built_is_an_error(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "README", "text");
	gate_fixture_commit(f, "base");
	gate_fixture_put(f, "firebreak.yml", "build: {command: 'false'}\n" ALONE(ENTRY()));
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 5, "build_failed");
}

/* Head would be free to make any benchmark a new one. */
static void a_base_that_cannot_be_read_is_no_base_without_benchmarks(void **state)
{
	GateFixture *f = *state;
	f->request.allow_policy_change = TRUE;
	gate_fixture_base(f, "version: 1\nbenchmraks: []\n", COSTS);
	gate_fixture_put(f, "firebreak.yml", ALONE(ENTRY()));
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_commit(f, "a gate");
	assert_ends(gate_fixture_check(f), 3, "nothing_to_compare");
}

static void a_new_benchmark_changes_nothing_for_the_known_ones(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(ENTRY(", files: [work.costs, other.costs]")), COSTS);
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_check(f), 1, "regression");
	assert_string_equal(((ResultReason *)f->result->reasons->pdata[0])->benchmark, "work");
}

/* Head's configuration says how base is built for it. */
static void base_as_head_builds_it_is_not_stored(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	add_other(f, TWO(ENTRY()), COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 1);
	assert_int_equal(stored_baselines(f, "main"), 2);
}

static void only_head_is_stored_of_it(void **state)
{
	GateFixture *f = *state;
	add_other(f, TWO(ENTRY(", files: [other.costs]")), COSTS);
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base"), 1);
	assert_int_equal(stored_baselines(f, "main"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(base_gets_the_files_that_it_lacks),
	        GATE_TEST(base_keeps_what_it_has),
	        GATE_TEST(base_is_built_by_the_rules_of_head),
	        GATE_TEST(a_base_that_cannot_run_it_is_nothing_to_compare),
	        GATE_TEST(a_counted_benchmark_has_nothing_to_compare_either),
	        GATE_TEST(a_slower_known_benchmark_comes_first),
	        GATE_TEST(a_new_benchmark_that_head_cannot_run_is_an_error),
	        GATE_TEST(a_run_of_base_that_is_not_valid_is_no_excuse),
	        GATE_TEST(benchmarks_of_base_that_are_left_out_are_no_pass),
	        GATE_TEST(the_first_configuration_is_tried_on_base),
	        GATE_TEST(a_base_without_configuration_that_cannot_be_built_is_nothing_to_compare),
	        GATE_TEST(what_the_build_of_base_wrote_is_told_line_by_line),
	        GATE_TEST(a_head_that_cannot_be_built_is_an_error),
	        GATE_TEST(a_base_that_cannot_be_read_is_no_base_without_benchmarks),
	        GATE_TEST(a_new_benchmark_changes_nothing_for_the_known_ones),
	        GATE_TEST(base_as_head_builds_it_is_not_stored),
	        GATE_TEST(only_head_is_stored_of_it),
	};
	return run_gate_tests(tests);
}
