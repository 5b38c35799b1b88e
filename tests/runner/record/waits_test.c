/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how long a run waited, with made-up records. */
#include "runner/record/waits.h"

#include "runner/record/recordlayout.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
	MAIN = 100,
	OTHER = 200,
	OUT = PERF_RECORD_MISC_SWITCH_OUT,
	PREEMPTED = OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
};

static void note(Waits *waits, guint32 type, guint16 misc, guint32 tid, guint64 time_ns, const void *body, gsize size)
{
	guint8 record[128] = {0};
	const RecordTrailer trailer = {.pid = tid, .tid = tid, .time_ns = time_ns};
	struct perf_event_header header = {
	        .type = type, .misc = misc, .size = (guint16)(sizeof header + size + sizeof trailer)};
	memcpy(record, &header, sizeof header);
	if (size > 0)
		memcpy(record + sizeof header, body, size);
	memcpy(record + sizeof header + size, &trailer, sizeof trailer);
	waits_note(waits, record, header);
}

static void leaves(Waits *waits, guint32 tid, guint64 time_ns)
{
	note(waits, PERF_RECORD_SWITCH, OUT, tid, time_ns, NULL, 0);
}

static void returns(Waits *waits, guint32 tid, guint64 time_ns)
{
	note(waits, PERF_RECORD_SWITCH, 0, tid, time_ns, NULL, 0);
}

/* A thread of process `pid`. */
static void note_task(Waits *waits, guint32 type, guint32 pid, guint32 tid, guint64 time_ns)
{
	const struct {
		guint32 pid, ppid, tid, ptid;
		guint64 time_ns;
	} body = {.pid = pid, .ppid = MAIN, .tid = tid, .ptid = MAIN, .time_ns = time_ns};
	note(waits, type, 0, type == PERF_RECORD_FORK ? MAIN : tid, time_ns, &body, sizeof body);
}

static void a_sleep_is_a_wait(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	leaves(waits, MAIN, 1000);
	returns(waits, MAIN, 1600);
	leaves(waits, MAIN, 2000);
	returns(waits, MAIN, 2010);
	assert_true(waits_total_ns(waits) == 610);
}

static void who_was_preempted_does_not_wait(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note(waits, PERF_RECORD_SWITCH, PREEMPTED, MAIN, 1000, NULL, 0);
	returns(waits, MAIN, 9000);
	assert_true(waits_total_ns(waits) == 0);
}

static void a_run_waits_only_while_all_of_its_threads_do(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note_task(waits, PERF_RECORD_FORK, OTHER, OTHER, 500);
	leaves(waits, MAIN, 1000);
	note(waits, PERF_RECORD_SWITCH, PREEMPTED, OTHER, 1500, NULL, 0);
	returns(waits, OTHER, 2000);
	leaves(waits, OTHER, 3000);
	returns(waits, MAIN, 3070);
	assert_true(waits_total_ns(waits) == 70);
}

static void a_thread_that_ends_leaves_the_others_waiting(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note_task(waits, PERF_RECORD_FORK, OTHER, OTHER, 500);
	leaves(waits, MAIN, 1000);
	note_task(waits, PERF_RECORD_EXIT, OTHER, OTHER, 2000);
	returns(waits, MAIN, 2005);
	assert_true(waits_total_ns(waits) == 5);
}

static void what_outlives_the_main_process_does_not_wait_for_anybody(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note_task(waits, PERF_RECORD_FORK, OTHER, OTHER, 500);
	leaves(waits, OTHER, 600);
	note_task(waits, PERF_RECORD_EXIT, MAIN, MAIN, 1000);
	returns(waits, OTHER, 9000);
	assert_true(waits_total_ns(waits) == 0);
}

static void a_main_thread_that_ends_first_does_not_end_the_run(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note_task(waits, PERF_RECORD_FORK, MAIN, MAIN + 1, 500);
	note_task(waits, PERF_RECORD_EXIT, MAIN, MAIN, 1000);
	leaves(waits, MAIN + 1, 2000);
	returns(waits, MAIN + 1, 2300);
	note_task(waits, PERF_RECORD_EXIT, MAIN, MAIN + 1, 3000);
	assert_true(waits_total_ns(waits) == 300);
}

static void only_what_is_measured_counts(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, TRUE);
	leaves(waits, MAIN, 1000);
	returns(waits, MAIN, 2000);
	waits_count(waits, TRUE, 3000);
	leaves(waits, MAIN, 4000);
	waits_count(waits, FALSE, 4400);
	returns(waits, MAIN, 9000);
	assert_true(waits_total_ns(waits) == 400);
}

static void a_wait_from_before_counts_from_the_beginning_of_what_is_measured(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, TRUE);
	leaves(waits, MAIN, 1000);
	waits_count(waits, TRUE, 3000);
	returns(waits, MAIN, 3500);
	assert_true(waits_total_ns(waits) == 500);
}

static void lost_records_leave_it_unknown(void **state)
{
	static const guint32 kinds[] = {PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES};
	const guint64 lost[2] = {1, 1};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
		note(waits, kinds[i], 0, MAIN, 500, lost, sizeof lost);
		assert_true(isnan(waits_total_ns(waits)));
	}
}

static void cut_records_of_tasks_are_passed_over(void **state)
{
	(void)state;
	g_autoptr(Waits) waits = waits_new(MAIN, FALSE);
	note(waits, PERF_RECORD_EXIT, 0, MAIN, 500, "abcd", 4);
	leaves(waits, MAIN, 1000);
	returns(waits, MAIN, 1001);
	assert_true(waits_total_ns(waits) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_sleep_is_a_wait),
	        cmocka_unit_test(who_was_preempted_does_not_wait),
	        cmocka_unit_test(a_run_waits_only_while_all_of_its_threads_do),
	        cmocka_unit_test(a_thread_that_ends_leaves_the_others_waiting),
	        cmocka_unit_test(what_outlives_the_main_process_does_not_wait_for_anybody),
	        cmocka_unit_test(a_main_thread_that_ends_first_does_not_end_the_run),
	        cmocka_unit_test(only_what_is_measured_counts),
	        cmocka_unit_test(a_wait_from_before_counts_from_the_beginning_of_what_is_measured),
	        cmocka_unit_test(lost_records_leave_it_unknown),
	        cmocka_unit_test(cut_records_of_tasks_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
