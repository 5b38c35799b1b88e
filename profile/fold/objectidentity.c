/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/objectidentity.h"

#include "core/regularfile.h"
#include "profile/objects/buildidnote.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define BUILD_ID_DIGITS 12
#define MAX_HASHED_BYTES (64 * 1024 * 1024)
#define MAX_COMMENT_BYTES (64 * 1024)
#define MAX_SECTIONS 4096u
#define COMMENT ".comment"

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

/* "" if it cannot be read. Owned by the caller. */
static char *content_identity(const char *path)
{
	gint64 size = 0;
	int fd = regular_file_open(path, 0, MAX_HASHED_BYTES, &size);
	if (fd < 0)
		return g_strdup("");
	g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *length = g_strdup_printf("%lld\n", (long long)size);
	g_checksum_update(hash, (const guchar *)length, -1);
	guchar bytes[16384];
	gssize n = 1;
	for (gint64 at = 0; at < size && n > 0; at += n) {
		n = pread(fd, bytes, sizeof bytes, at);
		g_checksum_update(hash, bytes, MAX(n, 0));
	}
	close(fd);
	return n > 0 ? g_strdup_printf("sha256-%.*s", BUILD_ID_DIGITS, g_checksum_get_string(hash)) : g_strdup("");
}

char *object_identity(const char *path)
{
	guint8 build_id[BUILD_ID_MAX_BYTES];
	guint length = build_id_of_file(path, build_id);
	if (length == 0)
		return content_identity(path);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < MIN(length, BUILD_ID_DIGITS / 2); i++)
		g_string_append_printf(text, "%02x", build_id[i]);
	return g_string_free(text, FALSE);
}

/* --- sections --- */

typedef struct {
	int fd;
	gboolean is_64bit;
	guint64 table, entry_bytes, n_entries, names_index;
} SectionTable;

typedef struct {
	guint64 name, offset, bytes;
} Section;

static gboolean read_at(int fd, guint64 offset, void *out, gsize size)
{
	return offset <= G_MAXINT64 && pread(fd, out, size, (off_t)offset) == (gssize)size;
}

/* Fields are read as they lie, without swapping, so files of the other order of bytes are left aside. Both classes have
 * the first 16 bytes in common, which say how the others are to be read. */
static gboolean read_table(SectionTable *table)
{
	Elf64_Ehdr large = {0};
	Elf32_Ehdr small = {0};
	if (!read_at(table->fd, 0, &small, sizeof small) || memcmp(small.e_ident, ELFMAG, SELFMAG) != 0 ||
	        small.e_ident[EI_DATA] != NATIVE_DATA)
		return FALSE;
	table->is_64bit = small.e_ident[EI_CLASS] == ELFCLASS64;
	if (table->is_64bit && !read_at(table->fd, 0, &large, sizeof large))
		return FALSE;
	table->table = table->is_64bit ? large.e_shoff : small.e_shoff;
	table->entry_bytes = table->is_64bit ? large.e_shentsize : small.e_shentsize;
	table->n_entries = MIN(MAX_SECTIONS, table->is_64bit ? large.e_shnum : small.e_shnum);
	table->names_index = table->is_64bit ? large.e_shstrndx : small.e_shstrndx;
	return table->table > 0 && table->table <= G_MAXINT64 && table->names_index < table->n_entries;
}

static gboolean read_section(const SectionTable *table, guint64 i, Section *section)
{
	Elf64_Shdr large = {0};
	Elf32_Shdr small = {0};
	guint64 at = i * table->entry_bytes;
	if (at > G_MAXINT64 - table->table)
		return FALSE;
	at += table->table;
	if (!(table->is_64bit ? read_at(table->fd, at, &large, sizeof large)
	                      : read_at(table->fd, at, &small, sizeof small)))
		return FALSE;
	section->name = table->is_64bit ? large.sh_name : small.sh_name;
	section->offset = table->is_64bit ? large.sh_offset : small.sh_offset;
	section->bytes = table->is_64bit ? large.sh_size : small.sh_size;
	return (table->is_64bit ? large.sh_type : small.sh_type) != SHT_NOBITS;
}

static gboolean is_comment(const SectionTable *table, const Section *names, const Section *section)
{
	char name[sizeof COMMENT];
	if (section->name > G_MAXUINT32 || names->offset > G_MAXINT64 - section->name)
		return FALSE;
	return read_at(table->fd, names->offset + section->name, name, sizeof name) &&
	       memcmp(name, COMMENT, sizeof name) == 0;
}

static GBytes *comment_of(const SectionTable *table)
{
	Section names, section;
	if (!read_section(table, table->names_index, &names))
		return NULL;
	for (guint64 i = 0; i < table->n_entries; i++) {
		if (!read_section(table, i, &section) || !is_comment(table, &names, &section))
			continue;
		gsize bytes = (gsize)MIN(section.bytes, MAX_COMMENT_BYTES);
		g_autofree char *content = g_malloc0(bytes + 1);
		return read_at(table->fd, section.offset, content, bytes)
		               ? g_bytes_new_take(g_steal_pointer(&content), bytes)
		               : NULL;
	}
	return NULL;
}

GBytes *object_comment(const char *path)
{
	gint64 size = 0;
	SectionTable table = {.fd = regular_file_open(path, 0, G_MAXINT64, &size)};
	if (table.fd < 0)
		return NULL;
	GBytes *comment = read_table(&table) ? comment_of(&table) : NULL;
	close(table.fd);
	return comment;
}
