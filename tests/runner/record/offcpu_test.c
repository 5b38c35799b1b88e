/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/offcpu.h"

#include "runner/record/recordlayout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KERNEL_ADDRESS 0xffffffff81000010u
#define USER_ADDRESS 0x401000u
#define MARKER_USER ((guint64)-512)

typedef struct {
	OffCpu *off_cpu;
	GByteArray *out;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->off_cpu = off_cpu_new(4);
	f->out = g_byte_array_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	off_cpu_free(f->off_cpu);
	g_byte_array_unref(f->out);
	g_free(f);
	return 0;
}

/* A thread leaves the CPU: where it did so in the kernel, and what user code called. */
static void sample_stack(Fixture *f, guint32 tid, guint64 time_ns, gboolean is_incomplete)
{
	guint64 words[] = {0, 77, KERNEL_ADDRESS, (guint64)tid << 32 | 1, time_ns, 0, 1, 2, MARKER_USER, USER_ADDRESS};
	struct perf_event_header header = {
	        .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_KERNEL, .size = sizeof words};
	memcpy(words, &header, sizeof header);
	off_cpu_sample(f->off_cpu, (const guint8 *)words, sizeof words, is_incomplete);
}

static void sample(Fixture *f, guint32 tid, guint64 time_ns)
{
	sample_stack(f, tid, time_ns, FALSE);
}

static void record(Fixture *f, guint32 type, guint16 misc, guint32 tid, guint64 time_ns)
{
	struct {
		struct perf_event_header header;
		RecordTrailer trailer;
	} whole = {
	        .header = {.type = type, .misc = misc, .size = sizeof whole},
	        .trailer = {.pid = 1, .tid = tid, .time_ns = time_ns},
	};
	off_cpu_record(f->off_cpu, (const guint8 *)&whole, sizeof whole, f->out);
}

static void leaves(Fixture *f, guint32 tid, guint64 time_ns)
{
	record(f, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, tid, time_ns);
}

static void is_preempted(Fixture *f, guint32 tid, guint64 time_ns)
{
	record(f, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, tid, time_ns);
}

static void returns(Fixture *f, guint32 tid, guint64 time_ns)
{
	record(f, PERF_RECORD_SWITCH, 0, tid, time_ns);
}

static guint n_samples(const Fixture *f)
{
	guint n = 0;
	for (gsize at = 0; at < f->out->len; at += record_header(f->out->data + at).size)
		n++;
	return n;
}

static guint64 period_of(const Fixture *f, guint index)
{
	gsize at = 0;
	for (; index > 0; index--)
		at += record_header(f->out->data + at).size;
	return record_u64(f->out->data + at, SAMPLE_PERIOD_AT);
}

static void a_wait_lasts_from_leaving_to_returning(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	leaves(f, 7, 1010);
	assert_int_equal(n_samples(f), 0);
	returns(f, 7, 51000);
	assert_int_equal(n_samples(f), 1);
	assert_int_equal(period_of(f, 0), 50000);
	assert_int_equal(record_u64(f->out->data, SAMPLE_TIME_AT), 1000);
}

static void the_sample_stands_in_user_code(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	leaves(f, 7, 1010);
	returns(f, 7, 2000);
	assert_int_equal(record_u64(f->out->data, SAMPLE_IP_AT), USER_ADDRESS);
	assert_int_equal(record_header(f->out->data).misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
}

static void being_preempted_is_no_wait(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	is_preempted(f, 7, 1010);
	returns(f, 7, 2000);
	assert_int_equal(n_samples(f), 0);
	assert_int_equal(off_cpu_lost(f->off_cpu), 0);
}

static void only_waits_that_are_handed_out_are_incomplete(void **state)
{
	Fixture *f = *state;
	sample_stack(f, 7, 1000, TRUE);
	is_preempted(f, 7, 1010);
	sample_stack(f, 7, 2000, TRUE);
	returns(f, 7, 2000);
	assert_int_equal(off_cpu_incomplete(f->off_cpu), 0);
	sample_stack(f, 7, 3000, TRUE);
	returns(f, 7, 4000);
	sample_stack(f, 7, 5000, FALSE);
	returns(f, 7, 6000);
	assert_int_equal(n_samples(f), 2);
	assert_int_equal(off_cpu_incomplete(f->off_cpu), 1);
}

static void threads_do_not_mix(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	sample(f, 8, 1100);
	returns(f, 8, 1400);
	returns(f, 9, 1500);
	returns(f, 7, 3000);
	assert_int_equal(n_samples(f), 2);
	assert_int_equal(period_of(f, 0), 300);
	assert_int_equal(period_of(f, 1), 2000);
}

static void an_exit_ends_a_wait(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	record(f, PERF_RECORD_EXIT, 0, 7, 1700);
	assert_int_equal(period_of(f, 0), 700);
}

static void what_waits_at_the_end_waits_until_then(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	sample(f, 8, 2000);
	off_cpu_close(f->off_cpu, 5000, f->out);
	assert_int_equal(n_samples(f), 2);
	assert_int_equal(period_of(f, 0) + period_of(f, 1), 4000 + 3000);
	off_cpu_close(f->off_cpu, 9000, f->out);
	assert_int_equal(n_samples(f), 2);
}

static void a_lost_return_is_counted_and_not_made_up(void **state)
{
	Fixture *f = *state;
	sample(f, 7, 1000);
	sample(f, 7, 9000);
	returns(f, 7, 9500);
	assert_int_equal(n_samples(f), 1);
	assert_int_equal(period_of(f, 0), 500);
	assert_int_equal(off_cpu_lost(f->off_cpu), 1);
}

static void too_many_waiting_threads_are_counted_as_lost(void **state)
{
	Fixture *f = *state;
	for (guint32 tid = 1; tid <= 6; tid++)
		sample(f, tid, 1000);
	assert_int_equal(off_cpu_lost(f->off_cpu), 2);
	for (guint32 tid = 1; tid <= 6; tid++)
		returns(f, tid, 2000);
	assert_int_equal(n_samples(f), 4);
	sample(f, 9, 3000);
	returns(f, 9, 4000);
	assert_int_equal(n_samples(f), 5);
	assert_int_equal(off_cpu_lost(f->off_cpu), 2);
}

static void a_chain_longer_than_its_record_is_survived(void **state)
{
	Fixture *f = *state;
	guint64 words[] = {0, 77, KERNEL_ADDRESS, 7ull << 32 | 1, 1000, 0, 1, G_MAXUINT64, MARKER_USER};
	struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = sizeof words};
	memcpy(words, &header, sizeof header);
	off_cpu_sample(f->off_cpu, (const guint8 *)words, sizeof words, FALSE);
	returns(f, 7, 2000);
	assert_int_equal(record_u64(f->out->data, SAMPLE_IP_AT), KERNEL_ADDRESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_wait_lasts_from_leaving_to_returning),
	        TEST(the_sample_stands_in_user_code),
	        TEST(being_preempted_is_no_wait),
	        TEST(only_waits_that_are_handed_out_are_incomplete),
	        TEST(threads_do_not_mix),
	        TEST(an_exit_ends_a_wait),
	        TEST(what_waits_at_the_end_waits_until_then),
	        TEST(a_lost_return_is_counted_and_not_made_up),
	        TEST(too_many_waiting_threads_are_counted_as_lost),
	        TEST(a_chain_longer_than_its_record_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
