/* SPDX-License-Identifier: Apache-2.0 */
/* Names for addresses, once, after the runs: collects the unique (module, file offset) pairs of all recordings and then
 * resolves each module in one pass over its sorted offsets.
 *
 * Modules are told apart by path and build-id. A module that cannot be read leaves its addresses without frames and
 * says why in its report. */
#pragma once

#include "profile/symbols/symbolchild.h"

typedef struct Symbolizer Symbolizer;

typedef struct {
	const char *symfs;   /* look for files below this directory, too; or NULL */
	gboolean with_lines; /* also find the source line of each frame */
	gboolean with_code;  /* also find what is known of the code of each frame */
	/* what was added are no offsets in files but addresses as a file's own headers and symbols have them */
	gboolean are_addresses;
} SymbolizerOptions;

/* `child` reads the files; borrowed as long as the symbolizer lives. */
Symbolizer *symbolizer_new(SymbolChild *child);
/* Before resolving; the options are copied. */
void symbolizer_set_options(Symbolizer *symbolizer, const SymbolizerOptions *options);
void symbolizer_free(Symbolizer *symbolizer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Symbolizer, symbolizer_free)

/* Finds or adds a module and returns its row. With `path` NULL its addresses stay without frames. Build-ids of length 0
 * accept any file. */
guint symbolizer_add_module(Symbolizer *symbolizer, const char *path, const guint8 *build_id, guint build_id_length);
/* Does not read the file of a module, whose path is then the reason. */
void symbolizer_refuse_module(Symbolizer *symbolizer, guint module);
/* Finds or adds an address and returns its row, counted over all modules. */
guint32 symbolizer_add_address(Symbolizer *symbolizer, guint module, guint64 file_offset);
/* The number of different addresses so far. */
guint symbolizer_n_addresses(const Symbolizer *symbolizer);
/* The module of an address, and what was added. */
guint symbolizer_address_module(const Symbolizer *symbolizer, guint32 address);
/* The offset of an address in its module. */
guint64 symbolizer_address_offset(const Symbolizer *symbolizer, guint32 address);

/* Resolves everything that was added. To be called once. */
void symbolizer_resolve(Symbolizer *symbolizer);

/* After resolving: the frames at an address, the function with code of its own first; *n is 0 if there is none.
 * Borrowed until the symbolizer goes. */
const SymbolFrame *symbolizer_frames(const Symbolizer *symbolizer, guint32 address, guint *n);

/* The outcome of looking for the names of a module; all borrowed. */
typedef struct {
	const char *path; /* NULL if it had none */
	const guint8 *build_id;
	guint build_id_length;   /* 0 if it had none */
	const char *failure;     /* why it could not be read, or NULL */
	const char *note;        /* what is missing though it could be read, or NULL */
	gboolean has_debug_info; /* inlined functions and source files are known */
	guint n_addresses;
	guint n_unresolved; /* of them without a frame */
} SymbolizerReport;

/* The number of modules so far. */
guint symbolizer_n_modules(const Symbolizer *symbolizer);
/* The facts about a module after it was read. */
SymbolizerReport symbolizer_report(const Symbolizer *symbolizer, guint module);
