/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a pprof profile but for its samples, as rows that their ids find. Internal to the reader. */
#pragma once

#include "model/pairindex.h"
#include "profile/exchange/protowire.h"

#define PPROF_MAX_TYPES 64

/* Numbers of the fields that are read. */
enum { PPROF_SAMPLE_TYPE = 1, PPROF_SAMPLE, PPROF_MAPPING, PPROF_LOCATION, PPROF_FUNCTION, PPROF_STRING };
enum { PPROF_DEFAULT_TYPE = 14, PPROF_LAST_FIELD };
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum { MAPPING_ID = 1, MAPPING_FILE = 5 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

typedef struct {
	guint64 type, unit; /* of the string table */
} PprofValueType;

typedef struct {
	gboolean is_defined;
	guint64 name, system_name, file; /* of the string table */
	guint64 line;
} PprofFunction;

typedef struct {
	gboolean is_defined;
	guint64 file; /* of the string table */
} PprofMapping;

typedef struct {
	ProtoReader body; /* read when everything else is known */
	gboolean is_defined, is_resolved;
	guint32 first, n; /* its frames, outermost first */
} PprofLocation;

/* Rows that are found by an id of the file. */
typedef struct {
	PairIndex index;
	GArray *rows;
} PprofIdTable;

typedef struct {
	GArray *strings; /* of ProtoReader */
	PprofValueType types[PPROF_MAX_TYPES];
	guint n_types;
	guint64 default_type;   /* of the string table, 0 = none */
	PprofIdTable functions; /* of PprofFunction */
	PprofIdTable mappings;  /* of PprofMapping */
	PprofIdTable locations; /* of PprofLocation */
} PprofTables;

/* Makes empty tables. The caller clears them. */
void pprof_tables_init(PprofTables *tables);
void pprof_tables_clear(PprofTables *tables);
/* Reads all tables of a profile. FALSE if it is damaged. */
gboolean pprof_tables_read(PprofTables *tables, ProtoReader profile);

/* The row of an id; if the tables have none, a new one that is all zero. */
guint32 pprof_table_row(PprofIdTable *table, guint64 id);
/* A string of the table; NULL if there is none. Owned by the caller. */
char *pprof_string(const PprofTables *tables, guint64 index);
/* Collects the integer fields of a message: values[number] for numbers below n. FALSE if it is damaged. */
gboolean pprof_integers(ProtoReader message, guint64 *values, guint n);
