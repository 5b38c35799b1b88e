/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/objectfile.h"

#include "core/error.h"
#include "profile/objects/debugfiles.h"
#include "profile/objects/vdso.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The longest build-id that is believed. */
enum { MAX_BUILD_ID = 64 };

struct ObjectDebug {
	char *path, *symfs; /* as the recording names the file; where else to look, or NULL */
	Elf *elf;           /* the main file */
	gboolean was_asked; /* the file of dwz was looked for */
	int shared_fd;      /* that file, -1 = there is none */
	Elf *shared_elf;
	Dwarf *shared;
};

/* NULL stands for the standard places. */
static char *debuginfo_path = NULL;

/* libdwfl looks for the file of dwz in the same way, with the name of .gnu_debugaltlink for the link. */
static gboolean is_own_link(const ObjectDebug *debug, const char *link)
{
	GElf_Word crc;
	return link == NULL || g_strcmp0(link, dwelf_elf_gnu_debuglink(debug->elf, &crc)) == 0;
}

static int find_debug_file(Dwfl_Module *module, void **data, const char *module_name, Dwarf_Addr base,
        const char *file_name, const char *link, GElf_Word link_crc, char **found)
{
	const ObjectDebug *debug = *data;
	const guint8 *build_id = NULL;
	GElf_Addr address;
	int length = dwfl_module_build_id(module, &build_id, &address);
	if (!is_own_link(debug, link))
		return -1;
	if (length > 0) {
		const DebugSearch search = {debug->path, debug->symfs, build_id, (guint)length};
		g_autoptr(GPtrArray) paths =
		        debug_files_debug(&search, file_name != NULL ? file_name : debug->path, link);
		for (guint i = 0; i < paths->len; i++) {
			int fd = debug_file_open_build(paths->pdata[i], build_id, (guint)length);
			if (fd < 0)
				continue;
			/* libdwfl frees it by free(). */
			*found = strdup(paths->pdata[i]);
			return fd;
		}
	}
	return dwfl_standard_find_debuginfo(module, data, module_name, base, file_name, link, link_crc, found);
}

/* The vDSO has no file. */
static int find_image(
        Dwfl_Module *module, void **data, const char *module_name, Dwarf_Addr base, char **found, Elf **elf)
{
	gsize size;
	char *image = (char *)vdso_image(&size);
	if (image == NULL || !g_str_equal(module_name, VDSO_PATH))
		return dwfl_build_id_find_elf(module, data, module_name, base, found, elf);
	elf_version(EV_CURRENT);
	*elf = elf_memory(image, size);
	return -1;
}

static const Dwfl_Callbacks callbacks = {
        .find_elf = find_image,
        .find_debuginfo = find_debug_file,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debuginfo_path,
};

/* Opens what was reported as the module. `name` is for the message. */
static gboolean begin_module(ObjectFile *file, const char *name, GError **error)
{
	GElf_Addr bias;
	void **data;
	if (file->module != NULL && dwfl_report_end(file->dwfl, NULL, NULL) == 0) {
		dwfl_module_info(file->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = file->debug;
		file->elf = dwfl_module_getelf(file->module, &bias);
	}
	if (file->elf != NULL && elf_kind(file->elf) == ELF_K_ELF) {
		file->debug->elf = file->elf;
		return TRUE;
	}
	const char *reason = dwfl_errmsg(-1);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: %s", name,
	        reason != NULL ? reason : "not an ELF file");
	object_file_close(file);
	return FALSE;
}

static ObjectDebug *object_debug_new(const ObjectFileWanted *wanted)
{
	ObjectDebug *debug = g_new0(ObjectDebug, 1);
	debug->path = g_strdup(wanted->path);
	debug->symfs = g_strdup(wanted->symfs);
	debug->shared_fd = -1;
	return debug;
}

/* Opens the file at `path` in place of the wanted one. */
static gboolean open_path(ObjectFile *file, const char *path, const ObjectFileWanted *wanted, GError **error)
{
	*file = (ObjectFile){0};
	int fd = debug_file_open(path);
	if (fd < 0 && (errno == EINVAL || errno == EFBIG)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: %s", path,
		        errno == EFBIG ? "too large for an object file" : "not a regular file");
		return FALSE;
	}
	if (fd < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
	file->debug = object_debug_new(wanted);
	file->dwfl = dwfl_begin(&callbacks);
	/* with base 0, addresses are those that stand in the file */
	file->module = file->dwfl != NULL ? dwfl_report_elf(file->dwfl, path, path, fd, 0, true) : NULL;
	/* dwfl_report_elf() takes the descriptor over only where it succeeds. */
	if (file->module == NULL)
		close(fd);
	return begin_module(file, path, error);
}

gboolean object_file_open(ObjectFile *file, const char *path, GError **error)
{
	const ObjectFileWanted wanted = {.path = path};
	return open_path(file, path, &wanted, error);
}

static gboolean open_vdso(ObjectFile *file, const ObjectFileWanted *wanted, GError **error)
{
	gsize size = 0;
	*file = (ObjectFile){0};
	if (vdso_image(&size) != NULL) {
		file->debug = object_debug_new(wanted);
		file->dwfl = dwfl_begin(&callbacks);
		file->module = file->dwfl != NULL ? dwfl_report_module(file->dwfl, VDSO_PATH, 0, size) : NULL;
	}
	return begin_module(file, VDSO_PATH, error);
}

void object_file_close(ObjectFile *file)
{
	ObjectDebug *debug = file->debug;
	if (file->dwfl != NULL)
		dwfl_end(file->dwfl);
	if (debug != NULL) {
		dwarf_end(debug->shared);
		elf_end(debug->shared_elf);
		if (debug->shared_fd >= 0)
			close(debug->shared_fd);
		g_free(debug->path);
		g_free(debug->symfs);
		g_free(debug);
	}
	*file = (ObjectFile){0};
}

guint object_file_build_id(const ObjectFile *file, const guint8 **bytes)
{
	GElf_Addr address;
	int length = dwfl_module_build_id(file->module, bytes, &address);
	return length > 0 && length <= MAX_BUILD_ID ? (guint)length : 0;
}

static gboolean has_build_id(const ObjectFile *file, const ObjectFileWanted *wanted)
{
	const guint8 *own = NULL;
	guint length = object_file_build_id(file, &own);
	return wanted->build_id_length == 0 ||
	       (wanted->build_id_length == length && memcmp(own, wanted->build_id, length) == 0);
}

/* Opens a candidate that has the build-id. *error is set for the first candidate that fails, which is the most likely
 * one. */
static gboolean open_candidate(ObjectFile *file, const char *path, const ObjectFileWanted *wanted, GError **error)
{
	GError **first = *error == NULL ? error : NULL;
	gboolean ok =
	        g_str_equal(path, VDSO_PATH) ? open_vdso(file, wanted, first) : open_path(file, path, wanted, first);
	if (!ok || has_build_id(file, wanted))
		return ok;
	object_file_close(file);
	g_clear_error(error);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
	        "%s: not the file that was recorded; its build-id is another one", path);
	return FALSE;
}

gboolean object_file_find(ObjectFile *file, const ObjectFileWanted *wanted, GError **error)
{
	const DebugSearch search = {wanted->path, wanted->symfs, wanted->build_id, wanted->build_id_length};
	g_autoptr(GPtrArray) paths = debug_files_object(&search);
	GError *problem = NULL;
	for (guint i = 0; i < paths->len; i++)
		if (open_candidate(file, paths->pdata[i], wanted, &problem)) {
			g_clear_error(&problem);
			return TRUE;
		}
	g_propagate_error(error, problem);
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

const guint8 *object_file_bytes(const ObjectFile *file, guint64 address, gsize size)
{
	size_t n_headers = 0, file_size = 0;
	const char *bytes = elf_rawfile(file->elf, &file_size);
	if (bytes == NULL || elf_getphdrnum(file->elf, &n_headers) != 0)
		return NULL;
	for (size_t i = 0; i < n_headers && i < G_MAXUINT16; i++) {
		GElf_Phdr header;
		if (gelf_getphdr(file->elf, (int)i, &header) == NULL || header.p_type != PT_LOAD)
			continue;
		guint64 into = address - header.p_vaddr;
		if (address < header.p_vaddr || into >= header.p_filesz || size > header.p_filesz - into)
			continue;
		guint64 start = header.p_offset + into;
		if (start >= header.p_offset && start <= file_size && size <= file_size - start)
			return (const guint8 *)bytes + start;
	}
	return NULL;
}

/* Opens the file that dwz made of what several debug files share. */
static void find_shared(const ObjectFile *file, Dwarf *dwarf)
{
	ObjectDebug *debug = file->debug;
	const char *name = NULL, *debug_path = NULL, *main_path = NULL;
	const void *build_id = NULL;
	debug->was_asked = TRUE;
	gssize length = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id);
	if (length <= 0 || length > MAX_BUILD_ID || dwarf_getalt(dwarf) != NULL)
		return;
	dwfl_module_info(file->module, NULL, NULL, NULL, NULL, NULL, &main_path, &debug_path);
	const DebugSearch search = {NULL, debug->symfs, build_id, (guint)length};
	g_autoptr(GPtrArray) paths = debug_files_shared(&search, debug_path != NULL ? debug_path : main_path, name);
	for (guint i = 0; i < paths->len && debug->shared_fd < 0; i++)
		debug->shared_fd = debug_file_open_build(paths->pdata[i], build_id, (guint)length);
	if (debug->shared_fd < 0)
		return;
	debug->shared_elf = elf_begin(debug->shared_fd, ELF_C_READ_MMAP, NULL);
	debug->shared = dwarf_begin_elf(debug->shared_elf, DWARF_C_READ, NULL);
	if (debug->shared != NULL)
		dwarf_setalt(dwarf, debug->shared);
}

Dwarf *object_file_dwarf(const ObjectFile *file, guint64 *bias)
{
	Dwarf_Addr value = 0;
	Dwarf *dwarf = dwfl_module_getdwarf(file->module, &value);
	if (dwarf != NULL && !file->debug->was_asked)
		find_shared(file, dwarf);
	*bias = value;
	return dwarf;
}
