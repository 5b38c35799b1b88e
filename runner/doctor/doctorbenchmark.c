/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/doctor/doctorbenchmark.h"

#include "model/engine.h"
#include "runner/events/eventparse.h"
#include "runner/trees/side.h"

#include <sched.h>

#define INSTALL_VALGRIND "apt install valgrind, or take callgrind out of `engines`"

/* One benchmark, and what is said of it. */
typedef struct {
	GArray *checks;
	const DoctorMachine *machine;
	const ConfigBenchmark *benchmark;
	char *name; /* of its checks */
} Examination;

static gboolean uses(const Examination *exam, const Engine *engine)
{
	return config_uses_engine(exam->benchmark, engine);
}

static void check_engines(const Examination *exam)
{
	const DoctorMachine *machine = exam->machine;
	if (uses(exam, &engine_perf) && machine->abilities == NULL)
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING,
		        machine->valgrind != NULL ? "`engines: [callgrind]` needs no perf events" : NULL,
		        "cannot be measured by the engine perf: perf events are refused");
	if (uses(exam, &engine_callgrind) && machine->valgrind == NULL)
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING, INSTALL_VALGRIND,
		        "cannot be measured by the engine callgrind: %s", machine->no_valgrind);
}

/* --- gates --- */

static gboolean needs_hardware(const char *metric)
{
	static const char *const names[] = {"cycles", "instructions", "branch-misses", "cache-misses", NULL};
	return g_strv_contains(names, metric);
}

static gboolean needs_kernel(const char *metric)
{
	static const char *const names[] = {"context-switches", "cpu-migrations", NULL};
	return g_strv_contains(names, metric);
}

static gboolean can_callgrind(const Examination *exam, const char *metric)
{
	return exam->machine->valgrind != NULL && config_measures(exam->benchmark, &engine_callgrind, metric);
}

static void check_gate(const Examination *exam, const char *metric)
{
	const PerfAbilities *abilities = exam->machine->abilities;
	const ConfigGate *gate = config_gate(exam->benchmark, metric);
	if (gate == NULL || !gate->gates || abilities == NULL || can_callgrind(exam, metric) ||
	        !config_measures(exam->benchmark, &engine_perf, metric))
		return;
	if (needs_hardware(metric) && !abilities->hardware)
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING,
		        g_str_equal(metric, "instructions") ? "add callgrind to `engines`, which counts them without"
		                                            : "gate on task-clock, or with `engines: [callgrind]` on "
		                                              "what it counts",
		        "gates on %s, and there are no hardware counters", metric);
	if (needs_kernel(metric) && !abilities->kernel_allowed)
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING,
		        "run as root or with CAP_PERFMON, or as root: sysctl kernel.perf_event_paranoid=1",
		        "gates on %s, which cannot be counted without kernel mode", metric);
}

static void check_gates(const Examination *exam)
{
	for (gsize i = 0; config_metric_names[i] != NULL; i++)
		check_gate(exam, config_metric_names[i]);
}

/* --- profiles --- */

/* Tells why an extra profile will be left out; NULL if it will not, as far as can be told. */
static const char *profile_obstacle(const PerfAbilities *abilities, const char *event)
{
	gboolean off_cpu = FALSE;
	const char *obstacle = NULL;
	g_autoptr(GArray) specs = g_array_new(FALSE, FALSE, sizeof(PerfEventSpec));
	g_array_set_clear_func(specs, (GDestroyNotify)perf_event_spec_clear);
	if (!perf_events_parse_recorded(event, specs, &off_cpu, NULL))
		return "there is no such event here";
	if (off_cpu && doctor_try_off_cpu() != 0)
		return "waits may not be recorded";
	for (guint i = 0; i < specs->len; i++) {
		const PerfEventSpec *spec = &g_array_index(specs, PerfEventSpec, i);
		if (spec->hardware && !abilities->hardware)
			obstacle = "there are no hardware counters";
		else if (spec->in_kernel_only && !abilities->kernel_allowed)
			obstacle = "kernel mode may not be counted";
	}
	return obstacle;
}

static void check_profiles(const Examination *exam)
{
	char **events = exam->benchmark->profiles;
	if (exam->machine->abilities == NULL || !uses(exam, &engine_perf))
		return;
	for (; events != NULL && *events != NULL; events++) {
		const char *obstacle = profile_obstacle(exam->machine->abilities, *events);
		if (obstacle != NULL)
			doctor_add(exam->checks, exam->name, DOCTOR_LIMITED, NULL,
			        "the profile %s will be left out: %s", *events, obstacle);
	}
}

/* --- other wishes --- */

static void check_layouts(const Examination *exam)
{
	g_autoptr(GError) error = NULL;
	if (exam->benchmark->layouts > 1 && uses(exam, &engine_perf) && !side_can_shuffle(&error))
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING, NULL, "%s", error->message);
}

/* firebreak keeps a CPU for itself where there is more than one. */
static void check_cpus(const Examination *exam)
{
	cpu_set_t set;
	if (!uses(exam, &engine_perf) || sched_getaffinity(0, sizeof set, &set) != 0)
		return;
	guint allowed = (guint)CPU_COUNT(&set), usable = allowed > 1 ? allowed - 1 : 1;
	if (exam->benchmark->cpus > usable)
		doctor_add(exam->checks, exam->name, DOCTOR_LIMITED, "lower `cpus`, or use a machine with more",
		        "asks for %u CPUs, and %u are available", exam->benchmark->cpus, usable);
}

/* The marks of include/firebreak.h do nothing under valgrind unless this is there when they are compiled. */
static void check_region(const Examination *exam)
{
	gboolean asked = uses(exam, &engine_callgrind) && exam->benchmark->measure == MEASURE_REGION;
	gboolean found = g_file_test("/usr/include/valgrind/callgrind.h", G_FILE_TEST_EXISTS) ||
	                 g_file_test("/usr/local/include/valgrind/callgrind.h", G_FILE_TEST_EXISTS);
	if (asked && exam->machine->valgrind != NULL && !found)
		doctor_add(exam->checks, exam->name, DOCTOR_LIMITED,
		        "install valgrind's headers (they are in the package valgrind, or in valgrind-devel)",
		        "measures a region, which the engine callgrind finds only in programs that were compiled with "
		        "<valgrind/callgrind.h>; it is not in /usr/include");
}

static void examine(const Examination *exam)
{
	guint before = exam->checks->len;
	g_autofree char *placeholder = config_placeholder(exam->benchmark);
	if (placeholder != NULL)
		doctor_add(exam->checks, exam->name, DOCTOR_MISSING, "name your program in " CONFIG_FILE,
		        g_str_equal(placeholder, CONFIG_EXAMPLE_PROGRAM)
		                ? "still the example of `firebreak init`"
		                : "its command still has the placeholder \"%s\"",
		        placeholder);
	check_engines(exam);
	check_gates(exam);
	check_layouts(exam);
	check_region(exam);
	check_cpus(exam);
	check_profiles(exam);
	if (exam->checks->len > before)
		return;
	g_autofree char *engines = g_strjoinv(" and ", exam->benchmark->engines);
	doctor_add(exam->checks, exam->name, DOCTOR_GOOD, NULL, "can be measured here, by %s", engines);
}

GArray *doctor_examine_benchmarks(const Config *config, const DoctorMachine *machine)
{
	GArray *checks = doctor_checks_new();
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		g_autofree char *name = g_strdup_printf("benchmark %s", benchmark->name);
		const Examination exam = {checks, machine, benchmark, name};
		examine(&exam);
	}
	return checks;
}
