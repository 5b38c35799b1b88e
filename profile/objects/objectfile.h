/* SPDX-License-Identifier: Apache-2.0 */
/* An object file, opened for looking up names: the file itself and the separate files with its debug information, found
 * in the places of profile/objects/debugfiles.h; or the vDSO (profile/objects/vdso.h).
 *
 * The files are foreign. They must be regular files of limited size; what libelf and libdw make of their content is to
 * be checked by whoever reads it. A debuginfod server is asked only if the environment names one. */
#pragma once

#include <elfutils/libdwfl.h>
#include <glib.h>

/* Tells where the debug information is looked for, and the file of dwz. */
typedef struct ObjectDebug ObjectDebug;

typedef struct {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf; /* the main file; addresses in it are those of the module */
	ObjectDebug *debug;
} ObjectFile;

/* An object file as a recording names it. */
typedef struct {
	const char *path;       /* VDSO_PATH for the vDSO */
	const guint8 *build_id; /* the file must have this one */
	guint build_id_length;  /* 0 = any */
	const char *symfs;      /* a directory below which files are looked for before their own place; or NULL */
} ObjectFileWanted;

/* Opens the file that was recorded: that of its path, or if it is not of that build or gone, one with that build-id.
 * Errors as object_file_open(), and FIREBREAK_ERROR_INVALID if there is only another build. */
gboolean object_file_find(ObjectFile *file, const ObjectFileWanted *wanted, GError **error);
/* Opens exactly this file. Errors: FIREBREAK_ERROR_STORAGE if it cannot be opened, FIREBREAK_ERROR_INVALID if it is no
 * ELF file. */
gboolean object_file_open(ObjectFile *file, const char *path, GError **error);
/* Closes the file; nothing may point into it any more. */
void object_file_close(ObjectFile *file);

/* The build-id as it stands in the file; borrowed. Returns its length, 0 if there is none. */
guint object_file_build_id(const ObjectFile *file, const guint8 **bytes);
/* The address that the byte at `offset` of the file has in the module; FALSE if it is not loaded as code. */
gboolean object_file_address(const ObjectFile *file, guint64 offset, guint64 *address);
/* The bytes at an address of the module as they stand in the file, or NULL if not all of them do; borrowed. */
const guint8 *object_file_bytes(const ObjectFile *file, guint64 address, gsize size);
/* The debug information, or NULL; borrowed. Addresses in it are those of the module minus *bias. */
Dwarf *object_file_dwarf(const ObjectFile *file, guint64 *bias);
