/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/buildidnote.h"

#include "core/regularfile.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define MAX_SEGMENTS 256u
#define MAX_NOTE_BYTES ((gsize)1 << 16)

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

/* GNU tools pad notes to four bytes in 64-bit files, too, where the ELF specification would have eight. */
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

/* Tells where the notes of a file are. */
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

/* Segment `i`, in the wider form; FALSE if it cannot be read. */
static gboolean read_segment(int fd, const SegmentTable *table, guint64 i, Elf64_Phdr *segment)
{
	Elf32_Phdr small = {0};
	guint64 at = i * table->entry_bytes;
	if (at > G_MAXINT64 - table->table)
		return FALSE;
	at += table->table;
	if (table->is_64bit)
		return read_at(fd, at, segment, sizeof *segment);
	if (!read_at(fd, at, &small, sizeof small))
		return FALSE;
	*segment = (Elf64_Phdr){
	        .p_type = small.p_type,
	        .p_flags = small.p_flags,
	        .p_offset = small.p_offset,
	        .p_vaddr = small.p_vaddr,
	        .p_filesz = small.p_filesz,
	        .p_memsz = small.p_memsz,
	};
	return TRUE;
}

static guint build_id_of_fd(int fd, guint8 build_id[BUILD_ID_MAX_BYTES])
{
	SegmentTable table;
	if (!read_table(fd, &table) || table.table > G_MAXINT64)
		return 0;
	g_autofree guint8 *notes = g_malloc(MAX_NOTE_BYTES);
	for (guint64 i = 0; i < table.n_entries; i++) {
		Elf64_Phdr segment;
		guint length = 0;
		if (!read_segment(fd, &table, i, &segment) || segment.p_type != PT_NOTE)
			continue;
		gsize size = MIN(MAX_NOTE_BYTES, segment.p_filesz);
		if (read_at(fd, segment.p_offset, notes, size))
			length = build_id_from_notes(notes, size, build_id);
		if (length > 0)
			return length;
	}
	return 0;
}

guint build_id_of_file(const char *path, guint8 build_id[BUILD_ID_MAX_BYTES])
{
	gint64 size;
	int fd = regular_file_open(path, 0, G_MAXINT64, &size);
	if (fd < 0)
		return 0;
	guint length = build_id_of_fd(fd, build_id);
	close(fd);
	return length;
}

/* Bytes of a file in the order of its offsets: what is mapped of it, and what its segments take. */
typedef struct {
	guint64 from, to;
} FileRange;

static guint64 add_up_to_most(guint64 a, guint64 b)
{
	return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

/* The first map of a library is as long as its image, so it can end after the file. What perf inject makes of generated
 * code has no segments. */
static gboolean fits_segments(int fd, const SegmentTable *table, FileRange map, guint64 file_bytes)
{
	guint64 lowest = G_MAXUINT64, image_end = 0;
	gboolean has_code = FALSE, has_segments = FALSE;
	for (guint64 i = 0; i < table->n_entries; i++) {
		Elf64_Phdr segment;
		if (!read_segment(fd, table, i, &segment) || segment.p_type != PT_LOAD)
			continue;
		has_segments = TRUE;
		lowest = MIN(lowest, segment.p_vaddr);
		image_end = MAX(image_end, add_up_to_most(segment.p_vaddr, segment.p_memsz));
		has_code |= (segment.p_flags & PF_X) != 0 && segment.p_offset < map.to &&
		            add_up_to_most(segment.p_offset, segment.p_filesz) > map.from;
	}
	/* Maps begin and end at pages, files and segments need not. */
	guint64 page = (guint64)sysconf(_SC_PAGESIZE);
	guint64 most = MAX(file_bytes, image_end > lowest ? image_end - lowest : 0);
	return !has_segments || (has_code && map.to <= add_up_to_most(most, 2 * page));
}

gboolean object_fits_map(const char *path, guint64 page_offset, guint64 length)
{
	SegmentTable table;
	gint64 size = 0;
	int fd = regular_file_open(path, 0, G_MAXINT64, &size);
	if (fd < 0)
		return TRUE;
	const FileRange map = {page_offset, add_up_to_most(page_offset, length)};
	gboolean fits =
	        !read_table(fd, &table) || table.table > G_MAXINT64 || fits_segments(fd, &table, map, (guint64)size);
	close(fd);
	return fits;
}

guint build_id_of_running_kernel(guint8 build_id[BUILD_ID_MAX_BYTES])
{
	g_autofree char *notes = NULL;
	gsize length;
	if (!g_file_get_contents("/sys/kernel/notes", &notes, &length, NULL))
		return 0;
	return build_id_from_notes((const guint8 *)notes, length, build_id);
}
