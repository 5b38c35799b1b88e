/* SPDX-License-Identifier: Apache-2.0 */
/* Real recordings, most of them made with hardware events, and what is known of them. */
#include "tests/profile/perfseen.h"

enum { MAX_TYPES = 16 };

typedef struct {
	const char *name, *machine, *event;
	guint64 frequency_hz, records, samples, period_sum;
	guint by_type[MAX_TYPES][2]; /* type, number of records; 0 ends */
} Known;

static void check(const Known *known)
{
	g_autofree char *path = shared_fixture("%s", known->name);
	Seen seen;
	assert_true(seen_read_file(&seen, path));
	assert_int_equal(seen.summary.records, known->records);
	assert_int_equal(seen.summary.samples, known->samples);
	assert_int_equal(seen.summary.period_sum, known->period_sum);
	for (guint i = 0; known->by_type[i][0] != 0; i++)
		assert_int_equal(seen.summary.by_type[known->by_type[i][0]], known->by_type[i][1]);
	assert_string_equal(seen.summary.machine, known->machine);
	const PerfDataEvent *event = &g_array_index(seen.summary.events, PerfDataEvent, 0);
	assert_string_equal(event->name, known->event);
	assert_string_equal(event->unit, "cycles");
	assert_int_equal(event->frequency_hz, known->frequency_hz);
	assert_int_equal(event->samples, known->samples);
	assert_int_equal(seen.summary.lost, 0);
	assert_int_equal(seen.summary.unknown, 0);
	assert_int_equal(seen.summary.unknown_ids, 0);
	assert_int_equal(seen.summary.decode_errors, 0);
	assert_true(seen.in_order);
	seen_clear(&seen);
}

static void a_recording_with_user_stacks_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"kdab-perfparser/vector_static_gcc/perf.data", "x86_64", "cycles", 4000, 209, 45, 11975357,
	        {{9, 45}, {1, 141}, {10, 13}, {3, 2}, {4, 1}, {68, 4}, {79, 1}, {73, 1}, {74, 1}}});
}

static void a_compressed_recording_with_user_stacks_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"kdab-perfparser/vector_static_gcc/perf.data.zstd", "x86_64", "cycles", 4000, 149, 34, 14945761,
	        {{9, 34}, {1, 92}, {10, 13}, {3, 2}, {4, 1}, {19, 1}, {68, 3}, {81, 3}, {79, 1}, {73, 1}, {74, 1}}});
}

static void a_recording_of_a_newer_perf_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){
	        "mstange-linux-perf-data/sleep.data", "x86_64", "cycles:Pu", 4000, 20, 7, 668601, {{9, 7}, {10, 4}}});
}

static void a_recording_compressed_in_the_newer_way_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"mstange-linux-perf-data/sleep.compressed2.data", "x86_64", "cycles:Pu", 4000, 20, 7, 692634,
	        {{9, 7}, {83, 1}}});
}

static void a_pipe_compressed_in_the_newer_way_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"mstange-linux-perf-data/sleep.compressed2.pipe.data", "x86_64", "cycles:P", 4000, 209, 7,
	        4949523, {{9, 7}, {1, 165}, {83, 1}}});
}

static void a_compressed_recording_of_another_machine_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"mstange-linux-perf-data/sleep.compressed.data", "aarch64", "cycles:P", 4000, 95, 8, 2201546,
	        {{9, 8}, {81, 1}}});
}

static void a_compressed_pipe_of_another_machine_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"mstange-linux-perf-data/sleep.compressed.pipe.data", "aarch64", "cycles:P", 4000, 118, 8,
	        2171147, {{9, 8}, {81, 1}}});
}

/* 146 pieces, of which seven end inside of a record, and a second event without samples. */
static void a_pipe_of_many_compressed_pieces_has_its_known_counts(void **state)
{
	(void)state;
	check(&(Known){"mstange-linux-perf-data/fibo.compressed2.pipe.data", "x86_64", "cycles:P", 997, 1783, 547,
	        942061728, {{9, 547}, {10, 814}, {7, 19}, {3, 23}, {4, 17}, {83, 146}, {64, 2}}});
}

static void count_user_stacks(gpointer data, const PerfDataRecord *record)
{
	enum { X86_STACK_POINTER = 7 };
	if (record->kind != PERF_DATA_SAMPLE)
		return;
	const PerfDataSample *sample = &record->sample;
	assert_non_null(sample->user_stack);
	assert_true(sample->user_stack_bytes == 8192 || sample->user_stack_bytes == 0);
	/* all but DS, ES, FS and GS */
	assert_int_equal(sample->user_registers.mask, 0xff0fff);
	assert_false(sample->user_registers.is_32bit);
	/* stacks of programs lie just below the end of the lower half of memory */
	assert_int_equal(sample->user_registers.values[X86_STACK_POINTER] >> 40, 0x7f);
	*(guint *)data += sample->user_stack_bytes > 0;
}

static void user_registers_and_stacks_are_found_after_the_chain(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		guint n_with_stack;
	} cases[] = {
	        /* the others, of 45 and 34, were taken before there was a stack to copy */
	        {"kdab-perfparser/vector_static_gcc/perf.data", 43},
	        {"kdab-perfparser/vector_static_gcc/perf.data.zstd", 24},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = shared_fixture("%s", cases[i].name);
		const PerfDataVisitor visitor = {.record = count_user_stacks};
		guint n_with_stack = 0;
		assert_true(perfdata_read(path, &visitor, &n_with_stack, NULL, NULL));
		assert_int_equal(n_with_stack, cases[i].n_with_stack);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_recording_with_user_stacks_has_its_known_counts),
	        cmocka_unit_test(a_compressed_recording_with_user_stacks_has_its_known_counts),
	        cmocka_unit_test(a_recording_of_a_newer_perf_has_its_known_counts),
	        cmocka_unit_test(a_recording_compressed_in_the_newer_way_has_its_known_counts),
	        cmocka_unit_test(a_pipe_compressed_in_the_newer_way_has_its_known_counts),
	        cmocka_unit_test(a_compressed_recording_of_another_machine_has_its_known_counts),
	        cmocka_unit_test(a_compressed_pipe_of_another_machine_has_its_known_counts),
	        cmocka_unit_test(a_pipe_of_many_compressed_pieces_has_its_known_counts),
	        cmocka_unit_test(user_registers_and_stacks_are_found_after_the_chain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
