/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repocheckout.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

#include <sys/stat.h>
#include <unistd.h>

#define LFS_POINTER                                                                                                    \
	"version https://git-lfs.github.com/spec/v1\n"                                                                 \
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

static Repo *open_repo(const char *path)
{
	g_autoptr(GError) error = NULL;
	Repo *repo = repo_open(path, &error);
	if (repo == NULL)
		fail_msg("%s", error->message);
	return repo;
}

static char *tree_of(const char *dir, const char *revision)
{
	return git(dir, "rev-parse %s^{tree}", revision);
}

/* Checks out the tree of a revision into a new folder, whose path it returns. */
static char *check_out(const Fixture *f, const char *dir, const char *revision, const char *name, guint *lfs)
{
	g_autoptr(Repo) repo = open_repo(dir);
	g_autofree char *tree = tree_of(dir, revision);
	g_autoptr(GError) error = NULL;
	char *target = below(f, name);
	if (!repo_checkout_tree(repo, tree, target, lfs, &error))
		fail_msg("%s", error->message);
	return target;
}

static void check_content(const char *dir, const char *name, const char *expected)
{
	g_autofree char *text = content(dir, name);
	if (expected == NULL)
		assert_null(text);
	else if (text == NULL)
		fail_msg("%s/%s is not there", dir, name);
	else
		assert_string_equal(text, expected);
}

/* --- trees --- */

static void a_commit_is_checked_out_whatever_head_and_the_working_tree_are(void **state)
{
	Fixture *f = *state;
	put(f->main, "dir/sub/b.txt", "b");
	put(f->main, "run.sh", "#!/bin/sh\n");
	g_autofree char *script = g_build_filename(f->main, "run.sh", NULL);
	g_autofree char *link = g_build_filename(f->main, "link", NULL);
	assert_int_equal(chmod(script, 0755), 0);
	assert_int_equal(symlink("a.txt", link), 0);
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "rm -q -r dir");
	G_GNUC_UNUSED g_autofree char *second = commit_file(f->main, "a.txt", "2");
	put(f->main, "a.txt", "dirty");
	put(f->main, "untracked", "x");

	g_autofree char *target = check_out(f, f->main, first, "out/base", NULL);
	check_content(target, "a.txt", "1");
	check_content(target, "dir/sub/b.txt", "b");
	check_content(target, "link", "1");
	check_content(target, "untracked", NULL);
	check_content(target, ".git", NULL);
	g_autofree char *copied = g_build_filename(target, "run.sh", NULL);
	assert_true(g_file_test(copied, G_FILE_TEST_IS_EXECUTABLE));
	g_autofree char *head_target = check_out(f, f->main, "HEAD", "out/head", NULL);
	check_content(head_target, "a.txt", "2");
	check_content(head_target, "dir/sub/b.txt", NULL);
	check_content(f->main, "a.txt", "dirty");
	g_autofree char *status = git(f->main, "status --porcelain");
	assert_string_equal(status, " M a.txt\n?? untracked");
}

static void the_working_tree_after_a_checkout_through_one_handle_is_right(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	g_autofree char *second = commit_file(f->main, "b.txt", "2");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *tree = tree_of(f->main, first), *target = below(f, "out");
	g_autofree char *expected = tree_of(f->main, second);
	char *found = NULL;
	assert_true(repo_checkout_tree(repo, tree, target, NULL, NULL));
	assert_true(repo_worktree_tree(repo, &found, NULL));
	assert_string_equal(found, expected);
	g_free(found);
}

static void bare_repositories_and_linked_working_trees_are_checked_out(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->root, "clone -q --bare main bare.git");
	run_git(f->main, "worktree add -q -b topic ../linked");
	g_autofree char *bare = below(f, "bare.git"), *linked = below(f, "linked");
	G_GNUC_UNUSED g_autofree char *on_topic = commit_file(linked, "a.txt", "2");
	g_autofree char *from_bare = check_out(f, bare, "main", "one", NULL);
	g_autofree char *from_linked = check_out(f, linked, "HEAD", "two", NULL);
	g_autofree char *base_from_linked = check_out(f, linked, "main", "three", NULL);
	check_content(from_bare, "a.txt", "1");
	check_content(from_linked, "a.txt", "2");
	check_content(base_from_linked, "a.txt", "1");
}

static void a_repository_with_an_unborn_head_is_checked_out(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "symbolic-ref HEAD refs/heads/unborn");
	g_autofree char *target = check_out(f, f->main, "main", "out", NULL);
	check_content(target, "a.txt", "1");
}

static void no_hook_and_no_filter_runs(void **state)
{
	Fixture *f = *state;
	g_autofree char *canary = below(f, "canary"), *trap = below(f, "trap.sh");
	g_autofree char *script = g_strdup_printf("#!/bin/sh\ntouch %s\ncat\n", canary);
	put(f->root, "trap.sh", script);
	assert_int_equal(chmod(trap, 0755), 0);
	static const char *const hooks[] = {"post-checkout", "post-index-change", "reference-transaction"};
	put(f->main, ".gitattributes", "*.txt filter=trap text eol=crlf\n*.id ident\n");
	put(f->main, "a.id", "$Id$\n");
	g_autofree char *sha = commit_file(f->main, "a.txt", "1\n");
	for (gsize i = 0; i < G_N_ELEMENTS(hooks); i++) {
		g_autofree char *hook = g_build_filename(f->main, ".git/hooks", hooks[i], NULL);
		assert_int_equal(symlink(trap, hook), 0);
	}
	g_free(git(f->main, "config filter.trap.smudge %s", trap));
	g_free(git(f->main, "config filter.trap.process %s", trap));
	g_free(git(f->main, "config core.fsmonitor %s", trap));
	if (g_file_test(canary, G_FILE_TEST_EXISTS))
		assert_int_equal(g_unlink(canary), 0);
	g_autofree char *tree = NULL, *target = below(f, "out");
	g_autoptr(Repo) repo = open_repo(f->main);
	assert_true(repo_commit_tree(repo, sha, &tree, NULL));
	assert_true(repo_checkout_tree(repo, tree, target, NULL, NULL));
	assert_false(g_file_test(canary, G_FILE_TEST_EXISTS));
	/* The bytes of the blobs, without end-of-line conversion and keywords. */
	check_content(target, "a.txt", "1\n");
	check_content(target, "a.id", "$Id$\n");
}

static void lfs_pointers_are_counted(void **state)
{
	Fixture *f = *state;
	put(f->main, "data/one.bin", LFS_POINTER);
	put(f->main, "data/two.bin", LFS_POINTER "\n");
	g_autofree char *padding = g_strnfill(2000, 'x');
	g_autofree char *large = g_strconcat(LFS_POINTER, padding, NULL);
	put(f->main, "about-lfs.txt", large);
	put(f->main, "empty", "");
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "version https://example.org\n");
	guint pointers = 5;
	g_autofree char *target = check_out(f, f->main, "HEAD", "out", &pointers);
	assert_int_equal(pointers, 7);
	check_content(target, "data/one.bin", LFS_POINTER);
}

static void a_checkout_needs_an_empty_folder(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	g_autofree char *tree = tree_of(f->main, "HEAD");
	g_autoptr(Repo) repo = open_repo(f->main);
	put(f->root, "used/file", "x");
	g_autofree char *used = below(f, "used"), *link = below(f, "link"), *empty = below(f, "empty");
	assert_int_equal(g_mkdir(empty, 0777), 0);
	assert_int_equal(symlink(empty, link), 0);
	const char *refused[] = {used, link};
	for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *expected = g_strdup_printf("%s is not an empty folder", refused[i]);
		assert_false(repo_checkout_tree(repo, tree, refused[i], NULL, &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
		assert_string_equal(error->message, expected);
	}
	check_content(empty, "a.txt", NULL);
	assert_true(repo_checkout_tree(repo, tree, empty, NULL, NULL));
	check_content(empty, "a.txt", "1");
}

static void files_that_a_partial_clone_lacks_are_an_error_that_says_so(void **state)
{
	Fixture *f = *state;
	run_git(f->main, "config uploadpack.allowFilter true");
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	G_GNUC_UNUSED g_autofree char *out =
	        git(f->root, "clone -q --no-checkout --filter=blob:none file://%s partial", f->main);
	g_autofree char *partial = below(f, "partial"), *target = below(f, "out"), *tree = NULL;
	g_autoptr(Repo) repo = open_repo(partial);
	assert_true(repo_commit_tree(repo, sha, &tree, NULL));
	g_autoptr(GError) error = NULL;
	assert_false(repo_checkout_tree(repo, tree, target, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "if this is a partial clone, clone without --filter"));
}

static void an_unknown_tree_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *target = below(f, "out");
	g_autoptr(GError) error = NULL;
	assert_false(repo_checkout_tree(repo, "0123456789012345678901234567890123456789", target, NULL, &error));
	assert_non_null(error);
	assert_false(g_file_test(target, G_FILE_TEST_EXISTS));
}

/* Makes a tree with one entry as git's plumbing lets one make it; returns its SHA. */
static char *make_tree(const char *dir, const char *entry)
{
	put(dir, "../entry", entry);
	g_autoptr(GError) error = NULL;
	g_autofree char *out = NULL;
	static const char *const argv[] = {"/bin/sh", "-c", "git mktree --missing < ../entry", NULL};
	int status = 0;
	assert_true(g_spawn_sync(dir, (char **)argv, NULL, 0, NULL, NULL, &out, NULL, &status, &error));
	assert_int_equal(status, 0);
	return g_strdup(g_strchomp(out));
}

static void names_that_git_would_not_make_are_refused(void **state)
{
	Fixture *f = *state;
	static const char *const names[] = {"..", ".", ".git", ".GIT"};
	g_free(commit_file(f->main, "a.txt", "1"));
	g_autofree char *blob = git(f->main, "rev-parse HEAD:a.txt"), *inner = git(f->main, "rev-parse HEAD^{tree}");
	g_autoptr(Repo) repo = open_repo(f->main);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *entry = i % 2 == 0 ? g_strdup_printf("040000 tree %s\t%s\n", inner, names[i])
		                                    : g_strdup_printf("100644 blob %s\t%s\n", blob, names[i]);
		g_autofree char *tree = make_tree(f->main, entry), *folder = g_strdup_printf("out%zu", i);
		g_autofree char *target = below(f, folder);
		g_autofree char *expected = g_strdup_printf(
		        "tree %.12s: the tree has an entry with the forbidden name \"%s\"", tree, names[i]);
		g_autoptr(GError) error = NULL;
		assert_false(repo_checkout_tree(repo, tree, target, NULL, &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_POLICY);
		assert_string_equal(error->message, expected);
	}
}

static void trees_that_are_too_deep_are_refused(void **state)
{
	Fixture *f = *state;
	g_free(commit_file(f->main, "a.txt", "1"));
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *tree = git(f->main, "rev-parse HEAD^{tree}");
	for (int depth = 1; depth < 129; depth++) {
		g_autofree char *entry = g_strdup_printf("040000 tree %s\td\n", tree);
		g_free(tree);
		tree = make_tree(f->main, entry);
	}
	g_autofree char *target = below(f, "out"), *inner = git(f->main, "rev-parse %s:d", tree);
	g_autofree char *second = below(f, "out2");
	g_autoptr(GError) error = NULL;
	assert_false(repo_checkout_tree(repo, tree, target, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_true(repo_checkout_tree(repo, inner, second, NULL, NULL));
}

/* --- submodules --- */

/* The repository `inner` with a submodule of its own, `deepest`; `main` has `inner` as lib/inner. */
static void make_submodules(const Fixture *f)
{
	g_autofree char *deepest = below(f, "deepest"), *inner = below(f, "inner");
	run_git(f->root, "init -q deepest");
	run_git(f->root, "init -q inner");
	g_free(commit_file(deepest, "d.bin", LFS_POINTER));
	g_free(commit_file(inner, "i.txt", "inner 1"));
	g_free(git(inner, "submodule --quiet add %s deep", deepest));
	g_free(commit_file(inner, "i.txt", "inner 1"));
	g_free(git(f->main, "submodule --quiet add %s lib/inner", inner));
	run_git(f->main, "submodule --quiet update --init --recursive");
	g_free(commit_file(f->main, "a.txt", "1"));
}

static void submodules_of_a_tree_are_listed(void **state)
{
	Fixture *f = *state;
	make_submodules(f);
	g_autofree char *inner = below(f, "inner"), *inner_head = git(inner, "rev-parse HEAD");
	g_autofree char *tree = tree_of(f->main, "HEAD");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GPtrArray) list = NULL;
	assert_true(repo_submodules(repo, tree, &list, NULL));
	assert_int_equal(list->len, 1);
	const RepoSubmodule *submodule = list->pdata[0];
	assert_string_equal(submodule->name, "lib/inner");
	assert_string_equal(submodule->path, "lib/inner");
	assert_string_equal(submodule->url, inner);
	assert_string_equal(submodule->commit_sha, inner_head);
}

static void a_tree_without_submodules_lists_none(void **state)
{
	Fixture *f = *state;
	/* An entry that is left over after its submodule went. */
	put(f->main, ".gitmodules", "[submodule \"gone\"]\npath = gone\nurl = x\n[submodule \"a\"]\npath = a.txt\n");
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1"), *tree = tree_of(f->main, "HEAD");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GPtrArray) list = NULL;
	assert_true(repo_submodules(repo, tree, &list, NULL));
	assert_int_equal(list->len, 0);
}

static void check_submodules(const Fixture *f, const char *dir, const char *name)
{
	guint n = 0, pointers = 0;
	g_autofree char *target = check_out(f, dir, "HEAD", name, &pointers), *tree = tree_of(dir, "HEAD");
	g_autoptr(Repo) repo = open_repo(dir);
	g_autoptr(GError) error = NULL;
	check_content(target, "lib/inner/i.txt", NULL);
	if (!repo_checkout_submodules(repo, tree, target, &n, &pointers, &error))
		fail_msg("%s", error->message);
	check_content(target, "a.txt", "1");
	check_content(target, "lib/inner/i.txt", "inner 1");
	check_content(target, "lib/inner/deep/d.bin", LFS_POINTER);
	check_content(target, "lib/inner/.git", NULL);
	assert_int_equal(n, 2);
	assert_int_equal(pointers, 1);
}

static void submodules_are_checked_out_with_theirs(void **state)
{
	Fixture *f = *state;
	make_submodules(f);
	check_submodules(f, f->main, "out");
	/* Also from a linked working tree that has none of them. */
	run_git(f->main, "worktree add -q -b topic ../linked");
	g_autofree char *linked = below(f, "linked");
	check_submodules(f, linked, "out2");
	/* And where the submodules are not in the working tree any more. */
	run_git(f->main, "submodule --quiet deinit -f --all");
	check_submodules(f, f->main, "out3");
	/* In a bare repository they are where its owner put their clones. */
	g_autofree char *bare = below(f, "bare.git");
	run_git(f->root, "clone -q --bare main bare.git");
	run_git(f->root, "clone -q --bare inner bare.git/modules/lib/inner");
	run_git(f->root, "clone -q --bare deepest bare.git/modules/lib/inner/modules/deep");
	check_submodules(f, bare, "out4");
}

static void the_commit_of_the_base_is_checked_out_although_the_submodule_is_at_another(void **state)
{
	Fixture *f = *state;
	make_submodules(f);
	g_autofree char *inner = below(f, "inner"), *in_place = g_build_filename(f->main, "lib/inner", NULL);
	g_free(commit_file(inner, "i.txt", "inner 2"));
	run_git(in_place, "pull -q");
	g_free(commit_file(f->main, "a.txt", "2"));
	g_autofree char *base = check_out(f, f->main, "HEAD~1", "base", NULL), *tree = tree_of(f->main, "HEAD~1");
	g_autofree char *head = check_out(f, f->main, "HEAD", "head", NULL), *head_tree = tree_of(f->main, "HEAD");
	g_autoptr(Repo) repo = open_repo(f->main);
	assert_true(repo_checkout_submodules(repo, tree, base, NULL, NULL, NULL));
	assert_true(repo_checkout_submodules(repo, head_tree, head, NULL, NULL, NULL));
	check_content(base, "lib/inner/i.txt", "inner 1");
	check_content(head, "lib/inner/i.txt", "inner 2");
}

static void a_submodule_that_is_not_cloned_is_left_out_and_named(void **state)
{
	Fixture *f = *state;
	make_submodules(f);
	run_git(f->root, "clone -q main clone");
	g_autofree char *clone = below(f, "clone"), *tree = tree_of(clone, "HEAD");
	g_autofree char *target = check_out(f, clone, "HEAD", "out", NULL);
	g_autofree char *folder = g_build_filename(target, "lib", "inner", NULL);
	g_autoptr(Repo) repo = open_repo(clone), whole = open_repo(f->main);
	guint n = 0;
	assert_true(repo_checkout_submodules(repo, tree, target, &n, NULL, NULL));
	assert_int_equal(n, 0);
	assert_int_equal(g_rmdir(folder), 0);
	g_autoptr(GPtrArray) missing = repo_missing_submodules(repo, tree, NULL);
	assert_int_equal(missing->len, 1);
	assert_string_equal(missing->pdata[0], "lib/inner");
	g_autoptr(GPtrArray) none = repo_missing_submodules(whole, tree, NULL);
	assert_int_equal(none->len, 0);
}

static void links_of_a_tree_are_those_of_its_submodules_too(void **state)
{
	Fixture *f = *state;
	g_autofree char *inner = below(f, "inner"), *in_inner = g_build_filename(inner, "dangling", NULL);
	g_autofree char *folder = g_build_filename(f->main, "folder", NULL);
	g_autofree char *in_main = g_build_filename(folder, "up", NULL);
	assert_int_equal(g_mkdir(folder, 0755), 0);
	assert_int_equal(symlink("../../elsewhere", in_main), 0);
	run_git(f->main, "add -A");
	run_git(f->main, "commit -q -m link");
	g_autofree char *flat = tree_of(f->main, "HEAD");
	make_submodules(f);
	g_autofree char *nested = tree_of(f->main, "HEAD"), *checkout = g_build_filename(f->main, "lib/inner", NULL);
	assert_int_equal(symlink("/nowhere", in_inner), 0);
	run_git(inner, "add -A");
	run_git(inner, "commit -q -m link");
	run_git(checkout, "pull -q");
	run_git(f->main, "add -A");
	run_git(f->main, "commit -q -m newer");
	g_autofree char *newer = tree_of(f->main, "HEAD");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GHashTable) one = repo_tree_links(repo, flat, NULL), two = repo_tree_links(repo, newer, NULL);
	g_autoptr(GHashTable) before = repo_tree_links(repo, nested, NULL);
	assert_int_equal(g_hash_table_size(one), 1);
	assert_string_equal(g_hash_table_lookup(one, "folder/up"), "../../elsewhere");
	assert_int_equal(g_hash_table_size(before), 1);
	assert_int_equal(g_hash_table_size(two), 2);
	assert_string_equal(g_hash_table_lookup(two, "lib/inner/dangling"), "/nowhere");
}

static void a_submodule_that_points_outside_is_a_policy_error(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	put(f->main, ".gitmodules", "[submodule \"../../outside\"]\npath = lib\nurl = x\n");
	g_free(git(f->main, "update-index --add --cacheinfo 160000,%s,lib", sha));
	run_git(f->main, "add .gitmodules");
	run_git(f->main, "commit -q -m evil");
	g_autofree char *tree = tree_of(f->main, "HEAD"), *target = check_out(f, f->main, "HEAD", "out", NULL);
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GError) error = NULL;
	assert_false(repo_checkout_submodules(repo, tree, target, NULL, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_POLICY);
}

static void a_repository_that_is_its_own_submodule_ends(void **state)
{
	Fixture *f = *state;
	/* Each commit has the one before as a submodule, cloned from the repository itself. */
	put(f->main, ".gitmodules", "[submodule \"self\"]\npath = self\nurl = x\n");
	g_autofree char *last = commit_file(f->main, "a.txt", "0");
	for (int i = 0; i < 9; i++) {
		g_free(git(f->main, "update-index --add --cacheinfo 160000,%s,self", last));
		run_git(f->main, "commit -q -m next");
		g_free(last);
		last = git(f->main, "rev-parse HEAD");
	}
	/* A chain of folders modules/self/modules/self/... that all lead to the repository. */
	g_autofree char *modules = g_build_filename(f->main, ".git/modules", NULL);
	g_autofree char *self = g_build_filename(modules, "self", NULL);
	assert_int_equal(g_mkdir(modules, 0777), 0);
	assert_int_equal(symlink("..", self), 0);
	g_autofree char *tree = tree_of(f->main, "HEAD"), *target = check_out(f, f->main, "HEAD", "out", NULL);
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GError) error = NULL;
	assert_false(repo_checkout_submodules(repo, tree, target, NULL, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_string_equal(error->message, "submodules are nested deeper than 8 levels or more than 1000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(a_commit_is_checked_out_whatever_head_and_the_working_tree_are),
	        GIT_TEST(the_working_tree_after_a_checkout_through_one_handle_is_right),
	        GIT_TEST(bare_repositories_and_linked_working_trees_are_checked_out),
	        GIT_TEST(a_repository_with_an_unborn_head_is_checked_out),
	        GIT_TEST(no_hook_and_no_filter_runs),
	        GIT_TEST(lfs_pointers_are_counted),
	        GIT_TEST(a_checkout_needs_an_empty_folder),
	        GIT_TEST(files_that_a_partial_clone_lacks_are_an_error_that_says_so),
	        GIT_TEST(an_unknown_tree_is_an_error),
	        GIT_TEST(names_that_git_would_not_make_are_refused),
	        GIT_TEST(trees_that_are_too_deep_are_refused),
	        GIT_TEST(submodules_of_a_tree_are_listed),
	        GIT_TEST(a_tree_without_submodules_lists_none),
	        GIT_TEST(submodules_are_checked_out_with_theirs),
	        GIT_TEST(the_commit_of_the_base_is_checked_out_although_the_submodule_is_at_another),
	        GIT_TEST(a_submodule_that_is_not_cloned_is_left_out_and_named),
	        GIT_TEST(links_of_a_tree_are_those_of_its_submodules_too),
	        GIT_TEST(a_submodule_that_points_outside_is_a_policy_error),
	        GIT_TEST(a_repository_that_is_its_own_submodule_ends),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
