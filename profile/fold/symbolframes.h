/* SPDX-License-Identifier: Apache-2.0 */
/* From what the symbolizer found to frames of a stack table, and to facts about their code. It is what the pipelines
 * from recordings (profile/fold/foldperf.h) and from counts (profile/valgrind/callgrindfold.h) share, so that a
 * function is the same frame in both.
 *
 *     Symbolizer ── symbol_frames_resolve ──> per address: FrameIds, the function with code of its own first,
 *                                             then those inlined into it, the innermost last
 *                                             CodePieces: what code both sides have for these frames
 *
 * Source files are shown relative to the directories handed in; a file of the modules in these directories is one of
 * the checkouts. An address without a name is `[unknown]` and keeps its module. */
#pragma once

#include "model/codefacts.h"
#include "profile/fold/codepieces.h"
#include "profile/symbols/symbolizer.h"

/* The frames that an address became: frames[first] .. frames[first + n - 1]; at least one. */
typedef struct {
	guint32 first, n;
	gboolean is_start; /* of the program: what a stack has beyond it is not part of the program */
} AddressFrames;

typedef struct {
	StackTable *table;      /* borrowed */
	Symbolizer *symbolizer; /* borrowed */
	gboolean no_inline;     /* leave inlined functions out; to be set before resolving, as the next */
	/* of NameId by module, or NULL: what has no name is called after this file instead of `[unknown]`, with its
	 * address if that is wanted, and stacks go on above _start */
	const GArray *files;
	gboolean wants_addresses;
	gboolean with_code;  /* collect pieces of code; the symbolizer must have been asked for it, too */
	GPtrArray *prefixes; /* of text ending in '/', cut off source files */
	GArray *frames;      /* of FrameId */
	GArray *addresses;   /* of AddressFrames, by address of the symbolizer */
	CodePieces *code;
	gboolean has_own_code; /* some function lies in these directories */
} SymbolFrames;

/* Both are borrowed until symbol_frames_clear(). */
void symbol_frames_init(SymbolFrames *frames, StackTable *table, Symbolizer *symbolizer);
void symbol_frames_clear(SymbolFrames *frames);
/* `prefixes`: directories, NULL-terminated, or NULL; copied. */
void symbol_frames_add_prefixes(SymbolFrames *frames, const char *const *prefixes);
/* The name of a source file as the symbolizer tells it: relative to these directories if it is in one of them. */
NameId symbol_frames_source_file(const SymbolFrames *frames, const char *file);

/* After symbolizer_resolve(). `module_names` are NameIds by module, `sides` by address the sides that have it: bit s is
 * set if side s does. To be called once. */
void symbol_frames_resolve(SymbolFrames *frames, const GArray *module_names, const guint8 *sides);
/* After resolving; borrowed. */
const AddressFrames *symbol_frames_address(const SymbolFrames *frames, guint32 address);
/* The frames of an address; borrowed. */
const FrameId *symbol_frames_of(const SymbolFrames *frames, const AddressFrames *address);
/* After resolving: what all pieces of code tell; owned by the caller. */
CodeFacts *symbol_frames_code_facts(const SymbolFrames *frames);
