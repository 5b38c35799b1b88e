/* SPDX-License-Identifier: Apache-2.0 */
#include "model/textpiece.h"

#include <string.h>

TextPiece text_between(const char *start, const char *end)
{
	return (TextPiece){start, (gsize)(end - start)};
}

TextPiece text_of(const char *string)
{
	return (TextPiece){string, strlen(string)};
}

gboolean text_equals(TextPiece text, const char *string)
{
	return text.length == strlen(string) && memcmp(text.start, string, text.length) == 0;
}

gboolean text_same(TextPiece a, TextPiece b)
{
	return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

gboolean text_starts_with(TextPiece text, const char *prefix)
{
	gsize n = strlen(prefix);
	return text.length >= n && memcmp(text.start, prefix, n) == 0;
}

gboolean text_ends_with(TextPiece text, const char *suffix)
{
	gsize n = strlen(suffix);
	return text.length >= n && memcmp(text.start + text.length - n, suffix, n) == 0;
}

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t';
}

TextPiece text_trimmed(TextPiece text)
{
	for (; text.length > 0 && is_blank(text.start[0]); text.length--)
		text.start++;
	while (text.length > 0 && is_blank(text.start[text.length - 1]))
		text.length--;
	return text;
}

TextPiece text_base_name(TextPiece path)
{
	const char *slash = memrchr(path.start, '/', path.length);
	return slash != NULL ? text_between(slash + 1, path.start + path.length) : path;
}

TextPiece text_take_line(const char **text, const char *end)
{
	const char *start = *text, *newline = memchr(start, '\n', (gsize)(end - start));
	const char *stop = newline != NULL ? newline : end;
	*text = newline != NULL ? newline + 1 : end;
	if (stop > start && stop[-1] == '\r')
		stop--;
	return text_between(start, stop);
}

gboolean text_take_word(TextPiece *text, TextPiece *word)
{
	const char *at = text->start, *end = at + text->length;
	while (at < end && is_blank(*at))
		at++;
	const char *start = at;
	while (at < end && !is_blank(*at))
		at++;
	*word = text_between(start, at);
	*text = text_between(at, end);
	return word->length > 0;
}

gsize text_count_digits(TextPiece text)
{
	gsize n = 0;
	while (n < text.length && g_ascii_isdigit(text.start[n]))
		n++;
	return n;
}

gboolean text_is_number(TextPiece text)
{
	return text.length > 0 && text_count_digits(text) == text.length;
}

guint64 text_number(TextPiece digits)
{
	guint64 value = 0;
	for (gsize i = 0; i < digits.length; i++) {
		guint digit = (guint)(digits.start[i] - '0');
		if (value > (G_MAXUINT64 - digit) / 10)
			return G_MAXUINT64;
		value = value * 10 + digit;
	}
	return value;
}

gsize text_hex_digits(const char *string)
{
	gsize n = string != NULL ? strspn(string, "0123456789abcdef") : 0;
	return n > 0 && string[n] == '\0' ? n : 0;
}

void text_append(GString *out, TextPiece text)
{
	g_string_append_len(out, text.start, (gssize)text.length);
}

int text_order(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(char *const *)a, *(char *const *)b);
}
