/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of a dump of callgrind by line: what profile/fold/rawlines.h does for recordings, on contexts instead of
 * stacks.
 *
 *     context        called from          share of the cost of the context
 *     hash'parse     parse.c:12   1/4     as the costs of the calls are to each other
 *                    parse.c:15   3/4
 *
 * The line that a stack has in a function is then not one but some, each with a share; of a line that recursion brings
 * into a stack again and again, only what it did not have before is added. */
#pragma once

#include "profile/fold/linetally.h"
#include "profile/valgrind/callgrindexpand.h"

/* Instead of the number of a column. */
#define CALLGRIND_LINES_ALLOCATIONS G_MAXUINT

typedef struct {
	const CallgrindDump *dump;
	CallgrindExpander *expander; /* of it, with calls */
	const AddressLines *lines;   /* of what the tally wants */
	guint side;
	guint column; /* of the dump, or CALLGRIND_LINES_ALLOCATIONS */
} CallgrindLinesSource;

/* Adds the costs of `source` to the tally. */
void callgrind_lines_add(LineTally *tally, const CallgrindLinesSource *source);
