#include "profile/symbols/buildidnote.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SEGMENTS 256u
#define MAX_NOTE_BYTES ((gsize)1 << 16)

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

static gsize padded(guint32 size)
{
	return ((gsize)size + 3) & ~(gsize)3;
}

guint build_id_from_notes(const guint8 *notes, gsize length, guint8 build_id[BUILD_ID_MAX_BYTES])
{
	for (gsize at = 0; length - at >= sizeof(Elf64_Nhdr);) {
		Elf64_Nhdr head;
		memcpy(&head, notes + at, sizeof head);
		at += sizeof head;
		gsize name_bytes = padded(head.n_namesz), bytes = padded(head.n_descsz);
		if (name_bytes > length - at || bytes > length - at - name_bytes)
			return 0;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && memcmp(notes + at, "GNU", 4) == 0) {
			guint taken = MIN(head.n_descsz, BUILD_ID_MAX_BYTES);
			memcpy(build_id, notes + at + name_bytes, taken);
			return taken;
		}
		at += name_bytes + bytes;
	}
	return 0;
}

static gboolean read_at(int fd, guint64 offset, void *out, gsize size)
{
	return offset <= G_MAXINT64 && pread(fd, out, size, (off_t)offset) == (gssize)size;
}

/* Where the notes of a file are. */
typedef struct {
	guint64 table, entry_bytes, n_entries;
	gboolean is_64bit;
} SegmentTable;

static gboolean read_table(int fd, SegmentTable *table)
{
	Elf64_Ehdr large;
	Elf32_Ehdr small;
	if (!read_at(fd, 0, &small, sizeof small) || memcmp(small.e_ident, ELFMAG, SELFMAG) != 0 ||
	        small.e_ident[EI_DATA] != NATIVE_DATA)
		return FALSE;
	table->is_64bit = small.e_ident[EI_CLASS] == ELFCLASS64;
	if (table->is_64bit && !read_at(fd, 0, &large, sizeof large))
		return FALSE;
	table->table = table->is_64bit ? large.e_phoff : small.e_phoff;
	table->entry_bytes = table->is_64bit ? large.e_phentsize : small.e_phentsize;
	table->n_entries = MIN(MAX_SEGMENTS, table->is_64bit ? large.e_phnum : small.e_phnum);
	return TRUE;
}

/* The place of the notes in segment `i`; FALSE if it has none. */
static gboolean read_segment(int fd, const SegmentTable *table, guint64 i, guint64 *offset, gsize *size)
{
	Elf64_Phdr large = {0};
	Elf32_Phdr small = {0};
	guint64 at = i * table->entry_bytes;
	if (at > G_MAXINT64 - table->table)
		return FALSE;
	at += table->table;
	if (!(table->is_64bit ? read_at(fd, at, &large, sizeof large) : read_at(fd, at, &small, sizeof small)))
		return FALSE;
	*offset = table->is_64bit ? large.p_offset : small.p_offset;
	*size = MIN(MAX_NOTE_BYTES, table->is_64bit ? large.p_filesz : small.p_filesz);
	return (table->is_64bit ? large.p_type : small.p_type) == PT_NOTE;
}

static guint build_id_of_fd(int fd, guint8 build_id[BUILD_ID_MAX_BYTES])
{
	SegmentTable table;
	if (!read_table(fd, &table) || table.table > G_MAXINT64)
		return 0;
	g_autofree guint8 *notes = g_malloc(MAX_NOTE_BYTES);
	for (guint64 i = 0; i < table.n_entries; i++) {
		guint64 offset;
		gsize size;
		guint length = 0;
		if (read_segment(fd, &table, i, &offset, &size) && read_at(fd, offset, notes, size))
			length = build_id_from_notes(notes, size, build_id);
		if (length > 0)
			return length;
	}
	return 0;
}

guint build_id_of_file(const char *path, guint8 build_id[BUILD_ID_MAX_BYTES])
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return 0;
	guint length = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? build_id_of_fd(fd, build_id) : 0;
	close(fd);
	return length;
}

guint build_id_of_running_kernel(guint8 build_id[BUILD_ID_MAX_BYTES])
{
	g_autofree char *notes = NULL;
	gsize length;
	if (!g_file_get_contents("/sys/kernel/notes", &notes, &length, NULL))
		return 0;
	return build_id_from_notes((const guint8 *)notes, length, build_id);
}
