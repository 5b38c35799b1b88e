/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/seal.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#define HASH_DIGITS 64
#define HASH_KEY "\",\n \"sha256\": \""

static const char no_hash[] = "0000000000000000000000000000000000000000000000000000000000000000";

G_STATIC_ASSERT(sizeof no_hash == HASH_DIGITS + 1);

/* The hash of the text with the digits at `position` taken as zeros. */
static char *hash_around(const GString *text, gsize position)
{
	gsize end = position + HASH_DIGITS;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(checksum, (const guchar *)text->str, (gssize)position);
	g_checksum_update(checksum, (const guchar *)no_hash, HASH_DIGITS);
	g_checksum_update(checksum, (const guchar *)text->str + end, (gssize)(text->len - end));
	return g_strdup(g_checksum_get_string(checksum));
}

GString *seal_json(const char *kind, guint version, const char *object)
{
	g_assert(object[0] == '{');
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "{\n \"schema\": \"%s/%u" HASH_KEY, kind, version);
	gsize position = text->len;
	g_string_append_printf(text, "%s\",%s\n", no_hash, object + 1);
	g_autofree char *hash = hash_around(text, position);
	memcpy(text->str + position, hash, HASH_DIGITS);
	return text;
}

GString *seal_object(const char *kind, guint version, const json_t *object)
{
	char *dumped = json_dumps(object, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
	g_assert(dumped != NULL);
	GString *text = seal_json(kind, version, dumped);
	free(dumped);
	return text;
}

static gboolean fail_damaged(GError **error)
{
	g_set_error_literal(
	        error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "damaged: the content does not match its checksum");
	return FALSE;
}

/* Reads the version, and where the digits of the hash are. */
static gboolean find_seal(const GString *text, const char *kind, guint *version, gsize *position)
{
	g_autofree char *start = g_strdup_printf("{\n \"schema\": \"%s/", kind);
	if (!g_str_has_prefix(text->str, start))
		return FALSE;
	const char *digits = text->str + strlen(start);
	gsize n_digits = strspn(digits, "0123456789");
	if (n_digits == 0 || n_digits > 8 || !g_str_has_prefix(digits + n_digits, HASH_KEY))
		return FALSE;
	*version = (guint)g_ascii_strtoull(digits, NULL, 10);
	*position = (gsize)(digits - text->str) + n_digits + strlen(HASH_KEY);
	return TRUE;
}

static gboolean is_whole(const GString *text, gsize position)
{
	if (text->len < position + HASH_DIGITS)
		return FALSE;
	g_autofree char *hash = hash_around(text, position);
	return memcmp(hash, text->str + position, HASH_DIGITS) == 0;
}

gboolean seal_version(const GString *text, const char *kind, guint *version, GError **error)
{
	guint found;
	gsize position;
	if (!find_seal(text, kind, &found, &position) || !is_whole(text, position))
		return fail_damaged(error);
	*version = found;
	return TRUE;
}

gboolean seal_verify(const GString *text, const char *kind, guint newest, GError **error)
{
	guint version;
	gsize position;
	if (!find_seal(text, kind, &version, &position))
		return fail_damaged(error);
	if (version > newest) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
		        "schema %s/%u is newer than this firebreak, which reads up to %s/%u; update firebreak", kind,
		        version, kind, newest);
		return FALSE;
	}
	return is_whole(text, position) || fail_damaged(error);
}
