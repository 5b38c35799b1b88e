/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/jsonfields.h"

#include "core/error.h"

#include <math.h>

void field_is_wrong(FieldReading *reading, const char *key)
{
	if (reading->problem == NULL)
		reading->problem = key;
}

void field_refuse(FieldReading *reading, const char *key, const char *value)
{
	if (reading->error == NULL)
		g_set_error(&reading->error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
		        "%s: %s '%s' is not known; made by another version of firebreak?", reading->what, key,
		        value != NULL ? value : "");
}

char *field_text(const json_t *object, const char *key)
{
	return json_text_decode(json_object_get(object, key));
}

char *field_text_or_empty(const json_t *object, const char *key)
{
	char *text = field_text(object, key);
	return text != NULL ? text : g_strdup("");
}

void field_replace_text(char **field, const json_t *object, const char *key)
{
	g_free(*field);
	*field = field_text_or_empty(object, key);
}

double field_number_value(const json_t *value)
{
	return json_is_number(value) ? json_number_value(value) : NAN;
}

double field_number(const json_t *object, const char *key)
{
	return field_number_value(json_object_get(object, key));
}

double field_cost_value(const json_t *value, gboolean counted)
{
	double number = field_number_value(value);
	gboolean lost_fraction = counted && json_is_real(value) && number == floor(number);
	return lost_fraction ? nextafter(number, INFINITY) : number;
}

double field_cost(const json_t *object, const char *key, gboolean counted)
{
	return field_cost_value(json_object_get(object, key), counted);
}

double field_share(const json_t *object, const char *key)
{
	return field_number(object, key) / 100;
}

double field_ratio(const json_t *object, const char *key)
{
	return 1 + field_share(object, key);
}

double field_end(const json_t *object, const char *key, gsize end)
{
	return field_number_value(json_array_get(json_object_get(object, key), end)) / 100;
}

guint64 field_count(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));
	return value > 0 ? (guint64)value : 0;
}

guint field_small_count(const json_t *object, const char *key)
{
	return (guint)MIN(field_count(object, key), G_MAXUINT);
}

gboolean field_flag(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

gboolean field_is_set(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return value != NULL && !json_is_null(value);
}

guint field_word(FieldReading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n)
{
	const char *word = json_string_value(json_object_get(object, key));
	for (guint i = 0; i < n; i++) {
		if (g_strcmp0(word, name(i)) == 0)
			return i;
	}
	field_refuse(reading, key, word);
	return 0;
}

guint field_new_word(FieldReading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n)
{
	return json_is_string(json_object_get(object, key)) ? field_word(reading, object, key, name, n) : 0;
}
