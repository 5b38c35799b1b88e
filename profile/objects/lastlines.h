/* SPDX-License-Identifier: Apache-2.0 */
/* The last source line of each function of a DwarfIndex: of the lines that its code was made from, in the file of its
 * declaration and not before it, the largest one.
 *
 *     12  static int scan(const char *at)      declared here
 *     13  {
 *     14          if (skip(at))                inlined: its lines are not those of scan
 *     ..
 *     20  }                                    the last line
 *
 * Code is all ranges of the function, without those of functions inlined into it; an inlined function is its code at
 * this one place. Source: DWARF 5, section 6.2. */
#pragma once

#include "profile/objects/dwarfnames.h"

/* By function of the index; 0 = not known. `names` are those of dwarf_names_resolve(). Owned by the caller. */
guint32 *last_lines_resolve(const DwarfIndex *index, const DwarfName *names);
