/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/jitmaps.h"

#include "profile/perfdata/perfmap.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

/* Numbers that no process has: greater than the kernel gives. */
#define FIRST_PID 5000000

static char *map_path(guint i)
{
	return g_strdup_printf("/tmp/perf-%u.map", FIRST_PID + i);
}

static void write_map(guint i, const char *text, gsize bytes)
{
	g_autofree char *path = map_path(i);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	if (bytes > 0)
		assert_int_equal(truncate(path, (off_t)bytes), 0);
}

/* All maps of the first `n` numbers; they are removed. */
static GByteArray *collect(JitMaps *maps, guint n, gboolean *is_cut)
{
	for (guint i = 0; i < n; i++)
		jit_maps_note(maps, (gint32)(FIRST_PID + i));
	GByteArray *feature = jit_maps_collect(maps, is_cut);
	for (guint i = 0; i < n; i++) {
		g_autofree char *path = map_path(i);
		g_unlink(path);
	}
	return feature;
}

static char *text_of(const GByteArray *feature, guint i)
{
	const guint8 *text;
	gsize length;
	if (!perf_maps_find(feature->data, feature->len, (gint32)(FIRST_PID + i), &text, &length))
		return NULL;
	return g_strndup((const char *)text, length);
}

static void the_maps_of_noted_processes_are_collected(void **state)
{
	(void)state;
	gboolean is_cut = FALSE;
	g_autoptr(JitMaps) maps = jit_maps_new();
	write_map(0, "10 10 zero\n", 0);
	write_map(1, "10 10 one\n", 0);
	g_autoptr(GByteArray) feature = collect(maps, 1, &is_cut);
	g_autofree char *path = map_path(1);
	g_unlink(path);
	g_autofree char *zero = text_of(feature, 0);
	g_autofree char *one = text_of(feature, 1);
	assert_string_equal(zero, "10 10 zero\n");
	assert_null(one);
	assert_false(is_cut);
}

static void what_is_no_text_is_cut_and_told(void **state)
{
	(void)state;
	gboolean is_cut = FALSE;
	g_autoptr(JitMaps) maps = jit_maps_new();
	write_map(0, "10 10 zero\n", (gsize)1 << 30);
	for (guint i = 1; i < 70; i++)
		write_map(i, "", (gsize)64 << 20);
	g_autoptr(GByteArray) feature = collect(maps, 70, &is_cut);
	g_autofree char *zero = text_of(feature, 0);
	assert_string_equal(zero, "10 10 zero\n");
	assert_true(feature->len < 100);
	assert_true(is_cut);
}

static void all_maps_together_have_a_limit(void **state)
{
	(void)state;
	gboolean is_cut = FALSE;
	g_autoptr(JitMaps) maps = jit_maps_new();
	g_autofree char *large = g_strnfill(PERF_MAP_MAX_BYTES / 4 * 3, 'x');
	write_map(0, large, 0);
	write_map(1, large, 0);
	g_autoptr(GByteArray) feature = collect(maps, 2, &is_cut);
	assert_in_range(feature->len, PERF_MAP_MAX_BYTES, PERF_MAP_MAX_BYTES + 64);
	assert_true(is_cut);
}

/* It is that of an earlier process with the same number. */
static void a_map_from_before_the_recording_is_not_taken(void **state)
{
	(void)state;
	gboolean is_cut = FALSE;
	g_autoptr(JitMaps) maps = jit_maps_new();
	g_autofree char *path = map_path(0);
	write_map(0, "10 10 zero\n", 0);
	struct utimbuf times = {time(NULL) - 60, time(NULL) - 60};
	assert_int_equal(g_utime(path, &times), 0);
	g_autoptr(GByteArray) feature = collect(maps, 1, &is_cut);
	assert_int_equal(feature->len, 0);
	assert_false(is_cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_maps_of_noted_processes_are_collected),
	        cmocka_unit_test(what_is_no_text_is_cut_and_told),
	        cmocka_unit_test(all_maps_together_have_a_limit),
	        cmocka_unit_test(a_map_from_before_the_recording_is_not_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
