/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/seal.h"

#include "tests/baselines/fixture.h"

static void a_sealed_text_is_accepted(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = seal_json("thing", 1, "{\n \"a\": 1\n}");
	assert_true(seal_verify(text, "thing", 1, &error));
	assert_true(g_str_has_prefix(text->str, "{\n \"schema\": \"thing/1\",\n \"sha256\": \""));
	assert_true(g_str_has_suffix(text->str, "\",\n \"a\": 1\n}\n"));
}

static void every_bit_flip_is_refused(void **state)
{
	(void)state;
	g_autoptr(GString) text = seal_json("thing", 1, "{\n \"a\": [1, 2.5, \"text\"]\n}");
	for (gsize i = 0; i < text->len * 8; i++) {
		g_autoptr(GError) error = NULL;
		text->str[i / 8] ^= (char)(1 << i % 8);
		assert_false(seal_verify(text, "thing", 1, &error));
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
		text->str[i / 8] ^= (char)(1 << i % 8);
	}
}

static void every_truncation_and_every_addition_is_refused(void **state)
{
	(void)state;
	g_autoptr(GString) text = seal_json("thing", 1, "{\n \"a\": 1\n}");
	for (gsize length = 0; length < text->len; length++) {
		g_autoptr(GString) cut = g_string_new_len(text->str, (gssize)length);
		assert_false(seal_verify(cut, "thing", 1, NULL));
	}
	g_string_append_c(text, '\n');
	assert_false(seal_verify(text, "thing", 1, NULL));
}

static void an_older_version_is_accepted_and_a_newer_one_named(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = seal_json("thing", 7, "{\"a\": 1}");
	assert_true(seal_verify(text, "thing", 12, NULL));
	assert_false(seal_verify(text, "thing", 6, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	assert_non_null(strstr(error->message, "thing/7 is newer than this firebreak, which reads up to thing/6"));
}

static void another_kind_is_refused(void **state)
{
	(void)state;
	g_autoptr(GString) text = seal_json("thing", 1, "{\"a\": 1}");
	assert_false(seal_verify(text, "other", 1, NULL));
}

static void the_version_of_a_newer_text_is_told_if_its_hash_matches(void **state)
{
	(void)state;
	guint version = 0;
	g_autoptr(GError) error = NULL;
	GString *text = seal_json("thing", 7, "{\"a\": 1}");
	assert_true(seal_version(text, "thing", &version, &error));
	assert_int_equal(version, 7);
	text->str[text->len - 4] = '2';
	assert_false(seal_version(text, "thing", &version, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE));
	g_string_free(text, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_sealed_text_is_accepted),
	        cmocka_unit_test(every_bit_flip_is_refused),
	        cmocka_unit_test(every_truncation_and_every_addition_is_refused),
	        cmocka_unit_test(an_older_version_is_accepted_and_a_newer_one_named),
	        cmocka_unit_test(another_kind_is_refused),
	        cmocka_unit_test(the_version_of_a_newer_text_is_told_if_its_hash_matches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
