/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "model/engine.h"
#include "runner/config/config.h"
#include "runner/config/configaccept.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Config *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_parse(text, strlen(text), "firebreak.yml", &error);
	if (error != NULL)
		print_message("%s\n", error->message);
	assert_non_null(config);
	return config;
}

static void assert_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	assert_null(config_parse(text, strlen(text), "firebreak.yml", &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	if (strstr(error->message, message) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", message, error->message);
}

#define BENCH "benchmarks:\n  - name: one\n    command: [./one, 3]\n"

static void a_small_config_gets_the_defaults(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\n" BENCH);
	const ConfigBenchmark *one = config_benchmark(config, "one");
	assert_null(config->build_command);
	assert_string_equal(one->command[0], "./one");
	assert_string_equal(one->command[1], "3");
	assert_int_equal(one->sampling_hz, 1999);
	assert_int_equal(one->timeout_ms, 60000);
	assert_int_equal(one->rounds, 0);
	assert_int_equal(one->schedule, SCHEDULE_AUTO);
	assert_true(one->work == 1);
	assert_false(one->gates_given);
	assert_int_equal(one->measure, MEASURE_WHOLE);
	assert_int_equal(one->unwind, RECORDER_LEAF_REPAIR);
	assert_int_equal(one->stack_bytes, 0);
	assert_null(one->metrics);
	assert_null(one->profiles);
	assert_int_equal(one->layouts, 1);
	assert_true(one->yardstick);
	assert_int_equal(config->calibrate_every, 0);
	assert_true(config_uses_engine(one, &engine_perf));
	assert_false(config_uses_engine(one, &engine_callgrind));
	assert_false(one->cache);
	assert_false(one->heap);
	assert_int_equal(one->call_depth, 100);
}

static void recording_is_configured_per_benchmark_or_for_all(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse(
	        "version: 1\ndefaults: {unwind: frame-pointers, measure: region, profiles: [off-cpu]}\n"
	        "benchmarks:\n"
	        "  - {name: a, command: ./a, unwind: dwarf, stack_bytes: 16384, profiles: [page-faults, off-cpu]}\n"
	        "  - {name: b, command: ./b, measure: whole}\n");
	const ConfigBenchmark *a = config_benchmark(config, "a"), *b = config_benchmark(config, "b");
	assert_int_equal(a->unwind, RECORDER_DWARF);
	assert_int_equal(a->stack_bytes, 16384);
	assert_int_equal(a->measure, MEASURE_REGION);
	assert_string_equal(a->profiles[0], "page-faults");
	assert_string_equal(a->profiles[1], "off-cpu");
	assert_int_equal(b->unwind, RECORDER_FRAME_POINTERS);
	assert_int_equal(b->measure, MEASURE_WHOLE);
	assert_string_equal(b->profiles[0], "off-cpu");
	assert_null(b->profiles[1]);
}

static void layouts_and_yardstick_are_set_per_benchmark_or_for_all(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\ncalibrate_every: 20\ndefaults: {layouts: 3, yardstick: false}\n"
	                                 "benchmarks:\n"
	                                 "  - {name: a, command: ./a, layouts: 16, yardstick: true}\n"
	                                 "  - {name: b, command: ./b}\n");
	const ConfigBenchmark *a = config_benchmark(config, "a"), *b = config_benchmark(config, "b");
	assert_int_equal(config->calibrate_every, 20);
	assert_int_equal(a->layouts, 16);
	assert_true(a->yardstick);
	assert_int_equal(b->layouts, 3);
	assert_false(b->yardstick);
}

static void callgrind_is_configured_per_benchmark_or_for_all(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\ndefaults: {cache: true, heap: true, call_depth: 12}\n"
	                                 "benchmarks:\n"
	                                 "  - {name: a, command: ./a, engines: [callgrind, perf], call_depth: 200}\n"
	                                 "  - {name: b, command: ./b, engines: [callgrind], cache: false}\n"
	                                 "  - {name: c, command: ./c}\n");
	const ConfigBenchmark *a = config_benchmark(config, "a"), *b = config_benchmark(config, "b");
	const ConfigBenchmark *c = config_benchmark(config, "c");
	assert_true(config_uses_engine(a, &engine_perf) && config_uses_engine(a, &engine_callgrind));
	assert_true(a->cache && a->heap);
	assert_int_equal(a->call_depth, 200);
	assert_false(config_uses_engine(b, &engine_perf));
	assert_false(b->cache);
	assert_true(b->heap);
	assert_int_equal(b->call_depth, 12);
	/* no use for them, no trace of them */
	assert_false(c->cache || c->heap);
	assert_int_equal(c->call_depth, 100);
}

static void what_only_perf_knows_may_stay_beside_callgrind_alone(void **state)
{
	(void)state;
	g_autoptr(Config) config =
	        parse("version: 1\ndefaults: {sampling: 999, rounds: 12, schedule: sequential, layouts: 2, yardstick: "
	              "false, profiles: [off-cpu], unwind: dwarf, stack_bytes: 1024, cpus: 2}\n" BENCH
	              "    engines: [callgrind]\n");
	assert_int_equal(config_benchmark(config, "one")->layouts, 2);
}

static void each_engine_measures_its_metrics(void **state)
{
	static const struct {
		const char *settings, *metric;
		gboolean perf, callgrind;
	} rows[] = {
	        {"engines: [perf, callgrind]", "instructions", TRUE, TRUE},
	        {"engines: [perf, callgrind]", "task-clock", TRUE, FALSE},
	        {"engines: [perf, callgrind]", "allocations", FALSE, TRUE},
	        {"engines: [perf, callgrind]", "system-calls", FALSE, TRUE},
	        {"engines: [perf, callgrind]", "branch-misses", TRUE, FALSE},
	        {"engines: [perf, callgrind], cache: true", "branch-misses", TRUE, TRUE},
	        {"engines: [perf, callgrind], cache: true", "estimated-cycles", FALSE, TRUE},
	        {"engines: [perf, callgrind], cache: true", "l1-misses", FALSE, TRUE},
	        {"engines: [perf, callgrind], cache: true", "ll-misses", FALSE, TRUE},
	        {"engines: [perf, callgrind], cache: true", "peak-heap", FALSE, FALSE},
	        {"engines: [perf, callgrind], heap: true", "peak-heap", FALSE, TRUE},
	        {"engines: [perf, callgrind], heap: true", "allocated-bytes", FALSE, TRUE},
	        {"engines: [perf, callgrind], heap: true", "ll-misses", FALSE, FALSE},
	        {"engines: [callgrind]", "instructions", FALSE, TRUE},
	        {"engines: [callgrind]", "wall", FALSE, FALSE},
	        {"engines: [perf]", "allocations", FALSE, FALSE},
	        {"engines: [perf], metrics: [rate]", "rate", TRUE, FALSE},
	        {"engines: [perf, callgrind], metrics: [rate]", "rate", TRUE, FALSE},
	        {"engines: [perf]", "rate", FALSE, FALSE},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strdup_printf(
		        "version: 1\nbenchmarks: [{name: one, command: ./one, %s}]\n", rows[i].settings);
		g_autoptr(Config) config = parse(text);
		const ConfigBenchmark *one = config_benchmark(config, "one");
		print_message("%s: %s\n", rows[i].settings, rows[i].metric);
		assert_int_equal(config_measures(one, &engine_perf, rows[i].metric), rows[i].perf);
		assert_int_equal(config_measures(one, &engine_callgrind, rows[i].metric), rows[i].callgrind);
	}
}

static void numbers_of_a_framework_gate_where_load_does_not_change_them(void **state)
{
	static const char *const wall = "time-per-iteration cannot gate: it is a time by the wall clock";
	(void)state;
	g_autoptr(Config) google = parse(
	        "version: 1\n" BENCH "    framework: google-benchmark\n    gate: {time-per-iteration: {margin: 3%}}\n");
	g_autoptr(Config) go = parse(
	        "version: 1\n" BENCH "    framework: go\n    gate: {task-clock: {}, allocations-per-iteration: {}}\n");
	assert_true(config_measures(config_benchmark(google, "one"), &engine_perf, "time-per-iteration"));
	assert_true(config_measures(config_benchmark(go, "one"), &engine_perf, "allocated-per-iteration"));
	assert_refused("version: 1\n" BENCH "    framework: go\n    gate: {time-per-iteration: {}}\n", wall);
	assert_refused("version: 1\n" BENCH "    framework: catch2\n    gate: {time-per-iteration: {}}\n", wall);
	assert_refused("version: 1\n" BENCH "    framework: catch2\n    gate: {allocations-per-iteration: {}}\n",
	        "is said by `framework: go` alone");
	assert_refused("version: 1\n" BENCH "    framework: google-benchmark\n    gate: {items-per-second: {}}\n",
	        "is another form of `time-per-iteration`");
	assert_refused("version: 1\n" BENCH "    gate: {time-per-iteration: {}}\n", "`framework` names none");
}

static void a_gate_on_what_no_engine_measures_says_what_is_missing(void **state)
{
	(void)state;
	assert_refused("version: 1\n" BENCH "    gate: {allocations: {}}\n",
	        "firebreak.yml:5:12: allocations cannot gate, since it is not measured: it needs `callgrind` in "
	        "`engines`");
	assert_refused("version: 1\n" BENCH "    gate: {estimated-cycles: {}}\n",
	        "needs `callgrind` in `engines`, and `cache: true`");
	assert_refused("version: 1\n" BENCH "    gate: {peak-heap: {margin: 1%}}\n",
	        "needs `callgrind` in `engines`, and `heap: true`");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    gate: {ll-misses: {}}\n",
	        "firebreak.yml:6:12: ll-misses cannot gate, since it is not measured: it needs `cache: true`");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    gate: {branch-misses: {}}\n", "cache: true");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    cache: true\n    gate: {peak-heap: {}}\n",
	        "needs `heap: true`");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    gate: {task-clock: {}}\n",
	        "needs `perf` in `engines`");
	assert_refused("version: 1\ndefaults:\n  gate: {wall: {margin: 3%}}\n" BENCH "    engines: [callgrind]\n",
	        "firebreak.yml:3:10: wall cannot gate benchmark \"one\", where it is not measured: it needs `perf` in "
	        "`engines`; or write `wall: {gates: false}`");
}

static void a_gate_that_decides_nothing_may_name_what_is_not_measured(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\ndefaults: {gate: {task-clock: {margin: 3%}}}\nbenchmarks:\n"
	                                 "  - {name: a, command: ./a}\n"
	                                 "  - {name: b, command: ./b, engines: [callgrind], gate: {task-clock: "
	                                 "{gates: false}, instructions: {margin: 0%, pass_margin: 0%}}}\n");
	assert_true(config_gate(config_benchmark(config, "a"), "task-clock")->gates);
	assert_false(config_gate(config_benchmark(config, "b"), "task-clock")->gates);
	assert_true(config_gate(config_benchmark(config, "b"), "instructions")->margin == 0);
	assert_true(config_gate(config_benchmark(config, "b"), "instructions")->pass_margin == 0);
}

static void a_benchmark_cannot_report_what_callgrind_counts(void **state)
{
	static const char *const taken[] = {"estimated-cycles", "l1-misses", "ll-misses", "allocations",
	        "allocated-bytes", "peak-heap", "system-calls"};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(taken); i++) {
		assert_false(config_own_metric_name(taken[i]));
		assert_true(g_strv_contains(config_metric_names, taken[i]));
	}
	assert_true(config_own_metric_name("allocations-per-request"));
}

static void a_copy_of_a_benchmark_shares_nothing_with_it(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\n" BENCH "    metrics: [rate]\n    profiles: [off-cpu]\n"
	                                 "    gate: {rate: {margin: 8%}}\n    layouts: 2\n");
	g_autoptr(ConfigBenchmark) copy = config_benchmark_copy(config_benchmark(config, "one"));
	g_clear_pointer(&config, config_free);
	assert_string_equal(copy->name, "one");
	assert_string_equal(copy->command[1], "3");
	assert_string_equal(copy->cwd, ".");
	assert_string_equal(copy->engines[0], "perf");
	assert_string_equal(copy->profiles[0], "off-cpu");
	assert_true(config_declares_metric(copy, "rate"));
	assert_true(config_gate(copy, "rate")->margin == .08);
	assert_int_equal(copy->layouts, 2);
	assert_true(config_uses_engine(copy, &engine_perf));
}

static void a_gate_can_name_what_the_benchmark_reports(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\n" BENCH "    gate: {latency-p99: {margin: 8%}}\n"
	                                 "    metrics: [latency-p99, throughput]\n");
	const ConfigBenchmark *one = config_benchmark(config, "one");
	assert_true(config_declares_metric(one, "throughput"));
	assert_false(config_declares_metric(one, "latency"));
	assert_true(fabs(config_gate(one, "latency-p99")->margin - .08) < 1e-12);
	assert_null(config_gate(one, "throughput"));
}

static void a_text_command_runs_in_a_shell(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\nbuild: {command: make -j2, timeout: 10m}\n" BENCH);
	assert_string_equal(config->build_command[0], "/bin/sh");
	assert_string_equal(config->build_command[2], "make -j2");
	assert_int_equal(config->build_timeout_ms, 600000);
}

static void a_benchmark_overrides_the_defaults(void **state)
{
	(void)state;
	g_autoptr(Config) config =
	        parse("version: 1\ndefaults: {sampling: 999, rounds: 12, gate: {task-clock: {margin: 3%}}}\n"
	              "benchmarks:\n"
	              "  - {name: a, command: ./a, sampling: 499, gate: {task-clock: {margin: 1%}}}\n"
	              "  - {name: b, command: ./b}\n");
	const ConfigBenchmark *a = config_benchmark(config, "a"), *b = config_benchmark(config, "b");
	assert_int_equal(a->sampling_hz, 499);
	assert_int_equal(b->sampling_hz, 999);
	assert_int_equal(b->rounds, 12);
	assert_true(fabs(config_gate(a, "task-clock")->margin - .01) < 1e-12);
	assert_true(fabs(config_gate(b, "task-clock")->margin - .03) < 1e-12);
	assert_true(isnan(config_gate(b, "task-clock")->pass_margin));
	assert_null(config_gate(b, "instructions"));
}

static void mistakes_are_shown_with_their_place(void **state)
{
	(void)state;
	assert_refused("version: 1\nbuild:\n  comand: make\n" BENCH,
	        "firebreak.yml:3:3: unknown key \"comand\"; did you mean \"command\"?");
	assert_refused("version: 2\n" BENCH, "firebreak.yml:1:10: ");
	assert_refused(BENCH, "version");
	assert_refused("version: 1\nbenchmarks: []\n", "nothing measured is never a pass");
	assert_refused("version: 1\n" BENCH "  - name: one\n    command: ./two\n", "is named \"one\" already");
	assert_refused("version: 1\n" BENCH "    sampling: fast\n", "firebreak.yml:5:15");
	assert_refused("version: 1\n" BENCH "    gate: {task-clock: {margin: 3}}\n", "%");
	assert_refused("version: 1\n" BENCH "    gate: {task-clok: {margin: 3%}}\n", "task-clock");
	assert_refused("version: 1\n" BENCH "    gate: {wall: {margin: 3%, pass_margin: 1%}}\n", "pass_margin");
	assert_refused("version: 1\n" BENCH "    cwd: ../elsewhere\n", "inside the repository");
	assert_refused("version: 1\n" BENCH "    engines: [magic]\n", "magic");
	assert_refused("version: 1\n" BENCH "    engines: [perf, calgrind]\n", "did you mean \"callgrind\"?");
	assert_refused(
	        "version: 1\n" BENCH "    engines: [perf, perf]\n", "firebreak.yml:5:21: \"perf\" is in the list");
	assert_refused("version: 1\n" BENCH "    engines: []\n", "firebreak.yml:5:14");
	assert_refused(
	        "version: 1\n" BENCH "    cache: true\n", "firebreak.yml:5:12: `cache` is of the engine callgrind");
	assert_refused("version: 1\n" BENCH "    heap: false\n", "`heap` is of the engine callgrind");
	assert_refused("version: 1\n" BENCH "    call_depth: 9\n", "`call_depth` is of the engine callgrind");
	assert_refused("version: 1\ndefaults: {heap: true}\n" BENCH, "firebreak.yml:2:18: `heap`");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    call_depth: 0\n", "firebreak.yml:6:17");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    call_depth: 201\n", "200");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    cache: 1\n", "firebreak.yml:6:12");
	assert_refused("version: 1\n" BENCH "    engines: [callgrind]\n    metrics: [a]\n", "add `perf` to `engines`");
	assert_refused("version: 1\nenv: [DATA, GITHUB_TOKEN]\n" BENCH, "firebreak.yml:2:13: GITHUB_TOKEN");
	assert_refused("version: 1\nbenchmarks:\n  - name: ../x\n    command: ./x\n", "firebreak.yml:3:11");
	assert_refused("version: 1\nbenchmarks:\n  - name: x\n", "command");
	assert_refused("version: 1\n" BENCH "    unwind: orc\n", "leaf-repair");
	assert_refused("version: 1\n" BENCH "    measure: part\n", "region");
	assert_refused("version: 1\n" BENCH "    stack_bytes: 65536\n", "65528");
	assert_refused("version: 1\n" BENCH "    profiles: [what-i-want]\n", "is not an event: ");
	assert_refused("version: 1\n" BENCH "    profiles: [page-fualts]\n", "did you mean \"page-faults\"?");
	assert_refused("version: 1\n" BENCH "    profiles: [offcpu]\n", "did you mean \"off-cpu\"?");
	assert_refused("version: 1\n" BENCH "    profiles: off-cpu\n", "write [off-cpu]");
	assert_refused("version: 1\n" BENCH "    profiles: [off-cpu, off-cpu]\n", "in the list already");
	assert_refused("version: 1\n" BENCH "    metrics: [Latency]\n", "a-z, 0-9 and `-`");
	assert_refused("version: 1\n" BENCH "    metrics: [a, wall]\n", "firebreak.yml:5:18");
	assert_refused("version: 1\n" BENCH "    metrics: [functions]\n", "firebreak uses itself");
	assert_refused("version: 1\n" BENCH "    metrics: [a, b, a]\n", "in the list already");
	assert_refused("version: 1\n" BENCH "    gate: {latency: {margin: 3%}}\n", "latency");
	assert_refused("version: 1\ndefaults: {metrics: [a]}\n" BENCH, "metrics");
	assert_refused("version: 1\n" BENCH "    layouts: 0\n", "firebreak.yml:5:14");
	assert_refused("version: 1\n" BENCH "    layouts: 17\n", "16");
	assert_refused("version: 1\n" BENCH "    layout: 2\n", "layouts");
	assert_refused("version: 1\n" BENCH "    yardstick: 1\n", "firebreak.yml:5:16");
	assert_refused("version: 1\n" BENCH "    calibrate_every: 5\n", "calibrate_every");
	assert_refused("version: 1\ncalibrate_every: 1001\n" BENCH, "firebreak.yml:2:18");
}

static void variables_that_hold_secrets_or_change_the_loader_are_not_handed_on(void **state)
{
	(void)state;
	static const struct {
		const char *name, *reason;
	} refused[] = {
	        {"DEPLOY_TOKEN", "like *TOKEN* hold secrets"},
	        {"my_token_2", "like *TOKEN* hold secrets"},
	        {"SSHPASS", "like *PASS hold secrets"},
	        {"DB_PASS", "like *PASS hold secrets"},
	        {"DB_PASS_FILE", "like *PASS_* hold secrets"},
	        {"PGPASSFILE", "like *PASSFILE* hold secrets"},
	        {"PGPASSWORD", "like *PASSW* hold secrets"},
	        {"MYSQL_PWD", "like *_PWD hold secrets"},
	        {"GPG_PASSPHRASE", "like *PASSPHRASE* hold secrets"},
	        {"GIT_ASKPASS", "like *PASS hold secrets"},
	        {"REDISCLI_AUTH", "like *_AUTH hold secrets"},
	        {"DOCKER_AUTH_CONFIG", "like *_AUTH_CONFIG hold secrets"},
	        {"API_KEY_ID", "like *_KEY* hold secrets"},
	        {"GH_PAT", "like *_PAT hold secrets"},
	        {"SSH_AUTH_SOCK", "like SSH_* lead to agents"},
	        {"KUBECONFIG", "like KUBECONFIG lead to agents"},
	        {"DOCKER_HOST", "like DOCKER_* lead to agents"},
	        {"ACTIONS_CACHE_URL", "like ACTIONS_* control the job"},
	        {"LD_PRELOAD", "like LD_* change which code is loaded; set it in the command"},
	        {"LD_AUDIT", "like LD_* change which code is loaded"},
	        {"LD_LIBRARY_PATH", "like LD_* change which code is loaded"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_autofree char *text = g_strdup_printf("version: 1\nenv: [DATA, %s]\n" BENCH, refused[i].name);
		g_autofree char *place = g_strdup_printf("firebreak.yml:2:13: %s is not handed", refused[i].name);
		assert_refused(text, place);
		assert_refused(text, refused[i].reason);
	}
	static const char *const taken[] = {"DATA", "BYPASS_CACHE", "N_PASSES", "COMPASS", "PKG_CONFIG_PATH", "LD",
	        "MONKEY", "TRANSACTIONS_N", "OMP_NUM_THREADS"};
	for (guint i = 0; i < G_N_ELEMENTS(taken); i++) {
		g_autofree char *text = g_strdup_printf("version: 1\nenv: [%s]\n" BENCH, taken[i]);
		g_autoptr(GError) error = NULL;
		g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", &error);
		assert_null(error);
		assert_string_equal(config->pass_env[0], taken[i]);
	}
}

static void what_a_head_weakens_is_listed(void **state)
{
	(void)state;
	g_autoptr(Config) base =
	        parse("version: 1\nbenchmarks:\n  - {name: a, command: ./a}\n  - {name: b, command: ./b}\n");
	g_autoptr(Config) same =
	        parse("version: 1\nbenchmarks:\n  - {name: b, command: ./b}\n  - {name: a, command: ./a}\n"
	              "  - {name: c, command: ./c}\n");
	g_autoptr(Config) less = parse("version: 1\nbenchmarks:\n  - {name: a, command: ./fast, rounds: 3, work: 2}\n");
	g_autoptr(GPtrArray) nothing = config_weakened(base, same), list = config_weakened(base, less);
	assert_int_equal(nothing->len, 0);
	assert_int_equal(list->len, 4);
	assert_string_equal(list->pdata[0], "a: its command is changed");
	assert_string_equal(list->pdata[3], "b: the benchmark is removed");
}

static void dropping_the_gate_on_functions_is_weaker(void **state)
{
	(void)state;
	g_autoptr(Config) base = parse("version: 1\n" BENCH);
	g_autoptr(Config) head = parse("version: 1\n" BENCH "    gate: {functions: false}\n");
	g_autoptr(GPtrArray) list = config_weakened(base, head);
	assert_int_equal(list->len, 1);
	assert_string_equal(list->pdata[0], "one: functions no longer gate");
	/* the metrics still do */
	assert_false(config_benchmark(head, "one")->gates_given);
}

static void functions_gate_strictly_where_it_is_said(void **state)
{
	(void)state;
	g_autoptr(Config) usual = parse("version: 1\n" BENCH "    gate: {functions: true}\n");
	g_autoptr(Config) strict = parse("version: 1\n" BENCH "    gate: {functions: strict}\n");
	g_autoptr(Config) off = parse("version: 1\n" BENCH "    gate: {functions: false}\n");
	assert_true(config_benchmark(strict, "one")->strict_functions);
	assert_true(config_benchmark(strict, "one")->gate_functions);
	assert_false(config_benchmark(usual, "one")->strict_functions);
	assert_false(config_benchmark(off, "one")->strict_functions);
	g_autoptr(GPtrArray) weaker = config_weakened(strict, usual);
	assert_int_equal(weaker->len, 1);
	assert_string_equal(weaker->pdata[0], "one: functions no longer gate strictly");
	g_autoptr(GPtrArray) weakest = config_weakened(strict, off);
	assert_int_equal(weakest->len, 1);
	assert_string_equal(weakest->pdata[0], "one: functions no longer gate");
	g_autoptr(GPtrArray) stricter = config_weakened(usual, strict);
	assert_int_equal(stricter->len, 0);
}

static void what_functions_do_is_one_of_three_words(void **state)
{
	static const char *const wrong[] = {"'strict'", "'true'", "often", "1", "[]"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *text = g_strdup_printf("version: 1\n" BENCH "    gate: {functions: %s}\n", wrong[i]);
		g_autoptr(Config) config = config_parse(text, strlen(text), "f.yml", &error);
		assert_null(config);
		assert_non_null(strstr(error->message, "expected true, false or strict"));
	}
}

/* `says` is the one thing in which head is weaker; NULL: nothing. */
static void assert_weakened(const Config *base, const char *head_text, const char *says)
{
	g_autoptr(Config) head = parse(head_text);
	g_autoptr(GPtrArray) list = config_weakened(base, head);
	assert_int_equal(list->len, says != NULL ? 1 : 0);
	if (says != NULL)
		assert_string_equal(list->pdata[0], says);
}

static void programs_gain_privileges_only_where_that_is_said(void **state)
{
	(void)state;
	g_autoptr(Config) without = parse("version: 1\nbuild: {command: make}\n" BENCH);
	assert_false(without->build_privileges);
	assert_false(config_benchmark(without, "one")->privileges);
	g_autoptr(Config) with =
	        parse("version: 1\nbuild: {command: make, privileges: allow}\ndefaults: {privileges: allow}\n" BENCH);
	assert_true(with->build_privileges);
	assert_true(config_benchmark(with, "one")->privileges);
	g_autoptr(GPtrArray) weaker = config_weakened(without, with), stronger = config_weakened(with, without);
	assert_int_equal(weaker->len, 2);
	assert_string_equal(weaker->pdata[0], "programs of the build may gain privileges");
	assert_string_equal(weaker->pdata[1], "one: its programs may gain privileges");
	assert_int_equal(stronger->len, 0);
	assert_refused("version: 1\n" BENCH "    privileges: some\n", "firebreak.yml:5:17");
}

static void fewer_layouts_no_yardstick_and_rarer_calibration_are_weaker(void **state)
{
	static const struct {
		const char *root, *settings, *says;
	} heads[] = {
	        {"calibrate_every: 20", "layouts: 3", NULL},
	        {"calibrate_every: 1", "layouts: 16", NULL},
	        {"calibrate_every: 20", "layouts: 2", "one: layouts are cut to 2"},
	        {"calibrate_every: 20", "layouts: 3, yardstick: false", "one: the yardstick is switched off"},
	        {"calibrate_every: 21", "layouts: 3", "one check in 21 is calibrated, no longer one in 20"},
	        {"calibrate_every: 0", "layouts: 3", "checks are no longer calibrated"},
	};
	(void)state;
	g_autoptr(Config) base = parse("version: 1\ncalibrate_every: 20\n" BENCH "    layouts: 3\n");
	for (gsize i = 0; i < G_N_ELEMENTS(heads); i++) {
		g_autofree char *text =
		        g_strdup_printf("version: 1\n%s\ndefaults: {%s}\n" BENCH, heads[i].root, heads[i].settings);
		assert_weakened(base, text, heads[i].says);
	}
}

static void the_anchor_of_drift_is_configured(void **state)
{
	(void)state;
	g_autoptr(Config) plain = parse("version: 1\n" BENCH);
	g_autoptr(Config) back =
	        parse("version: 1\nbaselines: {anchor: 50, drift_margin: 2.5%, gate_drift: true}\n" BENCH);
	g_autoptr(Config) none = parse("version: 1\nbaselines: {anchor: none}\n" BENCH);
	assert_string_equal(plain->anchor, CONFIG_ANCHOR_RELEASE);
	assert_true(plain->drift_margin == .05);
	assert_false(plain->gate_drift);
	assert_string_equal(back->anchor, "50");
	assert_true(back->drift_margin == .025);
	assert_true(back->gate_drift);
	assert_string_equal(none->anchor, CONFIG_ANCHOR_NONE);
	assert_refused("version: 1\nbaselines: {anchor: 0}\n" BENCH, "firebreak.yml:2:21: ");
	assert_refused("version: 1\nbaselines: {anchor: 10001}\n" BENCH, "at most 10000 commits back");
	assert_refused("version: 1\nbaselines: {anchor: --all}\n" BENCH, "firebreak.yml:2:21: ");
	assert_refused("version: 1\nbaselines: {margin: 3%}\n" BENCH, "firebreak.yml:2:13: ");
}

static void drift_that_gates_less_is_weaker(void **state)
{
	static const struct {
		const char *settings, *says;
	} heads[] = {
	        {"anchor: v1.0, drift_margin: 3%, gate_drift: true", NULL},
	        {"anchor: v1.0, drift_margin: 2%, gate_drift: true", NULL},
	        {"anchor: v1.0, drift_margin: 4%, gate_drift: true", "drift_margin is larger"},
	        {"anchor: v1.1, drift_margin: 3%, gate_drift: true", "drift is measured from another anchor"},
	        {"anchor: v1.0, drift_margin: 3%", "drift no longer gates"},
	};
	(void)state;
	g_autoptr(Config) base =
	        parse("version: 1\nbaselines: {anchor: v1.0, drift_margin: 3%, gate_drift: true}\n" BENCH);
	for (gsize i = 0; i < G_N_ELEMENTS(heads); i++) {
		g_autofree char *text = g_strdup_printf("version: 1\nbaselines: {%s}\n" BENCH, heads[i].settings);
		g_autoptr(Config) head = parse(text);
		g_autoptr(GPtrArray) list = config_weakened(base, head), itself = config_weakened(head, head);
		assert_int_equal(list->len, heads[i].says != NULL ? 1 : 0);
		assert_int_equal(itself->len, 0);
		if (heads[i].says != NULL)
			assert_string_equal(list->pdata[0], heads[i].says);
	}
}

static void letting_runs_wait_is_weaker(void **state)
{
	(void)state;
	g_autoptr(Config) base = parse("version: 1\n" BENCH);
	g_autoptr(Config) head = parse("version: 1\ndefaults: {waits: true}\n" BENCH);
	g_autoptr(GPtrArray) on = config_weakened(base, head), off = config_weakened(head, base);
	assert_int_equal(on->len, 1);
	assert_string_equal(on->pdata[0], "one: its runs may wait longer");
	assert_int_equal(off->len, 0);
}

static void letting_runs_report_their_work_is_weaker(void **state)
{
	(void)state;
	g_autoptr(Config) fixed = parse("version: 1\n" BENCH);
	g_autoptr(Config) reported = parse("version: 1\n" BENCH "    work: reported\n");
	g_autoptr(GPtrArray) on = config_weakened(fixed, reported), off = config_weakened(reported, fixed),
	                     same = config_weakened(reported, reported);
	const ConfigBenchmark *benchmark = reported->benchmarks->pdata[0];
	assert_true(benchmark->work_reported && benchmark->work == 1);
	assert_string_equal(on->pdata[0], "one: its runs report their units of work themselves");
	assert_string_equal(off->pdata[0], "one: its units of work are changed");
	assert_int_equal(same->len, 0);
	assert_refused("version: 1\n" BENCH "    work: many\n", "work is a number, or `reported`");
}

static void measuring_less_is_weaker_and_measuring_otherwise_is_not(void **state)
{
	(void)state;
	g_autoptr(Config) base = parse("version: 1\n" BENCH "    metrics: [a, b]\n    profiles: [off-cpu]\n");
	g_autoptr(Config) less = parse("version: 1\n" BENCH "    metrics: [b]\n    measure: region\n");
	g_autoptr(Config) other = parse("version: 1\n" BENCH "    metrics: [c, b, a]\n    unwind: dwarf\n");
	g_autoptr(GPtrArray) list = config_weakened(base, less), nothing = config_weakened(base, other);
	assert_int_equal(list->len, 2);
	assert_string_equal(list->pdata[0], "one: its metric a is dropped");
	assert_non_null(strstr(list->pdata[1], "another part of a run is measured"));
	assert_int_equal(nothing->len, 0);
}

static void counting_less_is_weaker(void **state)
{
	static const struct {
		const char *settings, *says;
	} heads[] = {
	        {"engines: [callgrind, perf], cache: true, heap: true, call_depth: 20", NULL},
	        {"engines: [perf, callgrind], cache: true, heap: true", NULL},
	        {"engines: [perf, callgrind], heap: true", "one: the simulation of caches is switched off"},
	        {"engines: [perf, callgrind], cache: true", "one: the run that counts heap memory is switched off"},
	        {"engines: [perf, callgrind], cache: true, heap: true, call_depth: 19",
	                "one: the depth of call paths is cut to 19"},
	        {"engines: [perf]", "one: the engine callgrind is dropped"},
	        {"engines: [callgrind], cache: true, heap: true, sampling: 10, rounds: 1",
	                "one: the engine perf is dropped"},
	};
	(void)state;
	g_autoptr(Config) base =
	        parse("version: 1\nbenchmarks: [{name: one, command: ./one, engines: [perf, callgrind], "
	              "cache: true, heap: true, call_depth: 20}]\n");
	for (gsize i = 0; i < G_N_ELEMENTS(heads); i++) {
		g_autofree char *text = g_strdup_printf(
		        "version: 1\nbenchmarks: [{name: one, command: ./one, %s}]\n", heads[i].settings);
		assert_weakened(base, text, heads[i].says);
	}
}

static void beside_callgrind_alone_rounds_cannot_weaken(void **state)
{
	(void)state;
	g_autoptr(Config) base = parse("version: 1\n" BENCH "    engines: [callgrind]\n");
	g_autoptr(Config) head = parse("version: 1\ndefaults: {sampling: 10, rounds: 3, yardstick: false}\n" BENCH
	                               "    engines: [callgrind]\n");
	g_autoptr(GPtrArray) list = config_weakened(base, head);
	assert_int_equal(list->len, 0);
}

static void accepted_regressions_are_read_with_their_line(void **state)
{
	(void)state;
	g_autoptr(Config) config = parse("version: 1\n" BENCH "accept:\n"
	                                 "  - {benchmark: one, reason: '  worth it '}\n"
	                                 "  - benchmark: one\n    function: ns::hash(int)\n    until: 2026-02-28\n"
	                                 "    reason: for now\n");
	assert_int_equal(config->accept->len, 2);
	const ConfigAccept *whole = config->accept->pdata[0], *dated = config->accept->pdata[1];
	assert_string_equal(whole->benchmark, "one");
	assert_string_equal(whole->reason, "worth it");
	assert_null(whole->function);
	assert_null(whole->until);
	assert_int_equal(whole->line, 6);
	assert_string_equal(dated->function, "ns::hash(int)");
	assert_string_equal(dated->until, "2026-02-28");
	assert_int_equal(dated->until_end_s, 1772323200); /* 2026-03-01T00:00:00Z */
	assert_int_equal(dated->line, 7);
}

static void a_regression_may_be_accepted_from_everywhere_unless_the_policy_says_where(void **state)
{
	static const struct {
		const char *line;
		guint from;
	} rows[] = {
	        {"", ACCEPT_FROM_CONFIG | ACCEPT_FROM_TRAILERS},
	        {"accept_from: [config]\n", ACCEPT_FROM_CONFIG},
	        {"accept_from: [trailer]\n", ACCEPT_FROM_TRAILERS},
	        {"accept_from: [trailer, config]\n", ACCEPT_FROM_CONFIG | ACCEPT_FROM_TRAILERS},
	        {"accept_from: none\n", 0},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat("version: 1\n" BENCH, rows[i].line, NULL);
		g_autoptr(Config) config = parse(text);
		assert_int_equal(config->accept_from, rows[i].from);
	}
}

static void mistakes_in_accept_are_shown_with_their_place(void **state)
{
	static const struct {
		const char *line, *message;
	} rows[] = {
	        {"accept: [{benchmark: oen, reason: x}]",
	                "firebreak.yml:5:22: no benchmark is named \"oen\"; did you mean \"one\"?"},
	        {"accept: [{benchmark: other, reason: x}]", "firebreak.yml:5:22: no benchmark is named \"other\""},
	        {"accept: [{reason: x}]", "firebreak.yml:5:10: "},
	        {"accept: [{benchmark: one}]", "firebreak.yml:5:10: "},
	        {"accept: [{benchmark: one, reason: ' '}]", "firebreak.yml:5:35: a reason has words"},
	        {"accept: [{benchmark: one, reson: x}]", "did you mean \"reason\"?"},
	        {"accept: [{benchmark: one, reason: x, until: 2026-02-29}]",
	                "firebreak.yml:5:45: expected a date such as 2026-12-31"},
	        {"accept: [{benchmark: one, reason: x, until: 2026-1-31}]", "expected a date"},
	        {"accept: [{benchmark: one, reason: x, until: 20260131}]", "expected a date"},
	        {"accept: [{benchmark: one, reason: x, until: 2026-01-31T00}]", "expected a date"},
	        {"accept: one", "firebreak.yml:5:9: expected a list"},
	        {"accept_from: config", "firebreak.yml:5:14: expected a list of config and trailer, or `none`"},
	        {"accept_from: [confg]", "firebreak.yml:5:15: "},
	        {"accept_from: []", "firebreak.yml:5:14: expected at least one of config, trailer; or write `none`"},
	        {"accept_from: [trailer, trailer]", "firebreak.yml:5:24: trailer is in the list already"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat("version: 1\n" BENCH, rows[i].line, "\n", NULL);
		assert_refused(text, rows[i].message);
	}
}

static void an_entry_is_known_only_word_for_word(void **state)
{
	static const struct {
		const char *entry;
		gboolean known;
	} rows[] = {
	        {"benchmark: one, function: f, reason: r", TRUE},
	        {"reason: r, function: 'f', benchmark: one", TRUE},
	        {"benchmark: one, function: f, reason: r2", FALSE},
	        {"benchmark: one, function: g, reason: r", FALSE},
	        {"benchmark: one, reason: r", FALSE},
	        {"benchmark: one, function: f, reason: r, until: 2026-12-31", FALSE},
	};
	(void)state;
	g_autoptr(Config) base = parse("version: 1\n" BENCH "accept: [{benchmark: one, function: f, reason: r}]\n");
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strdup_printf("version: 1\n" BENCH "accept: [{%s}]\n", rows[i].entry);
		g_autoptr(Config) head = parse(text);
		assert_int_equal(config_accepts_already(base, head->accept->pdata[0]), rows[i].known);
	}
}

/* Checks how a configuration with these commands is refused; NULL = it is not. */
static void assert_placeholder(const char *build, const char *command, const char *refusal)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strdup_printf(
	        "version: 1\nbuild: {command: %s}\nbenchmarks: [{name: one, command: %s}]\n", build, command);
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	assert_non_null(config);
	assert_int_equal(config_is_filled_in(config, &error), refusal == NULL);
	if (refusal != NULL && strstr(error->message, refusal) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", refusal, error->message);
}

static void what_is_still_to_be_filled_in_is_refused(void **state)
{
	(void)state;
	assert_placeholder("make", "[./your-benchmark]", "one still has the placeholder \"./your-benchmark\": name");
	assert_placeholder("make", "./build/TODO --all", "placeholder \"./build/TODO\"");
	assert_placeholder("make", "[./bench, '<file>']", "placeholder \"<file>\"");
	assert_placeholder("make", "[./path/to/benchmark, some, argument]", "still the example of `firebreak init`");
	assert_placeholder("TODO", "[./bench]", "the build command still has the placeholder \"TODO\"");
	assert_placeholder("make", "[./bench, todo.json]", NULL);
	assert_placeholder("make && cp a b", "./bench <in.txt >out.txt", NULL);
}

static void accepting_is_not_weaker_but_allowing_more_of_it_is(void **state)
{
	(void)state;
	g_autoptr(Config) open = parse("version: 1\n" BENCH);
	g_autoptr(Config) closed = parse("version: 1\n" BENCH "accept_from: none\n");
	assert_weakened(open, "version: 1\n" BENCH "accept: [{benchmark: one, reason: r}]\n", NULL);
	assert_weakened(open, "version: 1\n" BENCH "accept_from: none\n", NULL);
	assert_weakened(closed, "version: 1\n" BENCH "accept_from: [trailer]\n", "accept_from allows commit trailers");
	assert_weakened(
	        closed, "version: 1\n" BENCH "accept_from: [config]\n", "accept_from allows entries of `accept`");
	assert_weakened(closed, "version: 1\n" BENCH, "accept_from allows entries of `accept` and commit trailers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(variables_that_hold_secrets_or_change_the_loader_are_not_handed_on),
	        cmocka_unit_test(accepted_regressions_are_read_with_their_line),
	        cmocka_unit_test(a_regression_may_be_accepted_from_everywhere_unless_the_policy_says_where),
	        cmocka_unit_test(mistakes_in_accept_are_shown_with_their_place),
	        cmocka_unit_test(an_entry_is_known_only_word_for_word),
	        cmocka_unit_test(accepting_is_not_weaker_but_allowing_more_of_it_is),
	        cmocka_unit_test(a_small_config_gets_the_defaults),
	        cmocka_unit_test(recording_is_configured_per_benchmark_or_for_all),
	        cmocka_unit_test(layouts_and_yardstick_are_set_per_benchmark_or_for_all),
	        cmocka_unit_test(a_copy_of_a_benchmark_shares_nothing_with_it),
	        cmocka_unit_test(fewer_layouts_no_yardstick_and_rarer_calibration_are_weaker),
	        cmocka_unit_test(programs_gain_privileges_only_where_that_is_said),
	        cmocka_unit_test(a_gate_can_name_what_the_benchmark_reports),
	        cmocka_unit_test(the_anchor_of_drift_is_configured),
	        cmocka_unit_test(drift_that_gates_less_is_weaker),
	        cmocka_unit_test(measuring_less_is_weaker_and_measuring_otherwise_is_not),
	        cmocka_unit_test(letting_runs_report_their_work_is_weaker),
	        cmocka_unit_test(letting_runs_wait_is_weaker),
	        cmocka_unit_test(a_text_command_runs_in_a_shell),
	        cmocka_unit_test(a_benchmark_overrides_the_defaults),
	        cmocka_unit_test(mistakes_are_shown_with_their_place),
	        cmocka_unit_test(callgrind_is_configured_per_benchmark_or_for_all),
	        cmocka_unit_test(what_only_perf_knows_may_stay_beside_callgrind_alone),
	        cmocka_unit_test(each_engine_measures_its_metrics),
	        cmocka_unit_test(numbers_of_a_framework_gate_where_load_does_not_change_them),
	        cmocka_unit_test(a_gate_on_what_no_engine_measures_says_what_is_missing),
	        cmocka_unit_test(a_gate_that_decides_nothing_may_name_what_is_not_measured),
	        cmocka_unit_test(a_benchmark_cannot_report_what_callgrind_counts),
	        cmocka_unit_test(counting_less_is_weaker),
	        cmocka_unit_test(beside_callgrind_alone_rounds_cannot_weaken),
	        cmocka_unit_test(what_a_head_weakens_is_listed),
	        cmocka_unit_test(dropping_the_gate_on_functions_is_weaker),
	        cmocka_unit_test(functions_gate_strictly_where_it_is_said),
	        cmocka_unit_test(what_functions_do_is_one_of_three_words),
	        cmocka_unit_test(what_is_still_to_be_filled_in_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
