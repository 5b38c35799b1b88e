/* What kind of change each function went through, and whether it alone makes the gate fail.
 *
 * A function is flagged if its test says so (adjusted p at most report_alpha) and its change passes both floors: share
 * of the base total and share of itself. Then, in this order:
 *
 *     cost_shift      its rise is a fall of its neighbours: code moved, the total did not
 *     layout_suspect  its code is byte for byte the same and no more instructions ran: alignment, not code
 *     new, removed    seen on one side only
 *     regression, improvement; renamed if only the name changed; unchanged
 *
 * Cost shift of a flagged f: S = {f} plus neighbours (callgraph.h) that fell with unadjusted p < .05, largest fall
 * first until the sum is not positive any more. It is one if the 95 % upper bound of the sum over S, or of the
 * inclusive cost of the nearest common ancestor of S, is below the contribution floor. A short benchmark has too few
 * samples to bring that bound below the floor even where nothing changed, so this counts too: the bound is below a
 * quarter of f's own rise (so three quarters of it are accounted for) and the sum is not shown to exceed the floor (its
 * 95 % lower bound is below it). And because the total is known far better than a sum of samples: it is one if falls
 * make up for at least half of f's rise, the sum is not shown to exceed the floor, and the upper bound of the total's
 * own change is below the floor or a quarter of f's rise. A fall is spent once: where it explains several functions,
 * they are summed up together.
 *
 * It gates if it is flagged, its adjusted p is at most gate_alpha, and it is neither cost_shift nor layout_suspect. A
 * function whose code is known to be the same on both sides does not gate beside one whose code may have changed: it is
 * the consequence, and the verdict is the same without it. Alone it gates like any other. */
#pragma once

#include "compare/functions.h"

typedef struct {
	const FunctionPolicy *policy;
	gboolean contaminated; /* then no function gates */
	double total_upper;    /* upper bound of the change of CPU time, a share of base's; INFINITY = not known */
	gboolean instructions_steady; /* instructions were counted and are within their margin */
	/* Per frame, for the first n_same_code frames: machine code is known to be the same on both sides. NULL = not
	 * known; then nothing is a layout suspect. */
	const gboolean *same_code;
	guint n_same_code;
} AttributionInput;

/* Sets class, gates and note of every element of `functions`, which function_family_report() made, in row order. */
void attribution_classify(const FunctionFamily *family, const AttributionInput *input, GPtrArray *functions);

/* Sorts by magnitude of contribution, largest first; ties by name, then module. */
void attribution_sort(const StackTable *table, GPtrArray *functions);
