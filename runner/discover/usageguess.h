/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses the arguments of a program from the line in which it says how it is used:
 *
 *     usage: ./benchmark [-n] filename bufferSize nr_of_loops   ->   testdata/large.xml 65536 N
 *     USAGE: tree_bench MIN_N MAX_N                             ->   N N
 *
 * A word for a file gets the largest file of data of the project, one for a size 65536, and one for a number of
 * repetitions is left open, so that the time of a run can be set by it. A usage with any other word is not guessed. */
#pragma once

#include <glib.h>

/* In the place of a number that sets the amount of work, at the end of a word. */
#define USAGE_KNOB "{work}"

/* The words after the program in the first line of `output` that begins with "usage" (after the program's name, if it
 * stands first); NULL if there is none. A GStrv owned by the caller. */
char **usage_words(const char *output);
/* That line without words before it: "usage: ./benchmark [-n] filename"; NULL if there is none. Owned by the caller.
 */
char *usage_line(const char *output);
/* The arguments for such words, each one of the above; options and what stands in brackets are left out. `data`: the
 * file of data as the program is to be given it, NULL if there is none. NULL if a word is not understood, or if there
 * is nothing left. A GStrv owned by the caller. */
char **usage_arguments(char *const *words, const char *data);
/* TRUE if one of the arguments ends with USAGE_KNOB; NULL has none. */
gboolean usage_has_knob(char *const *arguments);
/* The arguments with this number in place of USAGE_KNOB. A GStrv owned by the caller. */
char **usage_fill(char *const *arguments, guint64 work);
