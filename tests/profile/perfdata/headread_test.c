/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/headread.h"

#include "tests/profile/perfseen.h"

#include <glib/gstdio.h>

enum { FEATURE_CMDLINE = 11 };

static void put_command(PerfWriter *writer, const char *const *words, guint32 n)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	put_u32(content, n);
	for (guint i = 0; words[i] != NULL; i++)
		put_string(content, words[i]);
	put_feature(writer, FEATURE_CMDLINE, content);
}

static RecordingHead *head_of(const PerfWriter *writer)
{
	g_autoptr(GByteArray) content = perf_writer_file(writer);
	g_autofree char *path = write_temporary(content, content->len);
	RecordingHead *head = head_read(path);
	g_unlink(path);
	return head;
}

static void a_recording_says_where_and_of_what_it_was_made(void **state)
{
	static const char *const words[] = {"perf", "record", "./lexi", NULL};
	(void)state;
	PerfWriter writer;
	perf_writer_init(&writer, 1);
	put_origin(&writer, "bench-7", "6.1.0");
	put_machine(&writer, "s390x");
	put_command(&writer, words, 3);
	put_sample(&writer, &(WrittenSample){.pid = 7, .time_ns = 30, .period = 500});
	g_autoptr(RecordingHead) head = head_of(&writer);
	assert_string_equal(head->host, "bench-7");
	assert_string_equal(head->kernel_release, "6.1.0");
	assert_string_equal(head->machine, "s390x");
	assert_string_equal(head->command, "perf record ./lexi");
	assert_int_equal(head->events->len, 1);
	assert_int_equal(g_array_index(head->events, RecordedEvent, 0).samples, 1);
	perf_writer_clear(&writer);
}

static void only_events_with_samples_are_in_it(void **state)
{
	(void)state;
	PerfWriter writer;
	perf_writer_init(&writer, 3);
	for (guint i = 0; i < 3; i++)
		put_sample(&writer, &(WrittenSample){.pid = 7, .time_ns = 30 + i, .event = i == 1 ? 0 : i});
	g_autoptr(RecordingHead) head = head_of(&writer);
	assert_int_equal(head->events->len, 2);
	assert_int_equal(g_array_index(head->events, RecordedEvent, 0).samples, 2);
	assert_null(head->command);
	perf_writer_clear(&writer);
}

/* A damaged list of words costs only itself. */
static void a_command_that_is_cut_off_is_not_told(void **state)
{
	static const char *const words[] = {"perf", NULL};
	(void)state;
	PerfWriter writer;
	perf_writer_init(&writer, 1);
	put_command(&writer, words, 4000000000u);
	put_sample(&writer, &(WrittenSample){.pid = 7, .time_ns = 30});
	g_autoptr(RecordingHead) head = head_of(&writer);
	assert_non_null(head);
	assert_null(head->command);
	perf_writer_clear(&writer);
}

static void a_file_that_is_no_recording_has_no_head(void **state)
{
	(void)state;
	assert_null(head_read("/proc/self/exe"));
	assert_null(head_read("/nowhere"));
	assert_null(head_read("/"));
	assert_null(head_read("-"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_recording_says_where_and_of_what_it_was_made),
	        cmocka_unit_test(only_events_with_samples_are_in_it),
	        cmocka_unit_test(a_command_that_is_cut_off_is_not_told),
	        cmocka_unit_test(a_file_that_is_no_recording_has_no_head),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
