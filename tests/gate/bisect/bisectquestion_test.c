/* SPDX-License-Identifier: Apache-2.0 */
/* The question of a bisection: which commits are in doubt, and what is refused before anything is measured. */
#include "gate/bisect/bisectquestion.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

static BisectRequest request_of(const char *good, const char *bad)
{
	return (BisectRequest){.good = good, .bad = bad, .benchmark = "work"};
}

/* Asks in a repository of three commits with this configuration. */
static BisectLog *ask(GateFixture *f, const char *config, const BisectRequest *request, guint *n, GError **error)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_head(f, SLOWER);
	gate_fixture_import(f);
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	g_autoptr(GPtrArray) range = NULL;
	BisectLog *log = bisect_question_new(repo, request, &range, error);
	*n = range != NULL ? range->len : 0;
	return log;
}

static void all_commits_after_good_are_in_question(void **state)
{
	BisectRequest request = request_of("base", "main");
	guint n;
	g_autoptr(BisectLog) log = ask(*state, COUNTED, &request, &n, NULL);
	assert_int_equal(n, 2);
	assert_int_equal(log->n_commits, 2);
	assert_string_equal(log->good_subject, "base");
	assert_string_equal(log->bad_subject, "head");
	assert_int_equal(log->tests->len, 0);
}

/* Names move while a bisection goes on, and it has to go on with the same commits. */
static void revisions_become_commits(void **state)
{
	GateFixture *f = *state;
	BisectRequest request = request_of("base", "main");
	guint n;
	g_autoptr(BisectLog) log = ask(f, COUNTED, &request, &n, NULL);
	g_autofree char *good = git(f->repo, "rev-parse base^0"), *bad = git(f->repo, "rev-parse main^0");
	assert_string_equal(log->good, good);
	assert_string_equal(log->bad, bad);
}

static void what_is_asked_for_is_the_target(void **state)
{
	BisectRequest request = request_of("base", "main");
	request.metric = "instructions";
	request.function = "sort";
	guint n;
	g_autoptr(BisectLog) log = ask(*state, COUNTED, &request, &n, NULL);
	assert_string_equal(log->asked_metric, "instructions");
	assert_string_equal(log->target.metric, "instructions");
	assert_string_equal(log->target.function, "sort");
}

static void assert_refused(GateFixture *f, const BisectRequest *request, const char *what)
{
	guint n;
	g_autoptr(GError) error = NULL;
	assert_null(ask(f, COUNTED, request, &n, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_says(error->message, what);
	assert_int_equal(n, 0);
}

static void one_commit_is_no_question(void **state)
{
	BisectRequest request = request_of("main", "main~0");
	assert_refused(*state, &request, "good and bad are the same commit");
}

static void good_has_to_come_before_bad(void **state)
{
	BisectRequest request = request_of("main", "base");
	assert_refused(*state, &request, "ancestor");
}

static void a_revision_that_is_not_there_is_refused(void **state)
{
	BisectRequest request = request_of("no-such-tag", "main");
	assert_refused(*state, &request, "no-such-tag");
}

/* A campaign of an hour would end with the same message. */
static void a_metric_that_nothing_measures_is_refused(void **state)
{
	BisectRequest request = request_of("base", "main");
	request.metric = "task-clock";
	assert_refused(*state, &request, "has no metric task-clock");
}

static void each_engine_of_the_benchmark_may_have_the_metric(void **state)
{
	BisectRequest request = request_of("base", "main");
	request.metric = "task-clock";
	guint n;
	g_autoptr(BisectLog) log = ask(*state, BOTH, &request, &n, NULL);
	assert_non_null(log);
}

/* The first check of the bisection says so, with the benchmarks that there are. */
static void a_benchmark_that_is_not_known_is_left_to_the_check(void **state)
{
	BisectRequest request = request_of("base", "main");
	request.benchmark = "other";
	request.metric = "task-clock";
	guint n;
	g_autoptr(BisectLog) log = ask(*state, COUNTED, &request, &n, NULL);
	assert_non_null(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(all_commits_after_good_are_in_question),
	        GATE_TEST(revisions_become_commits),
	        GATE_TEST(what_is_asked_for_is_the_target),
	        GATE_TEST(one_commit_is_no_question),
	        GATE_TEST(good_has_to_come_before_bad),
	        GATE_TEST(a_revision_that_is_not_there_is_refused),
	        GATE_TEST(a_metric_that_nothing_measures_is_refused),
	        GATE_TEST(each_engine_of_the_benchmark_may_have_the_metric),
	        GATE_TEST(a_benchmark_that_is_not_known_is_left_to_the_check),
	};
	return run_gate_tests(tests);
}
