/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of the instructions of a function, which is equal where code merely moved, and a sketch, which is similar
 * where code was edited.
 *
 *     code ──> instructions with masked addresses (profile/objects/codeinstruction.h)
 *              ├─ each with what its address meant ──> SHA-256, of which 64 bits are the hash
 *              └─ shapes of four in a row          ──> Charikar's simhash: the sketch
 *
 * What an address meant is, in this order: the number of an instruction of the function itself, the name of a function,
 * the bytes of a constant that is read, or else nothing; so a jump table or a variable is anything. Padding counts for
 * nothing, nor do the short and the long form of a jump differ. So instructions, registers, numbers, offsets in
 * structs, branch targets in the function, called functions and constants all make another hash. The exception is a
 * call through the table of addresses that the dynamic linker fills in (-fno-plt): its slot is a variable, so a call of
 * another function there makes the same hash.
 *
 * Where instructions are not known (machines other than x86-64 and aarch64), the hash is of the plain bytes, and there
 * is no sketch. Nor is there one for a function of so few instructions that many others look like it. */
#pragma once

#include "profile/objects/codeinstruction.h"

/* Part of a function. */
typedef struct {
	const guint8 *bytes;
	gsize size;
	guint64 address;
} CodeRange;

/* 0 = not known. */
typedef struct {
	guint64 hash, sketch;
} CodeHash;

/* Larger functions have no hash. */
enum { CODE_HASH_MAX_BYTES = 1 << 20 };

/* The thing that lies at an address outside of the function. */
typedef struct {
	gpointer data;
	/* The function there, by the name that two builds have in common, or NULL; borrowed until the next call. */
	const char *(*function_at)(gpointer data, guint64 address);
	/* `size` bytes that cannot change nor hold an address, or NULL; borrowed until the next call. */
	const guint8 *(*constant_at)(gpointer data, guint64 address, gsize size);
} CodeSurroundings;

typedef struct CodeHasher CodeHasher;

/* `machine` and `image` as for instruction_reader_new(). */
CodeHasher *code_hasher_new(guint machine, ImageRange image, const CodeSurroundings *surroundings);
void code_hasher_free(CodeHasher *hasher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeHasher, code_hasher_free)

/* Of one function in one or more parts, the order of which counts. */
CodeHash code_hasher_hash(CodeHasher *hasher, const CodeRange *ranges, guint n_ranges);
