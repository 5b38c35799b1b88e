/* SPDX-License-Identifier: Apache-2.0 */
/* The functions around a set of addresses, from DWARF debug information, inlined calls included.
 *
 * Every unit that covers one of the addresses is read once, iteratively, down to inlined calls that contain an address.
 * What is found is a list of (address, function) pairs, sorted in the end; so the cost is that of reading the sampled
 * units plus the size of the answer, and not units times addresses.
 *
 * All addresses are those of the DWARF data. The file is foreign: depth, number of entries and size of the answer are
 * limited, offsets must grow, and what is beyond a limit is left out. */
#pragma once

#include <elfutils/libdw.h>
#include <glib.h>

/* One function, or one place into which a function was inlined. */
typedef struct {
	Dwarf_Die die;
	guint32 owner; /* row of the function with code of its own around it; its own row if it is one */
	guint32 depth; /* number of functions around it, 0 for one with code of its own */
	guint32 unit;  /* row of its unit */
} DwarfFunction;

#define DWARF_NO_UNIT G_MAXUINT32

typedef struct {
	GArray *functions; /* of DwarfFunction */
	GArray *chain;     /* of guint32, rows of functions: the outermost function of an address first */
	GArray *first;     /* of guint32: address i has chain[first[i]] .. chain[first[i + 1] - 1] */
	GArray *units;     /* of Dwarf_Die, the units that may cover an address; those with the line tables */
	GArray *unit;      /* of guint32: row of the unit of address i, or DWARF_NO_UNIT */
	guint n_split;     /* units of which the part in a file of its own was not found */
} DwarfIndex;

/* `addresses` are sorted and unique. `dwarf` is borrowed as long as the index lives. */
void dwarf_index_init(DwarfIndex *index, Dwarf *dwarf, const guint64 *addresses, guint n_addresses);
void dwarf_index_clear(DwarfIndex *index);
