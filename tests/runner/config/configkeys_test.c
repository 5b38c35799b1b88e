/* SPDX-License-Identifier: Apache-2.0 */
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

/* Two values of a key; of one that weakens nothing, or with any change, any two. */
typedef struct {
	char *weaker, *stronger;
} TwoValues;

/* Of keys whose type and bounds do not tell two. */
static const struct {
	const char *path, *weaker, *stronger;
} own_values[] = {
        {"calibrate_every", "30", "20"},
        {"accept_from", "[config]", "none"},
        {"benchmarks[].work", "2", "1"},
        {"benchmarks[].profiles", "[page-faults]", "[off-cpu, page-faults]"},
        {"benchmarks[].gate.functions", "true", "strict"},
};

/* The lower and the higher of two values, which differ as much as they can; NULL if the type does not tell. */
static TwoValues lower_and_higher(const ConfigKey *key)
{
	guint n = key->choices != NULL ? g_strv_length((char **)key->choices) : 0;
	switch (key->type) {
	case CONFIG_INTEGER:
		return (TwoValues){g_strdup_printf("%.10g", key->min),
		        key->zero != NULL ? g_strdup(key->zero) : g_strdup_printf("%.10g", key->max)};
	case CONFIG_BOOLEAN:
		return (TwoValues){g_strdup("false"), g_strdup("true")};
	case CONFIG_CHOICE:
		return (TwoValues){g_strdup(key->choices[0]), g_strdup(key->choices[n - 1])};
	case CONFIG_DURATION:
		return (TwoValues){g_strdup("1m"), g_strdup("1h")};
	case CONFIG_PERCENTAGE:
		return (TwoValues){g_strdup("1%"), g_strdup("2%")};
	case CONFIG_TEXT:
	case CONFIG_COMMAND:
		return (TwoValues){g_strdup("a"), g_strdup("b")};
	case CONFIG_TEXTS:
		return n > 0 ? (TwoValues){g_strdup_printf("[%s]", key->choices[0]),
		                       g_strdup_printf("[%s, %s]", key->choices[0], key->choices[1])}
		             : (TwoValues){g_strdup("[a]"), g_strdup("[b, a]")};
	default:
		return (TwoValues){NULL, NULL};
	}
}

static TwoValues two_values(const ConfigKey *key)
{
	g_autofree char *path = config_key_path(key);
	for (gsize i = 0; i < G_N_ELEMENTS(own_values); i++)
		if (g_str_equal(own_values[i].path, path))
			return (TwoValues){g_strdup(own_values[i].weaker), g_strdup(own_values[i].stronger)};
	TwoValues values = lower_and_higher(key);
	if (values.weaker == NULL)
		fail_msg("%s: own_values[] in this file has no weaker and no stronger value of it", path);
	return key->weaker == CONFIG_WEAKER_HIGHER ? (TwoValues){values.stronger, values.weaker} : values;
}

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
		if (key->type == CONFIG_SECTION || key->field == CONFIG_NO_FIELD || key->section == CONFIG_IN_ACCEPT ||
		        key->weaker == CONFIG_WEAKER_POLICY) /* tests/gate/request/policyset_test.c has those */
			continue;
		TwoValues values = two_values(key);
		print_message("%s: %s is weaker than %s\n", path, values.weaker, values.stronger);
		guint weaker = count_weakened(key, values.stronger, values.weaker);
		guint stronger = count_weakened(key, values.weaker, values.stronger);
		assert_int_equal(weaker, key->weaker == CONFIG_WEAKER_NEVER ? 0 : 1);
		assert_int_equal(stronger, key->weaker == CONFIG_WEAKER_CHANGED ? 1 : 0);
		assert_int_equal(count_weakened(key, values.weaker, values.weaker), 0);
		g_free(values.weaker);
		g_free(values.stronger);
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
