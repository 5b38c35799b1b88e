/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what makes a run not count, on made-up facts. */
#include "core/durable.h"
#include "runner/perf/runjudge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	Config *config;
	ConfigBenchmark *benchmark;
	FindingList *findings;
	RunOutcome outcome;
	ChildResult result;
} Fixture;

static int set_up(void **state)
{
	static const char text[] =
	        "version: 1\nbenchmarks: [{name: one, command: [./one], measure: region, metrics: [speed]}]\n";
	Fixture *f = g_new0(Fixture, 1);
	f->config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	f->benchmark = f->config->benchmarks->pdata[0];
	f->findings = finding_list_new();
	f->outcome.metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric));
	f->outcome.facts.running_share = 1;
	f->result = (ChildResult){.out = g_string_new(NULL), .err = g_string_new("last words")};
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	run_outcome_clear(&f->outcome);
	g_string_free(f->result.out, TRUE);
	g_string_free(f->result.err, TRUE);
	finding_list_free(f->findings);
	config_free(f->config);
	g_free(f);
	return 0;
}

static void assert_failed(const Fixture *f, const char *code, gboolean retry, const char *text)
{
	assert_non_null(f->outcome.failure_code);
	assert_string_equal(f->outcome.failure_code, code);
	assert_int_equal(f->outcome.retry, retry);
	if (strstr(f->outcome.failure, text) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", text, f->outcome.failure);
}

static void judge_counts(Fixture *f, const RecorderCounts *counts)
{
	judge_recording(f->benchmark, counts, f->findings, &f->outcome);
}

static void a_good_run_counts(void **state)
{
	Fixture *f = *state;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	judge_counts(f, &(RecorderCounts){.samples = 1000, .incomplete = 7});
	judge_region(
	        f->benchmark, &(ControlFacts){.enabled_ns = 5, .first_ns = 10, .end_ns = 20}, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
	assert_int_equal(f->outcome.facts.samples, 1000);
	assert_int_equal(f->outcome.facts.incomplete_samples, 7);
	assert_int_equal(f->outcome.start_ns, 10);
	assert_int_equal(f->outcome.end_ns, 20);
	assert_int_equal(finding_count(f->findings), 0);
}

static void a_failing_command_is_quoted(void **state)
{
	Fixture *f = *state;
	f->result.exit_code = 3;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	assert_failed(f, "benchmark_failed", TRUE, "./one exited with 3\nlast words");
}

static void a_timeout_is_not_worth_another_try(void **state)
{
	Fixture *f = *state;
	f->result.timed_out = TRUE;
	f->result.exit_code = -1;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	assert_failed(f, "timeout", FALSE, "timed out");
}

static void work_that_goes_on_elsewhere_does_not_count(void **state)
{
	Fixture *f = *state;
	f->result.user_ns = 1000000000;
	f->result.orphan_cpu_ns = 11000000;
	f->result.orphans = f->result.orphans_killed = 2;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	assert_failed(f, "escaped_work", FALSE, "(2)");
	assert_true(finding_has(f->findings, "processes_left_behind"));
}

static void more_than_one_lost_sample_in_a_hundred_is_too_many(void **state)
{
	Fixture *f = *state;
	judge_counts(f, &(RecorderCounts){.samples = 990, .lost = 10});
	assert_null(f->outcome.failure_code);
	judge_counts(f, &(RecorderCounts){.samples = 989, .lost = 11});
	assert_failed(f, "data_lost", TRUE, "11 of 1000 samples were lost");
	assert_int_equal(f->outcome.facts.lost_samples, 11);
}

/* The share was one of all samples, so 20000 page faults hid that a twentieth of the CPU time was not sampled. */
static void an_event_that_comes_often_hides_no_other(void **state)
{
	Fixture *f = *state;
	judge_counts(f, &(RecorderCounts){.samples = 20950, .lost = 50, .worst_lost_share = .009});
	assert_null(f->outcome.failure_code);
	judge_counts(f, &(RecorderCounts){.samples = 20950, .lost = 50, .worst_lost_share = .05});
	assert_failed(f, "data_lost", TRUE, "50 of 21000 samples were lost, 5.0 % of those of one event");
}

static void throttling_and_multiplexing_disturb(void **state)
{
	Fixture *f = *state;
	f->outcome.facts.running_share = .9;
	judge_counts(f, &(RecorderCounts){.samples = 10});
	assert_failed(f, "multiplexed", TRUE, "90 %");
	run_outcome_clear(&f->outcome);
	judge_counts(f, &(RecorderCounts){.samples = 10, .throttled = 4, .throttled_first = 4});
	assert_failed(f, "throttled", TRUE, "4 times");
}

static void a_throttled_extra_profile_is_said_and_fails_no_run(void **state)
{
	Fixture *f = *state;
	judge_counts(f, &(RecorderCounts){.samples = 10, .throttled = 4});
	assert_null(f->outcome.failure_code);
	assert_true(finding_has(f->findings, "profile_throttled"));
}

static void a_region_has_to_begin(void **state)
{
	Fixture *f = *state;
	judge_region(f->benchmark, &(ControlFacts){0}, f->findings, &f->outcome);
	assert_failed(f, "region_missing", FALSE, "never switched measuring on");
}

static void a_region_has_to_end(void **state)
{
	Fixture *f = *state;
	const ControlFacts open = {.enabled_ns = 5, .first_ns = 10, .end_ns = 15, .left_on = TRUE};
	judge_region(f->benchmark, &open, f->findings, &f->outcome);
	assert_failed(f, "region_missing", FALSE, "ended with measuring still on");
}

static void the_first_failure_is_the_one_that_is_told(void **state)
{
	Fixture *f = *state;
	f->result.signal = 6;
	f->result.exit_code = -1;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	judge_region(f->benchmark, &(ControlFacts){0}, f->findings, &f->outcome);
	assert_failed(f, "benchmark_failed", TRUE, "SIGABRT");
}

static void commands_that_nobody_knows_are_a_finding(void **state)
{
	Fixture *f = *state;
	const ControlFacts odd = {.enabled_ns = 5, .first_ns = 10, .end_ns = 15, .unknown_commands = 1};
	judge_region(f->benchmark, &odd, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
	assert_true(finding_has(f->findings, "unknown_control_command"));
}

/* Judges what stands in a file of metrics. */
static void judge_text(Fixture *f, const char *text)
{
	g_autofree char *dir = g_dir_make_tmp("firebreak-runjudge-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "metrics", NULL);
	if (text != NULL)
		assert_true(g_file_set_contents(path, text, -1, NULL));
	judge_own_metrics(f->benchmark, path, &f->outcome);
	durable_remove_tree(dir, NULL);
}

static void what_was_reported_becomes_metrics_of_the_run(void **state)
{
	Fixture *f = *state;
	f->benchmark->work_reported = TRUE;
	judge_text(f, "speed 7 m/s higher\nheight 3 m lower\nwork 12\n");
	assert_null(f->outcome.failure_code);
	assert_int_equal(f->outcome.metrics->len, 2);
	const RunMetric *speed = &g_array_index(f->outcome.metrics, RunMetric, 0);
	assert_ptr_equal(speed->engine, &engine_benchmark);
	assert_string_equal(speed->name, "speed");
	assert_string_equal(speed->unit, "m/s");
	assert_true(speed->higher_is_better && speed->value == 7);
	assert_false(g_array_index(f->outcome.metrics, RunMetric, 1).higher_is_better);
	assert_true(f->outcome.facts.work == 12);
}

static void what_was_promised_has_to_be_there(void **state)
{
	Fixture *f = *state;
	judge_text(f, NULL);
	assert_failed(f, "metric_missing", FALSE, "did not report speed");
	assert_true(f->outcome.facts.work == 0);
}

static void work_is_reported_only_where_the_configuration_says_so(void **state)
{
	Fixture *f = *state;
	judge_text(f, "speed 7 m/s higher\nwork 12\n");
	assert_failed(f, "work_reported", FALSE, "set `work: reported`");
}

static void work_of_which_nothing_is_reported_is_missing(void **state)
{
	Fixture *f = *state;
	f->benchmark->work_reported = TRUE;
	judge_text(f, "speed 7 m/s higher\n");
	assert_failed(f, "work_missing", FALSE, "`work: reported` in the configuration promises");
}

static void counted_runs_report_work_by_the_same_rule(void **state)
{
	Fixture *f = *state;
	g_autofree char *dir = g_dir_make_tmp("firebreak-runjudge-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "metrics", NULL);
	assert_true(g_file_set_contents(path, "work 12\n", -1, NULL));
	judge_own_work(f->benchmark, path, &f->outcome);
	assert_failed(f, "work_reported", FALSE, "set `work: reported`");
	durable_remove_tree(dir, NULL);
}

static void a_malformed_report_makes_the_run_invalid(void **state)
{
	Fixture *f = *state;
	judge_text(f, "speed 7 m/s higher\nspeed\n");
	assert_failed(f, "metrics_malformed", FALSE, "line 2 of its metrics");
	assert_int_equal(f->outcome.metrics->len, 0);
}

static void what_the_hypervisor_takes_fails_no_run(void **state)
{
	Fixture *f = *state;
	judge_steal((CpuTimes){.total = 100, .steal = 0}, (CpuTimes){.total = 200, .steal = 90}, &f->outcome);
	assert_null(f->outcome.failure_code);
	assert_true(fabs(f->outcome.facts.steal_share - .9) < 1e-12);
	assert_true(f->outcome.stolen_share == f->outcome.facts.steal_share);
}

static void a_few_stolen_ticks_are_too_few_to_tell(void **state)
{
	Fixture *f = *state;
	judge_steal((CpuTimes){.total = 100, .steal = 0}, (CpuTimes){.total = 110, .steal = 4}, &f->outcome);
	assert_true(fabs(f->outcome.facts.steal_share - .4) < 1e-12);
	assert_true(f->outcome.stolen_share == 0);
	judge_steal((CpuTimes){.total = 100, .steal = 7}, (CpuTimes){.total = 110, .steal = 3}, &f->outcome);
	assert_true(f->outcome.stolen_share == 0);
}

/* A run of a second of CPU time. */
static void use_cpu(Fixture *f, double counted_ms, double used_ms)
{
	f->outcome.cpu_time = (RunCpuTime){.counted_ns = counted_ms * 1e6,
	        .used_ns = used_ms * 1e6,
	        .switches = 300,
	        .processes = 3,
	        .faults = 1000,
	        .peak_bytes = 4e6};
}

static void cpu_time_that_was_not_counted_makes_a_run_invalid(void **state)
{
	Fixture *f = *state;
	const SidebandFacts nothing = {0};
	use_cpu(f, 1000, 1015);
	judge_counted(f->benchmark, &nothing, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
	use_cpu(f, 1000, 1100);
	judge_counted(f->benchmark, &nothing, f->findings, &f->outcome);
	assert_failed(f, "uncounted_work", TRUE, "1.000 s of CPU time were counted, and 1.100 s used: a program");
}

/* The work that a process still does after the kernel has stopped counting it grows with its memory. */
static void starting_processes_and_freeing_memory_explains_what_is_not_counted(void **state)
{
	Fixture *f = *state;
	const SidebandFacts nothing = {0};
	use_cpu(f, 65, 90);
	f->outcome.cpu_time.processes = 302;
	judge_counted(f->benchmark, &nothing, f->findings, &f->outcome);
	use_cpu(f, 580, 660);
	f->outcome.cpu_time.faults = 204946;
	f->outcome.cpu_time.peak_bytes = 840e6;
	judge_counted(f->benchmark, &nothing, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
}

/* SIGCHLD ignored: what children used is in no wait4(2). */
static void more_may_be_counted_than_anybody_waited_for(void **state)
{
	Fixture *f = *state;
	use_cpu(f, 1000, 10);
	judge_counted(f->benchmark, &(SidebandFacts){0}, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
}

static void a_program_that_drops_out_is_named_whatever_it_used(void **state)
{
	Fixture *f = *state;
	const SidebandFacts dropped = {.dropped_out = 1, .dropped_name = "helper"};
	use_cpu(f, 1000, 900);
	judge_counted(f->benchmark, &dropped, f->findings, &f->outcome);
	assert_failed(f, "uncounted_work", FALSE, "helper dropped out of the counters");
}

static void where_privileges_are_allowed_only_missing_time_counts(void **state)
{
	Fixture *f = *state;
	const SidebandFacts dropped = {.dropped_out = 1, .dropped_name = "sudo"};
	g_autoptr(ConfigBenchmark) allowed = config_benchmark_copy(f->benchmark);
	allowed->privileges = TRUE;
	use_cpu(f, 1000, 1005);
	judge_counted(allowed, &dropped, f->findings, &f->outcome);
	assert_null(f->outcome.failure_code);
	assert_true(finding_has(f->findings, "uncounted_programs"));
	use_cpu(f, 1000, 1100);
	judge_counted(allowed, &dropped, f->findings, &f->outcome);
	assert_failed(f, "uncounted_work", FALSE, "sudo dropped out");
}

static void a_command_that_needs_privileges_is_told_the_key(void **state)
{
	Fixture *f = *state;
	f->result.exit_code = 1;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	judge_privileges(f->benchmark, &f->result, &(SidebandFacts){.privileged_name = "ping"}, &f->outcome);
	assert_failed(f, "benchmark_failed", TRUE,
	        "./one exited with 1; ping gains no privileges here: if it needs them, set `privileges: allow` for the "
	        "benchmark in firebreak.yml\nlast words");
}

static void a_command_that_fails_otherwise_is_not(void **state)
{
	Fixture *f = *state;
	f->result.exit_code = 1;
	judge_process(f->benchmark, &f->result, f->findings, &f->outcome);
	judge_privileges(f->benchmark, &f->result, &(SidebandFacts){0}, &f->outcome);
	assert_failed(f, "benchmark_failed", TRUE, "./one exited with 1\nlast words");
}

/* A run on one CPU to which nothing happened. */
static RunSchedule calm_schedule(const SchedChange *seen, const SidebandFacts *sideband)
{
	const ChildSchedule usual = {.policy = 0, .nice = 5, .on_cpus = TRUE};
	return (RunSchedule){.seen = seen, .began = usual, .ended = usual, .sideband = sideband, .n_cpus = 1};
}

static void each_witness_of_a_changed_schedule_is_enough(void **state)
{
	Fixture *f = *state;
	const SchedChange none = {0}, niced = {SCHED_OTHER_NICE, .from = 5, .to = 6, .name = "worker"};
	const SidebandFacts still = {0}, stray = {.strays = 1, .stray_cpu = 7, .stray_name = "worker"};
	RunSchedule schedules[6];
	for (gsize i = 0; i < G_N_ELEMENTS(schedules); i++)
		schedules[i] = calm_schedule(&none, &still);
	schedules[0].seen = &niced;
	schedules[1].sideband = &stray;
	schedules[2].migrations = 2;
	schedules[3].ended.nice = 0;
	schedules[4].ended.policy = 3;
	schedules[5].ended.on_cpus = FALSE;
	static const char *const texts[] = {"worker changed its nice value from 5 to 6",
	        "worker ran on CPU 7, which is not one that it is measured on", "moved to another CPU 2 times",
	        "it changed its nice value from 5 to 0", "from SCHED_OTHER to SCHED_BATCH",
	        "it took CPUs that it is not measured on"};
	for (gsize i = 0; i < G_N_ELEMENTS(schedules); i++) {
		judge_schedule(&schedules[i], &f->outcome);
		assert_failed(f, "scheduling_changed", FALSE, texts[i]);
		g_clear_pointer(&f->outcome.failure_code, g_free);
		g_clear_pointer(&f->outcome.failure, g_free);
	}
}

static void a_run_that_stays_as_it_was_started_counts(void **state)
{
	Fixture *f = *state;
	const SchedChange none = {0};
	const SidebandFacts io_uring = {.kernel_workers = TRUE};
	RunSchedule schedule = calm_schedule(&none, NULL);
	judge_schedule(&schedule, &f->outcome);
	/* threads of the kernel, or CPUs of its own */
	schedule = calm_schedule(&none, &io_uring);
	schedule.migrations = 9;
	judge_schedule(&schedule, &f->outcome);
	schedule = calm_schedule(&none, NULL);
	schedule.migrations = 9;
	schedule.n_cpus = 2;
	judge_schedule(&schedule, &f->outcome);
	assert_null(f->outcome.failure_code);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	        WITH_FIXTURE(a_good_run_counts),
	        WITH_FIXTURE(a_failing_command_is_quoted),
	        WITH_FIXTURE(a_timeout_is_not_worth_another_try),
	        WITH_FIXTURE(work_that_goes_on_elsewhere_does_not_count),
	        WITH_FIXTURE(more_than_one_lost_sample_in_a_hundred_is_too_many),
	        WITH_FIXTURE(an_event_that_comes_often_hides_no_other),
	        WITH_FIXTURE(throttling_and_multiplexing_disturb),
	        WITH_FIXTURE(a_throttled_extra_profile_is_said_and_fails_no_run),
	        WITH_FIXTURE(a_region_has_to_begin),
	        WITH_FIXTURE(a_region_has_to_end),
	        WITH_FIXTURE(the_first_failure_is_the_one_that_is_told),
	        WITH_FIXTURE(commands_that_nobody_knows_are_a_finding),
	        WITH_FIXTURE(what_was_reported_becomes_metrics_of_the_run),
	        WITH_FIXTURE(what_was_promised_has_to_be_there),
	        WITH_FIXTURE(work_is_reported_only_where_the_configuration_says_so),
	        WITH_FIXTURE(work_of_which_nothing_is_reported_is_missing),
	        WITH_FIXTURE(counted_runs_report_work_by_the_same_rule),
	        WITH_FIXTURE(a_malformed_report_makes_the_run_invalid),
	        WITH_FIXTURE(what_the_hypervisor_takes_fails_no_run),
	        WITH_FIXTURE(a_few_stolen_ticks_are_too_few_to_tell),
	        WITH_FIXTURE(cpu_time_that_was_not_counted_makes_a_run_invalid),
	        WITH_FIXTURE(starting_processes_and_freeing_memory_explains_what_is_not_counted),
	        WITH_FIXTURE(more_may_be_counted_than_anybody_waited_for),
	        WITH_FIXTURE(a_program_that_drops_out_is_named_whatever_it_used),
	        WITH_FIXTURE(where_privileges_are_allowed_only_missing_time_counts),
	        WITH_FIXTURE(a_command_that_needs_privileges_is_told_the_key),
	        WITH_FIXTURE(a_command_that_fails_otherwise_is_not),
	        WITH_FIXTURE(each_witness_of_a_changed_schedule_is_enough),
	        WITH_FIXTURE(a_run_that_stays_as_it_was_started_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
