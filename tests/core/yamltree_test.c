#include "core/yamltree.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static YamlNode *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	YamlNode *node = yaml_parse(text, strlen(text), "firebreak.yml", &error);
	if (node == NULL)
		fail_msg("%s", error->message);
	return node;
}

static void check_error(const GError *error, const char *expected)
{
	assert_non_null(error);
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_string_equal(error->message, expected);
}

static void check_refused(const char *text, const char *expected)
{
	g_autoptr(GError) error = NULL;
	assert_null(yaml_parse(text, strlen(text), "firebreak.yml", &error));
	check_error(error, expected);
}

/* --- parsing --- */

static void a_tree_has_kinds_texts_and_positions(void **state)
{
	(void)state;
	g_autoptr(YamlNode) root = parse("version: 1\nbenchmarks:\n  - name: \"p\"\n    command: [./b, x]\n");
	assert_int_equal(root->kind, YAML_MAPPING);
	assert_int_equal(yaml_length(root), 2);
	assert_string_equal(yaml_key(root, 1)->text, "benchmarks");
	const YamlNode *first = yaml_item(yaml_mapping_get(root, "benchmarks"), 0);
	const YamlNode *name = yaml_mapping_get(first, "name");
	assert_string_equal(name->text, "p");
	assert_true(name->quoted);
	assert_string_equal(name->file, "firebreak.yml");
	assert_int_equal(name->line, 3);
	assert_int_equal(name->column, 11);
	const YamlNode *command = yaml_mapping_get(first, "command");
	assert_int_equal(command->kind, YAML_SEQUENCE);
	assert_int_equal(yaml_length(command), 2);
	assert_false(yaml_item(command, 1)->quoted);
	assert_int_equal(yaml_length(yaml_item(command, 1)), 0);
	assert_null(yaml_mapping_get(first, "nothing"));
	assert_null(yaml_mapping_get(NULL, "nothing"));
	assert_null(yaml_mapping_get(command, "name"));
}

static void json_is_read_as_yaml(void **state)
{
	(void)state;
	g_autoptr(YamlNode) root = parse("{\"version\": 1, \"list\": [\"a\", {\"b\": true}]}");
	gint64 version = 0;
	gboolean yes = FALSE;
	assert_true(yaml_read_int(yaml_mapping_get(root, "version"), 1, 1, &version, NULL));
	const YamlNode *inner = yaml_item(yaml_mapping_get(root, "list"), 1);
	assert_true(yaml_read_bool(yaml_mapping_get(inner, "b"), &yes, NULL));
	assert_int_equal(version, 1);
	assert_true(yes);
}

static void what_is_not_plain_data_is_refused(void **state)
{
	(void)state;
	check_refused("a: &x 1\nb: 2\n", "firebreak.yml:1:4: anchors (&name) are not supported; write the value out");
	check_refused("a: *x\n", "firebreak.yml:1:4: aliases (*name) are not supported; write the value out");
	check_refused("a: !!str 1\n", "firebreak.yml:1:4: tags (!name) are not supported; write the value out");
	check_refused("a: !x [1]\n", "firebreak.yml:1:4: tags (!name) are not supported; write the value out");
	check_refused("<<: {a: 1}\n", "firebreak.yml:1:1: merge keys are not supported; write the keys out");
	check_refused("a: 1\n---\nb: 2\n", "firebreak.yml:2:1: only one document is allowed in a file");
	check_refused("? [a]\n: 1\n", "firebreak.yml:1:3: a key must be a plain text, not a list");
	check_refused("? {a: 1}\n: 1\n", "firebreak.yml:1:3: a key must be a plain text, not a mapping");
	check_refused("a: \"x\\0y\"\n", "firebreak.yml:1:4: a text must not contain a NUL character");
}

static void duplicate_keys_are_refused(void **state)
{
	(void)state;
	check_refused("a: 1\nb: 2\n\"a\": 3\n", "firebreak.yml:3:1: key \"a\" is there twice, first in line 1");
}

static void an_empty_file_is_refused(void **state)
{
	(void)state;
	check_refused("", "firebreak.yml:1:1: the file is empty");
	check_refused("# only a comment\n", "firebreak.yml:1:1: the file is empty");
}

static void syntax_errors_have_a_position(void **state)
{
	(void)state;
	check_refused(
	        "a: [1,\nb: 2\n", "firebreak.yml:3:1: did not find expected ',' or ']' while parsing a flow sequence");
	check_refused("a: \"x\n", "firebreak.yml:2:1: found unexpected end of stream while scanning a quoted scalar");
	check_refused("a: 1\nb: \xff\n", "firebreak.yml:2:4: invalid leading UTF-8 octet");
	check_refused("a: 1\nb: \x01\n", "firebreak.yml:2:4: control characters are not allowed");
}

static void nesting_is_limited(void **state)
{
	(void)state;
	g_autofree char *open32 = g_strnfill(32, '['), *close32 = g_strnfill(32, ']');
	g_autofree char *deepest = g_strconcat(open32, close32, NULL);
	g_autoptr(YamlNode) root = parse(deepest);
	assert_int_equal(root->kind, YAML_SEQUENCE);
	g_autofree char *deeper = g_strconcat("[", deepest, "]", NULL);
	check_refused(deeper, "firebreak.yml:1:33: nested deeper than 32 levels");
	g_autofree char *hostile = g_strnfill(100000, '[');
	check_refused(hostile, "firebreak.yml:1:33: nested deeper than 32 levels");
}

static void size_is_limited(void **state)
{
	(void)state;
	g_autofree char *large = g_strnfill(1024 * 1024 + 1, 'a');
	check_refused(large, "firebreak.yml:1:1: the file is larger than 1 MiB");
	g_autoptr(GString) keys = g_string_new(NULL);
	for (int i = 0; i <= 1000; i++)
		g_string_append_printf(keys, "k%d: 1\n", i);
	check_refused(keys->str, "firebreak.yml:1001:1: more than 1000 keys in one mapping");
}

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

static void a_missing_key_is_named(void **state)
{
	(void)state;
	g_autoptr(YamlNode) root = parse("a:\n  b: 1\n");
	g_autoptr(GError) error = NULL;
	assert_non_null(yaml_require(root, "a", &error));
	assert_null(error);
	assert_null(yaml_require(yaml_mapping_get(root, "a"), "command", &error));
	check_error(error, "firebreak.yml:2:3: key \"command\" is missing");
}

/* --- values --- */

/* Reads the value of `v: <text>` and gives the reader's message, NULL if it was content. */
typedef gboolean (*ReadFunc)(const YamlNode *node, gpointer out, GError **error);

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

static void other_complaints_have_a_position_too(void **state)
{
	(void)state;
	g_autoptr(YamlNode) root = parse("a:\n  - b\n");
	g_autoptr(GError) error = NULL;
	assert_false(yaml_error(yaml_item(yaml_mapping_get(root, "a"), 0), &error, "no benchmark \"%s\"", "b"));
	check_error(error, "firebreak.yml:2:5: no benchmark \"b\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_tree_has_kinds_texts_and_positions),
	        cmocka_unit_test(json_is_read_as_yaml),
	        cmocka_unit_test(what_is_not_plain_data_is_refused),
	        cmocka_unit_test(duplicate_keys_are_refused),
	        cmocka_unit_test(an_empty_file_is_refused),
	        cmocka_unit_test(syntax_errors_have_a_position),
	        cmocka_unit_test(nesting_is_limited),
	        cmocka_unit_test(size_is_limited),
	        cmocka_unit_test(an_unknown_key_names_the_nearest_known_one),
	        cmocka_unit_test(an_unknown_key_near_nothing_lists_all),
	        cmocka_unit_test(keys_are_those_of_a_mapping),
	        cmocka_unit_test(a_missing_key_is_named),
	        cmocka_unit_test(texts_are_read),
	        cmocka_unit_test(booleans_are_true_or_false),
	        cmocka_unit_test(integers_have_limits),
	        cmocka_unit_test(numbers_are_decimal_and_finite),
	        cmocka_unit_test(durations_have_a_unit),
	        cmocka_unit_test(percentages_have_their_sign),
	        cmocka_unit_test(choices_suggest_the_nearest),
	        cmocka_unit_test(lists_of_texts_are_read),
	        cmocka_unit_test(an_absent_key_leaves_the_default),
	        cmocka_unit_test(other_complaints_have_a_position_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
