/* SPDX-License-Identifier: Apache-2.0 */
/* A bisection that found something, for tests of its texts. */
#pragma once

#include "compare/bisect/bisectlog.h"

#define GOOD_SHA "1111111111111111111111111111111111111111"
#define BROKEN_SHA "2222222222222222222222222222222222222222"
#define SLOW_SHA "3333333333333333333333333333333333333333"
#define BAD_SHA "4444444444444444444444444444444444444444"

static inline void add_bisect_test(
        BisectLog *log, const char *sha, BisectVerdict verdict, BisectSource source, double change_ratio)
{
	BisectTest *test = bisect_test_new(sha, "what\033[31m was done");
	test->source = source;
	test->answer.verdict = verdict;
	test->answer.change_ratio = change_ratio;
	test->answer.text = g_strdup_printf("instructions %+.2f %%", 100 * (change_ratio - 1));
	g_ptr_array_add(log->tests, test);
}

static inline BisectLog *bisect_example(void)
{
	BisectLog *log = bisect_log_new();
	log->good = g_strdup(GOOD_SHA);
	log->bad = g_strdup(BAD_SHA);
	log->good_subject = g_strdup("begin");
	log->bad_subject = g_strdup("end \xff");
	log->benchmark = g_strdup("words");
	log->n_commits = 12;
	log->elapsed_s = 4.5;
	log->outcome = BISECT_CULPRIT;
	log->target.metric = g_strdup("instructions");
	log->target.engine = &engine_callgrind;
	log->fingerprint = g_strdup("abc");
	log->parent = g_strdup(GOOD_SHA);
	log->picture = g_strdup("out/words.diff.svg");
	add_bisect_test(log, BAD_SHA, BISECT_BAD, BISECT_MEASURED, 1.1);
	add_bisect_test(log, BROKEN_SHA, BISECT_UNTESTABLE, BISECT_MEASURED, 1);
	add_bisect_test(log, SLOW_SHA, BISECT_BAD, BISECT_STORED, 1.1);
	g_ptr_array_add(log->suspects, g_strdup(SLOW_SHA));
	log->step = bisect_test_new(SLOW_SHA, "what was done");
	log->step->answer.verdict = BISECT_BAD;
	log->step->answer.change_ratio = 1.1;
	log->step->answer.text = g_strdup("instructions +10.00 %");
	return log;
}
