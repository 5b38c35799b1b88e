/* SPDX-License-Identifier: Apache-2.0 */
/* The two sides of `firebreak diff`: files read as runs of two profiles with one table of names.
 *
 *     diff_arguments_split()   base and head from the command line
 *     diff_sides_read()        one run per file
 *     diff_sides_compare()     the functions of both, tested as far as there are runs for it
 */
#pragma once

#include "cli/input/profileinput.h"
#include "compare/comparison/comparison.h"

/* Runs of either side from which on functions are tested: of fewer, not even the most extreme outcome of the test,
 * which has the probability 1 / 2^runs, is below the level of 5 %. */
#define DIFF_TESTED_RUNS 5

typedef struct {
	ProfileInputOptions *input;
	gboolean counted;       /* counts of folded stacks and the like are exact */
	gboolean keeps_samples; /* the caller does what --weight=samples asks of a picture */
	gboolean strip_hex;
	gboolean normalize;
	double base_work, head_work; /* units of work of one run; 0 = 1 */
} DiffReading;

typedef struct {
	Measurement *base, *head; /* with nothing but runs, work and profile; the profiles share one table and one
	                             scale, by which the work is multiplied */
	FindingList *findings;
	char **base_files, **head_files; /* as named by the user; of one file for both, the same */
	gboolean counted;                /* all costs are counts */
	gboolean normalized;             /* base is scaled to the total of head */
	const char *per;                 /* what costs are means of; static */
} DiffSides;

/* Splits the arguments at the word that diff_arguments_mark() left. Two files without it are one of each side; one
 * alone holds both. *base and *head are owned by the caller. Errors: FIREBREAK_ERROR_USAGE. */
gboolean diff_arguments_split(char *const *arguments, gboolean two_columns, char ***base, char ***head, GError **error);
/* The arguments with the first `--` replaced by a word that option parsing leaves where it is. Owned by the caller. */
char **diff_arguments_mark(char *const *arguments);

/* Reads the files; `head` is empty if those of base hold both sides. Errors: those of profile_input_read();
 * FIREBREAK_ERROR_USAGE where files of one side, FIREBREAK_ERROR_BASELINE where the sides do not count the same in the
 * same unit. */
DiffSides *diff_sides_read(const DiffReading *reading, char *const *base, char *const *head, GError **error);
void diff_sides_free(DiffSides *sides);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiffSides, diff_sides_free)

/* Compares the functions: counts without a test, sampled costs by the tests if either side has DIFF_TESTED_RUNS
 * runs; then file i of base and file i of head are one round, and runs that only one side has are taken out of both the
 * comparison and the profiles, with a finding. Else every function has its change and no test. Sets *remark to why
 * there is no test, or NULL; owned by the caller. Owned by the caller. */
BenchmarkComparison *diff_sides_compare(DiffSides *sides, char **remark);
