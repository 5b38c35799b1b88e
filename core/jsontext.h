/* SPDX-License-Identifier: Apache-2.0 */
/* Adds to jansson: texts that are not UTF-8, numbers that are not finite, stable output, safe loading.
 *
 * Use json_auto_t (jansson's own) for automatic cleanup. All results are new references owned by the caller. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Largest JSON text that is loaded. */
#define JSON_TEXT_MAX_BYTES ((gsize)256 * 1024 * 1024)

/* A JSON string. Bytes that are not UTF-8, and DEL, are written as the four characters `\xNN`, and a backslash in front
 * of an `x` as `\x5c`, so that json_text_decode() restores every text. NULL gives JSON null. */
json_t *json_text(const char *text);

/* The bytes that a string made by json_text() stands for; owned by the caller. NULL if `value` is not a string. */
char *json_text_decode(const json_t *value);

/* A JSON real rounded to 10 significant digits, -0 as 0; JSON null if `value` is not finite. For counts that must be
 * exact use json_integer(). */
json_t *json_number(double value);
/* The same of a cost: where it was counted (`counted`) and is whole, an integer with all its digits up to 2^53. */
json_t *json_cost(double value, gboolean counted);

/* Sets a key of an object to a value, which the object owns then. */
static inline void json_set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

/* The text of `value`: keys in insertion order, indent 2, ASCII only, reals with at most 10 significant digits, newline
 * at the end, the same in every locale. Sets *length (may be NULL) to the bytes before the NUL. Owned by the caller. */
char *json_dump_text(const json_t *value, gsize *length);

/* Parses `length` bytes of JSON. Refuses duplicate keys, text after the value, NUL, invalid UTF-8 and more than
 * JSON_TEXT_MAX_BYTES. `what` names the text in the message ("what:line:column: ..."). Errors: FIREBREAK_ERROR_STORAGE.
 */
json_t *json_load_text(const char *text, gsize length, const char *what, GError **error);
