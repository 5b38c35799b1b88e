/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the running kernel's functions and those of its modules, from /proc/kallsyms. They fit a recording only if
 * it was made since the last boot of this machine: kernel_symbols_fit() tells what can be told. */
#pragma once

#include <glib.h>

typedef struct KernelSymbols KernelSymbols;

/* Reads a file in the format of /proc/kallsyms. Addresses that are hidden from this user (all zero) are left out; a
 * file that cannot be read gives an empty table. */
KernelSymbols *kernel_symbols_new(const char *path);
void kernel_symbols_free(KernelSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelSymbols, kernel_symbols_free)

/* TRUE if there are no names at all. */
gboolean kernel_symbols_is_empty(const KernelSymbols *symbols);
/* FALSE if the symbol called `name` is known to be at another address than this one: the kernel is another, or lies
 * elsewhere since a reboot. */
gboolean kernel_symbols_fit(const KernelSymbols *symbols, const char *name, guint64 address);

/* The function at or before an address, or NULL if there is none within a megabyte; borrowed. *module is the kernel
 * module it is in, "" for the kernel itself. Of several names at one address, a global one is chosen, and one without
 * leading underscores. */
const char *kernel_symbols_find(const KernelSymbols *symbols, guint64 address, const char **module);
