/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of one function as text, for showing it beside what its instructions cost
 * (profile/objects/listing.h reads it from an object file).
 *
 *     address  text                                    key
 *     11a0     cmp rax, qword ptr [rbx + 0x18]         the same
 *     11a4     jne +0x40                               jne on           jumps within the function
 *     11a6     call hash_word                          the same         functions and stubs by name
 *     11ab     mov rax, qword ptr [rip + table+0x8]    the same         variables by name
 *     11b2     call qword ptr [rip + memcpy@got]       the same         slots for addresses in other files
 *     11b8     mulsd xmm0, qword ptr [rip + .rodata+0x10] # 0x3ff8000000000000
 *                  mulsd xmm0, qword ptr [rip + .rodata] # 0x3ff8000000000000
 *
 * Texts are those of the Intel syntax, or of aarch64. A jump says how far its target is from the function's start, or
 * from the start of the other part of it: `part2+0x8`. A key has nothing in it that moves when other code does, so the
 * instructions of an unchanged function have equal keys in two builds; where something was inserted into a function,
 * those around it keep theirs. What has no name is told as its section, with the constant or the text that is read
 * there. Texts are UTF-8 without control characters. */
#pragma once

#include <glib.h>

enum {
	LISTING_MAX_INSTRUCTIONS = 4096,
	LISTING_MAX_TEXT = 200, /* characters of a text or a key; what is longer ends with "..." */
	LISTING_MAX_INSTRUCTION_BYTES = 16,
	LISTING_MAX_FILE = 1024, /* bytes of a path */
};

typedef struct {
	guint64 address; /* in the module, as `objdump -d` has it */
	guint64 offset;  /* the same as the request has it: in the file, or an address, too */
	guint32 size;    /* in bytes */
	guint32 line;    /* 0 = not known */
	const char *text, *key;
	const char *file; /* of the innermost code there, as SymbolFrame.at_file has it, or NULL */
} ListedInstruction;

typedef struct {
	GStringChunk *text;   /* what everything here points to */
	GArray *instructions; /* of ListedInstruction: the part with the function's entry first, then others */
	const char *name;     /* of the function, canonical */
	const char *note;     /* what is missing, or NULL */
	gboolean is_cut;      /* the function has more instructions; those around the asked one are here */
} FunctionListing;

void function_listing_clear(FunctionListing *listing);
