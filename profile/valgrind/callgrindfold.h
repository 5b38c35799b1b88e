/* SPDX-License-Identifier: Apache-2.0 */
/* From callgrind's dumps of whole runs to profiles: exact costs per call path, inlined functions included.
 *
 *     dumps of one run (one file per process) ── callgrind_fold_add ──> contexts, instructions, call sites ──┐
 *                                                                         once per run, both sides           │
 *     Profiles <── callgrind_fold_finish ── names, files, inlined functions  <───────────────────────────────┘
 *                                                                         once, after all runs
 *
 * This is for dumps made with --separate-callers and --dump-instr=yes, as runner/valgrind/valgrindrun.h makes them;
 * other files of the format are read by profile/valgrind/callgrindread.h. One CallgrindFold serves all runs of both
 * sides, so that each unique (module, address) is resolved once, by the same symbolizer as the samples of recordings: a
 * function has the same frame here and there.
 *
 * The root frame is the command name of the process, as in profile/fold/foldperf.h. A cost belongs to the innermost
 * function inlined at its instruction; callers further out are expanded as far as all call sites of a context agree.
 * What is deeper than the callers that callgrind told apart is not known: such a stack starts at the outermost known
 * caller. A context that came to be through recursion beyond what callgrind tells apart is its last level.
 *
 * Dumps are foreign text: sizes are checked, and a dump that is cut off or whose costs do not add up to its totals is
 * refused. */
#pragma once

#include "core/finding.h"
#include "model/linecosts.h"

/* A cost that no column holds: calls of functions that allocate memory (malloc, calloc, realloc, operator new and their
 * like) by functions that are none of them, on the stack of the call with the allocating function as its leaf. It is
 * the number of allocations that valgrind's other tools count. */
#define CALLGRIND_ALLOCATIONS "allocations"

typedef struct CallgrindFold CallgrindFold;

typedef struct {
	guint side;         /* of the run, for callgrind_fold_code_facts(): 0 = base, 1 = head */
	gboolean with_code; /* look at the code, too; if any run asks for it, for all */
	gboolean no_inline; /* only functions with code of their own; if any run asks for it, it holds for all */
	/* NULL-terminated directories cut off the front of source file names, or NULL */
	const char *const *strip_prefixes;
} CallgrindFoldOptions;

/* Tells where the costs of one event go. */
typedef struct {
	const char *event; /* column ("Ir", "sysCount", ...), or CALLGRIND_ALLOCATIONS */
	Profile *profile;  /* weight and samples of a cell are both the cost; must live until callgrind_fold_finish() */
	guint run;         /* exists in the profile */
} CallgrindTarget;

/* The sums over all dumps of a run. */
typedef struct {
	char *name; /* of a column, or CALLGRIND_ALLOCATIONS; owned */
	guint64 value;
} CallgrindTotal;

typedef struct {
	GArray *totals;           /* of CallgrindTotal: every column in the order of the dumps, then the allocations */
	guint processes, threads; /* that ran; a dump without threads counts as one */
	guint contexts;           /* functions, told apart by their callers */
	guint cut_contexts;       /* of them, those whose outermost callers are not known */
	guint64 cut_cost;         /* their self cost in the first column */
} CallgrindRunSummary;

void callgrind_run_summary_clear(CallgrindRunSummary *summary);
/* A total by name; 0 if there is none. */
guint64 callgrind_run_total(const CallgrindRunSummary *summary, const char *name);

/* `table` is the one of all profiles handed in later; referenced. */
CallgrindFold *callgrind_fold_new(StackTable *table);
void callgrind_fold_free(CallgrindFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CallgrindFold, callgrind_fold_free)

/* Reads the dumps of one run, one or more (`paths` is of char *). Each text is read once, whatever the number of
 * targets. `options` may be NULL. `summary` is zeroed by the caller and cleared by it. Errors: FIREBREAK_ERROR_INVALID
 * if a dump is damaged, has no such column, or there is none; after an error nothing of this run is in any profile. */
gboolean callgrind_fold_add(CallgrindFold *fold, const GPtrArray *paths, const CallgrindTarget *targets,
        guint n_targets, const CallgrindFoldOptions *options, CallgrindRunSummary *summary, GError **error);

/* Resolves all addresses and fills the profiles. Object files that cannot be read are findings; the names in the dump
 * stand in for them. To be called once. `findings` may be NULL. */
gboolean callgrind_fold_finish(CallgrindFold *fold, FindingList *findings, GError **error);

/* After finishing: facts about the code of each frame, as of perf_fold_code_facts(). Owned by the caller. */
CodeFacts *callgrind_fold_code_facts(const CallgrindFold *fold);
/* The object files that ran on a side: a GPtrArray of absolute paths (char *), sorted, each once. Owned by the caller.
 */
GPtrArray *callgrind_fold_modules(const CallgrindFold *fold, guint side);
/* After finishing: what lines and instructions of some functions cost, as perf_fold_line_costs() says it. A function
 * that allocates memory has its number of calls in line 0. Owned by the caller. */
LineCosts *callgrind_fold_line_costs(CallgrindFold *fold, const LineCostQuery *query);
