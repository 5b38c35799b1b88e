/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what kind of change each function went through, and whether it alone makes the gate fail.
 *
 * A function is flagged if its test says so (adjusted p at most report_alpha) and its change passes both floors: share
 * of the base total and share of itself. So is one that makes up for half of the rise of a total or more, however
 * little that is of itself, if its code is not known to be the same and either the total fails, or the total is shown
 * to have risen and the change touches the function; but it does not gate. Then, in this order:
 *
 *     cost_shift      its rise is a fall of its neighbours: code moved, the total did not
 *     layout_suspect  its machine code is the same, and either none of its lines was edited and no more instructions
 *                     ran, or all code seen to run is the same while every total holds
 *     new, removed    seen on one side only
 *     regression, improvement; renamed if only the name changed; unchanged. Of a renamed function whose machine code
 *                     is the same, only a rise that gates is more than a rename
 *
 * Cost shift of a flagged f: S = {f} plus neighbours (callgraph.h) that fell with unadjusted p < .05, largest fall
 * first until the sum is not positive any more. It is one if the 95 % upper bound of the sum over S, or of the
 * inclusive cost of the nearest common ancestor of S, is below the contribution floor. A short benchmark has too few
 * samples to bring that bound below the floor even where nothing changed, so this counts too: the bound is below a
 * quarter of f's own rise (so three quarters of it are accounted for) and the sum is not shown to exceed the floor (its
 * 95 % lower bound is below it). And because the total is known far better than a sum of samples: it is one if falls
 * make up for at least half of f's rise, the sum is not shown to exceed the floor, and the upper bound of the total's
 * own change is below the floor or a quarter of f's rise. A fall is spent once: where it explains several functions,
 * they are summed up together. Before all that, a function is a cost shift if it did not rise together with all its
 * inlined copies, by the same bounds: a compiler outlined it.
 *
 * It passes the test of the gate if it passes both floors, its adjusted p is at most gate_alpha, and it is neither
 * cost_shift nor layout_suspect. Then it gates, unless it is held:
 *
 *     by the total   the upper bound of the change of CPU time is below its margin, and the policy is not strict: what
 *                    the function costs more, others cost less, or it is too little to fail a check
 *     by its code    its machine code is the same on both sides, and no total fails: it was called more often, met
 *                    other data or lies elsewhere in memory, of which the total tells enough. So does a layout_suspect
 *                    without counted instructions, and no policy makes such a function fail a check alone
 *     by the level   it does not pass the test of the gate, but the change touches it, and no total fails
 *
 * A held function is told first. So is a cost_shift that the change touches, where no total fails: whether cost moved,
 * or one function became slower while another became faster, nobody can tell from costs.
 *
 * Where a total fails, a function whose code is the same, and which the change does not touch, does not gate beside one
 * of which that is not known: it is the consequence, and the verdict is the same without it. Such a consequence is
 * `excused`. */
#pragma once

#include "compare/functions/costgroups.h"
#include "compare/functions/functions.h"
#include "compare/functions/relations.h"

/* The note of a function that costs more by itself because it is inlined less. */
#define ATTRIBUTION_OUTLINED "it was inlined in base; together with its inlined copies it costs no more than before"

typedef struct {
	const FunctionPolicy *policy;
	gboolean contaminated; /* then no function gates */
	gboolean total_failed; /* a gating metric is a regression */
	gboolean total_holds;  /* the upper bound of the change of CPU time is below its margin */
	double total_change;   /* of the cost that was sampled, a share of base's: what contributions add up to */
	double total_lower;    /* lower bound of the change of CPU time, a share of base's; -INFINITY = not known */
	double total_upper;    /* upper bound of the change of CPU time, a share of base's; INFINITY = not known */
	gboolean instructions_steady; /* instructions were counted, and their bound is within their margin */
	const CodeFacts *code;        /* NULL = not known; then nothing is a layout suspect */
	const LineChanges *change;    /* the lines that differ between the sides; NULL = not known */
} AttributionInput;

/* Sets class, code, relation, gates, excused, held, sentence and note of every element of `functions`, which
 * function_family_report() made, in row order. */
void attribution_classify(const FunctionFamily *family, const AttributionInput *input, GPtrArray *functions);

/* TRUE if a function rose by at least both floors, or from nothing by at least that of the total. */
gboolean attribution_passes_floors(const FunctionComparison *function, const FunctionPolicy *policy);

/* Sorts by magnitude of contribution, largest first; ties by name, then module. */
void attribution_sort(const StackTable *table, GPtrArray *functions);

/* The rest are parts of the above that do not depend on how costs were measured. `functions` is of FunctionComparison,
 * elements are changed in place. */

/* Sets `code`, `relation` and the places of every function, and of what is inlined into it; parts that changed by less
 * than `least_part` of the total and are not touched are dropped. A renamed function has its code on base's side under
 * the one name, on head's under the other. */
void attribution_relate(const RelationInput *change, GPtrArray *functions, double least_part);
/* Tells where every frame stands in head, as BenchmarkComparison.head_places has it: an array owned by the caller; NULL
 * if nothing is known of the code. */
GArray *attribution_head_places(const CodeFacts *code);
/* The order in which rises claim the falls around them, the largest contribution first: an array of guint, owned by the
 * caller. */
GArray *attribution_claims(GPtrArray *functions);
/* Says on both ends where the cost of `f` came from. */
typedef struct {
	const GPtrArray *functions; /* what the rows of the groups are positions in */
	const CostGroup *largest;   /* the group that gave most */
	guint n;                    /* of groups */
} AttributionDonors;
/* Adds to the note of `f` where its cost came from. */
void attribution_note_shift(const StackTable *table, FunctionComparison *f, const AttributionDonors *donors);
/* TRUE if the function's code is the same and the change does not touch it: it costs more when it is called more often
 * or meets other data. Data that the change edits inside the function itself is no consequence of anything else. */
gboolean attribution_is_consequence(const FunctionComparison *f);
/* Tells why a function that passes the test of the gate does not fail the check. */
typedef struct {
	gboolean total_failed; /* a gating metric is a regression */
	gboolean total_holds;  /* the total is shown to be below its margin */
	gboolean strict;       /* as in FunctionPolicy */
} HoldInput;
/* Tells why `f`, which passes the test of the gate, does not fail the check; FUNCTION_NOT_HELD if it does. */
FunctionHold attribution_hold(const HoldInput *input, const FunctionComparison *f);
/* The same of one that is a cost shift, which never gates, but is told where the change touches it. */
FunctionHold attribution_hold_shift(const HoldInput *input, const FunctionComparison *f);
/* Where code that may have changed gates as well, that is the cause to name, and the verdict does not need the
 * consequences: those are excused. */
void attribution_excuse(GPtrArray *functions);
/* Settles a renamed function: a change of the cost of the same code under another name is noise or a consequence,
 * unless it gates. */
void attribution_settle_rename(FunctionComparison *f);
/* Says of a regression that the change leaves alone that it edits other lines of the same file. */
void attribution_note_edited(const RelationInput *change, FunctionComparison *f);
