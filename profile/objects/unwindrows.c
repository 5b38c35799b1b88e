/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/unwindrows.h"

#include <dwarf.h>
#include <stdlib.h>
#include <time.h>

enum {
	/* a function seldom has more, and one without gaps to its neighbours does not drag the whole file along */
	MAX_BEFORE = 32,
	MAX_ROWS = 96,
	/* of CPU time that the rows beside the asked one may take: a usual function takes less than one millisecond */
	NEIGHBOURS_US = 10000,
	X86_64_REGISTERS = 17, /* 16 and the return address */
	X86_64_STACK_POINTER = 7,
	AARCH64_REGISTERS = 32,
	AARCH64_STACK_POINTER = 31,
	PLT_OPERATIONS = 9,
};

/* Tells where the call frame information of a file is; cfi is NULL if there is none. */
typedef struct {
	Dwarf_CFI *cfi;
	Dwarf_Addr bias; /* address in the module - address in the table */
} FrameTable;

typedef struct {
	FrameTable table;
	GElf_Phdr segment; /* the one that is asked about */
	guint n_registers, stack_pointer;
	gint64 deadline_us; /* CPU time of the thread */
} RowReader;

static gint64 cpu_time_us(void)
{
	struct timespec t = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (gint64)t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

static UnwindRow unknown_row(guint64 start, guint64 end)
{
	return (UnwindRow){.start = start, .end = end, .frame_kind = UNWIND_FRAME_UNKNOWN};
}

/* The executable segment that the byte at an offset of the file is loaded with. */
static gboolean find_segment(const ObjectFile *file, guint64 file_offset, GElf_Phdr *segment)
{
	size_t n = 0;
	if (elf_getphdrnum(file->elf, &n) != 0)
		return FALSE;
	for (size_t i = 0; i < n && i < G_MAXUINT16; i++)
		if (gelf_getphdr(file->elf, (int)i, segment) != NULL && segment->p_type == PT_LOAD &&
		        (segment->p_flags & PF_X) != 0 && file_offset >= segment->p_offset &&
		        file_offset - segment->p_offset < segment->p_filesz &&
		        segment->p_filesz <= G_MAXUINT64 - segment->p_offset &&
		        segment->p_filesz <= G_MAXUINT64 - segment->p_vaddr)
			return TRUE;
	return FALSE;
}

static gboolean set_machine(RowReader *reader, const ObjectFile *file)
{
	GElf_Ehdr header;
	if (gelf_getehdr(file->elf, &header) == NULL || header.e_ident[EI_CLASS] != ELFCLASS64)
		return FALSE;
	reader->n_registers = header.e_machine == EM_X86_64 ? X86_64_REGISTERS : AARCH64_REGISTERS;
	reader->stack_pointer = header.e_machine == EM_X86_64 ? X86_64_STACK_POINTER : AARCH64_STACK_POINTER;
	return header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64;
}

/* "register + offset", written as one operation. */
static gboolean is_sum(const Dwarf_Op *operation, guint8 *number, gint32 *offset)
{
	Dwarf_Word base = operation->number, distance = operation->number2;
	if (operation->atom >= DW_OP_breg0 && operation->atom <= DW_OP_breg31) {
		base = operation->atom - DW_OP_breg0;
		distance = operation->number;
	} else if (operation->atom != DW_OP_bregx) {
		return FALSE;
	}
	gint64 value = (gint64)distance;
	if (base >= UNWIND_REGISTERS || value < G_MININT32 || value > G_MAXINT32)
		return FALSE;
	*number = (guint8)base;
	*offset = (gint32)value;
	return TRUE;
}

/* TRUE for the expression that linkers write for the first part of .plt, whose stubs push a number before they jump:
 * rsp + 8 + ((rip & 15) >= limit) << 3 */
static gboolean is_plt(const Dwarf_Op *operations, size_t n, gint32 *limit)
{
	static const guint8 expected[PLT_OPERATIONS] = {DW_OP_breg0 + X86_64_STACK_POINTER, DW_OP_breg16, DW_OP_lit15,
	        DW_OP_and, 0, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus};
	if (n != PLT_OPERATIONS || operations[0].number != 8 || operations[1].number != 0 ||
	        operations[4].atom < DW_OP_lit0 || operations[4].atom > DW_OP_lit15)
		return FALSE;
	for (guint i = 0; i < PLT_OPERATIONS; i++)
		if (expected[i] != 0 && operations[i].atom != expected[i])
			return FALSE;
	*limit = operations[4].atom - DW_OP_lit0;
	return TRUE;
}

static void set_frame(UnwindRow *row, const Dwarf_Op *operations, size_t n)
{
	if (n == 1 && is_sum(&operations[0], &row->frame_register, &row->frame_offset))
		row->frame_kind = UNWIND_FRAME_REGISTER;
	else if (n == 2 && operations[1].atom == DW_OP_deref &&
	         is_sum(&operations[0], &row->frame_register, &row->frame_offset))
		row->frame_kind = UNWIND_FRAME_MEMORY;
	else if (is_plt(operations, n, &row->frame_offset))
		row->frame_kind = UNWIND_FRAME_PLT;
}

/* The location of a register: nothing, another register, or an expression that starts with the CFA. */
static UnwindRule make_rule(const Dwarf_Op *operations, size_t n)
{
	UnwindRule rule = {.kind = UNWIND_UNDEFINED};
	if (n == 1 && operations[0].atom == DW_OP_regx && operations[0].number < UNWIND_REGISTERS)
		return (UnwindRule){.kind = UNWIND_IN_REGISTER, .number = (guint8)operations[0].number};
	if (n == 0 || operations[0].atom != DW_OP_call_frame_cfa)
		return rule;
	gboolean is_value = operations[n - 1].atom == DW_OP_stack_value;
	n -= is_value;
	gint64 offset = n == 2 && operations[1].atom == DW_OP_plus_uconst ? (gint64)operations[1].number : 0;
	if (n == 1 || (n == 2 && offset != 0 && offset >= G_MININT32 && offset <= G_MAXINT32))
		return (UnwindRule){.kind = is_value ? UNWIND_IS_FRAME : UNWIND_AT_FRAME, .offset = (gint32)offset};
	if (n == 2 && !is_value && is_sum(&operations[1], &rule.number, &rule.offset))
		rule.kind = UNWIND_AT_REGISTER;
	return rule;
}

static void set_rules(const RowReader *reader, Dwarf_Frame *frame, UnwindRow *row)
{
	for (guint i = 0; i < reader->n_registers; i++) {
		Dwarf_Op memory[3], *operations = NULL;
		size_t n = 0;
		if (dwarf_frame_register(frame, (int)i, memory, &operations, &n) != 0)
			/* dwarf_frame_register() sets no operations for a register that is unchanged, and none but not
			 * NULL for a lost one (elfutils/libdw.h); a row begins with all registers unchanged. */
			row->rules[i] = (UnwindRule){.kind = UNWIND_UNDEFINED};
		else if (operations != NULL)
			row->rules[i] = make_rule(operations, n);
	}
	/* unless it says otherwise, the caller's stack pointer is the frame's address: that is its definition */
	UnwindRule *stack_pointer = &row->rules[reader->stack_pointer];
	if (stack_pointer->kind == UNWIND_SAME || stack_pointer->kind == UNWIND_UNDEFINED)
		*stack_pointer = (UnwindRule){.kind = UNWIND_IS_FRAME};
}

/* Fills in everything but the range. A frame that cannot be expressed leaves the row unknown. */
static void fill_row(const RowReader *reader, Dwarf_Frame *frame, int return_column, gboolean is_signal, UnwindRow *row)
{
	Dwarf_Op *operations = NULL;
	size_t n = 0;
	if (return_column < 0 || (guint)return_column >= reader->n_registers ||
	        dwarf_frame_cfa(frame, &operations, &n) != 0)
		return;
	set_frame(row, operations, n);
	if (row->frame_kind == UNWIND_FRAME_UNKNOWN)
		return;
	row->return_column = (guint8)return_column;
	row->is_signal = is_signal;
	set_rules(reader, frame, row);
}

/* The row of the table at an offset of the file; FALSE if there is none. */
static gboolean read_row(const RowReader *reader, guint64 file_offset, UnwindRow *row)
{
	const GElf_Phdr *segment = &reader->segment;
	guint64 address = file_offset - segment->p_offset + segment->p_vaddr, bias = reader->table.bias;
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start = 0, end = 0;
	bool is_signal = false;
	if (reader->table.cfi == NULL || dwarf_cfi_addrframe(reader->table.cfi, address - bias, &frame) != 0)
		return FALSE;
	int return_column = dwarf_frame_info(frame, &start, &end, &is_signal);
	start = MAX(start + bias, segment->p_vaddr);
	end = MIN(end + bias, segment->p_vaddr + segment->p_filesz);
	gboolean ok = start <= address && address < end;
	if (ok) {
		*row = unknown_row(
		        start - segment->p_vaddr + segment->p_offset, end - segment->p_vaddr + segment->p_offset);
		fill_row(reader, frame, return_column, is_signal, row);
	}
	free(frame);
	return ok;
}

/* A neighbour of the asked row; FALSE, too, if all that was asked for would take too long. To know a row, libdw
 * interprets the whole function up to there, so that all rows of a function take the square of their number. */
static gboolean read_neighbour(const RowReader *reader, guint64 file_offset, UnwindRow *row)
{
	return cpu_time_us() < reader->deadline_us && read_row(reader, file_offset, row);
}

/* The start of the first row before an offset, as far as there is no gap. */
static guint64 find_start(const RowReader *reader, guint64 start)
{
	UnwindRow row;
	for (guint n = 0; n < MAX_BEFORE; n++) {
		if (start == reader->segment.p_offset || !read_neighbour(reader, start - 1, &row) || row.end != start)
			break;
		start = row.start;
	}
	return start;
}

/* Appends the rows from `at` on, as far as there is no gap. libdw lets a row that was restored from a remembered one
 * begin where that one did, so where a row begins is told by the end of the one before. */
static void read_from(const RowReader *reader, guint64 at, GArray *rows)
{
	UnwindRow row;
	for (guint n = 0; n < MAX_ROWS; n++) {
		if (at - reader->segment.p_offset >= reader->segment.p_filesz || !read_neighbour(reader, at, &row) ||
		        row.start > at)
			return;
		row.start = at;
		g_array_append_val(rows, row);
		at = row.end;
	}
}

/* All rows around `row`, or the asked part of it alone, if there are so many before it that they do not reach it, or
 * they take so long. */
static void read_around(RowReader *reader, UnwindRow row, guint64 file_offset, GArray *rows)
{
	reader->deadline_us = cpu_time_us() + NEIGHBOURS_US;
	guint first = rows->len;
	read_from(reader, find_start(reader, row.start), rows);
	if (rows->len > first && g_array_index(rows, UnwindRow, rows->len - 1).end > file_offset)
		return;
	g_array_set_size(rows, first);
	row.start = file_offset;
	g_array_append_val(rows, row);
}

/* The row that is asked about, from .eh_frame, or from .debug_frame, which may be in a separate file that is looked for
 * only then. Without either the whole segment is unknown. */
static gboolean read_first(RowReader *reader, const ObjectFile *file, guint64 file_offset, UnwindRow *row)
{
	reader->table.cfi = dwfl_module_eh_cfi(file->module, &reader->table.bias);
	gboolean has_eh_frame = reader->table.cfi != NULL;
	if (read_row(reader, file_offset, row))
		return TRUE;
	reader->table.cfi = dwfl_module_dwarf_cfi(file->module, &reader->table.bias);
	if (read_row(reader, file_offset, row))
		return TRUE;
	if (!has_eh_frame && reader->table.cfi == NULL)
		*row = unknown_row(reader->segment.p_offset, reader->segment.p_offset + reader->segment.p_filesz);
	return FALSE;
}

void unwind_rows_read(const ObjectFile *file, guint64 file_offset, GArray *rows)
{
	RowReader reader = {0};
	UnwindRow row = unknown_row(file_offset, file_offset == G_MAXUINT64 ? file_offset : file_offset + 1);
	gboolean found = find_segment(file, file_offset, &reader.segment) && set_machine(&reader, file) &&
	                 read_first(&reader, file, file_offset, &row);
	if (found)
		read_around(&reader, row, file_offset, rows);
	else
		g_array_append_val(rows, row);
}
