/* Members of stored JSON objects, shared by what is stored as JSON: numbers come back bit for bit, and what is missing
 * or of the wrong type is never taken for a value. Internal to this folder. */
#pragma once

#include "core/jsontext.h"

/* A real; null if it is not finite. Write it with JSON_REAL_PRECISION(17). */
json_t *stored_real(double value);
/* A count; G_MAXINT64 if it is larger. */
json_t *stored_count(guint64 value);

/* The first member that is missing or of the wrong type; NULL while all is well. Reads after it give neutral values, so
 * that one check at the end suffices. Starts as {NULL}. */
typedef struct {
	const char *problem;
} StoredReader;

/* The member; NULL if it is missing, which is a problem. Borrowed from the object. */
const json_t *stored_member(StoredReader *reader, const json_t *object, const char *key);
/* A text, "" after a problem; owned by the caller. */
char *stored_read_text(StoredReader *reader, const json_t *object, const char *key);
/* An integer of at least 0. */
guint64 stored_read_count(StoredReader *reader, const json_t *object, const char *key);
/* A number, NaN for null. */
double stored_read_number(StoredReader *reader, const json_t *object, const char *key);
/* The same of a value that is at hand; `key` names it. */
double stored_number_value(StoredReader *reader, const json_t *value, const char *key);
/* TRUE or FALSE; anything else is an error of the reader. */
gboolean stored_read_flag(StoredReader *reader, const json_t *object, const char *key);
/* An array of at most `most` elements; borrowed. */
const json_t *stored_read_array(StoredReader *reader, const json_t *object, const char *key, gsize most);
/* The index of the member's text among `names`. */
guint stored_read_choice(
        StoredReader *reader, const json_t *object, const char *key, const char *const *names, guint n_names);
