/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of generated code, each with a number that says what is in it.
 *
 * Ranges are disjoint: setting one cuts or removes what it overlaps, because memory of generated code is used again.
 * Both setting and finding take logarithmic time, in any order of addresses. At most 2^21 ranges are kept; what comes
 * later is not taken. */
#pragma once

#include <glib.h>

/* Setting this empties a range. */
#define CODE_MAP_NOTHING G_MAXUINT32

typedef struct CodeMap CodeMap;

CodeMap *code_map_new(void);
void code_map_free(CodeMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeMap, code_map_free)

/* [start, start + size) is `value` from now on; a range that would end beyond the address space ends there. */
void code_map_set(CodeMap *map, guint64 start, guint64 size, guint32 value);
/* The value at an address, CODE_MAP_NOTHING if there is none. */
guint32 code_map_find(const CodeMap *map, guint64 address);
