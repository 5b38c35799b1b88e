/* SPDX-License-Identifier: Apache-2.0 */
/* Runs under perf events, with the program that firebreak brings along. The whole way of a benchmark is tested by
 * tests/cli. */
#include "runner/perf/perfexecutor.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/campaign/yardstick.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

/* The things that an executor needs; everything in a temporary folder. */
typedef struct {
	char *dir;
	Arena *arena;
	Config *config;
	FindingList *findings;
	PerfAbilities abilities;
	CpuPlan *cpus;
	SampledEvents *events;
	Executor *executor;
	Side sides[2];
} Bench;

static void make_side(const Bench *bench, Side *side, const char *name)
{
	side->name = name;
	side->tree_dir = g_build_filename(bench->dir, name, NULL);
	side->arena = bench->arena;
	assert_int_equal(g_mkdir(side->tree_dir, 0700), 0);
}

static const ConfigBenchmark *benchmark(const Bench *bench)
{
	return bench->config->benchmarks->pdata[0];
}

/* A bench for the benchmark with the keys `keys`; skips the test where nothing can be measured. */
static Bench *bench_new(const char *keys)
{
	Bench *bench = g_new0(Bench, 1);
	g_autoptr(GError) error = NULL;
	g_autofree char *text =
	        g_strdup_printf("version: 1\nbuild: {command: make}\nbenchmarks:\n  - name: sample\n%s", keys);
	bench->findings = finding_list_new();
	if (!perf_probe(&bench->abilities, bench->findings, &error)) {
		print_message("no perf events here: %s\n", error->message);
		finding_list_free(bench->findings);
		g_free(bench);
		skip();
	}
	bench->dir = g_dir_make_tmp("firebreak-executor-XXXXXX", NULL);
	bench->config = config_parse(text, strlen(text), CONFIG_FILE, &error);
	assert_null(error);
	bench->cpus = cpu_plan_new(1, bench->findings, &error);
	assert_null(error);
	const SampledEventsPlan plan = {
	        .benchmark = benchmark(bench),
	        .abilities = &bench->abilities,
	        .cpus = bench->cpus,
	        .scratch_dir = bench->dir,
	        .findings = bench->findings,
	};
	bench->events = sampled_events_new(&plan, &error);
	assert_null(error);
	bench->executor = perf_executor_new(&bench->abilities, bench->cpus, bench->events, bench->findings);
	bench->arena = arena_new(bench->dir, NULL, &error);
	assert_non_null(bench->arena);
	make_side(bench, &bench->sides[0], "base");
	make_side(bench, &bench->sides[1], "head");
	return bench;
}

static void bench_free(Bench *bench)
{
	executor_free(bench->executor);
	sampled_events_free(bench->events);
	cpu_plan_free(bench->cpus);
	config_free(bench->config);
	finding_list_free(bench->findings);
	for (gsize s = 0; s < G_N_ELEMENTS(bench->sides); s++)
		side_clear(&bench->sides[s]);
	arena_free(bench->arena);
	durable_remove_tree(bench->dir, NULL);
	g_free(bench->dir);
	g_free(bench);
}

/* Runs `what` on both sides at once, counting only. */
static void run_beside(Bench *bench, const ConfigBenchmark *what, RunOutcome *outcomes)
{
	g_autoptr(GError) error = NULL;
	RunRequest requests[2];
	for (gsize s = 0; s < G_N_ELEMENTS(requests); s++)
		requests[s] = (RunRequest){.benchmark = what, .side = &bench->sides[s]};
	assert_true(bench->executor->execute(bench->executor, requests, 2, outcomes, &error));
	assert_null(error);
}

static double metric(const RunOutcome *outcome, const char *name)
{
	for (guint i = 0; i < outcome->metrics->len; i++)
		if (g_str_equal(g_array_index(outcome->metrics, RunMetric, i).name, name))
			return g_array_index(outcome->metrics, RunMetric, i).value;
	return NAN;
}

static gboolean is_good(const RunOutcome *outcome)
{
	if (outcome->failure_code)
		print_error("%s: %s\n", outcome->failure_code, outcome->failure);
	return outcome->failure_code == NULL;
}

static void clear_outcomes(RunOutcome *outcomes)
{
	run_outcome_clear(&outcomes[0]);
	run_outcome_clear(&outcomes[1]);
}

static void without_a_recording_a_run_is_only_counted(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done']\n");
	RunOutcome outcomes[2] = {0};
	run_beside(bench, benchmark(bench), outcomes);
	assert_true(is_good(&outcomes[0]));
	assert_true(metric(&outcomes[0], "task-clock") > 0);
	assert_int_equal(outcomes[0].facts.samples, 0);
	clear_outcomes(outcomes);
	bench_free(bench);
}

/* Samples for each second of CPU time. */
static double sampled_hz(const RunOutcome *outcome)
{
	return (double)outcome->facts.samples / metric(outcome, "task-clock") * 1e9;
}

static void a_run_is_sampled_at_the_rate_that_was_drawn_for_it(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done']\n");
	static const guint rates_hz[] = {400, 1600};
	RunOutcome outcomes[2] = {0};
	for (gsize i = 0; i < G_N_ELEMENTS(rates_hz); i++) {
		g_autofree char *recording = g_strdup_printf("%s/%" G_GSIZE_FORMAT ".data", bench->dir, i);
		RunRequest request = {.benchmark = benchmark(bench),
		        .side = &bench->sides[i],
		        .recording = recording,
		        .sampling_hz = rates_hz[i]};
		assert_true(bench->executor->execute(bench->executor, &request, 1, &outcomes[i], NULL));
		assert_true(is_good(&outcomes[i]));
	}
	double ratio = sampled_hz(&outcomes[1]) / sampled_hz(&outcomes[0]);
	assert_true(ratio > 2.5 && ratio < 6);
	clear_outcomes(outcomes);
	bench_free(bench);
}

static void runs_that_share_a_cpu_overlap(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done']\n");
	RunOutcome outcomes[2] = {0};
	run_beside(bench, benchmark(bench), outcomes);
	assert_true(outcomes[0].facts.overlap_share > .3);
	assert_true(outcomes[0].facts.overlap_share == outcomes[1].facts.overlap_share);
	assert_true(isnan(metric(&outcomes[0], "wall")));
	clear_outcomes(outcomes);
	bench_free(bench);
}

/* The benchmark measures a region and promises a metric; the yardstick does neither. */
/* The shell waits for `sleep`, which waits for the clock; what the other run does on the same CPU meanwhile is no part
 * of that, and does not fill it. */
static void a_sleep_is_a_wait_whatever_runs_beside_it(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'sleep .3; true']\n");
	g_autoptr(ConfigBenchmark) busy = config_benchmark_copy(benchmark(bench));
	g_autofree char *one = g_build_filename(bench->dir, "0.data", NULL);
	g_autofree char *other = g_build_filename(bench->dir, "1.data", NULL);
	g_autoptr(GError) error = NULL;
	RunOutcome outcomes[2] = {0};
	g_strfreev(busy->command);
	busy->command = g_strsplit("sh|-c|i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", "|", -1);
	const RunRequest requests[2] = {
	        {.benchmark = benchmark(bench), .side = &bench->sides[0], .recording = one},
	        {.benchmark = busy, .side = &bench->sides[1], .recording = other},
	};
	assert_true(bench->executor->execute(bench->executor, requests, 2, outcomes, &error));
	assert_null(error);
	assert_true(is_good(&outcomes[0]) && is_good(&outcomes[1]));
	assert_true(metric(&outcomes[0], "wait") > .29e9);
	assert_true(metric(&outcomes[0], "wait") <= (double)outcomes[0].facts.wall_ns);
	assert_true(metric(&outcomes[1], "wait") + metric(&outcomes[1], "task-clock") <=
	            (double)outcomes[1].facts.wall_ns * 1.01);
	clear_outcomes(outcomes);
	bench_free(bench);
}

static void the_yardstick_runs_beside_itself_for_any_benchmark(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: ./no-such-program\n    cwd: sub\n    measure: region\n"
	                         "    metrics: [latency]\n");
	g_autoptr(ConfigBenchmark) yardstick = yardstick_benchmark(benchmark(bench), NULL);
	RunOutcome outcomes[2] = {0};
	run_beside(bench, yardstick, outcomes);
	for (gsize s = 0; s < G_N_ELEMENTS(outcomes); s++) {
		assert_true(is_good(&outcomes[s]));
		assert_true(metric(&outcomes[s], "task-clock") > 1e6);
	}
	clear_outcomes(outcomes);
	bench_free(bench);
}

static void a_region_is_missed_where_the_benchmark_has_none(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'true']\n    measure: region\n");
	RunOutcome outcomes[2] = {0};
	run_beside(bench, benchmark(bench), outcomes);
	assert_string_equal(outcomes[0].failure_code, "region_missing");
	clear_outcomes(outcomes);
	bench_free(bench);
}

static void a_planted_delay_is_counted_with_its_benchmark(void **state)
{
	(void)state;
	Bench *bench = bench_new("    command: [sh, -c, 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done']\n");
	g_autoptr(ConfigBenchmark) slower = yardstick_slower_benchmark(benchmark(bench), 1, NULL);
	const ConfigBenchmark *const sides[] = {benchmark(bench), slower};
	RunRequest requests[2];
	RunOutcome outcomes[2] = {0};
	for (gsize s = 0; s < G_N_ELEMENTS(requests); s++)
		requests[s] = (RunRequest){.benchmark = sides[s], .side = &bench->sides[s]};
	assert_true(bench->executor->execute(bench->executor, requests, 2, outcomes, NULL));
	double ratio = metric(&outcomes[1], "task-clock") / metric(&outcomes[0], "task-clock");
	assert_true(ratio > 1.5);
	assert_true(ratio < 2.7);
	clear_outcomes(outcomes);
	bench_free(bench);
}

/* A copy of the shell in the tree of base that runs as another user where it may. */
static void make_setuid_shell(const Bench *bench)
{
	g_autofree char *path = g_build_filename(bench->sides[0].tree_dir, "helper", NULL), *shell = NULL;
	gsize length = 0;
	assert_true(g_file_get_contents("/bin/sh", &shell, &length, NULL));
	assert_true(g_file_set_contents(path, shell, (gssize)length, NULL));
	assert_int_equal(chown(path, 65533, 65533), 0);
	assert_int_equal(g_chmod(path, 04755), 0);
}

/* Runs 50 ms and more in that shell, and records it. Only root can make such a file. */
static RunOutcome run_setuid_shell(const char *keys)
{
	struct statvfs system;
	if (geteuid() != 0 || statvfs(g_get_tmp_dir(), &system) != 0 || (system.f_flag & ST_NOSUID) != 0)
		skip();
	g_autofree char *all = g_strconcat("    command: [sh, -c, './helper -c \"i=0; while [ \\$i -lt 100000 ]; do "
	                                   "i=\\$((i+1)); done\"; true']\n",
	        keys, NULL);
	Bench *bench = bench_new(all);
	make_setuid_shell(bench);
	g_autofree char *recording = g_build_filename(bench->dir, "recording", NULL);
	const RunRequest request = {.benchmark = benchmark(bench), .side = &bench->sides[0], .recording = recording};
	RunOutcome outcome = {0};
	assert_true(bench->executor->execute(bench->executor, &request, 1, &outcome, NULL));
	bench_free(bench);
	return outcome;
}

/* The kernel takes the events off such a process, and says that it has ended, whatever part of the run is measured. */
static void a_program_that_drops_out_of_the_counters_is_named(void **state)
{
	(void)state;
	static const char *const keys[] = {"    privileges: allow\n", "    privileges: allow\n    measure: region\n"};
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		RunOutcome outcome = run_setuid_shell(keys[i]);
		assert_string_equal(outcome.failure_code, "uncounted_work");
		assert_non_null(strstr(outcome.failure, "helper dropped out of the counters"));
		assert_true(outcome.cpu_time.used_ns > 2 * outcome.cpu_time.counted_ns);
		run_outcome_clear(&outcome);
	}
}

static void without_new_privileges_it_is_counted(void **state)
{
	(void)state;
	RunOutcome outcome = run_setuid_shell("");
	assert_true(is_good(&outcome));
	assert_true(outcome.cpu_time.used_ns < 1.5 * outcome.cpu_time.counted_ns);
	run_outcome_clear(&outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_a_recording_a_run_is_only_counted),
	        cmocka_unit_test(a_run_is_sampled_at_the_rate_that_was_drawn_for_it),
	        cmocka_unit_test(runs_that_share_a_cpu_overlap),
	        cmocka_unit_test(a_sleep_is_a_wait_whatever_runs_beside_it),
	        cmocka_unit_test(the_yardstick_runs_beside_itself_for_any_benchmark),
	        cmocka_unit_test(a_region_is_missed_where_the_benchmark_has_none),
	        cmocka_unit_test(a_planted_delay_is_counted_with_its_benchmark),
	        cmocka_unit_test(a_program_that_drops_out_of_the_counters_is_named),
	        cmocka_unit_test(without_new_privileges_it_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
