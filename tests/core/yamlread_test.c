/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/core/yamltext.h"

/* --- keys --- */

static const char *const known[] = {"name", "command", "timeout", "work", "engines", NULL};

static void check_keys(const char *text, const char *expected)
{
	g_autoptr(YamlNode) root = parse(text);
	g_autoptr(GError) error = NULL;
	if (expected == NULL) {
		assert_true(yaml_check_keys(root, known, &error));
		return;
	}
	assert_false(yaml_check_keys(root, known, &error));
	check_error(error, expected);
}

static void an_unknown_key_names_the_nearest_known_one(void **state)
{
	(void)state;
	check_keys("name: x\nwork: 1\n", NULL);
	check_keys("name: x\ncomand: y\n", "firebreak.yml:2:1: unknown key \"comand\"; did you mean \"command\"?");
	check_keys("{name: x, nmae: y}", "firebreak.yml:1:11: unknown key \"nmae\"; did you mean \"name\"?");
	check_keys("Time_Out: 1\n", "firebreak.yml:1:1: unknown key \"Time_Out\"; did you mean \"timeout\"?");
	check_keys("engine: 1\n", "firebreak.yml:1:1: unknown key \"engine\"; did you mean \"engines\"?");
}

static void an_unknown_key_near_nothing_lists_all(void **state)
{
	(void)state;
	check_keys("colour: x\n",
	        "firebreak.yml:1:1: unknown key \"colour\"; valid keys: name, command, timeout, work, engines");
	check_keys("x: 1\n", "firebreak.yml:1:1: unknown key \"x\"; valid keys: name, command, timeout, work, engines");
	g_autofree char *longest = g_strnfill(500, 'c');
	g_autofree char *text = g_strdup_printf("%s: 1\n", longest);
	g_autofree char *expected = g_strdup_printf(
	        "firebreak.yml:1:1: unknown key \"%s\"; valid keys: name, command, timeout, work, engines", longest);
	check_keys(text, expected);
}

static void keys_are_those_of_a_mapping(void **state)
{
	(void)state;
	check_keys("[name]", "firebreak.yml:1:1: expected a mapping, found a list");
	check_keys("name", "firebreak.yml:1:1: expected a mapping, found a value");
}

/* --- values --- */

typedef gboolean (*ReadFunc)(const YamlNode *node, gpointer out, GError **error);

/* Reads the value of `v: <text>` and gives the reader's message, NULL if it was content. */
static char *read_message(const char *value, ReadFunc read, gpointer out)
{
	g_autofree char *text = g_strdup_printf("v: %s\n", value);
	g_autoptr(YamlNode) root = parse(text);
	g_autoptr(GError) error = NULL;
	gboolean good = read(yaml_mapping_get(root, "v"), out, &error);
	assert_true(good == (error == NULL));
	if (good)
		return NULL;
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	return g_strdup(error->message);
}

static void check_value_refused(const char *value, ReadFunc read, gpointer out, const char *expected)
{
	g_autofree char *message = read_message(value, read, out);
	g_autofree char *full = g_strconcat("firebreak.yml:", expected, NULL);
	assert_non_null(message);
	assert_string_equal(message, full);
}

static gboolean read_int(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_int(node, 1, 100, out, error);
}

static gboolean read_large(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_int(node, 0, G_MAXINT64, out, error);
}

static gboolean read_number(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_number(node, 0.5, 1000, out, error);
}

static gboolean read_string(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_string(node, out, error);
}

static gboolean read_bool(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_bool(node, out, error);
}

static gboolean read_duration(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_duration(node, out, error);
}

static gboolean read_percent(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_percent(node, out, error);
}

static gboolean read_list(const YamlNode *node, gpointer out, GError **error)
{
	return yaml_read_string_list(node, out, error);
}

static gboolean read_engine(const YamlNode *node, gpointer out, GError **error)
{
	static const char *const engines[] = {"perf", "callgrind", NULL};
	return yaml_read_choice(node, engines, out, error);
}

static void texts_are_read(void **state)
{
	(void)state;
	g_autofree char *text = g_strdup("default");
	assert_null(read_message("make -j2", read_string, &text));
	assert_string_equal(text, "make -j2");
	assert_null(read_message("123", read_string, &text));
	assert_string_equal(text, "123");
	check_value_refused("", read_string, &text, "1:3: expected a value, found nothing");
	check_value_refused("~", read_string, &text, "1:4: expected a value, found nothing");
	check_value_refused("''", read_string, &text, "1:4: expected a value, found an empty text");
	check_value_refused("[a]", read_string, &text, "1:4: expected a value, found a list");
	check_value_refused("{a: b}", read_string, &text, "1:4: expected a value, found a mapping");
	assert_string_equal(text, "123");
}

static void booleans_are_true_or_false(void **state)
{
	(void)state;
	gboolean value = FALSE;
	assert_null(read_message("true", read_bool, &value));
	assert_true(value);
	check_value_refused("yes", read_bool, &value, "1:4: expected true or false, found \"yes\"");
	check_value_refused("'false'", read_bool, &value, "1:4: expected true or false, found \"false\"");
	assert_true(value);
	assert_null(read_message("false", read_bool, &value));
	assert_false(value);
}

static void integers_have_limits(void **state)
{
	(void)state;
	gint64 value = 7;
	check_value_refused("0", read_int, &value, "1:4: 0 is not within 1 to 100");
	check_value_refused("101", read_int, &value, "1:4: 101 is not within 1 to 100");
	check_value_refused(
	        "99999999999999999999", read_int, &value, "1:4: 99999999999999999999 is not within 1 to 100");
	check_value_refused("-1", read_large, &value, "1:4: -1 is less than 0");
	check_value_refused("1.5", read_int, &value, "1:4: expected a whole number, found \"1.5\"");
	check_value_refused("0x10", read_int, &value, "1:4: expected a whole number, found \"0x10\"");
	check_value_refused("'5'", read_int, &value, "1:4: expected a whole number, found \"5\"");
	check_value_refused("[5]", read_int, &value, "1:4: expected a value, found a list");
	assert_int_equal(value, 7);
	assert_null(read_message("100", read_int, &value));
	assert_int_equal(value, 100);
}

static void numbers_are_decimal_and_finite(void **state)
{
	(void)state;
	double value = 0;
	assert_null(read_message("1.5e2", read_number, &value));
	assert_true(value == 150);
	check_value_refused("inf", read_number, &value, "1:4: expected a number, found \"inf\"");
	check_value_refused("1e999", read_number, &value, "1:4: expected a number, found \"1e999\"");
	check_value_refused(".", read_number, &value, "1:4: expected a number, found \".\"");
	check_value_refused("0x1p3", read_number, &value, "1:4: expected a number, found \"0x1p3\"");
	check_value_refused("0.25", read_number, &value, "1:4: 0.25 is not within 0.5 to 1000");
}

static void durations_have_a_unit(void **state)
{
	(void)state;
	gint64 ms = 0;
	static const struct {
		const char *text;
		gint64 ms;
	} good[] = {{"500ms", 500}, {"60s", 60000}, {"10m", 600000}, {"2h", 7200000}, {"'1s'", 1000}};
	for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
		assert_null(read_message(good[i].text, read_duration, &ms));
		assert_int_equal(ms, good[i].ms);
	}
	check_value_refused(
	        "60", read_duration, &ms, "1:4: duration \"60\" needs a unit (ms, s, m or h), for example 60s");
	check_value_refused(
	        "fast", read_duration, &ms, "1:4: \"fast\" is not a duration; write for example 500ms, 60s or 10m");
	check_value_refused(
	        "10 m", read_duration, &ms, "1:4: \"10 m\" is not a duration; write for example 500ms, 60s or 10m");
	check_value_refused(
	        "-1s", read_duration, &ms, "1:4: \"-1s\" is not a duration; write for example 500ms, 60s or 10m");
	check_value_refused("0s", read_duration, &ms, "1:4: duration \"0s\" is not within 1ms to 168h");
	check_value_refused("169h", read_duration, &ms, "1:4: duration \"169h\" is not within 1ms to 168h");
	check_value_refused("99999999999999999999999h", read_duration, &ms,
	        "1:4: duration \"99999999999999999999999h\" is not within 1ms to 168h");
}

static void percentages_have_their_sign(void **state)
{
	(void)state;
	double share = -1;
	assert_null(read_message("3%", read_percent, &share));
	assert_float_equal(share, 0.03, 1e-15);
	assert_null(read_message("0.5%", read_percent, &share));
	assert_float_equal(share, 0.005, 1e-15);
	check_value_refused("3", read_percent, &share, "1:4: \"3\" needs a percent sign; write 3%");
	check_value_refused("0.03", read_percent, &share, "1:4: \"0.03\" needs a percent sign; write 0.03%");
	check_value_refused("x%", read_percent, &share, "1:4: \"x%\" is not a percentage; write for example 3%");
	check_value_refused("'%'", read_percent, &share, "1:4: \"%\" is not a percentage; write for example 3%");
	check_value_refused("''", read_percent, &share, "1:4: \"\" is not a percentage; write for example 3%");
	check_value_refused("nan%", read_percent, &share, "1:4: \"nan%\" is not a percentage; write for example 3%");
	check_value_refused("-1%", read_percent, &share, "1:4: \"-1%\" is not within 0% to 100%");
	check_value_refused("101%", read_percent, &share, "1:4: \"101%\" is not within 0% to 100%");
}

static void choices_suggest_the_nearest(void **state)
{
	(void)state;
	guint choice = 9;
	assert_null(read_message("callgrind", read_engine, &choice));
	assert_int_equal(choice, 1);
	check_value_refused(
	        "calgrind", read_engine, &choice, "1:4: unknown value \"calgrind\"; did you mean \"callgrind\"?");
	check_value_refused(
	        "vtune", read_engine, &choice, "1:4: unknown value \"vtune\"; valid values: perf, callgrind");
}

static void lists_of_texts_are_read(void **state)
{
	(void)state;
	g_auto(GStrv) list = NULL;
	assert_null(read_message("[./bench, 'a b', 3]", read_list, &list));
	assert_int_equal(g_strv_length(list), 3);
	assert_string_equal(list[1], "a b");
	check_value_refused("[]", read_list, &list, "1:4: expected a list with at least one item");
	check_value_refused("text", read_list, &list, "1:4: expected a list, found a value");
	check_value_refused("[a, [b]]", read_list, &list, "1:8: expected a value, found a list");
	check_value_refused("[a, '']", read_list, &list, "1:8: expected a value, found an empty text");
	assert_int_equal(g_strv_length(list), 3);
}

static void an_absent_key_leaves_the_default(void **state)
{
	(void)state;
	g_autofree char *text = g_strdup("default");
	gint64 number = 5;
	double share = 0.5;
	gboolean yes = TRUE;
	guint choice = 1;
	char **list = NULL;
	assert_true(read_string(NULL, &text, NULL));
	assert_true(read_int(NULL, &number, NULL));
	assert_true(read_number(NULL, &share, NULL));
	assert_true(read_duration(NULL, &number, NULL));
	assert_true(read_percent(NULL, &share, NULL));
	assert_true(read_bool(NULL, &yes, NULL));
	assert_true(read_engine(NULL, &choice, NULL));
	assert_true(read_list(NULL, &list, NULL));
	assert_string_equal(text, "default");
	assert_true(number == 5 && share == 0.5 && yes && choice == 1 && list == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_unknown_key_names_the_nearest_known_one),
	        cmocka_unit_test(an_unknown_key_near_nothing_lists_all),
	        cmocka_unit_test(keys_are_those_of_a_mapping),
	        cmocka_unit_test(texts_are_read),
	        cmocka_unit_test(booleans_are_true_or_false),
	        cmocka_unit_test(integers_have_limits),
	        cmocka_unit_test(numbers_are_decimal_and_finite),
	        cmocka_unit_test(durations_have_a_unit),
	        cmocka_unit_test(percentages_have_their_sign),
	        cmocka_unit_test(choices_suggest_the_nearest),
	        cmocka_unit_test(lists_of_texts_are_read),
	        cmocka_unit_test(an_absent_key_leaves_the_default),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
