/* SPDX-License-Identifier: Apache-2.0 */
/* docs/CONFIG.md and docs/schema/config-1.json say of each key what its row in runner/config/configkeys.c says.
 *
 * BLESS=1 rewrites both: of the schema all but what is more than a type (patterns, alternatives of texts), which stays
 * as it is written there. */
#include "runner/config/configkeys.h"
#include "runner/config/configlookup.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CONFIG_MD SOURCE_DIR "/docs/CONFIG.md"
#define SCHEMA SOURCE_DIR "/docs/schema/config-1.json"

static char *read_file(const char *path)
{
	char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

/* Fails with the first line that differs; with BLESS=1 the file becomes what is wanted. */
static void assert_file_is(const char *path, const char *is, const char *wanted)
{
	if (g_str_equal(is, wanted))
		return;
	if (g_getenv("BLESS") != NULL) {
		assert_true(g_file_set_contents(path, wanted, -1, NULL));
		return;
	}
	g_auto(GStrv) have = g_strsplit(is, "\n", -1), want = g_strsplit(wanted, "\n", -1);
	gsize i = 0;
	while (g_strcmp0(have[i], want[i]) == 0)
		i++;
	fail_msg("%s:%zu is not what the table of keys says; BLESS=1 rewrites it\nis:     %s\nwanted: %s", path, i + 1,
	        have[i], want[i]);
}

/* --- docs/CONFIG.md --- */

/* A key of firebreak.yml as a table of docs/CONFIG.md shows it. */
static void append_row(GString *out, const ConfigKey *key)
{
	g_autofree char *kind = config_key_kind(key), *value = config_key_default(key);
	g_autofree char *meaning = config_key_meaning(key);
	g_autofree char *name =
	        g_str_equal(key->name, "METRIC") ? g_strdup("a metric") : g_strdup_printf("`%s`", key->name);
	g_string_append_printf(out, "| %s | %s |%s%s | %s%s |\n", name, kind, *value != '\0' ? " " : "", value, meaning,
	        key->more != NULL ? key->more : "");
}

static void append_table(GString *out, ConfigSection section, guint sets)
{
	g_string_append(out, "| key | kind | default | meaning |\n|---|---|---|---|\n");
	for (gsize i = 0; config_key(i) != NULL; i++)
		if (config_key(i)->section == section && (config_key_set(config_key(i)) & sets) != 0)
			append_row(out, config_key(i));
}

/* Keys that have the same to be said of them: the words, and their names between backquotes. */
typedef struct {
	GPtrArray *words; /* const char *, each once */
	GPtrArray *names; /* GString *, one for each of the words */
} Groups;

/* Adds a key to the group of those words, by where it stands; keys of a benchmark by their names alone. */
static void add_to_group(Groups *groups, const char *words, const ConfigKey *key)
{
	const char *benchmark = "benchmarks[].";
	guint group = 0;
	if (!g_ptr_array_find_with_equal_func(groups->words, words, g_str_equal, &group)) {
		group = groups->words->len;
		g_ptr_array_add(groups->words, (gpointer)words);
		g_ptr_array_add(groups->names, g_string_new(""));
	}
	g_autofree char *path = config_key_path(key);
	gsize skipped = g_str_has_prefix(path, benchmark) ? strlen(benchmark) : 0;
	GString *names = groups->names->pdata[group];
	g_string_append_printf(names, "%s`%s`", names->len > 0 ? ", " : "", path + skipped);
}

/* Says what head's value of a key is if it weakens the gate; NULL if it never does, or if other rows say it. */
static const char *words_of_weaker(const ConfigKey *key)
{
	if (key->weakens_if != NULL)
		return key->weakens_if;
	switch (key->weaker) {
	case CONFIG_WEAKER_LOWER:
		return key->type == CONFIG_BOOLEAN ? "is switched off" : "is lower";
	case CONFIG_WEAKER_HIGHER:
		return key->type == CONFIG_BOOLEAN ? "is switched on" : "is larger";
	case CONFIG_WEAKER_CHANGED:
		return "is another";
	case CONFIG_WEAKER_FEWER:
		return "lacks one of its items";
	default:
		return NULL;
	}
}

/* An entry of `accept` is no setting, and a key with one value cannot be changed. */
static const char *words_of_never_weaker(const ConfigKey *key)
{
	gboolean setting = key->section != CONFIG_IN_ACCEPT && key->field != CONFIG_NO_FIELD;
	return setting && key->weaker == CONFIG_WEAKER_NEVER ? "never" : NULL;
}

static const char *words_of_engine(const ConfigKey *key)
{
	return key->engine != NULL ? key->engine->name : NULL;
}

/* A list of keys by what `words_of` says of them, or of those of which it says anything; `format` is for both texts. */
static void append_groups(GString *out, const char *(*words_of)(const ConfigKey *), const char *format)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new(), names = g_ptr_array_new();
	Groups groups = {words, names};
	for (gsize i = 0; config_key(i) != NULL; i++)
		if (words_of(config_key(i)) != NULL)
			add_to_group(&groups, words_of(config_key(i)), config_key(i));
	for (guint i = 0; i < words->len; i++) {
		GString *line = g_string_new(format), *list = names->pdata[i];
		g_string_replace(line, "WORDS", words->pdata[i], 0);
		g_string_replace(line, "KEYS", list->str, 0);
		g_string_append_printf(out, "%s\n", line->str);
		g_string_free(line, TRUE);
		g_string_free(list, TRUE);
	}
}

/* Parts of docs/CONFIG.md that come from the table of keys: tables, lists and sentences, in their order there, each
 * after a comment such as `<!-- keys: build -->` and up to the next empty line. */
static const struct {
	const char *name;
	ConfigSection section; /* of a table */
	guint sets;
	const char *(*words_of)(const ConfigKey *key); /* of a list; NULL = this is a table */
	const char *format;
} blocks[] = {
        {"root", CONFIG_IN_ROOT, CONFIG_ALL_KEYS, NULL, NULL},
        {"build", CONFIG_IN_BUILD, CONFIG_ALL_KEYS, NULL, NULL},
        {"baselines", CONFIG_IN_BASELINES, CONFIG_ALL_KEYS, NULL, NULL},
        {"benchmark", CONFIG_IN_BENCHMARK, CONFIG_OWN_KEYS, NULL, NULL},
        {"benchmark or defaults", CONFIG_IN_BENCHMARK, CONFIG_SHARED_KEYS | CONFIG_COUNTED_KEYS, NULL, NULL},
        {"one engine", 0, 0, words_of_engine, "- `WORDS` alone knows KEYS"},
        {"gate", CONFIG_IN_GATE, CONFIG_ALL_KEYS, NULL, NULL},
        {"metric of a gate", CONFIG_IN_METRIC, CONFIG_ALL_KEYS, NULL, NULL},
        {"weaker", 0, 0, words_of_weaker, "- WORDS: KEYS"},
        {"never weaker", 0, 0, words_of_never_weaker, "These keys WORDS weaken it: KEYS."},
        {"accept", CONFIG_IN_ACCEPT, CONFIG_ALL_KEYS, NULL, NULL},
};

static void CONFIG_md_says_of_the_keys_what_the_table_says(void **state)
{
	(void)state;
	g_autofree char *is = read_file(CONFIG_MD);
	g_autoptr(GString) wanted = g_string_new("");
	const char *rest = is;
	for (gsize i = 0; i < G_N_ELEMENTS(blocks); i++) {
		g_autofree char *mark = g_strdup_printf("<!-- keys: %s -->\n\n", blocks[i].name);
		const char *begin = strstr(rest, mark);
		if (begin == NULL)
			fail_msg("docs/CONFIG.md has no %s after those before it", mark);
		begin += strlen(mark);
		g_string_append_len(wanted, rest, begin - rest);
		if (blocks[i].words_of != NULL)
			append_groups(wanted, blocks[i].words_of, blocks[i].format);
		else
			append_table(wanted, blocks[i].section, blocks[i].sets);
		rest = strstr(begin - 1, "\n\n") + 1;
	}
	g_string_append(wanted, rest);
	assert_file_is(CONFIG_MD, is, wanted->str);
}

/* --- the schema --- */

/* A default as JSON: a number, true, a list or a text. */
static json_t *json_value(const char *text)
{
	if (g_str_equal(text, "true") || g_str_equal(text, "false"))
		return json_boolean(g_str_equal(text, "true"));
	if (strspn(text, "0123456789") == strlen(text))
		return json_integer(g_ascii_strtoll(text, NULL, 10));
	if (*text != '[')
		return json_string(text);
	g_autofree char *inside = g_strndup(text + 1, strlen(text) - 2);
	g_auto(GStrv) items = g_strsplit(inside, ", ", -1);
	json_t *list = json_array();
	for (char **item = items; *item != NULL; item++)
		json_array_append_new(list, json_string(*item));
	return list;
}

static json_t *json_words(const char *const *words)
{
	json_t *list = json_array();
	for (; *words != NULL; words++)
		json_array_append_new(list, json_string(*words));
	return list;
}

static void set_reference(json_t *schema, const char *name)
{
	json_object_set_new(schema, "$ref", json_sprintf("#/$defs/%s", name));
}

static void set_integer(json_t *schema, const ConfigKey *key)
{
	json_t *number = json_pack("{s:s}", "type", "integer");
	if (key->min == key->max) {
		json_object_set_new(number, "const", json_integer((json_int_t)key->min));
	} else {
		json_object_set_new(number, "minimum", json_integer((json_int_t)key->min));
		json_object_set_new(number, "maximum", json_integer((json_int_t)key->max));
	}
	if (key->zero != NULL)
		json_object_set_new(schema, "anyOf", json_pack("[{s:s}, o]", "const", key->zero, number));
	else
		json_object_update_new(schema, number);
}

static void set_list(json_t *schema, const ConfigKey *key)
{
	if (key->max == 0) {
		json_object_clear(schema);
		set_reference(schema, "texts");
		return;
	}
	json_t *items = key->choices != NULL ? json_pack("{s:o}", "enum", json_words(key->choices)) : NULL;
	json_object_set_new(schema, "type", json_string("array"));
	json_object_set_new(schema, "minItems", json_integer(1));
	json_object_set_new(schema, "maxItems", json_integer((json_int_t)key->max));
	json_object_set_new(schema, "uniqueItems", json_true());
	if (items != NULL)
		json_object_set_new(schema, "items", items);
	else if (json_object_get(schema, "items") == NULL)
		json_object_set_new(schema, "items", json_pack("{s:s}", "$ref", "#/$defs/text"));
}

static void set_section(json_t *schema, const ConfigKey *key)
{
	if (key->min > 0)
		json_object_set_new(schema, "minItems", json_integer((json_int_t)key->min));
	if (key->max > 0)
		json_object_set_new(schema, "maxItems", json_integer((json_int_t)key->max));
}

/* Sets in the schema of a value what the row says of it. */
static void set_value(json_t *schema, const ConfigKey *key)
{
	if (key->type >= CONFIG_INTEGER && key->type <= CONFIG_PERCENTAGE)
		json_object_clear(schema);
	switch (key->type) {
	case CONFIG_INTEGER:
		set_integer(schema, key);
		break;
	case CONFIG_BOOLEAN:
		json_object_set_new(schema, "type", json_string("boolean"));
		break;
	case CONFIG_CHOICE:
		json_object_set_new(schema, "enum", json_words(key->choices));
		break;
	case CONFIG_DURATION:
		set_reference(schema, "duration");
		break;
	case CONFIG_PERCENTAGE:
		set_reference(schema, "percent");
		break;
	case CONFIG_COMMAND:
		set_reference(schema, "command");
		break;
	case CONFIG_TEXTS:
		set_list(schema, key);
		break;
	case CONFIG_TEXT:
		if (json_object_size(schema) == 0)
			set_reference(schema, "text");
		break;
	case CONFIG_SECTION:
		set_section(schema, key);
		break;
	case CONFIG_OTHER:
		break;
	}
	if (json_object_size(schema) == 0)
		fail_msg("%s: its schema has to be written into docs/schema/config-1.json", key->name);
	g_autofree char *meaning = config_key_meaning(key);
	if (key->value != NULL)
		json_object_set_new(schema, "default", json_value(key->value));
	json_object_set_new(schema, "description", json_string(meaning));
}

/* The member of that name, which is made if it is not there; borrowed. */
static json_t *member(json_t *object, const char *name)
{
	if (json_object_get(object, name) == NULL)
		json_object_set_new(object, name, json_object());
	return json_object_get(object, name);
}

/* The schema of the mapping of that section; borrowed. */
static json_t *section_schema(json_t *schema, ConfigSection section)
{
	static const char *const definitions[CONFIG_N_SECTIONS] = {[CONFIG_IN_BENCHMARK] = "benchmark",
	        [CONFIG_IN_GATE] = "gate",
	        [CONFIG_IN_METRIC] = "metric_gate",
	        [CONFIG_IN_ACCEPT] = "accept"};
	if (section == CONFIG_IN_ROOT)
		return schema;
	if (definitions[section] != NULL)
		return member(member(schema, "$defs"), definitions[section]);
	return member(member(schema, "properties"), section == CONFIG_IN_BUILD ? "build" : "baselines");
}

/* Adds a key to the properties of a section, from what the schema said of it before. */
static void add_property(json_t *properties, json_t *schema, const ConfigKey *key, const json_t *before)
{
	json_t *definitions = member(schema, "$defs");
	if (g_str_equal(key->name, "METRIC")) {
		for (const char *const *metric = config_metric_names; *metric != NULL; metric++)
			set_reference(member(properties, *metric), "metric_gate");
	} else if (key->in_defaults) {
		set_value(member(definitions, key->name), key);
		set_reference(member(properties, key->name), key->name);
	} else {
		json_t *value = json_object_get(before, key->name);
		json_object_set_new(properties, key->name, value != NULL ? json_deep_copy(value) : json_object());
		set_value(json_object_get(properties, key->name), key);
	}
}

static void set_properties(json_t *schema, json_t *section, ConfigSection which, guint sets)
{
	json_t *properties = json_object(), *required = json_array();
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++) {
		if (key->section != which || (config_key_set(key) & sets) == 0)
			continue;
		add_property(properties, schema, key, json_object_get(section, "properties"));
		if (key->required)
			json_array_append_new(required, json_string(key->name));
	}
	json_object_set_new(section, "properties", properties);
	if (json_array_size(required) > 0)
		json_object_set(section, "required", required);
	json_decref(required);
	json_object_set_new(section, "additionalProperties", json_false());
}

static void set_names(json_t *schema)
{
	json_t *taken = json_words(config_taken_names), *names = json_words(config_metric_names);
	json_array_extend(taken, names);
	json_decref(names);
	json_object_set_new(member(member(member(schema, "$defs"), "own_metric"), "not"), "enum", taken);
	const ConfigKey *key;
	json_t *needs = member(section_schema(schema, CONFIG_IN_BENCHMARK), "dependentSchemas");
	for (gsize i = 0; (key = config_key(i)) != NULL; i++)
		if (key->section == CONFIG_IN_BENCHMARK && config_key_set(key) == CONFIG_COUNTED_KEYS)
			set_reference(member(needs, key->name), "with_callgrind");
}

/* Appends a value in one line if it fits, else each member in a line of its own. */
static void append_json(GString *out, const json_t *value, guint depth)
{
	g_autofree char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
	gboolean object = json_is_object(value);
	if ((strlen(line) + 2 * depth <= 140 && depth > 0) || (!object && !json_is_array(value))) {
		g_string_append(out, line);
		return;
	}
	gsize n = object ? json_object_size(value) : json_array_size(value), i = 0;
	void *iterator = object ? json_object_iter((json_t *)value) : NULL;
	g_string_append(out, object ? "{\n" : "[\n");
	for (; i < n; i++) {
		g_string_append_printf(out, "%*s", (int)(2 * depth + 2), "");
		if (object)
			g_string_append_printf(out, "\"%s\": ", json_object_iter_key(iterator));
		append_json(out, object ? json_object_iter_value(iterator) : json_array_get(value, i), depth + 1);
		g_string_append(out, i + 1 < n ? ",\n" : "\n");
		iterator = object ? json_object_iter_next((json_t *)value, iterator) : NULL;
	}
	g_string_append_printf(out, "%*s%c", (int)(2 * depth), "", object ? '}' : ']');
}

static void the_schema_is_that_of_the_program(void **state)
{
	(void)state;
	g_autofree char *is = read_file(SCHEMA);
	json_t *schema = json_loads(is, 0, NULL);
	assert_non_null(schema);
	for (guint section = 0; section < CONFIG_N_SECTIONS; section++)
		set_properties(schema, section_schema(schema, section), section, CONFIG_ALL_KEYS);
	set_properties(schema, member(member(schema, "properties"), "defaults"), CONFIG_IN_BENCHMARK,
	        CONFIG_SHARED_KEYS | CONFIG_COUNTED_KEYS);
	set_names(schema);
	g_autoptr(GString) wanted = g_string_new("");
	append_json(wanted, schema, 0);
	g_string_append_c(wanted, '\n');
	json_decref(schema);
	assert_file_is(SCHEMA, is, wanted->str);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(CONFIG_md_says_of_the_keys_what_the_table_says),
	        cmocka_unit_test(the_schema_is_that_of_the_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
