/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/framefinder.h"

#include "profile/objects/vdso.h"
#include "profile/perfdata/perfmap.h"
#include "tests/profile/foldexample.h"
#include "tests/profile/jitdumpwriter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#define CODE_AT G_GUINT64_CONSTANT(0x10000000)

/* The name of a sample of process 7 at an address, after its command. */
static void add_code(Example *e, gint32 pid, const char *path)
{
	put_mmap(&e->writer, pid, 3, CODE_AT, 0x10000, 0, path);
}

static void put_maps(Example *e, gint32 pid, const char *text)
{
	g_autoptr(GByteArray) feature = g_byte_array_new();
	g_autoptr(GBytes) content = g_bytes_new(text, strlen(text));
	perf_maps_append(feature, pid, content);
	put_feature(&e->writer, PERF_MAPS_FEATURE, feature);
}

static void generated_code_has_the_names_of_the_perf_map(void **state)
{
	Example *e = *state;
	static const char *const paths[] = {
	        "//anon", "/memfd:code (deleted)", "/dev/zero (deleted)", "[heap]", "/tmp/gone-code (deleted)"};
	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		*state = e;
		add_code(e, 7, paths[i]);
		put_maps(e, 7, "10000100 10 parse app.js:1\n10000200 10 emit\n");
		ADD_SAMPLE(e, 10, USER, CODE_AT + 0x100, CODE_AT + 0x210, CODE_AT + 0x205);
		g_autofree char *text = fold_to_text(e, NULL, NULL);
		assert_string_equal(text, "my_prog;emit;emit;parse app.js:1 10\n");
		FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
		assert_int_equal(stack_table_get_frame(e->table, leaf)->kind, FRAME_JIT);
		assert_string_equal(stack_table_frame_module(e->table, leaf), "[jit]");
	}
}

static void generated_code_without_a_name_is_counted_as_unknown(void **state)
{
	Example *e = *state;
	RunQuality quality;
	add_code(e, 7, "//anon");
	ADD_SAMPLE(e, 10, USER, CODE_AT + 0x100, CODE_AT + 0x110);
	g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_string_equal(text, "my_prog;[unknown];[unknown] 10\n");
	assert_int_equal(quality.unknown_leaf, 1);
	assert_int_equal(quality.user_frames, 2);
	assert_int_equal(quality.unknown_frames, 2);
}

static void the_code_of_an_object_file_is_not_looked_up_in_maps(void **state)
{
	Example *e = *state;
	need_program(e);
	put_maps(e, 7, "400000000 100000 wrong\n");
	ADD_SAMPLE(e, 10, USER, e->leaf);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;leaf 10\n");
}

static void a_map_in_the_recording_wins_over_one_in_tmp(void **state)
{
	Example *e = *state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	assert_true(g_file_set_contents(path, "10000000 10000 in_tmp\n", -1, NULL));
	const guint64 chain[] = {USER, CODE_AT};
	add_code(e, pid, "//anon");
	put_sample(&e->writer,
	        &(WrittenSample){.pid = pid, .time_ns = 10, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *from_tmp = fold_to_text(e, NULL, NULL);
	put_maps(e, pid, "10000000 10000 recorded\n");
	g_autofree char *both = fold_to_text(e, NULL, NULL);
	g_unlink(path);
	assert_string_equal(from_tmp, "[unknown];in_tmp 10\n");
	assert_non_null(strstr(both, "recorded 10"));
}

/* The number of the process is another's by now, which may have a map. */
static void a_recording_that_carries_maps_has_no_others(void **state)
{
	Example *e = *state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	g_autoptr(GByteArray) empty = g_byte_array_new();
	assert_true(g_file_set_contents(path, "10000000 10000 impostor\n", -1, NULL));
	const guint64 chain[] = {USER, CODE_AT};
	add_code(e, pid, "//anon");
	put_feature(&e->writer, PERF_MAPS_FEATURE, empty);
	put_sample(&e->writer,
	        &(WrittenSample){.pid = pid, .time_ns = 10, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	g_unlink(path);
	assert_string_equal(text, "[unknown];[unknown] 10\n");
}

static void set_mtime(const char *path, gint64 seconds_from_now)
{
	const struct utimbuf times = {time(NULL) + seconds_from_now, time(NULL) + seconds_from_now};
	assert_int_equal(g_utime(path, (struct utimbuf *)&times), 0);
}

static void without_a_build_id_a_file_that_was_changed_later_gives_no_names(void **state)
{
	Example *e = *state;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf);
	set_mtime(e->program, 60);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(add_recording(e, fold, NULL, NULL, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, "my_prog;[unknown] 10\n");
	assert_true(finding_has(findings, "module_not_readable"));
	const char *reason = finding_get(findings, 1)->text;
	assert_true(g_str_has_suffix(reason, "prog (changed since it was recorded, and has no build-id)"));
}

/* A directory that the user names is meant. */
static void a_younger_file_below_another_directory_will_do(void **state)
{
	Example *e = *state;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf);
	set_mtime(e->program, 60);
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.symfs = "/"}, NULL);
	assert_string_equal(text, "my_prog;leaf 10\n");
}

static void a_fork_knows_the_code_of_its_parent_until_it_executes(void **state)
{
	Example *e = *state;
	const guint64 chain[] = {USER, CODE_AT};
	WrittenSample sample = {.pid = 8, .time_ns = 20, .period = 10, .chain = chain, .chain_length = 2};
	add_code(e, 7, "//anon");
	put_maps(e, 7, "10000000 10000 parent\n");
	put_fork(&e->writer, 8, 7, 10);
	put_sample(&e->writer, &sample);
	put_comm(&e->writer, 8, 30, "child", TRUE);
	put_mmap(&e->writer, 8, 31, CODE_AT, 0x10000, 0, "//anon");
	sample.time_ns = 40;
	put_sample(&e->writer, &sample);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "child;[unknown] 10\nmy_prog;parent 10\n");
}

static void maps_that_change_change_what_an_address_is(void **state)
{
	Example *e = *state;
	need_program(e);
	guint64 leaf = e->leaf - MAPPED_AT + CODE_AT;
	put_program(&e->writer, 7, 3, CODE_AT, e->program);
	ADD_SAMPLE(e, 10, USER, leaf);
	put_mmap(&e->writer, 7, 20, CODE_AT, 0x100000, 0, "//anon");
	ADD_SAMPLE(e, 30, USER, leaf);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;[unknown] 10\nmy_prog;leaf 10\n");
}

static void a_jitdump_names_code_by_address_and_time(void **state)
{
	Example *e = *state;
	JitWriter dump = jit_writer_new(FALSE, 0);
	jit_source(&dump, CODE_AT, "app.js", 12);
	jit_load(&dump, &(JitLoad){5, CODE_AT, 0x20, 0, "first"});
	jit_load(&dump, &(JitLoad){15, CODE_AT, 0x20, 1, "second"});
	g_autofree char *path = g_build_filename(e->folder, "jit-7.dump", NULL);
	assert_true(g_file_set_contents(path, (const char *)dump.bytes->data, dump.bytes->len, NULL));
	g_byte_array_unref(dump.bytes);
	put_mmap(&e->writer, 7, 2, 0x7000000, 0x1000, 0, path);
	add_code(e, 7, "//anon");
	put_maps(e, 7, "10000000 10000 in_map\n");
	ADD_SAMPLE(e, 10, USER, CODE_AT);
	ADD_SAMPLE(e, 20, USER, CODE_AT);
	ADD_SAMPLE(e, 30, USER, CODE_AT + 0x20);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;first 10\nmy_prog;in_map 10\nmy_prog;second 10\n");
	const Frame *first = stack_table_get_frame(e->table, stack_table_leaf(e->table, (StackId){2}));
	assert_string_equal(stack_table_text(e->table, first->file), "app.js");
	assert_int_equal(first->line, 12);
}

static void what_perf_inject_made_of_generated_code_is_one_module(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *path = g_build_filename(e->folder, "jitted-7-1.so", NULL);
	assert_int_equal(rename(e->program, path), 0);
	put_program(&e->writer, 7, 3, CODE_AT, path);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;leaf 10\n");
	FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
	assert_int_equal(stack_table_get_frame(e->table, leaf)->kind, FRAME_JIT);
	assert_string_equal(stack_table_frame_module(e->table, leaf), "[jit]");
}

static void code_of_the_vdso_has_names_where_they_are_known(void **state)
{
	Example *e = *state;
	gsize size;
	const char *image = vdso_image(&size);
	g_autofree char *path = g_build_filename(e->folder, "vdso", NULL);
	if (image == NULL || !have_program("readelf")) {
		print_message("skipped: no vDSO, or no readelf\n");
		g_free(g_steal_pointer(&path));
		skip();
	}
	assert_true(g_file_set_contents(path, image, (gssize)size, NULL));
	Extent function = find_function(path, "__vdso_clock_gettime@@LINUX_2.6");
	put_mmap(&e->writer, 7, 3, CODE_AT, 0x2000, 0, "[vdso]");
	/* its first bytes are the head of an ELF file and no code */
	ADD_SAMPLE(e, 10, USER, CODE_AT + 1);
	if (function.size > 0)
		ADD_SAMPLE(e, 20, USER, CODE_AT + function.offset);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_non_null(strstr(text, "my_prog;[vdso] 10\n"));
	if (function.size > 0)
		assert_non_null(strstr(text, "clock_gettime 10\n"));
}

static const Extent code_extent = {CODE_AT, 0x100000};

static void a_deleted_program_is_found_if_the_same_build_is_there(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *build_id = read_build_id(e->program);
	g_autofree char *deleted = g_strconcat(e->program, " (deleted)", NULL);
	assert_non_null(build_id);
	put_mmap_of_build(e, &code_extent, 7, deleted, build_id);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;leaf 10\n");
}

static void another_build_in_its_place_gives_no_names(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *deleted = g_strconcat(e->program, " (deleted)", NULL);
	put_mmap_of_build(e, &code_extent, 7, deleted, "0123456789012345678901234567890123456789");
	/* and without a build-id, nobody knows what was deleted */
	put_mmap(&e->writer, 7, 3, 0x20000000, 0x100000, 0, deleted);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + 0x20000000);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;[unknown] 20\n");
	FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
	assert_string_equal(stack_table_frame_module(e->table, leaf), "prog");
}

static void a_deleted_program_is_found_in_a_process_that_maps_it(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *build_id = read_build_id(e->program);
	g_autofree char *path = g_build_filename(e->folder, "copy", NULL);
	g_autofree char *deleted = g_strconcat(path, " (deleted)", NULL);
	assert_int_equal(rename(e->program, path), 0);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Extent at = {.size = 0x4000};
	void *mapped = mmap(NULL, at.size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	assert_true(mapped != MAP_FAILED);
	at.offset = (guint64)(guintptr)mapped;
	g_unlink(path);
	const guint64 chain[] = {USER, e->leaf - MAPPED_AT + at.offset};
	put_mmap_of_build(e, &at, getpid(), deleted, build_id);
	put_sample(&e->writer,
	        &(WrittenSample){.pid = getpid(), .time_ns = 10, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	munmap(mapped, at.size);
	if (geteuid() != 0) {
		print_message("skipped: only root can open mapped files\n");
		g_free(g_steal_pointer(&text));
		skip();
	}
	assert_string_equal(text, "[unknown];leaf 10\n");
	FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
	assert_string_equal(stack_table_frame_module(e->table, leaf), "copy");
}

/* A process whose root directory is the folder; it ends when killed. 0 if that is not allowed. */
static pid_t start_in_root(const char *folder)
{
	int ready[2];
	char byte;
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (chroot(folder) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	gboolean ok = read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	if (!ok)
		waitpid(pid, NULL, 0);
	return ok ? pid : 0;
}

static void a_program_in_a_container_is_found_through_its_process(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *build_id = read_build_id(e->program);
	pid_t pid = start_in_root(e->folder);
	if (pid == 0) {
		g_free(g_steal_pointer(&build_id));
		print_message("skipped: this user cannot change the root directory\n");
		skip();
	}
	const guint64 chain[] = {USER, e->leaf - MAPPED_AT + CODE_AT};
	put_mmap_of_build(e, &code_extent, pid, "/prog", build_id);
	put_sample(&e->writer,
	        &(WrittenSample){.pid = pid, .time_ns = 10, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_string_equal(text, "[unknown];leaf 10\n");
}

static void object_files_are_found_below_another_directory(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *build_id = read_build_id(e->program);
	put_mmap_of_build(e, &code_extent, 7, "/prog", build_id);
	put_mmap(&e->writer, 7, 4, 0x20000000, 0x100000, 0, "/prog");
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	ADD_SAMPLE(e, 20, USER, e->middle - MAPPED_AT + 0x20000000);
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.symfs = e->folder}, NULL);
	assert_string_equal(text, "my_prog;leaf 10\nmy_prog;middle 10\n");
}

/* A function of the kernel that is not hidden from us, or 0. */
static guint64 kernel_function(const char *name)
{
	g_autofree char *content = NULL;
	g_autofree char *wanted = g_strdup_printf(" T %s\n", name);
	if (!g_file_get_contents("/proc/kallsyms", &content, NULL, NULL))
		return 0;
	const char *found = strstr(content, wanted);
	while (found != NULL && found > content && found[-1] != '\n')
		found--;
	return found != NULL ? g_ascii_strtoull(found, NULL, 16) : 0;
}

static guint64 need_kernel_function(const char *name)
{
	guint64 address = kernel_function(name);
	if (address == 0) {
		print_message("skipped: the addresses of the kernel are hidden\n");
		skip();
	}
	return address;
}

static void add_kernel_sample(Example *e, guint64 address)
{
	const guint64 chain[] = {KERNEL, address + 4, address + 1, USER, e->leaf};
	put_sample(&e->writer, &(WrittenSample){.pid = 7,
	                               .time_ns = 10,
	                               .period = 10,
	                               .in_kernel = TRUE,
	                               .chain = chain,
	                               .chain_length = G_N_ELEMENTS(chain)});
}

static void kernel_functions_have_names_if_asked_for(void **state)
{
	Example *e = *state;
	guint64 address = need_kernel_function("vfs_read");
	need_program(e);
	add_kernel_sample(e, address);
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.kernel = TRUE}, NULL);
	assert_string_equal(text, "my_prog;leaf;vfs_read;vfs_read 10\n");
	FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
	assert_int_equal(stack_table_get_frame(e->table, leaf)->kind, FRAME_KERNEL);
	assert_string_equal(stack_table_frame_module(e->table, leaf), "[kernel]");
}

static void the_names_of_another_boot_are_not_used(void **state)
{
	Example *e = *state;
	guint64 address = need_kernel_function("vfs_read");
	need_program(e);
	put_mmap(&e->writer, -1, 0, 0xffffffff80000000, 0x1000000, kernel_function("_text") + 0x200000,
	        "[kernel.kallsyms]_text");
	add_kernel_sample(e, address);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(add_recording(e, fold, &(PerfFoldOptions){.kernel = TRUE}, NULL, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, "my_prog;leaf;[kernel] 10\n");
	assert_true(finding_has(findings, "kernel_names_unknown"));
}

static void the_names_of_another_kernel_are_not_used(void **state)
{
	Example *e = *state;
	guint64 address = need_kernel_function("vfs_read");
	need_program(e);
	g_autoptr(GByteArray) build_id = g_byte_array_new();
	const guint8 other[24] = {1, 2, 3};
	put_u32(build_id, 67);
	put_u16(build_id, 1);
	put_u16(build_id, 8 + 4 + 24 + 24);
	put_u32(build_id, (guint32)-1);
	put_bytes(build_id, other, sizeof other);
	put_text(build_id, "[kernel.kallsyms]");
	put_feature(&e->writer, 2, build_id);
	add_kernel_sample(e, address);
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.kernel = TRUE, .symfs = "/"}, NULL);
	assert_string_equal(text, "my_prog;leaf;[kernel] 10\n");
}

#ifdef __x86_64__
/* Runs code that it generates for a while, and tells perf its name. */
static const char generator[] = "#include <stdio.h>\n"
                                "#include <string.h>\n"
                                "#include <sys/mman.h>\n"
                                "#include <unistd.h>\n"
                                "int main(int argc, char **argv) {\n"
                                "	/* mov $1000000000,%ecx; 1: dec %ecx; jnz 1b; ret */\n"
                                "	static const unsigned char spin[] = {0xb9, 0, 0xca, 0x9a, 0x3b, 0xff, 0xc9, "
                                "0x75, 0xfc, 0xc3};\n"
                                "	char path[64];\n"
                                "	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,\n"
                                "		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
                                "	memcpy(code + 256, spin, sizeof spin);\n"
                                "	snprintf(path, sizeof path, \"/tmp/perf-%d.map\", getpid());\n"
                                "	FILE *map = fopen(path, \"w\");\n"
                                "	fprintf(map, \"%lx %x spin loop\\n\", (unsigned long)code + 256, 16);\n"
                                "	fclose(map);\n"
                                "	FILE *name = fopen(argv[argc - 1], \"w\");\n"
                                "	fputs(path, name);\n"
                                "	fclose(name);\n"
                                "	((void (*)(void))(void *)(code + 256))();\n"
                                "	return 0;\n"
                                "}\n";

static void a_program_that_generates_code_is_seen_in_a_recording_of_perf(void **state)
{
	Example *e = *state;
	g_autofree char *name = g_build_filename(e->folder, "name", NULL);
	g_autofree char *data = g_build_filename(e->folder, "perf.data", NULL);
	g_autofree char *map = NULL;
	g_autofree char *program =
	        compile(e->folder, "gcc", "-O1 -fno-omit-frame-pointer", "generator.c", generator, "generator");
	const char *const argv[] = {"perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "--call-graph", "fp", "-o",
	        data, "--", program, name, NULL};
	if (program == NULL || !perf_record(argv)) {
		g_free(g_steal_pointer(&name));
		g_free(g_steal_pointer(&data));
		g_free(g_steal_pointer(&program));
		skip();
	}
	RunQuality quality;
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(perf_fold_add(fold, data, e->profile, 0, NULL, &quality, NULL));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	assert_true(g_file_get_contents(name, &map, NULL, NULL));
	g_unlink(map);
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_SAMPLES);
	const char *line = strstr(text, ";spin loop ");
	assert_non_null(line);
	guint64 samples = g_ascii_strtoull(line + strlen(";spin loop "), NULL, 10);
	assert_true(quality.samples > 20 && samples * 2 > quality.samples);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(generated_code_has_the_names_of_the_perf_map, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(generated_code_without_a_name_is_counted_as_unknown, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_code_of_an_object_file_is_not_looked_up_in_maps, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_map_in_the_recording_wins_over_one_in_tmp, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_recording_that_carries_maps_has_no_others, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                without_a_build_id_a_file_that_was_changed_later_gives_no_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_younger_file_below_another_directory_will_do, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_fork_knows_the_code_of_its_parent_until_it_executes, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(maps_that_change_change_what_an_address_is, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_jitdump_names_code_by_address_and_time, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                what_perf_inject_made_of_generated_code_is_one_module, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(code_of_the_vdso_has_names_where_they_are_known, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_deleted_program_is_found_if_the_same_build_is_there, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(another_build_in_its_place_gives_no_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_deleted_program_is_found_in_a_process_that_maps_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_in_a_container_is_found_through_its_process, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(object_files_are_found_below_another_directory, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(kernel_functions_have_names_if_asked_for, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_names_of_another_boot_are_not_used, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_names_of_another_kernel_are_not_used, set_up, tear_down),
#ifdef __x86_64__
	        cmocka_unit_test_setup_teardown(
	                a_program_that_generates_code_is_seen_in_a_recording_of_perf, set_up, tear_down),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
