/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/jsonpieces.h"

#include "core/jsontext.h"

#include <stdlib.h>

#define MAX_DIGITS 20

void json_put_text(GString *out, const char *text)
{
	json_auto_t *value = json_text(text);
	char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_ESCAPE_SLASH);
	g_string_append(out, dumped);
	free(dumped);
}

/* Printing with a format takes ten times as long, and most of a file is numbers. */
void json_put_integer(GString *out, gint64 value)
{
	char digits[MAX_DIGITS + 1];
	char *end = digits + sizeof(digits), *at = end;
	guint64 left = value < 0 ? 0 - (guint64)value : (guint64)value;
	do
		*--at = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (value < 0)
		*--at = '-';
	g_string_append_len(out, at, end - at);
}

void json_put_separator(GString *out, gboolean is_first)
{
	if (!is_first)
		g_string_append(out, ",\n");
}

void json_put_constants(GString *out, const char *name, const char *value, guint n)
{
	g_string_append_printf(out, "\"%s\":[", name);
	for (guint i = 0; i < n; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		g_string_append(out, value);
	}
	g_string_append_c(out, ']');
}
