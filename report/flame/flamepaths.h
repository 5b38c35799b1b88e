/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is known to have changed, path by path: the function tests speak of a function wherever it was called
 * from, a frame of a picture is that function on one path.
 *
 * A path counts with the change of its own cost (without what it calls)
 *  - if its function changed for certain and has this one path only: the two are the same;
 *  - of several paths, if that path's own test says so (below);
 *  - of counts, which need no test, if its function changed and no run of base costs as much as any run of head,
 *    or the other way round: of one run each, if they differ;
 *  - without any tests (`untested`), always: nothing is claimed then.
 * Where paths of a function are not known to have changed, or by more or less than the whole function did, what is
 * missing counts once for all of them, at the lowest frame that has all of them above it (`rest`): the function test
 * covers their sum, and nothing else does. So callers below that frame have the colour of the function, and those above
 * it that of paths which are known.
 *
 * The test: for path p and round i there is one difference D[i][p] = head - base, in sample equivalents, and the signs
 * of rounds are flipped as for functions (compare/statistics/fliptest.h: moderated max-T, step-down). The family are
 * all paths of all functions that changed for certain and have several, with at least ELIGIBLE_SAMPLES samples and
 * ELIGIBLE_SHARE of the cost (compare/functions/functions.h). It is one-sided: is the change of the same sign as that
 * of the function. A path counts if its p-value, adjusted for the whole family, is at most `alpha`.
 *
 * What this promises: in at most the share `alpha` of all pictures, any path at all is coloured among those of changed
 * functions whose own cost did not change. It assumes that base and head of a round are exchangeable on such a path;
 * not that noise is normal, and not that paths are independent of each other. A function that did not change at all is
 * in the family by chance in at most `alpha` of the pictures per direction, by the promise of its own test.
 *
 * Simulated (the design of tests/report/flame/flamepaths_test.c, 4000 pictures each; one of 20 paths changed, each
 * path's noise is 5 % from run to run, alpha .05): noise on any of the other 19 had colour in 4.8 % of the pictures
 * with 8 rounds, 4.8 % with 12, 5.2 % with 20, which is .3 % of those paths; the changed path (+60 %) had it in all.
 * Where the function is barely found, its noise helped: of changes that are found in 75 % (35 %) of the pictures, the
 * pictures that show it have noise in 5.8 % (7.7 %), which is 4.4 % (2.7 %) of all.
 *
 * With fewer than log2(1 / alpha) rounds (5 for .05) no path can pass, as no function can. Profiles that are sums of
 * their runs have no rounds left: then `too_few_runs` says that paths were not tested.
 *
 * A renamed function is one function: a path under its old name and the same one under its new name are one path, which
 * stands at the row of the new name.
 *
 * Costs are means per run and unit of work, as in flamelayout.h. */
#pragma once

#include "compare/comparison/comparison.h"

typedef struct {
	const Profile *base, *head; /* one table; at most one is NULL */
	double base_work, head_work;
	const FunctionComparison *const *functions; /* by FrameId, a renamed one under both names; NULL where none */
	const gboolean *significant;                /* by FrameId: it changed for certain */
	gboolean counted, untested;
	double alpha;
} FlamePathsInput;

/* The change of a function on all its paths together beyond those that are known. */
typedef struct {
	guint32 row;   /* StackId: where it counts */
	FrameId frame; /* the function, under its new name */
	double cost;
} FlameRest;

typedef struct {
	guint n_rows;
	double *own, *rest; /* by StackId: known change of the path, and of all paths above it beyond theirs; in cost */
	double *known;      /* their sum */
	GArray *rests;      /* of FlameRest: what `rest` is the sum of */
	double *own_share, *rest_share; /* the same as shares of the totals of each side: 0 where the share moved
	                                 * against the cost, which nobody tested */
	guint32 *n_paths;               /* by FrameId: paths with a cost of their own, of significant functions */
	gboolean too_few_runs;          /* paths of significant functions were not told apart */
} FlamePaths;

FlamePaths *flame_paths_new(const FlamePathsInput *input);
void flame_paths_free(FlamePaths *paths);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlamePaths, flame_paths_free)
