/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/pproftables.h"

static void table_init(PprofIdTable *table, guint row_bytes)
{
	*table = (PprofIdTable){.rows = g_array_new(FALSE, TRUE, row_bytes)};
}

static void table_clear(PprofIdTable *table)
{
	pair_index_clear(&table->index);
	g_array_unref(table->rows);
}

void pprof_tables_init(PprofTables *tables)
{
	*tables = (PprofTables){.strings = g_array_new(FALSE, FALSE, sizeof(ProtoReader))};
	table_init(&tables->functions, sizeof(PprofFunction));
	table_init(&tables->mappings, sizeof(PprofMapping));
	table_init(&tables->locations, sizeof(PprofLocation));
}

void pprof_tables_clear(PprofTables *tables)
{
	table_clear(&tables->functions);
	table_clear(&tables->mappings);
	table_clear(&tables->locations);
	g_array_unref(tables->strings);
}

guint32 pprof_table_row(PprofIdTable *table, guint64 id)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&table->index, id, 0, &is_new);
	if (is_new)
		g_array_set_size(table->rows, row + 1);
	return row;
}

gboolean pprof_integers(ProtoReader message, guint64 *values, guint n)
{
	ProtoField field;
	while (proto_next(&message, &field))
		if (field.number < n && field.type == PROTO_VARINT)
			values[field.number] = field.value;
	return !message.is_damaged;
}

static gboolean add_sample_type(PprofTables *tables, ProtoReader message)
{
	guint64 values[VALUE_UNIT + 1] = {0};
	if (tables->n_types == PPROF_MAX_TYPES || !pprof_integers(message, values, G_N_ELEMENTS(values)))
		return FALSE;
	tables->types[tables->n_types++] = (PprofValueType){values[VALUE_TYPE], values[VALUE_UNIT]};
	return TRUE;
}

static gboolean add_mapping(PprofTables *tables, ProtoReader message)
{
	guint64 values[MAPPING_FILE + 1] = {0};
	if (!pprof_integers(message, values, G_N_ELEMENTS(values)))
		return FALSE;
	guint32 row = pprof_table_row(&tables->mappings, values[MAPPING_ID]);
	g_array_index(tables->mappings.rows, PprofMapping, row) = (PprofMapping){TRUE, values[MAPPING_FILE]};
	return TRUE;
}

static gboolean add_function(PprofTables *tables, ProtoReader message)
{
	guint64 values[FUNCTION_LINE + 1] = {0};
	if (!pprof_integers(message, values, G_N_ELEMENTS(values)))
		return FALSE;
	guint32 row = pprof_table_row(&tables->functions, values[FUNCTION_ID]);
	g_array_index(tables->functions.rows, PprofFunction, row) = (PprofFunction){TRUE, values[FUNCTION_NAME],
	        values[FUNCTION_SYSTEM_NAME], values[FUNCTION_FILE], values[FUNCTION_LINE]};
	return TRUE;
}

static gboolean add_location(PprofTables *tables, ProtoReader message)
{
	guint64 values[LOCATION_ID + 1] = {0};
	if (!pprof_integers(message, values, G_N_ELEMENTS(values)))
		return FALSE;
	guint32 row = pprof_table_row(&tables->locations, values[LOCATION_ID]);
	g_array_index(tables->locations.rows, PprofLocation, row) =
	        /* The order of fields is free, so functions and mappings that a location names may come after it. */
	        (PprofLocation){.body = message, .is_defined = TRUE};
	return TRUE;
}

static gboolean add_table_field(PprofTables *tables, const ProtoField *field)
{
	if (field->number == PPROF_DEFAULT_TYPE && field->type == PROTO_VARINT)
		tables->default_type = field->value;
	if (field->type != PROTO_BYTES)
		return TRUE;
	switch (field->number) {
	case PPROF_SAMPLE_TYPE:
		return add_sample_type(tables, field->bytes);
	case PPROF_MAPPING:
		return add_mapping(tables, field->bytes);
	case PPROF_LOCATION:
		return add_location(tables, field->bytes);
	case PPROF_FUNCTION:
		return add_function(tables, field->bytes);
	/* The text is not copied until a name is needed: it stays in the bytes of the profile. */
	case PPROF_STRING:
		g_array_append_val(tables->strings, field->bytes);
		return TRUE;
	default:
		return TRUE;
	}
}

gboolean pprof_tables_read(PprofTables *tables, ProtoReader profile)
{
	ProtoField field;
	while (proto_next(&profile, &field))
		if (!add_table_field(tables, &field))
			return FALSE;
	return !profile.is_damaged;
}

char *pprof_string(const PprofTables *tables, guint64 index)
{
	if (index >= tables->strings->len)
		return NULL;
	ProtoReader bytes = g_array_index(tables->strings, ProtoReader, index);
	return g_strndup((const char *)bytes.at, (gsize)(bytes.end - bytes.at));
}
