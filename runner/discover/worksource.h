/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a source that seems to set how much a program does, for those who want it to do less:
 *
 *     bench.c:29: static const int64_t kBytes = 8LL << 30;
 *
 * It is guessed from names and numbers alone, so say "may". */
#pragma once

#include "runner/discover/discoverplace.h"
#include "runner/discover/discovery.h"

/* "FILE:LINE: TEXT" of the largest number that a constant with a name like iterations, bytes or loops has, or to which
 * a loop counts, in the only source of C or C++ that has a main function and is named like the program. At most 120
 * characters of the line. NULL if there is no such source, or no number of 10,000 or more in it. Owned by the caller.
 */
char *work_source_line(const DiscoverPlace *place, const DiscoveredProgram *program);
