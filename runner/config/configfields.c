/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configfields.h"

#include "runner/config/configlookup.h"

#include <string.h>

gboolean config_keys_check(ConfigSection section, guint sets, const YamlNode *map, GError **error)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++)
		if (key->section == section && (config_key_set(key) & sets) != 0)
			g_ptr_array_add(known, (gpointer)key->name);
	g_ptr_array_add(known, NULL);
	return yaml_check_keys(map, (const char *const *)(void *)known->pdata, error);
}

/* --- reading --- */

static gboolean read_integer(const YamlNode *node, const ConfigKey *key, guint *field, GError **error)
{
	gint64 number = 0;
	if (key->zero != NULL && node->kind == YAML_SCALAR && g_str_equal(node->text, key->zero)) {
		*field = 0;
		return TRUE;
	}
	if (!yaml_read_int(node, (gint64)key->min, (gint64)key->max, &number, error)) {
		if (key->zero != NULL)
			g_prefix_error(error, "%s is `%s` or a number: ", key->name, key->zero);
		return FALSE;
	}
	*field = (guint)number;
	return TRUE;
}

/* Fails at the first item that is none of the choices, is there twice, or is one too many. */
static gboolean check_items(const YamlNode *node, const ConfigKey *key, char *const *texts, GError **error)
{
	guint choice;
	for (guint i = 0; key->choices != NULL && texts[i] != NULL; i++)
		if (!yaml_read_choice(yaml_item(node, i), key->choices, &choice, error))
			return FALSE;
	for (guint i = 0; key->max > 0 && texts[i] != NULL; i++) {
		if (i >= key->max)
			return yaml_error(yaml_item(node, i), error, "at most %g are possible", key->max);
		for (guint j = 0; j < i; j++)
			if (g_str_equal(texts[i], texts[j]))
				return yaml_error(yaml_item(node, i), error, "\"%s\" is in the list already", texts[i]);
	}
	return TRUE;
}

static gboolean read_texts(const YamlNode *node, const ConfigKey *key, char ***field, GError **error)
{
	if (node->kind == YAML_SCALAR && *node->text != '\0')
		return yaml_error(node, error, "expected a list, found a value: write [%s]", node->text);
	return yaml_read_string_list(node, field, error) && check_items(node, key, *field, error);
}

/* A text runs in a shell, a list is an argument vector. */
static gboolean read_command(const YamlNode *node, char ***field, GError **error)
{
	char *text = NULL;
	if (node->kind == YAML_SEQUENCE)
		return yaml_read_string_list(node, field, error);
	if (!yaml_read_string(node, &text, error))
		return FALSE;
	g_strfreev(*field);
	*field = g_new0(char *, 4);
	(*field)[0] = g_strdup("/bin/sh");
	(*field)[1] = g_strdup("-c");
	(*field)[2] = text;
	return TRUE;
}

static gboolean read_field(const YamlNode *node, const ConfigKey *key, gpointer target, GError **error)
{
	guint nowhere = 0;
	gpointer field = key->field == CONFIG_NO_FIELD ? &nowhere : G_STRUCT_MEMBER_P(target, key->field);
	switch (key->type) {
	case CONFIG_INTEGER:
		return read_integer(node, key, field, error);
	case CONFIG_BOOLEAN:
		return yaml_read_bool(node, field, error);
	case CONFIG_CHOICE:
		return yaml_read_choice(node, key->choices, field, error);
	case CONFIG_DURATION:
		return yaml_read_duration(node, field, error);
	case CONFIG_PERCENTAGE:
		return yaml_read_percent(node, field, error);
	case CONFIG_TEXT:
		return yaml_read_string(node, field, error);
	case CONFIG_TEXTS:
		return read_texts(node, key, field, error);
	case CONFIG_COMMAND:
		return read_command(node, field, error);
	case CONFIG_OTHER:
		return key->read(node, key, target, error);
	case CONFIG_SECTION:
		break;
	}
	return TRUE;
}

static gboolean read_key(const YamlNode *node, const ConfigKey *key, gpointer target, GError **error)
{
	return read_field(node, key, target, error) &&
	       (key->check == NULL || key->check(node, G_STRUCT_MEMBER_P(target, key->field), error));
}

gboolean config_keys_read(ConfigSection section, guint sets, const YamlNode *map, gpointer target, GError **error)
{
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++) {
		if (key->section != section || (config_key_set(key) & sets) == 0)
			continue;
		const YamlNode *node = yaml_mapping_get(map, key->name);
		if (node == NULL ? key->required && yaml_require(map, key->name, error) == NULL
		                 : !read_key(node, key, target, error))
			return FALSE;
	}
	return TRUE;
}

void config_keys_init(ConfigSection section, gpointer target)
{
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++) {
		if (key->section != section || key->value == NULL)
			continue;
		g_autoptr(YamlNode) value = yaml_parse(key->value, strlen(key->value), key->name, NULL);
		gboolean fits = read_key(value, key, target, NULL);
		g_assert(fits);
	}
}

/* --- comparing --- */

/* A number that is the larger, the more of it there is; without an end is the most. */
static double amount(const ConfigKey *key, gconstpointer section)
{
	gconstpointer field = G_STRUCT_MEMBER_P(section, key->field);
	if (key->type == CONFIG_DURATION)
		return (double)*(const gint64 *)field;
	if (key->type == CONFIG_PERCENTAGE)
		return *(const double *)field;
	guint number = *(const guint *)field;
	return number == 0 && key->zero != NULL ? G_MAXDOUBLE : number;
}

static gboolean is_changed(const ConfigKey *key, gconstpointer base, gconstpointer head)
{
	gconstpointer was = G_STRUCT_MEMBER_P(base, key->field), is = G_STRUCT_MEMBER_P(head, key->field);
	if (key->type == CONFIG_TEXT)
		return g_strcmp0(*(char *const *)was, *(char *const *)is) != 0;
	if (key->type == CONFIG_TEXTS || key->type == CONFIG_COMMAND)
		return !g_strv_equal(*(const char *const *const *)was, *(const char *const *const *)is);
	return amount(key, base) != amount(key, head);
}

static void say(GPtrArray *sentences, const ConfigKey *key, gconstpointer base, const char *value, const char *says)
{
	GString *text = g_string_new(says);
	g_string_replace(text, "{}", value, 0);
	if (key->section == CONFIG_IN_BENCHMARK || key->section == CONFIG_IN_GATE) {
		g_string_prepend(text, ": ");
		g_string_prepend(text, ((const ConfigBenchmark *)base)->name);
	}
	if (g_ptr_array_find_with_equal_func(sentences, text->str, g_str_equal, NULL))
		g_string_free(text, TRUE);
	else
		g_ptr_array_add(sentences, g_string_free(text, FALSE));
}

static void compare_items(const ConfigKey *key, gconstpointer base, gconstpointer head, GPtrArray *sentences)
{
	char **was = G_STRUCT_MEMBER(char **, base, key->field), **is = G_STRUCT_MEMBER(char **, head, key->field);
	for (; was != NULL && *was != NULL; was++)
		if (is == NULL || !g_strv_contains((const char *const *)is, *was))
			say(sentences, key, base, *was, key->says);
}

static gboolean is_weaker(const ConfigKey *key, gconstpointer base, gconstpointer head)
{
	switch (key->weaker) {
	case CONFIG_WEAKER_LOWER:
		return amount(key, head) < amount(key, base);
	case CONFIG_WEAKER_HIGHER:
		return amount(key, head) > amount(key, base);
	case CONFIG_WEAKER_CHANGED:
		return is_changed(key, base, head);
	default:
		return FALSE;
	}
}

static void compare_key(const ConfigKey *key, gconstpointer base, gconstpointer head, GPtrArray *sentences)
{
	if (key->compare != NULL) {
		g_autofree char *says = key->compare(base, head);
		if (says != NULL)
			say(sentences, key, base, "", says);
	} else if (key->weaker == CONFIG_WEAKER_FEWER) {
		compare_items(key, base, head, sentences);
	} else if (is_weaker(key, base, head)) {
		g_autofree char *value = g_strdup_printf("%g", amount(key, head));
		say(sentences, key, base, value, key->says);
	}
}

void config_keys_compare(ConfigSection section, gconstpointer base, gconstpointer head, GPtrArray *sentences)
{
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++) {
		/* an engine that is gone does not take the loss of a list's items with it */
		gboolean of_engine = key->engine != NULL && key->weaker != CONFIG_WEAKER_FEWER;
		if (key->section != section || (of_engine && !(config_uses_engine(base, key->engine) &&
		                                                     config_uses_engine(head, key->engine))))
			continue;
		compare_key(key, base, head, sentences);
	}
}
