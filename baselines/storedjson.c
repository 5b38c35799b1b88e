#include "baselines/storedjson.h"

#include <math.h>

json_t *stored_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *stored_count(guint64 value)
{
	return json_integer((json_int_t)MIN(value, (guint64)G_MAXINT64));
}

const json_t *stored_member(StoredReader *reader, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (value == NULL && reader->problem == NULL)
		reader->problem = key;
	return value;
}

char *stored_read_text(StoredReader *reader, const json_t *object, const char *key)
{
	char *text = json_text_decode(stored_member(reader, object, key));
	if (text == NULL && reader->problem == NULL)
		reader->problem = key;
	return text != NULL ? text : g_strdup("");
}

guint64 stored_read_count(StoredReader *reader, const json_t *object, const char *key)
{
	const json_t *value = stored_member(reader, object, key);
	if (reader->problem == NULL && (!json_is_integer(value) || json_integer_value(value) < 0))
		reader->problem = key;
	return reader->problem == NULL ? (guint64)json_integer_value(value) : 0;
}

double stored_number_value(StoredReader *reader, const json_t *value, const char *key)
{
	if (json_is_null(value))
		return NAN;
	if (reader->problem == NULL && !json_is_number(value))
		reader->problem = key;
	return json_number_value(value);
}

double stored_read_number(StoredReader *reader, const json_t *object, const char *key)
{
	return stored_number_value(reader, stored_member(reader, object, key), key);
}

gboolean stored_read_flag(StoredReader *reader, const json_t *object, const char *key)
{
	const json_t *value = stored_member(reader, object, key);
	if (reader->problem == NULL && !json_is_boolean(value))
		reader->problem = key;
	return json_is_true(value);
}

const json_t *stored_read_array(StoredReader *reader, const json_t *object, const char *key, gsize most)
{
	const json_t *value = stored_member(reader, object, key);
	if (reader->problem == NULL && (!json_is_array(value) || json_array_size(value) > most))
		reader->problem = key;
	return value;
}

guint stored_read_choice(
        StoredReader *reader, const json_t *object, const char *key, const char *const *names, guint n_names)
{
	const char *text = json_string_value(stored_member(reader, object, key));
	for (guint i = 0; text != NULL && i < n_names; i++) {
		if (g_str_equal(names[i], text))
			return i;
	}
	if (reader->problem == NULL)
		reader->problem = key;
	return 0;
}
