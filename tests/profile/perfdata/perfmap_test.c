/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfmap.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static PerfMap *parse(const char *text)
{
	return perf_map_parse((const guint8 *)text, strlen(text));
}

static void a_line_is_a_start_a_size_and_a_name_with_blanks(void **state)
{
	(void)state;
	g_autoptr(PerfMap) map = parse("1000 20 LazyCompile:*parse /srv/app.js:12\n"
	                               "0x2000 0x10 py::run:/srv/a b.py\r\n"
	                               "3000 8 last line");
	assert_string_equal(perf_map_find(map, 0x1000), "LazyCompile:*parse /srv/app.js:12");
	assert_string_equal(perf_map_find(map, 0x101f), "LazyCompile:*parse /srv/app.js:12");
	assert_null(perf_map_find(map, 0x1020));
	assert_null(perf_map_find(map, 0xfff));
	assert_string_equal(perf_map_find(map, 0x200f), "py::run:/srv/a b.py");
	assert_string_equal(perf_map_find(map, 0x3000), "last line");
}

static void a_later_line_overrides_an_earlier_one(void **state)
{
	(void)state;
	g_autoptr(PerfMap) map = parse("1000 100 old\n2000 10 other\n1080 100 new\n");
	assert_string_equal(perf_map_find(map, 0x107f), "old");
	assert_string_equal(perf_map_find(map, 0x1080), "new");
	assert_string_equal(perf_map_find(map, 0x117f), "new");
	assert_string_equal(perf_map_find(map, 0x2000), "other");
}

static void lines_that_are_no_entries_are_skipped(void **state)
{
	(void)state;
	static const char text[] = "\n# remark\n1000\n1000 10\n1000 10 \n1000 0 empty\n -5 10 negative\n"
	                           "10000000000000000000000 10 too large\nzz 10 name\n4000 10 good\n";
	g_autoptr(PerfMap) map = parse(text);
	assert_null(perf_map_find(map, 0x1000));
	assert_string_equal(perf_map_find(map, 0x4000), "good");
}

static void a_name_ends_at_a_byte_zero(void **state)
{
	(void)state;
	static const guint8 text[] = "1000 10 a\0b\n2000 10 c\n";
	g_autoptr(PerfMap) map = perf_map_parse(text, sizeof text - 1);
	assert_string_equal(perf_map_find(map, 0x1000), "a");
	assert_string_equal(perf_map_find(map, 0x2000), "c");
}

static void the_feature_gives_back_what_was_put_in(void **state)
{
	const guint8 *text;
	gsize length;
	g_autoptr(GByteArray) feature = g_byte_array_new();
	g_autoptr(GBytes) first = g_bytes_new_static("1000 10 a\n", 10);
	g_autoptr(GBytes) second = g_bytes_new_static("2000 10 bc\n", 11);
	(void)state;
	perf_maps_append(feature, 7, first);
	perf_maps_append(feature, 70000, second);
	assert_int_equal(feature->len % 8, 0);
	assert_true(perf_maps_find(feature->data, feature->len, 7, &text, &length));
	assert_int_equal(length, 10);
	assert_memory_equal(text, "1000 10 a\n", 10);
	assert_true(perf_maps_find(feature->data, feature->len, 70000, &text, &length));
	assert_memory_equal(text, "2000 10 bc\n", 11);
	assert_false(perf_maps_find(feature->data, feature->len, 8, &text, &length));
	/* cut anywhere, it is only shorter */
	for (gsize cut = 0; cut < feature->len; cut++) {
		g_autofree guint8 *copy = g_memdup2(feature->data, cut);
		perf_maps_find(copy, cut, 70000, &text, &length);
	}
	assert_false(perf_maps_find(NULL, 0, 7, &text, &length));
}

static void the_map_of_a_process_is_found_by_its_number(void **state)
{
	(void)state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	assert_true(g_file_set_contents(path, "1000 10 mine\n", -1, NULL));
	g_autoptr(GBytes) text = perf_map_read(pid, 0);
	g_unlink(path);
	assert_non_null(text);
	assert_int_equal(g_bytes_get_size(text), strlen("1000 10 mine\n"));
	assert_null(perf_map_read(pid, 0));
}

static void a_symbolic_link_is_no_map(void **state)
{
	(void)state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	g_autofree char *target = g_strdup_printf("/tmp/perf-%d.map.target", pid);
	assert_true(g_file_set_contents(target, "1000 10 secret\n", -1, NULL));
	assert_int_equal(symlink(target, path), 0);
	GBytes *text = perf_map_read(pid, 0);
	g_unlink(path);
	g_unlink(target);
	assert_null(text);
}

static void the_map_of_another_user_does_not_count(void **state)
{
	(void)state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	assert_true(g_file_set_contents(path, "1000 10 foreign\n", -1, NULL));
	if (chown(path, 65534, (gid_t)-1) != 0) {
		g_unlink(path);
		print_message("skipped: only root can give a file away\n");
		g_free(g_steal_pointer(&path));
		skip();
	}
	GBytes *text = perf_map_read(pid, 0);
	g_unlink(path);
	assert_null(text);
}

/* Numbers of processes come round. */
static void a_map_that_is_younger_than_what_it_is_for_does_not_count(void **state)
{
	(void)state;
	gint32 pid = getpid();
	gint64 now = g_get_real_time() / G_USEC_PER_SEC;
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	assert_true(g_file_set_contents(path, "1000 10 mine\n", -1, NULL));
	GBytes *earlier = perf_map_read(pid, now - 60);
	g_autoptr(GBytes) later = perf_map_read(pid, now + 60);
	g_unlink(path);
	assert_null(earlier);
	assert_non_null(later);
}

static void a_map_ends_at_its_first_nul(void **state)
{
	(void)state;
	gint32 pid = getpid();
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", pid);
	assert_true(g_file_set_contents(path, "1000 10 mine\n", -1, NULL));
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	g_autoptr(GBytes) text = perf_map_read(pid, 0);
	g_unlink(path);
	assert_non_null(text);
	assert_int_equal(g_bytes_get_size(text), strlen("1000 10 mine\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_line_is_a_start_a_size_and_a_name_with_blanks),
	        cmocka_unit_test(a_later_line_overrides_an_earlier_one),
	        cmocka_unit_test(lines_that_are_no_entries_are_skipped),
	        cmocka_unit_test(a_name_ends_at_a_byte_zero),
	        cmocka_unit_test(the_feature_gives_back_what_was_put_in),
	        cmocka_unit_test(the_map_of_a_process_is_found_by_its_number),
	        cmocka_unit_test(a_symbolic_link_is_no_map),
	        cmocka_unit_test(the_map_of_another_user_does_not_count),
	        cmocka_unit_test(a_map_that_is_younger_than_what_it_is_for_does_not_count),
	        cmocka_unit_test(a_map_ends_at_its_first_nul),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
