/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jsontext.h"

#include "core/error.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_text_is_written_as_it_is(void **state)
{
	(void)state;
	json_auto_t *value = json_text("std::vector<int>\n\xc3\xbc \\d");
	assert_string_equal(json_string_value(value), "std::vector<int>\n\xc3\xbc \\d");
}

static void no_text_is_null(void **state)
{
	(void)state;
	json_auto_t *value = json_text(NULL);
	assert_true(json_is_null(value));
	assert_null(json_text_decode(value));
}

static void bytes_that_are_not_utf8_are_written_visibly(void **state)
{
	(void)state;
	json_auto_t *value = json_text("a\xff\xc3");
	assert_string_equal(json_string_value(value), "a\\xff\\xc3");
}

static void no_control_character_stands_in_a_dump(void **state)
{
	(void)state;
	json_auto_t *value = json_text("\x1f\x7f");
	g_autofree char *text = json_dump_text(value, NULL);
	assert_string_equal(text, "\"\\u001F\\\\x7f\"\n");
}

static void every_text_can_be_restored(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "a", "\xff", "\\xff", "\\\\x41", "\\\xff", "\\x5c", "\\", "x\\x",
	        "\\x00", "\xed\xa0\x80", "\xc3\xbc\xe2\x80\xae", "\x01\x1f\x7f"};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		json_auto_t *value = json_text(texts[i]);
		assert_non_null(value);
		g_autofree char *restored = json_text_decode(value);
		assert_string_equal(restored, texts[i]);
	}
}

static void a_foreign_escape_of_nul_does_not_cut_the_text(void **state)
{
	(void)state;
	json_auto_t *value = json_string("a\\x00b\\x4");
	g_autofree char *restored = json_text_decode(value);
	assert_string_equal(restored, "a\\x00b\\x4");
}

static void check_number(double value, const char *expected)
{
	json_auto_t *number = json_number(value);
	g_autofree char *text = json_dump_text(number, NULL);
	g_strchomp(text);
	assert_string_equal(text, expected);
}

static void numbers_are_rounded_to_ten_digits(void **state)
{
	(void)state;
	check_number(0.1, "0.1");
	check_number(1.0 / 3, "0.3333333333");
	check_number(0.1 + 0.2, "0.3");
	check_number(-1234567.891234567, "-1234567.891");
	check_number(-0.0, "0.0");
	check_number(42, "42.0");
	check_number(1e-300, "1e-300");
}

static void numbers_that_are_not_finite_are_null(void **state)
{
	(void)state;
	check_number(NAN, "null");
	check_number(INFINITY, "null");
	check_number(-INFINITY, "null");
}

static void the_largest_number_can_be_read_back(void **state)
{
	(void)state;
	json_auto_t *number = json_number(-1.7976931348623157e308);
	gsize length = 0;
	g_autofree char *text = json_dump_text(number, &length);
	g_autoptr(GError) error = NULL;
	json_auto_t *back = json_load_text(text, length, "x", &error);
	assert_non_null(back);
	assert_true(json_real_value(back) < -1.7e308);
}

static void a_dump_has_keys_in_order_ascii_only_and_a_newline(void **state)
{
	(void)state;
	json_auto_t *object = json_object();
	json_object_set_new(object, "z", json_text("\xc3\xbc"));
	json_object_set_new(object, "a", json_number(0.5));
	gsize length = 0;
	g_autofree char *text = json_dump_text(object, &length);
	assert_string_equal(text, "{\n  \"z\": \"\\u00FC\",\n  \"a\": 0.5\n}\n");
	assert_int_equal(length, strlen(text));
}

static void the_locale_does_not_change_a_dump(void **state)
{
	(void)state;
	static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	gsize i = 0;
	while (i < G_N_ELEMENTS(locales) && setlocale(LC_ALL, locales[i]) == NULL)
		i++;
	if (i == G_N_ELEMENTS(locales)) {
		print_message("no locale with a decimal comma is installed\n");
		skip();
	}
	check_number(0.5, "0.5");
	setlocale(LC_ALL, "C");
}

static void check_refused(const char *text, gsize length, const char *message)
{
	g_autoptr(GError) error = NULL;
	json_auto_t *value = json_load_text(text, length, "report.json", &error);
	assert_null(value);
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	if (strstr(error->message, message) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", error->message, message);
}

static void damaged_or_ambiguous_json_is_refused_with_its_position(void **state)
{
	(void)state;
	check_refused("{\"a\": 1,\n \"a\": 2}", 17, "report.json:2:");
	check_refused("{\"a\": 1} x", 10, "report.json:1:");
	check_refused("{\"a\": NaN}", 10, "report.json:1:");
	check_refused("{\"a\": 1e999}", 12, "report.json:1:");
	check_refused("{\"a\": \"\xff\"}", 10, "report.json:1:");
	check_refused("{\"a\": \"\\u0000\"}", 15, "report.json:1:");
	check_refused("{\"a\": 1}\0", 9, "report.json:1:");
	check_refused("", 0, "report.json:1:");
	check_refused("\xef\xbb\xbf{}", 5, "report.json:1:");
}

static void deep_nesting_is_refused(void **state)
{
	(void)state;
	g_autofree char *deep = g_strnfill(100000, '[');
	check_refused(deep, 100000, "report.json:1:");
}

static void more_than_the_limit_is_refused_before_it_is_read(void **state)
{
	(void)state;
	check_refused("", JSON_TEXT_MAX_BYTES + 1, "268435457 bytes of JSON are more than the 268435456");
}

static void good_json_is_loaded(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	json_auto_t *value = json_load_text("{\"a\": [1]} trailing", 10, "x", &error);
	assert_non_null(value);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(value, "a"), 0)), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_text_is_written_as_it_is),
	        cmocka_unit_test(no_text_is_null),
	        cmocka_unit_test(bytes_that_are_not_utf8_are_written_visibly),
	        cmocka_unit_test(no_control_character_stands_in_a_dump),
	        cmocka_unit_test(every_text_can_be_restored),
	        cmocka_unit_test(a_foreign_escape_of_nul_does_not_cut_the_text),
	        cmocka_unit_test(numbers_are_rounded_to_ten_digits),
	        cmocka_unit_test(numbers_that_are_not_finite_are_null),
	        cmocka_unit_test(the_largest_number_can_be_read_back),
	        cmocka_unit_test(a_dump_has_keys_in_order_ascii_only_and_a_newline),
	        cmocka_unit_test(the_locale_does_not_change_a_dump),
	        cmocka_unit_test(damaged_or_ambiguous_json_is_refused_with_its_position),
	        cmocka_unit_test(deep_nesting_is_refused),
	        cmocka_unit_test(more_than_the_limit_is_refused_before_it_is_read),
	        cmocka_unit_test(good_json_is_loaded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
