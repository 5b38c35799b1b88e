/* SPDX-License-Identifier: Apache-2.0 */
/* Input for the benchmark programs: made from a fixed seed, so that every run of every commit does the same work.
 *
 * The stacks look like those of a real program: 3000 functions of which each calls up to four others, the first of them
 * most often, and paths of 4 to 14 frames below `main`. */
#pragma once

#include <glib.h>

/* The next number below `limit` >= 1. */
guint workload_random(guint64 *state, guint limit);

/* Folded text (one column) of `lines` >= `stacks` lines, in which each of `stacks` different stacks occurs at least
 * once. Owned by the caller. */
GString *workload_folded(guint stacks, guint lines);

/* The number of times that the work is done: the first argument, a number >= 1; ends the program with 2 if it is
 * none. */
guint workload_repetitions(int argc, char **argv);

/* Ends the program with 1 and a message unless `ok`: a benchmark that computes something else measures nothing. */
void workload_expect(gboolean ok, const char *what);
