/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/buildidnote.h"

#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void put_note(GByteArray *notes, const char *name, guint32 type, const guint8 *content, guint32 length)
{
	static const guint8 zeros[4] = {0};
	const guint32 name_bytes = (guint32)strlen(name) + 1, head[3] = {name_bytes, length, type};
	g_byte_array_append(notes, (const guint8 *)head, sizeof head);
	g_byte_array_append(notes, (const guint8 *)name, name_bytes);
	g_byte_array_append(notes, zeros, -name_bytes & 3);
	g_byte_array_append(notes, content, length);
	g_byte_array_append(notes, zeros, -length & 3);
}

static void the_build_id_is_found_among_other_notes(void **state)
{
	(void)state;
	static const guint8 content[] = {1, 2, 3, 4, 5, 6, 7};
	guint8 build_id[BUILD_ID_MAX_BYTES];
	g_autoptr(GByteArray) notes = g_byte_array_new();
	put_note(notes, "stapsdt", 3, content, 5);
	put_note(notes, "GNU", 1, content, 4);
	assert_int_equal(build_id_from_notes(notes->data, notes->len, build_id), 0);
	put_note(notes, "GNU", 3, content, 7);
	assert_int_equal(build_id_from_notes(notes->data, notes->len, build_id), 7);
	assert_memory_equal(build_id, content, 7);
}

static void a_long_build_id_is_cut(void **state)
{
	(void)state;
	static const guint8 content[32] = {9};
	guint8 build_id[BUILD_ID_MAX_BYTES];
	g_autoptr(GByteArray) notes = g_byte_array_new();
	put_note(notes, "GNU", 3, content, sizeof content);
	assert_int_equal(build_id_from_notes(notes->data, notes->len, build_id), BUILD_ID_MAX_BYTES);
}

static void notes_can_be_cut_anywhere(void **state)
{
	(void)state;
	static const guint8 content[20] = {9};
	guint8 build_id[BUILD_ID_MAX_BYTES];
	g_autoptr(GByteArray) notes = g_byte_array_new();
	put_note(notes, "GNU", 3, content, sizeof content);
	for (guint cut = 0; cut < notes->len; cut++) {
		/* a copy of that size, so that a sanitizer sees what is read beyond it */
		g_autofree guint8 *copy = g_memdup2(notes->data, cut);
		assert_int_equal(build_id_from_notes(copy, cut, build_id), 0);
	}
}

static void the_build_id_of_a_file_is_the_one_it_was_linked_with(void **state)
{
	(void)state;
	guint8 build_id[BUILD_ID_MAX_BYTES];
	g_autofree char *folder = new_folder();
	g_autofree char *program = compile(folder, "gcc", "-Wl,--build-id=0x0123456789abcdef", "example.c",
	        "int main(void) { return 0; }\n", "prog");
	guint length = program != NULL ? build_id_of_file(program, build_id) : 0;
	remove_folder(folder);
	if (program == NULL) {
		print_message("skipped: no working gcc\n");
		g_free(g_steal_pointer(&folder));
		skip();
	}
	static const guint8 expected[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
	assert_int_equal(length, sizeof expected);
	assert_memory_equal(build_id, expected, sizeof expected);
}

static void what_is_no_object_file_has_no_build_id(void **state)
{
	(void)state;
	guint8 build_id[BUILD_ID_MAX_BYTES];
	assert_int_equal(build_id_of_file(SOURCE_DIR "/CMakeLists.txt", build_id), 0);
	assert_int_equal(build_id_of_file("/nowhere", build_id), 0);
	assert_int_equal(build_id_of_file("/dev/zero", build_id), 0);
	assert_int_equal(build_id_of_file("/tmp", build_id), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_build_id_is_found_among_other_notes),
	        cmocka_unit_test(a_long_build_id_is_cut),
	        cmocka_unit_test(notes_can_be_cut_anywhere),
	        cmocka_unit_test(the_build_id_of_a_file_is_the_one_it_was_linked_with),
	        cmocka_unit_test(what_is_no_object_file_has_no_build_id),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
