/* SPDX-License-Identifier: Apache-2.0 */
/* The helper program does what its benchmarks promise: real processes. */
#include "runner/campaign/yardstick.h"

#include "core/child.h"
#include "core/error.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const plain_environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};

/* A benchmark that runs `script`, as a configuration with the further keys `more` has it. */
static ConfigBenchmark *benchmark_of(const char *script, const char *more)
{
	g_autofree char *text = g_strdup_printf("version: 1\n"
	                                        "build: {command: make}\n"
	                                        "benchmarks:\n"
	                                        "  - name: sample\n"
	                                        "    command: [sh, -c, '%s']\n"
	                                        "%s",
	        script, more);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_parse(text, strlen(text), CONFIG_FILE, &error);
	if (error != NULL)
		fail_msg("%s", error->message);
	return config_benchmark_copy(config_benchmark(config, "sample"));
}

static ConfigBenchmark *slower_than(const ConfigBenchmark *benchmark, double share)
{
	g_autoptr(GError) error = NULL;
	ConfigBenchmark *slower = yardstick_slower_benchmark(benchmark, share, &error);
	assert_null(error);
	return slower;
}

static Child *run_command(char *const *command)
{
	GError *error = NULL;
	ChildSpec spec = {.argv = (const char *const *)command, .envp = plain_environment, .cwd = "/"};
	Child *child = child_run(&spec, &error);
	assert_null(error);
	return child;
}

static Child *run_slower(const char *script, double share)
{
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of(script, "");
	g_autoptr(ConfigBenchmark) slower = slower_than(benchmark, share);
	return run_command(slower->command);
}

static double cpu_ns(char *const *command)
{
	g_autoptr(Child) child = run_command(command);
	assert_int_equal(child_result(child)->exit_code, 0);
	return (double)(child_result(child)->user_ns + child_result(child)->system_ns);
}

static void the_yardstick_does_the_same_work_every_time(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "");
	g_autoptr(ConfigBenchmark) yardstick = yardstick_benchmark(benchmark, NULL);
	g_autoptr(Child) first = run_command(yardstick->command);
	g_autoptr(Child) second = run_command(yardstick->command);
	assert_int_equal(child_result(first)->exit_code, 0);
	assert_true(child_result(first)->out->len > 0);
	assert_string_equal(child_result(first)->out->str, child_result(second)->out->str);
}

static void the_yardstick_runs_like_the_benchmark_and_promises_nothing(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true",
	        "    timeout: 7s\n    cpus: 2\n    schedule: sequential\n    measure: region\n    work: 10\n"
	        "    cwd: sub\n    metrics: [latency]\n    profiles: [off-cpu]\n    gate: {latency: {margin: 5%}}\n");
	g_autoptr(ConfigBenchmark) yardstick = yardstick_benchmark(benchmark, NULL);
	assert_int_equal(yardstick->timeout_ms, 7000);
	assert_int_equal(yardstick->cpus, 2);
	assert_int_equal(yardstick->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(yardstick->measure, MEASURE_WHOLE);
	assert_true(yardstick->work == 1);
	assert_string_equal(yardstick->cwd, ".");
	assert_null(yardstick->metrics);
	assert_null(yardstick->profiles);
	assert_null(config_gate(yardstick, "latency"));
	assert_true(config_declares_metric(benchmark, "latency"));
}

static void a_slower_benchmark_differs_in_its_command_only(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "    work: 10\n    timeout: 7s\n");
	g_autoptr(ConfigBenchmark) slower = slower_than(benchmark, .06);
	assert_string_equal(slower->name, "sample");
	assert_true(slower->work == 10);
	assert_int_equal(slower->timeout_ms, 7000);
	assert_int_equal(g_strv_length(slower->command), 3 + g_strv_length(benchmark->command));
	assert_string_equal(slower->command[2], "0.06");
	assert_string_equal(slower->command[3], "sh");
	assert_string_equal(benchmark->command[0], "sh");
}

/* Doubled: what is asked for is far from every error that a busy machine can make. */
static void a_slower_benchmark_costs_its_share_more(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "");
	g_autoptr(ConfigBenchmark) yardstick = yardstick_benchmark(benchmark, NULL);
	g_autoptr(ConfigBenchmark) slower = slower_than(yardstick, 1);
	double ratio = cpu_ns(slower->command) / cpu_ns(yardstick->command);
	assert_true(ratio > 1.5);
	assert_true(ratio < 2.7);
}

static void the_cost_of_grandchildren_counts(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) yardstick = NULL, alone = NULL, slower = NULL;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "");
	yardstick = yardstick_benchmark(benchmark, NULL);
	g_autofree char *script = g_strdup_printf("(%s fixed; true); true", yardstick->command[0]);
	alone = benchmark_of(script, "");
	slower = slower_than(alone, 3);
	double ratio = cpu_ns(slower->command) / cpu_ns(alone->command);
	assert_true(ratio > 2.5);
	assert_true(ratio < 6);
}

static void it_exits_as_the_command_did(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_slower("exit 7", .1);
	assert_int_equal(child_result(child)->exit_code, 7);
}

static void it_dies_of_the_signal_that_the_command_died_of(void **state)
{
	(void)state;
	g_autoptr(Child) killed = run_slower("kill -KILL $$", .1), crashed = run_slower("kill -SEGV $$", .1);
	assert_int_equal(child_result(killed)->signal, SIGKILL);
	assert_int_equal(child_result(crashed)->signal, SIGSEGV);
}

static void output_of_the_command_is_all_there_is(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_slower("echo out; echo err >&2", .1);
	assert_string_equal(child_result(child)->out->str, "out\n");
	assert_string_equal(child_result(child)->err->str, "err\n");
}

static void a_command_that_is_not_there_is_named(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "");
	g_free(benchmark->command[0]);
	benchmark->command[0] = g_strdup("/no/such/program");
	g_autoptr(ConfigBenchmark) slower = slower_than(benchmark, .1);
	g_autoptr(Child) child = run_command(slower->command);
	assert_int_equal(child_result(child)->exit_code, 127);
	assert_non_null(strstr(child_result(child)->err->str, "cannot start /no/such/program: No such file"));
}

static void a_delay_cannot_be_planted_in_a_region(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "    measure: region\n");
	g_autoptr(GError) error = NULL;
	assert_null(yardstick_slower_benchmark(benchmark, .06, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "benchmark sample"));
}

static void a_longer_benchmark_has_turns_instead_of_a_share(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "    work: 10\n");
	g_autoptr(ConfigBenchmark) longer = yardstick_longer_benchmark(benchmark, 5e9, NULL);
	g_autoptr(ConfigBenchmark) plain = yardstick_longer_benchmark(benchmark, 0, NULL);
	assert_true(longer->work == 10);
	assert_string_equal(longer->command[1], "repeat");
	assert_string_equal(longer->command[2], "500000000");
	assert_string_equal(longer->command[3], "sh");
	assert_string_equal(plain->command[2], "0");
}

/* 3e8 turns are at least .1 s on any machine. */
static void turns_take_time_and_change_nothing_else(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("echo out; exit 7", "");
	g_autoptr(ConfigBenchmark) longer = yardstick_longer_benchmark(benchmark, 3e9, NULL);
	g_autoptr(Child) child = run_command(longer->command);
	assert_int_equal(child_result(child)->exit_code, 7);
	assert_string_equal(child_result(child)->out->str, "out\n");
	assert_true(child_result(child)->user_ns > 30000000);
}

static void turns_cannot_be_planted_in_a_region(void **state)
{
	(void)state;
	g_autoptr(ConfigBenchmark) benchmark = benchmark_of("true", "    measure: region\n");
	g_autoptr(GError) error = NULL;
	assert_null(yardstick_longer_benchmark(benchmark, 1000, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_yardstick_does_the_same_work_every_time),
	        cmocka_unit_test(the_yardstick_runs_like_the_benchmark_and_promises_nothing),
	        cmocka_unit_test(a_slower_benchmark_differs_in_its_command_only),
	        cmocka_unit_test(a_slower_benchmark_costs_its_share_more),
	        cmocka_unit_test(the_cost_of_grandchildren_counts),
	        cmocka_unit_test(it_exits_as_the_command_did),
	        cmocka_unit_test(it_dies_of_the_signal_that_the_command_died_of),
	        cmocka_unit_test(output_of_the_command_is_all_there_is),
	        cmocka_unit_test(a_command_that_is_not_there_is_named),
	        cmocka_unit_test(a_delay_cannot_be_planted_in_a_region),
	        cmocka_unit_test(a_longer_benchmark_has_turns_instead_of_a_share),
	        cmocka_unit_test(turns_take_time_and_change_nothing_else),
	        cmocka_unit_test(turns_cannot_be_planted_in_a_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
