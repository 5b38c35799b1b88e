/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is said of builds that write nothing, or not what is measured. */
#include "runner/trees/buildhint.h"

#include "tests/runner/hintfixture.h"

#include <unistd.h>

#define CONFIG "version: 1\nbuild: {command: make}\nbenchmarks: [{name: one, command: [./one]}]\n"

/* The findings of a build that writes that file (NULL = none) into the tree. */
static FindingList *build(const char *tree, const char *path, const char *text)
{
	g_autoptr(Config) config = config_parse(CONFIG, strlen(CONFIG), "firebreak.yml", NULL);
	FindingList *findings = finding_list_new();
	g_usleep(20000); /* the clock of file systems has steps of some milliseconds */
	BuildStart start = build_start(tree);
	g_usleep(20000);
	if (path != NULL)
		put(tree, path, text, 0755);
	g_autoptr(BuildLook) look = build_look(tree, &start);
	/* as a check finds it in the cache */
	g_autofree char *kept = build_look_text(look);
	g_autoptr(BuildLook) again = build_look_parse(kept);
	build_hint(tree, again, config, "base", findings);
	return findings;
}

static void a_build_that_writes_nothing_is_told(void **state)
{
	put(*state, "one.c", "int main;", 0644);
	g_autoptr(FindingList) findings = build(*state, NULL, NULL);
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->code, "build_did_nothing");
	assert_has(finding_get(findings, 0)->text, "the build of base succeeded and wrote no file");
}

static void one_that_makes_the_program_is_fine(void **state)
{
	put(*state, "one.c", "int main;", 0644);
	g_autoptr(FindingList) findings = build(*state, "one", ELF);
	assert_int_equal(finding_count(findings), 0);
}

static void a_program_that_was_committed_is_told(void **state)
{
	put(*state, "one", ELF, 0755);
	g_autoptr(FindingList) findings = build(*state, "other", ELF);
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->code, "program_not_built");
	assert_has(finding_get(findings, 0)->text, "./one of base is older than its build");
}

static void one_that_is_built_over_it_is_fine(void **state)
{
	put(*state, "one", ELF, 0755);
	g_autoptr(FindingList) findings = build(*state, "one", ELF "new");
	assert_int_equal(finding_count(findings), 0);
}

static void one_that_a_link_leads_to_is_told(void **state)
{
	g_autofree char *link = g_build_filename(*state, "one", NULL);
	put(*state, "old", ELF, 0755);
	assert_int_equal(symlink("old", link), 0);
	g_autoptr(FindingList) findings = build(*state, "other", ELF);
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->code, "program_not_built");
}

static void a_script_may_be_committed(void **state)
{
	put(*state, "one", "#!/bin/sh\n", 0755);
	g_autoptr(FindingList) findings = build(*state, "other", ELF);
	assert_int_equal(finding_count(findings), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        TEST(a_build_that_writes_nothing_is_told),
	        TEST(one_that_makes_the_program_is_fine),
	        TEST(a_program_that_was_committed_is_told),
	        TEST(one_that_is_built_over_it_is_fine),
	        TEST(one_that_a_link_leads_to_is_told),
	        TEST(a_script_may_be_committed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
