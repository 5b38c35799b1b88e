/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information as rows: how to get from a function's registers to those of its caller, for a range of code.
 *
 *     [start, end)  frame address (CFA) = register + offset
 *                   return address and saved registers lie at CFA + offset
 *
 * A row is plain data of fixed size, so that it can be handed from one process to another and remembered. Source: DWARF
 * 5, section 6.4; .eh_frame of the Linux Standard Base. Registers have DWARF's numbers: x86-64 0-15, 16 = return
 * address; aarch64 0-30, 31 = stack pointer. Offsets in files, not addresses. */
#pragma once

#include "profile/objects/objectfile.h"

enum { UNWIND_REGISTERS = 33 };

typedef enum {
	UNWIND_FRAME_UNKNOWN,  /* no information; the walk ends here */
	UNWIND_FRAME_REGISTER, /* CFA = register + offset */
	UNWIND_FRAME_MEMORY,   /* CFA = word at (register + offset): signal frames, realigned stacks */
	UNWIND_FRAME_PLT,      /* x86-64 stub of the procedure linkage table: CFA = rsp + 8, or + 16 from byte 11 on */
} UnwindFrameKind;

typedef enum {
	UNWIND_SAME,        /* the caller's value is still there */
	UNWIND_UNDEFINED,   /* lost; for the return address: there is no caller, this is the root */
	UNWIND_AT_FRAME,    /* at CFA + offset */
	UNWIND_IS_FRAME,    /* is CFA + offset itself */
	UNWIND_AT_REGISTER, /* at register + offset, as in signal frames */
	UNWIND_IN_REGISTER, /* is the value of another register */
} UnwindRuleKind;

typedef struct {
	guint8 kind;   /* UnwindRuleKind */
	guint8 number; /* register, for the last two */
	gint32 offset;
} UnwindRule;

typedef struct {
	guint64 start, end; /* file offsets of the code */
	guint8 frame_kind;  /* UnwindFrameKind */
	guint8 frame_register;
	guint8 return_column; /* which rule is that of the return address */
	guint8 is_signal;     /* the caller was interrupted and did not call: its address is not one too far */
	gint32 frame_offset;
	UnwindRule rules[UNWIND_REGISTERS];
} UnwindRow;

/* Appends the rows of the function around `file_offset` to `rows` (of UnwindRow), at least one: where nothing is known
 * an UNWIND_FRAME_UNKNOWN that covers the offset. Rows are disjoint and sorted. There are at most 97 of them, and of a
 * function that takes long to read, since somebody made it so, only the one that is asked for. */
void unwind_rows_read(const ObjectFile *file, guint64 file_offset, GArray *rows);
