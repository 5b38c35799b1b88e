/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of writers: a profile with every kind of frame, in two versions on one table. */
#pragma once

#include "model/exported.h"
#include "tests/profile/readers.h"

/* A name that tries everything: quotes, a line break, what ends a script, a line separator, a byte that is no UTF-8. */
#define HOSTILE_NAME "a\"b\\c\n</script>\xe2\x80\xa8\xff"
#define HOSTILE_VISIBLE "a\"b\\c\n</script>\xe2\x80\xa8\\xff"

typedef struct {
	StackTable *table;
	Profile *base, *head;
	ExportedProfile one, both; /* head alone, and the comparison */
} ExportExample;

static inline FrameId example_frame(StackTable *table, const char *name, const char *module, FrameKind kind)
{
	Frame frame = {.kind = kind, .line = 7};
	frame.name = stack_table_name(table, name, -1);
	frame.raw_name = frame.name;
	frame.module = stack_table_name(table, module, -1);
	frame.file = stack_table_name(table, kind == FRAME_USER ? "lexi.c" : "", -1);
	return stack_table_frame(table, &frame);
}

/* command;main;parse;read_word, read_char inlined into read_word, memcpy of the C library, a hostile name. */
static inline void example_fill(ExportExample *e)
{
	StackTable *t = e->table;
	StackId comm = stack_table_push(t, STACK_ROOT, example_frame(t, "lexi", "", FRAME_COMMAND));
	StackId top = stack_table_push(t, comm, example_frame(t, "main", "lexi", FRAME_USER));
	StackId parse = stack_table_push(t, top, example_frame(t, "parse", "lexi", FRAME_USER));
	StackId word = stack_table_push(t, parse, example_frame(t, "read_word", "lexi", FRAME_INLINED));
	StackId letter = stack_table_push(t, word, example_frame(t, "read_char", "lexi", FRAME_INLINED));
	StackId copy = stack_table_push(t, letter, example_frame(t, "memcpy", "libc.so.6", FRAME_USER));
	StackId write = stack_table_push(t, top, example_frame(t, "vfs_write", "[kernel.kallsyms]", FRAME_KERNEL));
	StackId odd = stack_table_push(t, top, example_frame(t, HOSTILE_NAME, "lexi", FRAME_USER));
	profile_add(e->base, 0, parse, (ProfileCell){2, 2500000});
	profile_add(e->base, 0, letter, (ProfileCell){5, 5000000});
	profile_add(e->base, 1, letter, (ProfileCell){5, 5000000});
	profile_add(e->base, 0, write, (ProfileCell){1, 700000});
	profile_add(e->head, 0, letter, (ProfileCell){12, 12000000});
	profile_add(e->head, 0, copy, (ProfileCell){3, 3000000});
	profile_add(e->head, 1, parse, (ProfileCell){2, 2500000});
	profile_add(e->head, 0, odd, (ProfileCell){1, 1});
}

static inline int example_new(void **state, const char *event, const char *unit)
{
	ExportExample *e = g_new0(ExportExample, 1);
	e->table = stack_table_new();
	e->base = profile_new(e->table, event, unit);
	e->head = profile_new(e->table, event, unit);
	for (guint run = 0; run < 2; run++) {
		profile_add_run(e->base);
		profile_add_run(e->head);
	}
	example_fill(e);
	e->one = (ExportedProfile){.head = e->head, .name = "parse", .exporter = "firebreak 1"};
	e->both = e->one;
	e->both.base = e->base;
	*state = e;
	return 0;
}

static inline int example_of_time(void **state)
{
	return example_new(state, "cpu-clock", "ns");
}

static inline int example_tear_down(void **state)
{
	ExportExample *e = *state;
	profile_free(e->base);
	profile_free(e->head);
	stack_table_unref(e->table);
	g_free(e);
	return 0;
}

/* The same stacks with samples only, as a profile of its own. */
static inline Profile *example_counts(const Profile *profile)
{
	Profile *counts = profile_new(profile->table, "", "counts");
	profile_add_run(counts);
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		guint64 n = profile_stack_total(profile, (StackId){i}).samples;
		profile_add(counts, 0, (StackId){i}, (ProfileCell){n, n});
	}
	return counts;
}
