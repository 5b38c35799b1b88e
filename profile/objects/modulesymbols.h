/* SPDX-License-Identifier: Apache-2.0 */
/* The functions at offsets of one object file: the whole of symbolization as one pure step, from a path and a list of
 * numbers to a table of names.
 *
 * For each offset there are zero or more frames, the function with code of its own first, then those inlined into it,
 * the innermost last. Without debug information there is at most one. */
#pragma once

#include <glib.h>

typedef struct {
	const char *name;     /* canonical (model/canonical.h) */
	const char *raw_name; /* linkage name */
	const char *file;     /* where the function is declared, or NULL */
	guint32 line;         /* 0 = not known */
	const char *at_file;  /* source line of the address in this function, or of the call of the next one inlined */
	guint32 at_line;      /* into it; NULL and 0 unless asked for */
	gboolean is_inlined;
	/* unless asked for, 0 = not known: */
	guint32 last_line;   /* last source line of it in `file` (profile/objects/lastlines.h) */
	guint64 code_hash;   /* of its instructions, addresses masked (profile/objects/codehash.h); 0 if inlined */
	guint64 code_sketch; /* likewise: differs in few bits where code is similar (model/codefacts.h) */
} SymbolFrame;

typedef struct {
	GStringChunk *text; /* what the frames point to */
	GArray *frames;     /* of SymbolFrame */
	GArray *first;      /* of guint32: offset i has frames[first[i]] .. frames[first[i + 1] - 1] */
	gboolean has_debug_info;
	guint n_unresolved; /* offsets without a frame */
	const char *note;   /* what is missing though the file could be read, or NULL */
} ModuleSymbols;

typedef struct {
	const char *path;
	const guint8 *build_id; /* the file must have this one */
	guint build_id_length;  /* 0 = any */
	const char *symfs;      /* look below this directory, too, for the file and its debug information; or NULL */
	gboolean with_lines;    /* also find at_file and at_line */
	gboolean with_code;     /* also find last_line, code_hash and code_sketch */
	gboolean are_addresses; /* `offsets` are addresses as the file's own headers and symbols have them */
	const guint64 *offsets; /* in the file, sorted, unique */
	guint n_offsets;
} ModuleSymbolsRequest;

/* Errors: FIREBREAK_ERROR_STORAGE if the file cannot be opened; FIREBREAK_ERROR_INVALID if it is no object file or of
 * another build than the one that was recorded. */
gboolean module_symbols_resolve(ModuleSymbols *symbols, const ModuleSymbolsRequest *request, GError **error);
void module_symbols_clear(ModuleSymbols *symbols);
