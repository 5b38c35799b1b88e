/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdata.h"

#include "core/error.h"
#include "tests/profile/perfseen.h"

#include <sys/stat.h>

static void write_example(PerfWriter *writer)
{
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010, 0x2020};
	perf_writer_init(writer, 1);
	put_sample(writer, &(WrittenSample){.pid = 7, .time_ns = 30, .period = 500, .chain = chain, .chain_length = 3});
	put_sample(writer, &(WrittenSample){.pid = 7, .time_ns = 20, .period = 700, .chain = chain, .chain_length = 3});
	put_mmap(writer, 7, 0, 0x1000, 0x1000, 0, "/bin/prog");
	put_comm(writer, 7, 10, "prog", TRUE);
	put_fork(writer, 8, 7, 25);
	put_switch(writer, 7, 27, 1 << 13);
	put_lost(writer, 3);
}

static void records_come_in_order_of_time(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	write_example(&writer);
	seen_read(&seen, &writer, FALSE);
	assert_string_equal(seen.log->str, "mmap@0 comm@10 sample@20 fork@25 switch@27 sample@30 ");
	assert_int_equal(seen.n_begun, 1);
	assert_int_equal(seen.summary.samples, 2);
	assert_int_equal(seen.summary.period_sum, 1200);
	assert_int_equal(seen.summary.lost, 3);
	assert_int_equal(seen.summary.records, 7);
	assert_int_equal(seen.summary.decode_errors, 0);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void records_of_one_time_stay_in_the_order_of_the_file(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 1);
	put_comm(&writer, 1, 9, "late", FALSE);
	put_mmap(&writer, 1, 5, 0x1000, 0x1000, 0, "/a");
	put_comm(&writer, 1, 0, "early", FALSE);
	put_fork(&writer, 2, 1, 5);
	put_mmap(&writer, 1, 0, 0x1000, 0x1000, 0, "/a");
	put_comm(&writer, 1, 5, "x", FALSE);
	seen_read(&seen, &writer, FALSE);
	assert_string_equal(seen.log->str, "comm@0 mmap@0 mmap@5 fork@5 comm@5 comm@9 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void without_times_everything_stays_in_the_order_of_the_file(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010};
	perf_writer_init(&writer, 1);
	writer.sample_type &= ~(guint64)PERF_WRITER_TIME;
	put_fork(&writer, 2, 1, 5);
	put_sample(&writer, &(WrittenSample){.pid = 2, .chain = chain, .chain_length = 2});
	put_comm(&writer, 2, 0, "x", FALSE);
	seen_read(&seen, &writer, FALSE);
	assert_string_equal(seen.log->str, "fork@0 sample@0 comm@0 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void check_fields(gpointer data, const PerfDataRecord *record)
{
	guint *n_checked = data;
	if (record->kind == PERF_DATA_SAMPLE && record->time_ns == 20) {
		assert_int_equal(record->pid, 7);
		assert_int_equal(record->sample.ip, 0x1010);
		assert_int_equal(record->sample.period, 700);
		assert_int_equal(record->sample.chain_length, 3);
		assert_true(record->sample.chain[0] == PERF_DATA_MARKER_USER);
		assert_int_equal(record->sample.chain[2], 0x2020);
		assert_int_equal(record->cpu_mode, PERF_DATA_CPU_USER);
		++*n_checked;
	} else if (record->kind == PERF_DATA_MMAP) {
		assert_string_equal(record->mmap.path, "/bin/prog");
		assert_int_equal(record->mmap.start, 0x1000);
		++*n_checked;
	} else if (record->kind == PERF_DATA_COMM) {
		assert_string_equal(record->comm.name, "prog");
		assert_true(record->comm.is_exec);
		++*n_checked;
	} else if (record->kind == PERF_DATA_FORK) {
		assert_int_equal(record->pid, 8);
		assert_int_equal(record->fork.parent_pid, 7);
		assert_false(record->fork.is_made_up);
		++*n_checked;
	} else if (record->kind == PERF_DATA_SWITCH) {
		assert_int_equal(record->pid, 7);
		assert_true(record->switched.is_out);
		assert_false(record->switched.is_preempted);
		++*n_checked;
	}
}

static void what_the_recorder_knows_of_its_stacks_is_read(void **state)
{
	(void)state;
	static const struct {
		guint64 completed, incomplete, wanted, errors;
	} cases[] = {{10, 3, 3, 0}, {0, 0, 0, 0}, {3, 10, 0, 1}};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) content = g_byte_array_new();
		put_u64(content, cases[i].completed);
		put_u64(content, cases[i].incomplete);
		write_example(&writer);
		put_feature(&writer, PERF_DATA_STACKS_FEATURE, content);
		seen_read(&seen, &writer, FALSE);
		assert_int_equal(seen.summary.incomplete, cases[i].wanted);
		assert_int_equal(seen.summary.decode_errors, cases[i].errors);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void every_field_is_read(void **state)
{
	(void)state;
	PerfWriter writer;
	guint n_checked = 0;
	const PerfDataVisitor visitor = {.record = check_fields};
	write_example(&writer);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	g_autofree char *path = write_temporary(file, file->len);
	assert_true(perfdata_read(path, &visitor, &n_checked, NULL, NULL));
	assert_int_equal(n_checked, 5);
	g_unlink(path);
	perf_writer_clear(&writer);
}

static void events_are_named_and_have_a_unit(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010};
	perf_writer_init(&writer, 2);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .period = 5, .event = 1, .chain = chain, .chain_length = 2});
	seen_read(&seen, &writer, FALSE);
	const PerfDataEvent *events = (const PerfDataEvent *)(gpointer)seen.summary.events->data;
	assert_int_equal(seen.summary.events->len, 2);
	assert_string_equal(events[0].name, "cpu-clock:u");
	assert_string_equal(events[1].name, "task-clock:u");
	assert_string_equal(events[1].unit, "ns");
	assert_int_equal(events[1].period, 1000);
	assert_int_equal(events[0].samples, 0);
	assert_int_equal(events[1].samples, 1);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void full_chains_are_counted_as_truncated(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	guint64 chain[128] = {PERF_DATA_MARKER_USER};
	for (guint i = 1; i < G_N_ELEMENTS(chain); i++)
		chain[i] = 0x1000 + i;
	perf_writer_init(&writer, 1);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .chain = chain, .chain_length = 127});
	put_sample(&writer, &(WrittenSample){.time_ns = 2, .chain = chain, .chain_length = 128});
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.truncated_chains, 1);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void unknown_records_are_skipped_and_counted(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u64(body, 42);
	perf_writer_init(&writer, 1);
	put_record(&writer, 50, 0, body);
	put_record(&writer, 4000000000u, 0, body);
	put_record(&writer, 68, 0, body);
	put_comm(&writer, 1, 5, "x", FALSE);
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.unknown, 2);
	assert_int_equal(seen.summary.by_type[68], 1);
	assert_string_equal(seen.log->str, "comm@5 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void content_that_does_not_fit_is_a_decode_error(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) body = g_byte_array_new();
	perf_writer_init(&writer, 1);
	/* a sample whose chain says to be longer than the record */
	for (guint i = 0; i < 4; i++)
		put_u64(body, 0);
	put_u64(body, 1000000);
	put_record(&writer, 9, 2, body);
	/* a path without an end */
	g_byte_array_set_size(body, 0);
	for (guint i = 0; i < 20; i++)
		put_u64(body, G_MAXUINT64);
	put_record(&writer, 1, 2, body);
	put_record(&writer, 10, 2, body);
	put_comm(&writer, 1, 5, "x", FALSE);
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.decode_errors, 3);
	assert_string_equal(seen.log->str, "comm@5 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* Losses stand twice in a recording of perf 6: when the kernel noticed it, and in the counters at the end. */
static void losses_are_counted_once(void **state)
{
	(void)state;
	static const struct {
		guint64 kernel_time_ns, counted, expected;
		guint16 misc;
	} cases[] = {
	        {7, 2, 7, 0},        /* 3 + 4 in the stream, 2 in the counters */
	        {7, 50, 50, 0},      /* the counters know of more */
	        {7, 50, 7, 1 << 15}, /* left out by a filter on purpose */
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) by_kernel = g_byte_array_new(), at_end = g_byte_array_new();
		perf_writer_init(&writer, 1);
		put_lost(&writer, 3);
		put_u64(by_kernel, 4);
		put_trailer(&writer, by_kernel, 1, 1, cases[i].kernel_time_ns);
		put_record(&writer, 13, 0, by_kernel);
		put_u64(at_end, cases[i].counted);
		put_trailer(&writer, at_end, 0, 0, 0);
		put_record(&writer, 13, cases[i].misc, at_end);
		seen_read(&seen, &writer, FALSE);
		assert_int_equal(seen.summary.lost, cases[i].expected);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void every_cut_of_a_file_is_an_error(void **state)
{
	(void)state;
	PerfWriter writer;
	write_example(&writer);
	put_machine(&writer, "x86_64");
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	for (gsize length = 0; length < file->len; length++) {
		Seen seen;
		assert_false(seen_read_bytes(&seen, file, length));
		assert_true(g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_int_equal(seen.log->len, 0);
		seen_clear(&seen);
	}
	perf_writer_clear(&writer);
}

static void a_changed_byte_never_does_harm(void **state)
{
	(void)state;
	PerfWriter writer;
	write_example(&writer);
	put_machine(&writer, "x86_64");
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	for (gsize i = 0; i < file->len; i++) {
		guint8 before = file->data[i];
		for (guint bit = 0; bit < 8; bit++) {
			Seen seen;
			file->data[i] = before ^ (guint8)(1 << bit);
			assert_true(seen_read_bytes(&seen, file, file->len) == (seen.error == NULL));
			assert_true(seen.in_order);
			seen_clear(&seen);
		}
		file->data[i] = before;
	}
	perf_writer_clear(&writer);
}

static void a_recording_that_was_not_finished_is_refused(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	write_example(&writer);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	memset(file->data + 48, 0, 8);
	assert_false(seen_read_bytes(&seen, file, file->len));
	assert_non_null(strstr(seen.error->message, "not finished"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void kinds_of_files_that_are_not_read_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *start, *says;
	} cases[] = {{"PERFFILE", "before perf 3.2"}, {"GARBAGE!", "not a perf.data file"},
	        {"PERFILE", "not a perf.data file"}, {"PERFILE2", "truncated in its header"}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GByteArray) file = g_byte_array_new();
		Seen seen;
		put_bytes(file, cases[i].start, strlen(cases[i].start));
		assert_false(seen_read_bytes(&seen, file, file->len));
		assert_true(g_str_has_prefix(seen.error->message, "test.data: "));
		assert_non_null(strstr(seen.error->message, cases[i].says));
		seen_clear(&seen);
	}
}

static gpointer fill_pipe(gpointer data)
{
	PerfWriter writer;
	FILE *pipe = fopen(data, "wb");
	write_example(&writer);
	g_autoptr(GByteArray) bytes = perf_writer_pipe(&writer);
	gboolean ok = pipe != NULL && fwrite(bytes->data, 1, bytes->len, pipe) == bytes->len && fclose(pipe) == 0;
	perf_writer_clear(&writer);
	return GINT_TO_POINTER(ok);
}

static void a_named_pipe_is_read_to_its_end(void **state)
{
	(void)state;
	Seen seen;
	g_autofree char *folder = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "pipe", NULL);
	assert_int_equal(mkfifo(path, 0600), 0);
	GThread *writer = g_thread_new("writer", fill_pipe, path);
	gboolean ok = seen_read_file(&seen, path);
	assert_true(GPOINTER_TO_INT(g_thread_join(writer)));
	assert_true(ok);
	assert_int_equal(seen.summary.samples, 2);
	seen_clear(&seen);
	g_unlink(path);
	g_rmdir(folder);
}

static void a_directory_is_refused_with_a_remedy(void **state)
{
	(void)state;
	Seen seen;
	assert_false(seen_read_file(&seen, "/"));
	assert_true(g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(seen.error->message, "without --threads"));
	seen_clear(&seen);
}

static void a_missing_file_is_a_storage_error(void **state)
{
	(void)state;
	Seen seen;
	assert_false(seen_read_file(&seen, "/nowhere/perf.data"));
	assert_true(g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	seen_clear(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(records_come_in_order_of_time),
	        cmocka_unit_test(records_of_one_time_stay_in_the_order_of_the_file),
	        cmocka_unit_test(without_times_everything_stays_in_the_order_of_the_file),
	        cmocka_unit_test(what_the_recorder_knows_of_its_stacks_is_read),
	        cmocka_unit_test(every_field_is_read),
	        cmocka_unit_test(events_are_named_and_have_a_unit),
	        cmocka_unit_test(full_chains_are_counted_as_truncated),
	        cmocka_unit_test(unknown_records_are_skipped_and_counted),
	        cmocka_unit_test(content_that_does_not_fit_is_a_decode_error),
	        cmocka_unit_test(losses_are_counted_once),
	        cmocka_unit_test(every_cut_of_a_file_is_an_error),
	        cmocka_unit_test(a_changed_byte_never_does_harm),
	        cmocka_unit_test(a_recording_that_was_not_finished_is_refused),
	        cmocka_unit_test(kinds_of_files_that_are_not_read_are_named),
	        cmocka_unit_test(a_named_pipe_is_read_to_its_end),
	        cmocka_unit_test(a_directory_is_refused_with_a_remedy),
	        cmocka_unit_test(a_missing_file_is_a_storage_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
