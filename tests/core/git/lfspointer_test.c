/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/lfspointer.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* That of "abc". */
#define SUM "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define START "version https://git-lfs.github.com/spec/v1\n"

static void a_pointer_names_its_contents(void **state)
{
	(void)state;
	const char *text = START "oid sha256:" SUM "\nsize 3\n";
	g_autofree char *sum = lfs_pointer_sha256(text, strlen(text));
	assert_string_equal(sum, SUM);
}

static void other_texts_are_none(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "", "abc", "oid sha256:" SUM "\n", START "oid md5:0123\n", START "oid sha256:" SUM "00\n"};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_null(lfs_pointer_sha256(texts[i], strlen(texts[i])));
	assert_true(lfs_is_pointer(texts[3], strlen(texts[3])));
	g_autofree char *large = g_strnfill(2000, ' ');
	memcpy(large, START, strlen(START));
	assert_false(lfs_is_pointer(large, 2000));
}

static void contents_are_compared_by_their_sum(void **state)
{
	(void)state;
	const char *text = START "oid sha256:" SUM "\nsize 3\n";
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = g_build_filename(folder, "file", NULL);
	assert_false(lfs_pointer_matches(text, strlen(text), path));
	assert_true(g_file_set_contents(path, "abc", -1, NULL));
	assert_true(lfs_pointer_matches(text, strlen(text), path));
	assert_false(lfs_pointer_matches("abc", 3, path));
	assert_true(g_file_set_contents(path, "abd", -1, NULL));
	assert_false(lfs_pointer_matches(text, strlen(text), path));
	g_remove(path);
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pointer_names_its_contents),
	        cmocka_unit_test(other_texts_are_none),
	        cmocka_unit_test(contents_are_compared_by_their_sum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
