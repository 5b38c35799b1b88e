/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a comparison of counts: what each contributes, what kind of change it went through, and whether it
 * alone makes the gate fail (the rules are in compare/counted/counted.h).
 *
 *     weights ── costs.h, renames.h ──> rows ──> ranges, class ── neighbours ──> cost_shift ──> gates
 *
 * Contributions are shares of base's mean total, and exact: those of all functions and `unknown_contribution` add up to
 * `total_change`. Where the runs of a side agree, their mean is their value to the last bit.
 *
 * A rise is cost_shift if falls of its neighbours make up for all of it but COUNTED_SHIFT_REST; or if they make up for
 * COUNTED_SHIFT_SEEN of it, and the inclusive cost of the nearest common ancestor, which is a function, did not rise
 * beyond the floor. Neighbours are callers, callees and siblings under one caller. Functions of one source file, or
 * with names of one stem, are neighbours only where one of the two came or went: a rise that is certain is not
 * explained away by a fall that has nothing to do with it. Unless nothing remains to be explained: where the total did
 * not change by more than the floor either way, falls of any functions make up for a rise up to COUNTED_SHIFT_REST of
 * it. Before all that, a rise is cost_shift if the function, together with all its inlined copies, rose by no more than
 * COUNTED_SHIFT_REST of it: a compiler outlined it. Against a stored base, whose code is not known, what is gone is a
 * neighbour of all that is new: it may be the same under another name.
 *
 * Counts that do not repeat differ by chance in many functions at once. So one of them gates only if either side has
 * COUNTED_NOISY_RUNS runs, and if what its lower bound is beyond the margin by is more than what chance puts between
 * the runs of any other function: the largest distance between the lower n and the upper m of its n + m runs, over all
 * functions that do not repeat and whose runs are not told apart by side. That is a permutation test over all such
 * functions together: relabelling the runs, each of the orders that tell the two sides of some function apart is as
 * likely, so it is exceeded with probability 1 / C(n + m, n), and, as functions that fell are left out, by at most
 * twice that. */
#pragma once

#include "compare/counted/countedrules.h"
#include "compare/functions/attribution.h"

#define COUNTED_SHIFT_SEEN .5 /* of a rise, made up by neighbours, where the common ancestor speaks for the rest */

typedef struct {
	double margin; /* of the total that a function which gates costs more by; NAN = none gates */
	HoldInput hold;
	/* set by counted_functions_compare(): the largest function that would gate if it had been counted in as many
	 * runs as counts that do not repeat need, or NULL; borrowed from the comparison */
	const FunctionComparison *open;
} CountedFunctions;

/* Fills `functions`, `unstable`, `table` and the contributions of `comparison` from the profiles of `input`, which both
 * have counted something in every run. */
void counted_functions_compare(const CountedInput *input, CountedFunctions *functions, BenchmarkComparison *comparison);
