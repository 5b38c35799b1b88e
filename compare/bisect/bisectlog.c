/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/bisect/bisectlog.h"

#include <math.h>

static const char *const source_names[] = {"measured", "stored", "same_files"};
static const char *const outcome_names[] = {"running", "no_regression", "culprit", "suspects"};

const char *bisect_source_name(BisectSource source)
{
	return source_names[source];
}

const char *bisect_outcome_name(BisectOutcome outcome)
{
	return outcome_names[outcome];
}

BisectTest *bisect_test_new(const char *sha, const char *subject)
{
	BisectTest *test = g_new0(BisectTest, 1);
	test->sha = g_strdup(sha);
	test->subject = g_strdup(subject);
	test->answer.change_ratio = test->answer.contribution = NAN;
	return test;
}

void bisect_test_free(BisectTest *test)
{
	if (test == NULL)
		return;
	bisect_answer_clear(&test->answer);
	g_free(test->sha);
	g_free(test->subject);
	g_free(test->base);
	g_free(test);
}

BisectLog *bisect_log_new(void)
{
	BisectLog *log = g_new0(BisectLog, 1);
	log->tests = g_ptr_array_new_with_free_func((GDestroyNotify)bisect_test_free);
	log->suspects = g_ptr_array_new_with_free_func(g_free);
	return log;
}

void bisect_log_free(BisectLog *log)
{
	if (log == NULL)
		return;
	g_ptr_array_unref(log->tests);
	g_ptr_array_unref(log->suspects);
	bisect_test_free(log->step);
	bisect_target_clear(&log->target);
	g_free(log->good);
	g_free(log->bad);
	g_free(log->benchmark);
	g_free(log->good_subject);
	g_free(log->bad_subject);
	g_free(log->asked_metric);
	g_free(log->asked_function);
	g_free(log->fingerprint);
	g_free(log->why);
	g_free(log->parent);
	g_free(log->picture);
	g_free(log);
}

const BisectTest *bisect_log_last(const BisectLog *log, const char *sha)
{
	for (guint i = log->tests->len; i > 0; i--) {
		const BisectTest *test = log->tests->pdata[i - 1];
		if (g_str_equal(test->sha, sha))
			return test;
	}
	return NULL;
}

guint bisect_log_count(const BisectLog *log, BisectSource source)
{
	guint n = 0;
	for (guint i = 0; i < log->tests->len; i++)
		n += ((const BisectTest *)log->tests->pdata[i])->source == source;
	return n;
}

gboolean bisect_log_only_broken(const BisectLog *log)
{
	for (guint i = 0; i + 1 < log->suspects->len; i++) {
		const BisectTest *test = bisect_log_last(log, log->suspects->pdata[i]);
		if (test == NULL || test->answer.verdict != BISECT_UNTESTABLE)
			return FALSE;
	}
	return TRUE;
}

gboolean bisect_log_confirmed(const BisectLog *log)
{
	return log->outcome == BISECT_CULPRIT && log->step != NULL && log->step->answer.verdict == BISECT_BAD;
}
