/* SPDX-License-Identifier: Apache-2.0 */
/* From functions as callgrind names them, callers included, to stacks. Internal to the reader. */
#pragma once

#include "model/pairindex.h"
#include "model/stacktable.h"
#include "model/textindex.h"

/* A function in one object file, and what it cost. All texts are borrowed. */
typedef struct {
	TextPiece name; /* callers included */
	TextPiece object;
	TextPiece file;
	guint32 object_row; /* the same for the same object file */
	guint64 cost;
} CallgrindFunction;

typedef struct {
	StackTable *table;       /* borrowed */
	const GArray *functions; /* of CallgrindFunction, borrowed; a place is an index + 1 of it, 0 = nowhere */
	TextIndex names;         /* of functions without callers */
	GArray *first;           /* of guint, by row of `names`: the first place of a function of that name */
	PairIndex in_object;     /* (row of `names`, object_row) */
	GArray *in_object_first; /* of guint, by row of `in_object`: the first place, in another object if need be */
	PairIndex framed;        /* (row of `names`, place) */
	GArray *frames;          /* of FrameId, by row of `framed` */
	gboolean has_callers;    /* some function had */
} CallgrindStacks;

/* `functions` must stay as they are. */
void callgrind_stacks_init(CallgrindStacks *stacks, StackTable *table, const GArray *functions);
void callgrind_stacks_clear(CallgrindStacks *stacks);
/* The stack of the function at that index. */
StackId callgrind_stack_of(CallgrindStacks *stacks, guint function);
