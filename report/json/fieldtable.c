#include "report/json/fieldtable.h"

static json_t *count_json(guint64 value)
{
	return json_integer((json_int_t)MIN(value, (guint64)G_MAXINT64));
}

static json_t *share_json(double share)
{
	return json_number(share * 100);
}

static json_t *shares_json(const double *pair)
{
	json_t *array = json_array();
	json_array_append_new(array, share_json(pair[0]));
	json_array_append_new(array, share_json(pair[1]));
	return array;
}

static json_t *value_json(FieldKind kind, gconstpointer value, gboolean counted)
{
	const char *const *text = value;
	const double *number = value;
	const guint64 *big = value;
	const guint *count = value;
	const gboolean *flag = value;
	switch (kind) {
	case FIELD_TEXT:
	case FIELD_WORDS:
		return json_text(*text);
	case FIELD_NAME:
		return json_text(*text == NULL || **text == '\0' ? NULL : *text);
	case FIELD_FLAG:
		return json_boolean(*flag);
	case FIELD_COUNT:
		return count_json(*count);
	case FIELD_LINE:
		return *count > 0 ? count_json(*count) : json_null();
	case FIELD_BIG_COUNT:
		return count_json(*big);
	case FIELD_SAMPLES:
		return counted ? json_null() : count_json(*big);
	case FIELD_NUMBER:
		return json_number(*number);
	case FIELD_COST:
		return json_cost(*number, counted);
	case FIELD_SHARE:
		return share_json(*number);
	case FIELD_CHANGE:
		return share_json(*number - 1);
	case FIELD_SHARE_PAIR:
		return shares_json(number);
	}
	g_assert_not_reached();
}

static void read_value(const json_t *object, const Field *field, gpointer value, gboolean counted)
{
	double *number = value;
	switch (field->kind) {
	case FIELD_TEXT:
		*(char **)value = field_text(object, field->key);
		break;
	case FIELD_WORDS:
	case FIELD_NAME:
		*(char **)value = field_text_or_empty(object, field->key);
		break;
	case FIELD_FLAG:
		*(gboolean *)value = field_flag(object, field->key);
		break;
	case FIELD_COUNT:
	case FIELD_LINE:
		*(guint *)value = field_small_count(object, field->key);
		break;
	case FIELD_BIG_COUNT:
	case FIELD_SAMPLES:
		*(guint64 *)value = field_count(object, field->key);
		break;
	case FIELD_NUMBER:
		*number = field_number(object, field->key);
		break;
	case FIELD_COST:
		*number = field_cost(object, field->key, counted);
		break;
	case FIELD_SHARE:
		*number = field_share(object, field->key);
		break;
	case FIELD_CHANGE:
		*number = field_ratio(object, field->key);
		break;
	case FIELD_SHARE_PAIR:
		number[0] = field_end(object, field->key, 0);
		number[1] = field_end(object, field->key, 1);
		break;
	}
}

void fields_write(json_t *object, FieldTable table, gconstpointer record, gboolean counted)
{
	for (gsize i = 0; i < table.n; i++) {
		const Field *field = &table.fields[i];
		gconstpointer value = (const char *)record + field->offset;
		json_object_set_new(object, field->key, value_json(field->kind, value, counted));
	}
}

void fields_read(const json_t *object, FieldTable table, gpointer record, gboolean counted)
{
	for (gsize i = 0; i < table.n; i++)
		read_value(object, &table.fields[i], (char *)record + table.fields[i].offset, counted);
}
