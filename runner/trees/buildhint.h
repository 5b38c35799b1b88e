/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at what a build wrote. One that succeeds without writing anything, or that leaves the program of a benchmark as
 * it was committed, makes both sides measure the same.
 *
 *     BuildStart ── build ── BuildLook ──→ findings
 *                                └─ as text beside the build in the cache, for checks to come
 *
 * The text is no proof of anything: whatever runs could write over it, and it only ever adds a warning. */
#pragma once

#include "core/finding.h"
#include "runner/config/config.h"

/* The tree before the build. */
typedef struct {
	gint64 time_ns; /* CLOCK_REALTIME; what is changed later is noted with a later time */
	guint entries;
} BuildStart;

/* The tree after it. */
typedef struct {
	gboolean idle;      /* nothing was written */
	GPtrArray *unbuilt; /* of char *, paths below the tree: compiled programs that are older than the build */
} BuildLook;

/* To be called right before the build. It waits a moment, as file systems note times in steps. */
BuildStart build_start(const char *tree);
/* To be called right after it. NULL if the tree cannot be read. Owned by the caller. */
BuildLook *build_look(const char *tree, const BuildStart *start);
void build_look_free(BuildLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BuildLook, build_look_free)
/* As text, and back; paths with a newline are left out. Owned by the caller. */
char *build_look_text(const BuildLook *look);
/* A look from its text; lines that are none are left out. Owned by the caller. */
BuildLook *build_look_parse(const char *text);
/* Adds the findings `build_did_nothing` and `program_not_built` for the tree of side `name` ("base" or "head"), for the
 * programs of the benchmarks that are named by a path in it. */
void build_hint(const char *tree, const BuildLook *look, const Config *config, const char *name, FindingList *findings);
