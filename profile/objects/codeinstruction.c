/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/codeinstruction.h"

#include <capstone.h>
#include <elf.h>
#include <string.h>

enum { PAGE_REGISTERS = 31, PAGE_BYTES = 4096, WORD_BYTES = 4, MAX_AWAITED = 4096 };

/* The registers of aarch64 that hold the page of an address, or a whole one. */
typedef struct {
	guint32 has_page, has_place;
	guint64 values[PAGE_REGISTERS];
} ArmRegisters;

struct InstructionReader {
	csh handle;
	cs_insn *decoded;
	gboolean is_arm;
	gboolean is_known; /* the last one was an instruction */
	ImageRange image;
	const guint8 *at;
	gsize left;
	guint64 address;
	ArmRegisters registers;
	GHashTable *awaited; /* guint64: ArmRegisters at a branch to this later address, the first one */
	gboolean goes_on;    /* the next instruction is reached from the last one */
};

InstructionReader *instruction_reader_new(guint machine, ImageRange image)
{
	gboolean is_arm = machine == EM_AARCH64;
	csh handle;
	if (!is_arm && machine != EM_X86_64)
		return NULL;
	if (cs_open(is_arm ? CS_ARCH_ARM64 : CS_ARCH_X86, is_arm ? CS_MODE_LITTLE_ENDIAN : CS_MODE_64, &handle) !=
	        CS_ERR_OK)
		return NULL;
	InstructionReader *reader = g_new0(InstructionReader, 1);
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	reader->handle = handle;
	reader->decoded = cs_malloc(handle);
	reader->is_arm = is_arm;
	reader->image = image;
	reader->awaited = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return reader;
}

void instruction_reader_free(InstructionReader *reader)
{
	if (reader == NULL)
		return;
	cs_free(reader->decoded, 1);
	cs_close(&reader->handle);
	g_hash_table_unref(reader->awaited);
	g_free(reader);
}

void instruction_reader_start(InstructionReader *reader, const guint8 *bytes, gsize size, guint64 address)
{
	reader->at = bytes;
	reader->left = size;
	reader->address = address;
	reader->registers = (ArmRegisters){0};
	reader->goes_on = TRUE;
	g_hash_table_remove_all(reader->awaited);
}

static gboolean is_in_image(const InstructionReader *reader, guint64 value)
{
	return value >= reader->image.from && value < reader->image.to;
}

static void set_target(Instruction *out, guint64 target, guint32 n_read)
{
	out->has_target = TRUE;
	out->target = target;
	out->n_read = n_read;
	out->masked |= MASKED_NUMBER;
}

static void set_memory(Instruction *out, guint64 target, guint32 n_read)
{
	out->has_target = TRUE;
	out->target = out->memory = target;
	out->n_read = n_read;
	out->masked |= MASKED_MEMORY;
}

static void mask_bytes(Instruction *out, guint from, guint n)
{
	for (guint i = from; i < MIN(from + n, out->n_bytes); i++)
		out->bytes[i] = 0;
}

/* Four bits for the kind of each operand, beside the number of the instruction. */
static guint32 add_kind(guint32 shape, guint operand, guint kind)
{
	return shape ^ (kind & 0xf) << (16 + 4 * MIN(operand, 3u));
}

/* An operand in memory at an address that the linker chose. The width of `lea` is not that of a read. */
static void mask_x86_memory(InstructionReader *reader, const cs_x86_op *operand, Instruction *out)
{
	const cs_x86_encoding *encoding = &reader->decoded->detail->x86.encoding;
	const x86_op_mem *memory = &operand->mem;
	guint32 n_read = reader->decoded->id == X86_INS_LEA || (operand->access & CS_AC_READ) == 0 ? 0 : operand->size;
	gboolean is_relative = memory->base == X86_REG_RIP || memory->base == X86_REG_EIP;
	/* Variables of a thread lie below the address in FS, where the linker puts them (Drepper, ELF Handling For
	 * Thread-Local Storage). What lies above it, such as the guard of the stack at fs:0x28, has a fixed place. */
	gboolean is_thread_local = memory->segment == X86_REG_FS && memory->disp < 0;
	if (is_relative)
		set_memory(out, out->address + out->size + (guint64)memory->disp, n_read);
	/* Only a program that is not position-independent has absolute addresses, and they take four bytes. */
	else if (encoding->disp_size >= 4 && is_in_image(reader, (guint64)memory->disp))
		set_memory(out, (guint64)memory->disp,
		        memory->base == X86_REG_INVALID && memory->index == X86_REG_INVALID ? n_read : 0);
	else if (is_thread_local)
		out->masked |= MASKED_THREAD;
	else
		return;
	mask_bytes(out, encoding->disp_offset, encoding->disp_size);
}

static void mask_x86_operand(InstructionReader *reader, const cs_x86_op *operand, Instruction *out)
{
	const cs_x86_encoding *encoding = &reader->decoded->detail->x86.encoding;
	if (operand->type == X86_OP_MEM) {
		mask_x86_memory(reader, operand, out);
	} else if (operand->type == X86_OP_IMM && encoding->imm_size >= 4 &&
	           is_in_image(reader, (guint64)operand->imm)) {
		set_target(out, (guint64)operand->imm, 0);
		mask_bytes(out, encoding->imm_offset, encoding->imm_size);
	}
}

static gboolean is_x86_branch(const InstructionReader *reader)
{
	const cs_detail *detail = reader->decoded->detail;
	if (detail->x86.op_count != 1 || detail->x86.operands[0].type != X86_OP_IMM)
		return FALSE;
	for (guint i = 0; i < detail->groups_count; i++)
		if (detail->groups[i] == CS_GRP_JUMP || detail->groups[i] == CS_GRP_CALL ||
		        detail->groups[i] == CS_GRP_BRANCH_RELATIVE)
			return TRUE;
	return FALSE;
}

static void mask_x86(InstructionReader *reader, Instruction *out)
{
	const cs_x86 *x86 = &reader->decoded->detail->x86;
	/* `xchg ax, ax` is the nop of two bytes. */
	gboolean is_exchange = out->size == 2 && out->bytes[0] == 0x66 && out->bytes[1] == 0x90;
	out->is_padding = out->id == X86_INS_NOP || is_exchange;
	if (is_x86_branch(reader)) {
		set_target(out, (guint64)x86->operands[0].imm, 0);
		out->n_bytes = 0;
	}
	for (guint i = 0; i < x86->op_count; i++) {
		out->shape = add_kind(out->shape, i, x86->operands[i].type);
		if (out->n_bytes > 0)
			mask_x86_operand(reader, &x86->operands[i], out);
	}
}

static guint32 read_word(const guint8 *bytes)
{
	guint32 word;
	memcpy(&word, bytes, sizeof word);
	return GUINT32_FROM_LE(word);
}

/* Zeroes `n` bits of the word from bit `low` on. */
static void mask_bits(Instruction *out, guint low, guint n)
{
	guint32 word = read_word(out->bytes) & ~(((1u << n) - 1) << low);
	word = GUINT32_TO_LE(word);
	memcpy(out->bytes, &word, sizeof word);
}

/* Bits `low` .. `low + n - 1` of a word as a signed number. */
static gint64 signed_bits(guint32 word, guint low, guint n)
{
	guint64 value = word >> low & ((1u << n) - 1), sign = G_GUINT64_CONSTANT(1) << (n - 1);
	return (gint64)(value ^ sign) - (gint64)sign;
}

/* Instructions with a distance in words. Source: Arm Architecture Reference Manual, C4.1 (encoding index). */
static const struct {
	guint32 mask, value;
	guint low, n;
} arm_distances[] = {
        {0x7c000000, 0x14000000, 0, 26}, /* b, bl */
        {0xff000000, 0x54000000, 5, 19}, /* b.cond */
        {0x7e000000, 0x34000000, 5, 19}, /* cbz, cbnz */
        {0x7e000000, 0x36000000, 5, 14}, /* tbz, tbnz */
        {0x3b000000, 0x18000000, 5, 19}, /* ldr of a literal */
};

static gboolean mask_arm_distance(guint32 word, Instruction *out)
{
	for (guint i = 0; i < G_N_ELEMENTS(arm_distances); i++) {
		if ((word & arm_distances[i].mask) != arm_distances[i].value)
			continue;
		gint64 distance = signed_bits(word, arm_distances[i].low, arm_distances[i].n) * WORD_BYTES;
		set_target(out, out->address + (guint64)distance, 0);
		mask_bits(out, arm_distances[i].low, arm_distances[i].n);
		return TRUE;
	}
	return FALSE;
}

/* adr and adrp have the lower two bits of their number apart from the others. */
static gint64 arm_address_bits(guint32 word)
{
	return signed_bits(word, 5, 19) * 4 + (gint64)(word >> 29 & 3);
}

/* The number of bytes that a load or store with an unsigned offset moves, as a power of two. *is_load is FALSE for a
 * store. */
static guint arm_access_shift(guint32 word, gboolean *is_load)
{
	gboolean is_vector = (word >> 26 & 1) != 0;
	guint size = word >> 30, operation = word >> 22 & 3;
	*is_load = is_vector ? (operation & 1) != 0 : operation != 0;
	return is_vector && operation >= 2 ? 4 : size;
}

static gboolean holds(guint32 registers, guint number)
{
	return number < PAGE_REGISTERS && (registers >> number & 1) != 0;
}

/* `add` of the place in its page to an address. */
static gboolean is_arm_place(const InstructionReader *reader, guint32 word)
{
	return (word & 0xffc00000) == 0x91000000 && holds(reader->registers.has_page, word >> 5 & 31);
}

/* Masks the place in its page that an instruction adds to an address; returns the whole address, 0 if it is none such.
 * Behind a whole address, numbers of loads and stores are masked, too: gcc addresses variables of one file by their
 * distance from one of them (-fsection-anchors), and another variable before them changes it. An `add` to a whole
 * address stays as it is: it may tell how long a table is. */
static guint64 mask_arm_place(const InstructionReader *reader, guint32 word, Instruction *out)
{
	guint base = word >> 5 & 31, offset = word >> 10 & 0xfff, shift = 0;
	gboolean is_add = is_arm_place(reader, word), is_access = (word & 0x3b000000) == 0x39000000, is_load = FALSE;
	if (!is_add && (!is_access || !holds(reader->registers.has_page | reader->registers.has_place, base)))
		return 0;
	if (is_access)
		shift = arm_access_shift(word, &is_load);
	guint64 place = reader->registers.values[base] + ((guint64)offset << shift);
	if (is_access)
		set_memory(out, place, is_load ? 1u << shift : 0);
	else
		set_target(out, place, 0);
	mask_bits(out, 10, 12);
	return place;
}

static guint arm_register_number(guint16 id)
{
	if (id >= ARM64_REG_X0 && id <= ARM64_REG_X28)
		return id - ARM64_REG_X0;
	if (id >= ARM64_REG_W0 && id <= ARM64_REG_W30)
		return id - ARM64_REG_W0;
	return id == ARM64_REG_X29 ? 29 : id == ARM64_REG_X30 ? 30 : PAGE_REGISTERS;
}

/* Registers that are written hold no address any more; a call keeps those from x19 on. */
static void forget_addresses(InstructionReader *reader, guint32 word)
{
	cs_regs read, written;
	guint8 n_read, n_written;
	guint32 forgotten = 0;
	/* bl and blr; AAPCS64 lets the called function change x0 to x18. */
	if ((word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000)
		forgotten = 0x7ffffu;
	if ((reader->registers.has_page | reader->registers.has_place) == 0 ||
	        cs_regs_access(reader->handle, reader->decoded, read, &n_read, written, &n_written) != CS_ERR_OK)
		n_written = 0;
	for (guint i = 0; i < n_written; i++) {
		guint number = arm_register_number(written[i]);
		if (number < PAGE_REGISTERS)
			forgotten |= 1u << number;
	}
	reader->registers.has_page &= ~forgotten;
	reader->registers.has_place &= ~forgotten;
}

/* A branch forward hands over what the registers hold. */
static void note_branch(InstructionReader *reader, guint32 word, const Instruction *out)
{
	gboolean is_jump = (word & 0xfc000000) == 0x14000000, is_call = (word & 0xfc000000) == 0x94000000;
	gboolean is_branch = is_jump || (out->has_target && (word & 0x1c000000) == 0x14000000 && !is_call);
	/* br and ret */
	reader->goes_on = !is_jump && (word & 0xffbffc1f) != 0xd61f0000;
	if (is_branch && out->target > out->address && g_hash_table_size(reader->awaited) < MAX_AWAITED &&
	        !g_hash_table_contains(reader->awaited, &out->target))
		g_hash_table_insert(reader->awaited, g_memdup2(&out->target, sizeof out->target),
		        g_memdup2(&reader->registers, sizeof reader->registers));
}

/* Code after a jump or the end of the function is reached by a branch before it: what registers hold is what they held
 * there. Where none is known, pages are taken to be still there, which compilers put into registers early. */
static void arrive(InstructionReader *reader, guint64 address)
{
	if (reader->goes_on)
		return;
	const ArmRegisters *known = g_hash_table_lookup(reader->awaited, &address);
	if (known != NULL)
		reader->registers = *known;
	else
		reader->registers.has_place = 0;
}

static void note_address(InstructionReader *reader, guint32 *kind, guint number, guint64 value)
{
	if (number >= PAGE_REGISTERS)
		return;
	*kind |= 1u << number;
	reader->registers.values[number] = value;
}

static void mask_arm(InstructionReader *reader, Instruction *out)
{
	const cs_arm64 *arm = &reader->decoded->detail->arm64;
	guint32 word = read_word(out->bytes);
	guint64 here = out->address, place = 0;
	gboolean is_page = (word & 0x9f000000) == 0x90000000, is_near = (word & 0x9f000000) == 0x10000000;
	arrive(reader, here);
	gboolean is_place = is_near || is_arm_place(reader, word);
	out->is_padding = word == 0xd503201f;
	for (guint i = 0; i < arm->op_count; i++)
		out->shape = add_kind(out->shape, i, arm->operands[i].type);
	if (is_near)
		set_target(out, place = here + (guint64)arm_address_bits(word), 0);
	else if (!is_page && !mask_arm_distance(word, out))
		place = mask_arm_place(reader, word, out);
	if (is_near || is_page) {
		mask_bits(out, 5, 19);
		mask_bits(out, 29, 2);
	}
	if (is_page)
		out->masked |= MASKED_PAGE;
	forget_addresses(reader, word);
	note_branch(reader, word, out);
	/* The address is noted after the registers that this instruction writes were forgotten, since its target is one
	 * of them. */
	if (is_page)
		note_address(reader, &reader->registers.has_page, word & 31,
		        here / PAGE_BYTES * PAGE_BYTES + (guint64)(arm_address_bits(word) * PAGE_BYTES));
	else if (is_place)
		note_address(reader, &reader->registers.has_place, word & 31, place);
}

gboolean instruction_reader_next(InstructionReader *reader, Instruction *instruction)
{
	if (reader->left == 0)
		return FALSE;
	const guint8 *start = reader->at;
	const uint8_t *at = start;
	size_t left = reader->left;
	uint64_t address = reader->address;
	gboolean is_known = cs_disasm_iter(reader->handle, &at, &left, &address, reader->decoded);
	/* Data among code must not end the function: they are skipped in the smallest steps in which instructions can
	 * begin. */
	gsize size = is_known ? reader->decoded->size : MIN(reader->is_arm ? WORD_BYTES : 1, reader->left);
	*instruction = (Instruction){.address = reader->address, .size = (guint8)size, .n_bytes = (guint8)size};
	memcpy(instruction->bytes, start, MIN(size, INSTRUCTION_MAX_BYTES));
	reader->at += size;
	reader->left -= size;
	reader->address += size;
	reader->is_known = is_known;
	if (!is_known)
		return TRUE;
	instruction->id = instruction->shape = reader->decoded->id;
	if (reader->is_arm)
		mask_arm(reader, instruction);
	else
		mask_x86(reader, instruction);
	return TRUE;
}

InstructionText instruction_reader_text(const InstructionReader *reader)
{
	if (!reader->is_known)
		return (InstructionText){"", ""};
	return (InstructionText){reader->decoded->mnemonic, reader->decoded->op_str};
}
