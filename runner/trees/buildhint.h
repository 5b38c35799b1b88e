/* Looks at what a build wrote. One that succeeds without writing anything, or that leaves the program of a benchmark as
 * it was committed, makes both sides measure the same. */
#pragma once

#include "core/finding.h"
#include "runner/config/config.h"

/* The tree before the build. */
typedef struct {
	gint64 time_ns; /* CLOCK_REALTIME; what is changed later is noted with a later time */
	guint entries;
} BuildStart;

/* To be called right before the build. It waits a moment, as file systems note times in steps. */
BuildStart build_start(const char *tree);
/* Adds the findings `build_did_nothing` and `program_not_built` for the tree of side `name` ("base" or "head"), for the
 * programs of the benchmarks that are named by a path in it. */
void build_hint(
        const char *tree, const BuildStart *start, const Config *config, const char *name, FindingList *findings);
