/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/jsonpieces.h"

#include "tests/profile/readers.h"

static void assert_text(const char *text, const char *expected)
{
	g_autoptr(GString) out = g_string_new(NULL);
	json_put_text(out, text);
	assert_string_equal(out->str, expected);
}

static void texts_are_quoted_and_escaped(void **state)
{
	(void)state;
	assert_text("main", "\"main\"");
	assert_text("", "\"\"");
	assert_text("a\"b\\c\n\x01", "\"a\\\"b\\\\c\\n\\u0001\"");
	assert_text(NULL, "null");
}

static void texts_are_fit_for_a_script(void **state)
{
	(void)state;
	assert_text("</script>", "\"<\\/script>\"");
	assert_text("\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\"");
}

static void bytes_that_are_no_utf8_are_visible(void **state)
{
	(void)state;
	assert_text("a\xff", "\"a\\\\xff\"");
}

static void assert_integer(gint64 value, const char *expected)
{
	g_autoptr(GString) out = g_string_new(NULL);
	json_put_integer(out, value);
	assert_string_equal(out->str, expected);
}

static void integers_are_exact_up_to_both_ends(void **state)
{
	(void)state;
	assert_integer(0, "0");
	assert_integer(-1, "-1");
	assert_integer(1203, "1203");
	assert_integer(G_MAXINT64, "9223372036854775807");
	assert_integer(G_MININT64, "-9223372036854775808");
}

static void constants_have_commas_between_them(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	json_put_constants(out, "a", "null", 3);
	json_put_separator(out, TRUE);
	json_put_separator(out, FALSE);
	json_put_constants(out, "b", "0", 0);
	assert_string_equal(out->str, "\"a\":[null,null,null],\n\"b\":[]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(texts_are_quoted_and_escaped),
	        cmocka_unit_test(texts_are_fit_for_a_script),
	        cmocka_unit_test(bytes_that_are_no_utf8_are_visible),
	        cmocka_unit_test(integers_are_exact_up_to_both_ends),
	        cmocka_unit_test(constants_have_commas_between_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
