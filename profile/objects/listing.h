/* The machine code of one function as text, for showing it beside what its instructions cost.
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
 * there.
 *
 * x86-64 and aarch64; other machines are an error. The bytes are foreign: what is no instruction is `.byte 0x06`, and
 * texts and their number are limited. Texts are UTF-8 without control characters. */
#pragma once

#include "profile/objects/objectfile.h"

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

/* Which function: the one with code of its own at an offset. */
typedef struct {
	const char *path;
	const guint8 *build_id; /* the file must have this one */
	guint build_id_length;  /* 0 = any */
	const char *symfs;      /* look below this directory, too; or NULL */
	guint64 offset;
	gboolean are_addresses; /* `offset` is an address as the file's own headers and symbols have it */
} SymbolListingRequest;

/* Lists the function of `file`, which is the one of the request. `listing` is set on success and owned by the caller.
 * Errors: FIREBREAK_ERROR_INVALID if there is no function at the offset, or its machine is not known. */
gboolean function_listing_read(
        FunctionListing *listing, const ObjectFile *file, const SymbolListingRequest *request, GError **error);
void function_listing_clear(FunctionListing *listing);
