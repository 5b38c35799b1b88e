/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which line of which source file code comes from: the line table of a unit for the code itself, and the entry of
 * an inlined call for the place it was called from. Texts are borrowed from the debug information. Source: DWARF 5,
 * sections 6.2 and 3.3.8.2. */
#pragma once

#include <elfutils/libdw.h>
#include <glib.h>

typedef struct {
	const char *file;   /* as the compiler knows it; NULL = not known */
	const char *folder; /* if that is relative to where the compiler was started, this folder; or NULL */
	guint32 line;       /* 0 = not known */
} SourcePlace;

/* The line of the code at an address of a unit. */
SourcePlace source_place_of_code(Dwarf_Die *unit, guint64 address);
/* Tells where a function is declared. dwarf_decl_file() is not for foreign files: it asserts that a file table is
 * there. */
SourcePlace source_place_of_declaration(Dwarf_Die *function);
/* Tells where the function of a DW_TAG_inlined_subroutine was called. */
SourcePlace source_place_of_call(Dwarf_Die *call);
