/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what made-up machines can measure of benchmarks. */
#include "runner/doctor/doctorbenchmark.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const PerfAbilities no_counters = {
        .no_hardware = "there are none", .sampling = "cpu-clock", .kernel_allowed = FALSE};
static const PerfAbilities everything = {.hardware = TRUE, .kernel_allowed = TRUE, .sampling = "cycles"};
static const Valgrind valgrind = {.version = (char *)"3.19.0", .major = 3, .minor = 19};

static const DoctorMachine cloud = {.abilities = &no_counters, .valgrind = &valgrind};
static const DoctorMachine bare = {.abilities = &no_counters, .no_valgrind = "valgrind is not installed"};
static const DoctorMachine metal = {.abilities = &everything, .no_valgrind = "valgrind is not installed"};
static const DoctorMachine sandbox = {.valgrind = &valgrind};

/* The checks of benchmarks that are written one after the other, each beginning with "  - ". */
static GArray *examine(const DoctorMachine *machine, const char *benchmarks)
{
	g_autofree char *text = g_strconcat("version: 1\nbenchmarks:\n", benchmarks, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_parse(text, strlen(text), "test", &error);
	if (config == NULL)
		fail_msg("%s", error->message);
	return doctor_examine_benchmarks(config, machine);
}

#define BENCHMARK(lines) "  - name: parse\n    command: [./bench]\n" lines

static void assert_check(const GArray *checks, guint index, DoctorState state, const char *word)
{
	assert_true(index < checks->len);
	const DoctorCheck *check = &g_array_index(checks, DoctorCheck, index);
	if (check->state != state || strstr(check->text, word) == NULL)
		fail_msg("%s: %s", doctor_state_name(check->state), check->text);
}

/* Of the only benchmark. */
static void assert_finds(const DoctorMachine *machine, const char *benchmark, DoctorState state, const char *word)
{
	g_autoptr(GArray) checks = examine(machine, benchmark);
	assert_int_equal(checks->len, 1);
	assert_string_equal(g_array_index(checks, DoctorCheck, 0).name, "benchmark parse");
	assert_check(checks, 0, state, word);
}

static void a_plain_benchmark_can_be_measured_without_counters_and_valgrind(void **state)
{
	(void)state;
	assert_finds(&bare, BENCHMARK(""), DOCTOR_GOOD, "by perf");
}

static void the_engine_callgrind_needs_valgrind(void **state)
{
	(void)state;
	assert_finds(&cloud, BENCHMARK("    engines: [callgrind]\n"), DOCTOR_GOOD, "by callgrind");
	assert_finds(&bare, BENCHMARK("    engines: [callgrind]\n"), DOCTOR_MISSING, "valgrind is not installed");
}

static void the_engine_perf_needs_perf_events(void **state)
{
	(void)state;
	assert_finds(&sandbox, BENCHMARK(""), DOCTOR_MISSING, "perf events are refused");
	assert_finds(&sandbox, BENCHMARK("    engines: [callgrind]\n"), DOCTOR_GOOD, "by callgrind");
	assert_finds(
	        &sandbox, BENCHMARK("    engines: [perf, callgrind]\n"), DOCTOR_MISSING, "perf events are refused");
}

static void a_gate_on_a_hardware_event_needs_counters(void **state)
{
	(void)state;
	assert_finds(&bare, BENCHMARK("    gate: {cycles: {}}\n"), DOCTOR_MISSING, "gates on cycles");
	assert_finds(&metal, BENCHMARK("    gate: {cycles: {}}\n"), DOCTOR_GOOD, "by perf");
	assert_finds(&bare, BENCHMARK("    gate: {task-clock: {}}\n"), DOCTOR_GOOD, "by perf");
}

static void a_gate_on_instructions_can_be_had_from_callgrind(void **state)
{
	(void)state;
	static const char gate[] = BENCHMARK("    engines: [perf, callgrind]\n    gate: {instructions: {}}\n");
	assert_finds(&cloud, gate, DOCTOR_GOOD, "by perf and callgrind");
	assert_finds(&cloud, BENCHMARK("    gate: {instructions: {}}\n"), DOCTOR_MISSING, "gates on instructions");
}

static void what_is_measured_and_does_not_gate_is_no_obstacle(void **state)
{
	(void)state;
	assert_finds(&bare, BENCHMARK("    gate: {task-clock: {}, cycles: {gates: false}}\n"), DOCTOR_GOOD, "by perf");
}

static void a_gate_on_what_the_kernel_does_needs_kernel_mode(void **state)
{
	(void)state;
	static const char gate[] = BENCHMARK("    gate: {context-switches: {}}\n");
	assert_finds(&bare, gate, DOCTOR_MISSING, "kernel mode");
	assert_finds(&metal, gate, DOCTOR_GOOD, "by perf");
}

static void profiles_that_cannot_be_had_are_left_out(void **state)
{
	(void)state;
	assert_finds(
	        &bare, BENCHMARK("    profiles: [cache-misses]\n"), DOCTOR_LIMITED, "cache-misses will be left out");
	assert_finds(&bare, BENCHMARK("    profiles: [page-faults]\n"), DOCTOR_GOOD, "by perf");
	assert_finds(&bare, BENCHMARK("    profiles: [context-switches]\n"), DOCTOR_LIMITED, "kernel mode");
}

static void more_cpus_than_there_are_cannot_be_had(void **state)
{
	(void)state;
	cpu_set_t set;
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	g_autofree char *lines = g_strdup_printf(BENCHMARK("    cpus: %d\n"), MAX(CPU_COUNT(&set), 2));
	assert_finds(&bare, lines, DOCTOR_LIMITED, "CPUs");
}

static void every_obstacle_is_named(void **state)
{
	(void)state;
	g_autoptr(GArray) checks = examine(&bare, BENCHMARK("    engines: [perf, callgrind]\n"
	                                                    "    gate: {cycles: {}, context-switches: {}}\n"));
	assert_int_equal(checks->len, 3);
	assert_check(checks, 0, DOCTOR_MISSING, "engine callgrind");
	assert_check(checks, 1, DOCTOR_MISSING, "cycles");
	assert_check(checks, 2, DOCTOR_MISSING, "context-switches");
	for (guint i = 0; i < checks->len; i++)
		assert_non_null(g_array_index(checks, DoctorCheck, i).remedy);
}

static void each_benchmark_is_judged_by_itself(void **state)
{
	(void)state;
	g_autoptr(GArray) checks = examine(&bare, "  - name: one\n    command: [./bench]\n"
	                                          "  - name: two\n    command: [./bench]\n    engines: [callgrind]\n");
	assert_int_equal(checks->len, 2);
	assert_string_equal(g_array_index(checks, DoctorCheck, 0).name, "benchmark one");
	assert_string_equal(g_array_index(checks, DoctorCheck, 1).name, "benchmark two");
	assert_check(checks, 0, DOCTOR_GOOD, "can be measured");
	assert_check(checks, 1, DOCTOR_MISSING, "callgrind");
}

/* --- the machine itself */

static const DoctorCheck *check_named(const GArray *checks, const char *name)
{
	for (guint i = 0; i < checks->len; i++)
		if (strcmp(g_array_index(checks, DoctorCheck, i).name, name) == 0)
			return &g_array_index(checks, DoctorCheck, i);
	fail_msg("no check %s", name);
	return NULL;
}

static void a_machine_without_counters_is_told_of_callgrind(void **state)
{
	(void)state;
	g_autoptr(GArray) with = doctor_examine(&cloud), without = doctor_examine(&bare);
	const DoctorCheck *found = check_named(with, "hardware counters");
	const DoctorCheck *to_install = check_named(without, "hardware counters");
	assert_int_equal(found->state, DOCTOR_LIMITED);
	assert_non_null(strstr(found->text, "there are none"));
	assert_non_null(strstr(found->remedy, "engines: [callgrind]"));
	assert_null(strstr(found->remedy, "install"));
	assert_non_null(strstr(to_install->remedy, "install valgrind"));
}

static void counts_are_named_with_the_version(void **state)
{
	(void)state;
	g_autoptr(GArray) with = doctor_examine(&cloud), without = doctor_examine(&metal);
	const DoctorCheck *found = check_named(with, "instruction counts");
	const DoctorCheck *missing = check_named(without, "instruction counts");
	assert_int_equal(found->state, DOCTOR_GOOD);
	assert_non_null(strstr(found->text, "valgrind 3.19.0"));
	assert_int_equal(missing->state, DOCTOR_LIMITED);
	assert_non_null(missing->remedy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_plain_benchmark_can_be_measured_without_counters_and_valgrind),
	        cmocka_unit_test(the_engine_callgrind_needs_valgrind),
	        cmocka_unit_test(the_engine_perf_needs_perf_events),
	        cmocka_unit_test(a_gate_on_a_hardware_event_needs_counters),
	        cmocka_unit_test(a_gate_on_instructions_can_be_had_from_callgrind),
	        cmocka_unit_test(what_is_measured_and_does_not_gate_is_no_obstacle),
	        cmocka_unit_test(a_gate_on_what_the_kernel_does_needs_kernel_mode),
	        cmocka_unit_test(profiles_that_cannot_be_had_are_left_out),
	        cmocka_unit_test(more_cpus_than_there_are_cannot_be_had),
	        cmocka_unit_test(every_obstacle_is_named),
	        cmocka_unit_test(each_benchmark_is_judged_by_itself),
	        cmocka_unit_test(a_machine_without_counters_is_told_of_callgrind),
	        cmocka_unit_test(counts_are_named_with_the_version),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
