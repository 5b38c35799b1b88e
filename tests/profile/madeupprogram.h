/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of unwinding share a process with two modules that are made up, its stack, and the ways in which functions
 * of it find their callers. */
#pragma once

#include "profile/unwind/unwind.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static inline UnwindRow simple_row(gint32 frame_offset)
{
	UnwindRow row = {.frame_kind = UNWIND_FRAME_REGISTER,
	        .frame_register = X86_SP,
	        .frame_offset = frame_offset,
	        .return_column = X86_IP};
	row.rules[X86_IP] = (UnwindRule){.kind = UNWIND_AT_FRAME, .offset = -8};
	row.rules[X86_SP] = (UnwindRule){.kind = UNWIND_IS_FRAME};
	return row;
}

static inline UnwindRow signal_row(void)
{
	UnwindRow row = simple_row(16);
	row.frame_kind = UNWIND_FRAME_MEMORY;
	row.is_signal = TRUE;
	row.rules[X86_IP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 8};
	row.rules[X86_BP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 0};
	row.rules[X86_SP] = (UnwindRule){.kind = UNWIND_AT_REGISTER, .number = X86_SP, .offset = 16};
	return row;
}

static inline UnwindRow make_row(guint function)
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

static inline gboolean read_made_up(
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

static inline void map_module(Fixture *f, guint64 start, const char *path)
{
	PerfDataRecord record = {.kind = PERF_DATA_MMAP, .pid = PID, .tid = PID};
	record.mmap = (PerfDataMmap){.start = start, .length = MODULE_BYTES, .path = path};
	process_maps_apply(f->maps, &record);
}

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	Fixture *f = *state;
	unwinder_free(f->unwinder);
	process_maps_free(f->maps);
	g_array_unref(f->addresses);
	g_free(f);
	return 0;
}

/* An address in a function. */
static inline guint64 in(guint64 module, guint function)
{
	return module + function * FUNCTION_BYTES + 0x10;
}

static inline guint64 slot(guint word)
{
	return STACK + word * sizeof(guint64);
}

/* Interrupted at `ip`, with the frame pointer at this word of the stack. */
static inline void interrupt_at(Fixture *f, guint64 ip, guint record)
{
	f->values[0] = slot(record);
	f->values[1] = STACK;
	f->values[2] = ip;
}

/* A frame record: the frame pointer of the caller, which lies at word `next`, and the address to return to. */
static inline void put_record(Fixture *f, guint at, guint next, guint64 address)
{
	f->words[at] = next != 0 ? slot(next) : 0;
	f->words[at + 1] = address;
}

/* Follows the stack as the kernel does: from record to record. */
static inline void follow_as_kernel(Fixture *f)
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

static inline void assert_addresses(const Fixture *f, const guint64 *expected, guint n)
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

static inline UnwindEnd repair(Fixture *f)
{
	return unwinder_repair(f->unwinder, f->maps, &f->sample, f->addresses);
}

static inline UnwindEnd walk(Fixture *f)
{
	return unwinder_walk(f->unwinder, f->maps, &f->sample, f->addresses);
}

/* Three functions with frame pointers, called from the library, under the interrupted one. Its own part of the stack
 * are the words before `first`. */
static inline void put_program(Fixture *f, guint first)
{
	put_record(f, first, first + 4, in(PROGRAM, FRAME) + 1);
	put_record(f, first + 4, first + 8, in(PROGRAM, FRAME) + 2);
	put_record(f, first + 8, 0, in(LIBRARY, START));
	/* the library's frame is of 32 bytes; the frame record before it ends at first + 10 */
	f->words[first + 13] = in(LIBRARY, START) + 4;
	f->words[first + 17] = in(PROGRAM, ROOT);
}

/* As qsort() with its callback. */
static inline void put_callback(Fixture *f, guint64 frame_pointer)
{
	interrupt_at(f, in(PROGRAM, FRAME), 2);
	put_record(f, 2, 0, in(LIBRARY, BORROW));
	f->words[2] = frame_pointer;
	f->words[6] = slot(8);
	f->words[7] = in(PROGRAM, FRAME) + 5;
	put_program(f, 8);
	follow_as_kernel(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
