/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what side-band records tell about a run, with made-up records. */
#include "runner/record/sideband.h"

#include "runner/record/recordlayout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { HOME_CPU = 3, OTHER_CPU = 4 };

typedef struct {
	Sideband *sideband;
	guint32 cpu;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->sideband = sideband_new((const int[]){HOME_CPU}, 1);
	f->cpu = HOME_CPU;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	sideband_free(f->sideband);
	g_free(f);
	return 0;
}

static void note(Fixture *f, guint32 type, guint16 misc, guint32 tid, const void *body, gsize size)
{
	guint8 record[512] = {0};
	const RecordTrailer trailer = {.pid = tid, .tid = tid, .cpu = f->cpu};
	struct perf_event_header header = {
	        .type = type, .misc = misc, .size = (guint16)(sizeof header + size + sizeof trailer)};
	memcpy(record, &header, sizeof header);
	memcpy(record + sizeof header, body, size);
	memcpy(record + sizeof header + size, &trailer, sizeof trailer);
	sideband_note(f->sideband, record, header);
}

static void note_comm(Fixture *f, guint32 pid, guint16 misc, const char *name)
{
	struct {
		guint32 pid, tid;
		char name[16];
	} body = {.pid = pid, .tid = pid};
	g_strlcpy(body.name, name, sizeof body.name);
	note(f, PERF_RECORD_COMM, misc, pid, &body, sizeof body);
}

static void note_exec(Fixture *f, guint32 pid, const char *name)
{
	note_comm(f, pid, PERF_RECORD_MISC_COMM_EXEC, name);
}

static void note_task(Fixture *f, guint32 type, guint32 pid, guint32 parent)
{
	const struct {
		guint32 pid, ppid, tid, ptid;
		guint64 time_ns;
	} body = {.pid = pid, .ppid = parent, .tid = pid, .ptid = parent};
	note(f, type, 0, type == PERF_RECORD_FORK ? parent : pid, &body, sizeof body);
}

static void note_map(Fixture *f, guint32 pid, const char *file)
{
	struct {
		guint32 pid, tid;
		guint8 rest[56];
		char file[64];
	} body = {.pid = pid, .tid = pid};
	g_strlcpy(body.file, file, sizeof body.file);
	note(f, PERF_RECORD_MMAP2, 0, pid, &body, sizeof body);
}

static void a_program_that_runs_to_its_end_is_counted(void **state)
{
	Fixture *f = *state;
	note_exec(f, 10, "sh");
	note_map(f, 10, "/bin/sh");
	note_task(f, PERF_RECORD_FORK, 11, 10);
	note_exec(f, 11, "work");
	note_map(f, 11, "/tmp/work");
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	note_task(f, PERF_RECORD_EXIT, 10, 1);
	assert_int_equal(sideband_facts(f->sideband)->dropped_out, 0);
	assert_int_equal(sideband_facts(f->sideband)->forks, 1);
}

static void a_program_that_ends_before_it_is_mapped_has_dropped_out(void **state)
{
	Fixture *f = *state;
	note_exec(f, 11, "helper");
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	note_exec(f, 12, "second");
	note_task(f, PERF_RECORD_EXIT, 12, 10);
	assert_int_equal(sideband_facts(f->sideband)->dropped_out, 2);
	assert_string_equal(sideband_facts(f->sideband)->dropped_name, "helper");
}

static void threads_that_an_exec_ends_are_no_program(void **state)
{
	Fixture *f = *state;
	note_exec(f, 11, "work");
	const guint32 body[6] = {11, 10, 12, 10};
	note(f, PERF_RECORD_EXIT, 0, 12, body, sizeof body);
	note_map(f, 11, "/tmp/work");
	assert_int_equal(sideband_facts(f->sideband)->dropped_out, 0);
}

/* A program can give itself a name; only the kernel's own exec counts. */
static void a_new_name_is_no_exec(void **state)
{
	Fixture *f = *state;
	note_comm(f, 11, 0, "renamed");
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	assert_int_equal(sideband_facts(f->sideband)->dropped_out, 0);
}

static void where_records_were_lost_a_map_may_be_among_them(void **state)
{
	Fixture *f = *state;
	const guint64 lost[2] = {1, 5};
	note_exec(f, 11, "work");
	note(f, PERF_RECORD_LOST, 0, 11, lost, sizeof lost);
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	assert_int_equal(sideband_facts(f->sideband)->dropped_out, 0);
}

static void a_record_from_another_cpu_is_a_stray(void **state)
{
	Fixture *f = *state;
	note_exec(f, 11, "work");
	assert_int_equal(sideband_facts(f->sideband)->strays, 0);
	f->cpu = OTHER_CPU;
	note_map(f, 11, "/tmp/work");
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	assert_int_equal(sideband_facts(f->sideband)->strays, 2);
	assert_int_equal(sideband_facts(f->sideband)->stray_cpu, OTHER_CPU);
	assert_string_equal(sideband_facts(f->sideband)->stray_name, "work");
}

static void a_sample_from_another_cpu_is_one_too(void **state)
{
	Fixture *f = *state;
	guint8 record[SAMPLE_FIXED_BYTES] = {0};
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = sizeof record};
	const guint32 cpus[] = {HOME_CPU, OTHER_CPU};
	for (gsize i = 0; i < G_N_ELEMENTS(cpus); i++) {
		memcpy(record, &header, sizeof header);
		memcpy(record + SAMPLE_CPU_AT, &cpus[i], sizeof cpus[i]);
		sideband_note(f->sideband, record, header);
		assert_int_equal(sideband_facts(f->sideband)->strays, i);
	}
}

static void threads_of_io_uring_may_run_anywhere(void **state)
{
	Fixture *f = *state;
	f->cpu = OTHER_CPU;
	note_comm(f, 12, 0, "iou-wrk-11");
	note_task(f, PERF_RECORD_EXIT, 12, 10);
	assert_int_equal(sideband_facts(f->sideband)->strays, 0);
	assert_true(sideband_facts(f->sideband)->kernel_workers);
}

static void hostile_names_are_valid_text(void **state)
{
	Fixture *f = *state;
	note_exec(f, 11, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
	note_task(f, PERF_RECORD_EXIT, 11, 10);
	assert_true(g_utf8_validate(sideband_facts(f->sideband)->dropped_name, -1, NULL));
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	        WITH_FIXTURE(a_program_that_runs_to_its_end_is_counted),
	        WITH_FIXTURE(a_program_that_ends_before_it_is_mapped_has_dropped_out),
	        WITH_FIXTURE(threads_that_an_exec_ends_are_no_program),
	        WITH_FIXTURE(a_new_name_is_no_exec),
	        WITH_FIXTURE(where_records_were_lost_a_map_may_be_among_them),
	        WITH_FIXTURE(a_record_from_another_cpu_is_a_stray),
	        WITH_FIXTURE(a_sample_from_another_cpu_is_one_too),
	        WITH_FIXTURE(threads_of_io_uring_may_run_anywhere),
	        WITH_FIXTURE(hostile_names_are_valid_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
