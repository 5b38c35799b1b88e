/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatapipe.h"

#include "core/error.h"
#include "tests/profile/perfcompress.h"
#include "tests/profile/perfseen.h"

static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010, 0x2020};
#define CHAIN .chain = chain, .chain_length = G_N_ELEMENTS(chain)

static void write_example(PerfWriter *writer, guint n_samples)
{
	perf_writer_init(writer, 2);
	put_mmap(writer, 7, 0, 0x1000, 0x1000, 0, "/bin/prog");
	for (guint i = 0; i < n_samples; i++)
		put_sample(writer,
		        &(WrittenSample){.pid = 7, .time_ns = n_samples - i, .period = 3, .event = i % 2, CHAIN});
}

static void a_pipe_reads_like_a_file(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen from_file, from_pipe;
	write_example(&writer, 5);
	put_machine(&writer, "aarch64");
	seen_read(&from_file, &writer, FALSE);
	seen_read(&from_pipe, &writer, TRUE);
	assert_string_equal(from_pipe.log->str, "mmap@0 sample@1 sample@2 sample@3 sample@4 sample@5 ");
	assert_string_equal(from_pipe.log->str, from_file.log->str);
	assert_string_equal(from_pipe.summary.machine, "aarch64");
	assert_int_equal(from_pipe.summary.period_sum, 15);
	assert_int_equal(from_pipe.summary.by_type[64], 2);
	assert_int_equal(from_pipe.summary.by_type[80], 1);
	for (guint i = 0; i < 2; i++) {
		const PerfDataEvent *expected = &g_array_index(from_file.summary.events, PerfDataEvent, i);
		const PerfDataEvent *event = &g_array_index(from_pipe.summary.events, PerfDataEvent, i);
		assert_string_equal(event->name, expected->name);
		assert_int_equal(event->samples, expected->samples);
	}
	seen_clear(&from_file);
	seen_clear(&from_pipe);
	perf_writer_clear(&writer);
}

/* A pipe has no size, so one that ends after a record is whole. */
static void a_pipe_may_end_after_a_record_and_nowhere_else(void **state)
{
	(void)state;
	PerfWriter writer;
	write_example(&writer, 2);
	g_autoptr(GByteArray) pipe = perf_writer_pipe(&writer);
	guint n_read = 0;
	for (gsize length = 0; length <= pipe->len; length++) {
		Seen seen;
		gboolean ok = seen_read_bytes(&seen, pipe, length);
		n_read += ok;
		assert_true(ok || g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		seen_clear(&seen);
	}
	/* after each of two events, one map and two samples */
	assert_int_equal(n_read, 5);
	perf_writer_clear(&writer);
}

static void a_changed_byte_of_a_pipe_never_does_harm(void **state)
{
	(void)state;
	static const guint32 kinds[] = {0, PERF_COMPRESSED, PERF_COMPRESSED2};
	for (guint kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		PerfWriter writer;
		write_example(&writer, 2);
		put_machine(&writer, "x86_64");
		if (kinds[kind] != 0)
			perf_writer_compress(&writer, kinds[kind], 50);
		g_autoptr(GByteArray) pipe = perf_writer_pipe(&writer);
		for (gsize i = 0; i < (gsize)pipe->len * 8; i++) {
			Seen seen;
			pipe->data[i / 8] ^= (guint8)(1 << i % 8);
			assert_true(seen_read_bytes(&seen, pipe, pipe->len) == (seen.error == NULL));
			pipe->data[i / 8] ^= (guint8)(1 << i % 8);
			seen_clear(&seen);
		}
		perf_writer_clear(&writer);
	}
}

static void records_before_their_event_are_an_error(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 0);
	put_comm(&writer, 1, 1, "x", FALSE);
	g_autoptr(GByteArray) pipe = perf_writer_pipe(&writer);
	assert_false(seen_read_bytes(&seen, pipe, pipe->len));
	assert_non_null(strstr(seen.error->message, "no event"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* Body of EVENT_UPDATE: 2 = name, an id of the event, text. */
static void events_are_renamed_by_update_records(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) name = g_byte_array_new(), unit = g_byte_array_new();
	put_u64(name, 2);
	put_u64(name, 101);
	put_text(name, "my-clock:u");
	put_u64(unit, 0);
	put_u64(unit, 100);
	put_text(unit, "msec");
	perf_writer_init(&writer, 2);
	put_record(&writer, 78, 0, name);
	put_record(&writer, 78, 0, unit);
	seen_read(&seen, &writer, TRUE);
	assert_string_equal(g_array_index(seen.summary.events, PerfDataEvent, 0).name, "cpu-clock:u");
	assert_string_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).name, "my-clock:u");
	assert_string_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).unit, "ns");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* The description of the events; its order may differ from that of the attributes, ids decide. */
static void put_description(PerfWriter *writer, const char *const names[2], gboolean is_reversed)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	put_u32(content, 2);
	put_u32(content, writer->attr_bytes);
	for (guint i = 0; i < 2; i++) {
		guint event = is_reversed ? 1 - i : i;
		put_attr(content, writer, event);
		put_u32(content, 1);
		put_string(content, names[event]);
		put_u64(content, 100 + event);
	}
	put_feature(writer, 12, content);
}

static void events_are_named_as_their_description_says(void **state)
{
	(void)state;
	static const char *const names[] = {"one/x,y/u", "sched:sched_switch"};
	for (guint i = 0; i < 4; i++) {
		PerfWriter writer;
		Seen seen;
		perf_writer_init(&writer, 2);
		put_comm(&writer, 1, 1, "x", FALSE);
		put_description(&writer, names, i % 2 != 0);
		seen_read(&seen, &writer, i / 2 != 0);
		for (guint event = 0; event < 2; event++)
			assert_string_equal(
			        g_array_index(seen.summary.events, PerfDataEvent, event).name, names[event]);
		assert_int_equal(seen.summary.decode_errors, 0);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void ids_may_stand_in_the_description_alone(void **state)
{
	(void)state;
	static const char *const names[] = {"a", "b"};
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 2);
	put_description(&writer, names, FALSE);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .event = 1, CHAIN});
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	/* the sizes of the lists of ids after the attributes */
	for (guint i = 1; i <= 2; i++)
		memset(file->data + 104 + 2 * 8 + i * (PERF_WRITER_ATTR_BYTES + 16) - 8, 0, 8);
	assert_true(seen_read_bytes(&seen, file, file->len));
	assert_int_equal(seen.summary.unknown_ids, 0);
	assert_int_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).samples, 1);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void data_after_a_record_are_skipped(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) tracing = g_byte_array_new(), trace = g_byte_array_new();
	perf_writer_init(&writer, 1);
	/* formats of tracepoints: 13 bytes, padded to 16 */
	put_u32(tracing, 13);
	put_record(&writer, 66, 0, tracing);
	put_bytes(writer.records, "format: x, y\0\0\0\0", 16);
	/* a trace of the hardware */
	put_u64(trace, 24);
	put_record(&writer, 71, 0, trace);
	put_bytes(writer.records, "no records, but a trace..", 24);
	put_comm(&writer, 1, 5, "x", FALSE);
	seen_read(&seen, &writer, TRUE);
	assert_string_equal(seen.log->str, "comm@5 ");
	assert_int_equal(seen.summary.records, 4);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* Record: header, pid, 24 bytes of id, path. */
static void build_ids_may_be_records(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	for (guint as_pipe = 0; as_pipe < 2; as_pipe++) {
		g_autoptr(GByteArray) body = g_byte_array_new(), records = g_byte_array_new();
		put_u32(body, G_MAXUINT32);
		for (guint8 i = 1; i <= 24; i++)
			g_byte_array_append(body, i <= 8 ? &i : (const guint8 *)"\0", 1);
		put_text(body, "/bin/prog");
		put_record_into(records, 67, 2, body);
		perf_writer_init(&writer, 1);
		put_comm(&writer, 1, 5, "x", FALSE);
		if (as_pipe != 0)
			put_bytes(writer.records, records->data, records->len);
		else
			put_feature(&writer, 2, records);
		seen_read(&seen, &writer, as_pipe != 0);
		assert_int_equal(seen.summary.build_ids->len, 1);
		const PerfDataBuildId *id = &g_array_index(seen.summary.build_ids, PerfDataBuildId, 0);
		assert_string_equal(id->path, "/bin/prog");
		assert_int_equal(id->length, 8);
		assert_int_equal(id->bytes[7], 8);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void kinds_of_recordings_that_are_not_read_are_named(void **state)
{
	(void)state;
	static const struct {
		guint feature;
		const char *says;
	} cases[] = {{19, "perf stat"}, {24, "without --threads"}, {128, "simpleperf"}, {132, "simpleperf"}};
	for (guint i = 0; i < 2 * G_N_ELEMENTS(cases); i++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) content = g_byte_array_new();
		put_u64(content, 1);
		perf_writer_init(&writer, 1);
		put_comm(&writer, 1, 5, "x", FALSE);
		put_feature(&writer, cases[i / 2].feature, content);
		g_autoptr(GByteArray) bytes = i % 2 != 0 ? perf_writer_pipe(&writer) : perf_writer_file(&writer);
		assert_false(seen_read_bytes(&seen, bytes, bytes->len));
		assert_true(g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_non_null(strstr(seen.error->message, cases[i / 2].says));
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void the_recorders_last_words_in_a_pipe_are_no_record(void **state)
{
	(void)state;
	static const char words[] = "[ perf record: Woken up 1 times to write data ]\n"
	                            "[ perf record: Captured and wrote 0.000 MB - ]\n";
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 1);
	put_bytes(writer.records, words, strlen(words));
	put_comm(&writer, 1, 5, "x", FALSE);
	put_bytes(writer.records, words, strlen(words) - 1);
	seen_read(&seen, &writer, TRUE);
	assert_string_equal(seen.log->str, "comm@5 ");
	seen_clear(&seen);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_false(seen_read_bytes(&seen, file, file->len));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void compressed_records_read_like_others(void **state)
{
	(void)state;
	static const guint32 kinds[] = {PERF_COMPRESSED, PERF_COMPRESSED2};
	static const guint piece_bytes[] = {1, 7, 72, 1000, 100000};
	PerfWriter writer;
	Seen expected, seen;
	write_example(&writer, 100);
	seen_read(&expected, &writer, FALSE);
	perf_writer_clear(&writer);
	for (guint i = 0; i < 2 * 2 * G_N_ELEMENTS(piece_bytes); i++) {
		write_example(&writer, 100);
		perf_writer_compress(&writer, kinds[i % 2], piece_bytes[i / 4]);
		seen_read(&seen, &writer, i / 2 % 2 != 0);
		assert_string_equal(seen.log->str, expected.log->str);
		assert_int_equal(seen.summary.samples, 100);
		assert_int_equal(seen.chain->len, G_N_ELEMENTS(chain));
		assert_memory_equal(seen.chain->data, chain, sizeof chain);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
	seen_clear(&expected);
}

static void records_that_are_not_compressed_may_stand_between(void **state)
{
	(void)state;
	PerfWriter writer, plain;
	Seen seen;
	write_example(&writer, 3);
	perf_writer_init(&plain, 2);
	put_comm(&plain, 1, 2, "x", FALSE);
	perf_writer_compress(&writer, PERF_COMPRESSED, 1);
	/* an odd size, so what follows lies askew */
	g_byte_array_prepend(writer.records, plain.records->data, plain.records->len);
	put_bytes(writer.records, plain.records->data, plain.records->len);
	seen_read(&seen, &writer, FALSE);
	assert_string_equal(seen.log->str, "mmap@0 sample@1 comm@2 sample@2 comm@2 sample@3 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
	perf_writer_clear(&plain);
}

static void a_compressed_record_without_its_end_is_an_error(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	write_example(&writer, 3);
	g_byte_array_set_size(writer.records, writer.records->len - 8);
	perf_writer_compress(&writer, PERF_COMPRESSED2, 40);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_false(seen_read_bytes(&seen, file, file->len));
	assert_non_null(strstr(seen.error->message, "is incomplete"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void garbage_instead_of_a_compressed_piece_is_an_error(void **state)
{
	(void)state;
	static const guint32 kinds[] = {PERF_COMPRESSED, PERF_COMPRESSED2};
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		PerfWriter writer;
		Seen seen;
		perf_writer_init(&writer, 1);
		put_piece(writer.records, kinds[i], "this is no zstd frame at all", 28);
		g_autoptr(GByteArray) file = perf_writer_file(&writer);
		assert_false(seen_read_bytes(&seen, file, file->len));
		assert_non_null(strstr(seen.error->message, "cannot be inflated"));
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

/* Inflating could go on without end otherwise. */
static void compressed_records_may_not_hold_compressed_records(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	write_example(&writer, 3);
	perf_writer_compress(&writer, PERF_COMPRESSED2, 1000);
	perf_writer_compress(&writer, PERF_COMPRESSED2, 1000);
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_false(seen_read_bytes(&seen, file, file->len));
	assert_non_null(strstr(seen.error->message, "cannot be compressed"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* More than the inflater's blocks of a MiB, with records of sizes that do not divide it. */
static void large_compressed_recordings_are_whole(void **state)
{
	(void)state;
	enum { SAMPLES = 60000 };
	PerfWriter writer;
	Seen seen;
	write_example(&writer, SAMPLES);
	perf_writer_compress(&writer, PERF_COMPRESSED, 300000);
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.samples, SAMPLES);
	assert_int_equal(seen.summary.period_sum, 3 * SAMPLES);
	assert_int_equal(seen.summary.decode_errors, 0);
	assert_true(seen.in_order);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pipe_reads_like_a_file),
	        cmocka_unit_test(a_pipe_may_end_after_a_record_and_nowhere_else),
	        cmocka_unit_test(a_changed_byte_of_a_pipe_never_does_harm),
	        cmocka_unit_test(records_before_their_event_are_an_error),
	        cmocka_unit_test(events_are_renamed_by_update_records),
	        cmocka_unit_test(events_are_named_as_their_description_says),
	        cmocka_unit_test(ids_may_stand_in_the_description_alone),
	        cmocka_unit_test(data_after_a_record_are_skipped),
	        cmocka_unit_test(build_ids_may_be_records),
	        cmocka_unit_test(kinds_of_recordings_that_are_not_read_are_named),
	        cmocka_unit_test(the_recorders_last_words_in_a_pipe_are_no_record),
	        cmocka_unit_test(compressed_records_read_like_others),
	        cmocka_unit_test(records_that_are_not_compressed_may_stand_between),
	        cmocka_unit_test(a_compressed_record_without_its_end_is_an_error),
	        cmocka_unit_test(garbage_instead_of_a_compressed_piece_is_an_error),
	        cmocka_unit_test(compressed_records_may_not_hold_compressed_records),
	        cmocka_unit_test(large_compressed_recordings_are_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
