/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of callgrind's format, decoded one by one: names by number, positions relative to the line before, costs in
 * columns, what is called. What becomes of them is up to the caller (profile/valgrind/callgrindread.h,
 * profile/valgrind/callgrinddump.h).
 *
 *     events: Ir Dr          columns
 *     positions: instr line  what each line of costs begins with; `line` alone unless told
 *     ob=(2) /srv/prog       object file, "(2)" alone from then on
 *     fl=(1) parse.c
 *     fn=(7) parse'main      function, called by main                                           visitor.function
 *     0x1200 16 400 12       address, line, a cost per column: self cost of parse               visitor.self
 *     +4 * 2                 relative to the last; those missing at the end are 0               visitor.self
 *     cfn=(8) hash'parse
 *     calls=3 0x1400 50      the cost in the next line is that of three calls of hash
 *     * * 900 30                                                                                visitor.calls
 *     totals: 402 12         sums of the self costs                                             visitor.header
 *
 * The text is foreign: all sizes are checked. That self costs add up to the totals of their part is checked where
 * callgrind itself wrote the text, and that it is not cut off before them. What lies within a system call that never
 * returns, such as the one that ends a process, is in callgrind's `summary:` but in no line and not in `totals:`. */
#pragma once

#include "model/pairindex.h"
#include "model/textindex.h"

#define CALLGRIND_MAX_EVENTS 256
#define CALLGRIND_MAX_POSITIONS 8

/* The kinds of names; each has its own numbers. */
typedef enum { CALLGRIND_OBJECT, CALLGRIND_FILE, CALLGRIND_NAME, CALLGRIND_NAME_KINDS } CallgrindNameKind;

/* A function as lines refer to it: rows of names, each plus 1; 0 = not told. */
typedef struct {
	guint32 name, object, file;
} CallgrindPlace;

typedef struct {
	PairIndex numbers; /* (number in parentheses, 0) */
	GArray *by_number; /* of guint32, by row of `numbers`: row of `rows` */
	TextIndex texts;   /* of names without a number */
	GArray *by_text;   /* of guint32, by row of `texts`: row of `rows` */
	GArray *rows;      /* of TextPiece */
} CallgrindNames;

typedef struct {
	/* what the last line says */
	TextPiece key, value; /* of a header */
	CallgrindPlace function, called;
	guint64 n_calls;
	guint64 address, target; /* of the instruction, and of what it calls; 0 where there are no addresses */
	guint64 costs[CALLGRIND_MAX_EVENTS]; /* the first `n_costs` columns; all others are 0 */
	guint n_costs;
	/* what all lines said */
	GArray *events;         /* of TextPiece: the columns; empty until told */
	gboolean has_addresses; /* the lines have */
	gboolean is_callgrind;  /* written by callgrind itself */
	CallgrindNames names[CALLGRIND_NAME_KINDS];
	/* internal */
	const char *name, *at, *end;
	guint64 line_number;
	guint n_positions, address_position;
	guint64 positions[CALLGRIND_MAX_POSITIONS];
	gboolean costs_are_of_calls;        /* those in the next line are */
	gboolean has_costs, has_totals;     /* the part does */
	guint64 sums[CALLGRIND_MAX_EVENTS]; /* of the self costs of the part */
} CallgrindText;

/* `text` is borrowed until callgrind_text_clear(), as is `name`, which messages call it. */
void callgrind_text_init(CallgrindText *lines, TextPiece text, const char *name);
void callgrind_text_clear(CallgrindText *lines);

/* Callbacks for the lines that carry data. Each may be NULL, and returns FALSE with an error to stop. */
typedef struct {
	gboolean (*header)(gpointer data, GError **error);   /* `key` and `value` */
	gboolean (*function)(gpointer data, GError **error); /* `function` is another one */
	gboolean (*self)(gpointer data, GError **error);     /* `costs` at `address` of `function` */
	/* `costs` of `n_calls` of `called`, at `address` of `function` */
	gboolean (*calls)(gpointer data, GError **error);
} CallgrindVisitor;

/* Reads all lines. Errors: FIREBREAK_ERROR_INVALID with name and line if the text is damaged, and those of `visitor`.
 */
gboolean callgrind_text_read(CallgrindText *lines, const CallgrindVisitor *visitor, gpointer data, GError **error);
/* Sets the error of the line that was read; returns FALSE. */
gboolean callgrind_text_damaged(const CallgrindText *lines, const char *what, GError **error);
/* The name at a row plus 1, or nothing; borrowed from the text. */
TextPiece callgrind_text_name(const CallgrindText *lines, CallgrindNameKind kind, guint32 row_plus_1);
