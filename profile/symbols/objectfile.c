#include "profile/symbols/objectfile.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (G_GINT64_CONSTANT(8) << 30)

/* NULL stands for the standard places. */
static char *debuginfo_path = NULL;

static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debuginfo_path,
};

static gboolean check_regular(int fd, const char *path, GError **error)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
	if (S_ISREG(status.st_mode) && status.st_size <= MAX_FILE_BYTES)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: %s", path,
	        S_ISREG(status.st_mode) ? "too large for an object file" : "not a regular file");
	return FALSE;
}

static gboolean report_module(ObjectFile *file, const char *path, int fd, GError **error)
{
	GElf_Addr bias;
	file->dwfl = dwfl_begin(&callbacks);
	/* with base 0, addresses are those that stand in the file */
	file->module = file->dwfl != NULL ? dwfl_report_elf(file->dwfl, path, path, fd, 0, true) : NULL;
	if (file->module == NULL)
		close(fd);
	else if (dwfl_report_end(file->dwfl, NULL, NULL) == 0)
		file->elf = dwfl_module_getelf(file->module, &bias);
	if (file->elf != NULL)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: %s", path, dwfl_errmsg(-1));
	object_file_close(file);
	return FALSE;
}

gboolean object_file_open(ObjectFile *file, const char *path, GError **error)
{
	*file = (ObjectFile){0};
	int fd = g_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
	if (!check_regular(fd, path, error)) {
		close(fd);
		return FALSE;
	}
	return report_module(file, path, fd, error);
}

void object_file_close(ObjectFile *file)
{
	if (file->dwfl != NULL)
		dwfl_end(file->dwfl);
	*file = (ObjectFile){0};
}

guint object_file_build_id(const ObjectFile *file, const guint8 **bytes)
{
	GElf_Addr address;
	int length = dwfl_module_build_id(file->module, bytes, &address);
	return length > 0 ? (guint)length : 0;
}

gboolean object_file_check_build_id(const ObjectFile *file, const guint8 *build_id, guint length, GError **error)
{
	const guint8 *own = NULL;
	guint own_length = object_file_build_id(file, &own);
	if (length == 0 || (length == own_length && memcmp(own, build_id, length) == 0))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
	        "%s: not the file that was recorded; its build-id is another one",
	        dwfl_module_info(file->module, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	return FALSE;
}

gboolean object_file_address(const ObjectFile *file, guint64 offset, guint64 *address)
{
	size_t n_headers = 0;
	if (elf_getphdrnum(file->elf, &n_headers) != 0)
		return FALSE;
	for (size_t i = 0; i < n_headers && i < G_MAXUINT16; i++) {
		GElf_Phdr header;
		if (gelf_getphdr(file->elf, (int)i, &header) == NULL || header.p_type != PT_LOAD ||
		        (header.p_flags & PF_X) == 0)
			continue;
		if (offset >= header.p_offset && offset - header.p_offset < header.p_filesz) {
			*address = offset - header.p_offset + header.p_vaddr;
			return TRUE;
		}
	}
	return FALSE;
}

Dwarf *object_file_dwarf(const ObjectFile *file, guint64 *bias)
{
	Dwarf_Addr value = 0;
	Dwarf *dwarf = dwfl_module_getdwarf(file->module, &value);
	*bias = value;
	return dwarf;
}
