/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers of a build, as they were called, and what a program says of its own. */
#pragma once

#include <glib.h>

/* A compiler that the build called through firebreak's wrapper. */
typedef struct {
	char *name;    /* as the build named it: "cc" */
	char *program; /* what that is, "/usr/bin/x86_64-linux-gnu-gcc-12" */
	guint calls;   /* that compiled or linked something */
} UsedCompiler;

void used_compiler_free(UsedCompiler *compiler);
/* An empty array of UsedCompiler, which owns them. */
GPtrArray *used_compilers_new(void);

/* The program of a benchmark on one side, by its debug information. */
typedef struct {
	char *file;      /* below the checkout */
	char *producers; /* distinct DW_AT_producer of its units, a line each, sorted; "" = not known */
	guint units, units_unoptimised, units_without_frame_pointers;
} ProgramFacts;

void program_facts_free(ProgramFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProgramFacts, program_facts_free)

/* The options and versions in which two lists of producers differ, "base: -O2; head: -O3 -flto"; NULL if they do not,
 * or one of them is not known. Paths do not count. Owned by the caller. */
char *producers_difference(const char *base, const char *head);
/* "GNU C17 12.2.0" of a producer: without its options. Owned by the caller. */
char *producer_name(const char *producer);
