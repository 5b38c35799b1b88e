/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/codehash.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LARGE_BYTES 200

/* The things that lie around the code of these tests. */
enum { HELPER = 0x9000, OTHER = 0x9100, DATA = 0xa000, CONSTANT = 0xb000, OTHER_CONSTANT = 0xb100 };

static const char *function_at(gpointer data, guint64 address)
{
	(void)data;
	return address == HELPER || address == HELPER + 0x40 ? "helper" : address == OTHER ? "other" : NULL;
}

static const guint8 *constant_at(gpointer data, guint64 address, gsize size)
{
	static const guint8 bytes[2][16] = {"constant", "another constan"};
	(void)data;
	assert_true(size <= sizeof bytes[0]);
	return address == CONSTANT ? bytes[0] : address == OTHER_CONSTANT ? bytes[1] : NULL;
}

static const CodeSurroundings around = {NULL, function_at, constant_at};

static guint64 hash_ranges(guint machine, ImageRange image, const CodeRange *ranges, guint n)
{
	g_autoptr(CodeHasher) hasher = code_hasher_new(machine, image, &around);
	return code_hasher_hash(hasher, ranges, n).hash;
}

static guint64 hash_code(guint machine, const guint8 *bytes, gsize size, guint64 address)
{
	const CodeRange range = {bytes, size, address};
	return hash_ranges(machine, (ImageRange){0}, &range, 1);
}

/* push rbp; call TARGET; mov rax,[rip -> DATA]; test eax,eax; je +2; xor eax,eax; pop rbp; ret */
typedef struct {
	guint64 address, call, data;
	guint8 opcode; /* of the instruction that xor stands for; 0 = xor */
	gint8 jump;    /* how far je goes beyond what it should */
} X86Code;

static guint64 hash_x86(const X86Code *code)
{
	guint8 bytes[] = {
	        0x55, 0xe8, 0, 0, 0, 0, 0x48, 0x8b, 0x05, 0, 0, 0, 0, 0x85, 0xc0, 0x74, 2, 0x31, 0xc0, 0x5d, 0xc3};
	gint32 call = (gint32)(code->call - (code->address + 6)), data = (gint32)(code->data - (code->address + 13));
	call = GINT32_TO_LE(call);
	data = GINT32_TO_LE(data);
	memcpy(bytes + 2, &call, sizeof call);
	memcpy(bytes + 9, &data, sizeof data);
	bytes[16] = (guint8)(bytes[16] + code->jump);
	bytes[17] = code->opcode != 0 ? code->opcode : bytes[17];
	return hash_code(EM_X86_64, bytes, sizeof bytes, code->address);
}

static const X86Code usual = {.address = 0x1000, .call = HELPER, .data = DATA};

static void x86_code_that_moved_has_the_same_hash(void **state)
{
	(void)state;
	assert_int_not_equal(hash_x86(&usual), 0);
	assert_true(hash_x86(&usual) == hash_x86(&(X86Code){.address = 0x2340, .call = HELPER, .data = DATA}));
	assert_true(hash_x86(&usual) == hash_x86(&(X86Code){.address = 0x1000, .call = HELPER, .data = DATA + 64}));
	assert_true(hash_x86(&usual) == hash_x86(&(X86Code){.address = 0x1000, .call = HELPER + 0x40, .data = DATA}));
}

static void x86_code_that_does_something_else_has_another_hash(void **state)
{
	(void)state;
	const X86Code others[] = {
	        {.address = 0x1000, .call = OTHER, .data = DATA},                  /* calls another function */
	        {.address = 0x1000, .call = 0x1000, .data = DATA},                 /* calls itself */
	        {.address = 0x1000, .call = DATA, .data = DATA},                   /* calls nobody knows what */
	        {.address = 0x1000, .call = HELPER, .data = CONSTANT},             /* reads a constant */
	        {.address = 0x1000, .call = HELPER, .data = OTHER_CONSTANT},       /* reads another one */
	        {.address = 0x1000, .call = HELPER, .data = DATA, .opcode = 0x29}, /* subtracts */
	        {.address = 0x1000, .call = HELPER, .data = DATA, .jump = 1},      /* jumps further */
	        {.address = 0x1000, .call = HELPER, .data = 0x1000},               /* reads itself */
	};
	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		assert_true(hash_x86(&usual) != hash_x86(&others[i]));
		for (guint k = 0; k < i; k++)
			assert_true(hash_x86(&others[k]) != hash_x86(&others[i]));
	}
}

typedef struct {
	const char *what;
	guint8 a[16], b[16];
	guint n_a, n_b;
	gboolean equal;
} BytePair;

static void check_pairs(guint machine, const BytePair *pairs, guint n)
{
	for (guint i = 0; i < n; i++) {
		guint64 a = hash_code(machine, pairs[i].a, pairs[i].n_a, 0x1000);
		guint64 b = hash_code(machine, pairs[i].b, pairs[i].n_b, 0x5550);
		if ((a == b) != pairs[i].equal)
			print_error("%s\n", pairs[i].what);
		assert_int_equal(a == b, pairs[i].equal);
	}
}

static void x86_fields_are_masked_or_not(void **state)
{
	(void)state;
	static const BytePair pairs[] = {
	        {"a number", {0xb8, 1, 0, 0, 0, 0xc3}, {0xb8, 2, 0, 0, 0, 0xc3}, 6, 6, FALSE},
	        {"a register", {0x48, 0x89, 0xd8, 0xc3}, {0x48, 0x89, 0xc8, 0xc3}, 4, 4, FALSE},
	        {"an offset in a struct", {0x8b, 0x43, 0x18, 0xc3}, {0x8b, 0x43, 0x20, 0xc3}, 4, 4, FALSE},
	        {"the stack protector", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0, 0xc3},
	                {0x64, 0x48, 0x8b, 0x04, 0x25, 0x30, 0, 0, 0, 0xc3}, 10, 10, FALSE},
	        {"a thread-local variable", {0x64, 0x48, 0x8b, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff, 0xc3},
	                {0x64, 0x48, 0x8b, 0x04, 0x25, 0xf0, 0xff, 0xff, 0xff, 0xc3}, 10, 10, TRUE},
	        {"a short and a long jump", {0x74, 0x01, 0x90, 0xc3, 0xc3}, {0x0f, 0x84, 1, 0, 0, 0, 0x90, 0xc3, 0xc3},
	                5, 9, TRUE},
	        {"the condition of a jump", {0x74, 0x01, 0x90, 0xc3}, {0x75, 0x01, 0x90, 0xc3}, 4, 4, FALSE},
	        {"padding of another length", {0xeb, 0x02, 0x66, 0x90, 0xc3}, {0xeb, 0x03, 0x0f, 0x1f, 0x00, 0xc3}, 5,
	                6, TRUE},
	        {"bytes that are no instruction", {0x06, 0x06, 0xc3}, {0x06, 0x07, 0xc3}, 3, 3, FALSE},
	        {"an instruction that is cut off", {0xc3, 0xe8, 1}, {0xc3, 0xe8, 2}, 3, 3, FALSE},
	};
	check_pairs(EM_X86_64, pairs, G_N_ELEMENTS(pairs));
}

/* mov edi,0x404000; ret */
static void a_number_is_an_address_only_where_files_have_their_place(void **state)
{
	(void)state;
	static const guint8 a[] = {0xbf, 0x00, 0x40, 0x40, 0x00, 0xc3}, b[] = {0xbf, 0x10, 0x40, 0x40, 0x00, 0xc3};
	const CodeRange x = {a, sizeof a, 0x1000}, y = {b, sizeof b, 0x1000};
	const ImageRange fixed = {0x400000, 0x410000}, anywhere = {0};
	assert_true(hash_ranges(EM_X86_64, fixed, &x, 1) == hash_ranges(EM_X86_64, fixed, &y, 1));
	assert_true(hash_ranges(EM_X86_64, anywhere, &x, 1) != hash_ranges(EM_X86_64, anywhere, &y, 1));
}

/* A jump from one part into the other is within the function. */
static void parts_of_a_function_may_lie_anywhere(void **state)
{
	(void)state;
	static const guint8 near_part[] = {0x0f, 0x84, 0xfa, 0x0f, 0, 0, 0xc3},
	                    far_part[] = {0x0f, 0x84, 0xfa, 0x1f, 0, 0, 0xc3};
	static const guint8 missed[] = {0x0f, 0x84, 0xfb, 0x1f, 0, 0, 0xc3};
	static const guint8 cold[] = {0x31, 0xc0, 0xc3};
	const CodeRange near_ranges[] = {{near_part, sizeof near_part, 0x1000}, {cold, sizeof cold, 0x2000}};
	const CodeRange far_ranges[] = {{far_part, sizeof far_part, 0x1000}, {cold, sizeof cold, 0x3000}};
	const CodeRange missed_ranges[] = {{missed, sizeof missed, 0x1000}, {cold, sizeof cold, 0x3000}};
	const ImageRange none = {0};
	assert_true(hash_ranges(EM_X86_64, none, near_ranges, 2) == hash_ranges(EM_X86_64, none, far_ranges, 2));
	assert_true(hash_ranges(EM_X86_64, none, near_ranges, 2) != hash_ranges(EM_X86_64, none, missed_ranges, 2));
	assert_true(hash_ranges(EM_X86_64, none, near_ranges, 2) != hash_ranges(EM_X86_64, none, near_ranges, 1));
}

static guint64 hash_arm(const guint32 *words, guint n, guint64 address)
{
	g_autofree guint32 *bytes = g_new(guint32, n);
	for (guint i = 0; i < n; i++)
		bytes[i] = GUINT32_TO_LE(words[i]);
	return hash_code(EM_AARCH64, (const guint8 *)bytes, n * sizeof *bytes, address);
}

static guint32 arm_call(guint64 from, guint64 to)
{
	return 0x94000000 | ((guint32)((gint64)(to - from) / 4) & 0x3ffffff);
}

static guint32 arm_page(guint target, guint64 from, guint64 to)
{
	gint64 pages = (gint64)(to / 4096) - (gint64)(from / 4096);
	return 0x90000000 | target | ((guint32)pages & 3) << 29 | ((guint32)(pages >> 2) & 0x7ffff) << 5;
}

/* stp x29,x30,[sp,-16]!; bl CALL; adrp x0,DATA; ldr w0,[x0,DATA]; cbz w0,+8; add w0,w0,#n; ldp; ret */
static guint64 hash_arm_example(guint64 address, guint64 call, guint64 data, guint n)
{
	const guint32 words[] = {0xa9bf7bfd, arm_call(address + 4, call), arm_page(0, address + 8, data),
	        0xb9400000 | (guint32)(data % 4096 / 4) << 10, 0x34000040, 0x11000000 | n << 10, 0xa8c17bfd,
	        0xd65f03c0};
	return hash_arm(words, G_N_ELEMENTS(words), address);
}

static void arm_code_that_moved_has_the_same_hash(void **state)
{
	(void)state;
	guint64 hash = hash_arm_example(0x1000, HELPER, DATA, 1);
	assert_int_not_equal(hash, 0);
	assert_true(hash == hash_arm_example(0x1ff8, HELPER, DATA, 1));
	assert_true(hash == hash_arm_example(0x100000, HELPER, DATA + 0x128, 1));
	assert_true(hash == hash_arm_example(0x1000, HELPER + 0x40, DATA + 0x12340, 1));
}

static void arm_code_that_does_something_else_has_another_hash(void **state)
{
	(void)state;
	guint64 hash = hash_arm_example(0x1000, HELPER, DATA, 1);
	assert_true(hash != hash_arm_example(0x1000, OTHER, DATA, 1));
	assert_true(hash != hash_arm_example(0x1000, HELPER, CONSTANT, 1));
	assert_true(
	        hash_arm_example(0x1000, HELPER, OTHER_CONSTANT, 1) != hash_arm_example(0x1000, HELPER, CONSTANT, 1));
	assert_true(hash != hash_arm_example(0x1000, HELPER, DATA, 2));
}

typedef struct {
	const char *what;
	guint32 a[5], b[5];
	gboolean equal;
} WordPair;

static void arm_fields_are_masked_or_not(void **state)
{
	(void)state;
	static const WordPair pairs[] = {
	        {"an offset in a struct", {0xb9400820, 0xd65f03c0}, {0xb9400c20, 0xd65f03c0}, FALSE},
	        {"an offset from the page of an address", {0xd0000001, 0xb9400820, 0xd65f03c0},
	                {0xb0000001, 0xb9400c20, 0xd65f03c0}, TRUE},
	        {"a sum with the page of an address", {0xd0000001, 0x91004021, 0xd65f03c0},
	                {0x90000001, 0x91008021, 0xd65f03c0}, TRUE},
	        {"an offset from a register that was written since", {0x90000001, 0xaa0203e1, 0xb9400820, 0xd65f03c0},
	                {0x90000001, 0xaa0203e1, 0xb9400c20, 0xd65f03c0}, FALSE},
	        {"an offset from a register that a call has changed", {0x90000001, 0xd63f0040, 0xb9400820, 0xd65f03c0},
	                {0x90000001, 0xd63f0040, 0xb9400c20, 0xd65f03c0}, FALSE},
	        {"an offset from a register that a call keeps", {0xd0000013, 0xd63f0040, 0xb9400a60, 0xd65f03c0},
	                {0x90000013, 0xd63f0040, 0xb9400e60, 0xd65f03c0}, TRUE},
	        {"an offset from the address of another variable", {0xd0000001, 0x91004022, 0xb9400840, 0xd65f03c0},
	                {0xb0000001, 0x91004022, 0xb9400c40, 0xd65f03c0}, TRUE},
	        {"a sum with a whole address", {0x90000001, 0x91004021, 0x91002022, 0xd65f03c0},
	                {0x90000001, 0x91004021, 0x91004022, 0xd65f03c0}, FALSE},
	        /* cbz x0, to the last; mov x20, x2; ret */
	        {"an offset from a page that the branch brought over the end",
	                {0xd0000014, 0xb4000060, 0xaa0203f4, 0xd65f03c0, 0xb9400a80},
	                {0xb0000014, 0xb4000060, 0xaa0203f4, 0xd65f03c0, 0xb9400e80}, TRUE},
	        {"an address near by, outside", {0x10010000, 0xd65f03c0}, {0x10020000, 0xd65f03c0}, TRUE},
	        {"the condition of a jump", {0x54000040, 0xd503201f, 0xd65f03c0}, {0x54000041, 0xd503201f, 0xd65f03c0},
	                FALSE},
	        {"the bit that is tested", {0x36000040, 0xd503201f, 0xd65f03c0}, {0x36080040, 0xd503201f, 0xd65f03c0},
	                FALSE},
	        {"a jump over padding", {0x14000001, 0xd65f03c0}, {0x14000002, 0xd503201f, 0xd65f03c0}, TRUE},
	        {"words that are no instruction", {0x00000001, 0xd65f03c0}, {0x00000002, 0xd65f03c0}, FALSE},
	};
	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
		guint n_a = 4, n_b = 4;
		while (pairs[i].a[n_a - 1] == 0)
			n_a--;
		while (pairs[i].b[n_b - 1] == 0)
			n_b--;
		gboolean equal = hash_arm(pairs[i].a, n_a, 0x1000) == hash_arm(pairs[i].b, n_b, 0x5550);
		if (equal != pairs[i].equal)
			print_error("%s\n", pairs[i].what);
		assert_int_equal(equal, pairs[i].equal);
	}
}

static void code_of_other_machines_is_its_bytes(void **state)
{
	(void)state;
	static const guint8 a[] = {1, 2, 3, 4}, b[] = {1, 2, 3, 5};
	assert_true(hash_code(EM_RISCV, a, sizeof a, 0x1000) == hash_code(EM_RISCV, a, sizeof a, 0x2000));
	assert_true(hash_code(EM_RISCV, a, sizeof a, 0x1000) != hash_code(EM_RISCV, b, sizeof b, 0x1000));
}

static void nothing_and_too_much_have_no_hash(void **state)
{
	(void)state;
	gsize too_many = CODE_HASH_MAX_BYTES + 1;
	g_autofree guint8 *bytes = g_malloc0(too_many);
	assert_int_equal(hash_code(EM_X86_64, bytes, 0, 0x1000), 0);
	assert_int_equal(hash_code(EM_X86_64, bytes, too_many, 0x1000), 0);
	assert_int_not_equal(hash_code(EM_X86_64, bytes, CODE_HASH_MAX_BYTES, 0x1000), 0);
	assert_int_equal(hash_ranges(EM_X86_64, (ImageRange){0}, NULL, 0), 0);
}

static CodeHash sketched(const guint8 *bytes, gsize size)
{
	const CodeRange range = {bytes, size, 0x1000};
	g_autoptr(CodeHasher) hasher = code_hasher_new(EM_X86_64, (ImageRange){0}, &around);
	return code_hasher_hash(hasher, &range, 1);
}

static guint bits_apart(const guint8 *a, const guint8 *b)
{
	return (guint)__builtin_popcountll(sketched(a, LARGE_BYTES).sketch ^ sketched(b, LARGE_BYTES).sketch);
}

/* One-byte and two-byte instructions of many kinds, in an order that a seed makes. */
static void fill_code(guint8 *bytes, guint32 seed)
{
	static const guint8 opcodes[] = {0x01, 0x09, 0x11, 0x21, 0x29, 0x31, 0x39, 0x85, 0x89, 0x87};
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	for (guint i = 0; i < LARGE_BYTES; i += 2) {
		bytes[i] = opcodes[g_rand_int_range(random, 0, G_N_ELEMENTS(opcodes))];
		bytes[i + 1] = (guint8)(0xc0 | g_rand_int_range(random, 0, 64));
	}
}

static void edited_code_has_a_similar_sketch(void **state)
{
	(void)state;
	guint8 code[LARGE_BYTES], edited[LARGE_BYTES], other[LARGE_BYTES];
	fill_code(code, 1);
	fill_code(other, 2);
	memcpy(edited, code, sizeof code);
	edited[100] = 0x31;
	edited[102] = 0x85;
	assert_true(sketched(code, sizeof code).hash != sketched(edited, sizeof edited).hash);
	assert_in_range(bits_apart(code, edited), 0, 14);
	assert_in_range(bits_apart(code, other), 18, 64);
}

static void registers_do_not_change_the_sketch(void **state)
{
	(void)state;
	guint8 code[LARGE_BYTES], edited[LARGE_BYTES];
	fill_code(code, 1);
	memcpy(edited, code, sizeof code);
	for (guint i = 1; i < sizeof edited; i += 2)
		edited[i] = (guint8)(edited[i] ^ 1);
	assert_true(sketched(code, sizeof code).hash != sketched(edited, sizeof edited).hash);
	assert_true(sketched(code, sizeof code).sketch == sketched(edited, sizeof edited).sketch);
}

static void a_small_function_has_no_sketch(void **state)
{
	(void)state;
	guint8 code[LARGE_BYTES];
	fill_code(code, 1);
	assert_int_equal(sketched(code, 40).sketch, 0);
	assert_int_not_equal(sketched(code, 60).sketch, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(x86_code_that_moved_has_the_same_hash),
	        cmocka_unit_test(x86_code_that_does_something_else_has_another_hash),
	        cmocka_unit_test(x86_fields_are_masked_or_not),
	        cmocka_unit_test(a_number_is_an_address_only_where_files_have_their_place),
	        cmocka_unit_test(parts_of_a_function_may_lie_anywhere),
	        cmocka_unit_test(arm_code_that_moved_has_the_same_hash),
	        cmocka_unit_test(arm_code_that_does_something_else_has_another_hash),
	        cmocka_unit_test(arm_fields_are_masked_or_not),
	        cmocka_unit_test(code_of_other_machines_is_its_bytes),
	        cmocka_unit_test(nothing_and_too_much_have_no_hash),
	        cmocka_unit_test(edited_code_has_a_similar_sketch),
	        cmocka_unit_test(registers_do_not_change_the_sketch),
	        cmocka_unit_test(a_small_function_has_no_sketch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
