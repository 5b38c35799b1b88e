/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repo.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

#include <sys/stat.h>
#include <unistd.h>

static Repo *open_repo(const char *path)
{
	g_autoptr(GError) error = NULL;
	Repo *repo = repo_open(path, &error);
	if (repo == NULL)
		fail_msg("%s", error->message);
	return repo;
}

static void check_error(const GError *error, int code, const char *expected)
{
	assert_non_null(error);
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_string_equal(error->message, expected);
	assert_int_equal(error->code, code);
}

static char *resolve(Repo *repo, const char *revision)
{
	g_autoptr(GError) error = NULL;
	char *sha = NULL;
	if (!repo_resolve(repo, revision, &sha, &error))
		fail_msg("%s", error->message);
	return sha;
}

static void check_unresolved(Repo *repo, const char *revision, const char *expected)
{
	g_autoptr(GError) error = NULL;
	char *sha = NULL;
	assert_false(repo_resolve(repo, revision, &sha, &error));
	assert_null(sha);
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
}

/* A clone of `main` with one commit of history, by a URL so that git does not copy all of it. */
static char *shallow_clone(const Fixture *f, const char *name)
{
	G_GNUC_UNUSED g_autofree char *out = git(f->root, "clone -q --depth 1 file://%s %s", f->main, name);
	return below(f, name);
}

/* --- opening --- */

static void a_repository_is_found_from_a_folder_in_it(void **state)
{
	Fixture *f = *state;
	put(f->main, "a/b/c.txt", "x");
	g_autofree char *inner = g_build_filename(f->main, "a/b", NULL);
	g_autofree char *gitdir = g_build_filename(f->main, ".git", NULL);
	g_autoptr(Repo) repo = open_repo(inner);
	assert_string_equal(repo_path_workdir(repo), f->main);
	assert_string_equal(repo_path_gitdir(repo), gitdir);
	assert_string_equal(repo_path_commondir(repo), gitdir);
	assert_non_null(repo_handle(repo));
	assert_false(repo_is_shallow(repo));
}

static void outside_of_a_repository_the_message_says_what_to_do(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf(
	        "%s is not inside a git repository; run firebreak in a clone or name one with -C", f->root);
	assert_null(repo_open(f->root, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
}

static void a_repository_is_not_searched_upward_if_it_is_named_exactly(void **state)
{
	Fixture *f = *state;
	put(f->main, "a/b.txt", "x");
	g_autofree char *inner = g_build_filename(f->main, "a", NULL);
	g_autoptr(GError) error = NULL;
	assert_null(repo_open_exact(inner, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	g_autoptr(Repo) repo = repo_open_exact(f->main, NULL);
	assert_non_null(repo);
}

static void a_repository_of_another_user_is_refused_with_the_command_that_trusts_it(void **state)
{
	Fixture *f = *state;
	if (geteuid() != 0) {
		print_message("only root can give a repository to another user\n");
		skip();
	}
	put(f->main, "a/b.txt", "x");
	g_autofree char *gitdir = g_build_filename(f->main, ".git", NULL);
	g_autofree char *inner = g_build_filename(f->main, "a", NULL);
	assert_int_equal(chown(f->main, 65534, 65534), 0);
	assert_int_equal(chown(gitdir, 65534, 65534), 0);
	g_autofree char *expected = g_strdup_printf(
	        "repository %s belongs to another user; if you trust it, run: git config --global --add "
	        "safe.directory %s",
	        f->main, f->main);
	g_autoptr(GError) error = NULL;
	assert_null(repo_open(inner, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
	/* The remedy of the message works. */
	G_GNUC_UNUSED g_autofree char *out = git(f->root, "config --global --add safe.directory %s", f->main);
	g_autoptr(Repo) repo = open_repo(inner);
	assert_string_equal(repo_path_workdir(repo), f->main);
}

static void a_repository_of_another_format_is_an_environment_error(void **state)
{
	Fixture *f = *state;
	run_git(f->root, "init -q --object-format=sha256 other");
	g_autofree char *other = below(f, "other");
	g_autoptr(GError) error = NULL;
	assert_null(repo_open(other, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(error->message, "has a format that libgit2"));
}

static void extensions_of_sparse_and_partial_clones_are_accepted(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "config core.repositoryFormatVersion 1");
	run_git(f->main, "config extensions.worktreeConfig true");
	run_git(f->main, "config extensions.partialClone origin");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *head = resolve(repo, "HEAD");
	assert_string_equal(head, sha);
}

/* --- revisions --- */

static void revisions_resolve_to_commits(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	g_autofree char *second = commit_file(f->main, "a.txt", "2");
	run_git(f->main, "tag -a v1 -m tag HEAD~1");
	g_autoptr(Repo) repo = open_repo(f->main);
	static const char *const second_names[] = {"HEAD", "main", "refs/heads/main", "v1~0^{commit}~0"};
	for (gsize i = 0; i < 3; i++) {
		g_autofree char *sha = resolve(repo, second_names[i]);
		assert_string_equal(sha, second);
	}
	g_autofree char *by_tag = resolve(repo, "v1"), *by_parent = resolve(repo, "HEAD~1");
	g_autofree char *abbreviation = g_strndup(first, 10), *by_abbreviation = resolve(repo, abbreviation);
	assert_string_equal(by_tag, first);
	assert_string_equal(by_parent, first);
	assert_string_equal(by_abbreviation, first);
}

/* git takes the branch without a word. */
static void a_name_that_is_also_the_beginning_of_a_commit_is_refused(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	g_autofree char *second = commit_file(f->main, "a.txt", "2");
	g_autofree char *short_sha = g_strndup(first, 10), *make = g_strdup_printf("branch %s %s", short_sha, second);
	g_autofree char *same_name = g_strndup(second, 10), *same = g_strdup_printf("branch %s %s", same_name, second);
	g_autofree char *parent = g_strconcat(short_sha, "~0", NULL), *full_name = g_strdup_printf("branch %s", first);
	run_git(f->main, make);
	run_git(f->main, same);
	run_git(f->main, full_name);
	run_git(f->main, "branch face");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *expected =
	        g_strdup_printf("\"%s\" is the name of refs/heads/%s and the beginning of commit %s; "
	                        "write the full name or the full SHA",
	                short_sha, short_sha, first);
	check_unresolved(repo, short_sha, expected);
	check_unresolved(repo, parent, expected);
	g_autofree char *whole_name = g_strconcat("refs/heads/", short_sha, NULL), *branch = resolve(repo, whole_name);
	g_autofree char *by_sha = resolve(repo, first), *one = resolve(repo, same_name), *word = resolve(repo, "face");
	assert_string_equal(branch, second);
	assert_string_equal(by_sha, first);
	assert_string_equal(one, second);
	assert_string_equal(word, second);
}

static void unknown_revisions_are_named(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	g_autoptr(Repo) repo = open_repo(f->main);
	check_unresolved(repo, "nowhere", "revision \"nowhere\" is unknown; check its name or run git fetch");
	check_unresolved(repo, "", "revision \"\" is unknown; check its name or run git fetch");
	check_unresolved(repo, "HEAD..HEAD", "revision \"HEAD..HEAD\" is unknown; check its name or run git fetch");
	check_unresolved(
	        repo, "--upload-pack=x", "revision \"--upload-pack=x\" is unknown; check its name or run git fetch");
	check_unresolved(repo, "0123456789012345678901234567890123456789",
	        "revision \"0123456789012345678901234567890123456789\" is unknown; check its name or run git fetch");
	check_unresolved(repo, "HEAD:a.txt", "revision \"HEAD:a.txt\" names a blob, not a commit");
	check_unresolved(repo, "HEAD^{tree}", "revision \"HEAD^{tree}\" names a tree, not a commit");
}

static void a_branch_that_only_the_remote_has_is_suggested(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "branch topic");
	run_git(f->root, "clone -q main clone");
	g_autofree char *clone = below(f, "clone");
	g_autoptr(Repo) repo = open_repo(clone);
	check_unresolved(repo, "topic", "revision \"topic\" is unknown; did you mean \"origin/topic\"?");
	g_autofree char *remote = resolve(repo, "origin/topic");
	assert_string_equal(remote, sha);
}

static void in_a_shallow_clone_the_message_says_how_to_get_more(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	g_autofree char *second = commit_file(f->main, "a.txt", "2");
	g_autofree char *path = shallow_clone(f, "shallow");
	g_autoptr(Repo) repo = open_repo(path);
	assert_true(repo_is_shallow(repo));
	check_unresolved(repo, "HEAD~1",
	        "revision \"HEAD~1\" is not in this shallow clone; set fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 "
	        "(GitLab), or run git fetch --unshallow");
	assert_true(repo_has_commit(repo, second));
	assert_false(repo_has_commit(repo, first));
	g_autoptr(GError) error = NULL;
	char *tree = NULL;
	g_autofree char *expected =
	        g_strdup_printf("commit %s is not in this clone; run git fetch --depth=1 origin %s", first, first);
	assert_false(repo_commit_tree(repo, first, &tree, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
	/* The same handle sees it once it has been fetched. */
	run_git(path, "fetch -q --unshallow");
	assert_true(repo_has_commit(repo, first));
	assert_false(repo_is_shallow(repo));
}

static void a_linked_working_tree_of_a_shallow_clone_is_shallow(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *first = commit_file(f->main, "a.txt", "1");
	G_GNUC_UNUSED g_autofree char *second = commit_file(f->main, "a.txt", "2");
	g_autofree char *path = shallow_clone(f, "shallow");
	run_git(path, "worktree add -q ../linked");
	g_autofree char *linked = below(f, "linked");
	g_autoptr(Repo) repo = open_repo(linked);
	assert_true(repo_is_shallow(repo));
	assert_string_equal(repo_path_workdir(repo), linked);
	assert_string_not_equal(repo_path_gitdir(repo), repo_path_commondir(repo));
}

/* --- commits --- */

static void a_commit_has_tree_subject_and_time(void **state)
{
	Fixture *f = *state;
	g_setenv("GIT_COMMITTER_DATE", "1700000000 +0000", TRUE);
	put(f->main, "a.txt", "1");
	run_git(f->main, "add -A");
	run_git(f->main, "commit -q -m 'subject <x>' -m body");
	g_unsetenv("GIT_COMMITTER_DATE");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *sha = resolve(repo, "HEAD"), *expected = git(f->main, "rev-parse HEAD^{tree}");
	g_autofree char *tree = NULL, *subject = NULL;
	gint64 seconds = 0;
	assert_true(repo_commit_tree(repo, sha, &tree, NULL));
	assert_true(repo_commit_subject(repo, sha, &subject, NULL));
	assert_true(repo_commit_time(repo, sha, &seconds, NULL));
	assert_string_equal(tree, expected);
	assert_string_equal(subject, "subject <x>");
	assert_int_equal(seconds, 1700000000);
}

static void a_sha_must_be_full(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autoptr(GError) error = NULL;
	char *tree = NULL;
	assert_false(repo_commit_tree(repo, "HEAD", &tree, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, "\"HEAD\" is not a full SHA of 40 hex digits");
}

/* A merge commit at HEAD of main: first parent `main`, second parent `topic`. */
static void make_merge(const Fixture *f, char **base, char **on_main, char **on_topic)
{
	*base = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "checkout -q -b topic");
	*on_topic = commit_file(f->main, "topic.txt", "t");
	run_git(f->main, "checkout -q main");
	*on_main = commit_file(f->main, "main.txt", "m");
	run_git(f->main, "merge -q --no-ff -m merge topic");
}

static void a_merge_has_its_parents_in_order_also_where_they_are_not_in_the_clone(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = NULL, *on_main = NULL, *on_topic = NULL;
	make_merge(f, &base, &on_main, &on_topic);
	g_autofree char *path = shallow_clone(f, "shallow");
	const char *places[] = {f->main, path};
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autoptr(Repo) repo = open_repo(places[i]);
		g_autofree char *head = resolve(repo, "HEAD");
		g_auto(GStrv) parents = NULL;
		assert_true(repo_commit_parents(repo, head, &parents, NULL));
		assert_int_equal(g_strv_length(parents), 2);
		assert_string_equal(parents[0], on_main);
		assert_string_equal(parents[1], on_topic);
	}
}

static void a_first_commit_has_no_parents(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_auto(GStrv) parents = NULL;
	assert_true(repo_commit_parents(repo, sha, &parents, NULL));
	assert_int_equal(g_strv_length(parents), 0);
}

static void the_merge_base_is_the_common_ancestor(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = NULL, *on_main = NULL, *on_topic = NULL;
	make_merge(f, &base, &on_main, &on_topic);
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *found = NULL, *swapped = NULL;
	assert_true(repo_merge_base(repo, on_main, on_topic, &found, NULL));
	assert_true(repo_merge_base(repo, on_topic, on_main, &swapped, NULL));
	assert_string_equal(found, base);
	assert_string_equal(swapped, base);
}

static void a_merge_base_is_refused_where_it_could_be_wrong_or_is_not_there(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = NULL, *on_main = NULL, *on_topic = NULL;
	make_merge(f, &base, &on_main, &on_topic);
	g_autofree char *path = shallow_clone(f, "shallow");
	g_autoptr(Repo) shallow = open_repo(path);
	g_autofree char *head = resolve(shallow, "HEAD");
	g_autoptr(GError) error = NULL;
	char *found = NULL;
	assert_false(repo_merge_base(shallow, head, head, &found, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "in a shallow clone; set fetch-depth: 0 (GitHub)"));
	g_clear_error(&error);

	run_git(f->main, "checkout -q --orphan alone");
	g_autofree char *alone = commit_file(f->main, "a.txt", "9");
	g_autofree char *expected = g_strdup_printf("commits %.12s and %.12s have no common ancestor", alone, base);
	g_autoptr(Repo) repo = open_repo(f->main);
	assert_false(repo_merge_base(repo, alone, base, &found, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
	assert_null(found);
}

static void replace_refs_do_not_change_what_a_commit_is(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "a.txt", "1");
	g_autofree char *second = commit_file(f->main, "a.txt", "2");
	G_GNUC_UNUSED g_autofree char *out = git(f->main, "replace %s %s", second, first);
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *text = NULL;
	assert_true(repo_read_file(repo, second, "a.txt", &text, NULL, NULL));
	assert_string_equal(text, "2");
}

/* --- branches --- */

static void check_default(const char *dir, const char *expected)
{
	g_autoptr(Repo) repo = open_repo(dir);
	g_autofree char *branch = repo_default_branch(repo);
	if (expected == NULL)
		assert_null(branch);
	else
		assert_string_equal(branch, expected);
}

static void the_default_branch_is_that_of_origin_or_the_usual_name(void **state)
{
	Fixture *f = *state;
	check_default(f->main, NULL);
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	check_default(f->main, "refs/heads/main");
	run_git(f->main, "branch -m trunk");
	check_default(f->main, NULL);
	run_git(f->root, "clone -q main clone");
	g_autofree char *clone = below(f, "clone");
	check_default(clone, "refs/remotes/origin/trunk");
	/* A checkout of CI has no origin/HEAD. */
	run_git(clone, "remote set-head origin --delete");
	check_default(clone, NULL);
	run_git(clone, "update-ref refs/heads/master HEAD");
	check_default(clone, "refs/heads/master");
	run_git(clone, "update-ref refs/remotes/origin/main HEAD");
	check_default(clone, "refs/remotes/origin/main");
}

/* --- files --- */

static void a_file_is_read_from_a_commit(void **state)
{
	Fixture *f = *state;
	g_autofree char *first = commit_file(f->main, "dir/firebreak.yml", "version: 1\n");
	G_GNUC_UNUSED g_autofree char *second = commit_file(f->main, "dir/firebreak.yml", "version: 2\n");
	put(f->main, "dir/firebreak.yml", "dirty");
	g_autoptr(Repo) repo = open_repo(f->main);
	g_autofree char *text = NULL;
	gsize length = 0;
	assert_true(repo_read_file(repo, first, "dir/firebreak.yml", &text, &length, NULL));
	assert_string_equal(text, "version: 1\n");
	assert_int_equal(length, 11);
}

static void a_missing_file_is_no_error(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	g_autoptr(Repo) repo = open_repo(f->main);
	static const char *const paths[] = {"firebreak.yml", "a.txt/b", "no/such", "../a.txt"};
	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		char *text = (char *)"x";
		assert_true(repo_read_file(repo, sha, paths[i], &text, NULL, NULL));
		assert_null(text);
	}
}

static void only_regular_files_are_read(void **state)
{
	Fixture *f = *state;
	g_autofree char *path = g_build_filename(f->main, "link", NULL);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	g_autofree char *sha = commit_file(f->main, "dir/a.txt", "1");
	g_autoptr(Repo) repo = open_repo(f->main);
	static const char *const paths[] = {"link", "dir"};
	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autoptr(GError) error = NULL;
		char *text = NULL;
		g_autofree char *expected = g_strdup_printf("commit %.12s: %s is not a regular file", sha, paths[i]);
		assert_false(repo_read_file(repo, sha, paths[i], &text, NULL, &error));
		check_error(error, FIREBREAK_ERROR_USAGE, expected);
	}
}

static void an_object_that_a_partial_clone_lacks_is_named(void **state)
{
	Fixture *f = *state;
	run_git(f->main, "config uploadpack.allowFilter true");
	g_autofree char *sha = commit_file(f->main, "dir/a.txt", "1");
	G_GNUC_UNUSED g_autofree char *out =
	        git(f->root, "clone -q --no-checkout --filter=tree:0 file://%s partial", f->main);
	g_autofree char *partial = below(f, "partial");
	g_autoptr(Repo) repo = open_repo(partial);
	g_autoptr(GError) error = NULL;
	char *text = NULL;
	assert_false(repo_read_file(repo, sha, "dir/a.txt", &text, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "clone without --filter"));
}

/* --- the working tree --- */

static char *worktree_tree(const char *dir)
{
	g_autoptr(Repo) repo = open_repo(dir);
	g_autoptr(GError) error = NULL;
	char *tree = NULL;
	if (!repo_worktree_tree(repo, &tree, &error))
		fail_msg("%s", error->message);
	return tree;
}

static void a_clean_working_tree_has_the_tree_of_head(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "dir/a.txt", "1");
	g_autofree char *tree = worktree_tree(f->main), *expected = git(f->main, "rev-parse HEAD^{tree}");
	assert_string_equal(tree, expected);
}

static void a_dirty_working_tree_is_taken_as_it_is_without_touching_the_index(void **state)
{
	Fixture *f = *state;
	put(f->main, ".gitignore", "ignored\n");
	put(f->main, "gone.txt", "x");
	put(f->main, "run.sh", "#!/bin/sh\n");
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "dir/a.txt", "1");
	put(f->main, "dir/a.txt", "changed");
	put(f->main, "new/b.txt", "untracked");
	put(f->main, "ignored", "x");
	put(f->main, "staged.txt", "staged");
	run_git(f->main, "add staged.txt");
	g_autofree char *gone = g_build_filename(f->main, "gone.txt", NULL);
	g_autofree char *script = g_build_filename(f->main, "run.sh", NULL);
	assert_int_equal(g_unlink(gone), 0);
	assert_int_equal(chmod(script, 0755), 0);
	g_autofree char *index_path = g_build_filename(f->main, ".git/index", NULL);
	g_autofree char *before = NULL, *after = NULL;
	gsize before_length = 0, after_length = 0;
	assert_true(g_file_get_contents(index_path, &before, &before_length, NULL));

	g_autofree char *tree = worktree_tree(f->main);
	assert_true(g_file_get_contents(index_path, &after, &after_length, NULL));
	assert_int_equal(before_length, after_length);
	assert_memory_equal(before, after, before_length);
	g_autofree char *listing = git(f->main, "ls-tree -r --format='%%(objectmode) %%(path)' %s", tree);
	assert_string_equal(
	        listing, "100644 .gitignore\n100644 dir/a.txt\n100644 new/b.txt\n100755 run.sh\n100644 staged.txt");
	g_autofree char *text = git(f->main, "cat-file -p %s:dir/a.txt", tree);
	assert_string_equal(text, "changed");
	/* Git itself agrees. */
	run_git(f->main, "add -A");
	g_autofree char *expected = git(f->main, "write-tree");
	assert_string_equal(tree, expected);
}

static void files_outside_a_sparse_checkout_count_as_committed(void **state)
{
	Fixture *f = *state;
	put(f->main, "in/a.txt", "1");
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "out/b.txt", "2");
	run_git(f->main, "sparse-checkout set --cone in");
	g_autofree char *absent = content(f->main, "out/b.txt");
	assert_null(absent);
	g_autofree char *tree = worktree_tree(f->main), *expected = git(f->main, "rev-parse HEAD^{tree}");
	assert_string_equal(tree, expected);
	put(f->main, "in/a.txt", "changed");
	g_autofree char *changed = worktree_tree(f->main);
	g_autofree char *listing = git(f->main, "ls-tree -r --name-only %s", changed);
	assert_string_equal(listing, "in/a.txt\nout/b.txt");
}

static void before_the_first_commit_there_is_a_working_tree(void **state)
{
	Fixture *f = *state;
	put(f->main, "a.txt", "1");
	g_autofree char *tree = worktree_tree(f->main);
	g_autofree char *listing = git(f->main, "ls-tree -r --name-only %s", tree);
	assert_string_equal(listing, "a.txt");
}

static void a_linked_working_tree_has_its_own_files_and_head(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->main, "worktree add -q -b topic ../linked");
	g_autofree char *linked = below(f, "linked");
	put(linked, "a.txt", "other");
	g_autofree char *tree = worktree_tree(linked);
	g_autofree char *text = git(f->main, "cat-file -p %s:a.txt", tree);
	assert_string_equal(text, "other");
}

static void a_bare_repository_is_clean_and_has_no_working_tree(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	run_git(f->root, "clone -q --bare main bare.git");
	g_autofree char *bare = below(f, "bare.git");
	g_autoptr(Repo) repo = open_repo(bare);
	g_autofree char *head = resolve(repo, "main");
	assert_string_equal(head, sha);
	assert_null(repo_path_workdir(repo));
	g_autoptr(GError) error = NULL;
	char *tree = NULL;
	g_autofree char *expected = g_strdup_printf("repository %s is bare: it has no working tree to measure", bare);
	assert_false(repo_worktree_tree(repo, &tree, &error));
	check_error(error, FIREBREAK_ERROR_USAGE, expected);
}

static void nothing_of_the_repository_configuration_is_run(void **state)
{
	Fixture *f = *state;
	g_autofree char *canary = below(f, "canary"), *script = below(f, "trap.sh");
	g_autofree char *text = g_strdup_printf("#!/bin/sh\ntouch %s\ncat\n", canary);
	put(f->root, "trap.sh", text);
	assert_int_equal(chmod(script, 0755), 0);
	put(f->main, ".gitattributes", "*.txt filter=trap diff=trap\n");
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.txt", "1");
	static const char *const keys[] = {"filter.trap.clean", "filter.trap.smudge", "filter.trap.process",
	        "diff.trap.textconv", "core.fsmonitor", "core.sshCommand", "core.pager"};
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		g_free(git(f->main, "config %s %s", keys[i], script));
	put(f->main, "a.txt", "2");
	G_GNUC_UNUSED g_autofree char *tree = worktree_tree(f->main);
	assert_false(g_file_test(canary, G_FILE_TEST_EXISTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(a_repository_is_found_from_a_folder_in_it),
	        GIT_TEST(outside_of_a_repository_the_message_says_what_to_do),
	        GIT_TEST(a_repository_is_not_searched_upward_if_it_is_named_exactly),
	        GIT_TEST(a_repository_of_another_user_is_refused_with_the_command_that_trusts_it),
	        GIT_TEST(a_repository_of_another_format_is_an_environment_error),
	        GIT_TEST(extensions_of_sparse_and_partial_clones_are_accepted),
	        GIT_TEST(revisions_resolve_to_commits),
	        GIT_TEST(a_name_that_is_also_the_beginning_of_a_commit_is_refused),
	        GIT_TEST(unknown_revisions_are_named),
	        GIT_TEST(a_branch_that_only_the_remote_has_is_suggested),
	        GIT_TEST(in_a_shallow_clone_the_message_says_how_to_get_more),
	        GIT_TEST(a_linked_working_tree_of_a_shallow_clone_is_shallow),
	        GIT_TEST(a_commit_has_tree_subject_and_time),
	        GIT_TEST(a_sha_must_be_full),
	        GIT_TEST(a_merge_has_its_parents_in_order_also_where_they_are_not_in_the_clone),
	        GIT_TEST(a_first_commit_has_no_parents),
	        GIT_TEST(the_merge_base_is_the_common_ancestor),
	        GIT_TEST(a_merge_base_is_refused_where_it_could_be_wrong_or_is_not_there),
	        GIT_TEST(replace_refs_do_not_change_what_a_commit_is),
	        GIT_TEST(the_default_branch_is_that_of_origin_or_the_usual_name),
	        GIT_TEST(a_file_is_read_from_a_commit),
	        GIT_TEST(a_missing_file_is_no_error),
	        GIT_TEST(only_regular_files_are_read),
	        GIT_TEST(an_object_that_a_partial_clone_lacks_is_named),
	        GIT_TEST(a_clean_working_tree_has_the_tree_of_head),
	        GIT_TEST(a_dirty_working_tree_is_taken_as_it_is_without_touching_the_index),
	        GIT_TEST(files_outside_a_sparse_checkout_count_as_committed),
	        GIT_TEST(before_the_first_commit_there_is_a_working_tree),
	        GIT_TEST(a_linked_working_tree_has_its_own_files_and_head),
	        GIT_TEST(a_bare_repository_is_clean_and_has_no_working_tree),
	        GIT_TEST(nothing_of_the_repository_configuration_is_run),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
