/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/looseobject.h"

#include "tests/baselines/fixture.h"

#define OID "ab0123456789abcdef0123456789abcdef012345"

static gboolean is_whole(const char *objects, const char *oid)
{
	g_autoptr(GError) error = NULL;
	gboolean whole = FALSE;
	loose_object_check(objects, oid, &whole, &error);
	assert_no_error(error);
	return whole;
}

static void only_an_undamaged_stream_is_whole(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	g_autofree char *content = NULL;
	gsize length;
	char *repo = new_repository(&commit);
	g_autofree char *objects = g_build_filename(repo, ".git", "objects", NULL);
	g_autofree char *path = g_strdup_printf("%s/%.2s/%s", objects, commit, commit + 2);
	assert_true(is_whole(objects, commit));
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	for (gsize i = 0; i < length; i++) {
		assert_true(g_file_set_contents(path, content, (gssize)i, NULL));
		assert_false(is_whole(objects, commit));
	}
	/* g_file_get_contents() ends what it read with a NUL */
	assert_true(g_file_set_contents(path, content, (gssize)length + 1, NULL));
	assert_false(is_whole(objects, commit));
	remove_folder(repo);
}

static void an_object_without_a_file_is_not_judged(void **state)
{
	(void)state;
	char *folder = new_folder();
	assert_true(is_whole(folder, OID));
	remove_folder(folder);
}

static void a_file_that_cannot_be_read_is_not_taken_for_absent(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	char *folder = new_folder();
	g_autofree char *path = g_strdup_printf("%s/%.2s/%s", folder, OID, &OID[2]);
	gboolean whole;
	assert_int_equal(g_mkdir_with_parents(path, 0777), 0); /* root may read any file, but no folder as one */
	assert_false(loose_object_check(folder, OID, &whole, &error));
	assert_error_code(error, FIREBREAK_ERROR_STORAGE);
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(only_an_undamaged_stream_is_whole),
	        cmocka_unit_test(an_object_without_a_file_is_not_judged),
	        cmocka_unit_test(a_file_that_cannot_be_read_is_not_taken_for_absent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
