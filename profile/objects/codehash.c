/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/codehash.h"

#include <string.h>

enum {
	GRAM = 4,          /* instructions in a row that the sketch is made of */
	MIN_SKETCHED = 24, /* instructions */
	MAX_CONSTANT = 64, /* bytes of a constant */
	SKETCH_BITS = 64,
};

struct CodeHasher {
	InstructionReader *reader; /* NULL = the machine is not known */
	CodeSurroundings surroundings;
	GArray *instructions; /* of Instruction, without padding */
	GArray *parts;        /* of Part */
	GByteArray *meaning;  /* what is hashed */
};

/* The instructions of a range. */
typedef struct {
	guint64 from, to; /* addresses */
	guint first, end; /* instructions */
} Part;

CodeHasher *code_hasher_new(guint machine, ImageRange image, const CodeSurroundings *surroundings)
{
	CodeHasher *hasher = g_new0(CodeHasher, 1);
	hasher->reader = instruction_reader_new(machine, image);
	hasher->surroundings = *surroundings;
	hasher->instructions = g_array_new(FALSE, FALSE, sizeof(Instruction));
	hasher->parts = g_array_new(FALSE, FALSE, sizeof(Part));
	hasher->meaning = g_byte_array_new();
	return hasher;
}

void code_hasher_free(CodeHasher *hasher)
{
	if (hasher == NULL)
		return;
	instruction_reader_free(hasher->reader);
	g_array_unref(hasher->instructions);
	g_array_unref(hasher->parts);
	g_byte_array_unref(hasher->meaning);
	g_free(hasher);
}

static void read_part(CodeHasher *hasher, const CodeRange *range)
{
	Instruction instruction;
	Part part = {range->address, range->address + range->size, hasher->instructions->len, 0};
	instruction_reader_start(hasher->reader, range->bytes, range->size, range->address);
	while (instruction_reader_next(hasher->reader, &instruction))
		if (!instruction.is_padding)
			g_array_append_val(hasher->instructions, instruction);
	part.end = hasher->instructions->len;
	g_array_append_val(hasher->parts, part);
}

/* The number of the first instruction of a part that is not before the address; jumps to padding go on after it. */
static guint instruction_number(const CodeHasher *hasher, const Part *part, guint64 address)
{
	guint from = part->first, to = part->end;
	while (from < to) {
		guint middle = from + (to - from) / 2;
		if (g_array_index(hasher->instructions, Instruction, middle).address < address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static gboolean find_inside(const CodeHasher *hasher, guint64 address, guint32 *number)
{
	for (guint i = 0; i < hasher->parts->len; i++) {
		const Part *part = &g_array_index(hasher->parts, Part, i);
		if (address >= part->from && address < part->to) {
			*number = instruction_number(hasher, part, address);
			return TRUE;
		}
	}
	return FALSE;
}

static void append(GByteArray *meaning, char kind, gconstpointer bytes, gsize n)
{
	g_byte_array_append(meaning, (const guint8 *)&kind, 1);
	g_byte_array_append(meaning, bytes, (guint)n);
}

static void append_target(CodeHasher *hasher, const Instruction *instruction)
{
	guint32 number;
	const CodeSurroundings *around = &hasher->surroundings;
	if (find_inside(hasher, instruction->target, &number)) {
		append(hasher->meaning, 'i', &number, sizeof number);
		return;
	}
	const char *name = around->function_at(around->data, instruction->target);
	if (name != NULL) {
		append(hasher->meaning, 'f', name, strlen(name) + 1);
		return;
	}
	guint32 n = instruction->n_read;
	const guint8 *constant =
	        n > 0 && n <= MAX_CONSTANT ? around->constant_at(around->data, instruction->target, n) : NULL;
	append(hasher->meaning, constant != NULL ? 'c' : '?', constant, constant != NULL ? n : 0);
}

/* Bytes have their number before them, so that no two functions read alike. */
static void append_instruction(CodeHasher *hasher, const Instruction *instruction)
{
	const guint8 head[] = {(guint8)instruction->id, (guint8)(instruction->id >> 8), instruction->n_bytes};
	append(hasher->meaning, instruction->has_target ? 't' : '.', head, sizeof head);
	g_byte_array_append(hasher->meaning, instruction->bytes, instruction->n_bytes);
	if (instruction->has_target)
		append_target(hasher, instruction);
}

/* 64 bits of SHA-256, so that nobody can write other code with the hash of known code; not 0. */
static guint64 hash_bytes(GChecksum *checksum)
{
	guint8 digest[32];
	gsize length = sizeof digest;
	guint64 hash;
	g_checksum_get_digest(checksum, digest, &length);
	memcpy(&hash, digest, sizeof hash);
	hash = GUINT64_FROM_LE(hash);
	return MAX(hash, 1);
}

static guint64 hash_instructions(CodeHasher *hasher)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_byte_array_set_size(hasher->meaning, 0);
	for (guint i = 0; i < hasher->instructions->len; i++)
		append_instruction(hasher, &g_array_index(hasher->instructions, Instruction, i));
	g_checksum_update(checksum, hasher->meaning->data, hasher->meaning->len);
	return hash_bytes(checksum);
}

static guint64 hash_plain_bytes(const CodeRange *ranges, guint n_ranges)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	for (guint i = 0; i < n_ranges; i++)
		g_checksum_update(checksum, ranges[i].bytes, (gssize)ranges[i].size);
	return hash_bytes(checksum);
}

/* Spreads a number over all bits. Source: Stafford's variant 13 of the finalizer of MurmurHash3. */
static guint64 spread(guint64 value)
{
	value = (value ^ value >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* The sketch is that of Charikar, Similarity estimation techniques from rounding algorithms, 2002. */
static guint64 sketch_instructions(const GArray *instructions)
{
	gint32 sums[SKETCH_BITS] = {0};
	guint64 gram = 0, sketch = 0;
	if (instructions->len < MIN_SKETCHED)
		return 0;
	for (guint i = 0; i + GRAM <= instructions->len; i++) {
		gram = 0;
		for (guint k = 0; k < GRAM; k++)
			gram = spread(gram + g_array_index(instructions, Instruction, i + k).shape + 1);
		for (guint bit = 0; bit < SKETCH_BITS; bit++)
			sums[bit] += (gram >> bit & 1) != 0 ? 1 : -1;
	}
	for (guint bit = 0; bit < SKETCH_BITS; bit++)
		sketch |= (guint64)(sums[bit] > 0) << bit;
	return MAX(sketch, 1);
}

CodeHash code_hasher_hash(CodeHasher *hasher, const CodeRange *ranges, guint n_ranges)
{
	gsize size = 0;
	for (guint i = 0; i < n_ranges; i++)
		size += MIN(ranges[i].size, CODE_HASH_MAX_BYTES + 1);
	if (size == 0 || size > CODE_HASH_MAX_BYTES)
		return (CodeHash){0};
	if (hasher->reader == NULL)
		return (CodeHash){.hash = hash_plain_bytes(ranges, n_ranges)};
	g_array_set_size(hasher->instructions, 0);
	g_array_set_size(hasher->parts, 0);
	for (guint i = 0; i < n_ranges; i++)
		read_part(hasher, &ranges[i]);
	return (CodeHash){hash_instructions(hasher), sketch_instructions(hasher->instructions)};
}
