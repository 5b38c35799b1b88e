/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindname.h"

#include "model/canonical.h"
#include "model/toolnames.h"

#include <string.h>

/* Moves the next piece, which may be empty, from the front of *text. */
static TextPiece take_piece(TextPiece *text)
{
	TextPiece piece = {text->start, tool_name_until(text->start, text->length, '\'')};
	gsize step = MIN(piece.length + 1, text->length);
	*text = (TextPiece){text->start + step, text->length - step};
	return piece;
}

gboolean callgrind_name_take(TextPiece *callers, TextPiece *function)
{
	*function = TEXT_NOTHING;
	while (callers->length > 0 && function->length == 0)
		*function = take_piece(callers);
	return function->length > 0;
}

CallgrindName callgrind_name_parse(TextPiece text)
{
	CallgrindName name = {.function = take_piece(&text), .level = 1, .callers = text};
	TextPiece function = take_piece(&text);
	if (text_is_number(function)) {
		name.level = MAX(1, text_number(function));
		name.callers = text;
	}
	for (TextPiece rest = name.callers; callgrind_name_take(&rest, &function);)
		name.n_callers++;
	return name;
}

static gboolean is_address(TextPiece function)
{
	return function.length > 2 && memcmp(function.start, "0x", 2) == 0 && g_ascii_isxdigit(function.start[2]);
}

gboolean callgrind_name_is_known(TextPiece function)
{
	return function.length > 0 && !text_equals(function, "???") && !is_address(function);
}

char *callgrind_name_canonical(TextPiece function)
{
	g_autofree char *text = g_strndup(function.start, function.length);
	g_autofree char *canonical = canonical_name(text);
	char *clone = strstr(canonical, " [clone ");
	if (clone != NULL && clone > canonical)
		*clone = '\0';
	gsize length = tool_name_without_arguments(canonical, strlen(canonical));
	gsize start = tool_name_after_type(canonical, length);
	char *name = g_strndup(canonical + start, length - start);
	canonical_drop_numbers(name);
	return name;
}

gboolean callgrind_name_is_allocator(TextPiece name)
{
	static const char *const names[] = {"malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc",
	        "posix_memalign", "valloc", "pvalloc", "libc_malloc", "libc_calloc", "libc_realloc", "libc_memalign"};
	static const char *const beginnings[] = {
	        "operator new(", "operator new[](", "_Znwm", "_Znam", "_Znwj", "_Znaj"};
	for (guint i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (text_starts_with(name, beginnings[i]))
			return TRUE;
	const char *version = memchr(name.start, '@', name.length);
	name.length = version != NULL ? (gsize)(version - name.start) : name.length;
	while (name.length > 0 && name.start[0] == '_')
		name = (TextPiece){name.start + 1, name.length - 1};
	if (text_starts_with(name, "GI___"))
		name = (TextPiece){name.start + 5, name.length - 5};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (text_equals(name, names[i]))
			return TRUE;
	return FALSE;
}
