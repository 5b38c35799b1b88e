/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a JSON object as rows of a table, which serves both directions: one row says key, kind and place in the
 * struct, and fields_write() and fields_read() do the rest. Keys are written in the order of the rows.
 *
 *     static const Field fields[] = {
 *             FIELD("name", WORDS, AcceptedRegression, name),
 *             FIELD_WORD("verdict", MetricLook, verdict, verdict_name, VERDICT_ERROR + 1),
 *             FIELD_RARE("note", TEXT, FunctionComparison, note),
 *             FIELD_PART("good", commit_fields),
 *             FIELD_MADE("measured", measured_json, NULL),
 *     };
 *
 * The compiler checks that the member has the type of the kind. What a strict reading does with a value that is missing
 * or of the wrong type, and what a forgiving one does, says jsonfields.h. */
#pragma once

#include "core/json/jsonfields.h"

/* kind          member     written                                     read where it is missing
 * TEXT          char *     text, or null for NULL                      NULL
 * WORDS         char *     text                                        ""
 * NAME          char *     text, or null for NULL and ""               ""
 * SHA           char *     40 hexadecimal digits                       NULL
 * FLAG          gboolean   true or false                               FALSE
 * COUNT         guint      number                                      0
 * LINE          guint      number, or null for 0                       0
 * BIG_COUNT     guint64    number                                      0
 * SAMPLES       guint64    number, or null where costs are counted     0
 * SECONDS       gint64     number                                      0
 * DIGITS        guint64    text: more than others keep in a number     0
 * NUMBER        double     number, or null if it is not finite         NaN
 * REAL          double     the same, not rounded to ten digits         NaN
 * COST          double     the same, with all digits where counted     NaN
 * SHARE         double     the same, in percent                        NaN
 * CHANGE        double     a ratio as its change in percent            NaN
 * COST_PAIR     double[2]  two neighbours, each as COST                NaN
 * CHANGE_PAIR   double[2]  bounds of a ratio, each as CHANGE; null if open  0, infinity
 * SHARE_PAIR    double[2]  two neighbours, each in percent             NaN
 * TEXTS         GPtrArray *  array of texts; what is read is appended  nothing is appended
 * STRV          char **    array of texts, [] of NULL                  an empty vector
 * COSTS         GArray *     array of numbers as COST, [] of NULL      the array is there, and empty
 *
 * The others have macros of their own below. */
typedef enum {
	FIELD_TEXT,
	FIELD_WORDS,
	FIELD_NAME,
	FIELD_SHA,
	FIELD_FLAG,
	FIELD_COUNT,
	FIELD_LINE,
	FIELD_BIG_COUNT,
	FIELD_SAMPLES,
	FIELD_SECONDS,
	FIELD_DIGITS,
	FIELD_NUMBER,
	FIELD_REAL,
	FIELD_COST,
	FIELD_SHARE,
	FIELD_CHANGE,
	FIELD_COST_PAIR,
	FIELD_CHANGE_PAIR,
	FIELD_SHARE_PAIR,
	FIELD_TEXTS,
	FIELD_STRV,
	FIELD_COSTS,
	FIELD_ENUM,
	FIELD_CHOICE,
	FIELD_OBJECT,
	FIELD_JOINED,
	FIELD_ROWS,
	FIELD_RECORDS,
	FIELD_COMPUTED,
	FIELD_RESERVED,
} FieldKind;

typedef char *FieldTypeTEXT, *FieldTypeWORDS, *FieldTypeNAME, *FieldTypeSHA;
typedef gboolean FieldTypeFLAG;
typedef guint FieldTypeCOUNT, FieldTypeLINE;
typedef guint64 FieldTypeBIG_COUNT, FieldTypeSAMPLES, FieldTypeDIGITS;
typedef gint64 FieldTypeSECONDS;
typedef double FieldTypeNUMBER, FieldTypeREAL, FieldTypeCOST, FieldTypeSHARE, FieldTypeCHANGE, FieldTypeCOST_PAIR,
        FieldTypeCHANGE_PAIR, FieldTypeSHARE_PAIR;
typedef GPtrArray *FieldTypeTEXTS;
typedef char **FieldTypeSTRV;
typedef GArray *FieldTypeCOSTS;

typedef enum {
	FIELD_ALWAYS,
	FIELD_ADDED,  /* always written; texts of earlier versions do not have it */
	FIELD_SELDOM, /* left out where it says nothing, and read as that: 0, false, null, the first word, or "" that is
	                 no TEXT */
} FieldPresence;

typedef struct Field Field;

/* Some rows of a table, and the size of the struct. */
typedef struct {
	const Field *fields;
	gsize n, size;
} FieldTable;

/* The value of a key that no kind fits; NULL leaves the key out. */
typedef json_t *(*FieldWriter)(gconstpointer record, gboolean counted);
/* Sets what belongs to the key; `value` is NULL where it is missing. */
typedef void (*FieldReader)(FieldReading *reading, const json_t *value, gpointer record, gboolean counted);

struct Field {
	const char *key;
	FieldKind kind;
	FieldPresence presence;
	gsize offset; /* of the member in its struct */
	guint most;   /* the largest count, or the number of words or elements; 0 = as many as there are */
	const char *(*word)(guint);
	gconstpointer (*choice)(guint);
	FieldTable table; /* of an object, or of the elements */
	FieldWriter write;
	FieldReader read; /* NULL = not read */
};

/* Texts that the struct borrows, as those of a document that is only written: fields_read() must not see them. */
typedef const char *FieldLentTEXT, *FieldLentWORDS, *FieldLentNAME, *FieldLentSHA;
typedef const char *const *FieldLentSTRV;
typedef const GPtrArray *FieldLentTEXTS;
typedef FieldTypeFLAG FieldLentFLAG;
typedef FieldTypeCOUNT FieldLentCOUNT, FieldLentLINE;
typedef FieldTypeSAMPLES FieldLentBIG_COUNT, FieldLentSAMPLES, FieldLentDIGITS;
typedef FieldTypeSECONDS FieldLentSECONDS;
typedef double FieldLentNUMBER, FieldLentREAL, FieldLentCOST, FieldLentSHARE, FieldLentCHANGE, FieldLentCOST_PAIR,
        FieldLentCHANGE_PAIR, FieldLentSHARE_PAIR;
typedef FieldTypeCOSTS FieldLentCOSTS;

/* The offset of a member, which has to have the type of the kind. */
#define FIELD_OFFSET(name, type, member)                                                                               \
	(G_STRUCT_OFFSET(type, member) +                                                                               \
	        0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((type *)NULL)->member), FieldType##name) ||   \
	                                        __builtin_types_compatible_p(                                          \
	                                                __typeof__(((type *)NULL)->member), FieldLent##name)           \
	                                ? 1                                                                            \
	                                : -1]))
#define FIELD_IF(text, name, type, member, when)                                                                       \
	{                                                                                                              \
		.key = (text), .kind = FIELD_##name, .presence = (when), .offset = FIELD_OFFSET(name, type, member)    \
	}

/* A row: FIELD("margin_pct", SHARE, MetricComparison, margin). Of a pair, the member is the first of the two. */
#define FIELD(text, name, type, member) FIELD_IF(text, name, type, member, FIELD_ALWAYS)
#define FIELD_NEW(text, name, type, member) FIELD_IF(text, name, type, member, FIELD_ADDED)
#define FIELD_RARE(text, name, type, member) FIELD_IF(text, name, type, member, FIELD_SELDOM)
/* A count or an array of which a strict reading takes at most `limit`. */
#define FIELD_MOST(text, name, type, member, limit)                                                                    \
	{                                                                                                              \
		.key = (text), .kind = FIELD_##name, .offset = FIELD_OFFSET(name, type, member), .most = (limit)       \
	}

/* A member of an enumeration, by the names that `name_of(0 ... n - 1)` gives; NULL stands for null. A forgiving reading
 * refuses other words, too. The second is for a key that earlier versions did not have. */
#define FIELD_WORD_IF(text, type, member, name_of, n, when)                                                            \
	{                                                                                                              \
		.key = (text), .kind = FIELD_ENUM, .presence = (when), .word = (name_of), .most = (n),                 \
		.offset = G_STRUCT_OFFSET(type, member) +                                                              \
		          0 * sizeof(char[sizeof(((type *)NULL)->member) == sizeof(guint) ? 1 : -1])                   \
	}
#define FIELD_WORD(text, type, member, name_of, n) FIELD_WORD_IF(text, type, member, name_of, n, FIELD_ALWAYS)
#define FIELD_NEW_WORD(text, type, member, name_of, n) FIELD_WORD_IF(text, type, member, name_of, n, FIELD_ADDED)
#define FIELD_RARE_WORD(text, type, member, name_of, n) FIELD_WORD_IF(text, type, member, name_of, n, FIELD_SELDOM)

/* A pointer to one of the `n` constants that `choice_of(0 ... n - 1)` gives, each of which begins with its name
 * (`const char *`): that is written. It is never NULL. A forgiving reading refuses other names, too, and takes the
 * first choice where there is no name. */
#define FIELD_CHOICE(text, type, member, choice_of, n)                                                                 \
	{                                                                                                              \
		.key = (text), .kind = FIELD_CHOICE, .choice = (choice_of), .most = (n),                               \
		.offset = G_STRUCT_OFFSET(type, member) +                                                              \
		          0 * sizeof(char[sizeof(((type *)NULL)->member->name) == sizeof(char *) ? 1 : -1])            \
	}

/* An object with more fields of the same struct. */
#define FIELD_PART(text, rows)                                                                                         \
	{                                                                                                              \
		.key = (text), .kind = FIELD_OBJECT, .table = {(rows), G_N_ELEMENTS(rows), 0 }                         \
	}
/* An object with the fields of a struct that is a member. */
#define FIELD_STRUCT(text, type, member, rows)                                                                         \
	{                                                                                                              \
		.key = (text), .kind = FIELD_OBJECT, .offset = G_STRUCT_OFFSET(type, member), .table = {               \
			(rows),                                                                                        \
			G_N_ELEMENTS(rows),                                                                            \
			0                                                                                              \
		}                                                                                                      \
	}
/* The fields of a struct that is a member, in the object itself: several structs may have the same rows in common. */
#define FIELD_JOIN(type, member, rows)                                                                                 \
	{                                                                                                              \
		.kind = FIELD_JOINED, .offset = G_STRUCT_OFFSET(type, member), .table = {                              \
			(rows),                                                                                        \
			G_N_ELEMENTS(rows),                                                                            \
			0                                                                                              \
		}                                                                                                      \
	}
#define FIELD_ELEMENTS(text, name, type, member, element, rows, limit)                                                 \
	{                                                                                                              \
		.key = (text), .kind = FIELD_##name, .offset = G_STRUCT_OFFSET(type, member), .most = (limit),         \
		.table = {                                                                                             \
			(rows),                                                                                        \
			G_N_ELEMENTS(rows),                                                                            \
			sizeof(element)                                                                                \
		}                                                                                                      \
	}
/* An array of objects: a GArray of structs, which is made where there is none, or a GPtrArray of structs that g_new0()
 * makes. What is read is appended. */
#define FIELD_ROWS(text, type, member, element, rows, limit)                                                           \
	FIELD_ELEMENTS(text, ROWS, type, member, element, rows, limit)
#define FIELD_RECORDS(text, type, member, element, rows, limit)                                                        \
	FIELD_ELEMENTS(text, RECORDS, type, member, element, rows, limit)

/* A key whose value functions make of the struct, and take apart again. */
#define FIELD_MADE(text, writer, reader)                                                                               \
	{                                                                                                              \
		.key = (text), .kind = FIELD_COMPUTED, .write = (writer), .read = (reader)                             \
	}

/* The place of a key that the caller sets after fields_write(), and reads: its value takes more than the struct. */
#define FIELD_LATER(text)                                                                                              \
	{                                                                                                              \
		.key = (text), .kind = FIELD_RESERVED, .presence = FIELD_ADDED                                         \
	}

#define FIELD_TABLE(rows) ((FieldTable){(rows), G_N_ELEMENTS(rows), 0})
/* Of an array whose elements are structs of a type. */
#define ELEMENT_TABLE(rows, element) ((FieldTable){(rows), G_N_ELEMENTS(rows), sizeof(element)})

/* Two values as an array, which takes them. Owned by the caller. */
json_t *pair_json(json_t *first, json_t *second);
/* Appends the fields of the struct `record` to `object`; `counted` says whether costs are counted. */
void fields_write(json_t *object, FieldTable table, gconstpointer record, gboolean counted);
/* An object with the fields of `record`. Owned by the caller. */
json_t *fields_json(FieldTable table, gconstpointer record, gboolean counted);
/* Sets the fields of the struct `record`, which owns its texts: those that it has are freed. `reading` may be NULL
 * where no field is a word: then it forgives. */
void fields_read(FieldReading *reading, const json_t *object, FieldTable table, gpointer record, gboolean counted);

/* An array of the structs of a GArray, [] of NULL. Owned by the caller. */
json_t *rows_json(FieldTable table, const GArray *rows, gboolean counted);
/* An array of the structs that a GPtrArray points to, [] of NULL. Owned by the caller. */
json_t *records_json(FieldTable table, const GPtrArray *records, gboolean counted);
/* Appends what the objects of an array say; stops at the first problem of a strict reading. */
void rows_read(FieldReading *reading, const json_t *array, FieldTable table, GArray *rows, gboolean counted);
/* The same of structs that g_new0() makes and that belong to `records`. */
void records_read(FieldReading *reading, const json_t *array, FieldTable table, GPtrArray *records, gboolean counted);
