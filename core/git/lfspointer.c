/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/lfspointer.h"

#include <stdio.h>
#include <string.h>

/* A pointer is a text of a few lines that starts like this; no larger file is one. */
#define PREFIX "version https://git-lfs.github.com/spec/"
#define MAX_BYTES 1024
#define OID "\noid sha256:"
#define SHA256_DIGITS 64
#define READ_BYTES 65536

gboolean lfs_is_pointer(const char *text, gsize length)
{
	return length > strlen(PREFIX) && length <= MAX_BYTES && memcmp(text, PREFIX, strlen(PREFIX)) == 0;
}

char *lfs_pointer_sha256(const char *text, gsize length)
{
	if (!lfs_is_pointer(text, length))
		return NULL;
	g_autofree char *copy = g_strndup(text, length);
	const char *oid = strstr(copy, OID);
	if (oid == NULL || strspn(oid + strlen(OID), "0123456789abcdef") != SHA256_DIGITS)
		return NULL;
	return g_strndup(oid + strlen(OID), SHA256_DIGITS);
}

static char *file_sha256(const char *path)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree guchar *buffer = g_malloc(READ_BYTES);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return NULL;
	for (size_t n = fread(buffer, 1, READ_BYTES, file); n > 0; n = fread(buffer, 1, READ_BYTES, file))
		g_checksum_update(sum, buffer, (gssize)n);
	gboolean whole = ferror(file) == 0;
	fclose(file);
	return whole ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

gboolean lfs_pointer_matches(const char *text, gsize length, const char *path)
{
	g_autofree char *named = lfs_pointer_sha256(text, length);
	g_autofree char *found = named != NULL ? file_sha256(path) : NULL;
	return g_strcmp0(named, found) == 0 && named != NULL;
}
