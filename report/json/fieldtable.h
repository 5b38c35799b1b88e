/* Fields of report.json as rows of a table, which serves both directions: one row says key, kind and place in the
 * struct, and fields_write() and fields_read() do the rest. Keys are written in the order of the rows.
 *
 *     static const Field fields[] = {
 *             FIELD("name", WORDS, AcceptedRegression, name),
 *     };
 *
 * The compiler checks that the member has the type of the kind. What has the wrong type counts as missing, as
 * reportfields.h says. */
#pragma once

#include "report/json/reportfields.h"

/* kind          member     written                                     read where it is missing
 * TEXT          char *     text, or null for NULL                      NULL
 * WORDS         char *     text                                        ""
 * NAME          char *     text, or null for NULL and ""               ""
 * FLAG          gboolean   true or false                               FALSE
 * COUNT         guint      number                                      0
 * LINE          guint      number, or null for 0                       0
 * BIG_COUNT     guint64    number                                      0
 * SAMPLES       guint64    number, or null where costs are counted     0
 * NUMBER        double     number, or null if it is not finite         NaN
 * COST          double     the same, with all digits where counted     NaN
 * SHARE         double     the same, in percent                        NaN
 * CHANGE        double     a ratio as its change in percent            NaN
 * SHARE_PAIR    double[2]  two neighbours, each in percent             NaN */
typedef enum {
	FIELD_TEXT,
	FIELD_WORDS,
	FIELD_NAME,
	FIELD_FLAG,
	FIELD_COUNT,
	FIELD_LINE,
	FIELD_BIG_COUNT,
	FIELD_SAMPLES,
	FIELD_NUMBER,
	FIELD_COST,
	FIELD_SHARE,
	FIELD_CHANGE,
	FIELD_SHARE_PAIR,
} FieldKind;

typedef char *FieldTypeTEXT, *FieldTypeWORDS, *FieldTypeNAME;
typedef gboolean FieldTypeFLAG;
typedef guint FieldTypeCOUNT, FieldTypeLINE;
typedef guint64 FieldTypeBIG_COUNT, FieldTypeSAMPLES;
typedef double FieldTypeNUMBER, FieldTypeCOST, FieldTypeSHARE, FieldTypeCHANGE, FieldTypeSHARE_PAIR;

typedef struct {
	const char *key;
	FieldKind kind;
	gsize offset; /* of the member in its struct */
} Field;

/* A row: FIELD("margin_pct", SHARE, MetricComparison, margin). Of a pair, the member is the first of the two. */
#define FIELD(text, name, type, member)                                                                                \
	{                                                                                                              \
		.key = (text), .kind = FIELD_##name,                                                                   \
		.offset = G_STRUCT_OFFSET(type, member) +                                                              \
		          0 * sizeof(char[__builtin_types_compatible_p(                                                \
		                                  __typeof__(((type *)NULL)->member), FieldType##name)                 \
		                                  ? 1                                                                  \
		                                  : -1])                                                               \
	}

/* Some rows of a table. */
typedef struct {
	const Field *fields;
	gsize n;
} FieldTable;

#define FIELD_TABLE(rows) ((FieldTable){(rows), G_N_ELEMENTS(rows)})

/* Appends the fields of the struct `record` to `object`; `counted` says whether costs are counted. */
void fields_write(json_t *object, FieldTable table, gconstpointer record, gboolean counted);
/* Sets the fields of the struct `record`; texts are replaced without being freed, and belong to the record. */
void fields_read(const json_t *object, FieldTable table, gpointer record, gboolean counted);
