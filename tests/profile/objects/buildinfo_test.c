/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/buildinfo.h"

#include "core/error.h"
#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char source[] = "int main(void) { return 0; }\n";

static void what_a_build_says_of_itself_is_read(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		gboolean has_debug, has_symtab, unoptimised, no_frame_pointer;
	} cases[] = {
	        {"-g -O2 -fno-omit-frame-pointer", TRUE, TRUE, FALSE, FALSE},
	        {"-g -O2 -fomit-frame-pointer", TRUE, TRUE, FALSE, TRUE},
	        {"-g -O2 -fno-omit-frame-pointer -fomit-frame-pointer", TRUE, TRUE, FALSE, TRUE},
	        {"-g -O0", TRUE, TRUE, TRUE, FALSE},
	        {"-g -O2 -O0", TRUE, TRUE, TRUE, FALSE},
	        {"-O2", FALSE, TRUE, FALSE, FALSE},
	        {"-O2 -s", FALSE, FALSE, FALSE, FALSE},
	};
	g_autofree char *folder = new_folder();
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		BinaryInfo info = {0};
		g_autofree char *path = compile(folder, "gcc", cases[i].options, "example.c", source, "example");
		if (path == NULL) {
			remove_folder(folder);
			print_message("skipped: no working gcc\n");
			skip();
		}
		assert_true(binary_info(path, &info, NULL));
		assert_int_equal(info.has_debug, cases[i].has_debug);
		assert_int_equal(info.has_symtab, cases[i].has_symtab);
		assert_int_equal(info.n_units, cases[i].has_debug ? 1 : 0);
		assert_int_equal(info.n_units_unoptimised, cases[i].unoptimised ? 1 : 0);
		assert_int_equal(info.n_units_no_frame_pointer, cases[i].no_frame_pointer ? 1 : 0);
		assert_int_equal(info.n_units_silent, 0);
		assert_int_equal(info.bare_producer != NULL, cases[i].no_frame_pointer);
		if (cases[i].has_debug)
			assert_string_equal(info.producers, info.producer);
		else
			assert_null(info.producers);
		binary_info_clear(&info);
	}
	remove_folder(folder);
}

static void the_build_id_is_that_of_the_linker(void **state)
{
	(void)state;
	BinaryInfo info = {0};
	g_autofree char *folder = new_folder();
	g_autofree char *path = compile(folder, "gcc", "-O2 -Wl,--build-id=0x00ff120000000000000000000000000000000034",
	        "example.c", source, "example");
	gboolean compiled = path != NULL && binary_info(path, &info, NULL);
	remove_folder(folder);
	if (!compiled) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	assert_string_equal(info.build_id, "00ff120000000000000000000000000000000034");
	binary_info_clear(&info);
}

static void a_file_without_build_id_has_none(void **state)
{
	(void)state;
	BinaryInfo info = {0};
	g_autofree char *folder = new_folder();
	g_autofree char *path = compile(folder, "gcc", "-O2 -Wl,--build-id=none", "example.c", source, "example");
	gboolean compiled = path != NULL && binary_info(path, &info, NULL);
	remove_folder(folder);
	if (!compiled) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	assert_null(info.build_id);
	binary_info_clear(&info);
}

static void a_missing_file_is_a_storage_error(void **state)
{
	(void)state;
	BinaryInfo info = {0};
	g_autoptr(GError) error = NULL;
	assert_false(binary_info("/nowhere/at/all", &info, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_a_build_says_of_itself_is_read),
	        cmocka_unit_test(the_build_id_is_that_of_the_linker),
	        cmocka_unit_test(a_file_without_build_id_has_none),
	        cmocka_unit_test(a_missing_file_is_a_storage_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
