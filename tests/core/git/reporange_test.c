/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/reporange.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

static GPtrArray *range_of(const Fixture *f, const char *from, const char *to, gboolean first_parent, GError **error)
{
	g_autofree char *first = git(f->main, "rev-parse %s", from), *last = git(f->main, "rev-parse %s", to);
	const RangePlan plan = {first, last, first_parent};
	g_autoptr(Repo) repo = repo_open(f->main, error);
	return repo_range(repo, &plan, error);
}

/* Subjects with the positions of their parents: "one: | two: 0". Commits are named by their subjects, oldest first. */
static void check_range(const Fixture *f, const char *from, const char *to, gboolean first_parent, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) range = range_of(f, from, to, first_parent, &error);
	g_autoptr(GString) text = g_string_new(NULL);
	if (range == NULL)
		fail_msg("%s", error->message);
	for (guint i = 0; i < range->len; i++) {
		const RangeCommit *commit = range->pdata[i];
		g_autofree char *subject = git(f->main, "log -1 --format=%%s %s", commit->sha);
		g_string_append_printf(text, "%s%s:", i > 0 ? " | " : "", subject);
		for (guint p = 0; p < commit->parents->len; p++)
			g_string_append_printf(text, " %u", g_array_index(commit->parents, guint, p));
	}
	assert_string_equal(text->str, expected);
}

static void commit(const Fixture *f, const char *subject)
{
	run_git(f->main, "commit -q --allow-empty --allow-empty-message -m start");
	G_GNUC_UNUSED g_autofree char *done = git(f->main, "commit -q --amend --allow-empty -m %s", subject);
}

/* one - two - three - merge - last, with side from two merged in */
static void make_history(const Fixture *f)
{
	commit(f, "one");
	commit(f, "two");
	run_git(f->main, "checkout -q -b topic");
	commit(f, "side");
	run_git(f->main, "checkout -q main");
	commit(f, "three");
	run_git(f->main, "merge -q --no-ff -m merge topic");
	commit(f, "last");
}

static void commits_come_after_their_parents(void **state)
{
	Fixture *f = *state;
	make_history(f);
	check_range(f, "HEAD~4", "HEAD~2", FALSE, "two: | three: 0");
}

static void both_sides_of_a_merge_are_in_the_range(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	make_history(f);
	g_autoptr(GPtrArray) range = range_of(f, "HEAD~3", "HEAD", FALSE, &error);
	assert_non_null(range);
	assert_int_equal(range->len, 4); /* side, three, merge, last */
	const RangeCommit *merge = range->pdata[2];
	assert_int_equal(merge->parents->len, 2);
	assert_int_equal(g_array_index(merge->parents, guint, 0) + g_array_index(merge->parents, guint, 1), 1);
}

static void first_parents_leave_out_what_was_merged(void **state)
{
	Fixture *f = *state;
	make_history(f);
	check_range(f, "HEAD~4", "HEAD", TRUE, "two: | three: 0 | merge: 1 | last: 2");
}

static void first_parents_end_where_the_history_of_a_merged_commit_begins(void **state)
{
	Fixture *f = *state;
	make_history(f);
	check_range(f, "topic", "HEAD", TRUE, "three: | merge: 0 | last: 1");
}

static void the_range_from_a_commit_to_itself_is_empty(void **state)
{
	Fixture *f = *state;
	make_history(f);
	check_range(f, "HEAD", "HEAD", FALSE, "");
}

static void a_range_begins_at_an_ancestor(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	make_history(f);
	g_autofree char *base = git(f->main, "rev-parse --short=12 HEAD~3");
	g_autoptr(GPtrArray) range = range_of(f, "topic", "HEAD~2", FALSE, &error);
	assert_null(range);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_non_null(strstr(error->message, base));
}

static void a_history_that_is_cut_is_refused(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	make_history(f);
	g_autofree char *url = g_strconcat("file://", f->main, NULL), *clone = below(f, "shallow");
	G_GNUC_UNUSED g_autofree char *done = git(f->root, "clone -q --depth 2 %s %s", url, clone);
	g_autofree char *sha = git(clone, "rev-parse HEAD");
	const RangePlan plan = {sha, sha, FALSE};
	g_autoptr(Repo) repo = repo_open(clone, &error);
	g_autoptr(GPtrArray) range = repo_range(repo, &plan, &error);
	assert_null(range);
	assert_non_null(strstr(error->message, "shallow clone"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(commits_come_after_their_parents),
	        GIT_TEST(both_sides_of_a_merge_are_in_the_range),
	        GIT_TEST(first_parents_leave_out_what_was_merged),
	        GIT_TEST(first_parents_end_where_the_history_of_a_merged_commit_begins),
	        GIT_TEST(the_range_from_a_commit_to_itself_is_empty),
	        GIT_TEST(a_range_begins_at_an_ancestor),
	        GIT_TEST(a_history_that_is_cut_is_refused),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
