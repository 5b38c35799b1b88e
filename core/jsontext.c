/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jsontext.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

/* json_number() rounds to as many digits as json_dump_text() prints, so 0.1 stays "0.1". */
#define LARGEST_WHOLE 9007199254740992. /* 2^53: up to here a double holds every whole number */
#define SIGNIFICANT_DIGITS 10
#define ROUNDING_FORMAT "%.9e"
/* The largest number of so many digits that a reader's double can hold. */
#define LARGEST_ROUNDED 1.797693134e308

/* The one control character that JSON does not escape. */
#define DELETE 0x7f

static char *to_utf8(const char *text)
{
	GString *out = g_string_new(NULL);
	for (const char *p = text; *p != '\0';) {
		gunichar code = g_utf8_get_char_validated(p, -1);
		if (code == (gunichar)-1 || code == (gunichar)-2 || code == DELETE) {
			g_string_append_printf(out, "\\x%02x", (guchar)*p++);
			continue;
		}
		if (p[0] == '\\' && p[1] == 'x')
			g_string_append(out, "\\x5c");
		else
			g_string_append_len(out, p, g_utf8_next_char(p) - p);
		p = g_utf8_next_char(p);
	}
	return g_string_free(out, FALSE);
}

json_t *json_text(const char *text)
{
	if (text == NULL)
		return json_null();
	g_autofree char *utf8 = to_utf8(text);
	return json_string(utf8);
}

char *json_text_decode(const json_t *value)
{
	const char *text = json_string_value(value);
	if (text == NULL)
		return NULL;
	GString *out = g_string_new(NULL);
	for (const char *p = text; *p != '\0';) {
		int high = 0, low = 0;
		gboolean escaped = p[0] == '\\' && p[1] == 'x' && (high = g_ascii_xdigit_value(p[2])) >= 0 &&
		                   (low = g_ascii_xdigit_value(p[3])) >= 0 && high + low > 0;
		g_string_append_c(out, escaped ? (char)(high * 16 + low) : *p);
		p += escaped ? 4 : 1;
	}
	return g_string_free(out, FALSE);
}

json_t *json_number(double value)
{
	if (!isfinite(value))
		return json_null();
	char digits[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(digits, sizeof digits, ROUNDING_FORMAT, value);
	double rounded = g_ascii_strtod(digits, NULL);
	if (fabs(rounded) > LARGEST_ROUNDED)
		rounded = copysign(LARGEST_ROUNDED, value);
	return json_real(rounded == 0 ? 0.0 : rounded);
}

json_t *json_cost(double value, gboolean counted)
{
	gboolean whole = counted && fabs(value) <= LARGEST_WHOLE && value == floor(value);
	return whole ? json_integer((json_int_t)value) : json_number(value);
}

char *json_dump_text(const json_t *value, gsize *length)
{
	size_t flags = JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS);
	char *dumped = json_dumps(value, flags);
	g_assert(dumped != NULL);
	char *text = g_strconcat(dumped, "\n", NULL);
	free(dumped);
	if (length != NULL)
		*length = strlen(text);
	return text;
}

json_t *json_load_text(const char *text, gsize length, const char *what, GError **error)
{
	if (length > JSON_TEXT_MAX_BYTES) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
		        "%s: %" G_GSIZE_FORMAT " bytes of JSON are more than the %" G_GSIZE_FORMAT " that are read",
		        what, length, JSON_TEXT_MAX_BYTES);
		return NULL;
	}
	json_error_t problem;
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
	if (value == NULL)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "%s:%d:%d: %s", what, problem.line,
		        problem.column, problem.text);
	return value;
}
