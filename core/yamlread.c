/* SPDX-License-Identifier: Apache-2.0 */
#include "core/yamltree.h"

#include "core/error.h"
#include "core/nearestword.h"

#include <math.h>
#include <string.h>

#define MAX_DURATION_MS ((guint64)7 * 24 * 60 * 60 * 1000)

static gboolean unknown_word(const YamlNode *node, const char *what, const char *const *known, GError **error)
{
	const char *near = nearest_word(node->text, known);
	if (near != NULL)
		return yaml_error(node, error, "unknown %s \"%s\"; did you mean \"%s\"?", what, node->text, near);
	g_autofree char *all = g_strjoinv(", ", (char **)known);
	return yaml_error(node, error, "unknown %s \"%s\"; valid %ss: %s", what, node->text, what, all);
}

gboolean yaml_check_keys(const YamlNode *mapping, const char *const *known, GError **error)
{
	if (!yaml_expect(mapping, YAML_MAPPING, error))
		return FALSE;
	for (guint i = 0; i < yaml_length(mapping); i++)
		if (!g_strv_contains(known, yaml_key(mapping, i)->text))
			return unknown_word(yaml_key(mapping, i), "key", known, error);
	return TRUE;
}

/* --- kinds --- */

static gboolean is_null(const YamlNode *node)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	return node->kind == YAML_SCALAR && !node->quoted && g_strv_contains(nulls, node->text);
}

gboolean yaml_expect(const YamlNode *node, YamlKind kind, GError **error)
{
	if (node == NULL || (node->kind == kind && !is_null(node)))
		return TRUE;
	if (is_null(node))
		return yaml_error(node, error, "expected a %s, found nothing", yaml_kind_name(kind));
	return yaml_error(node, error, "expected a %s, found a %s", yaml_kind_name(kind), yaml_kind_name(node->kind));
}

/* --- values --- */

gboolean yaml_read_string(const YamlNode *node, char **out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	if (node->text[0] == '\0')
		return yaml_error(node, error, "expected a value, found an empty text");
	g_free(*out);
	*out = g_strdup(node->text);
	return TRUE;
}

gboolean yaml_read_bool(const YamlNode *node, gboolean *out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	gboolean yes = g_str_equal(node->text, "true");
	if (node->quoted || (!yes && !g_str_equal(node->text, "false")))
		return yaml_error(node, error, "expected true or false, found \"%s\"", node->text);
	*out = yes;
	return TRUE;
}

gboolean yaml_read_int(const YamlNode *node, gint64 min, gint64 max, gint64 *out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	const char *digits = node->text + (node->text[0] == '-');
	if (node->quoted || digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
		return yaml_error(node, error, "expected a whole number, found \"%s\"", node->text);
	gint64 value = 0;
	if (g_ascii_string_to_signed(node->text, 10, min, max, &value, NULL)) {
		*out = value;
		return TRUE;
	}
	if (max == G_MAXINT64)
		return yaml_error(node, error, "%s is less than %" G_GINT64_FORMAT, node->text, min);
	return yaml_error(
	        node, error, "%s is not within %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, node->text, min, max);
}

/* A finite number in decimal notation, without the hexadecimal, infinite and other forms of strtod(). */
static gboolean parse_decimal(const char *text, double *value)
{
	char *end = NULL;
	if (strspn(text, "0123456789.eE+-") != strlen(text))
		return FALSE;
	*value = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*value);
}

gboolean yaml_read_number(const YamlNode *node, double min, double max, double *out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	double value = 0;
	if (node->quoted || !parse_decimal(node->text, &value))
		return yaml_error(node, error, "expected a number, found \"%s\"", node->text);
	if (value < min || value > max) {
		char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
		return yaml_error(node, error, "%s is not within %s to %s", node->text,
		        g_ascii_formatd(low, sizeof low, "%g", min), g_ascii_formatd(high, sizeof high, "%g", max));
	}
	*out = value;
	return TRUE;
}

gboolean yaml_read_duration(const YamlNode *node, gint64 *out_ms, GError **error)
{
	static const char *const units[] = {"ms", "s", "m", "h", NULL};
	static const guint64 unit_ms[] = {1, 1000, 60 * 1000, 60 * 60 * 1000};
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	gsize digits = strspn(node->text, "0123456789");
	const char *unit = node->text + digits;
	if (digits > 0 && *unit == '\0')
		return yaml_error(node, error, "duration \"%s\" needs a unit (ms, s, m or h), for example %ss",
		        node->text, node->text);
	guint i = 0;
	while (units[i] != NULL && !g_str_equal(unit, units[i]))
		i++;
	if (digits == 0 || units[i] == NULL)
		return yaml_error(
		        node, error, "\"%s\" is not a duration; write for example 500ms, 60s or 10m", node->text);
	/* Saturates far above the limit. */
	guint64 count = g_ascii_strtoull(node->text, NULL, 10);
	if (count == 0 || count > MAX_DURATION_MS / unit_ms[i])
		return yaml_error(node, error, "duration \"%s\" is not within 1ms to 168h", node->text);
	*out_ms = (gint64)(count * unit_ms[i]);
	return TRUE;
}

gboolean yaml_read_percent(const YamlNode *node, double *out_share, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	double value = 0;
	if (parse_decimal(node->text, &value))
		return yaml_error(node, error, "\"%s\" needs a percent sign; write %s%%", node->text, node->text);
	gsize length = strlen(node->text);
	g_autofree char *number = g_strndup(node->text, length > 0 ? length - 1 : 0);
	if (!g_str_has_suffix(node->text, "%") || !parse_decimal(number, &value))
		return yaml_error(node, error, "\"%s\" is not a percentage; write for example 3%%", node->text);
	if (value < 0 || value > 100)
		return yaml_error(node, error, "\"%s\" is not within 0%% to 100%%", node->text);
	*out_share = value / 100;
	return TRUE;
}

gboolean yaml_read_choice(const YamlNode *node, const char *const *choices, guint *out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SCALAR, error))
		return FALSE;
	for (guint i = 0; choices[i] != NULL; i++) {
		if (g_str_equal(choices[i], node->text)) {
			*out = i;
			return TRUE;
		}
	}
	return unknown_word(node, "value", choices, error);
}

gboolean yaml_read_string_list(const YamlNode *node, char ***out, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_SEQUENCE, error))
		return FALSE;
	if (yaml_length(node) == 0)
		return yaml_error(node, error, "expected a list with at least one item");
	g_auto(GStrv) list = g_new0(char *, yaml_length(node) + 1);
	for (guint i = 0; i < yaml_length(node); i++)
		if (!yaml_read_string(yaml_item(node, i), &list[i], error))
			return FALSE;
	g_strfreev(*out);
	*out = g_steal_pointer(&list);
	return TRUE;
}
