/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectrun.h"

#include "compare/outcomewords.h"
#include "core/error.h"
#include "gate/bisect/bisectquestion.h"
#include "gate/bisect/bisectstate.h"
#include "gate/bisect/bisectstored.h"
#include "model/engine.h"
#include "report/output/outdir.h"
#include "report/text/bisecttext.h"

#include <unistd.h>

typedef struct {
	const BisectRequest *request;
	BisectMeasure measure;
	Repo *repo;
	BisectLog *log;
	GPtrArray *range;    /* of RangeCommit */
	GPtrArray *parents;  /* of GArray, borrowed from `range` */
	GHashTable *by_tree; /* tree -> BisectTest that tells something, borrowed from `log` */
	BisectPlan *plan;
	BisectStored *stored; /* NULL = nothing is told by it */
	char *state_path;
} Run;

static void run_clear(Run *run)
{
	g_clear_pointer(&run->stored, bisect_stored_free);
	g_clear_pointer(&run->plan, bisect_plan_free);
	g_clear_pointer(&run->by_tree, g_hash_table_unref);
	g_clear_pointer(&run->parents, g_ptr_array_unref);
	g_clear_pointer(&run->range, g_ptr_array_unref);
	g_clear_pointer(&run->log, bisect_log_free);
	g_clear_pointer(&run->repo, repo_free);
	g_free(run->state_path);
}

static void say(const Run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void say(const Run *run, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *line = g_strdup_vprintf(format, args);
	va_end(args);
	talk_line(run->request->talk, line);
}

/* --- the question --- */

static gboolean read_question(Run *run, GError **error)
{
	run->repo = repo_open(run->request->repo_path, error);
	if (run->repo == NULL)
		return FALSE;
	run->log = bisect_question_new(run->repo, run->request, &run->range, error);
	if (run->log == NULL)
		return FALSE;
	run->parents = g_ptr_array_new();
	for (guint i = 0; i < run->range->len; i++)
		g_ptr_array_add(run->parents, ((RangeCommit *)run->range->pdata[i])->parents);
	return TRUE;
}

static gboolean load_state(Run *run, GError **error)
{
	BisectLog *kept = NULL;
	run->state_path = bisect_state_path(run->repo, run->log);
	if (run->request->restart) {
		unlink(run->state_path);
		return TRUE;
	}
	if (!bisect_state_load(run->state_path, run->log, &kept, error))
		return FALSE;
	if (kept == NULL)
		return TRUE;
	bisect_log_free(run->log);
	run->log = kept;
	say(run, "continuing an interrupted bisection: %u test%s kept (--restart forgets them)", kept->tests->len,
	        kept->tests->len == 1 ? " is" : "s are");
	return TRUE;
}

/* --- answers --- */

static gboolean tells(const BisectTest *test)
{
	return test->answer.verdict == BISECT_GOOD || test->answer.verdict == BISECT_BAD;
}

/* The commit that `sha` is compared with; NULL = good. Owned by the caller. */
static char *base_of(const Run *run, const char *sha)
{
	char *base = bisect_base(run->repo, run->log->good, sha);
	if (g_str_equal(base, run->log->good))
		g_clear_pointer(&base, g_free);
	return base;
}

/* Commits with the same files, compared with good, are answered alike. One whose tree cannot be read is measured, which
 * says why. */
static void remember_tree(Run *run, const BisectTest *test)
{
	char *tree = NULL;
	if (tells(test) && test->base == NULL && repo_commit_tree(run->repo, test->sha, &tree, NULL))
		g_hash_table_insert(run->by_tree, tree, (gpointer)test);
}

/* Takes the test. It is kept on the disk before anything else happens. */
static gboolean keep_test(Run *run, BisectTest *test, GError **error)
{
	g_autofree char *line = bisect_test_text(test);
	g_ptr_array_add(run->log->tests, test);
	remember_tree(run, test);
	say(run, "%s", line);
	return bisect_state_save(run->state_path, run->log, error);
}

static BisectTest *test_new(const Run *run, const char *sha, guint attempt)
{
	g_autofree char *subject = NULL;
	repo_commit_subject(run->repo, sha, &subject, NULL);
	BisectTest *test = bisect_test_new(sha, subject);
	test->attempt = attempt;
	return test;
}

/* FALSE if another commit with the same files tells nothing about this one. */
static gboolean answer_by_tree(const Run *run, const char *sha, BisectAnswer *answer)
{
	g_autofree char *tree = NULL, *good = NULL;
	if (!repo_commit_tree(run->repo, sha, &tree, NULL) || !repo_commit_tree(run->repo, run->log->good, &good, NULL))
		return FALSE;
	const BisectTest *other = g_hash_table_lookup(run->by_tree, tree);
	if (g_str_equal(tree, good)) {
		*answer = (BisectAnswer){BISECT_GOOD, 1, 0, g_strdup("the files of good")};
		return TRUE;
	}
	if (other == NULL)
		return FALSE;
	*answer = other->answer;
	answer->text = g_strdup(other->answer.text);
	return TRUE;
}

static CheckResult *timed_check(Run *run, const BisectCheck *check, GError **error)
{
	gint64 begin_ns = run->measure.host->now_ns();
	CheckResult *result = bisect_measure(&run->measure, check, error);
	talk_end_line(run->request->check_talk);
	run->log->elapsed_s += (double)(run->measure.host->now_ns() - begin_ns) / 1e9;
	return result;
}

static gboolean measure(Run *run, BisectTest *test, GError **error)
{
	const BisectCheck check = {.base = test->base != NULL ? test->base : run->log->good,
	        .head = test->sha,
	        .target = &run->log->target,
	        .attempt = test->attempt};
	g_autoptr(CheckResult) result = timed_check(run, &check, error);
	if (result == NULL)
		return FALSE;
	bisect_judge_check(&run->log->target, result, &test->answer);
	return TRUE;
}

static gboolean answer(Run *run, const BisectStep *step, GError **error)
{
	const RangeCommit *commit = run->range->pdata[step->commit];
	g_autofree char *more = step->attempt > 0 ? g_strdup(", once more with more rounds") : g_strdup("");
	say(run, "%u commits in question, about %u more test%s: %.12s%s", step->n_suspects, step->n_tests,
	        step->n_tests == 1 ? "" : "s", commit->sha, more);
	BisectTest *test = test_new(run, commit->sha, step->attempt);
	test->base = base_of(run, commit->sha);
	gboolean by_good = test->base == NULL;
	if (by_good && answer_by_tree(run, commit->sha, &test->answer)) {
		test->source = BISECT_SAME_FILES;
	} else if (by_good && step->attempt == 0 && bisect_stored_answer(run->stored, commit->sha, &test->answer)) {
		test->source = BISECT_STORED;
	} else if (!measure(run, test, error)) {
		bisect_test_free(test);
		return FALSE;
	}
	bisect_plan_note(run->plan, step->commit, test->answer.verdict);
	return keep_test(run, test, error);
}

/* --- bad against good --- */

/* A check that ended without comparing anything ends the bisection in the same way. */
static gboolean fail_with(const CheckResult *result, GError **error)
{
	g_autofree char *why = check_result_reason(result);
	g_set_error(error, FIREBREAK_ERROR, result->exit_code, "bad cannot be compared with good: %s", why);
	return FALSE;
}

/* With what the counts of this machine are stored. */
static char *fingerprint_of(const CheckResult *result)
{
	const ResultBenchmark *row = result->benchmarks->pdata[0];
	const Measurement *counted = row->comparison->counted ? row->head : NULL;
	for (guint i = 0; counted == NULL && i < row->profiles->len; i++) {
		const ResultProfile *profile = row->profiles->pdata[i];
		counted = profile->decides && engine_counts(profile->engine) ? profile->head : NULL;
	}
	return counted != NULL ? environment_fingerprint(counted->environment, METRIC_REPLICABLE) : NULL;
}

static gboolean note_bad(Run *run, const CheckResult *result, guint attempt, gboolean settled, GError **error)
{
	BisectTest *test = test_new(run, run->log->bad, attempt);
	if (settled) {
		bisect_judge_check(&run->log->target, result, &test->answer);
		run->log->fingerprint = fingerprint_of(result);
	} else {
		bisect_judge_not_bad(run->log->outcome == BISECT_NO_REGRESSION, run->log->why, &test->answer);
	}
	return keep_test(run, test, error);
}

/* Tests the bad commit. An inconclusive result is measured once more; if it is no regression then, the bisection
 * ends. */
static gboolean test_bad_once(Run *run, guint attempt, gboolean *settled, GError **error)
{
	BisectLog *log = run->log;
	const BisectCheck check = {
	        .base = log->good, .head = log->bad, .target = &log->target, .attempt = attempt, .confirm = TRUE};
	say(run, "bad %.12s against good %.12s%s", log->bad, log->good,
	        attempt > 0 ? ", once more with more rounds" : "");
	g_autoptr(CheckResult) result = timed_check(run, &check, error);
	if (result == NULL)
		return FALSE;
	if (result->benchmarks->len == 0 || ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison == NULL ||
	        result->verdict == VERDICT_ERROR)
		return fail_with(result, error);
	g_clear_pointer(&log->why, g_free);
	*settled = bisect_target_settle_check(&log->target, result, &log->why);
	if (!*settled && result->verdict != VERDICT_INCONCLUSIVE)
		log->outcome = BISECT_NO_REGRESSION;
	return note_bad(run, result, attempt, *settled, error);
}

static gboolean test_bad(Run *run, GError **error)
{
	gboolean settled = FALSE;
	for (guint attempt = run->log->tests->len;
	        !settled && run->log->outcome == BISECT_RUNNING && attempt < BISECT_ATTEMPTS; attempt++)
		if (!test_bad_once(run, attempt, &settled, error))
			return FALSE;
	if (!settled)
		run->log->outcome = BISECT_NO_REGRESSION;
	return TRUE;
}

/* --- the end --- */

static void take_suspects(Run *run)
{
	g_autoptr(GArray) suspects = bisect_plan_suspects(run->plan);
	g_ptr_array_set_size(run->log->suspects, 0);
	for (guint i = 0; i < suspects->len; i++) {
		const RangeCommit *commit = run->range->pdata[g_array_index(suspects, guint, i)];
		g_ptr_array_add(run->log->suspects, g_strdup(commit->sha));
	}
}

/* The first parent of the oldest suspect; good for one without a parent. */
static gboolean find_parent(Run *run, GError **error)
{
	g_auto(GStrv) parents = NULL;
	if (!repo_commit_parents(run->repo, run->log->suspects->pdata[0], &parents, error))
		return FALSE;
	g_free(run->log->parent);
	run->log->parent = g_strdup(parents[0] != NULL ? parents[0] : run->log->good);
	return TRUE;
}

/* Tells where the output folder has the differential flame graph; NULL if there is none. Owned by the caller. */
static char *find_picture(const Run *run, const CheckResult *result)
{
	const ResultBenchmark *row = result->benchmarks->len > 0 ? result->benchmarks->pdata[0] : NULL;
	for (guint i = 0; row != NULL && i + 1 < row->artifacts->len; i += 2)
		if (g_str_equal(row->artifacts->pdata[i], "diff_svg"))
			return g_build_filename(run->request->out_dir, (char *)row->artifacts->pdata[i + 1], NULL);
	return NULL;
}

static gboolean write_report(Run *run, CheckResult *result, GError **error)
{
	if (!outdir_write(result, run->request->out_dir, error)) {
		g_prefix_error(error, "cannot write the results to %s: ", run->request->out_dir);
		return FALSE;
	}
	g_free(run->log->picture);
	run->log->picture = find_picture(run, result);
	return TRUE;
}

/* The newest suspect, which is bad, against what comes before all of them. */
static gboolean measure_step(Run *run, GError **error)
{
	BisectLog *log = run->log;
	const char *last = log->suspects->pdata[log->suspects->len - 1];
	const BisectCheck check = {.base = log->parent,
	        .head = last,
	        .target = &log->target,
	        .out_dir = run->request->out_dir,
	        .confirm = TRUE};
	say(run, "%.12s against %.12s, which comes before it", last, log->parent);
	g_autoptr(CheckResult) result = timed_check(run, &check, error);
	if (result == NULL)
		return FALSE;
	bisect_test_free(log->step);
	log->step = test_new(run, last, 0);
	bisect_judge_check(&log->target, result, &log->step->answer);
	return write_report(run, result, error);
}

static gboolean search(Run *run, GError **error)
{
	BisectStep step;
	BisectState state;
	while ((state = bisect_plan_next(run->plan, &step)) == BISECT_TEST)
		if (!answer(run, &step, error))
			return FALSE;
	take_suspects(run);
	if (!find_parent(run, error) || !measure_step(run, error))
		return FALSE;
	run->log->outcome = state == BISECT_FOUND ? BISECT_CULPRIT : BISECT_SUSPECTS;
	return TRUE;
}

/* Puts what is known already into the plan. */
static void replay(Run *run)
{
	g_autoptr(GHashTable) positions = g_hash_table_new(g_str_hash, g_str_equal);
	gpointer position;
	for (guint i = 0; i < run->range->len; i++)
		g_hash_table_insert(positions, ((RangeCommit *)run->range->pdata[i])->sha, GUINT_TO_POINTER(i));
	run->plan = bisect_plan_new(run->parents);
	for (guint i = 0; i < run->log->tests->len; i++) {
		const BisectTest *test = run->log->tests->pdata[i];
		gboolean is_bad = g_str_equal(test->sha, run->log->bad);
		remember_tree(run, test);
		if (!is_bad && g_hash_table_lookup_extended(positions, test->sha, NULL, &position))
			bisect_plan_note(run->plan, GPOINTER_TO_UINT(position), test->answer.verdict);
	}
}

static gboolean run_to_end(Run *run, GError **error)
{
	const BisectTest *bad = bisect_log_last(run->log, run->log->bad);
	if ((bad == NULL || !tells(bad)) && !test_bad(run, error))
		return FALSE;
	if (run->log->outcome == BISECT_NO_REGRESSION)
		return TRUE;
	g_autofree char *target = bisect_target_text(&run->log->target);
	say(run, "looking for the commit that raised %s, among %u", target, run->log->n_commits);
	replay(run);
	run->stored = bisect_stored_new(run->request->repo_path, run->repo, run->log);
	return search(run, error);
}

static void init(Run *run, const BisectRequest *request)
{
	*run = (Run){.request = request};
	run->by_tree = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	run->measure = (BisectMeasure){
	        .repo_path = request->repo_path,
	        .benchmark = request->benchmark,
	        .rounds = request->rounds,
	        .store = request->store,
	        .talk = request->check_talk,
	        .host = request->host != NULL ? request->host : gate_host(),
	};
}

BisectLog *bisect_run(const BisectRequest *request, GError **error)
{
	Run run;
	BisectLog *log = NULL;
	init(&run, request);
	if (read_question(&run, error) && load_state(&run, error) && outdir_check(request->out_dir, error) &&
	        run_to_end(&run, error)) {
		unlink(run.state_path);
		log = g_steal_pointer(&run.log);
	} else if (run.state_path != NULL && run.log->tests->len > 0) {
		say(&run, "%u test%s kept: run the same command again to continue", run.log->tests->len,
		        run.log->tests->len == 1 ? " is" : "s are");
	}
	run_clear(&run);
	return log;
}
