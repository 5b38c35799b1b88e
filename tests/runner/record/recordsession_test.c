/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how recordings are judged; recording itself is tested by tests/cli/record_test.sh. */
#include "runner/record/recordsession.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const command[] = {"true", NULL};

static gboolean is_doubted(RecorderCounts counts)
{
	const RecordRequest request = {.command = command};
	const RecordOutcome outcome = {.counts = counts};
	g_autofree char *doubt = record_doubt(&request, &outcome);
	return doubt != NULL;
}

/* Each time stands for all samples up to the next tick. */
static void throttling_that_repeats_is_a_doubt(void **state)
{
	(void)state;
	assert_false(is_doubted((RecorderCounts){.samples = 100000}));
	assert_false(is_doubted((RecorderCounts){.samples = 100000, .throttled = 5}));
	assert_true(is_doubted((RecorderCounts){.samples = 100000, .throttled = 6}));
}

static void throttling_once_in_few_samples_is_a_doubt(void **state)
{
	(void)state;
	assert_false(is_doubted((RecorderCounts){.samples = 100, .throttled = 1}));
	assert_true(is_doubted((RecorderCounts){.samples = 99, .throttled = 1}));
}

static void losing_more_than_one_percent_is_a_doubt(void **state)
{
	(void)state;
	assert_false(is_doubted((RecorderCounts){.samples = 99, .lost = 1, .worst_lost_share = .01}));
	assert_true(is_doubted((RecorderCounts){.samples = 98, .lost = 1, .worst_lost_share = 1. / 99}));
}

static char *region_doubt(ControlFacts region, char *failure)
{
	const RecordRequest request = {.command = command, .plan = {.start_disabled = TRUE}};
	const RecordOutcome outcome = {.counts = {.samples = 100}, .region = region, .failure = failure};
	return record_doubt(&request, &outcome);
}

static void a_region_is_to_be_switched_on_and_off(void **state)
{
	const ControlFacts never = {0}, empty = {.first_ns = 1, .end_ns = 1};
	const ControlFacts whole = {.first_ns = 1, .end_ns = 9, .enabled_ns = 8};
	ControlFacts left_on = whole;
	left_on.left_on = TRUE;
	(void)state;
	g_autofree char *off = region_doubt(never, NULL), *nothing = region_doubt(empty, NULL);
	g_autofree char *left = region_doubt(left_on, NULL);
	assert_non_null(strstr(off, "never switched on"));
	assert_non_null(strstr(nothing, "nothing ran"));
	assert_non_null(strstr(left, "still on"));
	assert_null(region_doubt(whole, NULL));
}

static void a_command_that_failed_may_leave_its_region_on(void **state)
{
	const ControlFacts left_on = {.first_ns = 1, .end_ns = 9, .enabled_ns = 8, .left_on = TRUE};
	char failure[] = "exited with 3";
	(void)state;
	assert_null(region_doubt(left_on, failure));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(throttling_that_repeats_is_a_doubt),
	        cmocka_unit_test(throttling_once_in_few_samples_is_a_doubt),
	        cmocka_unit_test(losing_more_than_one_percent_is_a_doubt),
	        cmocka_unit_test(a_region_is_to_be_switched_on_and_off),
	        cmocka_unit_test(a_command_that_failed_may_leave_its_region_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
