/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/fieldtable.h"

#include <math.h>
#include <string.h>

#define SHA_DIGITS 40
#define DIGITS_MAX 20 /* of a 64-bit number */

/* --- writing --- */

static json_t *count_json(guint64 value)
{
	return json_integer((json_int_t)MIN(value, (guint64)G_MAXINT64));
}

static json_t *digits_json(guint64 value)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);
	return json_string(digits);
}

static json_t *share_json(double share)
{
	return json_number(share * 100);
}

json_t *pair_json(json_t *first, json_t *second)
{
	json_t *array = json_array();
	json_array_append_new(array, first);
	json_array_append_new(array, second);
	return array;
}

static json_t *texts_json(const GPtrArray *texts)
{
	json_t *array = json_array();
	for (guint i = 0; texts != NULL && i < texts->len; i++)
		json_array_append_new(array, json_text(texts->pdata[i]));
	return array;
}

static json_t *strv_json(char *const *texts)
{
	json_t *array = json_array();
	for (; texts != NULL && *texts != NULL; texts++)
		json_array_append_new(array, json_text(*texts));
	return array;
}

static json_t *costs_json(const GArray *costs, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; costs != NULL && i < costs->len; i++)
		json_array_append_new(array, json_cost(g_array_index(costs, double, i), counted));
	return array;
}

json_t *rows_json(FieldTable table, const GArray *rows, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; rows != NULL && i < rows->len; i++)
		json_array_append_new(array, fields_json(table, rows->data + i * table.size, counted));
	return array;
}

json_t *records_json(FieldTable table, const GPtrArray *records, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; records != NULL && i < records->len; i++)
		json_array_append_new(array, fields_json(table, records->pdata[i], counted));
	return array;
}

static json_t *text_json(FieldKind kind, const char *text)
{
	return json_text(kind == FIELD_NAME && text != NULL && *text == '\0' ? NULL : text);
}

static json_t *integer_json(FieldKind kind, gconstpointer value, gboolean counted)
{
	const guint *count = value;
	const guint64 *big = value;
	if (kind == FIELD_COUNT || kind == FIELD_LINE)
		return *count == 0 && kind == FIELD_LINE ? json_null() : count_json(*count);
	if (kind == FIELD_SECONDS)
		return json_integer(*(const gint64 *)value);
	return kind == FIELD_SAMPLES && counted ? json_null() : count_json(*big);
}

static json_t *number_json(FieldKind kind, const double *number, gboolean counted)
{
	switch (kind) {
	case FIELD_REAL:
		return isfinite(*number) ? json_real(*number) : json_null();
	case FIELD_COST:
		return json_cost(*number, counted);
	case FIELD_SHARE:
		return share_json(*number);
	case FIELD_CHANGE:
		return share_json(*number - 1);
	case FIELD_COST_PAIR:
		return pair_json(json_cost(number[0], counted), json_cost(number[1], counted));
	case FIELD_CHANGE_PAIR:
		return pair_json(number[0] > 0 ? share_json(number[0] - 1) : json_null(), share_json(number[1] - 1));
	case FIELD_SHARE_PAIR:
		return pair_json(share_json(number[0]), share_json(number[1]));
	default:
		return json_number(*number);
	}
}

static const char *choice_name(gconstpointer choice)
{
	return *(const char *const *)choice;
}

/* NULL if the value is the name of none. */
static gconstpointer choice_named(const Field *field, const json_t *value)
{
	for (guint i = 0; i < field->most; i++)
		if (g_strcmp0(json_string_value(value), choice_name(field->choice(i))) == 0)
			return field->choice(i);
	return NULL;
}

static json_t *value_json(const Field *field, gconstpointer record, gboolean counted)
{
	gconstpointer value = (const char *)record + field->offset;
	switch (field->kind) {
	case FIELD_TEXT ... FIELD_SHA:
		return text_json(field->kind, *(const char *const *)value);
	case FIELD_FLAG:
		return json_boolean(*(const gboolean *)value);
	case FIELD_COUNT ... FIELD_SECONDS:
		return integer_json(field->kind, value, counted);
	case FIELD_DIGITS:
		return digits_json(*(const guint64 *)value);
	case FIELD_NUMBER ... FIELD_SHARE_PAIR:
		return number_json(field->kind, value, counted);
	case FIELD_TEXTS:
		return texts_json(*(GPtrArray *const *)value);
	case FIELD_STRV:
		return strv_json(*(char *const *const *)value);
	case FIELD_COSTS:
		return costs_json(*(GArray *const *)value, counted);
	case FIELD_ENUM:
		return json_text(field->word(*(const guint *)value));
	case FIELD_CHOICE:
		return json_text(choice_name(*(const gconstpointer *)value));
	case FIELD_OBJECT:
		return fields_json(field->table, value, counted);
	case FIELD_ROWS:
		return rows_json(field->table, *(GArray *const *)value, counted);
	case FIELD_RECORDS:
		return records_json(field->table, *(GPtrArray *const *)value, counted);
	case FIELD_COMPUTED:
		return field->write(record, counted);
	case FIELD_JOINED: /* has no key */
	case FIELD_RESERVED:
		return json_null();
	}
	g_assert_not_reached();
}

/* TRUE if a value says nothing. */
static gboolean is_empty(const Field *field, const json_t *value, gconstpointer record)
{
	if (field->kind == FIELD_ENUM)
		return *(const guint *)(gconstpointer)((const char *)record + field->offset) == 0;
	return json_is_null(value) || json_is_false(value) ||
	       (json_is_number(value) && json_number_value(value) == 0) ||
	       (field->kind != FIELD_TEXT && g_strcmp0(json_string_value(value), "") == 0);
}

void fields_write(json_t *object, FieldTable table, gconstpointer record, gboolean counted)
{
	for (gsize i = 0; i < table.n; i++) {
		const Field *field = &table.fields[i];
		if (field->kind == FIELD_JOINED) {
			fields_write(object, field->table, (const char *)record + field->offset, counted);
			continue;
		}
		json_t *value = value_json(field, record, counted);
		if (value == NULL || (field->presence == FIELD_SELDOM && is_empty(field, value, record)))
			json_decref(value);
		else
			json_set(object, field->key, value);
	}
}

json_t *fields_json(FieldTable table, gconstpointer record, gboolean counted)
{
	json_t *object = json_object();
	fields_write(object, table, record, counted);
	return object;
}

/* --- what a strict reading takes --- */

static gboolean is_pair(const json_t *value)
{
	for (gsize i = 0; i < json_array_size(value); i++)
		if (!json_is_number(json_array_get(value, i)) && !json_is_null(json_array_get(value, i)))
			return FALSE;
	return json_array_size(value) == 2;
}

static gboolean all_are(const json_t *array, gboolean (*is)(const json_t *))
{
	for (gsize i = 0; i < json_array_size(array); i++)
		if (!is(json_array_get(array, i)))
			return FALSE;
	return json_is_array(array);
}

static gboolean is_text(const json_t *value)
{
	return json_is_string(value);
}

static gboolean is_number(const json_t *value)
{
	return json_is_number(value) || json_is_null(value);
}

static gboolean is_count(const json_t *value, json_int_t most)
{
	return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= most;
}

static gboolean is_sha(const json_t *value)
{
	const char *text = json_string_value(value);
	return text != NULL && strlen(text) == SHA_DIGITS && strspn(text, "0123456789abcdef") == SHA_DIGITS;
}

static gboolean is_word(const Field *field, const json_t *value)
{
	const char *text = json_string_value(value);
	for (guint i = 0; i < field->most; i++)
		if (g_strcmp0(text, field->word(i)) == 0)
			return json_is_string(value) || json_is_null(value);
	return FALSE;
}

/* The number of a text of digits; FALSE if it is none. */
static gboolean read_digits(const json_t *value, guint64 *number)
{
	const char *text = json_string_value(value);
	return text != NULL && strlen(text) <= DIGITS_MAX &&
	       g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, number, NULL);
}

static gboolean is_right(const Field *field, const json_t *value)
{
	guint64 number;
	json_int_t most = field->most > 0 ? field->most : G_MAXINT;
	switch (field->kind) {
	case FIELD_WORDS:
		return json_is_string(value);
	case FIELD_TEXT:
	case FIELD_NAME:
		return json_is_string(value) || json_is_null(value);
	case FIELD_SHA:
		return is_sha(value);
	case FIELD_FLAG:
		return json_is_boolean(value);
	case FIELD_COUNT:
		return is_count(value, most);
	case FIELD_LINE:
		return is_count(value, most) || json_is_null(value);
	case FIELD_BIG_COUNT:
	case FIELD_SECONDS:
		return is_count(value, G_MAXINT64);
	case FIELD_SAMPLES:
		return is_count(value, G_MAXINT64) || json_is_null(value);
	case FIELD_DIGITS:
		return read_digits(value, &number);
	case FIELD_NUMBER ... FIELD_CHANGE:
		return is_number(value);
	case FIELD_COST_PAIR ... FIELD_SHARE_PAIR:
		return is_pair(value);
	case FIELD_TEXTS:
	case FIELD_STRV:
		return all_are(value, is_text);
	case FIELD_COSTS:
		return all_are(value, is_number);
	case FIELD_ENUM:
		return is_word(field, value);
	case FIELD_CHOICE:
		return choice_named(field, value) != NULL;
	case FIELD_OBJECT:
		return json_is_object(value);
	case FIELD_ROWS:
	case FIELD_RECORDS:
		return json_is_array(value) && json_array_size(value) <= (gsize)most;
	case FIELD_COMPUTED:
	case FIELD_JOINED:
	case FIELD_RESERVED:
		return TRUE;
	}
	g_assert_not_reached();
}

/* FALSE if a strict reading found a problem, here or before. */
static gboolean check(FieldReading *reading, const Field *field, const json_t *value)
{
	gboolean may_lack = field->presence != FIELD_ALWAYS || (field->kind == FIELD_COMPUTED && field->read == NULL);
	if (reading == NULL || !reading->strict)
		return TRUE;
	if (value == NULL ? !may_lack : !is_right(field, value))
		field_is_wrong(reading, field->key);
	return reading->problem == NULL;
}

/* --- reading --- */

static void read_text(const json_t *object, const Field *field, char **text)
{
	gboolean may_lack = field->kind == FIELD_TEXT || field->kind == FIELD_SHA;
	g_free(*text);
	*text = may_lack ? field_text(object, field->key) : field_text_or_empty(object, field->key);
}

/* One of two neighbours. */
static double end_of(FieldKind kind, const json_t *value, guint end, gboolean counted)
{
	if (kind == FIELD_COST_PAIR)
		return field_cost_value(value, counted);
	double share = field_number_value(value) / 100;
	if (kind == FIELD_SHARE_PAIR)
		return share;
	return json_is_number(value) ? 1 + share : end == 0 ? 0 : INFINITY;
}

static void read_number(const json_t *object, const Field *field, double *number, gboolean counted)
{
	const json_t *value = json_object_get(object, field->key);
	if (value == NULL && field->presence == FIELD_SELDOM) {
		*number = 0;
		return;
	}
	switch (field->kind) {
	case FIELD_COST:
		*number = field_cost(object, field->key, counted);
		break;
	case FIELD_SHARE:
		*number = field_share(object, field->key);
		break;
	case FIELD_CHANGE:
		*number = field_ratio(object, field->key);
		break;
	case FIELD_COST_PAIR ... FIELD_SHARE_PAIR:
		for (guint end = 0; end < 2; end++)
			number[end] = end_of(field->kind, json_array_get(value, end), end, counted);
		break;
	default:
		*number = field_number_value(value);
	}
}

static void read_texts(const json_t *array, GPtrArray *texts)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		char *text = json_text_decode(json_array_get(array, i));
		g_ptr_array_add(texts, text != NULL ? text : g_strdup(""));
	}
}

static void read_strv(const json_t *array, char ***texts)
{
	g_autoptr(GPtrArray) read = g_ptr_array_new();
	g_strfreev(*texts);
	read_texts(array, read);
	g_ptr_array_add(read, NULL);
	*texts = (char **)g_ptr_array_steal(read, NULL);
}

static void read_costs(const json_t *array, GArray **costs, gboolean counted)
{
	if (*costs == NULL)
		*costs = g_array_new(FALSE, FALSE, sizeof(double));
	for (gsize i = 0; i < json_array_size(array); i++) {
		double cost = field_cost_value(json_array_get(array, i), counted);
		g_array_append_val(*costs, cost);
	}
}

static gboolean may_go_on(const FieldReading *reading)
{
	return reading == NULL || reading->problem == NULL;
}

void rows_read(FieldReading *reading, const json_t *array, FieldTable table, GArray *rows, gboolean counted)
{
	for (gsize i = 0; may_go_on(reading) && i < json_array_size(array); i++) {
		guint n = rows->len;
		g_array_set_size(rows, n + 1);
		memset(rows->data + n * table.size, 0, table.size);
		fields_read(reading, json_array_get(array, i), table, rows->data + n * table.size, counted);
	}
}

void records_read(FieldReading *reading, const json_t *array, FieldTable table, GPtrArray *records, gboolean counted)
{
	for (gsize i = 0; may_go_on(reading) && i < json_array_size(array); i++) {
		gpointer record = g_malloc0(table.size);
		g_ptr_array_add(records, record);
		fields_read(reading, json_array_get(array, i), table, record, counted);
	}
}

static guint read_enum(FieldReading *reading, const json_t *object, const Field *field)
{
	g_assert(reading != NULL);
	return field->presence == FIELD_ALWAYS ? field_word(reading, object, field->key, field->word, field->most)
	                                       : field_new_word(reading, object, field->key, field->word, field->most);
}

/* The first choice stands for one that is missing or refused, so that whoever reads on has one. */
static gconstpointer read_choice(FieldReading *reading, const json_t *value, const Field *field)
{
	gconstpointer choice = choice_named(field, value);
	g_assert(reading != NULL);
	if (choice == NULL && json_is_string(value))
		field_refuse(reading, field->key, json_string_value(value));
	return choice != NULL ? choice : field->choice(0);
}

static void read_value(
        FieldReading *reading, const json_t *object, const Field *field, gpointer record, gboolean counted)
{
	gpointer value = (char *)record + field->offset;
	const json_t *from = json_object_get(object, field->key);
	switch (field->kind) {
	case FIELD_TEXT ... FIELD_SHA:
		read_text(object, field, value);
		break;
	case FIELD_FLAG:
		*(gboolean *)value = json_is_true(from);
		break;
	case FIELD_COUNT:
	case FIELD_LINE:
		*(guint *)value = field_small_count(object, field->key);
		break;
	case FIELD_BIG_COUNT:
	case FIELD_SAMPLES:
		*(guint64 *)value = field_count(object, field->key);
		break;
	case FIELD_DIGITS:
		if (!read_digits(from, value))
			*(guint64 *)value = 0;
		break;
	case FIELD_SECONDS:
		*(gint64 *)value = json_integer_value(from);
		break;
	case FIELD_NUMBER ... FIELD_SHARE_PAIR:
		read_number(object, field, value, counted);
		break;
	case FIELD_TEXTS:
		read_texts(from, *(GPtrArray **)value);
		break;
	case FIELD_STRV:
		read_strv(from, value);
		break;
	case FIELD_COSTS:
		read_costs(from, value, counted);
		break;
	case FIELD_ENUM:
		*(guint *)value = read_enum(reading, object, field);
		break;
	case FIELD_CHOICE:
		*(gconstpointer *)value = read_choice(reading, from, field);
		break;
	case FIELD_OBJECT:
		fields_read(reading, from, field->table, value, counted);
		break;
	case FIELD_ROWS:
		if (*(GArray **)value == NULL)
			*(GArray **)value = g_array_new(FALSE, FALSE, (guint)field->table.size);
		rows_read(reading, from, field->table, *(GArray **)value, counted);
		break;
	case FIELD_RECORDS:
		records_read(reading, from, field->table, *(GPtrArray **)value, counted);
		break;
	case FIELD_COMPUTED:
		if (field->read != NULL)
			field->read(reading, from, record, counted);
		break;
	case FIELD_JOINED:
	case FIELD_RESERVED:
		break;
	}
}

void fields_read(FieldReading *reading, const json_t *object, FieldTable table, gpointer record, gboolean counted)
{
	for (gsize i = 0; i < table.n; i++) {
		const Field *field = &table.fields[i];
		if (field->kind == FIELD_JOINED)
			fields_read(reading, object, field->table, (char *)record + field->offset, counted);
		else if (check(reading, field, json_object_get(object, field->key)) || field->kind < FIELD_TEXTS)
			read_value(reading, object, field, record, counted);
	}
}
