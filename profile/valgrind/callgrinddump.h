/* SPDX-License-Identifier: Apache-2.0 */
/* One dump of callgrind as tables: which functions ran, told apart by their callers, what each of their instructions
 * cost, and who called whom from where.
 *
 *     functions   hash in /srv/prog           a name in an object file
 *     contexts    hash'parse'main             a function with a chain of callers and a level of recursion
 *     addresses   0x1270 in /srv/prog         of instructions
 *     cells       context, address, costs     self cost, as many columns as are asked for
 *     calls       context, address, context   call sites
 *
 * Contexts form a forest: `caller` leads to the context that a context was called from. A recursive call is one from
 * the level below, and deeper levels than callgrind tells apart are the last one. Where callgrind's chains are full,
 * the caller of a context has a chain as long as its own, of which one function more is out of sight; then, and where
 * calls are missing, `chain` has the functions of its name instead. On the way to the root depth or level decrease, so
 * that the forest has no cycles whatever the file says.
 *
 * The file is foreign: it must be callgrind's own, have totals that its costs add up to, and instruction addresses.
 * Costs that are 0 in all columns that are asked for are left out. */
#pragma once

#include "model/pairindex.h"
#include "profile/valgrind/callgrindtables.h"

/* Reads the dump at `path` with these columns, by name. Owned by the caller. Errors: FIREBREAK_ERROR_STORAGE if it
 * cannot be read, FIREBREAK_ERROR_INVALID if it is damaged, none of callgrind's, or has no such column. */
CallgrindDump *callgrind_dump_read(const char *path, const char *const *columns, guint n_columns, GError **error);
void callgrind_dump_free(CallgrindDump *dump);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CallgrindDump, callgrind_dump_free)
