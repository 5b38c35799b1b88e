/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a bisection that is kept while it goes on. */
#include "gate/bisect/bisectstate.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

#define GOOD "1111111111111111111111111111111111111111"
#define BAD "2222222222222222222222222222222222222222"

static BisectLog *question(void)
{
	BisectLog *log = bisect_log_new();
	log->good = g_strdup(GOOD);
	log->bad = g_strdup(BAD);
	log->benchmark = g_strdup("work");
	log->n_commits = 3;
	return log;
}

static int set_up(void **state)
{
	*state = make_temporary_dir();
	return 0;
}

static int tear_down(void **state)
{
	remove_dir(*state);
	free(*state);
	return 0;
}

/* A file in a folder that does not exist yet. */
static char *state_file(void **state)
{
	return g_build_filename(*state, "firebreak", "bisect.json", NULL);
}

static void nothing_is_kept_at_first(void **state)
{
	g_autofree char *path = state_file(state);
	g_autoptr(BisectLog) asked = question(), kept = NULL;
	assert_true(bisect_state_load(path, asked, &kept, NULL));
	assert_null(kept);
}

static void tests_so_far_are_kept(void **state)
{
	g_autofree char *path = state_file(state);
	g_autoptr(BisectLog) asked = question(), log = question(), kept = NULL;
	g_autoptr(GError) error = NULL;
	BisectTest *test = bisect_test_new(BAD, "change");
	test->answer.verdict = BISECT_BAD;
	test->answer.text = g_strdup("instructions +5 %");
	g_ptr_array_add(log->tests, test);
	assert_true(bisect_state_save(path, log, &error));
	if (!bisect_state_load(path, asked, &kept, &error))
		fail_msg("%s", error->message);
	assert_int_equal(kept->tests->len, 1);
	assert_string_equal(((BisectTest *)kept->tests->pdata[0])->sha, BAD);
	assert_int_equal(((BisectTest *)kept->tests->pdata[0])->answer.verdict, BISECT_BAD);
}

/* Asks another question of a file that holds the usual one. */
static void assert_foreign(void **state, const BisectLog *other)
{
	g_autofree char *path = state_file(state);
	g_autoptr(BisectLog) log = question(), kept = NULL;
	g_autoptr(GError) error = NULL;
	assert_true(bisect_state_save(path, log, NULL));
	assert_false(bisect_state_load(path, other, &kept, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	assert_non_null(strstr(error->message, "--restart"));
	assert_null(kept);
}

static void the_state_of_another_benchmark_is_refused(void **state)
{
	g_autoptr(BisectLog) other = question();
	g_free(other->benchmark);
	other->benchmark = g_strdup("other");
	assert_foreign(state, other);
}

static void the_state_of_another_function_is_refused(void **state)
{
	g_autoptr(BisectLog) other = question();
	other->asked_function = g_strdup("sort");
	assert_foreign(state, other);
}

static void the_state_of_all_parents_is_none_of_first_parents(void **state)
{
	g_autoptr(BisectLog) other = question();
	other->first_parent = TRUE;
	assert_foreign(state, other);
}

/* A shallow clone that was deepened has more of them. */
static void the_state_of_another_number_of_commits_is_refused(void **state)
{
	g_autoptr(BisectLog) other = question();
	other->n_commits = 4;
	assert_foreign(state, other);
}

static void a_damaged_state_is_refused_with_the_remedy(void **state)
{
	g_autofree char *path = g_build_filename(*state, "bisect.json", NULL);
	g_autoptr(BisectLog) asked = question(), kept = NULL;
	g_autoptr(GError) error = NULL;
	assert_true(g_file_set_contents(path, "{\"schema\": ", -1, NULL));
	assert_false(bisect_state_load(path, asked, &kept, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	assert_non_null(strstr(error->message, "--restart"));
}

static void each_question_has_a_file_of_its_own(void **state)
{
	run_git(*state, "init -q .");
	g_autoptr(Repo) repo = repo_open(*state, NULL);
	g_autoptr(BisectLog) plain = question(), metric = question(), function = question();
	metric->asked_metric = g_strdup("sort");
	function->asked_function = g_strdup("sort");
	g_autofree char *a = bisect_state_path(repo, plain), *again = bisect_state_path(repo, plain);
	g_autofree char *b = bisect_state_path(repo, metric), *c = bisect_state_path(repo, function);
	assert_string_equal(a, again);
	assert_string_not_equal(a, b);
	assert_string_not_equal(a, c);
	assert_string_not_equal(b, c);
}

#define STATE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        STATE_TEST(nothing_is_kept_at_first),
	        STATE_TEST(tests_so_far_are_kept),
	        STATE_TEST(the_state_of_another_benchmark_is_refused),
	        STATE_TEST(the_state_of_another_function_is_refused),
	        STATE_TEST(the_state_of_all_parents_is_none_of_first_parents),
	        STATE_TEST(the_state_of_another_number_of_commits_is_refused),
	        STATE_TEST(a_damaged_state_is_refused_with_the_remedy),
	        STATE_TEST(each_question_has_a_file_of_its_own),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
