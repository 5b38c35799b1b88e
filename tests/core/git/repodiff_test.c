/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repodiff.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

#include <unistd.h>

static char *tree_of(const Fixture *f, const char *commit)
{
	return git(f->main, "rev-parse %s^{tree}", commit);
}

/* The changes between the last two commits. */
static LineChanges *last_change(const Fixture *f)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->main, &error);
	g_autofree char *base = tree_of(f, "HEAD~"), *head = tree_of(f, "HEAD");
	LineChanges *changes = repo_line_changes(repo, base, head, &error);
	if (changes == NULL)
		fail_msg("%s", error->message);
	return changes;
}

/* One line per file: paths, and for each change base and head as first+lines. */
static void check(const LineChanges *changes, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < changes->files->len; i++) {
		const ChangedFile *file = changes->files->pdata[i];
		g_string_append_printf(text, "%s>%s%s", file->paths[0] == NULL ? "-" : file->paths[0],
		        file->paths[1] == NULL ? "-" : file->paths[1], file->binary ? " binary" : "");
		for (guint j = 0; j < file->changes->len; j++) {
			const LineChange *c = &g_array_index(file->changes, LineChange, j);
			g_string_append_printf(
			        text, " %u+%u>%u+%u", c->base_first, c->base_lines, c->head_first, c->head_lines);
		}
		g_string_append_c(text, '\n');
	}
	assert_string_equal(text->str, expected);
}

static void commit(const Fixture *f, const char *name, const char *text)
{
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, name, text);
}

static void changed_added_and_removed_lines_are_found(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	commit(f, "a.c", "0\n1\n2\nthree\n3.5\n4\n5\n6\n8\n9\nten\n");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "a.c>a.c 1+0>1+1 3+1>4+2 7+1>9+0 10+0>11+1\n");
}

static void unchanged_trees_have_no_change(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n");
	commit(f, "a.c", "1\n");
	g_autoptr(LineChanges) changes = last_change(f);
	assert_true(line_changes_empty(changes));
}

static void files_come_in_the_order_of_their_paths(void **state)
{
	Fixture *f = *state;
	put(f->main, "gone.c", "x\ny\n");
	put(f->main, "z.c", "1\n");
	commit(f, "m.c", "2\n");
	g_autofree char *gone = g_build_filename(f->main, "gone.c", NULL);
	assert_int_equal(unlink(gone), 0);
	put(f->main, "deep/er/b.c", "a\nb\nc\n");
	put(f->main, "z.c", "one\n");
	commit(f, "m.c", "");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "->deep/er/b.c 1+0>1+3\n"
	               "gone.c>- 1+2>1+0\n"
	               "m.c>m.c 1+1>1+0\n"
	               "z.c>z.c 1+1>1+1\n");
}

static void a_renamed_file_is_one_file_with_its_edits(void **state)
{
	Fixture *f = *state;
	const char *body = "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\niota\nkappa\n";
	g_autofree char *edited = g_strconcat(body, "lambda\n", NULL);
	commit(f, "old/rank.c", body);
	run_git(f->main, "mv old rank");
	commit(f, "rank/rank.c", edited);
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "old/rank.c>rank/rank.c 11+0>11+1\n");
}

static void bytes_that_are_no_text_are_binary(void **state)
{
	Fixture *f = *state;
	g_autofree char *path = g_build_filename(f->main, "words.bin", NULL);
	assert_true(g_file_set_contents(path, "a\0b\n", 4, NULL));
	commit(f, "a.c", "1\n");
	assert_true(g_file_set_contents(path, "a\0c\n", 4, NULL));
	commit(f, "a.c", "1\n");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "words.bin>words.bin binary\n");
}

static void what_the_attributes_call_binary_is_binary(void **state)
{
	Fixture *f = *state;
	put(f->main, ".gitattributes", "*.tab binary\n");
	commit(f, "a.tab", "1\n2\n");
	commit(f, "a.tab", "1\n3\n");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "a.tab>a.tab binary\n");
}

/* Neither a diff driver nor a text conversion of the user's or the repository's may run. */
static void no_driver_is_run(void **state)
{
	Fixture *f = *state;
	g_autofree char *ran = below(f, "ran");
	g_autofree char *command = g_strdup_printf("config diff.own.command 'touch %s'", ran);
	g_autofree char *convert = g_strdup_printf("config diff.own.textconv 'touch %s'", ran);
	g_autofree char *filter = g_strdup_printf("config filter.own.clean 'touch %s'", ran);
	put(f->main, ".gitattributes", "*.c diff=own\n");
	commit(f, "a.c", "1\n2\n");
	commit(f, "a.c", "1\n3\n");
	run_git(f->main, command);
	run_git(f->main, convert);
	run_git(f->main, filter);
	put(f->main, ".gitattributes", "*.c diff=own filter=own\n");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "a.c>a.c 2+1>2+1\n");
	assert_false(g_file_test(ran, G_FILE_TEST_EXISTS));
}

static void a_large_file_counts_as_a_whole(void **state)
{
	Fixture *f = *state;
	g_autofree char *large = g_malloc(17 * 1024 * 1024 + 1);
	for (gsize i = 0; i < 17 * 1024 * 1024; i++)
		large[i] = i % 64 == 63 ? '\n' : 'x';
	large[17 * 1024 * 1024] = '\0';
	commit(f, "large.c", large);
	large[100] = 'y';
	commit(f, "large.c", large);
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "large.c>large.c binary\n");
}

/* More changed places than are worth looking at; the file that comes after them counts as a whole, too. */
static void a_change_of_too_many_places_counts_as_a_whole(void **state)
{
	Fixture *f = *state;
	g_autoptr(GString) base = g_string_new(NULL), head = g_string_new(NULL);
	for (guint i = 0; i < 2000100; i++) {
		g_string_append_printf(base, "%u\n", i);
		g_string_append_printf(head, "%u\n", i % 2 == 0 ? i : i + 4000000);
	}
	put(f->main, "b.c", "1\n");
	commit(f, "a.c", base->str);
	put(f->main, "b.c", "2\n");
	commit(f, "a.c", head->str);
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "a.c>a.c binary\nb.c>b.c binary\n");
}

static void a_submodule_at_another_commit_is_a_binary_file(void **state)
{
	Fixture *f = *state;
	g_autofree char *library = below(f, "library");
	run_git(f->root, "init -q library");
	G_GNUC_UNUSED g_autofree char *first = commit_file(library, "lib.c", "1\n");
	G_GNUC_UNUSED g_autofree char *added = git(f->main, "submodule --quiet add %s third/library", library);
	run_git(f->main, "config -f .gitmodules submodule.third/library.ignore all");
	commit(f, "a.c", "1\n");
	g_autofree char *inner = g_build_filename(f->main, "third/library", NULL);
	G_GNUC_UNUSED g_autofree char *second = commit_file(inner, "lib.c", "2\n");
	run_git(f->main, "add -f third/library");
	run_git(f->main, "commit -q --allow-empty -m 'move the submodule'");
	g_autoptr(LineChanges) changes = last_change(f);
	check(changes, "third/library>third/library binary\n");
	assert_true(line_changes_touch(changes, LINES_OF_HEAD, "third/library/lib.c", 1, 1));
}

static void a_file_that_becomes_a_link_went_and_came(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n2\n");
	g_autofree char *path = g_build_filename(f->main, "a.c", NULL);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("b.c", path), 0);
	commit(f, "b.c", "7\n");
	g_autoptr(LineChanges) changes = last_change(f);
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "a.c", 2, 2));
	assert_true(line_changes_touch(changes, LINES_OF_HEAD, "a.c", 1, 1));
}

static void trees_that_are_not_there_are_an_error(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n");
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	g_autofree char *tree = tree_of(f, "HEAD");
	const char *missing = "00000000000000000000000000000000000000ab";
	g_autoptr(GError) error = NULL;
	assert_null(repo_line_changes(repo, tree, missing, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_non_null(strstr(error->message, "cannot read tree 00000000"));
	assert_non_null(strstr(error->message, "partial clone"));
	g_clear_error(&error);
	assert_null(repo_line_changes(repo, "HEAD", tree, &error));
	assert_string_equal(error->message, "\"HEAD\" is not a full SHA of 40 hex digits");
	g_clear_error(&error);
	assert_null(repo_line_changes(repo, "gggggggggggggggggggggggggggggggggggggggg", tree, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
}

static char *object_path(const Fixture *f, const char *sha)
{
	return g_strdup_printf("%s/.git/objects/%.2s/%s", f->main, sha, sha + 2);
}

static void a_damaged_file_is_an_error(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n");
	commit(f, "a.c", "2\n");
	g_autofree char *blob = git(f->main, "rev-parse HEAD:a.c");
	g_autofree char *path = object_path(f, blob), *other = git(f->main, "rev-parse HEAD~:a.c");
	g_autofree char *source = object_path(f, other);
	g_autofree char *content_of_other = NULL;
	gsize length;
	assert_true(g_file_get_contents(source, &content_of_other, &length, NULL));
	assert_int_equal(unlink(path), 0);
	assert_true(g_file_set_contents(path, content_of_other, (gssize)length, NULL));
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	g_autofree char *base = tree_of(f, "HEAD~"), *head = tree_of(f, "HEAD");
	g_autoptr(GError) error = NULL;
	assert_null(repo_line_changes(repo, base, head, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	assert_true(g_str_has_prefix(error->message, "cannot compare a.c: "));
}

/* A tree of trees that all hold the same ones: a few objects that stand for a million files. */
static void a_change_of_too_many_files_is_refused(void **state)
{
	Fixture *f = *state;
	commit(f, "a.c", "1\n");
	g_autofree char *blob = git(f->main, "rev-parse HEAD:a.c");
	g_autofree char *kind = g_strdup("100644 blob"), *child = g_strdup(blob);
	for (guint level = 0; level < 3; level++) {
		g_autoptr(GString) listing = g_string_new(NULL);
		for (guint i = 0; i < 100; i++)
			g_string_append_printf(listing, "%s %s\tn%02u\n", kind, child, i);
		put(f->root, "listing", listing->str);
		g_autofree char *input = below(f, "listing");
		g_autofree char *script = g_strdup_printf("-c alias.m='!git mktree <%s' m", input);
		g_free(child);
		child = git(f->main, "%s", script);
		g_free(kind);
		kind = g_strdup("040000 tree");
	}
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	g_autofree char *tree = tree_of(f, "HEAD");
	g_autoptr(GError) error = NULL;
	assert_null(repo_line_changes(repo, tree, child, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_string_equal(
	        error->message, "the change edits more than 100000 files, too many to compare line by line");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(changed_added_and_removed_lines_are_found),
	        GIT_TEST(unchanged_trees_have_no_change),
	        GIT_TEST(files_come_in_the_order_of_their_paths),
	        GIT_TEST(a_renamed_file_is_one_file_with_its_edits),
	        GIT_TEST(bytes_that_are_no_text_are_binary),
	        GIT_TEST(what_the_attributes_call_binary_is_binary),
	        GIT_TEST(no_driver_is_run),
	        GIT_TEST(a_large_file_counts_as_a_whole),
	        GIT_TEST(a_change_of_too_many_places_counts_as_a_whole),
	        GIT_TEST(a_submodule_at_another_commit_is_a_binary_file),
	        GIT_TEST(a_file_that_becomes_a_link_went_and_came),
	        GIT_TEST(trees_that_are_not_there_are_an_error),
	        GIT_TEST(a_damaged_file_is_an_error),
	        GIT_TEST(a_change_of_too_many_files_is_refused),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
