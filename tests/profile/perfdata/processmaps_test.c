/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/processmaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add_map(ProcessMaps *maps, gint32 pid, guint64 start, guint64 length, guint64 page_offset, const char *path)
{
	const PerfDataRecord record = {.kind = PERF_DATA_MMAP,
	        .pid = pid,
	        .tid = pid,
	        .mmap = {.start = start, .length = length, .page_offset = page_offset, .path = path}};
	process_maps_apply(maps, &record);
}

static void add_comm(ProcessMaps *maps, gint32 pid, gint32 tid, const char *name, gboolean is_exec)
{
	const PerfDataRecord record = {.kind = PERF_DATA_COMM, .pid = pid, .tid = tid, .comm = {name, is_exec}};
	process_maps_apply(maps, &record);
}

static void add_fork(ProcessMaps *maps, gint32 pid, gint32 tid, gint32 parent_pid)
{
	const PerfDataRecord record = {
	        .kind = PERF_DATA_FORK, .pid = pid, .tid = tid, .fork = {parent_pid, parent_pid, FALSE}};
	process_maps_apply(maps, &record);
}

static void add_exit(ProcessMaps *maps, gint32 pid, gint32 tid)
{
	const PerfDataRecord record = {.kind = PERF_DATA_EXIT, .pid = pid, .tid = tid, .fork = {1, 1, FALSE}};
	process_maps_apply(maps, &record);
}

/* "path+offset" of an address, "-" if nothing is there. */
static char *at(const ProcessMaps *maps, gint32 pid, guint64 address)
{
	guint module;
	guint64 offset;
	if (!process_maps_find(maps, pid, address, &module, &offset))
		return g_strdup("-");
	return g_strdup_printf("%s+%" G_GINT64_MODIFIER "x", process_maps_module(maps, module)->path, offset);
}

#define assert_at(maps, pid, address, expected)                                                                        \
	do {                                                                                                           \
		g_autofree char *found = at(maps, pid, address);                                                       \
		assert_string_equal(found, expected);                                                                  \
	} while (0)

static void an_address_has_an_offset_in_its_file(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, 1, 0x5000, 0x1000, 0x300, "/b");
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	assert_at(maps, 1, 0x5010, "/b+310");
	assert_at(maps, 1, 0x1fff, "/a+fff");
	assert_at(maps, 1, 0x2000, "-");
	assert_at(maps, 1, 0xfff, "-");
	assert_at(maps, 2, 0x5010, "-");
}

static void a_later_map_cuts_what_it_overlaps(void **state)
{
	(void)state;
	static const struct {
		guint64 start, length;
		const char *at_1000, *at_1800, *at_1c00, *at_2000, *at_2f00;
	} cases[] = {
	        /* /a is [1000, 2000), /b is [2000, 3000) with page offset 7000 */
	        {0x1800, 0x400, "/a+0", "/n+0", "/a+c00", "/b+7000", "/b+7f00"},
	        {0x1000, 0x1000, "/n+0", "/n+800", "/n+c00", "/b+7000", "/b+7f00"},
	        {0x1000, 0xc00, "/n+0", "/n+800", "/a+c00", "/b+7000", "/b+7f00"},
	        {0x0, 0x4000, "/n+1000", "/n+1800", "/n+1c00", "/n+2000", "/n+2f00"},
	        {0x1800, 0x1000, "/a+0", "/n+0", "/n+400", "/n+800", "/b+7f00"},
	        {0x2000, 0x800, "/a+0", "/a+800", "/a+c00", "/n+0", "/b+7f00"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
		add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
		add_map(maps, 1, 0x2000, 0x1000, 0x7000, "/b");
		add_map(maps, 1, cases[i].start, cases[i].length, 0, "/n");
		assert_at(maps, 1, 0x1000, cases[i].at_1000);
		assert_at(maps, 1, 0x1800, cases[i].at_1800);
		assert_at(maps, 1, 0x1c00, cases[i].at_1c00);
		assert_at(maps, 1, 0x2000, cases[i].at_2000);
		assert_at(maps, 1, 0x2f00, cases[i].at_2f00);
	}
}

static void a_forked_process_has_the_maps_of_its_parent_and_goes_its_own_way(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	add_fork(maps, 2, 2, 1);
	assert_at(maps, 2, 0x1000, "/a+0");
	add_map(maps, 2, 0x1000, 0x1000, 0, "/child");
	add_map(maps, 1, 0x9000, 0x1000, 0, "/parent");
	assert_at(maps, 1, 0x1000, "/a+0");
	assert_at(maps, 2, 0x1000, "/child+0");
	assert_at(maps, 2, 0x9000, "-");
}

static void exec_empties_the_maps(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	add_fork(maps, 2, 2, 1);
	add_comm(maps, 2, 2, "renamed", FALSE);
	assert_at(maps, 2, 0x1000, "/a+0");
	add_comm(maps, 2, 2, "other", TRUE);
	assert_at(maps, 2, 0x1000, "-");
	assert_at(maps, 1, 0x1000, "/a+0");
}

static void threads_share_maps_and_may_have_their_own_name(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_comm(maps, 1, 1, "prog", TRUE);
	add_fork(maps, 1, 5, 1);
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	assert_string_equal(process_maps_command(maps, 1, 5), "prog");
	add_comm(maps, 1, 5, "worker", FALSE);
	assert_string_equal(process_maps_command(maps, 1, 5), "worker");
	assert_string_equal(process_maps_command(maps, 1, 1), "prog");
	assert_null(process_maps_command(maps, 9, 9));
	assert_at(maps, 1, 0x1000, "/a+0");
}

static void exit_keeps_the_maps(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	const PerfDataRecord exited = {.kind = PERF_DATA_EXIT, .pid = 1, .tid = 1};
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	process_maps_apply(maps, &exited);
	assert_at(maps, 1, 0x1000, "/a+0");
}

static void modules_have_a_kind(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		gint32 pid;
		MapModuleKind kind;
	} cases[] = {
	        {"/usr/bin/true", 1, MAP_MODULE_FILE},
	        {"[vdso]", 1, MAP_MODULE_VDSO},
	        {"//anon", 1, MAP_MODULE_ANON},
	        {"[heap]", 1, MAP_MODULE_ANON},
	        {"", 1, MAP_MODULE_ANON},
	        {"/memfd:x (deleted)", 1, MAP_MODULE_ANON},
	        {"/anon_hugepage (deleted)", 1, MAP_MODULE_ANON},
	        {"/tmp/jitted-12-3.so", 1, MAP_MODULE_JIT},
	        {"[kernel.kallsyms]_text", -1, MAP_MODULE_KERNEL},
	};
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		add_map(maps, cases[i].pid, 0x1000 * (i + 1), 0x1000, 0, cases[i].path);
		assert_int_equal(process_maps_n_modules(maps), i + 1);
		assert_int_equal(process_maps_module(maps, i)->kind, cases[i].kind);
	}
}

static void a_build_id_of_the_header_goes_to_maps_without_one(void **state)
{
	(void)state;
	g_autoptr(GArray) build_ids = g_array_new(FALSE, TRUE, sizeof(PerfDataBuildId));
	char path[] = "/a";
	const PerfDataBuildId id = {.path = path, .bytes = {1, 2, 3}, .length = 20};
	g_array_append_val(build_ids, id);
	g_autoptr(ProcessMaps) maps = process_maps_new(build_ids);
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	add_map(maps, 1, 0x2000, 0x1000, 0, "/b");
	assert_int_equal(process_maps_module(maps, 0)->build_id_length, 20);
	assert_int_equal(process_maps_module(maps, 0)->build_id[2], 3);
	assert_int_equal(process_maps_module(maps, 1)->build_id_length, 0);
}

static void one_path_with_two_build_ids_is_two_modules(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = 1, .tid = 1};
	record.mmap = (PerfDataMmap){.start = 0x1000, .length = 0x1000, .path = "/a", .build_id_length = 20};
	process_maps_apply(maps, &record);
	record.mmap.build_id[0] = 9;
	process_maps_apply(maps, &record);
	process_maps_apply(maps, &record);
	assert_int_equal(process_maps_n_modules(maps), 2);
}

static void a_map_at_the_end_of_memory_does_not_wrap(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, -1, G_MAXUINT64 - 0xfff, 0x10000, 0, "[module]");
	add_map(maps, -1, 0x1000, 0, 0, "/empty");
	assert_at(maps, -1, G_MAXUINT64 - 1, "[module]+ffe");
	assert_at(maps, -1, 0x1000, "-");
}

/* Its page offset is the address of a symbol. */
static void an_offset_in_the_kernel_image_is_the_address(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, -1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	add_map(maps, -1, 0xffffffffc0100000, 0x1000, 0, "/lib/modules/6.1/kernel/fs/ext4.ko");
	assert_at(maps, -1, 0xffffffff81000010, "[kernel.kallsyms]_text+ffffffff81000010");
	assert_at(maps, -1, 0xffffffffc0100010, "/lib/modules/6.1/kernel/fs/ext4.ko+10");
	assert_int_equal(process_maps_module(maps, 1)->kind, MAP_MODULE_KERNEL);
}

static void maps_of_guests_are_left_aside(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = -1, .cpu_mode = PERF_DATA_CPU_GUEST_KERNEL};
	record.mmap = (PerfDataMmap){.start = 0x1000, .length = 0x1000, .path = "[guest.kernel.kallsyms]_text"};
	process_maps_apply(maps, &record);
	assert_at(maps, -1, 0x1000, "-");
	assert_int_equal(process_maps_n_modules(maps), 0);
}

static void a_process_that_the_recorder_made_up_starts_empty(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	const PerfDataRecord record = {.kind = PERF_DATA_FORK, .pid = 2, .tid = 2, .fork = {1, 1, .is_made_up = TRUE}};
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	process_maps_apply(maps, &record);
	add_map(maps, 2, 0x5000, 0x1000, 0, "/b");
	assert_at(maps, 2, 0x1000, "-");
	assert_at(maps, 2, 0x5000, "/b+0");
}

static void a_thread_of_an_unseen_process_shares_what_comes_later(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_fork(maps, 1, 5, 1);
	assert_at(maps, 1, 0x1000, "-");
	assert_null(process_maps_command(maps, 1, 5));
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	assert_at(maps, 1, 0x1000, "/a+0");
}

static void a_reused_thread_number_does_not_keep_its_name(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_comm(maps, 1, 5, "worker", FALSE);
	add_fork(maps, 9, 5, 8);
	assert_null(process_maps_command(maps, 9, 5));
}

/* The map that was found last is remembered, and must be forgotten in time. */
static void changes_between_two_lookups_are_seen(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_map(maps, 1, 0x1000, 0x1000, 0, "/a");
	assert_at(maps, 1, 0x1800, "/a+800");
	assert_at(maps, 2, 0x1800, "-");
	add_map(maps, 1, 0x1800, 0x100, 0, "/n");
	assert_at(maps, 1, 0x1800, "/n+0");
	add_fork(maps, 2, 2, 1);
	assert_at(maps, 2, 0x1800, "/n+0");
	add_comm(maps, 2, 2, "other", TRUE);
	assert_at(maps, 2, 0x1800, "-");
	assert_at(maps, 1, 0x1900, "/a+900");
}

static void more_maps_than_a_kernel_allows_are_left_aside(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	for (guint64 i = 1; i <= 65531; i++)
		add_map(maps, 1, i * 0x2000, 0x1000, 0, "/a");
	assert_at(maps, 1, (guint64)65530 * 0x2000, "/a+0");
	assert_at(maps, 1, (guint64)65531 * 0x2000, "-");
}

/* The map that was there is gone all the same: its names would be wrong. */
static void a_map_too_many_takes_away_what_it_replaces_and_is_counted(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	for (guint64 i = 1; i <= 65530; i++)
		add_map(maps, 1, i * 0x2000, 0x1000, 0, "/a");
	assert_int_equal(process_maps_n_left_out(maps), 0);
	add_map(maps, 1, 0x2400, 0x100, 0, "/n");
	assert_at(maps, 1, 0x2300, "/a+300");
	assert_at(maps, 1, 0x2400, "-");
	assert_at(maps, 1, 0x4000, "/a+0");
	assert_int_equal(process_maps_n_left_out(maps), 1);
	add_map(maps, 1, 0x4000, 0x1000, 0, "/n");
	assert_at(maps, 1, 0x4000, "/n+0");
	assert_int_equal(process_maps_n_left_out(maps), 1);
}

static void a_process_has_executed_once_it_or_its_parent_did(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	assert_false(process_maps_has_executed(maps, 1));
	add_comm(maps, 1, 1, "launcher", FALSE);
	add_fork(maps, 2, 2, 1);
	assert_false(process_maps_has_executed(maps, 1));
	add_comm(maps, 1, 1, "prog", TRUE);
	add_comm(maps, 1, 1, "launcher", FALSE);
	add_fork(maps, 3, 3, 1);
	assert_true(process_maps_has_executed(maps, 1));
	assert_false(process_maps_has_executed(maps, 2));
	assert_true(process_maps_has_executed(maps, 3));
	add_fork(maps, 3, 3, 2);
	assert_false(process_maps_has_executed(maps, 3));
}

/* As many others as are remembered begin and end. */
static void let_others_end(ProcessMaps *maps)
{
	for (gint32 pid = 100000; pid < 100000 + 4096; pid++) {
		add_comm(maps, pid, pid, "short", TRUE);
		add_exit(maps, pid, pid);
	}
}

static void ended_processes_are_forgotten_when_many_others_ended_after_them(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_comm(maps, 2, 2, "prog", TRUE);
	add_map(maps, 2, 0x1000, 0x1000, 0, "/a");
	add_exit(maps, 2, 2);
	assert_at(maps, 2, 0x1000, "/a+0");
	let_others_end(maps);
	assert_at(maps, 2, 0x1000, "-");
	assert_null(process_maps_command(maps, 2, 2));
	assert_non_null(process_maps_command(maps, 100000, 100000));
}

static void a_process_whose_first_thread_has_ended_is_kept_while_others_run(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_comm(maps, 2, 2, "prog", TRUE);
	add_map(maps, 2, 0x1000, 0x1000, 0, "/a");
	add_fork(maps, 2, 3, 2);
	add_exit(maps, 2, 2);
	let_others_end(maps);
	assert_at(maps, 2, 0x1000, "/a+0");
	assert_string_equal(process_maps_command(maps, 2, 2), "prog");
	add_exit(maps, 2, 3);
	let_others_end(maps);
	assert_at(maps, 2, 0x1000, "-");
}

static void a_number_that_is_used_again_is_not_forgotten(void **state)
{
	(void)state;
	g_autoptr(ProcessMaps) maps = process_maps_new(NULL);
	add_comm(maps, 2, 2, "prog", TRUE);
	add_exit(maps, 2, 2);
	add_fork(maps, 2, 2, 1);
	add_comm(maps, 2, 2, "next", TRUE);
	add_map(maps, 2, 0x1000, 0x1000, 0, "/a");
	let_others_end(maps);
	assert_at(maps, 2, 0x1000, "/a+0");
	assert_string_equal(process_maps_command(maps, 2, 2), "next");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_address_has_an_offset_in_its_file),
	        cmocka_unit_test(a_later_map_cuts_what_it_overlaps),
	        cmocka_unit_test(a_forked_process_has_the_maps_of_its_parent_and_goes_its_own_way),
	        cmocka_unit_test(exec_empties_the_maps),
	        cmocka_unit_test(threads_share_maps_and_may_have_their_own_name),
	        cmocka_unit_test(exit_keeps_the_maps),
	        cmocka_unit_test(modules_have_a_kind),
	        cmocka_unit_test(a_build_id_of_the_header_goes_to_maps_without_one),
	        cmocka_unit_test(one_path_with_two_build_ids_is_two_modules),
	        cmocka_unit_test(a_map_at_the_end_of_memory_does_not_wrap),
	        cmocka_unit_test(an_offset_in_the_kernel_image_is_the_address),
	        cmocka_unit_test(maps_of_guests_are_left_aside),
	        cmocka_unit_test(a_process_that_the_recorder_made_up_starts_empty),
	        cmocka_unit_test(a_thread_of_an_unseen_process_shares_what_comes_later),
	        cmocka_unit_test(a_reused_thread_number_does_not_keep_its_name),
	        cmocka_unit_test(changes_between_two_lookups_are_seen),
	        cmocka_unit_test(more_maps_than_a_kernel_allows_are_left_aside),
	        cmocka_unit_test(a_map_too_many_takes_away_what_it_replaces_and_is_counted),
	        cmocka_unit_test(a_process_has_executed_once_it_or_its_parent_did),
	        cmocka_unit_test(ended_processes_are_forgotten_when_many_others_ended_after_them),
	        cmocka_unit_test(a_process_whose_first_thread_has_ended_is_kept_while_others_run),
	        cmocka_unit_test(a_number_that_is_used_again_is_not_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
