/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/bisecttext.h"

#include "tests/report/bisectexample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
	*state = bisect_example();
	return 0;
}

static int teardown(void **state)
{
	bisect_log_free(*state);
	return 0;
}

#define TEXT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void assert_says(const BisectLog *log, const char *wanted)
{
	g_autofree char *text = bisect_text(log);
	if (strstr(text, wanted) == NULL)
		fail_msg("\"%s\" is not in\n%s", wanted, text);
}

static void the_culprit_stands_in_the_first_line(void **state)
{
	g_autofree char *text = bisect_text(*state);
	assert_true(g_str_has_prefix(text, "333333333333 is the first slow commit: what"));
	assert_says(*state, "against its parent 111111111111: instructions +10.00 %");
	assert_says(*state, "that is 100 % of the change from good to bad");
	assert_says(*state, "differential flame graph: out/words.diff.svg");
}

static void another_base_than_good_is_named(void **state)
{
	BisectLog *log = *state;
	BisectTest *test = log->tests->pdata[2];
	g_autofree char *before = bisect_test_text(test);
	test->base = g_strdup(GOOD_SHA);
	g_autofree char *after = bisect_test_text(test);
	assert_null(strstr(before, "against"));
	assert_non_null(strstr(after, "instructions +10.00 % against 111111111111"));
}

static void foreign_text_is_escaped(void **state)
{
	g_autofree char *text = bisect_text(*state);
	assert_null(strchr(text, '\033'));
}

static void the_effort_is_counted_by_where_it_went(void **state)
{
	/* bad, the broken one and the step were measured */
	assert_says(*state,
	        "12 commits in question: 3 measurements, 1 stored baseline, 1 that could not be built or run, 4.5 s");
}

static void a_small_part_of_the_change_is_not_the_end_of_the_search(void **state)
{
	BisectLog *log = *state;
	log->step->answer.change_ratio = 1.02;
	assert_true(fabs(bisect_step_share(log) - log1p(.02) / log1p(.1)) < 1e-12);
	assert_says(log, "that is only 21 % of the change from good to bad");
	assert_says(log, "bisect with --good 333333333333");
}

static void a_step_that_is_no_regression_is_told(void **state)
{
	BisectLog *log = *state;
	log->step->answer.verdict = BISECT_GOOD;
	assert_false(bisect_log_confirmed(log));
	assert_says(log, "which alone is not a regression");
}

static void broken_commits_before_a_slow_one_make_it_a_range(void **state)
{
	BisectLog *log = *state;
	g_ptr_array_insert(log->suspects, 0, g_strdup(BROKEN_SHA));
	log->outcome = BISECT_SUSPECTS;
	g_autofree char *text = bisect_text(log);
	assert_true(g_str_has_prefix(text, "the first slow commit is one of the 2 in 111111111111..333333333333: "));
	assert_says(log, "the last of them is slow, the 1 before it could not be built or run");
	assert_says(log, "untestable  222222222222");
	assert_false(bisect_log_confirmed(log));
}

static void suspects_are_listed(void **state)
{
	BisectLog *log = *state;
	g_ptr_array_insert(log->suspects, 0, g_strdup(GOOD_SHA));
	log->outcome = BISECT_SUSPECTS;
	assert_says(log, "the first slow commit is one of these 2, which cannot be told apart");
	assert_says(log, "against the last fast commit 111111111111");
}

static void nothing_to_look_for_says_why(void **state)
{
	BisectLog *log = *state;
	log->outcome = BISECT_NO_REGRESSION;
	log->why = g_strdup("instructions +0.00 %");
	assert_says(log,
	        "nothing to look for: 444444444444 is not a regression against 111111111111: instructions +0.00 %");
}

static void a_function_has_its_share_by_contribution(void **state)
{
	BisectLog *log = *state;
	log->target.function = g_strdup("hash");
	((BisectTest *)log->tests->pdata[0])->answer.contribution = .08;
	log->step->answer.contribution = .06;
	assert_true(fabs(bisect_step_share(log) - .75) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEXT(the_culprit_stands_in_the_first_line),
	        TEXT(another_base_than_good_is_named),
	        TEXT(foreign_text_is_escaped),
	        TEXT(the_effort_is_counted_by_where_it_went),
	        TEXT(a_small_part_of_the_change_is_not_the_end_of_the_search),
	        TEXT(a_step_that_is_no_regression_is_told),
	        TEXT(broken_commits_before_a_slow_one_make_it_a_range),
	        TEXT(suspects_are_listed),
	        TEXT(nothing_to_look_for_says_why),
	        TEXT(a_function_has_its_share_by_contribution),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
