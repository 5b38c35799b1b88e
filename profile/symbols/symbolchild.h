/* SPDX-License-Identifier: Apache-2.0 */
/* Object files are foreign bytes, and libelf, libdw and the demangler are large; so files of a recording are read in a
 * child process, firebreak-symbols, with limits on memory, time and open files. If it dies over a file, the names of
 * that file are lost and the reason is an error; the next request starts another child.
 *
 * One request is under way at a time. The child is started by the first request and ends with its SymbolChild. */
#pragma once

#include "profile/objects/buildinfo.h"
#include "profile/objects/listing.h"
#include "profile/objects/modulesymbols.h"
#include "profile/objects/unwindrows.h"

typedef struct SymbolChild SymbolChild;

SymbolChild *symbol_child_new(void);
/* The same with another program than firebreak-symbols, NULL for that one, and another limit on the time of a request;
 * for tests. */
SymbolChild *symbol_child_new_with(const char *program, gint64 limit_ms);
void symbol_child_free(SymbolChild *child);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SymbolChild, symbol_child_free)

/* module_symbols_resolve() in the child. Errors as there, and FIREBREAK_ERROR_INVALID if the child died, ran out of
 * its limits or sent what it must not. */
gboolean symbol_child_resolve(
        SymbolChild *child, const ModuleSymbolsRequest *request, ModuleSymbols *symbols, GError **error);

/* An object file of a recording. */
typedef struct {
	const char *path;
	const guint8 *build_id; /* the file must have this one */
	guint build_id_length;  /* 0 = any */
	const char *symfs;      /* look below this directory, too; or NULL */
} SymbolChildFile;

/* unwind_rows_read() in the child, which keeps files open between requests. This is asked while something is recorded,
 * so it has two seconds, and where the child died, a second one is asked before that is an error. Errors as above. */
gboolean symbol_child_unwind_rows(
        SymbolChild *child, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error);
/* binary_info() in the child. Errors as above. */
gboolean symbol_child_binary_info(SymbolChild *child, const char *path, BinaryInfo *info, GError **error);
/* The instructions of a function: function_listing_read() in the child, which keeps files open between requests.
 * `listing` is set on success and owned by the caller. Errors as above, and as there. */
gboolean symbol_child_listing(
        SymbolChild *child, const SymbolListingRequest *request, FunctionListing *listing, GError **error);
