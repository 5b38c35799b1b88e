/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from an object file how it was built. A build that is not worth measuring (no optimisation), or cannot be
 * profiled well (no frame pointers, no symbols), is told before its numbers are trusted.
 *
 * Options are those that compilers write into DW_AT_producer of each unit. GCC does; clang and rustc name only
 * themselves, and such units count as `n_units_silent`. Units of assembler code are not counted. */
#pragma once

#include <glib.h>

typedef struct {
	gboolean has_symtab;            /* a full symbol table, not only that of exported functions */
	gboolean has_debug;             /* debug information, in the file or in a separate one */
	char *build_id;                 /* lower-case hex, NULL if there is none */
	guint n_units;                  /* compiled units with code */
	guint n_units_silent;           /* of them, those that do not tell their options */
	guint n_units_unoptimised;      /* told: -O0 or no -O at all */
	guint n_units_no_frame_pointer; /* told: the last word on frame pointers is not -fno-omit-frame-pointer */
	char *bare_producer;            /* of the first unit without frame pointers; NULL if there is none */
	char *producers; /* of all units, a line each, each once, sorted; the first 32; NULL if there is none */
	char *producer;  /* of the first unit that tells its options, else of the first; NULL if there is none */
} BinaryInfo;

/* Errors: FIREBREAK_ERROR_STORAGE if the file cannot be opened, FIREBREAK_ERROR_INVALID if it is no object file. `out`
 * is set on success and owned by the caller. */
gboolean binary_info(const char *path, BinaryInfo *out, GError **error);
void binary_info_clear(BinaryInfo *info);
