/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/profile/madeupprogram.h"

/* --- repair --- */

static void a_leaf_gets_its_caller_back(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	assert_int_equal(f->sample.chain_length, 4);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(PROGRAM, FRAME), in(PROGRAM, FRAME) + 1, in(PROGRAM, FRAME) + 2,
	        in(LIBRARY, START));
}

static void a_function_that_has_just_pushed_the_frame_pointer_has_a_caller(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, PUSHED), 2);
	put_record(f, 0, 2, in(PROGRAM, FRAME));
	put_program(f, 2);
	follow_as_kernel(f);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, PUSHED), in(PROGRAM, FRAME), in(PROGRAM, FRAME) + 1, in(PROGRAM, FRAME) + 2,
	        in(LIBRARY, START));
}

static void a_register_whose_slot_was_popped_has_its_value_back(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, POPPED), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	assert_int_equal(f->addresses->len, 5);
}

static void a_chain_of_frame_pointers_stays_as_it_is(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_program(f, 2);
	follow_as_kernel(f);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	assert_addresses(f, f->chain, f->sample.chain_length);
}

/* However short the piece of stack is: what the kernel had right stays, and nothing comes twice. */
static void no_piece_of_stack_is_too_short_to_keep_the_chain(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_program(f, 2);
	follow_as_kernel(f);
	for (f->sample.stack_bytes = 0; f->sample.stack_bytes <= sizeof f->words; f->sample.stack_bytes++) {
		assert_int_equal(repair(f), UNWIND_COMPLETE);
		assert_addresses(f, f->chain, f->sample.chain_length);
	}
}

static void a_leaf_is_repaired_with_any_piece_that_has_its_return_address(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	for (f->sample.stack_bytes = 8; f->sample.stack_bytes <= sizeof f->words; f->sample.stack_bytes++) {
		assert_int_equal(repair(f), UNWIND_COMPLETE);
		assert_int_equal(f->addresses->len, f->sample.chain_length + 1);
	}
	f->sample.stack_bytes = 7;
	assert_int_equal(repair(f), UNWIND_STACK_END);
	assert_addresses(f, f->chain, f->sample.chain_length);
}

static void a_function_without_frame_between_two_with_one_is_not_lost(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_record(f, 2, 8, in(LIBRARY, PLAIN));
	f->words[7] = in(PROGRAM, FRAME) + 5;
	put_program(f, 8);
	follow_as_kernel(f);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), in(LIBRARY, PLAIN), in(PROGRAM, FRAME) + 5, in(PROGRAM, FRAME) + 1,
	        in(PROGRAM, FRAME) + 2, in(LIBRARY, START));
}

static void the_caller_of_a_library_that_uses_the_frame_pointer_for_data_is_found(void **state)
{
	Fixture *f = *state;
	put_callback(f, 12345);
	assert_int_equal(f->sample.chain_length, 2);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), in(LIBRARY, BORROW), in(PROGRAM, FRAME) + 5, in(PROGRAM, FRAME) + 1,
	        in(PROGRAM, FRAME) + 2, in(LIBRARY, START));
}

static void data_that_the_kernel_took_for_a_frame_goes(void **state)
{
	Fixture *f = *state;
	put_callback(f, slot(40));
	f->words[41] = 0xdead;
	follow_as_kernel(f);
	assert_int_equal(f->chain[2], 0xdead);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	assert_int_equal(f->addresses->len, 6);
	/* nor is it taken where the piece of stack ends before the library's caller is known */
	f->sample.stack_bytes = 5 * sizeof(guint64);
	assert_int_equal(repair(f), UNWIND_STACK_END);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), in(LIBRARY, BORROW));
}

static void without_registers_the_chain_stays(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	f->sample.registers.mask = 0;
	assert_int_equal(repair(f), UNWIND_FAILED);
	assert_addresses(f, f->chain, f->sample.chain_length);
	f->sample.registers =
	        (PerfDataRegisters){.mask = 1 << 6 | 1 << 7 | 1 << 8, .is_32bit = TRUE, .values = f->values};
	assert_int_equal(repair(f), UNWIND_FAILED);
	assert_addresses(f, f->chain, f->sample.chain_length);
}

static void without_frame_information_the_chain_stays(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	f->is_unreadable = TRUE;
	repair(f);
	assert_addresses(f, f->chain, f->sample.chain_length);
	assert_int_equal(f->n_read, 2); /* one for each file */
}

/* The kernel puts the word at the stack pointer into the chain if a probe sits on the first instruction. */
static void a_caller_that_the_kernel_found_comes_once(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, FRAME);
	put_program(f, 1);
	follow_as_kernel(f);
	memmove(f->chain + 2, f->chain + 1, 3 * sizeof *f->chain);
	f->chain[1] = in(PROGRAM, FRAME);
	f->sample.chain_length = 5;
	for (f->sample.stack_bytes = 24; f->sample.stack_bytes <= sizeof f->words; f->sample.stack_bytes += 8) {
		assert_int_equal(repair(f), UNWIND_COMPLETE);
		assert_addresses(f, f->chain, 5);
	}
}

/* --- signals --- */

/* A handler that has a frame, called by the kernel while a function of the library without one ran, which a function
 * with frame called. */
static void put_handler(Fixture *f, guint64 interrupted)
{
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_record(f, 2, 20, LIBRARY + SIGNAL * FUNCTION_BYTES + 1);
	f->words[4] = slot(20); /* what the kernel saved: frame pointer, instruction, stack pointer */
	f->words[5] = interrupted;
	f->words[6] = slot(19);
	f->words[19] = in(PROGRAM, FRAME) + 5;
	put_program(f, 20);
	follow_as_kernel(f);
}

static void what_a_signal_interrupted_is_found_one_byte_earlier_as_its_callers(void **state)
{
	Fixture *f = *state;
	const guint64 first_byte = PROGRAM + LEAF * FUNCTION_BYTES;
	put_handler(f, first_byte);
	assert_int_equal(repair(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), LIBRARY + SIGNAL * FUNCTION_BYTES + 2, first_byte + 1,
	        in(PROGRAM, FRAME) + 5, in(PROGRAM, FRAME) + 1, in(PROGRAM, FRAME) + 2, in(LIBRARY, START));
}

/* The kernel's chain goes on with the caller of the interrupted function, or with that of its caller. */
static void a_chain_across_a_signal_is_incomplete_if_the_interrupted_function_is_lost(void **state)
{
	Fixture *f = *state;
	put_handler(f, in(PROGRAM, LEAF));
	for (f->sample.stack_bytes = 0; f->sample.stack_bytes < 7 * sizeof(guint64); f->sample.stack_bytes++) {
		assert_int_equal(repair(f), UNWIND_STACK_END);
		ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), LIBRARY + SIGNAL * FUNCTION_BYTES + 2, in(PROGRAM, FRAME) + 1,
		        in(PROGRAM, FRAME) + 2, in(LIBRARY, START));
	}
}

/* A handler is called without frame pointer as main() is, and is no root. */
static void a_signal_handler_is_no_root(void **state)
{
	Fixture *f = *state;
	put_handler(f, in(LIBRARY, LEAF));
	f->words[4] = 0;
	put_record(f, 2, 0, LIBRARY + SIGNAL * FUNCTION_BYTES + 1);
	follow_as_kernel(f);
	assert_int_equal(f->sample.chain_length, 2);
	f->sample.stack_bytes = 8 * sizeof(guint64);
	assert_int_equal(repair(f), UNWIND_STACK_END);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), LIBRARY + SIGNAL * FUNCTION_BYTES + 2, in(LIBRARY, LEAF) + 1);
	/* nor is it where the kernel's chain ends with it */
	f->sample.stack_bytes = 2 * sizeof(guint64);
	assert_int_equal(repair(f), UNWIND_STACK_END);
	ASSERT_ADDRESSES(f, in(PROGRAM, FRAME), LIBRARY + SIGNAL * FUNCTION_BYTES + 2);
}

/* --- walk --- */

static void a_walk_goes_from_the_leaf_to_the_root(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->values[0] = 99;
	f->words[0] = in(LIBRARY, BORROW);
	f->words[4] = in(PROGRAM, PLAIN);
	f->words[8] = in(PROGRAM, ROOT);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(LIBRARY, BORROW), in(PROGRAM, PLAIN), in(PROGRAM, ROOT));
}

static void a_walk_ends_with_the_piece_of_stack(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(LIBRARY, PLAIN);
	f->words[4] = in(PROGRAM, ROOT);
	f->sample.stack_bytes = 4 * sizeof(guint64) + 7;
	assert_int_equal(walk(f), UNWIND_STACK_END);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(LIBRARY, PLAIN));
}

static void a_return_address_of_zero_is_the_root(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, LEAF), 1);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, LEAF));
}

static void a_call_at_the_end_of_a_function_belongs_to_it(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	/* the first byte of the function after: PLAIN, whose frame is another one */
	f->words[0] = PROGRAM + (LEAF + 1) * FUNCTION_BYTES;
	f->words[1] = in(PROGRAM, ROOT);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), PROGRAM + (LEAF + 1) * FUNCTION_BYTES, in(PROGRAM, ROOT));
}

static void an_interrupted_function_is_found_at_its_very_address(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, LEAF), 1);
	f->words[0] = in(LIBRARY, SIGNAL);
	/* interrupted at the first byte of ROOT; one less is BORROW and PUSHED's */
	f->words[1] = 0;
	f->words[2] = PROGRAM + ROOT * FUNCTION_BYTES;
	f->words[3] = slot(20);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, LEAF), in(LIBRARY, SIGNAL) + 1, PROGRAM + ROOT * FUNCTION_BYTES + 1);
}

static void code_without_frame_information_is_left_by_the_frame_pointer(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, NOTHING), 2);
	put_record(f, 2, 0, in(PROGRAM, ROOT));
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	ASSERT_ADDRESSES(f, in(PROGRAM, NOTHING), in(PROGRAM, ROOT));
}

static void data_is_no_frame_record(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, NOTHING), 2);
	put_record(f, 2, 0, 0xdead);
	assert_int_equal(walk(f), UNWIND_NO_ROW);
	ASSERT_ADDRESSES(f, in(PROGRAM, NOTHING));
}

static void a_walk_without_registers_has_nothing(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, LEAF), 1);
	f->sample.registers.mask = 1 << 6;
	assert_int_equal(walk(f), UNWIND_FAILED);
	assert_int_equal(f->addresses->len, 0);
}

/* --- aarch64: the return address is in a register, and may be signed --- */

enum { ARM_FP = 29, ARM_LR = 30, ARM_SP = 31 };

static gboolean read_arm(gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	guint function = (guint)file_offset / FUNCTION_BYTES;
	UnwindRow row = {.start = function * FUNCTION_BYTES,
	        .end = (function + 1) * FUNCTION_BYTES,
	        .frame_kind = UNWIND_FRAME_REGISTER,
	        .frame_register = ARM_SP,
	        .return_column = ARM_LR};
	(void)data;
	(void)file;
	(void)error;
	row.rules[ARM_SP] = (UnwindRule){.kind = UNWIND_IS_FRAME};
	if (function == ROOT)
		row.rules[ARM_LR].kind = UNWIND_UNDEFINED;
	if (function == FRAME) {
		row.frame_offset = 32;
		row.rules[ARM_FP] = (UnwindRule){.kind = UNWIND_AT_FRAME, .offset = -32};
		row.rules[ARM_LR] = (UnwindRule){.kind = UNWIND_AT_FRAME, .offset = -24};
	}
	g_array_append_val(rows, row);
	return TRUE;
}

static void put_arm(Fixture *f, guint64 link)
{
	const guint64 signature = G_GUINT64_CONSTANT(0x003a) << 48;
	unwinder_free(f->unwinder);
	f->unwinder = unwinder_new_reading(read_arm, NULL);
	f->sample.machine = UNWIND_AARCH64;
	f->sample.registers.mask = G_GUINT64_CONSTANT(0xf) << 29;
	f->values[0] = STACK;
	f->values[1] = link | signature;
	f->values[2] = STACK;
	f->values[3] = in(LIBRARY, LEAF);
	put_record(f, 0, 4, in(PROGRAM, FRAME) + 4);
	put_record(f, 4, 0, in(PROGRAM, ROOT));
	f->words[1] |= signature;
	const guint64 chain[] = {in(LIBRARY, LEAF), in(PROGRAM, FRAME) + 4, in(PROGRAM, ROOT)};
	memcpy(f->chain, chain, sizeof chain);
	f->sample.chain_length = G_N_ELEMENTS(chain);
}

static void a_leaf_of_aarch64_has_its_caller_in_the_link_register(void **state)
{
	Fixture *f = *state;
	put_arm(f, in(PROGRAM, FRAME));
	for (f->sample.stack_bytes = 0; f->sample.stack_bytes <= sizeof f->words; f->sample.stack_bytes += 8) {
		assert_int_equal(repair(f), UNWIND_COMPLETE);
		ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(PROGRAM, FRAME), in(PROGRAM, FRAME) + 4, in(PROGRAM, ROOT));
	}
}

static void a_link_register_is_believed_only_in_the_first_frame(void **state)
{
	Fixture *f = *state;
	put_arm(f, in(PROGRAM, LEAF));
	assert_int_equal(walk(f), UNWIND_FAILED);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(PROGRAM, LEAF));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_leaf_gets_its_caller_back),
	        TEST(a_function_that_has_just_pushed_the_frame_pointer_has_a_caller),
	        TEST(a_register_whose_slot_was_popped_has_its_value_back),
	        TEST(a_chain_of_frame_pointers_stays_as_it_is),
	        TEST(no_piece_of_stack_is_too_short_to_keep_the_chain),
	        TEST(a_leaf_is_repaired_with_any_piece_that_has_its_return_address),
	        TEST(a_function_without_frame_between_two_with_one_is_not_lost),
	        TEST(the_caller_of_a_library_that_uses_the_frame_pointer_for_data_is_found),
	        TEST(data_that_the_kernel_took_for_a_frame_goes),
	        TEST(without_registers_the_chain_stays),
	        TEST(without_frame_information_the_chain_stays),
	        TEST(a_caller_that_the_kernel_found_comes_once),
	        TEST(what_a_signal_interrupted_is_found_one_byte_earlier_as_its_callers),
	        TEST(a_chain_across_a_signal_is_incomplete_if_the_interrupted_function_is_lost),
	        TEST(a_signal_handler_is_no_root),
	        TEST(a_walk_goes_from_the_leaf_to_the_root),
	        TEST(a_walk_ends_with_the_piece_of_stack),
	        TEST(a_return_address_of_zero_is_the_root),
	        TEST(a_call_at_the_end_of_a_function_belongs_to_it),
	        TEST(an_interrupted_function_is_found_at_its_very_address),
	        TEST(code_without_frame_information_is_left_by_the_frame_pointer),
	        TEST(data_is_no_frame_record),
	        TEST(a_walk_without_registers_has_nothing),
	        TEST(a_leaf_of_aarch64_has_its_caller_in_the_link_register),
	        TEST(a_link_register_is_believed_only_in_the_first_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
