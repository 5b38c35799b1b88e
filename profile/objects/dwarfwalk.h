/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over the entries below one entry of DWARF data, in file order and without recursion.
 *
 * The data are foreign: nesting is limited, and offsets must grow from sibling to sibling, so that the walk ends. */
#pragma once

#include <elfutils/libdw.h>
#include <glib.h>

/* Looks at an entry. `around` is what the entry around it left in *inside. TRUE: go down into it, with *inside for its
 * children. */
typedef gboolean (*DwarfEnterFunc)(gpointer data, Dwarf_Die *die, guint32 around, guint32 *inside);

/* `around` is that of the children of `root`, which itself is not looked at. */
void dwarf_walk(Dwarf_Die *root, guint32 around, DwarfEnterFunc enter, gpointer data);
