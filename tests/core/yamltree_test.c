/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/core/yamltext.h"

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
	check_refused("a: 1\nb: 2\n\"a\": 3\n", "firebreak.yml:3:1: key \"a\" appears twice, first in line 1");
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
	        cmocka_unit_test(a_missing_key_is_named),
	        cmocka_unit_test(other_complaints_have_a_position_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
