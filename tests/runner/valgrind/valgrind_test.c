/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrind.h"

#include "core/durable.h"
#include "core/error.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CONFIG_TEXT                                                                                                    \
	"version: 1\nbuild: {command: make}\nbenchmarks:\n"                                                            \
	"  - {name: one, command: [./one, a], engines: [callgrind]}\n"                                                 \
	"  - {name: two, command: [./one, b], engines: [callgrind]}\n"

/* A machine, a valgrind and a configuration that are whatever a test makes of them. */
typedef struct {
	Environment *machine;
	Valgrind valgrind;
	Config *config;
} World;

static int make_world(void **state)
{
	World *world = g_new0(World, 1);
	world->machine = environment_new();
	environment_set(world->machine, "architecture", METRIC_DETERMINISTIC, "x86_64");
	environment_set(world->machine, "libc", METRIC_DETERMINISTIC, "2.36");
	environment_set(world->machine, "compiler", METRIC_DETERMINISTIC, "gcc 12");
	environment_set(world->machine, "kernel_release", METRIC_REPLICABLE, "6.1");
	environment_set(world->machine, "cpu_model", METRIC_REPLICABLE, "Xeon");
	environment_set(world->machine, "boot_id", METRIC_SAME_CAMPAIGN, "1");
	world->valgrind = (Valgrind){.program = (char *)"/usr/bin/valgrind",
	        .version = (char *)"3.19.0",
	        .cpu = (char *)"avx2",
	        .tunables = (char *)"a=1"};
	world->config = config_parse(CONFIG_TEXT, strlen(CONFIG_TEXT), CONFIG_FILE, NULL);
	assert_non_null(world->config);
	*state = world;
	return 0;
}

static int free_world(void **state)
{
	World *world = *state;
	environment_free(world->machine);
	config_free(world->config);
	g_free(world);
	return 0;
}

static char *fingerprint(const World *world, guint benchmark, char *const *pass_env, MetricClass comparable)
{
	const CountedEnvironmentPlan plan = {
	        .machine = world->machine,
	        .valgrind = &world->valgrind,
	        .benchmark = world->config->benchmarks->pdata[benchmark],
	        .build = world->config,
	        .pass_env = pass_env,
	};
	g_autoptr(Environment) environment = counted_environment(&plan);
	return environment_fingerprint(environment, comparable);
}

/* Compares the fingerprint with that of before a change. */
static void assert_changed(const World *world, const char *before, gboolean changed)
{
	g_autofree char *after = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	assert_int_equal(!g_str_equal(before, after), changed);
}

static void another_kernel_processor_boot_or_load_is_the_same_environment(void **state)
{
	static const MetricClass classes[] = {METRIC_DETERMINISTIC, METRIC_REPLICABLE};
	World *world = *state;
	for (gsize c = 0; c < G_N_ELEMENTS(classes); c++) {
		g_autofree char *before = fingerprint(world, 0, NULL, classes[c]);
		environment_set(world->machine, "kernel_release", METRIC_REPLICABLE, "6.12");
		environment_set(world->machine, "cpu_model", METRIC_REPLICABLE, "EPYC");
		environment_set(world->machine, "boot_id", METRIC_SAME_CAMPAIGN, "2");
		environment_set(world->machine, "load_average", METRIC_SAME_CAMPAIGN, "3.14");
		g_autofree char *after = fingerprint(world, 0, NULL, classes[c]);
		assert_string_equal(before, after);
		environment_set(world->machine, "kernel_release", METRIC_REPLICABLE, "6.1");
	}
}

static void another_libc_or_compiler_is_another_environment(void **state)
{
	World *world = *state;
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	environment_set(world->machine, "libc", METRIC_DETERMINISTIC, "2.37");
	assert_changed(world, before, TRUE);
	environment_set(world->machine, "libc", METRIC_DETERMINISTIC, "2.36");
	assert_changed(world, before, FALSE);
	environment_set(world->machine, "compiler", METRIC_DETERMINISTIC, "gcc 13");
	assert_changed(world, before, TRUE);
}

static void another_valgrind_is_another_environment(void **state)
{
	World *world = *state;
	char **const texts[] = {
	        &world->valgrind.program, &world->valgrind.version, &world->valgrind.cpu, &world->valgrind.tunables};
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		char *was = *texts[i];
		*texts[i] = (char *)"other";
		assert_changed(world, before, TRUE);
		*texts[i] = was;
	}
	assert_changed(world, before, FALSE);
}

static void another_command_is_another_environment(void **state)
{
	g_autofree char *one = fingerprint(*state, 0, NULL, METRIC_DETERMINISTIC);
	g_autofree char *two = fingerprint(*state, 1, NULL, METRIC_DETERMINISTIC);
	assert_string_not_equal(one, two);
}

static void other_options_of_the_engine_are_another_environment(void **state)
{
	World *world = *state;
	ConfigBenchmark *benchmark = world->config->benchmarks->pdata[0];
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	benchmark->call_depth++;
	assert_changed(world, before, TRUE);
	benchmark->call_depth--;
	benchmark->cache = TRUE;
	assert_changed(world, before, TRUE);
	benchmark->cache = FALSE;
	benchmark->heap = TRUE;
	assert_changed(world, before, TRUE);
	benchmark->heap = FALSE;
	benchmark->work = 2;
	assert_changed(world, before, TRUE);
	benchmark->work = 1;
	benchmark->measure = MEASURE_REGION;
	assert_changed(world, before, TRUE);
	benchmark->measure = MEASURE_WHOLE;
	assert_changed(world, before, FALSE);
}

static void the_name_of_the_benchmark_does_not_matter(void **state)
{
	World *world = *state;
	ConfigBenchmark *benchmark = world->config->benchmarks->pdata[0];
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	g_free(benchmark->name);
	benchmark->name = g_strdup("renamed");
	assert_changed(world, before, FALSE);
}

static void another_build_command_is_another_environment(void **state)
{
	World *world = *state;
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	g_strfreev(world->config->build_command);
	world->config->build_command = g_strsplit("make -j2", " ", -1);
	assert_changed(world, before, TRUE);
}

static void values_of_variables_that_are_passed_on_count(void **state)
{
	char *const names[] = {(char *)"FIREBREAK_TEST_SEED", NULL};
	g_unsetenv(names[0]);
	g_autofree char *unset = fingerprint(*state, 0, names, METRIC_DETERMINISTIC);
	g_setenv(names[0], "", TRUE);
	g_autofree char *empty = fingerprint(*state, 0, names, METRIC_DETERMINISTIC);
	g_setenv(names[0], "1", TRUE);
	g_autofree char *one = fingerprint(*state, 0, names, METRIC_DETERMINISTIC);
	g_unsetenv(names[0]);
	assert_string_not_equal(unset, empty);
	assert_string_not_equal(empty, one);
}

static void variables_that_every_benchmark_sees_count(void **state)
{
	World *world = *state;
	g_autofree char *path = g_strdup(g_getenv("PATH")), *other = g_strconcat(path, ":/other", NULL);
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	g_setenv("PATH", other, TRUE);
	assert_changed(world, before, TRUE);
	g_setenv("PATH", path, TRUE);
	assert_changed(world, before, FALSE);
}

static void a_program_of_the_machine_counts_with_its_content(void **state)
{
	World *world = *state;
	ConfigBenchmark *benchmark = world->config->benchmarks->pdata[0];
	g_autofree char *dir = g_dir_make_tmp("firebreak-valgrind-XXXXXX", NULL);
	g_autofree char *program = g_build_filename(dir, "prog", NULL);
	g_free(benchmark->command[0]);
	benchmark->command[0] = g_strdup(program);
	assert_true(g_file_set_contents(program, "one", -1, NULL));
	g_autofree char *before = fingerprint(world, 0, NULL, METRIC_DETERMINISTIC);
	assert_true(g_file_set_contents(program, "two", -1, NULL));
	assert_changed(world, before, TRUE);
	assert_true(g_file_set_contents(program, "one", -1, NULL));
	assert_changed(world, before, FALSE);
	durable_remove_tree(dir, NULL);
}

static void the_length_of_the_folder_of_a_campaign_counts_but_not_its_name(void **state)
{
	static const char *const folders[] = {"/a/1", "/a/2", "/a/10"};
	const World *world = *state;
	char *fingerprints[G_N_ELEMENTS(folders)];
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		const CountedEnvironmentPlan plan = {
		        .machine = world->machine,
		        .valgrind = &world->valgrind,
		        .benchmark = world->config->benchmarks->pdata[0],
		        .build = world->config,
		        .arena_dir = folders[i],
		};
		g_autoptr(Environment) environment = counted_environment(&plan);
		fingerprints[i] = environment_fingerprint(environment, METRIC_DETERMINISTIC);
	}
	assert_string_equal(fingerprints[0], fingerprints[1]);
	assert_string_not_equal(fingerprints[0], fingerprints[2]);
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++)
		g_free(fingerprints[i]);
}

/* The program of this test stands for one of the checkout. */
static void modules_of_a_run_are_kept_for_information(void **state)
{
	World *world = *state;
	g_autofree char *own = g_file_read_link("/proc/self/exe", NULL), *folder = g_path_get_dirname(own);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	const char *const names[] = {own, "/no/such/b.so", "/no/such/a.so", "/no/such/b.so"};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		g_ptr_array_add(paths, (gpointer)names[i]);
	g_autofree char *before = environment_fingerprint(world->machine, METRIC_REPLICABLE);
	counted_environment_add_modules(world->machine, paths, folder);
	g_autofree char *after = environment_fingerprint(world->machine, METRIC_REPLICABLE);
	assert_string_equal(before, after);
	assert_string_equal(environment_get(world->machine, "libraries"), "a.so:, b.so:");
	assert_true(g_regex_match_simple("^[0-9a-f]{16}$", environment_get(world->machine, "tools"), 0, 0));
	counted_environment_add_modules(world->machine, paths, "/no");
	assert_string_equal(environment_get(world->machine, "tools"), "");
	assert_true(g_regex_match_simple("^valgrind_test:([0-9a-f]{12}|sha256-[0-9a-f]{12})$",
	        environment_get(world->machine, "libraries"), 0, 0));
}

static void system_libraries_are_named_with_their_build(void **state)
{
	World *world = *state;
	const CountedEnvironmentPlan plan = {
	        .machine = world->machine,
	        .valgrind = &world->valgrind,
	        .benchmark = world->config->benchmarks->pdata[0],
	        .build = world->config,
	};
	g_autoptr(Environment) environment = counted_environment(&plan);
	const char *libraries = environment_get(environment, "system_libraries");
	assert_true(g_regex_match_simple("(^|, )(libc\\.so\\.6|ld-musl-[^:]*):[0-9a-f]{12}(,|$)", libraries, 0, 0) ||
	            strstr(libraries, ":sha256-") != NULL);
}

/* A PATH on which `valgrind` is this script. */
static Valgrind *find_script(const char *script, GError **error)
{
	g_autofree char *dir = g_dir_make_tmp("firebreak-valgrind-XXXXXX", NULL);
	g_autofree char *program = g_build_filename(dir, "valgrind", NULL);
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	assert_true(g_file_set_contents(program, script, -1, NULL));
	assert_int_equal(g_chmod(program, 0755), 0);
	g_setenv("PATH", dir, TRUE);
	Valgrind *valgrind = valgrind_find(error);
	g_setenv("PATH", path, TRUE);
	durable_remove_tree(dir, NULL);
	return valgrind;
}

static void versions_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *script, *version;
		guint major, minor;
	} cases[] = {
	        {"#!/bin/sh\necho valgrind-3.24.0\n", "3.24.0", 3, 24},
	        {"#!/bin/sh\necho valgrind-3.15.0.GIT-lbmacos\n", "3.15.0.GIT-lbmacos", 3, 15},
	        {"#!/bin/sh\necho valgrind-4\n", "4", 4, 0},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Valgrind) valgrind = find_script(cases[i].script, &error);
		assert_non_null(valgrind);
		assert_string_equal(valgrind->version, cases[i].version);
		assert_int_equal(valgrind->major, cases[i].major);
		assert_int_equal(valgrind->minor, cases[i].minor);
	}
}

static void what_is_too_old_or_says_nothing_useful_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *script, *message;
	} cases[] = {
	        {"#!/bin/sh\necho valgrind-3.14.0\n", "too old"},
	        {"#!/bin/sh\necho 2.0\n", "says no version"},
	        {"#!/bin/sh\necho valgrind-x\n", "says no version"},
	        {"#!/bin/sh\nexit 3\n", "exited with 3"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(find_script(cases[i].script, &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
		assert_non_null(strstr(error->message, cases[i].message));
	}
}

static void without_valgrind_the_error_says_what_to_install(void **state)
{
	(void)state;
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	g_autoptr(GError) error = NULL;
	g_setenv("PATH", "/no/such/folder", TRUE);
	assert_null(valgrind_find(&error));
	g_setenv("PATH", path, TRUE);
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(error->message, "apt install valgrind"));
}

static void the_valgrind_of_this_machine_is_no_script(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(Valgrind) valgrind = valgrind_find(&error);
	if (valgrind == NULL) {
		print_message("%s\n", error->message);
		skip();
	}
	g_autofree char *content = NULL;
	assert_true(g_file_get_contents(valgrind->program, &content, NULL, NULL));
	assert_memory_equal(content, "\177ELF", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                another_kernel_processor_boot_or_load_is_the_same_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(
	                another_libc_or_compiler_is_another_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(another_valgrind_is_another_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(another_command_is_another_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(
	                other_options_of_the_engine_are_another_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(the_name_of_the_benchmark_does_not_matter, make_world, free_world),
	        cmocka_unit_test_setup_teardown(another_build_command_is_another_environment, make_world, free_world),
	        cmocka_unit_test_setup_teardown(values_of_variables_that_are_passed_on_count, make_world, free_world),
	        cmocka_unit_test_setup_teardown(variables_that_every_benchmark_sees_count, make_world, free_world),
	        cmocka_unit_test_setup_teardown(
	                a_program_of_the_machine_counts_with_its_content, make_world, free_world),
	        cmocka_unit_test_setup_teardown(
	                the_length_of_the_folder_of_a_campaign_counts_but_not_its_name, make_world, free_world),
	        cmocka_unit_test_setup_teardown(modules_of_a_run_are_kept_for_information, make_world, free_world),
	        cmocka_unit_test_setup_teardown(system_libraries_are_named_with_their_build, make_world, free_world),
	        cmocka_unit_test(versions_are_read),
	        cmocka_unit_test(what_is_too_old_or_says_nothing_useful_is_refused),
	        cmocka_unit_test(without_valgrind_the_error_says_what_to_install),
	        cmocka_unit_test(the_valgrind_of_this_machine_is_no_script),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
