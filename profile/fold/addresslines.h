/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines of addresses of a finished fold: a second question to the object files, about the few addresses
 * whose frames are of interest. Nothing else of a fold needs lines, and they take as long to find as the names.
 *
 *     address 17    main      parse      hash         its frames (profile/fold/symbolframes.h)
 *                   main.c:20 parse.c:31 hash.h:7     where the code stands in each: for all but the last one the line
 *                                                     of the call of the next
 *
 * A file that cannot be read any more, or is another one than it was, has no lines and says why. */
#pragma once

#include "profile/fold/symbolframes.h"

/* A line of a file relative to the checkout. */
typedef struct {
	NameId file;  /* the empty name = not known */
	guint32 line; /* 0 = not known */
} LinePlace;

typedef struct {
	SymbolChild *child;
	const SymbolFrames *frames; /* resolved */
	const char *symfs;          /* as the names were looked for; or NULL */
	gboolean are_addresses;
	const gboolean *is_wanted; /* by FrameId: lines of addresses that have any of these frames are looked for */
	guint n_frames;            /* of them; those beyond are not wanted */
} AddressLinesSource;

typedef struct AddressLines AddressLines;

/* `source` is copied; what it points to must outlive the lines. */
AddressLines *address_lines_new(const AddressLinesSource *source);
void address_lines_free(AddressLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AddressLines, address_lines_free)

/* In frame number `row` of an address. */
LinePlace address_lines_place(const AddressLines *lines, guint32 address, guint row);
/* TRUE if lines of any address of a module were looked for. */
gboolean address_lines_has_module(const AddressLines *lines, guint module);
/* Tells why lines of that module are not known, or NULL; owned by the caller. */
char *address_lines_failure(const AddressLines *lines, guint module);
