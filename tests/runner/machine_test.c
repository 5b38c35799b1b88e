/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerfolder.h"
#include "runner/events/counters.h"
#include "runner/machine.h"
#include "runner/trees/hostenv.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/personality.h>

#include <cmocka.h>

/* A folder that stands for "/" with the files of sysfs that the plan reads. */
static char *make_root(const char *isolated, const char *const siblings[], guint n)
{
	char *root = g_dir_make_tmp("firebreak-machine-XXXXXX", NULL);
	g_autofree char *cpu = g_build_filename(root, "sys/devices/system/cpu", NULL);
	g_autofree char *path = g_build_filename(cpu, "isolated", NULL);
	g_mkdir_with_parents(cpu, 0755);
	assert_true(g_file_set_contents(path, isolated, -1, NULL));
	for (guint i = 0; i < n; i++) {
		g_autofree char *folder = g_strdup_printf("%s/cpu%u/topology", cpu, i);
		g_autofree char *list = g_build_filename(folder, "thread_siblings_list", NULL);
		g_mkdir_with_parents(folder, 0755);
		assert_true(g_file_set_contents(list, siblings[i], -1, NULL));
	}
	return root;
}

static void remove_root(char *root)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s", root);
	assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
	g_free(root);
}

static const char *const pairs[] = {"0,2\n", "1,3\n", "0,2\n", "1,3\n"};

static void the_highest_cpu_is_picked_and_the_rest_is_ours(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = finding_list_new();
	char *root = make_root("\n", pairs, 4);
	int allowed[] = {0, 1, 2, 3};
	g_autoptr(CpuPlan) plan = cpu_plan_new_at(root, allowed, 4, 1, findings);
	assert_int_equal(plan->measured->len, 1);
	assert_int_equal(g_array_index(plan->measured, int, 0), 3);
	/* 1 is the other half of the measured core */
	assert_int_equal(plan->own->len, 2);
	assert_int_equal(finding_count(findings), 0);
	remove_root(root);
}

static void siblings_of_one_core_are_not_picked_together(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = finding_list_new();
	static const char *const neighbours[] = {"0-1\n", "0-1\n", "2-3\n", "2-3\n"};
	char *root = make_root("\n", neighbours, 4);
	int allowed[] = {0, 1, 2, 3};
	g_autoptr(CpuPlan) plan = cpu_plan_new_at(root, allowed, 4, 2, findings);
	assert_int_equal(g_array_index(plan->measured, int, 0), 1);
	assert_int_equal(g_array_index(plan->measured, int, 1), 3);
	remove_root(root);
}

static void isolated_cpus_come_first(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = finding_list_new();
	char *root = make_root("1-2\n", pairs, 4);
	int allowed[] = {0, 1, 2, 3};
	g_autoptr(CpuPlan) plan = cpu_plan_new_at(root, allowed, 4, 2, findings);
	assert_int_equal(g_array_index(plan->measured, int, 0), 1);
	assert_int_equal(g_array_index(plan->measured, int, 1), 2);
	remove_root(root);
}

static void too_few_cpus_are_a_finding_and_one_stays_ours(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = finding_list_new();
	int allowed[] = {4, 6};
	g_autoptr(CpuPlan) plan = cpu_plan_new_at("/nonexistent", allowed, 2, 2, findings);
	assert_int_equal(plan->measured->len, 1);
	assert_int_equal(g_array_index(plan->own, int, 0), 4);
	assert_true(finding_has(findings, "too_few_cpus"));
}

/* Our own rounds raise the load: only that of before them is of interest, for every benchmark. */
static void a_busy_machine_is_said_once_from_the_load_at_the_start(void **state)
{
	(void)state;
	int allowed[] = {0, 1};
	char *root = make_root("\n", pairs, 2);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(CpuPlan) plan = cpu_plan_new_at(root, allowed, 2, 1, findings);
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "load_average", METRIC_SAME_CAMPAIGN, "0.90");
	machine_noise_findings(environment, plan, findings);
	assert_int_equal(finding_count(findings), 0);
	environment_set(environment, "load_average", METRIC_SAME_CAMPAIGN, "1.75");
	machine_noise_findings(environment, plan, findings);
	machine_noise_findings(environment, plan, findings);
	assert_int_equal(finding_count(findings), 1);
	assert_non_null(strstr(finding_get(findings, 0)->text, "load 1.8 on 2 CPUs"));
	remove_root(root);
}

static void addresses_that_are_not_randomised_are_a_finding(void **state)
{
	(void)state;
	int allowed[] = {0, 1};
	char *root = make_root("\n", pairs, 2);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(CpuPlan) plan = cpu_plan_new_at(root, allowed, 2, 1, findings);
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "random_addresses", METRIC_SAME_CAMPAIGN, "yes");
	machine_noise_findings(environment, plan, findings);
	assert_int_equal(finding_count(findings), 0);
	environment_set(environment, "random_addresses", METRIC_SAME_CAMPAIGN, "no");
	machine_noise_findings(environment, plan, findings);
	assert_true(finding_has(findings, "no_aslr"));
	remove_root(root);
}

static void a_start_without_random_addresses_is_noticed(void **state)
{
	(void)state;
	int before = personality(0xffffffff);
	if (before == -1 || personality((unsigned long)before | ADDR_NO_RANDOMIZE) == -1) {
		print_message("skipped: personality() is not allowed here\n");
		skip();
	}
	g_autoptr(Environment) environment = machine_environment("cc 1.0");
	personality((unsigned long)before);
	assert_string_equal(environment_get(environment, "random_addresses"), "no");
}

static void a_single_cpu_is_shared(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = finding_list_new();
	int allowed[] = {5};
	g_autoptr(CpuPlan) plan = cpu_plan_new_at("/nonexistent", allowed, 1, 1, findings);
	assert_int_equal(g_array_index(plan->measured, int, 0), 5);
	assert_int_equal(plan->own->len, 0);
}

static void steal_is_the_share_of_the_asked_cpus_only(void **state)
{
	(void)state;
	static const char before[] =
	        "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 100 0 0 100 0 0 0 50 0 0\ncpu1 10 0 0 10 0 0 0 0 0 0\n";
	static const char after[] =
	        "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 100 0 0 100 0 0 0 90 0 0\ncpu1 70 0 0 20 0 0 0 30 0 0\n";
	int cpu = 1;
	double share = steal_share(cpu_times_parse(before, &cpu, 1), cpu_times_parse(after, &cpu, 1));
	assert_true(share > .2999 && share < .3001);
}

/* Of four CPUs 3 and 1 are in use, 3 by another hypervisor's guest; 2 takes back a tick of waiting. */
static void cpus_that_others_use_are_taken_last(void **state)
{
	(void)state;
	static const char before[] = "cpu0 5 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0 0 0\n"
	                             "cpu2 5 0 0 100 9 0 0 0 0 0\ncpu3 0 0 0 100 0 0 0 0 0 0\n";
	static const char after[] = "cpu0 9 0 0 106 0 0 0 0 0 0\ncpu1 6 0 0 104 0 0 0 0 0 0\n"
	                            "cpu2 5 0 0 110 8 0 0 0 0 0\ncpu3 0 0 0 102 0 0 0 8 0 0\n";
	int cpus[] = {0, 1, 2, 3};
	cpus_sort_busy_first(cpus, 4, before, after);
	static const int wanted[] = {1, 3, 0, 2};
	assert_memory_equal(cpus, wanted, sizeof wanted);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(CpuPlan) plan = cpu_plan_new_at("/nonexistent", cpus, 4, 1, findings);
	assert_int_equal(g_array_index(plan->measured, int, 0), 2);
}

static void where_nothing_is_known_the_highest_cpu_is_taken_first(void **state)
{
	(void)state;
	static const char same[] = "cpu0 5 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0 0 0\n";
	int cpus[] = {0, 1, 7};
	static const int wanted[] = {0, 1, 7};
	cpus_sort_busy_first(cpus, 3, same, same);
	assert_memory_equal(cpus, wanted, sizeof wanted);
	cpus_sort_busy_first(cpus, 3, "", "");
	assert_memory_equal(cpus, wanted, sizeof wanted);
	cpus_sort_busy_first(cpus, 0, same, same);
}

static void no_time_between_two_readings_is_no_steal(void **state)
{
	(void)state;
	CpuTimes same = {.total = 100, .steal = 10};
	assert_true(steal_share(same, same) == 0);
}

static void the_environment_names_kernel_and_cpu(void **state)
{
	(void)state;
	g_autoptr(Environment) environment = machine_environment("cc 1.0");
	assert_string_equal(environment_get(environment, "compiler"), "cc 1.0");
	assert_true(strlen(environment_get(environment, "kernel_release")) > 0);
	assert_true(strlen(environment_get(environment, "cpu_count")) > 0);
}

/* A folder that stands for "/" with the files named, path and text in turn; ends with NULL. */
static char *make_tree(const char *const *files)
{
	char *root = g_dir_make_tmp("firebreak-machine-XXXXXX", NULL);
	for (; files[0] != NULL; files += 2) {
		g_autofree char *path = g_build_filename(root, files[0], NULL);
		g_autofree char *folder = g_path_get_dirname(path);
		g_mkdir_with_parents(folder, 0755);
		assert_true(g_file_set_contents(path, files[1], -1, NULL));
	}
	return root;
}

static const char *const server[] = {"proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2.00GHz\n"
        "stepping\t: 7\nmicrocode\t: 0x5003\nflags\t\t: fpu avx2 hypervisor\n\n"
        "processor\t: 1\nvendor_id\t: Other\nmodel name\t: Another\nflags\t\t: fpu\n",
        "sys/devices/system/cpu/smt/active", "1\n", "sys/devices/system/cpu/cpu0/cache/index3/size", "36608K\n",
        "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n",
        "sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "sys/devices/system/cpu/isolated", "\n",
        "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n", "proc/sys/kernel/perf_event_paranoid",
        "2\n", "proc/sys/kernel/random/boot_id", "11-22\n", "proc/sys/kernel/randomize_va_space", "0\n", "proc/stat",
        "cpu0 100 0 0 100 0 0 0 50 0 0\n", NULL};

static void the_environment_is_what_the_kernel_says(void **state)
{
	(void)state;
	static const struct {
		const char *field, *value;
	} wanted[] = {{"cpu_vendor", "GenuineIntel"}, {"cpu_model", "Some CPU @ 2.00GHz"}, {"cpu_family", "6"},
	        {"cpu_model_number", "85"}, {"cpu_stepping", "7"}, {"cpu_microcode", "0x5003"}, {"hypervisor", "yes"},
	        {"smt", "1"}, {"l3_size", "36608K"}, {"governor", "powersave"}, {"no_turbo", "0"}, {"boost", ""},
	        {"isolated_cpus", ""}, {"transparent_hugepages", "always [madvise] never"},
	        {"perf_event_paranoid", "2"}, {"boot_id", "11-22"}, {"random_addresses", "no"}};
	char *root = make_tree(server);
	g_autoptr(Environment) environment = machine_environment_at(root, "cc 1.0");
	for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_string_equal(environment_get(environment, wanted[i].field), wanted[i].value);
	remove_root(root);
}

static void a_machine_that_says_nothing_has_empty_fields(void **state)
{
	(void)state;
	g_autoptr(Environment) environment = machine_environment_at("/nonexistent", "cc 1.0");
	g_autofree char *features = machine_cpu_features_at("/nonexistent");
	int cpu = 0;
	assert_string_equal(environment_get(environment, "cpu_model"), "");
	assert_string_equal(environment_get(environment, "governor"), "");
	assert_string_equal(environment_get(environment, "hypervisor"), "no");
	assert_string_equal(features, "");
	assert_int_equal(machine_cpu_times_at("/nonexistent", &cpu, 1).total, 0);
}

static void features_have_another_name_on_aarch64(void **state)
{
	(void)state;
	static const char *const arm[] = {
	        "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd crc32\n", NULL};
	char *root = make_tree(arm);
	g_autofree char *features = machine_cpu_features_at(root);
	assert_string_equal(features, "fp asimd crc32");
	remove_root(root);
}

static void times_are_read_below_the_root(void **state)
{
	(void)state;
	char *root = make_tree(server);
	int cpu = 0;
	CpuTimes times = machine_cpu_times_at(root, &cpu, 1);
	assert_int_equal(times.total, 250);
	assert_int_equal(times.steal, 50);
	remove_root(root);
}

static void a_counter_that_never_ran_has_no_value(void **state)
{
	(void)state;
	guint64 scaled = 42;
	assert_false(counter_scale(0, 0, 0, &scaled));
	assert_false(counter_scale(5, 100, 0, &scaled));
	assert_int_equal(scaled, 42);
}

static void a_multiplexed_counter_is_scaled_without_overflow(void **state)
{
	(void)state;
	guint64 scaled = 0;
	assert_true(counter_scale(1000, 300, 100, &scaled));
	assert_int_equal(scaled, 3000);
	assert_true(counter_scale(
	        G_GUINT64_CONSTANT(1) << 62, G_GUINT64_CONSTANT(3) << 60, G_GUINT64_CONSTANT(2) << 60, &scaled));
	assert_true(scaled == (G_GUINT64_CONSTANT(3) << 61));
	assert_true(counter_scale(G_MAXUINT64, G_MAXUINT64, 1, &scaled));
	assert_true(scaled == G_MAXUINT64);
}

static void a_benchmark_sees_only_the_allowed_variables(void **state)
{
	(void)state;
	char *pass[] = {(char *)"MY_DATA", NULL};
	g_setenv("GITHUB_TOKEN", "secret", TRUE);
	g_setenv("GITHUB_ENV", "/tmp/x", TRUE);
	g_setenv("MY_DATA", "/data", TRUE);
	g_auto(GStrv) environment = benchmark_environment("/scratch", pass, 10);
	assert_null(g_environ_getenv(environment, "GITHUB_TOKEN"));
	assert_null(g_environ_getenv(environment, "GITHUB_ENV"));
	assert_string_equal(g_environ_getenv(environment, "MY_DATA"), "/data");
	assert_string_equal(g_environ_getenv(environment, "HOME"), "/scratch");
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_PAD"), "xxxxxxxxxx");
}

static char **build_environment_of(guint layout)
{
	const BuildPlace place = {
	        .source = "/src/base", .scratch = "/scratch", .compilers = "/cache/compilers", .layout = layout};
	return build_environment(&place);
}

static void a_build_keeps_the_users_flags_as_they_are(void **state)
{
	(void)state;
	g_setenv("CFLAGS", "-O3", TRUE);
	g_auto(GStrv) environment = build_environment_of(0);
	g_unsetenv("CFLAGS");
	assert_string_equal(g_environ_getenv(environment, "CFLAGS"), "-O3");
	assert_null(g_environ_getenv(environment, "CXXFLAGS"));
}

static void a_build_finds_the_folder_of_compilers_first(void **state)
{
	(void)state;
	g_auto(GStrv) environment = build_environment_of(0);
	assert_true(g_str_has_prefix(g_environ_getenv(environment, "PATH"), "/cache/compilers:"));
	assert_string_equal(g_environ_getenv(environment, "RUSTC_WRAPPER"), "/cache/compilers/compiler");
	assert_string_equal(g_environ_getenv(environment, COMPILER_SOURCE_VARIABLE), "/src/base");
	assert_null(g_environ_getenv(environment, COMPILER_LAYOUT_VARIABLE));
}

static void a_compiler_with_a_path_is_wrapped_by_its_path(void **state)
{
	(void)state;
	g_setenv("CC", "/opt/gcc/bin/gcc -m32", TRUE);
	g_setenv("CXX", "g++-12", TRUE);
	g_auto(GStrv) environment = build_environment_of(0);
	g_unsetenv("CC");
	g_unsetenv("CXX");
	assert_string_equal(g_environ_getenv(environment, "CC"), "/cache/compilers/compiler /opt/gcc/bin/gcc -m32");
	assert_string_equal(g_environ_getenv(environment, "CXX"), "g++-12");
}

static void a_layout_is_told_to_the_compilers(void **state)
{
	(void)state;
	g_auto(GStrv) environment = build_environment_of(12);
	assert_string_equal(g_environ_getenv(environment, COMPILER_LAYOUT_VARIABLE), "12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_highest_cpu_is_picked_and_the_rest_is_ours),
	        cmocka_unit_test(siblings_of_one_core_are_not_picked_together),
	        cmocka_unit_test(isolated_cpus_come_first),
	        cmocka_unit_test(too_few_cpus_are_a_finding_and_one_stays_ours),
	        cmocka_unit_test(a_busy_machine_is_said_once_from_the_load_at_the_start),
	        cmocka_unit_test(a_single_cpu_is_shared),
	        cmocka_unit_test(addresses_that_are_not_randomised_are_a_finding),
	        cmocka_unit_test(a_start_without_random_addresses_is_noticed),
	        cmocka_unit_test(steal_is_the_share_of_the_asked_cpus_only),
	        cmocka_unit_test(cpus_that_others_use_are_taken_last),
	        cmocka_unit_test(where_nothing_is_known_the_highest_cpu_is_taken_first),
	        cmocka_unit_test(no_time_between_two_readings_is_no_steal),
	        cmocka_unit_test(the_environment_names_kernel_and_cpu),
	        cmocka_unit_test(the_environment_is_what_the_kernel_says),
	        cmocka_unit_test(a_machine_that_says_nothing_has_empty_fields),
	        cmocka_unit_test(features_have_another_name_on_aarch64),
	        cmocka_unit_test(times_are_read_below_the_root),
	        cmocka_unit_test(a_counter_that_never_ran_has_no_value),
	        cmocka_unit_test(a_multiplexed_counter_is_scaled_without_overflow),
	        cmocka_unit_test(a_benchmark_sees_only_the_allowed_variables),
	        cmocka_unit_test(a_build_keeps_the_users_flags_as_they_are),
	        cmocka_unit_test(a_build_finds_the_folder_of_compilers_first),
	        cmocka_unit_test(a_compiler_with_a_path_is_wrapped_by_its_path),
	        cmocka_unit_test(a_layout_is_told_to_the_compilers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
