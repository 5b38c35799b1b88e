/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code as instructions whose relocated fields are masked, for x86-64 and aarch64:
 *
 *     e8 1b 02 00 00          call  hash_word        -> call          target: the address
 *     48 8b 05 f0 2e 00 00    mov   sink(%rip),%rax  -> 48 8b 05 ....  target: the address
 *     48 8b 43 18             mov   24(%rbx),%rax    -> as it is
 *
 * Masked are what a linker or a shorter distance changes: targets of branches, which may have a short and a long form,
 * addresses relative to the instruction, on aarch64 the page in one instruction and the place in it in another, offsets
 * of thread-local variables, and in a file that is not position-independent numbers that are addresses in it. What was
 * masked is told as the address that was meant.
 *
 * The bytes are foreign: what is no instruction is one byte (aarch64: four) that is taken as it is. */
#pragma once

#include <glib.h>

typedef struct InstructionReader InstructionReader;

enum { INSTRUCTION_MAX_BYTES = 16 };

/* The numbers of an instruction that were masked, because another build has others there. */
enum {
	MASKED_NUMBER = 1, /* its last number: where it branches to, or an address; it is `target` */
	MASKED_MEMORY = 2, /* the number in its operand in memory; it stands for `memory` */
	MASKED_PAGE = 4,   /* its last number: the page of an address (aarch64) */
	MASKED_THREAD = 8, /* the number in its operand in memory: the place of a thread-local variable */
};

typedef struct {
	guint64 address;
	guint32 id;          /* which instruction, of those of its machine; 0 = none */
	guint32 shape;       /* the same with the kinds of its operands, whatever registers and numbers they are */
	guint8 size;         /* in the file */
	gboolean is_padding; /* does nothing: a nop, however long */
	guint8 n_bytes;
	guint8 bytes[INSTRUCTION_MAX_BYTES]; /* masked fields are zero; nothing of a branch */
	guint8 masked;
	gboolean has_target;
	guint64 target; /* the address that was masked; of two the number's */
	guint64 memory; /* the one that was masked in memory */
	guint32 n_read; /* bytes that are read from there and not further than there, 0 = not known */
} Instruction;

/* Addresses that a number in an instruction is taken for; from = to: none. */
typedef struct {
	guint64 from, to;
} ImageRange;

/* NULL if the instructions of this machine (e_machine of ELF) are not known. */
InstructionReader *instruction_reader_new(guint machine, ImageRange image);
void instruction_reader_free(InstructionReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(InstructionReader, instruction_reader_free)

/* Begins with `size` bytes that have `address`; borrowed while they are read. */
void instruction_reader_start(InstructionReader *reader, const guint8 *bytes, gsize size, guint64 address);
/* FALSE at the end. */
gboolean instruction_reader_next(InstructionReader *reader, Instruction *instruction);

/* An instruction as text: "mov", "rax, qword ptr [rip + 0x2ef0]". */
typedef struct {
	const char *mnemonic, *operands; /* borrowed until the next instruction; "" where it is none */
} InstructionText;

/* Of the instruction that was read last, in Intel's syntax or that of aarch64. Nothing is masked in it. */
InstructionText instruction_reader_text(const InstructionReader *reader);
