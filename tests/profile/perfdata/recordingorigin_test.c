/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of this machine and of others: which files of this machine give them names. */
#include "profile/perfdata/recordingorigin.h"

#include "profile/objects/buildidnote.h"
#include "tests/profile/foldexample.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CODE_AT G_GUINT64_CONSTANT(0x10000000)
#define VDSO_AT G_GUINT64_CONSTANT(0x30000000)

/* The facts that a recording tells of its machine; NULL = not told. */
typedef struct {
	const char *host, *release, *machine;
	gboolean has_mark, is_mark_foreign;
	gboolean has_kernel, is_kernel_foreign; /* its build-id */
} Told;

static const char *own_host(void)
{
	static struct utsname machine;
	uname(&machine);
	return machine.nodename;
}

static const char *own_release(void)
{
	static struct utsname machine;
	uname(&machine);
	return machine.release;
}

static void put_string_feature(PerfWriter *writer, guint number, const char *text)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	put_string(content, text);
	put_feature(writer, number, content);
}

static void put_kernel_build_id(PerfWriter *writer, gboolean is_foreign)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	guint8 build_id[24] = {0};
	guint length = build_id_of_running_kernel(build_id);
	build_id[0] ^= is_foreign ? 0xff : 0;
	put_u32(body, 67);
	put_u16(body, 1);
	put_u16(body, 8 + 4 + 24 + 24);
	put_u32(body, (guint32)-1);
	put_bytes(body, build_id, sizeof build_id);
	put_text(body, "[kernel.kallsyms]");
	if (length > 0)
		put_feature(writer, 2, body);
}

static void put_told(PerfWriter *writer, const Told *told)
{
	enum { HOSTNAME = 3, OSRELEASE = 4, ARCH = 6 };
	put_string_feature(writer, HOSTNAME, told->host != NULL ? told->host : "");
	if (told->release != NULL)
		put_string_feature(writer, OSRELEASE, told->release);
	if (told->machine != NULL)
		put_string_feature(writer, ARCH, told->machine);
	g_autofree char *mark = recording_origin_mark();
	if (told->has_mark && mark != NULL) {
		mark[0] = told->is_mark_foreign ? 'x' : mark[0];
		put_string_feature(writer, PERF_DATA_ORIGIN_FEATURE, mark);
	}
	if (told->has_kernel)
		put_kernel_build_id(writer, told->is_kernel_foreign);
}

/* An MMAP2 record with device and inode. */
static void put_mmap_of_inode(Example *e, const char *path, const struct stat *status, guint64 inode)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, 7);
	put_u32(body, 7);
	put_u64(body, CODE_AT);
	put_u64(body, ((guint64)status->st_size + 4095) / 4096 * 4096);
	put_u64(body, 0);
	put_u32(body, major(status->st_dev));
	put_u32(body, minor(status->st_dev));
	put_u64(body, inode);
	put_u64(body, 0);
	put_u32(body, 5);
	put_u32(body, 2);
	put_text(body, path);
	put_trailer(&e->writer, body, 7, 7, 3);
	put_record(&e->writer, 10, 2, body);
}

static char *fold_with_findings(Example *e, const PerfFoldOptions *options, FindingList *findings)
{
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(add_recording(e, fold, options, NULL, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	return folded_write(e->profile, 0, FOLDED_WEIGHT);
}

static const char *text_of(const FindingList *findings, const char *code)
{
	for (guint i = 0; i < finding_count(findings); i++)
		if (g_str_equal(finding_get(findings, i)->code, code))
			return finding_get(findings, i)->text;
	return "";
}

/* Host and kernel say where a file without a build-id was. */
static void a_file_without_a_build_id_names_only_what_this_machine_recorded(void **state)
{
	Example *e = *state;
	need_program(e);
	const char *host = own_host(), *release = own_release();
	const struct {
		Told told;
		const char *text;
	} cases[] = {
	        {{.host = host, .release = release}, "leaf"},
	        {{.release = release, .has_mark = TRUE}, "leaf"},
	        {{.host = "elsewhere", .release = release}, "[unknown]"},
	        {{.host = host, .release = "2.6.32-other"}, "[unknown]"},
	        {{.host = host, .release = release, .machine = "s390x"}, "[unknown]"},
	        {{.host = host, .release = release, .has_kernel = TRUE, .is_kernel_foreign = TRUE}, "[unknown]"},
	        {{.release = release, .has_mark = TRUE, .is_mark_foreign = TRUE}, "[unknown]"},
	        {{.release = release}, "[unknown]"},
	        {{0}, "[unknown]"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		*state = e;
		put_told(&e->writer, &cases[i].told);
		ADD_SAMPLE(e, 10, USER, e->leaf);
		g_autofree char *text = fold_to_text(e, NULL, NULL);
		g_autofree char *expected = g_strdup_printf("my_prog;%s 10\n", cases[i].text);
		assert_string_equal(text, expected);
		FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
		assert_string_equal(stack_table_frame_module(e->table, leaf), "prog");
	}
}

static void what_is_left_out_of_another_machine_is_told_with_a_remedy(void **state)
{
	Example *e = *state;
	need_program(e);
	put_told(&e->writer, &(Told){.host = "elsewhere", .release = "5.3.0"});
	ADD_SAMPLE(e, 10, USER, e->leaf);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *text = fold_with_findings(e, NULL, findings);
	const char *told = text_of(findings, "other_machine");
	assert_true(g_str_has_prefix(told, "1 module with 100 % of the samples has no function names: the recording is "
	                                   "of elsewhere, Linux 5.3.0,"));
	assert_non_null(strstr(told, "/usr/lib/debug/.build-id"));
	assert_non_null(strstr(told, "--symfs"));
	assert_non_null(strstr(text_of(findings, "module_not_readable"),
	        "prog (recorded on another machine, and without a build-id)"));
}

static void a_file_that_the_user_names_is_taken_for_any_machine(void **state)
{
	Example *e = *state;
	need_program(e);
	put_told(&e->writer, &(Told){.host = "elsewhere", .release = "5.3.0"});
	ADD_SAMPLE(e, 10, USER, e->leaf);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *text = fold_with_findings(e, &(PerfFoldOptions){.symfs = "/"}, findings);
	assert_string_equal(text, "my_prog;leaf 10\n");
	assert_false(finding_has(findings, "other_machine"));
}

static void a_file_of_the_recorded_build_names_what_another_machine_recorded(void **state)
{
	Example *e = *state;
	need_program(e);
	const Extent extent = {CODE_AT, 0x10000};
	g_autofree char *build_id = read_build_id(e->program);
	assert_non_null(build_id);
	put_told(&e->writer, &(Told){.host = "elsewhere", .release = "5.3.0"});
	put_mmap_of_build(e, &extent, 7, e->program, build_id);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *text = fold_with_findings(e, NULL, findings);
	assert_string_equal(text, "my_prog;leaf 10\n");
	assert_false(finding_has(findings, "other_machine"));
}

/* The file is nowhere but in a folder of files by build-id. */
static void a_file_is_found_by_its_build_id_in_perfs_cache(void **state)
{
	Example *e = *state;
	need_program(e);
	const Extent extent = {CODE_AT, 0x10000};
	g_autofree char *build_id = read_build_id(e->program);
	assert_non_null(build_id);
	g_autofree char *home = g_strdup(g_getenv("HOME"));
	g_autofree char *place = g_strdup_printf("%s/.debug/.build-id/%.2s/%s", e->folder, build_id, build_id + 2);
	g_autofree char *cached = g_build_filename(place, "elf", NULL);
	assert_int_equal(g_mkdir_with_parents(place, 0700), 0);
	assert_int_equal(rename(e->program, cached), 0);
	g_setenv("HOME", e->folder, TRUE);
	put_told(&e->writer, &(Told){.host = "elsewhere", .release = "5.3.0"});
	put_mmap_of_build(e, &extent, 7, "/elsewhere/prog", build_id);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	if (home != NULL)
		g_setenv("HOME", home, TRUE);
	else
		g_unsetenv("HOME");
	assert_string_equal(text, "my_prog;leaf 10\n");
}

/* Two containers of one machine have the same kernel; some of their files are the same. */
static void another_container_has_the_files_of_the_same_inode(void **state)
{
	Example *e = *state;
	struct stat status;
	need_program(e);
	const struct {
		Told told;
		guint64 inode_off;
		const char *text;
	} cases[] = {
	        {{.host = "container", .release = own_release()}, 0, "my_prog;leaf 10\n"},
	        {{.host = "container", .release = own_release()}, 1, "my_prog;[unknown] 10\n"},
	        {{.host = "container", .release = "5.3.0"}, 0, "my_prog;[unknown] 10\n"},
	        {{0}, 0, "my_prog;leaf 10\n"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		*state = e;
		assert_int_equal(stat(e->program, &status), 0);
		put_told(&e->writer, &cases[i].told);
		put_mmap_of_inode(e, e->program, &status, status.st_ino + cases[i].inode_off);
		ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
		g_autofree char *text = fold_to_text(e, NULL, NULL);
		assert_string_equal(text, cases[i].text);
	}
}

/* A package has the date at which it was made. */
static void a_file_that_was_replaced_by_an_older_one_gives_no_names(void **state)
{
	Example *e = *state;
	struct stat before, after;
	need_program(e);
	g_autofree char *data = g_build_filename(e->folder, "perf.data", NULL);
	g_autofree char *copy = g_strconcat(e->program, ".new", NULL);
	assert_int_equal(stat(e->program, &before), 0);
	put_this_machine(&e->writer);
	put_mmap_of_inode(e, e->program, &before, before.st_ino);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autoptr(GByteArray) file = perf_writer_file(&e->writer);
	assert_true(g_file_set_contents(data, (const char *)file->data, file->len, NULL));
	g_usleep(20000); /* files are dated by a coarse clock */
	const char *const argv[] = {"cp", "-p", e->program, copy, NULL};
	assert_true(run_command(argv, NULL));
	assert_int_equal(rename(copy, e->program), 0);
	assert_int_equal(stat(e->program, &after), 0);
	assert_int_equal(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(perf_fold_add(fold, data, e->profile, 0, NULL, NULL, NULL));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, "my_prog;[unknown] 10\n");
}

static void a_file_that_is_too_short_for_its_map_gives_no_names(void **state)
{
	Example *e = *state;
	need_program(e);
	put_this_machine(&e->writer);
	put_mmap(&e->writer, 7, 3, CODE_AT, 0x1000000, 0, e->program);
	ADD_SAMPLE(e, 10, USER, e->leaf - MAPPED_AT + CODE_AT);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *text = fold_with_findings(e, NULL, findings);
	assert_string_equal(text, "my_prog;[unknown] 10\n");
	assert_non_null(strstr(text_of(findings, "module_not_readable"), "not the file that was mapped, by its size"));
}

/* The vDSO is a part of the kernel. */
static void the_vdso_of_this_kernel_names_no_other(void **state)
{
	Example *e = *state;
	guint8 build_id[BUILD_ID_MAX_BYTES];
	need_program(e);
	const Told cases[] = {
	        {.host = "elsewhere", .release = "5.3.0"},
	        {.host = "elsewhere", .release = own_release()},
	        {.host = "elsewhere", .release = own_release(), .has_kernel = TRUE, .is_kernel_foreign = TRUE},
	        {.host = own_host(), .release = own_release()},
	        {.host = "elsewhere", .release = own_release(), .has_kernel = TRUE},
	};
	guint n = build_id_of_running_kernel(build_id) > 0 ? G_N_ELEMENTS(cases) : 2;
	for (guint i = 0; i < n; i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		*state = e;
		put_told(&e->writer, &cases[i]);
		put_mmap(&e->writer, 7, 3, VDSO_AT, 0x2000, 0, "[vdso]");
		for (guint64 at = 0x400; at < 0x1800; at += 8)
			ADD_SAMPLE(e, 10, USER, VDSO_AT + at);
		g_autofree char *text = fold_to_text(e, NULL, NULL);
		assert_int_equal(strstr(text, "gettime") != NULL, i >= 3);
		assert_non_null(strstr(text, "my_prog;[vdso] "));
	}
}

/* Nobody can read the host's name in the mark. */
static void the_mark_is_the_same_until_the_next_boot(void **state)
{
	(void)state;
	g_autofree char *first = recording_origin_mark(), *second = recording_origin_mark();
	if (first == NULL) {
		print_message("skipped: the kernel does not tell its boot\n");
		skip();
	}
	assert_int_equal(strlen(first), 32);
	assert_int_equal(strspn(first, "0123456789abcdef"), 32);
	assert_string_equal(first, second);
}

#define WITH_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_EXAMPLE(a_file_without_a_build_id_names_only_what_this_machine_recorded),
	        WITH_EXAMPLE(what_is_left_out_of_another_machine_is_told_with_a_remedy),
	        WITH_EXAMPLE(a_file_that_the_user_names_is_taken_for_any_machine),
	        WITH_EXAMPLE(a_file_of_the_recorded_build_names_what_another_machine_recorded),
	        WITH_EXAMPLE(a_file_is_found_by_its_build_id_in_perfs_cache),
	        WITH_EXAMPLE(another_container_has_the_files_of_the_same_inode),
	        WITH_EXAMPLE(a_file_that_was_replaced_by_an_older_one_gives_no_names),
	        WITH_EXAMPLE(a_file_that_is_too_short_for_its_map_gives_no_names),
	        WITH_EXAMPLE(the_vdso_of_this_kernel_names_no_other),
	        cmocka_unit_test(the_mark_is_the_same_until_the_next_boot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
