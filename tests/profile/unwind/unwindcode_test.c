/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/profile/madeupprogram.h"

#include <fcntl.h>

/* --- what is remembered --- */

static void code_is_read_once(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_program(f, 2);
	follow_as_kernel(f);
	repair(f);
	guint n = f->n_read;
	repair(f);
	assert_int_equal(f->n_read, n);
}

static void the_same_path_of_another_build_is_another_file(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	guint n = f->n_read;
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
	record.mmap = (PerfDataMmap){.start = PROGRAM,
	        .length = MODULE_BYTES,
	        .path = "/bin/program",
	        .build_id = {1, 2, 3},
	        .build_id_length = 20};
	process_maps_apply(f->maps, &record);
	walk(f);
	assert_int_equal(f->n_read, n + 1);
}

static void one_unwinder_serves_several_recordings(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	guint n = f->n_read;
	process_maps_free(f->maps);
	f->maps = process_maps_new(NULL);
	map_module(f, LIBRARY, "/lib/library.so");
	map_module(f, PROGRAM, "/bin/program");
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	assert_int_equal(f->n_read, n);
}

static void the_first_reason_for_missing_rows_is_kept(void **state)
{
	Fixture *f = *state;
	put_callback(f, 12345);
	repair(f);
	assert_null(unwinder_problem(f->unwinder));
	f->is_unreadable = TRUE;
	map_module(f, PROGRAM, "/bin/other");
	repair(f);
	f->words[0] = 0;
	map_module(f, PROGRAM, "/bin/another");
	repair(f);
	g_autofree char *expected = g_strdup_printf("no. %u: /bin/other is gone", f->n_read - 1);
	assert_string_equal(unwinder_problem(f->unwinder)->message, expected);
}

static void memory_without_a_file_is_no_problem(void **state)
{
	Fixture *f = *state;
	f->is_unreadable = TRUE;
	map_module(f, PROGRAM, "/tmp/ffiAbCdEf (deleted)");
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	assert_int_equal(f->n_read, 1);
	assert_null(unwinder_problem(f->unwinder));
}

/* Files can be made to be slow. */
static void when_the_time_for_reading_is_used_up_the_rest_is_unknown(void **state)
{
	Fixture *f = *state;
	f->read_takes_us = 3000;
	unwinder_set_budget(f->unwinder, 1000);
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, ROOT);
	walk(f);
	assert_int_equal(f->n_read, 1);
	assert_non_null(strstr(unwinder_problem(f->unwinder)->message, "/bin/program"));
	walk(f);
	assert_int_equal(f->n_read, 1);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(PROGRAM, ROOT));
}

/* A byte that was known before made the whole row of its function unusable, so that each address was asked for. */
static void a_row_around_what_is_known_is_used(void **state)
{
	Fixture *f = *state;
	f->only = PLAIN * FUNCTION_BYTES + 0x80;
	f->words[4] = in(PROGRAM, ROOT);
	interrupt_at(f, PROGRAM + f->only, 1);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	guint n = f->n_read;
	f->only = 0;
	for (guint i = 0; i < FUNCTION_BYTES; i++) {
		interrupt_at(f, PROGRAM + PLAIN * FUNCTION_BYTES + i, 1);
		assert_int_equal(walk(f), UNWIND_COMPLETE);
	}
	assert_int_equal(f->n_read, n + 2);
}

/* --- a real stack: our own --- */

#ifdef __x86_64__

static gboolean read_file(gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	ObjectFile object;
	(void)data;
	if (!object_file_open(&object, file->path, error))
		return FALSE;
	unwind_rows_read(&object, file_offset, rows);
	object_file_close(&object);
	return TRUE;
}

/* Lines of /proc/self/maps: start-end rwxp offset device inode path */
static void map_ourselves(ProcessMaps *maps)
{
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents("/proc/self/maps", &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		guint64 start, end, offset;
		char executable, path[4096];
		if (sscanf(*line,
		            "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %*c%*c%c%*c %" G_GINT64_MODIFIER
		            "x %*s %*s %4095s",
		            &start, &end, &executable, &offset, path) != 5)
			continue;
		PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
		record.mmap =
		        (PerfDataMmap){.start = start, .length = end - start, .page_offset = offset, .path = path};
		record.mmap.is_data = executable != 'x';
		process_maps_apply(maps, &record);
	}
}

static Fixture *capturing;
static guint64 callers[2];

/* The registers here and now, and the stack above. */
static __attribute__((noinline)) void capture(void)
{
	Fixture *f = capturing;
	guint64 values[8] = {0};
	static guint64 all[11];
	static guint8 stack[16384];
	__asm__ volatile(
	        "movq %%rbx, %0\n\tmovq %%rbp, %1\n\tmovq %%rsp, %2\n\tleaq 0(%%rip), %%rax\n\tmovq %%rax, %3\n\t"
	        "movq %%r12, %4\n\tmovq %%r13, %5\n\tmovq %%r14, %6\n\tmovq %%r15, %7"
	        : "=m"(values[0]), "=m"(values[1]), "=m"(values[2]), "=m"(values[3]), "=m"(values[4]), "=m"(values[5]),
	        "=m"(values[6]), "=m"(values[7])
	        :
	        : "rax", "memory");
	/* perf's order; ax, r10 and r11 hold nothing of use here */
	const guint64 in_order[11] = {
	        0, values[0], values[1], values[2], values[3], 0, 0, values[4], values[5], values[6], values[7]};
	memcpy(all, in_order, sizeof all);
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	gssize n = pread(memory, stack, sizeof stack, (off_t)values[2]);
	close(memory);
	f->sample.registers = (PerfDataRegisters){.mask = unwind_registers_needed(UNWIND_X86_64), .values = all};
	f->sample.stack = stack;
	f->sample.stack_bytes = n > 0 ? (gsize)n : 0;
	f->sample.chain_length = 0;
}

static __attribute__((noinline)) int compare_and_capture(const void *one, const void *other)
{
	if (capturing->sample.stack_bytes == 0) {
		callers[0] = (guint64)(guintptr)__builtin_return_address(0);
		capture();
	}
	return *(const int *)one - *(const int *)other;
}

static __attribute__((noinline)) void sort_and_capture(void)
{
	int numbers[] = {3, 1, 2, 5, 4, 9, 7};
	callers[1] = (guint64)(guintptr)__builtin_return_address(0);
	qsort(numbers, G_N_ELEMENTS(numbers), sizeof *numbers, compare_and_capture);
	__asm__ volatile("" ::"r"(numbers) : "memory");
}

static gboolean has_address(const GArray *addresses, guint64 address)
{
	for (guint i = 0; i < addresses->len; i++)
		if (g_array_index(addresses, guint64, i) == address)
			return TRUE;
	return FALSE;
}

static void a_walk_through_the_c_library_finds_who_sorts(void **state)
{
	Fixture *f = *state;
	unwinder_free(f->unwinder);
	f->unwinder = unwinder_new_reading(read_file, NULL);
	map_ourselves(f->maps);
	f->sample.stack_bytes = 0;
	capturing = f;
	sort_and_capture();
	UnwindEnd end = walk(f);
	assert_true(end == UNWIND_COMPLETE || end == UNWIND_STACK_END);
	assert_true(f->addresses->len > 5);
	assert_true(has_address(f->addresses, callers[0]));
	assert_true(has_address(f->addresses, callers[1]));
	repair(f);
	assert_true(has_address(f->addresses, callers[1]));
}

#endif

/* --- hostile input --- */

static gboolean read_random(
        gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	GRand *random = data;
	(void)file;
	(void)error;
	for (guint i = g_rand_int(random) % 4; i > 0; i--) {
		UnwindRow row;
		for (gsize at = 0; at < sizeof row; at++)
			((guint8 *)&row)[at] = (guint8)(g_rand_int(random) % (at % 3 == 0 ? 5 : 256));
		row.start = file_offset - g_rand_int(random) % 8;
		row.end = row.start + g_rand_int(random) % 24;
		row.frame_kind %= 4;
		row.frame_register %= UNWIND_REGISTERS + 1;
		row.return_column %= UNWIND_REGISTERS + 1;
		row.frame_offset %= 64;
		for (guint k = 0; k < UNWIND_REGISTERS; k++)
			row.rules[k] = (UnwindRule){.kind = (guint8)(g_rand_int(random) % 7 == 0 ? 255 : k % 6),
			        .number = (guint8)(g_rand_int(random) % (UNWIND_REGISTERS + (i == 1))),
			        .offset = (gint32)g_rand_int(random) % 128};
		g_array_append_val(rows, row);
	}
	return g_rand_int(random) % 64 != 0;
}

static void randomize(Fixture *f, GRand *random)
{
	static const guint64 places[] = {PROGRAM, LIBRARY, STACK, 0, G_MAXUINT64 - 4096};
	guint64 *lists[] = {f->words, f->chain};
	for (guint list = 0; list < G_N_ELEMENTS(lists); list++)
		for (guint i = 0; i < G_N_ELEMENTS(f->words); i++)
			lists[list][i] = places[g_rand_int(random) % G_N_ELEMENTS(places)] + g_rand_int(random) % 600;
	interrupt_at(f, PROGRAM + g_rand_int(random) % MODULE_BYTES, g_rand_int(random) % 80);
	f->values[3] = g_rand_int(random);
	f->sample.stack_bytes = g_rand_int(random) % (sizeof f->words + 1);
	f->sample.chain_length = g_rand_int(random) % 64;
	f->sample.machine = g_rand_int(random) % 2 == 0 ? UNWIND_X86_64 : UNWIND_AARCH64;
	f->sample.registers.mask =
	        f->sample.machine == UNWIND_X86_64 ? 1 << 6 | 1 << 7 | 1 << 8 : G_GUINT64_CONSTANT(0xf) << 29;
}

static void random_rows_and_stacks_do_no_harm(void **state)
{
	Fixture *f = *state;
	g_autoptr(GRand) random = g_rand_new_with_seed(20);
	for (guint round = 0; round < 200; round++) {
		unwinder_free(f->unwinder);
		f->unwinder = unwinder_new_reading(read_random, random);
		for (guint i = 0; i < 100; i++) {
			randomize(f, random);
			UnwindEnd end = g_rand_int(random) % 2 == 0 ? walk(f) : repair(f);
			assert_true(end <= UNWIND_FAILED);
			assert_true(f->addresses->len > 0 && f->addresses->len <= 1024 + 64);
			assert_int_equal(g_array_index(f->addresses, guint64, 0),
			        f->sample.machine == UNWIND_X86_64 ? f->values[2] : f->values[3]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(code_is_read_once),
	        TEST(the_same_path_of_another_build_is_another_file),
	        TEST(one_unwinder_serves_several_recordings),
	        TEST(the_first_reason_for_missing_rows_is_kept),
	        TEST(memory_without_a_file_is_no_problem),
	        TEST(when_the_time_for_reading_is_used_up_the_rest_is_unknown),
	        TEST(a_row_around_what_is_known_is_used),
#ifdef __x86_64__
	        TEST(a_walk_through_the_c_library_finds_who_sorts),
#endif
	        TEST(random_rows_and_stacks_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
