/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the names of the functions of a DwarfIndex, and where they are declared. */
#pragma once

#include "profile/objects/dwarfindex.h"

typedef struct {
	const char *name;         /* canonical, with the scopes around it: "geo::(anonymous namespace)::solve" */
	const char *linkage_name; /* as in the object file; the name in the source if there is none */
	const char *file;         /* of the declaration, with the folder of the compiler if it is relative; or NULL */
	guint32 line;             /* 0 = not known */
} DwarfName;

/* One name per function of the index, same rows. Text is put into `text`. Both names are NULL for a
 * function without any.
 *
 * Scopes are only looked for where a function has no linkage name and its language has scopes; that costs one more
 * reading of the units that declare such functions. Returned array is owned by the caller. */
DwarfName *dwarf_names_resolve(const DwarfIndex *index, GStringChunk *text);
