/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which context of a dump (profile/valgrind/callgrinddump.h) was called from which: the calls of a dump as a
 * forest. Internal to the reader of dumps. */
#pragma once

#include "profile/valgrind/callgrindtables.h"

/* Sets the caller of every context that has one: the level below of a recursive function, else the context whose chain
 * is shorter by one function; of several levels of a recursive caller the first, since the name does not tell which.
 * Notes in `is_cut` that some caller is a function with a chain that is no shorter. */
void callgrind_forest_find_callers(CallgrindDump *dump);
/* Then: a context is cut if it was noted and has no caller, or if it is a level of recursion above one that is. */
void callgrind_forest_spread_cuts(CallgrindDump *dump);
