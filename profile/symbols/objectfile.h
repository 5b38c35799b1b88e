/* An object file, opened for looking up names: the file itself and, through its build-id or .gnu_debuglink, the
 * separate file with its debug information (in the places where distributions put them, below /usr/lib/debug).
 *
 * The file is foreign. It must be a regular file of limited size; what libelf and libdw make of its content is to be
 * checked by whoever reads it. A debuginfod server is asked only if the environment names one. */
#pragma once

#include <elfutils/libdwfl.h>
#include <glib.h>

typedef struct {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf; /* the main file; addresses in it are those of the module */
} ObjectFile;

/* Errors: FIREBREAK_ERROR_STORAGE if the file cannot be opened, FIREBREAK_ERROR_INVALID if it is no ELF file. */
gboolean object_file_open(ObjectFile *file, const char *path, GError **error);
void object_file_close(ObjectFile *file);

/* Errors: FIREBREAK_ERROR_INVALID if the file has another build-id than this one; length 0 fits any. */
gboolean object_file_check_build_id(const ObjectFile *file, const guint8 *build_id, guint length, GError **error);
/* The build-id as it stands in the file; borrowed. Returns its length, 0 if there is none. */
guint object_file_build_id(const ObjectFile *file, const guint8 **bytes);
/* The address that the byte at `offset` of the file has in the module; FALSE if it is not loaded. */
gboolean object_file_address(const ObjectFile *file, guint64 offset, guint64 *address);
/* The debug information, or NULL; borrowed. Addresses in it are those of the module minus *bias. */
Dwarf *object_file_dwarf(const ObjectFile *file, guint64 *bias);
