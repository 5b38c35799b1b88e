/* SPDX-License-Identifier: Apache-2.0 */
/* Runs under valgrind: the callgrind engine. An Executor (runner/executor.h) whose runs leave dumps for
 * profile/valgrind/callgrindfold.h and, where the benchmark asks for `heap`, for profile/valgrind/dhatread.h.
 *
 * RunRequest.recording is a folder that does not exist yet and is made: `callgrind.<pid>` in it is the dump of one
 * process, `dhat.<pid>` that of a second run under DHAT (runner/valgrind/valgrindfiles.h). All processes that a run
 * starts are followed. A process that forks, or is about to run another program in its place, dumps what it has counted
 * so far, as `callgrind.<pid>.<part>`, so that nothing is counted in its copy once more, and nothing is lost
 * (runner/valgrind/valgrindimages.h). A run counts no time, so several may run at once, each on a CPU of its own; more
 * than there are CPUs follow each other. Run i of a side (RunRequest.number) has the CPU after that of run i - 1, so
 * that counts that depend on it do not repeat. An outcome has no metrics, since they come from the dumps, and of what
 * the benchmark reports itself only the units of work.
 *
 * A run sees the same whatever side, campaign or machine it belongs to: addresses are not randomised, and padding makes
 * argument vector, environment and paths together equally long everywhere, so that the stack lies where it always does.
 * RunRequest.padding is not used. With `measure: region` only what lies between the marks of include/firebreak.h is
 * counted, of the thread that set them, which needs a benchmark that was compiled with valgrind's header at hand; no
 * mark at all is "region_missing". Heap memory is that of the whole run.
 *
 * The configured timeout counts VALGRIND_SLOWDOWN-fold. Failures and their codes are those of the perf engine where
 * they mean the same: "benchmark_failed" (also if one of its processes crashes and its parent does not care),
 * "timeout", "escaped_work", "region_missing", "metrics_malformed". A dump that is missing, cut off or would count
 * twice is "data_lost" (runner/valgrind/valgrindjudge.h); dumps above 512 MiB are an error. */
#pragma once

#include "core/finding.h"
#include "runner/executor.h"
#include "runner/valgrind/valgrind.h"

#define VALGRIND_SLOWDOWN 100

/* `valgrind` and `findings` are borrowed until the executor goes. Runs use the CPUs that the calling process may use
 * now. That addresses cannot be fixed here (containers may forbid personality()) is one finding
 * `random_addresses_stay`. */
Executor *valgrind_executor_new(const Valgrind *valgrind, FindingList *findings);

/* The dumps of one kind ("callgrind" or "dhat") in a folder that a run left: a GPtrArray of paths (char *) of regular
 * files, sorted by process id, program of the process, and part. Owned by the caller. Errors: FIREBREAK_ERROR_INVALID
 * if there is none. */
GPtrArray *valgrind_run_dumps(const char *recording, const char *kind, GError **error);
