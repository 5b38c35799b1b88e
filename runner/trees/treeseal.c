/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treeseal.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER "firebreak-seal-1\n"
#define READ_BYTES (256 * 1024)
#define MODE_BITS 07777

/* "mode size digest path", the path escaped, is its line. */
typedef struct {
	guint mode; /* kind and permissions, as in struct stat */
	guint64 bytes;
	char *digest; /* SHA-256 of a file, or of where a link leads; "-" for others */
	char *path;
} Sealed;

struct TreeSeal {
	GPtrArray *entries; /* of Sealed, sorted by path */
	GHashTable *by_path;
};

static void sealed_free(gpointer data)
{
	Sealed *sealed = data;
	g_free(sealed->digest);
	g_free(sealed->path);
	g_free(sealed);
}

static TreeSeal *seal_empty(void)
{
	TreeSeal *seal = g_new0(TreeSeal, 1);
	seal->entries = g_ptr_array_new_with_free_func(sealed_free);
	seal->by_path = g_hash_table_new(g_str_hash, g_str_equal);
	return seal;
}

void tree_seal_free(TreeSeal *seal)
{
	if (seal == NULL)
		return;
	g_hash_table_unref(seal->by_path);
	g_ptr_array_unref(seal->entries);
	g_free(seal);
}

/* Takes the entry over. */
static void add(TreeSeal *seal, Sealed *sealed)
{
	g_ptr_array_add(seal->entries, sealed);
	g_hash_table_insert(seal->by_path, sealed->path, sealed);
}

static int by_path(gconstpointer a, gconstpointer b)
{
	return strcmp((*(Sealed *const *)a)->path, (*(Sealed *const *)b)->path);
}

/* --- made of a tree --- */

static gboolean digest_file(GChecksum *sum, int fd)
{
	g_autofree guchar *buffer = g_malloc(READ_BYTES);
	for (;;) {
		ssize_t n = read(fd, buffer, READ_BYTES);
		if (n == 0)
			return TRUE;
		if (n < 0 && errno != EINTR)
			return FALSE;
		if (n > 0)
			g_checksum_update(sum, buffer, n);
	}
}

static char *digest_of_file(const TreeEntry *entry)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	int fd = openat(entry->folder, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	gboolean ok = fd >= 0 && digest_file(sum, fd);
	int failed = errno;
	if (fd >= 0)
		close(fd);
	errno = failed;
	return ok ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

static char *digest_of_link(const TreeEntry *entry)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(entry->folder, entry->name, target, sizeof target);
	return n >= 0 ? g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *)target, (gsize)n) : NULL;
}

static TreeStep seal_entry(gpointer data, const TreeEntry *entry, GError **error)
{
	const struct stat *info = entry->info;
	g_autofree char *digest = S_ISREG(info->st_mode)   ? digest_of_file(entry)
	                          : S_ISLNK(info->st_mode) ? digest_of_link(entry)
	                                                   : g_strdup("-");
	if (digest == NULL) {
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot read %s", entry->path);
		return TREE_STOP;
	}
	Sealed *sealed = g_new0(Sealed, 1);
	sealed->mode = info->st_mode;
	sealed->bytes = S_ISREG(info->st_mode) ? (guint64)info->st_size : 0;
	sealed->digest = g_steal_pointer(&digest);
	sealed->path = g_strdup(entry->path);
	add(data, sealed);
	return TREE_GO_ON;
}

TreeSeal *tree_seal_new(const char *root, GError **error)
{
	g_autoptr(TreeSeal) seal = seal_empty();
	if (!tree_walk(root, seal_entry, seal, error))
		return NULL;
	g_ptr_array_sort(seal->entries, by_path);
	return g_steal_pointer(&seal);
}

/* --- as text --- */

char *tree_seal_text(const TreeSeal *seal)
{
	GString *text = g_string_new(HEADER);
	for (guint i = 0; i < seal->entries->len; i++) {
		const Sealed *sealed = seal->entries->pdata[i];
		g_autofree char *path = g_strescape(sealed->path, NULL);
		g_string_append_printf(
		        text, "%o %" G_GUINT64_FORMAT " %s %s\n", sealed->mode, sealed->bytes, sealed->digest, path);
	}
	/* a text that was cut off is none */
	g_string_append(text, ".\n");
	return g_string_free(text, FALSE);
}

static gboolean parse_line(TreeSeal *seal, const char *line)
{
	g_auto(GStrv) fields = g_strsplit(line, " ", 4);
	guint64 mode, bytes;
	if (g_strv_length(fields) != 4 || !g_ascii_string_to_unsigned(fields[1], 10, 0, G_MAXUINT64, &bytes, NULL))
		return FALSE;
	char *end = NULL;
	mode = g_ascii_strtoull(fields[0], &end, 8);
	if (*end != '\0' || mode > G_MAXUINT || *fields[3] == '\0')
		return FALSE;
	Sealed *sealed = g_new0(Sealed, 1);
	sealed->mode = (guint)mode;
	sealed->bytes = bytes;
	sealed->digest = g_strdup(fields[2]);
	sealed->path = g_strcompress(fields[3]);
	add(seal, sealed);
	return TRUE;
}

TreeSeal *tree_seal_parse(const char *text)
{
	g_autoptr(TreeSeal) seal = seal_empty();
	if (!g_str_has_prefix(text, HEADER))
		return NULL;
	g_auto(GStrv) lines = g_strsplit(text + strlen(HEADER), "\n", -1);
	char **line = lines;
	for (; *line != NULL && !g_str_equal(*line, "."); line++)
		if (!parse_line(seal, *line))
			return NULL;
	if (*line == NULL)
		return NULL;
	g_ptr_array_sort(seal->entries, by_path);
	return g_steal_pointer(&seal);
}

guint64 tree_seal_bytes(const TreeSeal *seal)
{
	guint64 bytes = 0;
	for (guint i = 0; i < seal->entries->len; i++)
		bytes += ((const Sealed *)seal->entries->pdata[i])->bytes;
	return bytes;
}

/* --- compared --- */

static gboolean are_equal(const Sealed *a, const Sealed *b, guint ignored_mode)
{
	return ((a->mode ^ b->mode) & ~ignored_mode) == 0 && a->bytes == b->bytes && g_str_equal(a->digest, b->digest);
}

/* NULL if they are equal; else borrowed from one of them. */
static const char *first_difference(const TreeSeal *seal, const TreeSeal *other, guint ignored_mode)
{
	const GPtrArray *one = seal->entries, *two = other->entries;
	for (guint i = 0; i < MAX(one->len, two->len); i++) {
		const Sealed *a = i < one->len ? one->pdata[i] : NULL, *b = i < two->len ? two->pdata[i] : NULL;
		int order = a == NULL ? 1 : b == NULL ? -1 : strcmp(a->path, b->path);
		if (order != 0)
			return order < 0 ? a->path : b->path;
		if (!are_equal(a, b, ignored_mode))
			return a->path;
	}
	return NULL;
}

gboolean tree_seal_check(const TreeSeal *seal, const char *root, guint ignored_mode, char **path, GError **error)
{
	g_autoptr(TreeSeal) now = tree_seal_new(root, error);
	if (now == NULL)
		return FALSE;
	*path = g_strdup(first_difference(seal, now, ignored_mode));
	return TRUE;
}

gboolean tree_seal_has_file(const TreeSeal *seal, const char *path, const char *sha256)
{
	const Sealed *sealed = g_hash_table_lookup(seal->by_path, path);
	return sealed != NULL && S_ISREG(sealed->mode) && g_str_equal(sealed->digest, sha256);
}

gboolean tree_seal_has_contents(const TreeSeal *seal, const TreeEntry *entry)
{
	g_autofree char *digest = digest_of_file(entry);
	return digest != NULL && tree_seal_has_file(seal, entry->path, digest);
}

/* --- modes --- */

static gboolean set_mode(const TreeEntry *entry, mode_t mode, GError **error)
{
	if (S_ISLNK(entry->info->st_mode) || (entry->info->st_mode & MODE_BITS) == mode ||
	        fchmodat(entry->folder, entry->name, mode, 0) == 0)
		return TRUE;
	return firebreak_set_errno(
	        error, FIREBREAK_ERROR_STORAGE, errno, "cannot set the permissions of %s", entry->path);
}

static TreeStep protect(gpointer data, const TreeEntry *entry, GError **error)
{
	(void)data;
	return set_mode(entry, entry->info->st_mode & MODE_BITS & ~0222u, error) ? TREE_GO_ON : TREE_STOP;
}

gboolean tree_seal_protect(const char *root, GError **error)
{
	if (chmod(root, 0555) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot protect %s", root);
	return tree_walk(root, protect, NULL, error);
}

static TreeStep apply_mode(gpointer data, const TreeEntry *entry, GError **error)
{
	const TreeSeal *seal = data;
	const Sealed *sealed = g_hash_table_lookup(seal->by_path, entry->path);
	gboolean same_kind = sealed != NULL && (sealed->mode & S_IFMT) == (entry->info->st_mode & S_IFMT);
	return !same_kind || set_mode(entry, sealed->mode & MODE_BITS, error) ? TREE_GO_ON : TREE_STOP;
}

gboolean tree_seal_apply_modes(const TreeSeal *seal, const char *root, GError **error)
{
	if (chmod(root, 0755) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot open %s to writing", root);
	return tree_walk(root, apply_mode, (gpointer)seal, error);
}
