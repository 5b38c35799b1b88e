/* SPDX-License-Identifier: Apache-2.0 */
/* The variables and constants that the symbol tables of an object file name, by address. Of several names at one
 * address the one with fewer leading underscores counts, then the shorter, then the smaller in byte order. */
#pragma once

#include "profile/objects/objectfile.h"

typedef struct {
	guint64 start, size; /* the size is not 0 */
	const char *name;    /* linkage name; borrowed from the object file */
} DataSymbol;

typedef struct {
	GArray *symbols; /* of DataSymbol, sorted by start, one per address */
} DataSymbols;

/* Reads .symtab of the file or of its debug file, else .dynsym; borrows from `file`. Thread-local variables are left
 * out, for they have no address, and so are names that a compiler made of a hash. */
void data_symbols_init(DataSymbols *symbols, const ObjectFile *file);
void data_symbols_clear(DataSymbols *symbols);
/* The one around the address, or NULL. */
const DataSymbol *data_symbols_find(const DataSymbols *symbols, guint64 address);
