/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the symbol tables of an object file name, by address.
 *
 * Of several names at one address the choice is always the same: one that knows its size before one that does not,
 * functions before untyped labels, exported before local, then fewer leading underscores, then global before weak, then
 * the shorter, then the smaller in byte order. So it is `malloc` and not `__libc_malloc`. */
#pragma once

#include "profile/objects/objectfile.h"

typedef struct {
	guint64 start;
	guint64 size;        /* 0 = not known */
	const char *name;    /* linkage name; borrowed from the object file */
	guint64 section_end; /* where the section of the symbol ends */
	guint rank;          /* smaller is better; for choosing among names of one address */
} ElfSymbol;

typedef struct {
	GArray *symbols; /* of ElfSymbol, sorted by start, one per address */
} ElfSymbols;

/* Reads .symtab of the file or of its debug file, else .dynsym; borrows from `file`. */
void elf_symbols_init(ElfSymbols *symbols, const ObjectFile *file);
void elf_symbols_clear(ElfSymbols *symbols);
/* The function whose code is at the address, or NULL. A symbol without size reaches up to the next one of its
 * section. */
const ElfSymbol *elf_symbols_find(const ElfSymbols *symbols, guint64 address);
