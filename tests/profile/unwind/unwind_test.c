#include "profile/unwind/unwind.h"

#include "core/error.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A process with two modules; what is at an address of theirs follows from the address, see make_row(). */
enum {
	PID = 7,
	PROGRAM = 0x10000,
	LIBRARY = 0x20000,
	MODULE_BYTES = 0x1000,
	FUNCTION_BYTES = 0x100,
};
#define STACK G_GUINT64_CONSTANT(0x7ff000000000)

/* Functions of a module: each has another way to its caller. */
enum {
	LEAF,    /* has no frame: CFA = sp + 8 */
	FRAME,   /* keeps frame pointers */
	PLAIN,   /* 32 bytes of stack, does not touch the frame pointer */
	BORROW,  /* 32 bytes of stack, uses the frame pointer for something else */
	PUSHED,  /* has pushed the frame pointer and not moved it yet */
	ROOT,    /* has no caller */
	SIGNAL,  /* returns from a signal handler: all registers lie at the stack pointer */
	POPPED,  /* after `leave`, with rules as before it */
	START,   /* as PLAIN; what calls the program's first function */
	NOTHING, /* without call frame information */
};

enum { X86_BP = 6, X86_SP = 7, X86_IP = 16 };

typedef struct {
	Unwinder *unwinder;
	ProcessMaps *maps;
	GArray *addresses;
	guint64 words[64]; /* the stack */
	guint64 chain[64];
	guint64 values[4]; /* bp, sp, ip in the order of perf's bits */
	UnwindSample sample;
	guint n_read;
	gboolean is_unreadable;
	gulong read_takes_us;
	guint64 only; /* rows go no further than around this offset, unless it is 0 */
} Fixture;

static UnwindRow simple_row(gint32 frame_offset)
{
	UnwindRow row = {.frame_kind = UNWIND_FRAME_REGISTER,
	        .frame_register = X86_SP,
	        .frame_offset = frame_offset,
	        .return_column = X86_IP};
	row.rules[X86_IP] = (UnwindRule){.kind = UNWIND_AT_FRAME, .offset = -8};
	row.rules[X86_SP] = (UnwindRule){.kind = UNWIND_IS_FRAME};
	return row;
}

static UnwindRow signal_row(void)
{
	UnwindRow row = simple_row(16);
	row.frame_kind = UNWIND_FRAME_MEMORY;
	row.is_signal = TRUE;
	row.rules[X86_IP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 8};
	row.rules[X86_BP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 0};
	row.rules[X86_SP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 16};
	return row;
}

static UnwindRow make_row(guint function)
{
	UnwindRow row = simple_row(function == LEAF || function == ROOT || function == POPPED ? 8 : 32);
	if (function == NOTHING)
		return (UnwindRow){.frame_kind = UNWIND_FRAME_UNKNOWN};
	if (function == SIGNAL)
		return signal_row();
	if (function == ROOT)
		row.rules[X86_IP].kind = UNWIND_UNDEFINED;
	if (function == FRAME || function == PUSHED)
		row.frame_offset = 16;
	if (function == FRAME)
		row.frame_register = X86_BP;
	if (function == FRAME || function == PUSHED || function == POPPED || function == BORROW)
		row.rules[X86_BP] = (UnwindRule){.kind = UNWIND_AT_FRAME, .offset = -16};
	return row;
}

static gboolean read_made_up(
        gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	Fixture *f = data;
	UnwindRow row = make_row((guint)file_offset / FUNCTION_BYTES);
	f->n_read++;
	g_usleep(f->read_takes_us);
	if (f->is_unreadable)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "no. %u: %s is gone", f->n_read, file->path);
	row.start = file_offset / FUNCTION_BYTES * FUNCTION_BYTES;
	row.end = row.start + FUNCTION_BYTES;
	if (file_offset == f->only) {
		row.start = file_offset;
		row.end = file_offset + 1;
	}
	g_array_append_val(rows, row);
	return TRUE;
}

static void map_module(Fixture *f, guint64 start, const char *path)
{
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
	record.mmap = (PerfDataMmap){.start = start, .length = MODULE_BYTES, .path = path};
	process_maps_apply(f->maps, &record);
}

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->unwinder = unwinder_new_reading(read_made_up, f);
	f->maps = process_maps_new(NULL);
	f->addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
	map_module(f, PROGRAM, "/bin/program");
	map_module(f, LIBRARY, "/lib/library.so");
	f->sample = (UnwindSample){.machine = UNWIND_X86_64,
	        .pid = PID,
	        .registers = {.mask = 1 << 6 | 1 << 7 | 1 << 8, .values = f->values},
	        .stack = (const guint8 *)f->words,
	        .stack_bytes = sizeof f->words,
	        .chain = f->chain};
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	unwinder_free(f->unwinder);
	process_maps_free(f->maps);
	g_array_unref(f->addresses);
	g_free(f);
	return 0;
}

/* An address in a function. */
static guint64 in(guint64 module, guint function)
{
	return module + function * FUNCTION_BYTES + 0x10;
}

static guint64 slot(guint word)
{
	return STACK + word * sizeof(guint64);
}

/* Interrupted at `ip`, with the frame pointer at this word of the stack. */
static void interrupt_at(Fixture *f, guint64 ip, guint record)
{
	f->values[0] = slot(record);
	f->values[1] = STACK;
	f->values[2] = ip;
}

/* A frame record: the frame pointer of the caller, which lies at word `next`, and the address to return to. */
static void put_record(Fixture *f, guint at, guint next, guint64 address)
{
	f->words[at] = next != 0 ? slot(next) : 0;
	f->words[at + 1] = address;
}

/* Follows the stack as the kernel does: from record to record. */
static void follow_as_kernel(Fixture *f)
{
	guint64 at = f->values[0];
	f->chain[0] = f->values[2];
	f->sample.chain_length = 1;
	while (at >= STACK && at < slot(G_N_ELEMENTS(f->words) - 1) && f->sample.chain_length < 63) {
		guint word = (guint)((at - STACK) / sizeof(guint64));
		f->chain[f->sample.chain_length++] = f->words[word + 1];
		at = f->words[word];
	}
}

static void assert_addresses(const Fixture *f, const guint64 *expected, guint n)
{
	for (guint i = 0; i < MIN(n, f->addresses->len); i++)
		assert_int_equal(g_array_index(f->addresses, guint64, i), expected[i]);
	assert_int_equal(f->addresses->len, n);
}

#define ASSERT_ADDRESSES(f, ...)                                                                                       \
	do {                                                                                                           \
		const guint64 list_[] = {__VA_ARGS__};                                                                 \
		assert_addresses(f, list_, G_N_ELEMENTS(list_));                                                       \
	} while (0)

static UnwindEnd repair(Fixture *f)
{
	return unwinder_repair(f->unwinder, f->maps, &f->sample, f->addresses);
}

static UnwindEnd walk(Fixture *f)
{
	return unwinder_walk(f->unwinder, f->maps, &f->sample, f->addresses);
}

/* Three functions with frame pointers, called from the library, under the interrupted one. Its own part of the stack
 * are the words before `first`. */
static void put_program(Fixture *f, guint first)
{
	put_record(f, first, first + 4, in(PROGRAM, FRAME) + 1);
	put_record(f, first + 4, first + 8, in(PROGRAM, FRAME) + 2);
	put_record(f, first + 8, 0, in(LIBRARY, START));
	/* the library's frame is of 32 bytes; the frame record before it ends at first + 10 */
	f->words[first + 13] = in(LIBRARY, START) + 4;
	f->words[first + 17] = in(PROGRAM, ROOT);
}

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

/* As qsort() with its callback. */
static void put_callback(Fixture *f, guint64 frame_pointer)
{
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_record(f, 2, 0, in(LIBRARY, BORROW));
	f->words[2] = frame_pointer;
	f->words[6] = slot(8);
	f->words[7] = in(PROGRAM, FRAME) + 5;
	put_program(f, 8);
	follow_as_kernel(f);
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

/* --- what is remembered --- */

static void code_is_read_once(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_program(f, 2);
	follow_as_kernel(f);
	repair(f);
	guint n = f->n_read;
	repair(f);
	assert_int_equal(f->n_read, n);
}

static void the_same_path_of_another_build_is_another_file(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	guint n = f->n_read;
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
	record.mmap = (PerfDataMmap){.start = PROGRAM,
	        .length = MODULE_BYTES,
	        .path = "/bin/program",
	        .build_id = {1, 2, 3},
	        .build_id_length = 20};
	process_maps_apply(f->maps, &record);
	walk(f);
	assert_int_equal(f->n_read, n + 1);
}

static void one_unwinder_serves_several_recordings(void **state)
{
	Fixture *f = *state;
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	guint n = f->n_read;
	process_maps_free(f->maps);
	f->maps = process_maps_new(NULL);
	map_module(f, LIBRARY, "/lib/library.so");
	map_module(f, PROGRAM, "/bin/program");
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	assert_int_equal(f->n_read, n);
}

static void the_first_reason_for_missing_rows_is_kept(void **state)
{
	Fixture *f = *state;
	put_callback(f, 12345);
	repair(f);
	assert_null(unwinder_problem(f->unwinder));
	f->is_unreadable = TRUE;
	map_module(f, PROGRAM, "/bin/other");
	repair(f);
	f->words[0] = 0;
	map_module(f, PROGRAM, "/bin/another");
	repair(f);
	g_autofree char *expected = g_strdup_printf("no. %u: /bin/other is gone", f->n_read - 1);
	assert_string_equal(unwinder_problem(f->unwinder)->message, expected);
}

static void memory_without_a_file_is_no_problem(void **state)
{
	Fixture *f = *state;
	f->is_unreadable = TRUE;
	map_module(f, PROGRAM, "/tmp/ffiAbCdEf (deleted)");
	interrupt_at(f, in(PROGRAM, ROOT), 1);
	walk(f);
	assert_int_equal(f->n_read, 1);
	assert_null(unwinder_problem(f->unwinder));
}

/* Files can be made to be slow. */
static void when_the_time_for_reading_is_used_up_the_rest_is_unknown(void **state)
{
	Fixture *f = *state;
	f->read_takes_us = 3000;
	unwinder_set_budget(f->unwinder, 1000);
	interrupt_at(f, in(LIBRARY, LEAF), 1);
	f->words[0] = in(PROGRAM, ROOT);
	walk(f);
	assert_int_equal(f->n_read, 1);
	assert_non_null(strstr(unwinder_problem(f->unwinder)->message, "/bin/program"));
	walk(f);
	assert_int_equal(f->n_read, 1);
	ASSERT_ADDRESSES(f, in(LIBRARY, LEAF), in(PROGRAM, ROOT));
}

/* A byte that was known before made the whole row of its function unusable, so that each address was asked for. */
static void a_row_around_what_is_known_is_used(void **state)
{
	Fixture *f = *state;
	f->only = PLAIN * FUNCTION_BYTES + 0x80;
	f->words[4] = in(PROGRAM, ROOT);
	interrupt_at(f, PROGRAM + f->only, 1);
	assert_int_equal(walk(f), UNWIND_COMPLETE);
	guint n = f->n_read;
	f->only = 0;
	for (guint i = 0; i < FUNCTION_BYTES; i++) {
		interrupt_at(f, PROGRAM + PLAIN * FUNCTION_BYTES + i, 1);
		assert_int_equal(walk(f), UNWIND_COMPLETE);
	}
	assert_int_equal(f->n_read, n + 2);
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

/* --- a real stack: our own --- */

static gboolean read_file(gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	ObjectFile object;
	(void)data;
	if (!object_file_open(&object, file->path, error))
		return FALSE;
	unwind_rows_read(&object, file_offset, rows);
	object_file_close(&object);
	return TRUE;
}

/* Lines of /proc/self/maps: start-end rwxp offset device inode path */
static void map_ourselves(ProcessMaps *maps)
{
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents("/proc/self/maps", &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		guint64 start, end, offset;
		char executable, path[4096];
		if (sscanf(*line,
		            "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %*c%*c%c%*c %" G_GINT64_MODIFIER
		            "x %*s %*s %4095s",
		            &start, &end, &executable, &offset, path) != 5)
			continue;
		PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
		record.mmap =
		        (PerfDataMmap){.start = start, .length = end - start, .page_offset = offset, .path = path};
		record.mmap.is_data = executable != 'x';
		process_maps_apply(maps, &record);
	}
}

static Fixture *capturing;
static guint64 callers[2];

#ifdef __x86_64__

/* The registers here and now, and the stack above. */
static __attribute__((noinline)) void capture(void)
{
	Fixture *f = capturing;
	guint64 values[8] = {0};
	static guint64 all[11];
	static guint8 stack[16384];
	__asm__ volatile(
	        "movq %%rbx, %0\n\tmovq %%rbp, %1\n\tmovq %%rsp, %2\n\tleaq 0(%%rip), %%rax\n\tmovq %%rax, %3\n\t"
	        "movq %%r12, %4\n\tmovq %%r13, %5\n\tmovq %%r14, %6\n\tmovq %%r15, %7"
	        : "=m"(values[0]), "=m"(values[1]), "=m"(values[2]), "=m"(values[3]), "=m"(values[4]), "=m"(values[5]),
	        "=m"(values[6]), "=m"(values[7])
	        :
	        : "rax", "memory");
	/* perf's order; ax, r10 and r11 hold nothing of use here */
	const guint64 in_order[11] = {
	        0, values[0], values[1], values[2], values[3], 0, 0, values[4], values[5], values[6], values[7]};
	memcpy(all, in_order, sizeof all);
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	gssize n = pread(memory, stack, sizeof stack, (off_t)values[2]);
	close(memory);
	f->sample.registers = (PerfDataRegisters){.mask = unwind_registers_needed(UNWIND_X86_64), .values = all};
	f->sample.stack = stack;
	f->sample.stack_bytes = n > 0 ? (gsize)n : 0;
	f->sample.chain_length = 0;
}

static __attribute__((noinline)) int compare_and_capture(const void *one, const void *other)
{
	if (capturing->sample.stack_bytes == 0) {
		callers[0] = (guint64)(guintptr)__builtin_return_address(0);
		capture();
	}
	return *(const int *)one - *(const int *)other;
}

static __attribute__((noinline)) void sort_and_capture(void)
{
	int numbers[] = {3, 1, 2, 5, 4, 9, 7};
	callers[1] = (guint64)(guintptr)__builtin_return_address(0);
	qsort(numbers, G_N_ELEMENTS(numbers), sizeof *numbers, compare_and_capture);
	__asm__ volatile("" ::"r"(numbers) : "memory");
}

static gboolean has_address(const GArray *addresses, guint64 address)
{
	for (guint i = 0; i < addresses->len; i++)
		if (g_array_index(addresses, guint64, i) == address)
			return TRUE;
	return FALSE;
}

static void a_walk_through_the_c_library_finds_who_sorts(void **state)
{
	Fixture *f = *state;
	unwinder_free(f->unwinder);
	f->unwinder = unwinder_new_reading(read_file, NULL);
	map_ourselves(f->maps);
	f->sample.stack_bytes = 0;
	capturing = f;
	sort_and_capture();
	UnwindEnd end = walk(f);
	assert_true(end == UNWIND_COMPLETE || end == UNWIND_STACK_END);
	assert_true(f->addresses->len > 5);
	assert_true(has_address(f->addresses, callers[0]));
	assert_true(has_address(f->addresses, callers[1]));
	repair(f);
	assert_true(has_address(f->addresses, callers[1]));
}

#endif

/* --- hostile input --- */

static gboolean read_random(
        gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	GRand *random = data;
	(void)file;
	(void)error;
	for (guint i = g_rand_int(random) % 4; i > 0; i--) {
		UnwindRow row;
		for (gsize at = 0; at < sizeof row; at++)
			((guint8 *)&row)[at] = (guint8)(g_rand_int(random) % (at % 3 == 0 ? 5 : 256));
		row.start = file_offset - g_rand_int(random) % 8;
		row.end = row.start + g_rand_int(random) % 24;
		row.frame_kind %= 4;
		row.frame_register %= UNWIND_REGISTERS + 1;
		row.return_column %= UNWIND_REGISTERS + 1;
		row.frame_offset %= 64;
		for (guint k = 0; k < UNWIND_REGISTERS; k++)
			row.rules[k] = (UnwindRule){.kind = (guint8)(g_rand_int(random) % 7 == 0 ? 255 : k % 6),
			        .number = (guint8)(g_rand_int(random) % (UNWIND_REGISTERS + (i == 1))),
			        .offset = (gint32)g_rand_int(random) % 128};
		g_array_append_val(rows, row);
	}
	return g_rand_int(random) % 64 != 0;
}

static void randomize(Fixture *f, GRand *random)
{
	static const guint64 places[] = {PROGRAM, LIBRARY, STACK, 0, G_MAXUINT64 - 4096};
	guint64 *lists[] = {f->words, f->chain};
	for (guint list = 0; list < G_N_ELEMENTS(lists); list++)
		for (guint i = 0; i < G_N_ELEMENTS(f->words); i++)
			lists[list][i] = places[g_rand_int(random) % G_N_ELEMENTS(places)] + g_rand_int(random) % 600;
	interrupt_at(f, PROGRAM + g_rand_int(random) % MODULE_BYTES, g_rand_int(random) % 80);
	f->values[3] = g_rand_int(random);
	f->sample.stack_bytes = g_rand_int(random) % (sizeof f->words + 1);
	f->sample.chain_length = g_rand_int(random) % 64;
	f->sample.machine = g_rand_int(random) % 2 == 0 ? UNWIND_X86_64 : UNWIND_AARCH64;
	f->sample.registers.mask =
	        f->sample.machine == UNWIND_X86_64 ? 1 << 6 | 1 << 7 | 1 << 8 : G_GUINT64_CONSTANT(0xf) << 29;
}

static void random_rows_and_stacks_do_no_harm(void **state)
{
	Fixture *f = *state;
	g_autoptr(GRand) random = g_rand_new_with_seed(20);
	for (guint round = 0; round < 200; round++) {
		unwinder_free(f->unwinder);
		f->unwinder = unwinder_new_reading(read_random, random);
		for (guint i = 0; i < 100; i++) {
			randomize(f, random);
			UnwindEnd end = g_rand_int(random) % 2 == 0 ? walk(f) : repair(f);
			assert_true(end <= UNWIND_FAILED);
			assert_true(f->addresses->len > 0 && f->addresses->len <= 1024 + 64);
			assert_int_equal(g_array_index(f->addresses, guint64, 0),
			        f->sample.machine == UNWIND_X86_64 ? f->values[2] : f->values[3]);
		}
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
	        TEST(code_is_read_once),
	        TEST(the_same_path_of_another_build_is_another_file),
	        TEST(one_unwinder_serves_several_recordings),
	        TEST(the_first_reason_for_missing_rows_is_kept),
	        TEST(memory_without_a_file_is_no_problem),
	        TEST(when_the_time_for_reading_is_used_up_the_rest_is_unknown),
	        TEST(a_row_around_what_is_known_is_used),
	        TEST(a_leaf_of_aarch64_has_its_caller_in_the_link_register),
	        TEST(a_link_register_is_believed_only_in_the_first_frame),
#ifdef __x86_64__
	        TEST(a_walk_through_the_c_library_finds_who_sorts),
#endif
	        TEST(random_rows_and_stacks_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
