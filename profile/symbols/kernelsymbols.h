/* Names of the running kernel's functions, from /proc/kallsyms. They fit a recording only if it was made since the last
 * boot of this machine. */
#pragma once

#include <glib.h>

typedef struct KernelSymbols KernelSymbols;

/* Reads a file in the format of /proc/kallsyms. Addresses that are hidden from this user (all zero) are left out; a
 * file that cannot be read gives an empty table. */
KernelSymbols *kernel_symbols_new(const char *path);
void kernel_symbols_free(KernelSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelSymbols, kernel_symbols_free)

/* The function at or before an address, or NULL; borrowed. *module is the kernel module it is in, "" for the kernel
 * itself. */
const char *kernel_symbols_find(const KernelSymbols *symbols, guint64 address, const char **module);
