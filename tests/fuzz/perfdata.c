/* SPDX-License-Identifier: Apache-2.0 */
/* The perf.data reader, through the whole way to folded stacks. Module paths in the input are opened read-only.
 *
 * An input is a whole recording, or else one byte that says how to wrap the rest, which are records: as a file or a
 * pipe, compressed or not, of either order of bytes. So inputs that make no sense to zstd still reach what comes after
 * it. A corpus without recordings that make sense is given some; tests/fuzz/seeds.sh adds those of perf. */
#include "profile/fold/foldperf.h"
#include "tests/profile/perfcompress.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	WRAP_PIPE = 1,
	WRAP_COMPRESSED = 2,
	WRAP_COMPRESSED2 = 4,
	WRAP_BIG_ENDIAN = 8,
	WRAP_SMALL_PIECES = 16,
	WRAP_TWO_EVENTS = 32,
	WRAP_USER_STATE = 64,
	WRAP_CALLS = 128,
};

static void init_writer(PerfWriter *writer, guint8 wrap)
{
	perf_writer_is_big_endian = (wrap & WRAP_BIG_ENDIAN) != 0;
	perf_writer_init(writer, (wrap & WRAP_TWO_EVENTS) != 0 ? 2 : 1);
	if ((wrap & WRAP_USER_STATE) != 0) {
		writer->sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
		writer->user_registers = 0xff0fff;
	}
	if ((wrap & WRAP_CALLS) != 0) {
		writer->sample_type |= PERF_WRITER_BRANCHES | PERF_WRITER_READ | PERF_WRITER_RAW;
		writer->branch_type = 1 << 11 | 1 << 17;
		writer->read_format = 0x1f;
	}
	put_machine(writer, "x86_64");
	put_this_machine(writer); /* else no object file is looked at */
}

/* Clears the writer. */
static GByteArray *wrap_records(PerfWriter *writer, guint8 wrap)
{
	guint piece_bytes = (wrap & WRAP_SMALL_PIECES) != 0 ? 20 : 4096;
	if ((wrap & (WRAP_COMPRESSED | WRAP_COMPRESSED2)) != 0)
		perf_writer_compress(
		        writer, (wrap & WRAP_COMPRESSED) != 0 ? PERF_COMPRESSED : PERF_COMPRESSED2, piece_bytes);
	GByteArray *bytes = (wrap & WRAP_PIPE) != 0 ? perf_writer_pipe(writer) : perf_writer_file(writer);
	perf_writer_clear(writer);
	return bytes;
}

static void put_example_records(PerfWriter *writer)
{
	static const guint64 chain[] = {(guint64)-128, 0xffffffff81000010, (guint64)-512, 0x401010, 0x402020};
	static const guint64 branches[][2] = {{0x401020, 0x402000}, {0x402020, 0x401000}};
	guint64 registers[20] = {0};
	g_autoptr(GByteArray) values = g_byte_array_new(), raw = g_byte_array_new(), stack = g_byte_array_new();
	const guint64 counters[] = {1, 10, 10, 5, 100, 0};
	for (guint i = 0; i < G_N_ELEMENTS(counters); i++)
		put_u64(values, counters[i]);
	put_u32(raw, 1);
	for (guint i = 0; i < 8; i++)
		put_u64(stack, 0x401000 + i);
	put_comm(writer, 7, 1, "prog", TRUE);
	put_mmap(writer, 7, 2, 0x400000, 0x10000, 0, "/bin/true");
	put_fork(writer, 8, 7, 3);
	put_switch(writer, 7, 4, 1 << 13);
	for (guint i = 0; i < 3; i++)
		put_sample(writer, &(WrittenSample){.pid = 7,
		                           .time_ns = 9 - i,
		                           .period = 1000,
		                           .chain = chain,
		                           .chain_length = G_N_ELEMENTS(chain),
		                           .read_values = values,
		                           .raw = raw,
		                           .branches = branches,
		                           .n_branches = G_N_ELEMENTS(branches),
		                           .registers_abi = 2,
		                           .registers = registers,
		                           .n_registers = G_N_ELEMENTS(registers),
		                           .stack = stack,
		                           .stack_written_bytes = stack->len});
	put_lost(writer, 1);
}

/* Each as a whole recording and as records to be wrapped. */
static void write_seed(const char *folder, guint8 wrap)
{
	PerfWriter writer;
	g_autofree char *whole = g_strdup_printf("%s/whole-%02x", folder, wrap);
	g_autofree char *wrapped = g_strdup_printf("%s/records-%02x", folder, wrap);
	init_writer(&writer, wrap);
	put_example_records(&writer);
	g_autoptr(GByteArray) records = g_byte_array_new();
	g_byte_array_append(records, &wrap, 1);
	g_byte_array_append(records, writer.records->data, writer.records->len);
	g_autoptr(GByteArray) bytes = wrap_records(&writer, wrap);
	g_file_set_contents(wrapped, (const char *)records->data, records->len, NULL);
	g_file_set_contents(whole, (const char *)bytes->data, bytes->len, NULL);
}

/* The corpus is the last argument that is a directory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *folder = *argc > 1 ? (*argv)[*argc - 1] : "";
	g_autofree char *first = g_build_filename(folder, "whole-00", NULL);
	gboolean is_wanted = g_file_test(folder, G_FILE_TEST_IS_DIR) && !g_file_test(first, G_FILE_TEST_EXISTS);
	for (guint wrap = 0; is_wanted && wrap <= G_MAXUINT8; wrap++)
		write_seed(folder, (guint8)wrap);
	return 0;
}

static void fold(const guint8 *data, gsize size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(PerfFold) folded = perf_fold_new(table);
	g_autoptr(Profile) profile = profile_new(table, "", "");
	RunQuality quality;
	profile_add_run(profile);
	if (write(fd, data, size) == (ssize_t)size && perf_fold_add(folded, path, profile, 0, NULL, &quality, NULL))
		perf_fold_finish(folded, NULL, NULL);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	PerfWriter writer;
	if (size < 2 || data[0] == 'P' || (data[0] == '2' && data[1] == 'E')) {
		fold(data, size);
		return 0;
	}
	init_writer(&writer, data[0]);
	put_bytes(writer.records, data + 1, size - 1);
	g_autoptr(GByteArray) bytes = wrap_records(&writer, data[0]);
	fold(bytes->data, bytes->len);
	return 0;
}
