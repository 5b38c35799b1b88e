/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the folders, checkouts and builds that the campaigns of a check run in. */
#pragma once

#include "gate/steps/gatestate.h"

/* Makes the folder of this check, and removes those that killed checks left. */
gboolean gate_trees_make_dir(Gate *gate, GError **error);

/* A new path for what is recorded of a run, with a name that tells the run nothing. Owned by the caller. */
char *gate_trees_recording(const Gate *gate);

/* The commits that are to be checked out. */
typedef struct {
	const Choice *choices;          /* N_SIDES of them */
	const Config *configs[N_SIDES]; /* how each side is built */
	gboolean wanted[N_SIDES];
} TreesPlan;

/* The plan for the check's own trees: both sides are wanted. */
TreesPlan gate_trees_plan(const Gate *gate);
/* Checks out and builds the wanted sides, in every layout that a benchmark of the policy asks for. Builds get no more
 * time than `--max-time` leaves. Errors: those of side_build(), and FIREBREAK_ERROR_ENVIRONMENT where layouts are
 * asked for that cannot be linked here. */
gboolean gate_trees_prepare(Gate *gate, const TreesPlan *plan, GateTrees *trees, GError **error);
void gate_trees_clear(GateTrees *trees);
/* One side alone, so that it can be prepared anew. */
void gate_trees_clear_side(GateTrees *trees, int side);

/* Tells where the files of the sides lie: the copies that run, and the builds that they may load libraries from.
 * NULL-terminated and borrowed; the list is the caller's. */
GPtrArray *gate_trees_prefixes(const GateTrees *trees);

/* One side as its build links it, which is what is counted; NULL if it is not prepared. Borrowed. */
const Side *gate_trees_as_built(const GateTrees *trees, int side);
/* The first of the trees that a benchmark's runs have on one side: of the variants that its rounds take turns in, or as
 * built where it is only counted. NULL if the side is not prepared. Borrowed. */
const Side *gate_trees_first(const GateTrees *trees, int side, const ConfigBenchmark *benchmark);
/* The variants of one side that a benchmark's rounds take turns in: *n of them, borrowed. */
const Side *gate_trees_variants(const GateTrees *trees, int side, const ConfigBenchmark *benchmark, guint *n);
