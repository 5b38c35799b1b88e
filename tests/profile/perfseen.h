/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a recording that a test made, and notes what the reader hands out. */
#pragma once

#include "profile/perfdata/perfdata.h"
#include "tests/profile/perfwriter.h"
#include "tests/profile/sharedfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The records that were seen: one word for each, and the last sample with all that it points to. */
typedef struct {
	GString *log;
	guint n_begun;
	guint64 last_time_ns;
	gboolean in_order;
	PerfDataRecord last_sample; /* its pointers lead into the copies below */
	GArray *chain, *registers, *calls;
	GByteArray *stack;
	PerfDataSummary summary; /* empty if reading failed */
	GError *error;           /* NULL if it did not */
} Seen;

static inline gboolean seen_begin(gpointer data, const PerfDataSummary *summary, GError **error)
{
	(void)error;
	((Seen *)data)->n_begun += summary->events->len > 0;
	return TRUE;
}

/* The bytes after the sample are overwritten later, so they are copied. */
static inline void seen_copy_sample(Seen *seen, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	const PerfDataRegisters *registers = &sample->user_registers;
	seen->last_sample = *record;
	g_array_set_size(seen->chain, 0);
	g_array_set_size(seen->registers, 0);
	g_array_set_size(seen->calls, 0);
	g_byte_array_set_size(seen->stack, 0);
	if (sample->chain_length > 0)
		g_array_append_vals(seen->chain, sample->chain, sample->chain_length);
	for (guint64 left = registers->mask, i = 0; left != 0; left &= left - 1, i++)
		g_array_append_val(seen->registers, registers->values[i]);
	if (sample->n_calls > 0)
		g_array_append_vals(seen->calls, sample->calls, sample->n_calls);
	if (sample->user_stack_bytes > 0)
		g_byte_array_append(seen->stack, sample->user_stack, sample->user_stack_bytes);
}

static inline void seen_record(gpointer data, const PerfDataRecord *record)
{
	static const char *const kinds[] = {"sample", "mmap", "comm", "fork", "exit", "switch"};
	Seen *seen = data;
	seen->in_order = seen->in_order && record->time_ns >= seen->last_time_ns;
	seen->last_time_ns = record->time_ns;
	g_string_append_printf(seen->log, "%s@%" G_GUINT64_FORMAT " ", kinds[record->kind], record->time_ns);
	if (record->kind == PERF_DATA_SAMPLE)
		seen_copy_sample(seen, record);
}

static const PerfDataVisitor seen_visitor = {.begin = seen_begin, .record = seen_record};

static inline void seen_init(Seen *seen)
{
	*seen = (Seen){
	        .log = g_string_new(NULL),
	        .in_order = TRUE,
	        .chain = g_array_new(FALSE, FALSE, sizeof(guint64)),
	        .registers = g_array_new(FALSE, FALSE, sizeof(guint64)),
	        .calls = g_array_new(FALSE, FALSE, sizeof(PerfDataBranch)),
	        .stack = g_byte_array_new(),
	};
}

static inline void seen_clear(Seen *seen)
{
	g_string_free(seen->log, TRUE);
	g_array_unref(seen->chain);
	g_array_unref(seen->registers);
	g_array_unref(seen->calls);
	g_byte_array_unref(seen->stack);
	perfdata_summary_clear(&seen->summary);
	g_clear_error(&seen->error);
}

/* Reads the first `length` bytes, from a copy of exactly that size, so that reading further is noticed. */
static inline gboolean seen_read_bytes(Seen *seen, const GByteArray *bytes, gsize length)
{
	g_autofree guint8 *copy = g_memdup2(bytes->data, length);
	seen_init(seen);
	return perfdata_read_bytes(copy, length, "test.data", &seen_visitor, seen, &seen->summary, &seen->error);
}

static inline gboolean seen_read_file(Seen *seen, const char *path)
{
	seen_init(seen);
	return perfdata_read(path, &seen_visitor, seen, &seen->summary, &seen->error);
}

/* Reads what the writer has, as a file or as a pipe; a failure fails the test. */
static inline void seen_read(Seen *seen, const PerfWriter *writer, gboolean as_pipe)
{
	g_autoptr(GByteArray) bytes = as_pipe ? perf_writer_pipe(writer) : perf_writer_file(writer);
	gboolean ok = seen_read_bytes(seen, bytes, bytes->len);
	if (!ok)
		print_message("%s\n", seen->error->message);
	assert_true(ok);
	assert_null(seen->error);
}
