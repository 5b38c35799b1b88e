/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repooverlay.h"

#include "tests/core/git/gitfixture.h"

#include <unistd.h>

/* Two commits: `one` and what a test made of it. */
typedef struct {
	char *one, *two;
} Trees;

static char *tree_of_head(const Fixture *f)
{
	run_git(f->main, "add -A");
	run_git(f->main, "commit -q --allow-empty -m change");
	return git(f->main, "rev-parse HEAD^{tree}");
}

/* The files of the tree in a line: "a=1 bench/b=2". */
static char *listing(const Fixture *f, const char *tree)
{
	g_autofree char *names = git(f->main, "ls-tree -r --name-only %s", tree);
	g_auto(GStrv) lines = g_strsplit(names, "\n", -1);
	GString *text = g_string_new(NULL);
	for (char **line = lines; *line != NULL && **line != '\0'; line++) {
		g_autofree char *content = git(f->main, "show %s:%s", tree, *line);
		g_string_append_printf(text, "%s%s=%s", text->len > 0 ? " " : "", *line, content);
	}
	return g_string_free(text, FALSE);
}

static void assert_overlay(const Fixture *f, const char *onto, const char *from, const char *path,
        gboolean only_missing, const char *files)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->main, &error);
	char *paths[] = {(char *)path, NULL};
	static const char *const patterns[] = {"bo??.rules", NULL};
	const OverlayPlan plan = {
	        .onto = onto, .from = from, .paths = paths, .only_missing = only_missing, .replaced = patterns};
	g_auto(Overlay) overlay = {0};
	if (!repo_overlay(repo, &plan, &overlay, &error))
		fail_msg("%s", error->message);
	g_autofree char *got = listing(f, overlay.tree_sha);
	assert_string_equal(got, files);
}

/* one: bench/both=1 bench/gone=1 src=1; two: bench/both=2 bench/new=2 src=2 */
static Trees make_trees(const Fixture *f)
{
	Trees trees = {0};
	put(f->main, "src", "1");
	put(f->main, "bench/both", "1");
	put(f->main, "bench/gone", "1");
	trees.one = tree_of_head(f);
	run_git(f->main, "rm -q bench/gone");
	put(f->main, "src", "2");
	put(f->main, "bench/both", "2");
	put(f->main, "bench/new", "2");
	trees.two = tree_of_head(f);
	return trees;
}

static void clear_trees(Trees *trees)
{
	g_free(trees->one);
	g_free(trees->two);
}

static void only_what_is_missing_is_laid(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	assert_overlay(f, t.one, t.two, "bench", TRUE, "bench/both=1 bench/gone=1 bench/new=2 src=1");
	clear_trees(&t);
}

static void files_of_some_names_are_replaced(void **state)
{
	const Fixture *f = *state;
	put(f->main, "bench/both.rules", "1");
	put(f->main, "bench/rules", "1");
	g_autofree char *one = tree_of_head(f);
	put(f->main, "bench/both.rules", "2");
	put(f->main, "bench/rules", "2");
	g_autofree char *two = tree_of_head(f);
	assert_overlay(f, one, two, "bench", TRUE, "bench/both.rules=2 bench/rules=1");
}

static void a_folder_becomes_what_the_other_has(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	assert_overlay(f, t.two, t.one, "bench", FALSE, "bench/both=1 bench/gone=1 src=2");
	clear_trees(&t);
}

static void a_single_file_is_laid(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	assert_overlay(f, t.two, t.one, "bench/gone", FALSE, "bench/both=2 bench/gone=1 bench/new=2 src=2");
	clear_trees(&t);
}

static void a_path_that_the_other_lacks_removes_nothing(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	assert_overlay(f, t.two, t.one, "bench/new", FALSE, "bench/both=2 bench/new=2 src=2");
	assert_overlay(f, t.two, t.one, "ben", FALSE, "bench/both=2 bench/new=2 src=2");
	clear_trees(&t);
}

static void a_link_is_not_followed(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	g_autofree char *link = g_build_filename(f->main, "link", NULL);
	assert_int_equal(symlink("bench", link), 0);
	g_autofree char *tree = tree_of_head(f);
	assert_overlay(f, t.one, tree, "link/new", TRUE, "bench/both=1 bench/gone=1 src=1");
	assert_overlay(f, t.one, tree, "link", TRUE, "bench/both=1 bench/gone=1 link=bench src=1");
	clear_trees(&t);
}

static void a_file_does_not_take_the_place_of_a_folder(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	run_git(f->main, "rm -q -r bench");
	put(f->main, "bench", "file");
	g_autofree char *tree = tree_of_head(f);
	assert_overlay(f, t.one, tree, "bench", TRUE, "bench/both=1 bench/gone=1 src=1");
	assert_overlay(f, tree, t.one, "bench", TRUE, "bench=file src=2");
	assert_overlay(f, tree, t.one, "bench", FALSE, "bench/both=1 bench/gone=1 src=2");
	assert_overlay(f, t.one, tree, "bench", FALSE, "bench=file src=1");
	clear_trees(&t);
}

static void files_that_stay_are_told(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	char *paths[] = {(char *)"bench", NULL};
	const OverlayPlan plan = {.onto = t.one, .from = t.two, .paths = paths, .only_missing = TRUE};
	g_auto(Overlay) overlay = {0};
	assert_true(repo_overlay(repo, &plan, &overlay, NULL));
	assert_int_equal(overlay.laid->len, 1);
	assert_string_equal(overlay.laid->pdata[0], "bench/new");
	assert_int_equal(overlay.kept->len, 1);
	assert_string_equal(overlay.kept->pdata[0], "bench/both");
	clear_trees(&t);
}

static void a_path_that_a_tree_lacks_is_named(void **state)
{
	const Fixture *f = *state;
	Trees t = make_trees(f);
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	char *paths[] = {(char *)"bench", (char *)"bench/new", NULL};
	const char *lacking = NULL;
	assert_true(repo_lacks_path(repo, t.two, paths, &lacking, NULL));
	assert_null(lacking);
	assert_true(repo_lacks_path(repo, t.one, paths, &lacking, NULL));
	assert_string_equal(lacking, "bench/new");
	clear_trees(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(only_what_is_missing_is_laid),
	        GIT_TEST(files_of_some_names_are_replaced),
	        GIT_TEST(a_folder_becomes_what_the_other_has),
	        GIT_TEST(a_single_file_is_laid),
	        GIT_TEST(a_path_that_the_other_lacks_removes_nothing),
	        GIT_TEST(a_link_is_not_followed),
	        GIT_TEST(a_file_does_not_take_the_place_of_a_folder),
	        GIT_TEST(files_that_stay_are_told),
	        GIT_TEST(a_path_that_a_tree_lacks_is_named),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
