/* SPDX-License-Identifier: Apache-2.0 */
/* Slow drift: what many small changes made of a benchmark, none of which was beyond its margin. Head is compared with
 * an anchor, a commit of long ago, by counts only: nothing else compares from storage.
 *
 *     anchor ── +0.4 % ── +0.3 % ── base ── +0.4 % ── head        +9.8 % since the anchor
 *
 * Pure. */
#pragma once

#include "compare/comparison/comparison.h"

/* The least that a change has to add, as a share of the anchor's value, to be a part of a drift. Counts that repeat
 * exactly differ by a few for reasons that are nobody's fault, such as the length of a path. */
#define DRIFT_MIN_ADDED .0001

typedef struct {
	char *metric;        /* of the engine callgrind */
	double anchor, head; /* medians per unit of work */
	double change_ratio; /* head / anchor, beyond 1 + margin */
	gboolean added;      /* head costs more than base, by more than DRIFT_MIN_ADDED: this change is part of it */
	gboolean accepted;   /* without what is accepted of single functions head costs no more than base, or it is no
	                      * drift (compare/acceptance.h) */
} Drift;

typedef struct {
	const Measurement *anchor;             /* comparable with head (drift_is_comparable()) */
	const BenchmarkComparison *comparison; /* of base and head: its counted metrics that gate are looked at */
	double margin;                         /* share of the anchor's value */
} DriftInput;

/* TRUE if counts of the two were made in environments that compare, with the same libraries and tools. */
gboolean drift_is_comparable(const Measurement *anchor, const Measurement *head);

/* The metrics that drifted for the worse, a GArray of Drift in the order of the comparison, empty if none did. Owned by
 * the caller. */
GArray *drift_find(const DriftInput *input);
