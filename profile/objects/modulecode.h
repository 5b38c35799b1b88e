/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of one object file: hash and sketch of its functions (profile/objects/codehash.h), each made once.
 *
 * A function is its ranges in the debug information, the part that a compiler put aside as seldom run included, else
 * its extent in the symbol table. Of direct calls the callee's name is part of the hash: of a function of the file, or
 * of the stub for one of another file. How much code is read, and how many stubs are looked for, is limited for each
 * file; what is beyond that has no hash, or no name. */
#pragma once

#include "profile/objects/codehash.h"
#include "profile/objects/elfsymbols.h"

#include <elfutils/libdw.h>

typedef struct ModuleCode ModuleCode;

/* Both are borrowed. */
ModuleCode *module_code_new(const ObjectFile *file, const ElfSymbols *symbols);
void module_code_free(ModuleCode *code);

/* Of the function that has code of its own at `address`. `function` is its entry in the debug information, or NULL;
 * addresses in it are those of the module minus `bias`. `symbol` is its entry in the symbol table, or NULL. */
typedef struct {
	Dwarf_Die *function;
	guint64 bias;
	const ElfSymbol *symbol;
	guint64 address;
} ModuleCodeQuery;

/* The hash and sketch of the function that is asked for. */
CodeHash module_code_hash(ModuleCode *code, const ModuleCodeQuery *query);

enum { MODULE_CODE_MAX_PARTS = 64 };

/* The parts of a function, in the order of the debug information. Returns their number, at most MODULE_CODE_MAX_PARTS;
 * 0 if one of them cannot be read or is larger than CODE_HASH_MAX_BYTES, or none has the address. */
guint module_code_ranges(const ModuleCode *code, const ModuleCodeQuery *query, CodeRange *ranges);
/* The function whose code or stub is at an address, by its canonical name, and where it starts; NULL if there is none.
 * Borrowed from `code`. */
const char *module_code_function(ModuleCode *code, guint64 address, guint64 *start);
/* `size` bytes that cannot change nor hold an address, or NULL; borrowed from the file. */
const guint8 *module_code_constant(const ModuleCode *code, guint64 address, gsize size);
/* Reads instructions of the file. NULL if its machine is not known. Owned by the caller. */
InstructionReader *module_code_reader(const ModuleCode *code);
