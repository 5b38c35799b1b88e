/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is said of a build that lacks what git ignores. */
#include "runner/trees/ignoredhint.h"

#include "tests/core/git/gitfixture.h"

/* A working folder with a tool in cmd/bench, which a line of .gitignore hides, and with a file that is only new. */
static int make_project(void **state)
{
	if (fixture_setup(state) != 0)
		return -1;
	Fixture *f = *state;
	put(f->main, ".gitignore", "bench\n");
	put(f->main, "cmd/bench/main.go", "package main\n");
	put(f->main, "cmd/new.go", "package main\n");
	put(f->root, "tree/cmd/other.go", "package main\n");
	return 0;
}

/* The hint for a build that fails with that output; `%s` in it is the folder of the build. Owned by the caller. */
static char *hint(const Fixture *f, const char *before, const char *after)
{
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	g_autofree char *tree = g_build_filename(f->root, "tree", NULL);
	g_autofree char *output = g_strdup_printf(
	        "go: building\n%s%s%s\n", before, after == NULL ? "" : tree, after == NULL ? "" : after);
	return ignored_hint(repo, tree, output);
}

static void a_folder_that_git_ignores_is_named(void **state)
{
	g_autofree char *absolute = hint(*state, "stat ", "/cmd/bench: directory not found");
	g_autofree char *relative =
	        hint(*state, "cp: cannot stat './cmd/bench/main.go': No such file or directory", NULL);
	assert_true(g_str_has_prefix(absolute, "cmd/bench is in your working folder, but git ignores it"));
	assert_true(g_str_has_prefix(relative, "cmd/bench/main.go is in your working folder"));
}

static void what_is_only_not_committed_yet_is_not(void **state)
{
	g_autofree char *text = hint(*state, "cmd/new.go: No such file or directory", NULL);
	assert_null(text);
}

static void what_nobody_has_is_not(void **state)
{
	g_autofree char *text = hint(*state, "cmd/gone/bench: No such file or directory", NULL);
	assert_null(text);
}

static void a_line_that_misses_nothing_is_passed_by(void **state)
{
	g_autofree char *text = hint(*state, "cmd/bench: undefined: parse", NULL);
	assert_null(text);
}

static void what_the_build_has_is_not_missing(void **state)
{
	Fixture *f = *state;
	put(f->root, "tree/cmd/bench/main.go", "package main\n");
	g_autofree char *text = hint(f, "cmd/bench/main.go: x.h not found", NULL);
	assert_null(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_project, fixture_teardown)
	const struct CMUnitTest tests[] = {
	        TEST(a_folder_that_git_ignores_is_named),
	        TEST(what_is_only_not_committed_yet_is_not),
	        TEST(what_nobody_has_is_not),
	        TEST(a_line_that_misses_nothing_is_passed_by),
	        TEST(what_the_build_has_is_not_missing),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
