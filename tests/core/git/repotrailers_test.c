/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repotrailers.h"

#include "tests/core/git/gitfixture.h"

#define KEY "Perf-Accepted"

static Repo *open_repo(const char *path)
{
	g_autoptr(GError) error = NULL;
	Repo *repo = repo_open_exact(path, &error);
	if (repo == NULL)
		fail_msg("%s", error->message);
	return repo;
}

/* Commits with that message; returns the SHA. */
static char *commit_saying(const char *dir, const char *message)
{
	g_autofree char *file = g_build_filename(dir, ".git", "MESSAGE", NULL);
	assert_true(g_file_set_contents(file, message, -1, NULL));
	run_git(dir, "commit -q --allow-empty --cleanup=verbatim -F .git/MESSAGE");
	return git(dir, "rev-parse HEAD");
}

static RepoTrailers *between(const char *dir, const char *base, const char *head)
{
	g_autoptr(Repo) repo = open_repo(dir);
	g_autoptr(GError) error = NULL;
	RepoTrailers *found = repo_trailers_between(repo, base, head, KEY, &error);
	if (found == NULL)
		fail_msg("%s", error->message);
	return found;
}

/* The values are those of the NULL-terminated list. */
static void check_values(const RepoTrailers *found, const char *const *wanted)
{
	guint n = 0;
	for (; wanted[n] != NULL; n++) {
		assert_true(n < found->trailers->len);
		assert_string_equal(((const RepoTrailer *)found->trailers->pdata[n])->value, wanted[n]);
	}
	assert_int_equal(found->trailers->len, n);
}

#define VALUES(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const nothing[] = {NULL};

static void trailers_of_the_commits_after_base_are_read(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start\n\nPerf-Accepted: long ago\n");
	g_autofree char *one = commit_saying(f->main, "one\n\nPerf-Accepted: first\nReviewed-by: r\n");
	g_autofree char *head = commit_saying(f->main, "two\n\nbody\n\nReviewed-by: r\nPerf-Accepted: second\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	check_values(found, VALUES("second", "first"));
	assert_string_equal(((const RepoTrailer *)found->trailers->pdata[0])->sha, head);
	assert_string_equal(((const RepoTrailer *)found->trailers->pdata[1])->sha, one);
	assert_false(found->is_cut);
}

static void only_the_last_paragraph_holds_trailers(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start");
	g_autofree char *head = commit_saying(f->main, "one\n\nPerf-Accepted: in the middle\n\nthe end\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	check_values(found, nothing);
}

/* As when several messages are joined into one by a squash. */
static void commits_with_lines_that_are_no_trailers_are_named(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start\n\nPerf-Accepted: before\n\nbase\n");
	g_autofree char *one = commit_saying(f->main, "one\n\n* first\n\n  perf-accepted : a: why\n\n* second\n");
	g_autofree char *two = commit_saying(f->main, "two\n\nPerf-Accepted: a: b\n\nthe end\n\nPerf-Accepted: b: c\n");
	g_autofree char *fine = commit_saying(f->main, "three\n\nabout Perf-Accepted: lines\n\nPerf-Accepted: c: d\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, fine);
	check_values(found, VALUES("c: d", "b: c"));
	assert_int_equal(found->strays->len, 2);
	assert_string_equal(found->strays->pdata[0], two);
	assert_string_equal(found->strays->pdata[1], one);
}

static void a_subject_is_no_trailer(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start");
	g_autofree char *head = commit_saying(f->main, "Perf-Accepted: as a subject\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	check_values(found, nothing);
}

static void the_key_may_be_written_in_any_case(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start");
	g_autofree char *head = commit_saying(f->main, "one\n\nperf-accepted: small\nPERF-ACCEPTED: large\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	check_values(found, VALUES("small", "large"));
}

static void a_value_is_one_line_of_valid_text(void **state)
{
	Fixture *f = *state;
	run_git(f->main, "config i18n.commitEncoding latin1");
	g_autofree char *base = commit_saying(f->main, "start");
	g_autofree char *head = commit_saying(f->main, "one\n\nPerf-Accepted:  a\033[31m \377b  \nPerf-Accepted:\n");
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	check_values(found, VALUES("a [31m \357\277\275b", ""));
}

static void a_long_value_is_cut_off(void **state)
{
	Fixture *f = *state;
	g_autofree char *base = commit_saying(f->main, "start");
	g_autofree char *filler = g_strnfill(2 * REPO_TRAILER_VALUE_BYTES, 'x');
	g_autofree char *message = g_strdup_printf("one\n\nPerf-Accepted: %s\n", filler);
	g_autofree char *head = commit_saying(f->main, message);
	g_autoptr(RepoTrailers) found = between(f->main, base, head);
	const RepoTrailer *trailer = found->trailers->pdata[0];
	assert_int_equal(strlen(trailer->value), REPO_TRAILER_VALUE_BYTES);
}

static void what_a_merge_brought_in_is_read_as_well_as_first_parents(void **state)
{
	Fixture *f = *state;
	g_autofree char *fork = commit_saying(f->main, "start");
	run_git(f->main, "checkout -q -b topic");
	g_autofree char *topic = commit_saying(f->main, "topic\n\nPerf-Accepted: in the topic\n");
	run_git(f->main, "checkout -q main");
	g_autofree char *base = commit_saying(f->main, "main\n\nPerf-Accepted: in main\n");
	run_git(f->main, "merge -q --no-ff -m 'merge' topic");
	g_autofree char *head = git(f->main, "rev-parse HEAD");
	g_autoptr(RepoTrailers) since_main = between(f->main, base, head);
	check_values(since_main, VALUES("in the topic"));
	g_autoptr(RepoTrailers) since_topic = between(f->main, topic, head);
	check_values(since_topic, VALUES("in main"));
	g_autoptr(RepoTrailers) since_fork = between(f->main, fork, head);
	assert_int_equal(since_fork->trailers->len, 2);
}

static void nothing_lies_between_a_commit_and_itself(void **state)
{
	Fixture *f = *state;
	g_autofree char *head = commit_saying(f->main, "start\n\nPerf-Accepted: yes\n");
	g_autoptr(RepoTrailers) found = between(f->main, head, head);
	check_values(found, nothing);
	assert_false(found->is_cut);
}

static char *clone_of_depth(const Fixture *f, int depth)
{
	G_GNUC_UNUSED g_autofree char *out = git(f->root, "clone -q --depth %d file://%s shallow", depth, f->main);
	return below(f, "shallow");
}

static void in_a_shallow_clone_a_line_from_base_to_head_is_whole(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *old = commit_saying(f->main, "old\n\nPerf-Accepted: long ago\n");
	g_autofree char *base = commit_saying(f->main, "base\n\nPerf-Accepted: merged\n");
	G_GNUC_UNUSED g_autofree char *one = commit_saying(f->main, "one\n\nPerf-Accepted: first\n");
	g_autofree char *head = commit_saying(f->main, "two\n\nPerf-Accepted: second\n");
	g_autofree char *path = clone_of_depth(f, 3);
	g_autoptr(RepoTrailers) found = between(path, base, head);
	check_values(found, VALUES("second", "first"));
	assert_false(found->is_cut);
}

/* base, a merge at head, and the last commit of a branch, whose earlier ones are cut off: as CI systems clone. */
static void in_a_shallow_clone_a_cut_branch_does_not_count(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *fork = commit_saying(f->main, "start");
	run_git(f->main, "checkout -q -b topic");
	G_GNUC_UNUSED g_autofree char *one = commit_saying(f->main, "one\n\nPerf-Accepted: early\n");
	G_GNUC_UNUSED g_autofree char *two = commit_saying(f->main, "two\n\nPerf-Accepted: late\n");
	run_git(f->main, "checkout -q main");
	g_autofree char *base = commit_saying(f->main, "main");
	put(f->main, ".git/MESSAGE", "merge\n\nPerf-Accepted: in the merge\n");
	run_git(f->main, "merge -q --no-ff -F .git/MESSAGE topic");
	g_autofree char *head = git(f->main, "rev-parse HEAD");
	g_autofree char *path = clone_of_depth(f, 2);
	g_autoptr(RepoTrailers) found = between(path, base, head);
	check_values(found, VALUES("in the merge"));
	assert_true(found->is_cut);
	run_git(path, "fetch -q --unshallow");
	g_autoptr(RepoTrailers) whole = between(path, base, head);
	check_values(whole, VALUES("in the merge", "late", "early"));
	assert_false(whole->is_cut);
}

/* base comes alone, so that nobody can tell that the old commits of the branch were merged long ago. */
static void in_a_shallow_clone_a_commit_that_base_may_have_does_not_count(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *old = commit_saying(f->main, "old\n\nPerf-Accepted: long ago\n");
	run_git(f->main, "checkout -q -b topic");
	g_autofree char *head = commit_saying(f->main, "topic\n\nPerf-Accepted: new\n");
	run_git(f->main, "checkout -q main");
	g_autofree char *base = commit_saying(f->main, "main");
	run_git(f->root, "init -q shallow");
	g_autofree char *path = below(f, "shallow");
	G_GNUC_UNUSED g_autofree char *out = git(path, "fetch -q --depth=1 file://%s %s", f->main, base);
	G_GNUC_UNUSED g_autofree char *more = git(path, "fetch -q --depth=5 file://%s topic", f->main);
	g_autoptr(RepoTrailers) found = between(path, base, head);
	check_values(found, nothing);
	assert_true(found->is_cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(trailers_of_the_commits_after_base_are_read),
	        GIT_TEST(only_the_last_paragraph_holds_trailers),
	        GIT_TEST(commits_with_lines_that_are_no_trailers_are_named),
	        GIT_TEST(a_subject_is_no_trailer),
	        GIT_TEST(the_key_may_be_written_in_any_case),
	        GIT_TEST(a_value_is_one_line_of_valid_text),
	        GIT_TEST(a_long_value_is_cut_off),
	        GIT_TEST(what_a_merge_brought_in_is_read_as_well_as_first_parents),
	        GIT_TEST(nothing_lies_between_a_commit_and_itself),
	        GIT_TEST(in_a_shallow_clone_a_line_from_base_to_head_is_whole),
	        GIT_TEST(in_a_shallow_clone_a_cut_branch_does_not_count),
	        GIT_TEST(in_a_shallow_clone_a_commit_that_base_may_have_does_not_count),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
