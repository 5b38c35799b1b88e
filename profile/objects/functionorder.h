/* SPDX-License-Identifier: Apache-2.0 */
/* Do the functions of two links of a program lie in another order? For telling whether a build shuffled them.
 *
 * The order of functions is read from the symbol table of the file, without a library: the bytes are foreign, and every
 * place and size in them is checked. Only 64-bit files in native byte order are read, with at most a million symbols
 * and 64 MiB of their names. Source: ELF specification, "Symbol Table". */
#pragma once

#include <glib.h>

typedef struct {
	guint functions; /* with code, in both programs, and followed by another one in the first */
	guint moved;     /* of them, those that another function follows in the second program */
} OrderChange;

/* Compares the order of functions of two links of one program. FALSE if one of the files cannot be read as such, or if
 * they have fewer than two functions in common. */
gboolean function_order_compare(const char *program, const char *other, OrderChange *change);
