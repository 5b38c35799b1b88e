/* The machine code of one object file: hash and sketch of its functions (profile/symbols/codehash.h), each made once.
 *
 * A function is its ranges in the debug information, the part that a compiler put aside as seldom run included, else
 * its extent in the symbol table. Of direct calls the callee's name is part of the hash: of a function of the file, or
 * of the stub for one of another file. How much code is read, and how many stubs are looked for, is limited for each
 * file; what is beyond that has no hash, or no name. */
#pragma once

#include "profile/symbols/codehash.h"
#include "profile/symbols/elfsymbols.h"

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

CodeHash module_code_hash(ModuleCode *code, const ModuleCodeQuery *query);
