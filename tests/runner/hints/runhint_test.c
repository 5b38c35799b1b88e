/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what becomes of runs that did not do their work. */
#include "runner/hints/runhint.h"

#include "tests/runner/hintfixture.h"

#include <errno.h>

typedef struct {
	Config *config;
	Side side;
	FindingList *findings;
	RunOutcome outcome;
	ChildResult result;
} Fixture;

static void begin(Fixture *f, const char *tree, const char *command)
{
	g_autofree char *text = g_strdup_printf("version: 1\nbenchmarks: [{name: one, command: %s}]\n", command);
	*f = (Fixture){
	        .config = config_parse(text, strlen(text), "firebreak.yml", NULL),
	        .side = {.name = "head", .tree_dir = (char *)tree},
	        .findings = finding_list_new(),
	        .result = {.out = g_string_new(NULL), .err = g_string_new(NULL)},
	};
}

static void end(Fixture *f)
{
	run_outcome_clear(&f->outcome);
	finding_list_free(f->findings);
	config_free(f->config);
	g_string_free(f->result.out, TRUE);
	g_string_free(f->result.err, TRUE);
}

static void hint(Fixture *f, gboolean timed)
{
	const RunRequest request = {.benchmark = f->config->benchmarks->pdata[0], .side = &f->side};
	run_hint(&request, &f->result, timed, f->findings, &f->outcome);
}

static void a_failed_start_gets_its_hint_in_the_first_line(void **state)
{
	Fixture f;
	put(*state, "build/one", ELF, 0755);
	begin(&f, *state, "[./one]");
	f.result.exec_errno = ENOENT;
	run_outcome_fail(&f.outcome, "benchmark_failed", FALSE, "./one could not be started: No such file\nmore");
	hint(&f, TRUE);
	assert_string_equal(
	        f.outcome.failure, "./one could not be started: No such file; did you mean ./build/one?\nmore");
	end(&f);
}

static void a_shell_that_finds_no_command_gets_it_too(void **state)
{
	Fixture f;
	put(*state, "build/one", ELF, 0755);
	begin(&f, *state, "FAST=1 ./one --all");
	f.result.exit_code = 127;
	run_outcome_fail(&f.outcome, "benchmark_failed", FALSE, "/bin/sh exited with 127");
	hint(&f, TRUE);
	assert_string_equal(f.outcome.failure, "/bin/sh exited with 127; did you mean ./build/one?");
	end(&f);
}

static void a_failure_for_lack_of_a_file_says_where_it_is(void **state)
{
	Fixture f;
	put(*state, "bench/big.json", "{}", 0644);
	begin(&f, *state, "[./one]");
	f.result.exit_code = 1;
	g_string_assign(f.result.err, "cannot open big.json\n");
	run_outcome_fail(&f.outcome, "benchmark_failed", FALSE, "./one exited with 1\ncannot open big.json");
	hint(&f, TRUE);
	assert_has(f.outcome.failure, "./one exited with 1; the checkout has bench/big.json: set `cwd: bench`");
	end(&f);
}

static void a_run_that_only_complains_is_no_measurement(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	f.result.user_ns = 2000000;
	g_string_assign(f.result.out, "usage: one [OPTION...]\n");
	hint(&f, TRUE);
	assert_string_equal(f.outcome.failure_code, "prints_error");
	assert_has(f.outcome.failure, "printed \"usage: one [OPTION...]\", exited with 0 and used 2 ms of CPU time");
	assert_has(f.outcome.failure, "mend the arguments in `command`");
	end(&f);
}

static void a_counted_run_that_only_says_how_it_is_used_is_no_measurement(void **state)
{
	static const struct {
		const char *out, *command;
		guint64 instructions;
		gboolean fails;
	} rows[] = {
	        {"Usage: one [OPTION...]\n", "[./one]", 150000, TRUE},
	        {"No tests ran\n", "[./one]", 49999999, TRUE},
	        {"Usage: one [OPTION...]\n", "[./one]", 50000000, FALSE},
	        {"Usage: one [OPTION...]\n", "[./one], error_output: allow", 150000, FALSE},
	        {"error: no cache, going on without\n", "[./one]", 150000, FALSE},
	        {"sum 12\n", "[./one]", 150000, FALSE},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Fixture f;
		begin(&f, *state, rows[i].command);
		g_string_assign(f.result.out, rows[i].out);
		const RunRequest request = {.benchmark = f.config->benchmarks->pdata[0], .side = &f.side};
		run_hint_counted(&request, &f.result, rows[i].instructions, &f.outcome);
		assert_int_equal(f.outcome.failure_code != NULL, rows[i].fails);
		if (rows[i].fails)
			assert_has(f.outcome.failure, "instructions, so that nothing was measured");
		end(&f);
	}
}

static void one_that_complains_and_works_is_a_finding(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	f.result.user_ns = 900000000;
	g_string_assign(f.result.err, "error: cache is cold\n");
	hint(&f, TRUE);
	assert_null(f.outcome.failure_code);
	assert_int_equal(finding_count(f.findings), 1);
	assert_string_equal(finding_get(f.findings, 0)->code, "prints_error");
	assert_has(finding_get(f.findings, 0)->text, "head prints \"error: cache is cold\" and exits with 0");
	end(&f);
}

/* 27 ms of a real program that says "file not found, using defaults" on both sides. */
static void a_short_run_that_misses_a_file_is_judged_beside_the_other_side(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	f.result.user_ns = 27000000;
	g_string_assign(f.result.err, "one: defaults.ini: file not found, using defaults\nerror: no cache\n");
	g_string_assign(f.result.out, "sum 12\nerror: no cache\nerror: full\n");
	hint(&f, TRUE);
	assert_null(f.outcome.failure_code);
	assert_int_equal(f.outcome.complaints->len, 4);
	assert_string_equal(f.outcome.complaints->pdata[0], "one: defaults.ini: file not found, using defaults");
	assert_string_equal(f.outcome.complaints->pdata[3], "error: full");
	end(&f);
}

static void a_run_that_stops_at_a_missing_file_is_no_measurement(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	f.result.user_ns = 2000000;
	g_string_assign(f.result.err, "error: cannot open data.txt\n");
	hint(&f, TRUE);
	assert_string_equal(f.outcome.failure_code, "prints_error");
	assert_has(f.outcome.failure, "set `error_output: allow`");
	end(&f);
}

static void a_line_that_changes_with_each_run_is_told_once(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	f.result.user_ns = 900000000;
	for (guint i = 0; i < 5; i++) {
		g_string_printf(f.result.err, "error: no cache after %u us\n", i);
		hint(&f, TRUE);
		run_outcome_clear(&f.outcome);
	}
	assert_int_equal(finding_count(f.findings), 1);
	end(&f);
}

static void errors_that_are_meant_are_left_alone(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one], error_output: allow");
	f.result.user_ns = 2000000;
	g_string_assign(f.result.err, "usage: one [OPTION...]\nerror: no cache\n");
	hint(&f, TRUE);
	assert_null(f.outcome.failure_code);
	assert_null(f.outcome.complaints);
	assert_int_equal(finding_count(f.findings), 0);
	end(&f);
}

static void time_under_valgrind_tells_nothing(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	g_string_assign(f.result.err, "error: cache is cold\n");
	hint(&f, FALSE);
	assert_null(f.outcome.failure_code);
	assert_int_equal(finding_count(f.findings), 1);
	end(&f);
}

static void a_quiet_run_is_left_alone(void **state)
{
	Fixture f;
	begin(&f, *state, "[./one]");
	g_string_assign(f.result.out, "parsed 12 files, error: 0.001\n");
	hint(&f, TRUE);
	assert_null(f.outcome.failure_code);
	assert_int_equal(finding_count(f.findings), 0);
	end(&f);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        TEST(a_failed_start_gets_its_hint_in_the_first_line),
	        TEST(a_shell_that_finds_no_command_gets_it_too),
	        TEST(a_failure_for_lack_of_a_file_says_where_it_is),
	        TEST(a_run_that_only_complains_is_no_measurement),
	        TEST(a_counted_run_that_only_says_how_it_is_used_is_no_measurement),
	        TEST(one_that_complains_and_works_is_a_finding),
	        TEST(a_short_run_that_misses_a_file_is_judged_beside_the_other_side),
	        TEST(a_run_that_stops_at_a_missing_file_is_no_measurement),
	        TEST(a_line_that_changes_with_each_run_is_told_once),
	        TEST(errors_that_are_meant_are_left_alone),
	        TEST(time_under_valgrind_tells_nothing),
	        TEST(a_quiet_run_is_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
