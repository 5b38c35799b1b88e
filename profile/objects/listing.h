/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the machine code of one function from its object file (model/functionlisting.h).
 *
 * x86-64 and aarch64; other machines are an error. The bytes are foreign: what is no instruction is `.byte 0x06`, and
 * texts and their number are limited. */
#pragma once

#include "model/functionlisting.h"
#include "profile/objects/objectfile.h"

/* Tells which function is meant: the one with code of its own at an offset. */
typedef struct {
	const char *path;
	const guint8 *build_id; /* the file must have this one */
	guint build_id_length;  /* 0 = any */
	const char *symfs;      /* look below this directory, too; or NULL */
	guint64 offset;
	gboolean are_addresses; /* `offset` is an address as the file's own headers and symbols have it */
} SymbolListingRequest;

/* Lists the function of `file`, which is the one of the request. `listing` is set on success and owned by the caller.
 * Errors: FIREBREAK_ERROR_INVALID if there is no function at the offset, or its machine is not known. */
gboolean function_listing_read(
        FunctionListing *listing, const ObjectFile *file, const SymbolListingRequest *request, GError **error);
