#include "profile/perfdata.h"

#include "core/error.h"
#include "perfwriter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* What a visitor saw: one line per record. */
typedef struct {
	GString *log;
	guint n_begun;
	guint64 last_time_ns;
	gboolean in_order;
} Seen;

static gboolean note_begin(gpointer data, const PerfDataSummary *summary, GError **error)
{
	(void)summary;
	(void)error;
	((Seen *)data)->n_begun++;
	return TRUE;
}

static void note_record(gpointer data, const PerfDataRecord *record)
{
	static const char *const kinds[] = {"sample", "mmap", "comm", "fork", "exit"};
	Seen *seen = data;
	seen->in_order = seen->in_order && record->time_ns >= seen->last_time_ns;
	seen->last_time_ns = record->time_ns;
	g_string_append_printf(seen->log, "%s@%" G_GUINT64_FORMAT " ", kinds[record->kind], record->time_ns);
}

static const PerfDataVisitor noting_visitor = {.begin = note_begin, .record = note_record};

static gboolean read_file(const char *path, Seen *seen, PerfDataSummary *summary, GError **error)
{
	*seen = (Seen){.log = g_string_new(NULL), .in_order = TRUE};
	return perfdata_read(path, &noting_visitor, seen, summary, error);
}

static gboolean read_bytes(const GByteArray *bytes, gsize length, Seen *seen, PerfDataSummary *summary, GError **error)
{
	g_autofree char *path = write_temporary(bytes, length);
	gboolean ok = read_file(path, seen, summary, error);
	g_unlink(path);
	return ok;
}

static void write_example(PerfWriter *writer)
{
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010, 0x2020};
	perf_writer_init(writer, 1);
	put_sample(writer, &(WrittenSample){.pid = 7, .time_ns = 30, .period = 500, .chain = chain, .chain_length = 3});
	put_sample(writer, &(WrittenSample){.pid = 7, .time_ns = 20, .period = 700, .chain = chain, .chain_length = 3});
	put_mmap(writer, 7, 0, 0x1000, 0x1000, 0, "/bin/prog");
	put_comm(writer, 7, 10, "prog", TRUE);
	put_fork(writer, 8, 7, 25);
	put_lost(writer, 3);
}

static void records_come_in_order_of_time(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	PerfDataSummary summary = {0};
	write_example(&writer);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_true(read_bytes(file, file->len, &seen, &summary, NULL));
	assert_string_equal(seen.log->str, "mmap@0 comm@10 sample@20 fork@25 sample@30 ");
	assert_int_equal(seen.n_begun, 1);
	assert_int_equal(summary.samples, 2);
	assert_int_equal(summary.period_sum, 1200);
	assert_int_equal(summary.lost, 3);
	assert_int_equal(summary.records, 6);
	assert_int_equal(summary.decode_errors, 0);
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
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
		++*n_checked;
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
	assert_int_equal(n_checked, 4);
	g_unlink(path);
	perf_writer_clear(&writer);
}

static void events_are_named_and_have_a_unit(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	PerfDataSummary summary = {0};
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010};
	perf_writer_init(&writer, 2);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .period = 5, .event = 1, .chain = chain, .chain_length = 2});
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_true(read_bytes(file, file->len, &seen, &summary, NULL));
	const PerfDataEvent *events = (const PerfDataEvent *)(gpointer)summary.events->data;
	assert_int_equal(summary.events->len, 2);
	assert_string_equal(events[0].name, "cpu-clock:u");
	assert_string_equal(events[1].name, "task-clock:u");
	assert_string_equal(events[1].unit, "ns");
	assert_int_equal(events[1].period, 1000);
	assert_int_equal(events[0].samples, 0);
	assert_int_equal(events[1].samples, 1);
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
	perf_writer_clear(&writer);
}

static void full_chains_are_counted_as_truncated(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	PerfDataSummary summary = {0};
	guint64 chain[128] = {PERF_DATA_MARKER_USER};
	for (guint i = 1; i < G_N_ELEMENTS(chain); i++)
		chain[i] = 0x1000 + i;
	perf_writer_init(&writer, 1);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .chain = chain, .chain_length = 127});
	put_sample(&writer, &(WrittenSample){.time_ns = 2, .chain = chain, .chain_length = 128});
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_true(read_bytes(file, file->len, &seen, &summary, NULL));
	assert_int_equal(summary.truncated_chains, 1);
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
	perf_writer_clear(&writer);
}

static void unknown_records_are_skipped_and_counted(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	PerfDataSummary summary = {0};
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u64(body, 42);
	perf_writer_init(&writer, 1);
	put_record(&writer, 50, 0, body);
	put_record(&writer, 4000000000u, 0, body);
	put_record(&writer, 68, 0, body);
	put_comm(&writer, 1, 5, "x", FALSE);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_true(read_bytes(file, file->len, &seen, &summary, NULL));
	assert_int_equal(summary.unknown, 2);
	assert_int_equal(summary.by_type[68], 1);
	assert_string_equal(seen.log->str, "comm@5 ");
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
	perf_writer_clear(&writer);
}

static void content_that_does_not_fit_is_a_decode_error(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	PerfDataSummary summary = {0};
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
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_true(read_bytes(file, file->len, &seen, &summary, NULL));
	assert_int_equal(summary.decode_errors, 3);
	assert_string_equal(seen.log->str, "comm@5 ");
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
	perf_writer_clear(&writer);
}

static void every_cut_of_a_file_is_an_error(void **state)
{
	(void)state;
	PerfWriter writer;
	write_example(&writer);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	for (gsize length = 0; length < file->len; length++) {
		g_autoptr(GError) error = NULL;
		Seen seen;
		assert_false(read_bytes(file, length, &seen, NULL, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_int_equal(seen.log->len, 0);
		g_string_free(seen.log, TRUE);
	}
	perf_writer_clear(&writer);
}

static void a_changed_byte_never_does_harm(void **state)
{
	(void)state;
	PerfWriter writer;
	write_example(&writer);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	for (gsize i = 0; i < file->len; i++) {
		guint8 before = file->data[i];
		for (guint bit = 0; bit < 8; bit += 7) {
			g_autoptr(GError) error = NULL;
			Seen seen;
			file->data[i] = before ^ (guint8)(1 << bit);
			assert_true(read_bytes(file, file->len, &seen, NULL, &error) == (error == NULL));
			assert_true(seen.in_order);
			g_string_free(seen.log, TRUE);
		}
		file->data[i] = before;
	}
	perf_writer_clear(&writer);
}

static void kinds_of_files_that_are_not_read_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *start, *says;
	} cases[] = {{"2ELIFREP", "big-endian"}, {"PERFFILE", "obsolete"}, {"GARBAGE!", "not a perf.data file"},
	        {"PERFILE2\x10\0\0\0\0\0\0\0", "pipe"}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GByteArray) file = g_byte_array_new();
		Seen seen;
		g_byte_array_append(file, (const guint8 *)cases[i].start, i == 3 ? 16 : 8);
		assert_false(read_bytes(file, file->len, &seen, NULL, &error));
		assert_non_null(strstr(error->message, cases[i].says));
		g_string_free(seen.log, TRUE);
	}
}

static void a_missing_file_is_a_storage_error(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	Seen seen;
	assert_false(read_file("/nowhere/perf.data", &seen, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	g_string_free(seen.log, TRUE);
}

static char *fixture(const char *name)
{
	const char *shared = getenv("FIREBREAK_SHARED");
	char *path = shared != NULL ? g_build_filename(shared, "fixtures", name, NULL)
	                            : g_build_filename(SOURCE_DIR, "..", "shared", "fixtures", name, NULL);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	print_message("skipped: no %s\n", path);
	g_free(path);
	skip();
	return NULL;
}

static void a_recording_with_user_stacks_has_its_known_counts(void **state)
{
	(void)state;
	g_autofree char *path = fixture("kdab-perfparser/vector_static_gcc/perf.data");
	Seen seen;
	PerfDataSummary summary = {0};
	assert_true(read_file(path, &seen, &summary, NULL));
	assert_int_equal(summary.records, 209);
	assert_int_equal(summary.samples, 45);
	assert_int_equal(summary.period_sum, 11975357);
	const guint by_type[][2] = {{1, 141}, {10, 13}, {3, 2}, {4, 1}, {68, 4}, {9, 45}};
	for (guint i = 0; i < G_N_ELEMENTS(by_type); i++)
		assert_int_equal(summary.by_type[by_type[i][0]], by_type[i][1]);
	assert_int_equal(summary.decode_errors, 0);
	assert_int_equal(summary.unknown, 0);
	const PerfDataEvent *event = &g_array_index(summary.events, PerfDataEvent, 0);
	assert_true(g_str_has_prefix(event->name, "cycles"));
	assert_string_equal(event->unit, "cycles");
	assert_int_equal(event->frequency_hz, 4000);
	assert_true(seen.in_order);
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
}

static void count_user_stacks(gpointer data, const PerfDataRecord *record)
{
	if (record->kind != PERF_DATA_SAMPLE)
		return;
	const PerfDataSample *sample = &record->sample;
	assert_non_null(sample->user_stack);
	assert_true(sample->user_stack_bytes == 8192 || sample->user_stack_bytes == 0);
	/* stacks of programs lie just below the end of the lower half of memory */
	assert_int_equal(sample->user_sp >> 40, 0x7f);
	*(guint *)data += sample->user_stack_bytes > 0;
}

static void user_registers_and_stacks_are_found_behind_the_chain(void **state)
{
	(void)state;
	g_autofree char *path = fixture("kdab-perfparser/vector_static_gcc/perf.data");
	const PerfDataVisitor visitor = {.record = count_user_stacks};
	guint n_with_stack = 0;
	assert_true(perfdata_read(path, &visitor, &n_with_stack, NULL, NULL));
	/* two of the 45 samples were taken before there was a stack to copy */
	assert_int_equal(n_with_stack, 43);
}

static void a_recording_of_a_newer_perf_has_its_known_counts(void **state)
{
	(void)state;
	g_autofree char *path = fixture("mstange-linux-perf-data/sleep.data");
	Seen seen;
	PerfDataSummary summary = {0};
	assert_true(read_file(path, &seen, &summary, NULL));
	assert_int_equal(summary.records, 20);
	assert_int_equal(summary.samples, 7);
	assert_int_equal(summary.period_sum, 668601);
	assert_int_equal(summary.by_type[10], 4);
	assert_string_equal(g_array_index(summary.events, PerfDataEvent, 0).name, "cycles:Pu");
	g_string_free(seen.log, TRUE);
	perfdata_summary_clear(&summary);
}

static void compressed_and_piped_recordings_are_refused_with_a_reason(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	        {"kdab-perfparser/vector_static_gcc/perf.data.zstd", "compressed"},
	        {"mstange-linux-perf-data/sleep.compressed2.data", "compressed"},
	        {"mstange-linux-perf-data/sleep.compressed.pipe.data", "pipe"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = fixture(cases[i][0]);
		g_autoptr(GError) error = NULL;
		Seen seen;
		assert_false(read_file(path, &seen, NULL, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_non_null(strstr(error->message, cases[i][1]));
		g_string_free(seen.log, TRUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(records_come_in_order_of_time),
	        cmocka_unit_test(every_field_is_read),
	        cmocka_unit_test(events_are_named_and_have_a_unit),
	        cmocka_unit_test(full_chains_are_counted_as_truncated),
	        cmocka_unit_test(unknown_records_are_skipped_and_counted),
	        cmocka_unit_test(content_that_does_not_fit_is_a_decode_error),
	        cmocka_unit_test(every_cut_of_a_file_is_an_error),
	        cmocka_unit_test(a_changed_byte_never_does_harm),
	        cmocka_unit_test(kinds_of_files_that_are_not_read_are_named),
	        cmocka_unit_test(a_missing_file_is_a_storage_error),
	        cmocka_unit_test(a_recording_with_user_stacks_has_its_known_counts),
	        cmocka_unit_test(user_registers_and_stacks_are_found_behind_the_chain),
	        cmocka_unit_test(a_recording_of_a_newer_perf_has_its_known_counts),
	        cmocka_unit_test(compressed_and_piped_recordings_are_refused_with_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
