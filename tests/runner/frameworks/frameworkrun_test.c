/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworkrun.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ConfigBenchmark *benchmark_of(FrameworkId id, const char *command, const char *filter)
{
	ConfigBenchmark *benchmark = config_benchmark_new();
	g_auto(GStrv) words = g_strsplit(command, "|", -1);
	benchmark->name = g_strdup("one");
	benchmark->command = g_strdupv(words);
	benchmark->framework = id;
	benchmark->filter = g_strdup(filter);
	return benchmark;
}

static void arguments_fix_the_work_at_the_end_of_a_command(void **state)
{
	static const struct {
		FrameworkId id;
		const char *command, *filter;
		guint iterations;
		const char *wanted;
	} rows[] = {
	        {FRAMEWORK_NONE, "./b|-x", NULL, 0, "./b|-x"},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b|-x", "BM_a", 500, "./b|-x"},
	        {FRAMEWORK_GO, "./p.test", NULL, 500, "./p.test|-test.run=^$|-test.bench=.|-test.benchtime=500x"},
	        {FRAMEWORK_GO, "/bin/sh|-c|cd p && ./p.test\n", "A b", 7,
	                "/bin/sh|-c|cd p && ./p.test '-test.run=^$' '-test.bench=A b' '-test.benchtime=7x'"},
	        {FRAMEWORK_GO, "firebreak-yardstick|extend|.1|/bin/sh|-c|./p.test", "A", 7,
	                "firebreak-yardstick|extend|.1|/bin/sh|-c|./p.test '-test.run=^$' '-test.bench=A' "
	                "'-test.benchtime=7x'"},
	        {FRAMEWORK_CATCH2, "./t", "[fast]", 1000,
	                "./t|[fast]|--reporter=xml|--benchmark-no-analysis|--benchmark-samples=1000|"
	                "--benchmark-warmup-time=1"},
	        {FRAMEWORK_LIBTEST, "./r", "bench_a", 0, "./r|--bench|--exact|bench_a"},
	        {FRAMEWORK_LIBTEST, "./r", NULL, 0, "./r|--bench"},
	        {FRAMEWORK_CRITERION, "./r", "^a$", 0, "./r|--bench|--noplot|--nresamples=2000|^a$"},
	        {FRAMEWORK_NANOBENCH, "./n", NULL, 0, "./n"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(ConfigBenchmark) benchmark = benchmark_of(rows[i].id, rows[i].command, rows[i].filter);
		const FrameworkRun run = {.benchmark = benchmark, .dir = "/run", .iterations = rows[i].iterations};
		g_auto(GStrv) command = framework_command(&run);
		g_autofree char *text = g_strjoinv("|", command);
		assert_string_equal(text, rows[i].wanted);
	}
}

static void go_is_asked_for_memory_where_that_gates(void **state)
{
	static const char text[] = "version: 1\nbenchmarks: [{name: one, command: [./p.test], framework: go, gate: "
	                           "{allocations-per-iteration: {}}}]\n";
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	const FrameworkRun run = {.benchmark = config_benchmark(config, "one"), .dir = "/run", .iterations = 7};
	g_auto(GStrv) command = framework_command(&run);
	(void)state;
	assert_true(g_strv_contains((const char *const *)command, "-test.benchmem"));
}

static void google_benchmark_is_told_by_variables(void **state)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(FRAMEWORK_GOOGLE_BENCHMARK, "./b", "^BM_a$");
	const FrameworkRun fixed = {.benchmark = benchmark, .dir = "/run", .iterations = 500};
	const FrameworkRun free = {.benchmark = benchmark, .dir = "/run"};
	g_auto(GStrv) told = framework_environment(&fixed, g_new0(char *, 1));
	g_auto(GStrv) untold = framework_environment(&free, g_new0(char *, 1));
	(void)state;
	assert_string_equal(g_environ_getenv(told, "BENCHMARK_MIN_TIME"), "500x");
	assert_string_equal(g_environ_getenv(told, "BENCHMARK_FILTER"), "^BM_a$");
	assert_string_equal(g_environ_getenv(told, "BENCHMARK_OUT"), "/run/framework.json");
	assert_null(g_environ_getenv(told, "V"));
	assert_string_equal(g_environ_getenv(untold, "BENCHMARK_MIN_TIME"), "0.5");
	assert_string_equal(g_environ_getenv(untold, "V"), "2");
}

/* A case as it was read; all repetitions alike. */
typedef struct {
	const char *name;
	double iterations, reported, ns;
	guint repetitions;
} Row;

/* The units of work of these cases, or NaN if they are refused. */
static double work_of(FrameworkId id, guint iterations, double cpu_ns, const Row *rows, guint n)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(id, "./b", NULL);
	g_autoptr(GPtrArray) cases = framework_cases_new();
	g_autoptr(GError) error = NULL;
	const FrameworkRun run = {.benchmark = benchmark, .dir = "/run", .iterations = iterations};
	double work = 0;
	for (guint i = 0; i < n; i++) {
		FrameworkCase *one = framework_cases_get(cases, rows[i].name);
		for (guint r = 0; r < MAX(rows[i].repetitions, 1); r++)
			framework_case_add(one, rows[i].iterations, rows[i].ns);
		one->reported = rows[i].reported;
	}
	if (framework_work(&run, cases, cpu_ns, &work, &error))
		return work;
	print_message("%s\n", error->message);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	return NAN;
}

static void the_iterations_that_were_asked_for_are_the_work(void **state)
{
	static const Row same[] = {{"a", 500, 500, 10, 1}, {"b", 500, 500, 99, 1}};
	static const Row repeated[] = {{"a", 500, 500, 10, 3}};
	static const Row threads[] = {{"a/threads:4", 2000, 2000, 10, 1}};
	static const Row go[] = {{"BenchmarkA", 501, 500, 10, 1}};
	(void)state;
	assert_true(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 500, NAN, same, 2) == 500);
	assert_true(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 500, NAN, repeated, 1) == 1500);
	assert_true(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 500, NAN, threads, 1) == 500);
	assert_true(work_of(FRAMEWORK_GO, 500, NAN, go, 1) == 501);
}

static void a_program_that_did_other_iterations_than_asked_for_is_refused(void **state)
{
	static const Row ignored[] = {{"a", 1345, 1345, 10, 1}},
	                 one_of_two[] = {{"a", 500, 500, 1, 1}, {"b", 7, 7, 1, 1}};
	static const Row samples[] = {{"a", 700, 10, 1, 1}};
	(void)state;
	assert_true(isnan(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 500, NAN, ignored, 1)));
	assert_true(isnan(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 500, NAN, one_of_two, 2)));
	assert_true(isnan(work_of(FRAMEWORK_GO, 500, NAN, ignored, 1)));
	assert_true(isnan(work_of(FRAMEWORK_CATCH2, 20, NAN, samples, 1)));
}

static void iterations_that_a_framework_chose_are_the_work_of_one_case(void **state)
{
	static const Row one[] = {{"a", 1123, 556, 10, 1}}, differ[] = {{"a", 1123, 10, 1, 1}, {"b", 7, 10, 1, 1}};
	(void)state;
	assert_true(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 0, NAN, one, 1) == 1123);
	assert_true(isnan(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 0, NAN, differ, 2)));
}

static void where_only_a_time_is_said_CPU_time_tells_the_work(void **state)
{
	static const Row one[] = {{"a", NAN, NAN, 50, 1}, {"b", NAN, NAN, 50, 1}}, none[] = {{"a", NAN, NAN, 0, 1}};
	static const Row samples[] = {{"a", 1000, 20, 50, 1}};
	(void)state;
	assert_true(work_of(FRAMEWORK_LIBTEST, 0, 1e6, one, 1) == 20000);
	assert_true(work_of(FRAMEWORK_LIBTEST, 0, 1e6, one, 2) == 10000);
	assert_true(work_of(FRAMEWORK_CATCH2, 0, 1e6, samples, 1) == 20000);
	assert_true(isnan(work_of(FRAMEWORK_LIBTEST, 0, 1e6, none, 1)));
	assert_true(isnan(work_of(FRAMEWORK_NANOBENCH, 0, NAN, one, 1)));
}

/* The outcome of a run that printed this. */
static void judge_into(FrameworkId id, guint iterations, const char *out, FindingList *findings, RunOutcome *outcome)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(id, "./b", "X");
	g_autoptr(GString) written = g_string_new(out), err = g_string_new("");
	const FrameworkRun run = {.benchmark = benchmark, .dir = "/nonexistent", .iterations = iterations};
	const ChildResult result = {.out = written, .err = err};
	outcome->metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric));
	outcome->own = own_metrics_parse("", 0, NULL);
	framework_judge(&run, &result, findings, outcome);
}

static void judge(FrameworkId id, guint iterations, const char *out, RunOutcome *outcome)
{
	g_autoptr(FindingList) findings = finding_list_new();
	judge_into(id, iterations, out, findings, outcome);
}

/* `lost` bytes were written before what was kept. */
static char *reading_of(FrameworkId id, const char *out, gsize length, guint64 lost)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(id, "./b", NULL);
	g_autoptr(GString) written = g_string_new_len(out, (gssize)length), err = g_string_new("");
	g_autoptr(GError) error = NULL;
	const FrameworkRun run = {.benchmark = benchmark, .dir = "/nonexistent"};
	const ChildResult result = {.out = written, .err = err, .out_bytes = length + lost};
	g_autoptr(GPtrArray) cases = framework_read(&run, &result, &error);
	return g_strdup(cases == NULL ? error->message : "read");
}

static void output_that_was_not_kept_as_a_whole_is_refused(void **state)
{
	static const char go[] = "BenchmarkX 5 5 ns/op\n", split[] = "BenchmarkX 5 5 ns/op\n\0BenchmarkY 5 5 ns/op\n";
	g_autofree char *whole = reading_of(FRAMEWORK_GO, go, strlen(go), 0);
	g_autofree char *part = reading_of(FRAMEWORK_GO, go, strlen(go), 70);
	g_autofree char *nul = reading_of(FRAMEWORK_GO, split, sizeof split - 1, 0);
	(void)state;
	assert_string_equal(whole, "read");
	assert_true(g_str_has_prefix(part, "wrote 91 bytes to standard output, of which 21 are kept"));
	assert_true(g_str_has_prefix(nul, "wrote NUL bytes to standard output"));
}

static void work_that_cannot_be_is_refused(void **state)
{
	static const Row slow[] = {{"a", NAN, NAN, 1e14, 1}}, quick[] = {{"a", NAN, NAN, 1e-9, 1}};
	static const Row many[] = {{"a", 1e15, 1e15, 10, 9}};
	(void)state;
	assert_true(isnan(work_of(FRAMEWORK_NANOBENCH, 0, 1e9, slow, 1)));
	assert_true(isnan(work_of(FRAMEWORK_NANOBENCH, 0, 1e9, quick, 1)));
	assert_true(isnan(work_of(FRAMEWORK_GOOGLE_BENCHMARK, 0, 1e9, many, 1)));
}

static void a_run_whose_work_the_compiler_removed_has_failed(void **state)
{
	static const struct {
		FrameworkId id;
		const char *out, *says;
	} rows[] = {
	        {FRAMEWORK_GO, "BenchmarkX 1000 0.2516 ns/op\n",
	                "an iteration of BenchmarkX takes 0.25 ns, less than a CPU cycle"},
	        {FRAMEWORK_LIBTEST, "test X ... bench:           0 ns/iter (+/- 0)\n", "an iteration of X takes 0 ns"},
	        {FRAMEWORK_CATCH2,
	                "<Catch><BenchmarkResults name=\"X\" samples=\"1000\" iterations=\"9\"><mean value=\"0.1\"/>"
	                "</BenchmarkResults>",
	                "an iteration of X takes 0.1 ns"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		RunOutcome outcome = {0};
		judge(rows[i].id, rows[i].id == FRAMEWORK_CATCH2 ? 0 : 1000, rows[i].out, &outcome);
		assert_string_equal(outcome.failure_code, "optimized_away");
		assert_true(g_str_has_prefix(outcome.failure, rows[i].says));
		run_outcome_clear(&outcome);
	}
}

static void among_cases_with_work_one_without_is_a_finding(void **state)
{
	g_autoptr(FindingList) findings = finding_list_new();
	RunOutcome outcome = {0};
	(void)state;
	judge_into(FRAMEWORK_GO, 1000, "BenchmarkX 1000 0.25 ns/op\nBenchmarkY 1000 25 ns/op\n", findings, &outcome);
	assert_null(outcome.failure_code);
	assert_true(finding_has(findings, "optimized_away"));
	run_outcome_clear(&outcome);
}

static void what_one_benchmark_lacks_is_told_of_the_next_too(void **state)
{
	g_autoptr(FindingList) findings = finding_list_new();
	RunOutcome outcome = {0};
	(void)state;
	finding_add(findings, FINDING_WARNING, "optimized_away", "another", "...");
	judge_into(FRAMEWORK_GO, 1000, "BenchmarkX 1000 0.25 ns/op\nBenchmarkY 1000 25 ns/op\n", findings, &outcome);
	assert_true(finding_has_of(findings, "optimized_away", "one", "1 of 2 cases"));
	run_outcome_clear(&outcome);
}

static void that_libtest_alone_says_its_iterations_is_told(void **state)
{
	g_autoptr(GString) out = g_string_new("test X ... bench:   500 ns/iter (+/- 0)\n");
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(FRAMEWORK_LIBTEST, "./b", NULL);
	g_autoptr(GString) err = g_string_new("");
	const FrameworkRun run = {.benchmark = benchmark, .dir = "/nonexistent"};
	const ChildResult result = {.out = out, .err = err};
	RunOutcome outcome = {.metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric))};
	const RunMetric clock = {.engine = &engine_perf, .name = "task-clock", .unit = "ns", .value = 1e9};
	(void)state;
	g_array_append_val(outcome.metrics, clock);
	framework_judge(&run, &result, findings, &outcome);
	assert_null(outcome.failure_code);
	assert_true(outcome.facts.work == 2e6);
	assert_true(finding_has(findings, "framework_own_word"));
	run_outcome_clear(&outcome);
}

/* Nothing tells that a run did what was asked for where the library was not loaded. */
static void a_run_whose_iterations_were_not_fixed_has_failed(void **state)
{
	static const struct {
		FrameworkId id;
		const char *out, *says;
	} rows[] = {
	        {FRAMEWORK_LIBTEST, "test X ... bench:   500 ns/iter (+/- 0)\n",
	                "libtest reads the clock a known number of times per Bencher::iter()"},
	        {FRAMEWORK_CATCH2,
	                "<Catch><BenchmarkResults name=\"X\" samples=\"125\" iterations=\"4\"><mean value=\"50\"/>"
	                "</BenchmarkResults>",
	                "catch2 reads the clock a known number of times per BENCHMARK"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		RunOutcome outcome = {0};
		judge(rows[i].id, 500, rows[i].out, &outcome);
		assert_string_equal(outcome.failure_code, "framework_output");
		assert_non_null(strstr(outcome.failure, rows[i].says));
		assert_non_null(strstr(outcome.failure, "from X, or"));
		run_outcome_clear(&outcome);
	}
}

/* A median of half a second for each of 150001 iterations is no result of a run of ten seconds. */
static void a_libtest_that_does_less_than_it_is_made_to_has_failed(void **state)
{
	static const double seconds[] = {10, 40000};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(seconds); i++) {
		g_autofree char *dir = g_dir_make_tmp("frameworkrun-XXXXXX", NULL);
		g_autofree char *log = g_build_filename(dir, "libtest.log", NULL);
		g_autoptr(ConfigBenchmark) benchmark = benchmark_of(FRAMEWORK_LIBTEST, "./b", NULL);
		g_autoptr(GString) out = g_string_new("test X ... bench: 500,000,000.00 ns/iter (+/- 0)\n");
		g_autoptr(GString) err = g_string_new("");
		g_autoptr(FindingList) findings = finding_list_new();
		const FrameworkRun run = {.benchmark = benchmark, .dir = dir, .iterations = 500};
		const ChildResult result = {.out = out, .err = err};
		RunOutcome outcome = {.facts.wall_ns = (guint64)(seconds[i] * 1e9),
		        .metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric))};
		assert_true(g_file_set_contents(log, "204\n", -1, NULL));
		framework_judge(&run, &result, findings, &outcome);
		assert_int_equal(outcome.failure != NULL && strstr(outcome.failure, "another libtest") != NULL, i == 0);
		assert_true(i == 0 || outcome.facts.work == 150001);
		assert_false(finding_has(findings, "framework_own_word"));
		run_outcome_clear(&outcome);
		g_unlink(log);
		g_rmdir(dir);
	}
}

/* nanobench divides by the bytes of a batch. */
static void a_unit_of_nanobench_may_take_less_than_a_cycle(void **state)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(FRAMEWORK_NANOBENCH, "./b", NULL);
	g_autoptr(GPtrArray) cases = framework_cases_new();
	const FrameworkRun run = {.benchmark = benchmark, .dir = "/run", .iterations = 0};
	(void)state;
	framework_case_add(framework_cases_get(cases, "a"), NAN, .1);
	assert_true(framework_measures(&run, cases, NULL));
}

static void a_run_has_its_work_and_the_times_of_its_framework(void **state)
{
	RunOutcome outcome = {0};
	(void)state;
	judge(FRAMEWORK_GO, 1000, "BenchmarkX-2 1000 517.7 ns/op 80 MB/s 16 B/op 2 allocs/op\n", &outcome);
	assert_null(outcome.failure_code);
	assert_true(outcome.facts.work == 1001);
	assert_true(outcome_metric(&outcome, &engine_benchmark, "time-per-iteration") == 517.7);
	assert_true(outcome_metric(&outcome, &engine_benchmark, "bytes-per-second") == 80e6);
	assert_true(outcome_metric(&outcome, &engine_benchmark, "allocations-per-iteration") == 2);
	run_outcome_clear(&outcome);
}

static void a_run_without_a_case_or_output_has_failed(void **state)
{
	static const struct {
		FrameworkId id;
		const char *out, *says;
	} rows[] = {
	        {FRAMEWORK_GO, "PASS\n", "ran no benchmark of go: `filter: X` matches none"},
	        {FRAMEWORK_GO, "BenchmarkX 999 5 ns/op\n", "was asked for 1000 iterations of BenchmarkX"},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "", "wrote no results of google-benchmark"},
	        {FRAMEWORK_CATCH2, "hello\n", "printed no XML of Catch2"},
	        {FRAMEWORK_LIBTEST, "running 0 tests\n", "ran no benchmark of libtest"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		RunOutcome outcome = {0};
		judge(rows[i].id, 1000, rows[i].out, &outcome);
		assert_string_equal(outcome.failure_code, "framework_output");
		assert_true(g_str_has_prefix(outcome.failure, rows[i].says));
		assert_true(outcome.facts.work == 0);
		run_outcome_clear(&outcome);
	}
}

/* The failure code of a run that printed this after it had used so much CPU time, where base ran the cases of `known`:
 * a name and its nanoseconds each. NULL if it counts. */
static const char *code_of(FrameworkId id, const char *known, const char *out, double cpu_ns, RunOutcome *outcome)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(id, "./b", NULL);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GString) written = g_string_new(out), err = g_string_new("");
	g_autoptr(GPtrArray) cases = config_cases_new();
	g_auto(GStrv) words = g_strsplit(known, " ", -1);
	for (char **word = words; *word != NULL; word += 2)
		config_cases_add(cases, word[0], 1, g_ascii_strtod(word[1], NULL));
	const FrameworkRun run = {
	        .benchmark = benchmark,
	        .dir = "/nonexistent",
	        .iterations = id == FRAMEWORK_CATCH2 ? 0 : 1000,
	        .cases = cases,
	};
	const ChildResult result = {.out = written, .err = err};
	const RunMetric clock = {.engine = &engine_perf, .name = "task-clock", .unit = "ns", .value = cpu_ns};
	outcome->metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric));
	g_array_append_val(outcome->metrics, clock);
	outcome->facts.wall_ns = 1000;
	framework_judge(&run, &result, findings, outcome);
	return outcome->failure_code;
}

static void a_run_is_held_to_what_base_ran(void **state)
{
	static const struct {
		FrameworkId id;
		const char *known, *out;
		double cpu_ns;
		const char *code;
	} rows[] = {
	        {FRAMEWORK_GO, "BenchmarkA 5", "BenchmarkA 1000 5 ns/op\n", 6000, NULL},
	        {FRAMEWORK_GO, "BenchmarkA 5 BenchmarkSlow 50", "BenchmarkA 1000 5 ns/op\n", 6000, "cases_differ"},
	        {FRAMEWORK_GO, "BenchmarkA 5", "BenchmarkA 1000 5 ns/op\nBenchmarkB 1000 5 ns/op\n", 6000,
	                "cases_differ"},
	        {FRAMEWORK_GO, "BenchmarkA 5", "BenchmarkA 1000 5 ns/op\nBenchmarkA 1000 5 ns/op\n", 6000,
	                "cases_differ"},
	        /* by the wall it takes twice as long beside its twin, or ten times on a busy machine */
	        {FRAMEWORK_GO, "BenchmarkA 3.5", "BenchmarkA 1000 .5 ns/op\n", 250, "optimized_away"},
	        {FRAMEWORK_GO, "BenchmarkA 3.5", "BenchmarkA 1000 2.5 ns/op\n", 250, "optimized_away"},
	        {FRAMEWORK_GO, "BenchmarkA 5", "BenchmarkA 1000 1 ns/op\n", 500, NULL},
	        {FRAMEWORK_GO, "BenchmarkA .41", "BenchmarkA 1000 .78 ns/op\n", 400, NULL},
	        {FRAMEWORK_GO, "BenchmarkA 50 BenchmarkB 50", "BenchmarkA 1000 70 ns/op\nBenchmarkB 1000 .25 ns/op\n",
	                70000, "optimized_away"},
	        {FRAMEWORK_GO, "BenchmarkA 50 BenchmarkB .25", "BenchmarkA 1000 70 ns/op\nBenchmarkB 1000 .25 ns/op\n",
	                70000, NULL},
	        {FRAMEWORK_CATCH2, "X 9",
	                "<Catch><BenchmarkResults name=\"X\" samples=\"1000\" iterations=\"9\"><mean value=\".5\"/>"
	                "</BenchmarkResults>",
	                500, "optimized_away"},
	        {FRAMEWORK_CATCH2, "X 9",
	                "<Catch><BenchmarkResults name=\"X\" samples=\"1000\" iterations=\"9\"><mean value=\"1\"/>"
	                "</BenchmarkResults>",
	                500, NULL},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		RunOutcome outcome = {0};
		const char *code = code_of(rows[i].id, rows[i].known, rows[i].out, rows[i].cpu_ns, &outcome);
		if (g_strcmp0(code, rows[i].code) != 0)
			fail_msg("row %zu: %s: %s", i, code, outcome.failure);
		run_outcome_clear(&outcome);
	}
}

/* A version of google-benchmark that chooses its iterations tells them in its log, which may tell of more. */
static void a_log_of_more_iterations_than_the_CPU_time_holds_is_refused(void **state)
{
	static const char json[] = "{\"benchmarks\": [{\"name\": \"a\", \"run_type\": \"iteration\", "
	                           "\"iterations\": 1000, \"cpu_time\": 10, \"time_unit\": \"ns\"}]}";
	static const char *const logs[] = {
	        "Running a for 100\nRunning a for 1000\n", "Running a for 1000\nRunning a for 1000\n"};
	g_autofree char *dir = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "framework.json", NULL);
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(FRAMEWORK_GOOGLE_BENCHMARK, "./b", NULL);
	g_autoptr(FindingList) findings = finding_list_new();
	(void)state;
	assert_true(g_file_set_contents(path, json, -1, NULL));
	for (gsize i = 0; i < G_N_ELEMENTS(logs); i++) {
		RunOutcome outcome = {.metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric))};
		const FrameworkRun run = {.benchmark = benchmark, .dir = dir};
		const RunMetric clock = {.engine = &engine_perf, .name = "task-clock", .unit = "ns", .value = 12000};
		g_autoptr(GString) out = g_string_new(""), err = g_string_new(logs[i]);
		const ChildResult result = {.out = out, .err = err, .err_bytes = err->len};
		g_array_append_val(outcome.metrics, clock);
		framework_judge(&run, &result, findings, &outcome);
		assert_string_equal(
		        i == 0 ? "" : "framework_output", outcome.failure_code != NULL ? outcome.failure_code : "");
		run_outcome_clear(&outcome);
	}
	remove(path);
	remove(dir);
}

static void a_program_is_asked_for_the_cases_that_its_filter_chooses(void **state)
{
	static const struct {
		FrameworkId id;
		const char *filter, *wanted; /* NULL = it cannot be asked */
	} rows[] = {
	        {FRAMEWORK_CATCH2, "[fast]", "./b|[fast]|--list-test-names-only"},
	        {FRAMEWORK_LIBTEST, "a\nb", "./b|--bench|--list|--exact|a|b"},
	        {FRAMEWORK_CRITERION, "^a$", "./b|--bench|--list|^a$"},
	        {FRAMEWORK_CRITERION, NULL, "./b|--bench|--list"},
	        {FRAMEWORK_NANOBENCH, NULL, NULL},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(ConfigBenchmark) benchmark = benchmark_of(rows[i].id, "./b", rows[i].filter);
		g_auto(GStrv) command = framework_list_command(benchmark);
		g_autofree char *text = command != NULL ? g_strjoinv("|", command) : NULL;
		assert_int_equal(g_strcmp0(text, rows[i].wanted), 0);
	}
}

static void without_a_framework_nothing_is_read(void **state)
{
	RunOutcome outcome = {0};
	(void)state;
	judge(FRAMEWORK_NONE, 1000, "BenchmarkX 999 5 ns/op\n", &outcome);
	assert_null(outcome.failure_code);
	assert_true(outcome.facts.work == 0 && outcome.metrics->len == 0);
	run_outcome_clear(&outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(arguments_fix_the_work_at_the_end_of_a_command),
	        cmocka_unit_test(go_is_asked_for_memory_where_that_gates),
	        cmocka_unit_test(google_benchmark_is_told_by_variables),
	        cmocka_unit_test(the_iterations_that_were_asked_for_are_the_work),
	        cmocka_unit_test(a_program_that_did_other_iterations_than_asked_for_is_refused),
	        cmocka_unit_test(iterations_that_a_framework_chose_are_the_work_of_one_case),
	        cmocka_unit_test(output_that_was_not_kept_as_a_whole_is_refused),
	        cmocka_unit_test(work_that_cannot_be_is_refused),
	        cmocka_unit_test(where_only_a_time_is_said_CPU_time_tells_the_work),
	        cmocka_unit_test(a_run_has_its_work_and_the_times_of_its_framework),
	        cmocka_unit_test(a_run_without_a_case_or_output_has_failed),
	        cmocka_unit_test(a_run_whose_work_the_compiler_removed_has_failed),
	        cmocka_unit_test(among_cases_with_work_one_without_is_a_finding),
	        cmocka_unit_test(a_unit_of_nanobench_may_take_less_than_a_cycle),
	        cmocka_unit_test(what_one_benchmark_lacks_is_told_of_the_next_too),
	        cmocka_unit_test(that_libtest_alone_says_its_iterations_is_told),
	        cmocka_unit_test(a_run_whose_iterations_were_not_fixed_has_failed),
	        cmocka_unit_test(a_libtest_that_does_less_than_it_is_made_to_has_failed),
	        cmocka_unit_test(a_run_is_held_to_what_base_ran),
	        cmocka_unit_test(a_log_of_more_iterations_than_the_CPU_time_holds_is_refused),
	        cmocka_unit_test(a_program_is_asked_for_the_cases_that_its_filter_chooses),
	        cmocka_unit_test(without_a_framework_nothing_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
