/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a dump of callgrind; profile/valgrind/callgrinddump.h says what they mean. */
#pragma once

#include "model/pairindex.h"

#define CALLGRIND_NONE G_MAXUINT32

/* Texts live as long as the dump. */
typedef struct {
	const char *name; /* as callgrind shows it, or "" */
	const char *file; /* its source file, or "" */
	guint32 object;
	guint32 address;       /* of one of its instructions; CALLGRIND_NONE if no line has one */
	guint32 n_addresses;   /* instructions of it that any line has */
	gboolean is_allocator; /* it allocates memory: malloc, operator new, ... */
	gboolean is_cold;      /* the part of a function that the compiler moved away from it */
} CallgrindDumpFunction;

typedef struct {
	guint32 function;
	guint32 caller;         /* context; CALLGRIND_NONE: see `chain` */
	guint32 chain, n_chain; /* chain[chain] ..: functions that called it, innermost first */
	guint32 address;        /* of the first instruction with self cost, or CALLGRIND_NONE */
	guint32 depth;          /* functions of its name */
	guint64 level;          /* of recursion, from 1 */
	gboolean is_cut;        /* its outermost callers are not known */
	guint64 self;           /* self cost in the first column of the dump */
	/* of an allocating function: where it begins, and how often that ran, less the calls that were counted */
	guint64 entry, n_entries;
} CallgrindContext;

typedef struct {
	guint64 address; /* as the object file has it, not where it was loaded */
	guint32 object;
} CallgrindAddress;

typedef struct {
	guint32 context, address;
} CallgrindCell;

typedef struct {
	guint32 caller, called; /* contexts */
	guint32 address;        /* of the call */
	gboolean is_allocation; /* of memory, by a function that is no allocator itself */
	guint64 n;              /* of allocations, those within what was measured */
} CallgrindCall;

typedef struct {
	char *command;       /* base name of the program; owned */
	guint64 pid;         /* 0 = not told */
	GArray *threads;     /* of guint64: numbers of the threads that its parts are of; empty = not told */
	GPtrArray *events;   /* of char *: all columns of the dump */
	GArray *totals;      /* of guint64, by column */
	guint64 allocations; /* calls that are */
	GPtrArray *objects;  /* of const char *: paths; "" = none */
	GArray *functions;   /* of CallgrindDumpFunction */
	GArray *contexts;    /* of CallgrindContext */
	GArray *chain;       /* of guint32: functions */
	GArray *addresses;   /* of CallgrindAddress */
	GArray *cells;       /* of CallgrindCell */
	GArray *costs;       /* of guint64: costs[cell * n_columns + column] */
	guint n_columns;
	GArray *calls;      /* of CallgrindCall */
	GArray *call_costs; /* of guint64, like `costs`: what was called from there cost with all that it called */
	GStringChunk *text;
} CallgrindDump;
