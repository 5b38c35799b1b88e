#include "runner/config/config.h"
#include "runner/config/configkeys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_key_says_which_way_it_weakens_the_gate(void **state)
{
	(void)state;
	for (gsize i = 0; config_key(i) != NULL; i++) {
		const ConfigKey *key = config_key(i);
		g_autofree char *path = config_key_path(key);
		print_message("%s\n", path);
		assert_int_not_equal(key->weaker, CONFIG_WEAKER_UNDECLARED);
		gboolean compared = key->weaker >= CONFIG_WEAKER_LOWER && key->weaker <= CONFIG_WEAKER_FEWER;
		assert_true(compared == (key->says != NULL || key->compare != NULL));
		assert_true((key->type == CONFIG_SECTION) == (key->weaker == CONFIG_WEAKER_INSIDE));
	}
}

static void every_key_goes_into_a_field_or_has_only_one_value(void **state)
{
	(void)state;
	for (gsize i = 0; config_key(i) != NULL; i++) {
		const ConfigKey *key = config_key(i);
		gboolean one_value = key->type == CONFIG_INTEGER && key->min == key->max;
		g_autofree char *path = config_key_path(key);
		print_message("%s\n", path);
		assert_true((key->field == CONFIG_NO_FIELD) == (key->type == CONFIG_SECTION || one_value));
		assert_true((key->type == CONFIG_OTHER) == (key->read != NULL));
	}
}

static void every_key_is_documented_with_its_default(void **state)
{
	(void)state;
	for (gsize i = 0; config_key(i) != NULL; i++) {
		const ConfigKey *key = config_key(i);
		g_autofree char *path = config_key_path(key), *meaning = config_key_meaning(key);
		print_message("%s: %s\n", path, meaning);
		assert_true(strlen(meaning) > 0 && !g_str_has_suffix(meaning, "."));
		assert_null(strpbrk(meaning, "{}[]|"));
		/* exactly one says what holds without the key */
		assert_int_equal(key->required + (key->value != NULL) + (key->absent != NULL), 1);
	}
}

static void bounds_and_kinds_are_words(void **state)
{
	static const struct {
		ConfigSection section;
		const char *name, *path, *kind, *value, *bounds;
	} rows[] = {
	        {CONFIG_IN_BENCHMARK, "rounds", "benchmarks[].rounds", "`auto` or integer", "`auto`", "1 to 62"},
	        {CONFIG_IN_BENCHMARK, "work", "benchmarks[].work", "number, or `reported`", "`1`", "1e-09 to 1e+18"},
	        {CONFIG_IN_BUILD, "timeout", "build.timeout", "duration", "`30m`", NULL},
	        {CONFIG_IN_METRIC, "margin", "benchmarks[].gate.METRIC.margin", "percentage", "by metric", NULL},
	        {CONFIG_IN_ROOT, "version", "version", "integer", "required", NULL},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const ConfigKey *key = config_key_find(rows[i].section, rows[i].name);
		g_autofree char *path = config_key_path(key), *kind = config_key_kind(key);
		g_autofree char *value = config_key_default(key), *bounds = config_key_bounds(key);
		assert_string_equal(path, rows[i].path);
		assert_string_equal(kind, rows[i].kind);
		assert_string_equal(value, rows[i].value);
		assert_int_equal(g_strcmp0(bounds, rows[i].bounds), 0);
	}
}

/* Two values of each key that is compared; of a key that weakens nothing, any two. */
static const struct {
	const char *path, *weaker, *stronger;
} values[] = {
        {"calibrate_every", "30", "20"},
        {"env", "[A, B]", "[A]"},
        {"accept_from", "[config]", "none"},
        {"build.command", "make fast", "make"},
        {"build.timeout", "1h", "1m"},
        {"build.privileges", "allow", "none"},
        {"baselines.anchor", "50", "100"},
        {"baselines.drift_margin", "6%", "5%"},
        {"baselines.gate_drift", "false", "true"},
        {"benchmarks[].name", "other", "one"},
        {"benchmarks[].command", "./fast", "./slow"},
        {"benchmarks[].cwd", "a", "b"},
        {"benchmarks[].files", "[a]", "[b, a]"},
        {"benchmarks[].files_from", "head", "base"},
        {"benchmarks[].work", "2", "1"},
        {"benchmarks[].framework", "go", "catch2"},
        {"benchmarks[].filter", "a", "b"},
        {"benchmarks[].iterations", "5", "10"},
        {"benchmarks[].engines", "[perf]", "[perf, callgrind]"},
        {"benchmarks[].metrics", "[a]", "[b, a]"},
        {"benchmarks[].timeout", "1h", "1m"},
        {"benchmarks[].sampling", "99", "999"},
        {"benchmarks[].cpus", "2", "1"},
        {"benchmarks[].rounds", "20", "auto"},
        {"benchmarks[].layouts", "1", "2"},
        {"benchmarks[].waits", "true", "false"},
        {"benchmarks[].yardstick", "false", "true"},
        {"benchmarks[].privileges", "allow", "none"},
        {"benchmarks[].error_output", "allow", "judge"},
        {"benchmarks[].measure", "region", "whole"},
        {"benchmarks[].unwind", "frame-pointers", "dwarf"},
        {"benchmarks[].stack_bytes", "256", "4096"},
        {"benchmarks[].profiles", "[page-faults]", "[off-cpu, page-faults]"},
        {"benchmarks[].cache", "false", "true"},
        {"benchmarks[].heap", "false", "true"},
        {"benchmarks[].call_depth", "9", "10"},
        {"benchmarks[].gate.functions", "true", "strict"},
};

/* A configuration in which that key has that value, and its neighbours let it count. */
static Config *config_with(const ConfigKey *key, const char *value)
{
	static const char *const beside[CONFIG_N_SECTIONS] = {[CONFIG_IN_BASELINES] = "gate_drift: true"};
	const char *name = key->section == CONFIG_IN_BENCHMARK && g_str_equal(key->name, "name") ? value : "one";
	const char *command =
	        key->section == CONFIG_IN_BENCHMARK && g_str_equal(key->name, "command") ? value : "./one";
	g_autofree char *line = g_strdup_printf("%s: %s", key->name, value);
	g_autoptr(GString) text = g_string_new("version: 1\n");
	if (key->section == CONFIG_IN_ROOT)
		g_string_append_printf(text, "%s\n", line);
	else if (key->section == CONFIG_IN_BUILD)
		g_string_append_printf(text, "build: {%s}\n", line);
	else if (key->section == CONFIG_IN_BASELINES)
		g_string_append_printf(text, "baselines: {%s%s%s}\n", line,
		        g_str_equal(key->name, "gate_drift") ? "" : ", ",
		        g_str_equal(key->name, "gate_drift") ? "" : beside[key->section]);
	g_string_append_printf(text, "benchmarks:\n- name: %s\n  command: %s\n", name, command);
	if (g_str_equal(key->name, "filter") || g_str_equal(key->name, "iterations"))
		g_string_append(text, "  framework: google-benchmark\n");
	if (!g_str_equal(key->name, "engines"))
		g_string_append(text, "  engines: [perf, callgrind]\n");
	if (key->section == CONFIG_IN_GATE)
		g_string_append_printf(text, "  gate: {%s}\n", line);
	else if (key->section == CONFIG_IN_BENCHMARK && !g_str_equal(key->name, "name") &&
	         !g_str_equal(key->name, "command"))
		g_string_append_printf(text, "  %s\n", line);
	g_autoptr(GError) error = NULL;
	Config *config = config_parse(text->str, text->len, "firebreak.yml", &error);
	if (error != NULL)
		fail_msg("%s\n%s", error->message, text->str);
	return config;
}

static guint count_weakened(const ConfigKey *key, const char *base_value, const char *head_value)
{
	g_autoptr(Config) base = config_with(key, base_value), head = config_with(key, head_value);
	g_autoptr(GPtrArray) sentences = config_weakened(base, head);
	return sentences->len;
}

static void a_weaker_value_of_any_key_is_seen(void **state)
{
	(void)state;
	for (gsize i = 0; config_key(i) != NULL; i++) {
		const ConfigKey *key = config_key(i);
		g_autofree char *path = config_key_path(key);
		gsize row = 0;
		if (key->type == CONFIG_SECTION || key->field == CONFIG_NO_FIELD || key->section == CONFIG_IN_ACCEPT ||
		        key->weaker == CONFIG_WEAKER_POLICY) /* tests/gate/request/policyset_test.c has those */
			continue;
		while (row < G_N_ELEMENTS(values) && !g_str_equal(values[row].path, path))
			row++;
		if (row == G_N_ELEMENTS(values))
			fail_msg("%s: values[] in this file has no weaker and no stronger value of it", path);
		print_message("%s: %s is weaker than %s\n", path, values[row].weaker, values[row].stronger);
		guint weaker = count_weakened(key, values[row].stronger, values[row].weaker);
		guint stronger = count_weakened(key, values[row].weaker, values[row].stronger);
		assert_int_equal(weaker, key->weaker == CONFIG_WEAKER_NEVER ? 0 : 1);
		assert_int_equal(stronger, key->weaker == CONFIG_WEAKER_CHANGED ? 1 : 0);
		assert_int_equal(count_weakened(key, values[row].weaker, values[row].weaker), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_key_says_which_way_it_weakens_the_gate),
	        cmocka_unit_test(every_key_goes_into_a_field_or_has_only_one_value),
	        cmocka_unit_test(every_key_is_documented_with_its_default),
	        cmocka_unit_test(bounds_and_kinds_are_words),
	        cmocka_unit_test(a_weaker_value_of_any_key_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
