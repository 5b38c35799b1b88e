/* SPDX-License-Identifier: Apache-2.0 */
/* Known patterns in a profile, each as one sentence with its numbers and what to do about it.
 *
 * A family is a set of function names that do one kind of work (malloc, free, operator new, ... allocate). Its share is
 * the cost of all stacks that have one of them on it, each stack once, whatever they call in turn; so the shares of two
 * families may overlap. Names are compared without leading underscores and without the suffixes by which libraries tell
 * the versions for different processors apart.
 *
 * A pattern is reported from a share of the whole cost on: */
#pragma once

#include "profile/fold/foldperf.h"

#define PATTERN_ALLOCATION_SHARE .10
#define PATTERN_COPYING_SHARE .15
#define PATTERN_COMPARING_SHARE .15
#define PATTERN_FORMATTING_SHARE .10
#define PATTERN_LOCKING_SHARE .05
#define PATTERN_PAGE_FAULT_SHARE .05
#define PATTERN_KERNEL_SHARE .30
/* And one from below a number of samples on: a share of 10 % is then known to no better than 1.9 percentage points. */
#define PATTERN_FEW_SAMPLES 1000

/* Whom a family is "called by": the innermost function above it that is the program's own, that is, in the module of
 * `main`, and neither an allocator's wrapper, nor a library's template, nor a start of the program; where there is
 * none, the direct caller.
 *
 * Codes: `allocation_heavy`, `copying`, `comparing`, `string_formatting`, `locking`, `page_faults`, `kernel_dominated`,
 * `few_samples`. */
typedef struct {
	const char *code; /* stable; static */
	double share; /* of the whole cost, 0..1; of `few_samples` the half width of the 95 % interval of a share of 10
	                 % */
	char *text;   /* foreign text is in it */
} HotPattern;

typedef struct {
	GArray *patterns; /* of HotPattern, in the order of the codes above */
} HotPatterns;

/* `counted`: the costs are counted, not sampled, so that their number says nothing. The patterns are about time: in a
 * profile of allocated memory, as DHAT writes it, none is looked for. */
HotPatterns *hot_patterns_new(const Profile *profile, gboolean counted);
void hot_patterns_free(HotPatterns *patterns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HotPatterns, hot_patterns_free)

/* Cost of the stacks whose last function has no name: `[unknown]`, or the bracketed name of a module instead. */
ProfileCell hot_patterns_unknown(const Profile *profile);
