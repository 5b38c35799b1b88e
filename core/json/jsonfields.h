/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a JSON object on their way back into the data model. A forgiving reading, as of report.json, takes what has
 * the wrong type for missing, and remembers the first word that is not known as the error of the whole text. A strict
 * one, as of a stored baseline, remembers the first key that is missing or of the wrong type: nothing else is looked at
 * then. Keys that are not known are skipped.
 *
 * Numbers are written with ten digits, percent becomes shares and ratios again; a number that is read writes the same
 * ten digits again, so that a report which is read and written is the same, byte for byte. */
#pragma once

#include "core/jsontext.h"

/* The first thing that is wrong with a text; later ones are not looked for. */
typedef struct {
	const char *what;    /* what messages call it */
	GError *error;       /* FIREBREAK_ERROR_STORAGE; owned by whoever reads */
	gboolean strict;     /* takes nothing that is missing or wrong for a value */
	const char *problem; /* of a strict reading: the key; NULL = none */
} FieldReading;

/* Remembers that the value of `key` is missing, or not what it should be. */
void field_is_wrong(FieldReading *reading, const char *key);
/* Remembers that `value` (NULL = "") of `key` is not known. */
void field_refuse(FieldReading *reading, const char *key, const char *value);

/* NULL where there is no text, or "". Owned by the caller. */
char *field_text(const json_t *object, const char *key);
/* The text of a key, "" if it has none; owned by the caller. */
char *field_text_or_empty(const json_t *object, const char *key);
/* Replaces *field, which may be NULL. */
void field_replace_text(char **field, const json_t *object, const char *key);

/* NaN where there is no number. */
double field_number_value(const json_t *value);
/* The number of a key; NaN if it has none. */
double field_number(const json_t *object, const char *key);
/* A number that is an exact count if `counted`: one that was not whole, and lost its fraction to the ten digits, is not
 * taken for a whole one. */
double field_cost_value(const json_t *value, gboolean counted);
/* The cost of a key; NaN if it has none. */
double field_cost(const json_t *object, const char *key, gboolean counted);
/* Percent as a share, and a change in percent as a ratio. */
double field_share(const json_t *object, const char *key);
/* The ratio of a key whose value is in percent; NaN if it has none. */
double field_ratio(const json_t *object, const char *key);
/* One end of a pair in percent, as a share. */
double field_end(const json_t *object, const char *key, gsize end);
/* 0 where there is no positive integer; the latter at most the largest of its type. */
guint64 field_count(const json_t *object, const char *key);
/* The count of a key; 0 if it has none, or one that is too large. */
guint field_small_count(const json_t *object, const char *key);
/* TRUE if the key is true. */
gboolean field_flag(const json_t *object, const char *key);
/* TRUE if the value is there and is not null. */
gboolean field_is_set(const json_t *object, const char *key);

/* The index of a text among `n` names; 0 and an error if it is none of them. */
guint field_word(FieldReading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n);
/* The same of a key that reports of earlier versions do not have; 0 there. */
guint field_new_word(FieldReading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n);
