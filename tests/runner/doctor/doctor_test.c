/* SPDX-License-Identifier: Apache-2.0 */
/* Points of made-up machines; the others are tried on this one, which may say either. */
#include "runner/doctor/doctor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const PerfAbilities no_counters = {
        .no_hardware = "the CPU shows none", .sampling = "cpu-clock", .kernel_allowed = FALSE};
static const PerfAbilities everything = {.hardware = TRUE, .kernel_allowed = TRUE, .sampling = "cycles"};
static const Valgrind valgrind = {.version = (char *)"3.19.0", .major = 3, .minor = 19};

static const DoctorMachine cloud = {.abilities = &no_counters, .valgrind = &valgrind};
static const DoctorMachine bare = {.abilities = &no_counters, .no_valgrind = "valgrind is not installed"};
static const DoctorMachine metal = {.abilities = &everything, .valgrind = &valgrind};
static const DoctorMachine sandbox = {.valgrind = &valgrind};

static const DoctorCheck *find(const GArray *checks, const char *name)
{
	for (guint i = 0; i < checks->len; i++)
		if (g_str_equal(g_array_index(checks, DoctorCheck, i).name, name))
			return &g_array_index(checks, DoctorCheck, i);
	fail_msg("no point %s", name);
	return NULL;
}

/* The point of that name is in that state, its text has that word, and its remedy that other one; "" = no remedy. */
static void assert_finds(
        const DoctorMachine *machine, const char *name, DoctorState state, const char *word, const char *remedy)
{
	g_autoptr(GArray) checks = doctor_examine(machine);
	const DoctorCheck *check = find(checks, name);
	const char *said = check->remedy != NULL ? check->remedy : "";
	if (check->state != state || strstr(check->text, word) == NULL || strstr(said, remedy) == NULL ||
	        (*remedy == '\0') != (*said == '\0'))
		fail_msg("%s: %s: %s; %s", name, doctor_state_name(check->state), check->text, said);
}

static void without_perf_events_sampling_is_missing(void **state)
{
	(void)state;
	assert_finds(&sandbox, "sampling", DOCTOR_MISSING, "perf events are refused", "CAP_PERFMON");
	assert_finds(&sandbox, "hardware counters", DOCTOR_LIMITED, "not known", "CAP_PERFMON");
	assert_finds(&sandbox, "kernel mode", DOCTOR_LIMITED, "cannot be sampled", "CAP_PERFMON");
}

static void sampling_says_by_what(void **state)
{
	(void)state;
	assert_finds(&cloud, "sampling", DOCTOR_GOOD, "cpu-clock, user code", "");
	assert_finds(&metal, "sampling", DOCTOR_GOOD, "cycles, user code", "");
}

static void without_hardware_counters_valgrind_counts(void **state)
{
	(void)state;
	assert_finds(&metal, "hardware counters", DOCTOR_GOOD, "cycles, instructions", "");
	assert_finds(&cloud, "hardware counters", DOCTOR_LIMITED, "the CPU shows none", "`engines: [callgrind]`");
	assert_finds(&bare, "hardware counters", DOCTOR_LIMITED, "the CPU shows none", "install valgrind");
}

static void counts_need_a_valgrind(void **state)
{
	(void)state;
	assert_finds(&cloud, "instruction counts", DOCTOR_GOOD, "valgrind 3.19.0", "");
	assert_finds(&bare, "instruction counts", DOCTOR_LIMITED, "no: ", "install");
}

static void kernel_mode_is_sampled_where_it_is_allowed(void **state)
{
	(void)state;
	assert_finds(&metal, "kernel mode", DOCTOR_GOOD, "can be sampled", "");
	assert_finds(&cloud, "kernel mode", DOCTOR_LIMITED, "migrations are not counted", "CAP_PERFMON");
}

/* Nothing but stacks of a machine without registers in samples is limited for good. */
static void what_is_limited_has_a_remedy(void **state)
{
	static const DoctorMachine *const machines[] = {&cloud, &bare, &metal, &sandbox};
	(void)state;
	for (gsize m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(GArray) checks = doctor_examine(machines[m]);
		for (guint i = 0; i < checks->len; i++) {
			const DoctorCheck *check = &g_array_index(checks, DoctorCheck, i);
			if (check->state == DOCTOR_GOOD)
				assert_null(check->remedy);
			else if (!g_str_equal(check->name, "stacks"))
				assert_non_null(check->remedy);
		}
	}
}

static void each_point_comes_once_and_in_one_line(void **state)
{
	g_autoptr(GArray) checks = doctor_examine(&cloud);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	(void)state;
	assert_string_equal(g_array_index(checks, DoctorCheck, 0).name, "sampling");
	for (guint i = 0; i < checks->len; i++) {
		const DoctorCheck *check = &g_array_index(checks, DoctorCheck, i);
		assert_true(g_hash_table_add(names, check->name));
		assert_null(strchr(check->text, '\n'));
	}
}

static void a_point_owns_its_texts(void **state)
{
	g_autoptr(GArray) checks = doctor_checks_new();
	char name[] = "disk", remedy[] = "buy";
	(void)state;
	doctor_add(checks, name, DOCTOR_LIMITED, remedy, "%d %s", 3, "bytes");
	name[0] = remedy[0] = 'x';
	const DoctorCheck *check = &g_array_index(checks, DoctorCheck, 0);
	assert_string_equal(check->name, "disk");
	assert_string_equal(check->text, "3 bytes");
	assert_string_equal(check->remedy, "buy");
	assert_string_equal(doctor_state_name(check->state), "limited");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_perf_events_sampling_is_missing),
	        cmocka_unit_test(sampling_says_by_what),
	        cmocka_unit_test(without_hardware_counters_valgrind_counts),
	        cmocka_unit_test(counts_need_a_valgrind),
	        cmocka_unit_test(kernel_mode_is_sampled_where_it_is_allowed),
	        cmocka_unit_test(what_is_limited_has_a_remedy),
	        cmocka_unit_test(each_point_comes_once_and_in_one_line),
	        cmocka_unit_test(a_point_owns_its_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
