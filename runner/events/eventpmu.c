/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/eventpmu.h"

#include "core/error.h"
#include "core/nearestword.h"

#include <string.h>

#define DEVICES "sys/bus/event_source/devices"
#define MAX_TERMS 32

/* Text of a small file below a folder, without blanks at its ends; NULL if it cannot be read. */
static char *read_small(const char *folder, const char *kind, const char *name)
{
	g_autofree char *path = g_build_filename(folder, kind, name, NULL);
	char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	return g_strstrip(text);
}

static void add_names(GPtrArray *names, const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(names, g_strdup(name));
}

/* The nearest of the files in these subfolders ("" = the folder itself); owned by the caller, NULL if none is near. */
static char *nearest_file(const char *folder, const char *word, const char *const *subfolders)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	for (; *subfolders != NULL; subfolders++) {
		g_autofree char *path = g_build_filename(folder, *subfolders, NULL);
		add_names(names, path);
	}
	g_ptr_array_add(names, NULL);
	return g_strdup(nearest_word(word, (const char *const *)(void *)names->pdata));
}

gboolean event_is_plain_name(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

static gboolean unknown(
        const char *folder, const char *const *subfolders, const char *what, const char *name, GError **error)
{
	g_autofree char *near = nearest_file(folder, name, subfolders);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "unknown %s \"%s\"%s%s%s", what, name,
	        near != NULL ? "; did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "");
	return FALSE;
}

/* Puts the low bits of `value` where a range list "0-7,32" says. FALSE if the list is malformed or has too few bits.
 * Source: Documentation/ABI/testing/sysfs-bus-event_source-devices-format of Linux. */
static gboolean spread_bits(const char *ranges, guint64 value, guint64 *word)
{
	g_auto(GStrv) parts = g_strsplit(ranges, ",", 64);
	guint used = 0;
	for (guint i = 0; parts[i] != NULL; i++) {
		char *end = NULL;
		guint64 first = g_ascii_strtoull(parts[i], &end, 10), last = first;
		if (*end == '-')
			last = g_ascii_strtoull(end + 1, &end, 10);
		if (end == parts[i] || *end != '\0' || last > 63 || first > last)
			return FALSE;
		for (guint64 bit = first; bit <= last; bit++, used++)
			if (used < 64 && (value >> used & 1) != 0)
				*word |= 1ull << bit;
	}
	return used >= 64 || value >> used == 0;
}

static guint64 *word_of(PerfEventSpec *spec, const char *name)
{
	if (g_str_equal(name, "config"))
		return &spec->config;
	if (g_str_equal(name, "config1"))
		return &spec->config1;
	return g_str_equal(name, "config2") ? &spec->config2 : NULL;
}

/* A term that the unit's format knows: `format` is "config1:0-15". */
static gboolean set_by_format(PerfEventSpec *spec, const char *format, const char *term, guint64 value, GError **error)
{
	const char *colon = strchr(format, ':');
	g_autofree char *word_name = colon != NULL ? g_strndup(format, (gsize)(colon - format)) : g_strdup("");
	guint64 *word = word_of(spec, word_name);
	if (word != NULL && spread_bits(colon + 1, value, word))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "the term \"%s\" cannot take this value (its bits are %s)", term, format);
	return FALSE;
}

static gboolean parse_number(const char *text, guint64 *value)
{
	char *end = NULL;
	*value = g_ascii_strtoull(text, &end, 0);
	return end != text && *end == '\0';
}

/* A term "key=value", or "key" which is key=1. */
static gboolean apply_term(const char *folder, const char *term, PerfEventSpec *spec, GError **error)
{
	static const char *const subfolders[] = {"format", "events", NULL};
	const char *equals = strchr(term, '=');
	g_autofree char *key = equals != NULL ? g_strndup(term, (gsize)(equals - term)) : g_strdup(term);
	guint64 value = 1;
	if (g_str_equal(key, "name") && equals != NULL && equals[1] != '\0') {
		g_free(spec->name);
		spec->name = g_strdup(equals + 1);
		return TRUE;
	}
	if (equals != NULL && !parse_number(equals + 1, &value)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "\"%s\" is not a number", equals + 1);
		return FALSE;
	}
	guint64 *word = word_of(spec, key);
	if (word != NULL) {
		*word = value;
		return TRUE;
	}
	g_autofree char *format = event_is_plain_name(key) ? read_small(folder, "format", key) : NULL;
	if (format == NULL)
		return unknown(folder, subfolders, "term", key, error);
	return set_by_format(spec, format, key, value, error);
}

static gboolean apply_terms(const char *folder, const char *terms, PerfEventSpec *spec, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(terms, ",", MAX_TERMS);
	for (guint i = 0; parts[i] != NULL; i++)
		if (!apply_term(folder, g_strstrip(parts[i]), spec, error))
			return FALSE;
	return TRUE;
}

/* The same, with a term that is an abbreviation replaced by what it stands for. */
static gboolean apply_with_events(const char *folder, const char *terms, PerfEventSpec *spec, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(terms, ",", MAX_TERMS);
	for (guint i = 0; parts[i] != NULL; i++) {
		char *term = g_strstrip(parts[i]);
		g_autofree char *stands_for = event_is_plain_name(term) ? read_small(folder, "events", term) : NULL;
		if (!apply_terms(folder, stands_for != NULL ? stands_for : term, spec, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean is_unit_of_cpu(const char *pmu)
{
	return g_str_equal(pmu, "cpu") || g_str_equal(pmu, "cpu_core") || g_str_equal(pmu, "cpu_atom");
}

gboolean event_from_pmu(const char *root, const char *pmu, const char *terms, PerfEventSpec *spec, GError **error)
{
	static const char *const here[] = {"", NULL};
	g_autofree char *devices = g_build_filename(root, DEVICES, NULL);
	g_autofree char *folder = g_build_filename(devices, pmu, NULL);
	g_autofree char *type = event_is_plain_name(pmu) ? read_small(folder, "", "type") : NULL;
	guint64 number;
	if (type == NULL && is_unit_of_cpu(pmu))
		return firebreak_refuse(error, FIREBREAK_ERROR_ENVIRONMENT,
		        "this machine has no PMU \"%s\" (virtual machines often have no hardware counters); the event "
		        "cpu-clock works everywhere",
		        pmu);
	if (type == NULL || !parse_number(type, &number))
		return unknown(devices, here, "PMU", pmu, error);
	spec->type = (guint32)number;
	return terms[0] == '\0' || apply_with_events(folder, terms, spec, error);
}
