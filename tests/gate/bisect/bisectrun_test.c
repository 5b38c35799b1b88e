/* SPDX-License-Identifier: Apache-2.0 */
/* A bisection from its question to its outcome. Which commit is asked next has tests of its own. */
#include "gate/bisect/bisectrun.h"

#include "core/cancel.h"
#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMITS 12
#define GUILTY 8
#define BROKEN 4
#define AS_SOMEBODY "-c user.name=T -c user.email=t@example.org "

static BisectLog *bisected;

static int tear_down(void **state)
{
	g_clear_pointer(&bisected, bisect_log_free);
	return gate_fixture_tear_down(state);
}

/* Commits that each change something, of which GUILTY makes the benchmark slower and BROKEN does not build. */
static void commit_history(GateFixture *f, const char *config, const char *slower, gboolean has_broken)
{
	gate_fixture_base(f, config, COSTS);
	for (guint i = 1; i <= COMMITS; i++) {
		g_autofree char *number = g_strdup_printf("%u", i), *message = g_strdup_printf("change %u", i);
		gate_fixture_put(f, "number", number);
		gate_fixture_put(f, "build.sh", has_broken && i == BROKEN ? "exit 1\n" : "true\n");
		if (i == GUILTY)
			gate_fixture_put(f, "work.costs", slower);
		gate_fixture_commit(f, message);
	}
	gate_fixture_import(f);
}

static const BisectLog *bisect(const GateFixture *f, BisectRequest request, GError **error)
{
	g_autofree char *out = g_build_filename(f->root, "out", NULL);
	request.repo_path = f->repo;
	request.good = request.good != NULL ? request.good : "base";
	request.bad = request.bad != NULL ? request.bad : "main";
	request.benchmark = "work";
	request.out_dir = out;
	request.talk = request.check_talk = (Talk *)&f->talk;
	request.host = &fake_host.host;
	g_clear_pointer(&bisected, bisect_log_free);
	bisected = bisect_run(&request, error);
	return bisected;
}

static const BisectLog *must_bisect(const GateFixture *f, BisectRequest request)
{
	g_autoptr(GError) error = NULL;
	if (bisect(f, request, &error) == NULL)
		fail_msg("%s", error->message);
	return bisected;
}

static void assert_culprit(const BisectLog *log, const char *subject)
{
	assert_int_equal(log->outcome, BISECT_CULPRIT);
	assert_int_equal(log->suspects->len, 1);
	assert_string_equal(log->step->subject, subject);
	assert_true(bisect_log_confirmed(log));
}

static void the_commit_that_counts_more_is_found(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	const BisectLog *log = must_bisect(f, (BisectRequest){.store = TRUE});
	assert_culprit(log, "change 8");
	assert_string_equal(log->target.metric, "instructions");
	assert_int_equal(log->n_commits, COMMITS);
	assert_true(bisect_log_count(log, BISECT_MEASURED) < COMMITS / 2);
}

static void the_commit_that_takes_longer_is_found(void **state)
{
	GateFixture *f = *state;
	gint64 begin_ns = fake_host.clock_ns;
	commit_history(f, TIMED, LONGER, FALSE);
	assert_culprit(must_bisect(f, (BisectRequest){.store = FALSE}), "change 8");
	assert_string_equal(bisected->target.metric, "task-clock");
	/* by the clock of the machine that measures */
	assert_true(bisected->elapsed_s * 1e9 > FIRST_RUNS * 500e6);
	assert_true(bisected->elapsed_s * 1e9 <= (double)(fake_host.clock_ns - begin_ns));
}

static void what_is_stored_is_not_measured_again(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	must_bisect(f, (BisectRequest){.store = TRUE});
	assert_culprit(must_bisect(f, (BisectRequest){.store = TRUE}), "change 8");
	assert_true(bisect_log_count(bisected, BISECT_STORED) > 0);
	assert_int_equal(bisect_log_count(bisected, BISECT_MEASURED), 1);
}

static void a_function_can_be_looked_for(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	assert_culprit(must_bisect(f, (BisectRequest){.function = "sort"}), "change 8");
	assert_string_equal(bisected->target.function, "sort");
}

static void commits_that_do_not_build_are_passed_over(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED "build: {command: sh build.sh}\n", SLOWER, TRUE);
	/* the first commit has no script, either */
	assert_culprit(must_bisect(f, (BisectRequest){.good = "main~11"}), "change 8");
}

static void commits_that_do_not_build_before_the_slow_one_make_a_range(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "build.sh", "true\n");
	gate_fixture_base(f, COUNTED "build: {command: sh build.sh}\n", COSTS);
	gate_fixture_put(f, "build.sh", "exit 1\n");
	gate_fixture_commit(f, "broken 1");
	gate_fixture_put(f, "note", "2");
	gate_fixture_commit(f, "broken 2");
	gate_fixture_put(f, "build.sh", "true\n");
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, "mended and slow");
	gate_fixture_import(f);
	const BisectLog *log = must_bisect(f, (BisectRequest){.store = TRUE});
	assert_int_equal(log->outcome, BISECT_SUSPECTS);
	assert_int_equal(log->suspects->len, 3);
	assert_false(bisect_log_confirmed(log));
}

/* Commits what is put in the working tree by hand, for histories that are no line. */
static void commit_costs(const GateFixture *f, const char *costs, const char *note, const char *subject)
{
	g_autofree char *costs_path = g_build_filename(f->repo, "work.costs", NULL);
	g_autofree char *note_path = g_build_filename(f->repo, "note", NULL);
	g_autofree char *commit = g_strdup_printf(AS_SOMEBODY "commit -q -m '%s'", subject);
	assert_true(g_file_set_contents(costs_path, costs, -1, NULL));
	assert_true(g_file_set_contents(note_path, note, -1, NULL));
	run_git(f->repo, "add -A");
	run_git(f->repo, commit);
}

/* A branch of three commits, of which the second is slow, merged into main, which goes on. */
static void commit_merge(GateFixture *f)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_import(f);
	run_git(f->repo, "checkout -q -f -b topic base");
	commit_costs(f, COSTS, "first", "first");
	commit_costs(f, SLOWER, "second", "slow");
	commit_costs(f, SLOWER, "third", "third");
	run_git(f->repo, "checkout -q main");
	run_git(f->repo, AS_SOMEBODY "commit -q --allow-empty -m beside");
	run_git(f->repo, AS_SOMEBODY "merge -q --no-ff -m 'merge topic' topic");
	commit_costs(f, SLOWER, "fourth", "later");
}

static void a_commit_inside_a_merged_branch_is_found(void **state)
{
	GateFixture *f = *state;
	commit_merge(f);
	assert_culprit(must_bisect(f, (BisectRequest){.store = TRUE}), "slow");
}

static void with_first_parents_only_the_merge_is_found(void **state)
{
	GateFixture *f = *state;
	commit_merge(f);
	assert_culprit(must_bisect(f, (BisectRequest){.store = TRUE, .first_parent = TRUE}), "merge topic");
}

/* Good made one function faster after the branch had left, so everything on the branch is slower than good. */
static void what_good_gained_does_not_make_an_older_branch_slow(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_import(f);
	g_autofree char *fork = git(f->repo, "rev-parse base^0");
	run_git(f->repo, "checkout -q -f main");
	commit_costs(f, "main 20 1000\nparse 40 9000\nsort 400 80000\n", "", "improve");
	run_git(f->repo, "tag improved");
	run_git(f->repo, "checkout -q -b older base");
	commit_costs(f, COSTS, "1", "older 1");
	commit_costs(f, SLOWER, "2", "older and slow");
	commit_costs(f, SLOWER, "3", "older 3");
	run_git(f->repo, "checkout -q main");
	run_git(f->repo, AS_SOMEBODY "merge -q -s ours --no-commit older");
	commit_costs(f, "main 20 1000\nparse 40 9000\nsort 480 96000\n", "merged", "merge older");
	const BisectLog *log = must_bisect(f, (BisectRequest){.good = "improved", .store = TRUE});
	assert_culprit(log, "older and slow");
	gboolean from_fork = FALSE;
	for (guint i = 0; i < log->tests->len; i++)
		from_fork |= g_strcmp0(((const BisectTest *)g_ptr_array_index(log->tests, i))->base, fork) == 0;
	assert_true(from_fork);
}

/* Entries and trailers on the way, before the slow commit and in it. */
static void what_was_accepted_on_the_way_hides_no_slow_commit(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(f, "work.costs", "main 21 1050\nparse 80 19000\nsort 400 80000\n");
	gate_fixture_commit(f, "first\n\nPerf-Accepted: work: it starts slower");
	gate_fixture_put(
	        f, "firebreak.yml", COUNTED "accept: [{benchmark: work, until: 2099-12-31, reason: all of it}]\n");
	gate_fixture_commit(f, "an entry for all of it");
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, "slow\n\nPerf-Accepted: work: it is worth it");
	gate_fixture_put(f, "note", "last");
	gate_fixture_commit(f, "last");
	gate_fixture_import(f);
	assert_culprit(must_bisect(f, (BisectRequest){.store = TRUE}), "slow");
}

/* That somebody accepted it does not make it faster. */
static void a_regression_that_is_accepted_is_found_all_the_same(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, "slow\n\nPerf-Accepted: work: it has to be");
	gate_fixture_put(f, "note", "last");
	gate_fixture_commit(f, "last");
	gate_fixture_import(f);
	assert_culprit(must_bisect(f, (BisectRequest){.store = TRUE}), "slow");
}

/* Four steps of .2 %, where .5 % is the margin. */
static void where_steps_pass_the_margin_together_no_commit_is_a_culprit(void **state)
{
	static const char *const steps[] = {"80200", "80400", "80600", "80800"};
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		g_autofree char *costs = g_strdup_printf("main 20 1000\nparse 80 19000\nsort 400 %s\n", steps[i]);
		gate_fixture_head(f, costs);
	}
	gate_fixture_import(f);
	const BisectLog *log = must_bisect(f, (BisectRequest){.store = TRUE});
	assert_int_equal(log->suspects->len, 1);
	assert_false(bisect_log_confirmed(log));
}

static void a_bad_commit_that_is_as_fast_as_good_is_nothing_to_look_for(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	const BisectLog *log = must_bisect(f, (BisectRequest){.bad = "main~6"});
	assert_int_equal(log->outcome, BISECT_NO_REGRESSION);
	assert_non_null(log->why);
}

static void assert_refused(const GateFixture *f, BisectRequest request, const char *what)
{
	g_autoptr(GError) error = NULL;
	assert_null(bisect(f, request, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_says(error->message, what);
}

static void questions_that_make_no_sense_are_mistakes(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	assert_refused(f, (BisectRequest){.good = "main", .bad = "base"}, "is not an ancestor");
	assert_refused(f, (BisectRequest){.metric = "cycles"}, "has no metric cycles");
}

static void a_machine_that_cannot_count_ends_the_bisection(void **state)
{
	GateFixture *f = *state;
	g_autoptr(GError) error = NULL;
	fake_host.no_valgrind = "valgrind is not installed";
	commit_history(f, COUNTED, SLOWER, FALSE);
	assert_null(bisect(f, (BisectRequest){.store = TRUE}, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT));
}

/* --- interruption --- */

static int signal_of_run;
static guint interrupted_run; /* its number among those of head */

static void interrupt_run(FakeRun *run)
{
	if (g_str_equal(run->side, "head") && run->number == interrupted_run)
		raise(signal_of_run);
}

/* Bisects in a process of its own, which gets the signal during a run. Returns how the process ended, as waitpid()
 * tells it; a bisection that came back with an error ends its process with the code of that error. */
static int interrupted(const GateFixture *f, int signal_number)
{
	int status = 0;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		g_autoptr(GError) error = NULL;
		signal(signal_number, SIG_DFL); /* a program in the background may ignore it */
		cancel_install();
		signal_of_run = signal_number;
		interrupted_run = fake_host.counted[SIDE_HEAD] + 4;
		fake_host.on_run = interrupt_run;
		_exit(bisect(f, (BisectRequest){0}, &error) != NULL ? 0 : error->code);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* Runs of head that a bisection makes. */
static guint head_runs_of(const GateFixture *f, BisectRequest request)
{
	guint before = fake_host.counted[SIDE_HEAD];
	assert_culprit(must_bisect(f, request), "change 8");
	return fake_host.counted[SIDE_HEAD] - before;
}

static void a_bisection_that_is_cancelled_goes_on_where_it_was(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	guint whole = head_runs_of(f, (BisectRequest){0}), n_tests = bisected->tests->len;
	int status = interrupted(f, SIGTERM);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
	assert_true(head_runs_of(f, (BisectRequest){0}) < whole);
	assert_says(gate_fixture_said(), "continuing an interrupted bisection: ");
	assert_int_equal(bisected->tests->len, n_tests);
}

static void a_bisection_that_is_killed_goes_on_where_it_was(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	guint whole = head_runs_of(f, (BisectRequest){0}), n_tests = bisected->tests->len;
	int status = interrupted(f, SIGKILL);
	assert_true(WIFSIGNALED(status));
	assert_true(head_runs_of(f, (BisectRequest){0}) < whole);
	assert_int_equal(bisected->tests->len, n_tests);
}

static void a_restart_forgets_what_was_kept(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	guint whole = head_runs_of(f, (BisectRequest){0});
	assert_int_not_equal(interrupted(f, SIGTERM), 0);
	assert_int_equal(head_runs_of(f, (BisectRequest){.restart = TRUE}), whole);
}

static void nothing_is_kept_of_a_question_that_is_answered(void **state)
{
	GateFixture *f = *state;
	commit_history(f, COUNTED, SLOWER, FALSE);
	guint whole = head_runs_of(f, (BisectRequest){0});
	assert_int_equal(head_runs_of(f, (BisectRequest){0}), whole);
}

#define BISECT_TEST(name) cmocka_unit_test_setup_teardown(name, gate_fixture_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        BISECT_TEST(the_commit_that_counts_more_is_found),
	        BISECT_TEST(the_commit_that_takes_longer_is_found),
	        BISECT_TEST(what_is_stored_is_not_measured_again),
	        BISECT_TEST(a_function_can_be_looked_for),
	        BISECT_TEST(commits_that_do_not_build_are_passed_over),
	        BISECT_TEST(commits_that_do_not_build_before_the_slow_one_make_a_range),
	        BISECT_TEST(a_commit_inside_a_merged_branch_is_found),
	        BISECT_TEST(with_first_parents_only_the_merge_is_found),
	        BISECT_TEST(what_good_gained_does_not_make_an_older_branch_slow),
	        BISECT_TEST(what_was_accepted_on_the_way_hides_no_slow_commit),
	        BISECT_TEST(a_regression_that_is_accepted_is_found_all_the_same),
	        BISECT_TEST(where_steps_pass_the_margin_together_no_commit_is_a_culprit),
	        BISECT_TEST(a_bad_commit_that_is_as_fast_as_good_is_nothing_to_look_for),
	        BISECT_TEST(questions_that_make_no_sense_are_mistakes),
	        BISECT_TEST(a_machine_that_cannot_count_ends_the_bisection),
	        BISECT_TEST(a_bisection_that_is_cancelled_goes_on_where_it_was),
	        BISECT_TEST(a_bisection_that_is_killed_goes_on_where_it_was),
	        BISECT_TEST(a_restart_forgets_what_was_kept),
	        BISECT_TEST(nothing_is_kept_of_a_question_that_is_answered),
	};
	return run_gate_tests(tests);
}
