/* From recordings to profiles: the pipeline that the gate and `fold` use.
 *
 *     perf.data ── perf_fold_add ──> raw stacks (module, file offset), interned ──┐  once per run, both sides
 *                                                                                 │
 *     Profile <── perf_fold_finish ── names, files, inlined functions  <──────────┘  once, after all runs
 *
 * One PerfFold serves all runs of both sides, so that each unique (module, offset) is resolved once. Modules are told
 * apart by path and build-id while addresses are resolved, but a frame carries the base name of its module only: base
 * and head run from different directories and still match.
 *
 * Rules. The root frame is the command name (blanks become `_`). Samples of the launcher, before the benchmark itself
 * was executed, are dropped; a name alone does not make a launcher, as a benchmark can take any. Where a stack comes
 * from is told in profile/fold/samplestack.h, what an address is in profile/fold/framefinder.h. The kernel part of a
 * stack is one frame `[kernel]` unless asked for in detail, and also then if the names of that kernel are not known
 * here. Bogus entries beyond the root of a call chain are cut. What cannot be resolved is a frame `[unknown]` that
 * keeps its module. Recursion is kept.
 *
 * With `as_recorded`, stacks are those that the text of perf script folds to: nothing is dropped or cut, what has no
 * name is called after its file, `[libz.so.1.2.13]`, and a thread without a command `:TID`. */
#pragma once

#include "core/finding.h"
#include "model/linecosts.h"

typedef struct PerfFold PerfFold;

typedef struct {
	/* fold only this event (with or without modifiers); NULL: there must be only one with samples */
	const char *event;
	gboolean kernel;      /* kernel frames one by one instead of one `[kernel]` */
	gboolean as_recorded; /* show what perf script shows, see above; if any recording asks for it, for all */
	gboolean addresses;   /* with that: name what has no name [file <address in it>] */
	guint side;           /* of the recording, for perf_fold_code_facts(): 0 = base, 1 = head */
	gboolean with_code;  /* look at the code, too, for perf_fold_code_facts(); if any recording asks for it, for all
	                      */
	gboolean no_inline;  /* only functions with code of their own; if any recording asks for it, it holds for all */
	gint32 pid, tid;     /* only samples of this process or thread; 0 = all */
	const char *comm;    /* only samples under this command name; NULL = all */
	gboolean gaps_known; /* the caller tells of stacks that are not whole: perf_fold_finish() has no finding of them
	                      */
	const char *symfs;   /* object files are looked for below this directory, too, of all recordings; or NULL */
	/* NULL-terminated command names, besides "perf-exec", of processes that have not executed a workload yet; or
	 * NULL */
	const char *const *launchers;
	/* NULL-terminated directories cut off the front of source file names, or NULL */
	const char *const *strip_prefixes;
} PerfFoldOptions;

/* What a reader must know of one recording before trusting it. */
typedef struct {
	guint64 samples;          /* that went into the profile */
	guint64 dropped;          /* of the launcher */
	guint64 lost;             /* samples and records lost, as the recording says */
	guint64 throttled;        /* THROTTLE records */
	guint64 truncated_chains; /* of `samples`, those whose call chain is as long as the kernel allows */
	guint64 unknown_leaf; /* samples whose leaf is in no module; those in a module but without a symbol are counted
	                       * by perf_fold_finish() in its findings */
	guint64 incomplete;   /* samples whose stack was unwound, but not to its root */
	guint64 user_frames, unknown_frames; /* frames of all samples; of them in no module and without a name */
	guint64 depth1;                      /* samples whose user call chain has a single frame */
	guint64 without_chain;               /* samples recorded without any call chain */
	guint64 rootless;      /* samples with a chain by frame pointers that has a single frame in user code, or a root
	                        * in no module */
	guint64 decode_errors; /* records that could not be decoded, samples of no event */
	guint64 unknown_records; /* of types that are not known; skipped */
	guint64 maps_left_out;   /* memory maps of processes that have too many */
	guint64 weight_total;    /* sum of the periods of `samples`, unit of the event */
} RunQuality;

/* `table` is the one of all profiles handed in later; referenced. */
PerfFold *perf_fold_new(StackTable *table);
void perf_fold_free(PerfFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfFold, perf_fold_free)

/* Reads one recording as run `run` of `profile`, which must live until perf_fold_finish() and exist with that run.
 * A profile whose event is "" takes name and unit of the event from its first recording. All recordings of one profile
 * must be of the same event. `options` and `quality` may be NULL. Errors: FIREBREAK_ERROR_INVALID if the recording
 * cannot be read, is damaged so much that more than 1 % of its samples may be missing, or is of another event,
 * FIREBREAK_ERROR_USAGE if the choice of the event is not clear. After an error nothing of this recording is in the
 * profile. */
gboolean perf_fold_add(PerfFold *fold, const char *perf_data_path, Profile *profile, guint run,
        const PerfFoldOptions *options, RunQuality *quality, GError **error);

/* Resolves all addresses and fills the profiles. Modules that cannot be read are findings, not errors; shares in
 * findings are of the samples of one event, named where there are several. To be called once. `findings` may be NULL.
 */
gboolean perf_fold_finish(PerfFold *fold, FindingList *findings, GError **error);

/* After finishing: what is known of the code behind each frame; without `with_code` nothing. Code is the same if it is
 * of one object file that lies outside the directories of `strip_prefixes`, such as a library of the system; or if the
 * files of both sides have it with equal hashes, whatever recordings they were seen in (profile/fold/codepieces.h).
 * Owned by the caller. */
CodeFacts *perf_fold_code_facts(const PerfFold *fold);
/* After finishing: whether any function that was seen lies in the directories of `strip_prefixes`. */
gboolean perf_fold_has_own_code(const PerfFold *fold);
/* After finishing, while the object files are still there: what lines and instructions of some functions cost. Asks the
 * object files again, about the addresses of these functions only; a file that cannot be read is told in its
 * LineModule. The profiles are only compared with those that were handed in, so they may be gone or changed by now.
 * Owned by the caller. */
LineCosts *perf_fold_line_costs(PerfFold *fold, const LineCostQuery *query);
