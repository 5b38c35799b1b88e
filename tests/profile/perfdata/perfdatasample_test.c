/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatasample.h"

#include "core/error.h"
#include "tests/profile/perfseen.h"

static const guint64 chain[] = {PERF_DATA_MARKER_KERNEL, 0xffffffff81000010, PERF_DATA_MARKER_USER, 0x1010, 0x2020};
#define CHAIN .chain = chain, .chain_length = G_N_ELEMENTS(chain)

/* Reads one sample with more fields than usual; the values after them prove that they were read right. */
static void read_one(Seen *seen, PerfWriter *writer, const WrittenSample *sample)
{
	put_sample(writer, sample);
	seen_read(seen, writer, FALSE);
	assert_int_equal(seen->summary.decode_errors, 0);
	assert_int_equal(seen->summary.samples, 1);
	perf_writer_clear(writer);
}

static void assert_chain(const Seen *seen)
{
	assert_int_equal(seen->chain->len, G_N_ELEMENTS(chain));
	assert_memory_equal(seen->chain->data, chain, sizeof chain);
}

static void fields_before_the_call_chain_are_skipped(void **state)
{
	(void)state;
	const guint64 skipped = PERF_WRITER_ADDR | PERF_WRITER_INNER_ID | PERF_WRITER_STREAM_ID | PERF_WRITER_CPU;
	for (guint64 fields = 0; fields <= skipped; fields++) {
		PerfWriter writer;
		Seen seen;
		if ((fields & ~skipped) != 0)
			continue;
		perf_writer_init(&writer, 1);
		writer.sample_type |= fields;
		read_one(&seen, &writer, &(WrittenSample){.pid = 7, .time_ns = 30, .period = 500, CHAIN});
		assert_chain(&seen);
		assert_int_equal(seen.last_sample.sample.period, 500);
		assert_int_equal(seen.last_sample.sample.cpu, (fields & PERF_WRITER_CPU) != 0 ? 1 : -1);
		assert_int_equal(seen.last_sample.time_ns, 30);
		seen_clear(&seen);
	}
}

static void a_sample_without_period_counts_for_the_period_of_its_event(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 1);
	writer.sample_type &= ~(guint64)PERF_WRITER_PERIOD;
	read_one(&seen, &writer, &(WrittenSample){.time_ns = 1, CHAIN});
	assert_int_equal(seen.last_sample.sample.period, 1000);
	assert_chain(&seen);
	seen_clear(&seen);
}

/* Bits: 1 enabled, 2 running, 4 id, 8 group, 16 lost. */
static void counters_of_every_format_are_skipped(void **state)
{
	(void)state;
	enum { GROUP = 8, GROUP_SIZE = 3 };
	for (guint format = 0; format < 32; format++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) values = g_byte_array_new();
		guint times = (format & 1) + (format >> 1 & 1), per_value = 1 + (format >> 2 & 1) + (format >> 4 & 1);
		guint n_values = (format & GROUP) != 0 ? GROUP_SIZE : 1;
		if ((format & GROUP) != 0)
			put_u64(values, GROUP_SIZE);
		for (guint i = 0; i < times + n_values * per_value; i++)
			put_u64(values, 1000 + i);
		perf_writer_init(&writer, 1);
		writer.sample_type |= PERF_WRITER_READ;
		writer.read_format = format;
		read_one(&seen, &writer, &(WrittenSample){.time_ns = 1, .period = 5, .read_values = values, CHAIN});
		assert_chain(&seen);
		seen_clear(&seen);
	}
}

/* A sample of a group `{a,b}:S` whose leader, the event of id 100, shows `leader`, or of that event alone. */
static void put_counted(PerfWriter *writer, guint64 time_ns, guint64 leader)
{
	g_autoptr(GByteArray) values = g_byte_array_new();
	gboolean is_group = (writer->read_format & 8) != 0;
	if (is_group) {
		put_u64(values, 2);
		put_u64(values, 7777); /* enabled */
		put_u64(values, 31 * time_ns);
		put_u64(values, 101);
	}
	put_u64(values, leader);
	if (!is_group)
		put_u64(values, 7777);
	put_u64(values, 100);
	put_sample(writer, &(WrittenSample){.time_ns = time_ns, .period = 5000000, .read_values = values, CHAIN});
}

static void a_sample_with_counters_stands_for_what_its_own_advanced_by(void **state)
{
	(void)state;
	static const guint64 formats[] = {1 | 4, 1 | 4 | 8};
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
		PerfWriter writer;
		Seen seen;
		perf_writer_init(&writer, 2);
		writer.sample_type |= PERF_WRITER_READ;
		writer.read_format = formats[i];
		put_counted(&writer, 1, 1000);
		put_counted(&writer, 2, 1600);
		put_counted(&writer, 3, 1650);
		seen_read(&seen, &writer, FALSE);
		assert_int_equal(seen.summary.period_sum, 1650);
		assert_int_equal(seen.last_sample.sample.period, 50);
		assert_chain(&seen);
		seen_clear(&seen);
		/* one that went back says nothing */
		put_counted(&writer, 4, 10);
		put_counted(&writer, 5, 30);
		seen_read(&seen, &writer, FALSE);
		assert_int_equal(seen.summary.period_sum, 1650 + 5000000 + 20);
		assert_int_equal(seen.last_sample.sample.period, 20);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void a_group_larger_than_its_record_is_a_decode_error(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) values = g_byte_array_new();
	put_u64(values, G_MAXUINT64 / 2);
	perf_writer_init(&writer, 1);
	writer.sample_type |= PERF_WRITER_READ;
	writer.read_format = 8;
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .read_values = values, CHAIN});
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.decode_errors, 1);
	assert_int_equal(seen.summary.samples, 0);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void write_registers_and_stack(WrittenSample *sample, GByteArray *stack)
{
	static const guint64 registers[] = {11, 22, 0x7ffe00001000};
	for (guint i = 0; i < 4; i++)
		put_u64(stack, 0x1111 * i);
	sample->registers_abi = 2;
	sample->registers = registers;
	sample->n_registers = G_N_ELEMENTS(registers);
	sample->stack = stack;
	sample->stack_written_bytes = 24;
}

static void assert_registers_and_stack(const Seen *seen)
{
	assert_int_equal(seen->last_sample.sample.user_registers.mask, 1 << 1 | 1 << 4 | 1 << 7);
	assert_false(seen->last_sample.sample.user_registers.is_32bit);
	assert_int_equal(seen->registers->len, 3);
	assert_int_equal(g_array_index(seen->registers, guint64, 0), 11);
	assert_int_equal(g_array_index(seen->registers, guint64, 2), 0x7ffe00001000);
	assert_int_equal(seen->last_sample.sample.user_stack_bytes, 24);
	assert_int_equal(seen->stack->len, 24);
}

static void registers_and_stack_follow_raw_data_and_branches(void **state)
{
	(void)state;
	static const guint64 branches[][2] = {{1, 2}, {3, 4}};
	for (guint i = 0; i < 4; i++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) stack = g_byte_array_new(), raw = g_byte_array_new();
		WrittenSample sample = {.time_ns = 1, .raw = raw, .branches = branches, .n_branches = 2, CHAIN};
		put_u32(raw, 1);
		put_u64(raw, 2);
		perf_writer_init(&writer, 1);
		writer.sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK | ((i & 1) != 0 ? PERF_WRITER_RAW : 0) |
		                      ((i & 2) != 0 ? PERF_WRITER_BRANCHES : 0);
		writer.user_registers = 1 << 1 | 1 << 4 | 1 << 7;
		write_registers_and_stack(&sample, stack);
		read_one(&seen, &writer, &sample);
		assert_chain(&seen);
		assert_registers_and_stack(&seen);
		assert_null(seen.last_sample.sample.calls);
		seen_clear(&seen);
	}
}

static void a_sample_without_user_state_has_neither_registers_nor_stack(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 1);
	writer.sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
	writer.user_registers = 0xff;
	read_one(&seen, &writer, &(WrittenSample){.time_ns = 1, CHAIN});
	assert_int_equal(seen.last_sample.sample.user_registers.mask, 0);
	assert_null(seen.last_sample.sample.user_stack);
	seen_clear(&seen);
}

static void registers_of_a_32_bit_program_are_marked(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	const guint64 registers[] = {9};
	perf_writer_init(&writer, 1);
	writer.sample_type |= PERF_WRITER_REGISTERS;
	writer.user_registers = 1 << 8;
	read_one(&seen, &writer,
	        &(WrittenSample){.time_ns = 1, .registers_abi = 1, .registers = registers, .n_registers = 1, CHAIN});
	assert_true(seen.last_sample.sample.user_registers.is_32bit);
	assert_int_equal(g_array_index(seen.registers, guint64, 0), 9);
	seen_clear(&seen);
}

/* Bits: 11 call stack, 17 hardware index, 19 counters after the branches. */
static void call_stacks_of_the_processor_are_handed_out(void **state)
{
	(void)state;
	static const guint64 branches[][2] = {{0x1050, 0x2000}, {0x9050, 0x1000}};
	static const guint64 types[] = {1 << 11, 1 << 11 | 1 << 17, 1 << 11 | 1 << 17 | 1 << 19};
	for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) stack = g_byte_array_new();
		WrittenSample sample = {.time_ns = 1, .branches = branches, .n_branches = 2, CHAIN};
		perf_writer_init(&writer, 1);
		writer.sample_type |= PERF_WRITER_BRANCHES | PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
		writer.user_registers = 1 << 1 | 1 << 4 | 1 << 7;
		writer.branch_type = types[i];
		write_registers_and_stack(&sample, stack);
		read_one(&seen, &writer, &sample);
		assert_int_equal(seen.calls->len, 2);
		assert_int_equal(g_array_index(seen.calls, PerfDataBranch, 0).from, 0x1050);
		assert_int_equal(g_array_index(seen.calls, PerfDataBranch, 0).to, 0x2000);
		assert_int_equal(g_array_index(seen.calls, PerfDataBranch, 1).from, 0x9050);
		assert_registers_and_stack(&seen);
		seen_clear(&seen);
	}
}

static void a_sample_without_branches_may_lack_their_index(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) body = g_byte_array_new();
	perf_writer_init(&writer, 1);
	writer.sample_type |= PERF_WRITER_BRANCHES;
	writer.branch_type = 1 << 11 | 1 << 17;
	put_sample_head(writer.sample_type, body, &(WrittenSample){.time_ns = 4});
	put_u64(body, 0); /* chain */
	put_u64(body, 0); /* branches */
	put_record(&writer, 9, 2, body);
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.decode_errors, 0);
	assert_string_equal(seen.log->str, "sample@4 ");
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

/* Numbers are turned around, bytes of the stack stay as they are. */
static void the_other_order_of_bytes_reads_the_same(void **state)
{
	(void)state;
	static const guint64 branches[][2] = {{0x1050, 0x2000}};
	PerfWriter writer;
	Seen seen;
	g_autoptr(GByteArray) stack = g_byte_array_new(), raw = g_byte_array_new();
	WrittenSample sample = {.pid = 7, .time_ns = 30, .period = 500, .event = 1, .raw = raw, CHAIN};
	perf_writer_is_big_endian = TRUE;
	put_u32(raw, 0);
	sample.branches = branches;
	sample.n_branches = 1;
	perf_writer_init(&writer, 2);
	writer.sample_type |=
	        PERF_WRITER_RAW | PERF_WRITER_CPU | PERF_WRITER_BRANCHES | PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
	writer.user_registers = 1 << 1 | 1 << 4 | 1 << 7;
	writer.branch_type = 1 << 11;
	put_machine(&writer, "s390x");
	write_registers_and_stack(&sample, stack);
	put_sample(&writer, &sample);
	put_mmap(&writer, 7, 3, 0x1000, 0x2000, 0x3000, "/bin/prog");
	put_comm(&writer, 7, 10, "prog", TRUE);
	put_fork(&writer, 8, 7, 25);
	for (guint as_pipe = 0; as_pipe < 2; as_pipe++) {
		seen_read(&seen, &writer, as_pipe != 0);
		assert_string_equal(seen.log->str, "mmap@3 comm@10 fork@25 sample@30 ");
		assert_string_equal(seen.summary.machine, "s390x");
		assert_int_equal(seen.last_sample.pid, 7);
		assert_int_equal(seen.last_sample.sample.event, 1);
		assert_int_equal(seen.last_sample.sample.ip, 0xffffffff81000010);
		assert_int_equal(seen.last_sample.cpu_mode, PERF_DATA_CPU_USER);
		assert_chain(&seen);
		assert_registers_and_stack(&seen);
		assert_memory_equal(seen.stack->data, stack->data, 24);
		assert_int_equal(g_array_index(seen.calls, PerfDataBranch, 0).to, 0x2000);
		/* the flags of the attribute, which are bits */
		const PerfDataEvent *event = &g_array_index(seen.summary.events, PerfDataEvent, 0);
		assert_string_equal(event->name, "cpu-clock:u");
		assert_int_equal(event->period, 1000);
		assert_int_equal(event->frequency_hz, 0);
		seen_clear(&seen);
	}
	perf_writer_is_big_endian = FALSE;
	perf_writer_clear(&writer);
}

/* A compressed record may be of any size, and all that follow lie askew then. */
static void records_need_not_be_aligned(void **state)
{
	(void)state;
	for (guint askew = 1; askew < 8; askew++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) stack = g_byte_array_new(), body = g_byte_array_new();
		WrittenSample sample = {.time_ns = 1, CHAIN};
		g_byte_array_set_size(body, askew);
		memset(body->data, 0, askew);
		perf_writer_init(&writer, 1);
		writer.sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
		writer.user_registers = 1 << 1 | 1 << 4 | 1 << 7;
		write_registers_and_stack(&sample, stack);
		put_record(&writer, 68, 0, body);
		read_one(&seen, &writer, &sample);
		assert_chain(&seen);
		assert_registers_and_stack(&seen);
		seen_clear(&seen);
	}
}

static void attributes_of_every_version_are_read(void **state)
{
	(void)state;
	static const guint sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 1000};
	for (guint i = 0; i < 2 * G_N_ELEMENTS(sizes); i++) {
		PerfWriter writer;
		Seen seen;
		perf_writer_init(&writer, 2);
		writer.attr_bytes = sizes[i / 2];
		put_sample(&writer, &(WrittenSample){.time_ns = 7, .event = 1, .period = 5, CHAIN});
		seen_read(&seen, &writer, i % 2 != 0);
		assert_string_equal(seen.log->str, "sample@7 ");
		assert_int_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).samples, 1);
		assert_string_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).name, "task-clock:u");
		assert_chain(&seen);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void events_are_told_apart_by_an_id_anywhere(void **state)
{
	(void)state;
	static const guint64 cases[] = {PERF_WRITER_ID, PERF_WRITER_INNER_ID, PERF_WRITER_ID | PERF_WRITER_INNER_ID,
	        PERF_WRITER_INNER_ID | PERF_WRITER_ADDR | PERF_WRITER_STREAM_ID | PERF_WRITER_CPU};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		PerfWriter writer;
		Seen seen;
		perf_writer_init(&writer, 3);
		writer.sample_type = PERF_WRITER_SAMPLE_TYPE | cases[i];
		for (guint event = 0; event < 3; event++)
			put_sample(&writer, &(WrittenSample){.time_ns = 1 + event, .event = event, CHAIN});
		put_comm(&writer, 1, 9, "x", FALSE);
		seen_read(&seen, &writer, FALSE);
		assert_string_equal(seen.log->str, "sample@1 sample@2 sample@3 comm@9 ");
		for (guint event = 0; event < 3; event++)
			assert_int_equal(g_array_index(seen.summary.events, PerfDataEvent, event).samples, 1);
		assert_int_equal(seen.summary.unknown_ids, 0);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

static void an_unknown_id_counts_for_the_first_event(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 2);
	put_sample(&writer, &(WrittenSample){.time_ns = 1, .event = 77, CHAIN});
	seen_read(&seen, &writer, FALSE);
	assert_int_equal(seen.summary.unknown_ids, 1);
	assert_int_equal(g_array_index(seen.summary.events, PerfDataEvent, 0).samples, 1);
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void events_without_ids_cannot_be_told_apart(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 2);
	writer.sample_type = PERF_WRITER_SAMPLE_TYPE;
	put_sample(&writer, &(WrittenSample){.time_ns = 1, CHAIN});
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	assert_false(seen_read_bytes(&seen, file, file->len));
	assert_true(g_error_matches(seen.error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(seen.error->message, "told apart"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void ids_at_different_places_cannot_be_told_apart(void **state)
{
	(void)state;
	PerfWriter writer;
	Seen seen;
	perf_writer_init(&writer, 2);
	writer.sample_type = PERF_WRITER_SAMPLE_TYPE | PERF_WRITER_INNER_ID;
	put_sample(&writer, &(WrittenSample){.time_ns = 1, CHAIN});
	g_autoptr(GByteArray) file = perf_writer_file(&writer);
	/* the second event's sample_type gets ADDR, too */
	gsize second_attr = 104 + 2 * 8 + PERF_WRITER_ATTR_BYTES + 16;
	file->data[second_attr + 24] |= PERF_WRITER_ADDR;
	assert_false(seen_read_bytes(&seen, file, file->len));
	assert_non_null(strstr(seen.error->message, "same place"));
	seen_clear(&seen);
	perf_writer_clear(&writer);
}

static void guests_are_marked(void **state)
{
	(void)state;
	static const PerfDataCpuMode modes[] = {PERF_DATA_CPU_UNKNOWN, PERF_DATA_CPU_KERNEL, PERF_DATA_CPU_USER,
	        PERF_DATA_CPU_HYPERVISOR, PERF_DATA_CPU_GUEST_KERNEL, PERF_DATA_CPU_GUEST_USER, PERF_DATA_CPU_UNKNOWN};
	for (guint mode = 0; mode < G_N_ELEMENTS(modes); mode++) {
		PerfWriter writer;
		Seen seen;
		g_autoptr(GByteArray) body = g_byte_array_new();
		perf_writer_init(&writer, 1);
		put_sample_head(writer.sample_type, body, &(WrittenSample){.time_ns = 4});
		put_u64(body, 0);
		put_record(&writer, 9, (guint16)mode, body);
		seen_read(&seen, &writer, FALSE);
		assert_int_equal(seen.last_sample.cpu_mode, modes[mode]);
		seen_clear(&seen);
		perf_writer_clear(&writer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fields_before_the_call_chain_are_skipped),
	        cmocka_unit_test(a_sample_without_period_counts_for_the_period_of_its_event),
	        cmocka_unit_test(counters_of_every_format_are_skipped),
	        cmocka_unit_test(a_sample_with_counters_stands_for_what_its_own_advanced_by),
	        cmocka_unit_test(a_group_larger_than_its_record_is_a_decode_error),
	        cmocka_unit_test(registers_and_stack_follow_raw_data_and_branches),
	        cmocka_unit_test(a_sample_without_user_state_has_neither_registers_nor_stack),
	        cmocka_unit_test(registers_of_a_32_bit_program_are_marked),
	        cmocka_unit_test(call_stacks_of_the_processor_are_handed_out),
	        cmocka_unit_test(a_sample_without_branches_may_lack_their_index),
	        cmocka_unit_test(the_other_order_of_bytes_reads_the_same),
	        cmocka_unit_test(records_need_not_be_aligned),
	        cmocka_unit_test(attributes_of_every_version_are_read),
	        cmocka_unit_test(events_are_told_apart_by_an_id_anywhere),
	        cmocka_unit_test(an_unknown_id_counts_for_the_first_event),
	        cmocka_unit_test(events_without_ids_cannot_be_told_apart),
	        cmocka_unit_test(ids_at_different_places_cannot_be_told_apart),
	        cmocka_unit_test(guests_are_marked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
