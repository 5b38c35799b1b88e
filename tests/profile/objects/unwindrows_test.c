/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/unwindrows.h"

#include "tests/profile/compiled.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* A function that calls, so that it has a frame, and one that realigns the stack. */
static const char program[] =
        "#include <stdlib.h>\n"
        "volatile int sink;\n"
        "__attribute__((noinline)) void work(int n) { volatile char space[64]; space[n & 63] = 1; sink += abs(n); }\n"
        "__attribute__((noinline)) void twice(int n) { work(n); work(n + 1); if (n > 3) work(3); }\n"
        "__attribute__((noinline)) void aligned(int n)\n"
        "{ _Alignas(64) volatile char space[64]; volatile char more[n]; space[n & 63] = 1; more[0] = 1; twice(n); }\n"
        "int main(int argc, char **argv) { (void)argv; aligned(argc); exit(sink > 0); }\n";

static const char bare[] = "int add(int n) { volatile int m = n; return m + 1; }\n"
                           "void _start(void) { for (;;) add(1); }\n";

static char *folder;

static int make_folder(void **state)
{
	(void)state;
	folder = new_folder();
	return 0;
}

static int drop_folder(void **state)
{
	(void)state;
	remove_folder(folder);
	g_free(folder);
	return 0;
}

static char *compile_c(const char *options, const char *text)
{
	char *path = compile(folder, "gcc", options, "program.c", text, "program");
	if (path == NULL) {
		print_message("skipped: gcc cannot compile with %s\n", options);
		skip();
	}
	return path;
}

static GArray *read_rows(const char *path, guint64 offset)
{
	ObjectFile file;
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	assert_true(object_file_open(&file, path, NULL));
	unwind_rows_read(&file, offset, rows);
	object_file_close(&file);
	return rows;
}

static const UnwindRow *row_at(const GArray *rows, guint64 offset)
{
	const UnwindRow *found = NULL;
	for (guint i = 0; i < rows->len; i++) {
		const UnwindRow *row = &g_array_index(rows, UnwindRow, i);
		assert_true(row->start < row->end);
		assert_true(i == 0 || row[-1].end <= row->start);
		if (offset >= row->start && offset < row->end)
			found = row;
	}
	assert_non_null(found);
	return found;
}

/* --- readelf, which knows nothing of our code, as the judge --- */

static void assert_frame(const UnwindRow *row, const char *expected)
{
	/* of x86-64 and of aarch64, which have no name in common */
	static const struct {
		const char *name;
		guint8 number;
	} registers[] = {{"rsp", 7}, {"rbp", 6}, {"r10", 10}, {"rbx", 3}, {"rax", 0}, {"rcx", 2}, {"rdi", 5},
	        {"sp", 31}, {"x29", 29}, {"x9", 9}, {"x16", 16}};
	gsize length = strcspn(expected, "+-");
	for (guint i = 0; i < G_N_ELEMENTS(registers); i++) {
		if (strlen(registers[i].name) != length || strncmp(expected, registers[i].name, length) != 0)
			continue;
		assert_int_equal(row->frame_kind, UNWIND_FRAME_REGISTER);
		assert_int_equal(row->frame_register, registers[i].number);
		assert_int_equal(row->frame_offset, atoi(expected + length));
	}
}

/* Compares the frame of each row that readelf prints; returns how many there were. */
static guint compare_with_readelf(const char *path)
{
	g_autofree char *table = NULL;
	const char *const argv[] = {"readelf", "-wNF", path, NULL};
	ObjectFile file;
	guint n = 0;
	assert_true(run_command(argv, &table));
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
	assert_true(object_file_open(&file, path, NULL));
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	for (char **line = lines; *line != NULL; line++) {
		guint64 location, address;
		char frame[32];
		if (sscanf(*line, "%16" G_GINT64_MODIFIER "x %31[a-z0-9+-]", &location, frame) != 2 ||
		        (*line)[16] != ' ' || strspn(*line, "0123456789abcdef") != 16 || location == 0 ||
		        !object_file_address(&file, location, &address) || address != location)
			continue;
		g_array_set_size(rows, 0);
		unwind_rows_read(&file, location, rows);
		const UnwindRow *row = row_at(rows, location);
		assert_int_equal(row->start, location);
		assert_frame(row, frame);
		n++;
	}
	object_file_close(&file);
	return n;
}

static void rows_of_a_program_agree_with_readelf(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2", program);
	assert_true(compare_with_readelf(path) > 12);
}

/* The address to return to, and with it the words of the stack, may be signed in such programs. */
static void rows_of_a_program_of_aarch64_agree_with_readelf(void **state)
{
	(void)state;
	g_autofree char *path = compile(
	        folder, "aarch64-linux-gnu-gcc", "-O2 -mbranch-protection=standard", "program.c", program, "program");
	if (path == NULL) {
		print_message("skipped: no compiler for aarch64\n");
		skip();
	}
	assert_true(compare_with_readelf(path) > 12);
}

static void rows_of_the_c_library_agree_with_readelf(void **state)
{
	Dl_info info;
	(void)state;
	assert_int_not_equal(dladdr((void *)(guintptr)qsort, &info), 0);
	if (!have_program("readelf") || !g_path_is_absolute(info.dli_fname)) {
		print_message("skipped: readelf or the C library is not at hand\n");
		skip();
	}
	assert_true(compare_with_readelf(info.dli_fname) > 1000);
}

/* --- where rows come from --- */

static void a_static_program_without_an_index_of_frames_has_rows(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2 -static -Wl,--no-eh-frame-hdr", program);
	g_autofree char *table = NULL;
	const char *const argv[] = {"readelf", "-sW", path, NULL};
	guint64 address = 0;
	assert_true(run_command(argv, &table));
	const char *line = strstr(table, " twice\n");
	assert_non_null(line);
	while (line > table && line[-1] != '\n')
		line--;
	assert_int_equal(sscanf(line, " %*d: %" G_GINT64_MODIFIER "x", &address), 1);
	g_autoptr(GArray) rows = read_rows(path, address - 0x400000);
	assert_int_equal(row_at(rows, address - 0x400000)->frame_kind, UNWIND_FRAME_REGISTER);
}

static void debug_frame_is_the_second_source(void **state)
{
	(void)state;
	const char *options = "-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables";
	g_autofree char *path = compile_c(options, program);
	Extent extent = find_function(path, "twice");
	g_autoptr(GArray) rows = read_rows(path, extent.offset);
	assert_int_equal(row_at(rows, extent.offset)->frame_kind, UNWIND_FRAME_REGISTER);
	assert_true(rows->len > 1);
}

static void a_file_without_frame_information_is_unknown_as_a_whole(void **state)
{
	(void)state;
	g_autofree char *path = compile_c(
	        "-O1 -nostdlib -static -fno-asynchronous-unwind-tables -fno-unwind-tables -fcf-protection=none", bare);
	ObjectFile file;
	GElf_Ehdr header;
	guint64 address, offset;
	assert_true(object_file_open(&file, path, NULL));
	assert_non_null(gelf_getehdr(file.elf, &header));
	offset = header.e_entry - 0x400000; /* where static programs begin, on x86-64 and aarch64 */
	assert_true(object_file_address(&file, offset, &address));
	object_file_close(&file);
	g_autoptr(GArray) rows = read_rows(path, offset);
	assert_int_equal(rows->len, 1);
	assert_int_equal(row_at(rows, offset)->frame_kind, UNWIND_FRAME_UNKNOWN);
	assert_true(row_at(rows, offset)->end > offset + 8);
}

static void an_offset_that_is_no_code_is_unknown(void **state)
{
	static const guint64 offsets[] = {0, 8, 1 << 30, G_MAXUINT64 - 1};
	(void)state;
	g_autofree char *path = compile_c("-O2", program);
	for (guint i = 0; i < G_N_ELEMENTS(offsets); i++) {
		g_autoptr(GArray) rows = read_rows(path, offsets[i]);
		assert_int_equal(rows->len, 1);
		assert_int_equal(row_at(rows, offsets[i])->frame_kind, UNWIND_FRAME_UNKNOWN);
	}
}

static void rows_are_appended(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2", program);
	Extent extent = find_function(path, "twice");
	ObjectFile file;
	UnwindRow first = {.start = 1, .end = 2};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_array_append_val(rows, first);
	assert_true(object_file_open(&file, path, NULL));
	unwind_rows_read(&file, extent.offset + 1, rows);
	object_file_close(&file);
	assert_true(rows->len > 2);
	assert_int_equal(g_array_index(rows, UnwindRow, 0).start, 1);
}

#ifdef __x86_64__

enum { RBP = 6, RSP = 7, RIP = 16 };

/* --- expressions --- */

static void a_function_saves_its_return_address_at_the_top_of_its_frame(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2 -fno-omit-frame-pointer", program);
	Extent extent = find_function(path, "twice");
	g_autoptr(GArray) rows = read_rows(path, extent.offset);
	const UnwindRow *entry = row_at(rows, extent.offset), *body = row_at(rows, extent.offset + 6);
	assert_int_equal(entry->return_column, RIP);
	assert_int_equal(entry->rules[RIP].kind, UNWIND_AT_FRAME);
	assert_int_equal(entry->rules[RIP].offset, -8);
	assert_int_equal(entry->rules[RBP].kind, UNWIND_SAME);
	assert_int_equal(entry->rules[RSP].kind, UNWIND_IS_FRAME);
	assert_int_equal(body->frame_register, RBP);
	assert_int_equal(body->rules[RBP].kind, UNWIND_AT_FRAME);
	assert_int_equal(body->rules[RBP].offset, -16);
}

static void a_realigned_stack_has_its_frame_in_memory(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2", program);
	g_autofree char *table = NULL;
	const char *const argv[] = {"readelf", "-wNf", path, NULL};
	Extent extent = find_function(path, "aligned");
	assert_true(run_command(argv, &table));
	if (strstr(table, "DW_CFA_def_cfa_expression (DW_OP_breg6 (rbp): -8; DW_OP_deref)") == NULL) {
		print_message("skipped: this compiler realigns the stack without moving its frame\n");
		skip();
	}
	guint n = 0;
	g_autoptr(GArray) rows = read_rows(path, extent.offset);
	for (guint i = 0; i < rows->len; i++) {
		const UnwindRow *row = &g_array_index(rows, UnwindRow, i);
		if (row->frame_kind != UNWIND_FRAME_MEMORY)
			continue;
		assert_int_equal(row->frame_register, RBP);
		assert_int_equal(row->frame_offset, -8);
		assert_int_equal(row->rules[RBP].kind, UNWIND_AT_REGISTER);
		n++;
	}
	assert_true(n > 0);
}

static void stubs_of_the_procedure_linkage_table_have_their_own_kind(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2 -Wl,-z,lazy", program);
	g_autofree char *table = NULL;
	const char *const argv[] = {"readelf", "-SW", path, NULL};
	guint64 offset = 0;
	assert_true(run_command(argv, &table));
	const char *line = strstr(table, " .plt ");
	assert_non_null(line);
	assert_int_equal(sscanf(line, " .plt PROGBITS %*x %" G_GINT64_MODIFIER "x", &offset), 1);
	g_autoptr(GArray) rows = read_rows(path, offset + 16);
	assert_int_equal(row_at(rows, offset + 16)->frame_kind, UNWIND_FRAME_PLT);
	assert_int_equal(row_at(rows, offset + 16)->frame_offset, 11);
	assert_int_equal(row_at(rows, offset)->frame_kind, UNWIND_FRAME_REGISTER);
}

/* Each row takes one more run through the function up to it, so that a hundred of them stalled a recording. */
static void of_a_function_with_a_million_rows_only_the_asked_one_is_read(void **state)
{
	static const char monster[] =
	        "__asm__(\".text\\n.globl monster\\n.type monster,@function\\nmonster: .cfi_startproc\\n\"\n"
	        "\".rept 500000\\nnop\\n.cfi_def_cfa_offset 24\\nnop\\n.cfi_def_cfa_offset 16\\n.endr\\n\"\n"
	        "\"ret\\n.cfi_endproc\\n.size monster,1\\n\");\n"
	        "int main(void) { return 0; }\n";
	(void)state;
	g_autofree char *path = compile_c("-O2", monster);
	Extent extent = find_function(path, "monster");
	assert_int_equal(extent.size, 1);
	guint64 asked = extent.offset + 900001;
	g_autoptr(GArray) rows = read_rows(path, asked);
	assert_int_equal(rows->len, 1);
	assert_true(row_at(rows, asked)->start == asked && row_at(rows, asked)->end > asked);
	assert_int_equal(row_at(rows, asked)->frame_offset, 24);
}

static void on_signal(int number)
{
	(void)number;
}

/* As the kernel takes it: the C library says here where signal handlers return to. */
typedef struct {
	guintptr handler, flags, restorer;
	guint64 mask;
} KernelAction;

static void a_signal_frame_has_all_registers_in_memory(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = on_signal}, before;
	KernelAction kernel = {0};
	Dl_info info;
	assert_int_equal(sigaction(SIGUSR2, &action, &before), 0);
	assert_int_equal(syscall(SYS_rt_sigaction, SIGUSR2, NULL, &kernel, sizeof kernel.mask), 0);
	sigaction(SIGUSR2, &before, NULL);
	if (dladdr((void *)kernel.restorer, &info) == 0 || strstr(info.dli_fname, "libc") == NULL) {
		print_message("skipped: signal handlers do not return to the C library\n");
		skip();
	}
	guint64 offset = kernel.restorer - (guintptr)info.dli_fbase;
	g_autoptr(GArray) rows = read_rows(info.dli_fname, offset);
	const UnwindRow *row = row_at(rows, offset);
	assert_true(row->is_signal);
	assert_int_equal(row->frame_kind, UNWIND_FRAME_MEMORY);
	assert_int_equal(row->frame_register, RSP);
	assert_int_equal(row->rules[RIP].kind, UNWIND_AT_REGISTER);
	assert_int_equal(row->rules[RIP].number, RSP);
	assert_int_equal(row->rules[RIP].offset, row->rules[RSP].offset + 8);
}

static void the_first_function_of_a_process_has_no_caller(void **state)
{
	(void)state;
	g_autofree char *path = compile_c("-O2", program);
	Extent extent = find_function(path, "_start");
	g_autoptr(GArray) rows = read_rows(path, extent.offset);
	const UnwindRow *row = row_at(rows, extent.offset + 4);
	assert_int_equal(row->rules[row->return_column].kind, UNWIND_UNDEFINED);
}

#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(rows_of_a_program_agree_with_readelf),
	        TEST(rows_of_a_program_of_aarch64_agree_with_readelf),
	        TEST(rows_of_the_c_library_agree_with_readelf),
	        TEST(a_static_program_without_an_index_of_frames_has_rows),
	        TEST(debug_frame_is_the_second_source),
	        TEST(a_file_without_frame_information_is_unknown_as_a_whole),
	        TEST(an_offset_that_is_no_code_is_unknown),
	        TEST(rows_are_appended),
#ifdef __x86_64__
	        TEST(a_function_saves_its_return_address_at_the_top_of_its_frame),
	        TEST(a_realigned_stack_has_its_frame_in_memory),
	        TEST(stubs_of_the_procedure_linkage_table_have_their_own_kind),
	        TEST(of_a_function_with_a_million_rows_only_the_asked_one_is_read),
	        TEST(a_signal_frame_has_all_registers_in_memory),
	        TEST(the_first_function_of_a_process_has_no_caller),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
