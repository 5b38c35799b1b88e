/* SPDX-License-Identifier: Apache-2.0 */
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
#include "profile/fold/foldoptions.h"

typedef struct PerfFold PerfFold;

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

/* After finishing: facts about the code of each frame; without `with_code` nothing. Code is the same if it is of one
 * object file that lies outside the directories of `strip_prefixes`, such as a library of the system; or if the files
 * of both sides have it with equal hashes, whatever recordings they were seen in (profile/fold/codepieces.h). Owned by
 * the caller. */
CodeFacts *perf_fold_code_facts(const PerfFold *fold);
/* After finishing: whether any function that was seen lies in the directories of `strip_prefixes`. */
gboolean perf_fold_has_own_code(const PerfFold *fold);
/* After finishing, while the object files are still there: what lines and instructions of some functions cost. Asks the
 * object files again, about the addresses of these functions only; a file that cannot be read is told in its
 * LineModule. The profiles are only compared with those that were handed in, so they may be gone or changed by now.
 * Owned by the caller. */
LineCosts *perf_fold_line_costs(PerfFold *fold, const LineCostQuery *query);
