/* SPDX-License-Identifier: Apache-2.0 */
/* Recording: samples with call chains of one process tree into a standard perf.data file.
 *
 *     ring buffer per CPU and event ──> in order of time ──> samplefilter (stacks made whole) ──> offcpu ──> file
 *
 * Each event is opened per CPU on a process that waits before exec; it starts with the exec, and threads and children
 * inherit it. recorder_drain() empties the ring buffers as they fill, sorts what came by time, completes the call
 * chains from registers and a piece of stack (runner/record/samplefilter.h), and writes the records as the kernel made
 * them otherwise (linux/perf_event.h) in perf's "PERFILE2" format (tools/perf/Documentation/perf.data-file-format.txt).
 */
#pragma once

#include "core/child.h"
#include "runner/record/recordplan.h"

typedef struct Recorder Recorder;

/* Opens the events of `pid` on these CPUs and starts the file, which is in its place after recorder_finish() and not
 * before; what was there is replaced then (core/wholefile.h). Where the locked-memory limit does
 * not allow the usual buffers, smaller ones are taken with a finding. */
Recorder *recorder_open(const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, const char *path,
        FindingList *findings, GError **error);
void recorder_free(Recorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Recorder, recorder_free)

/* Switches recording on or off for the whole tree. */
gboolean recorder_enable(Recorder *recorder, gboolean on, GError **error);
/* Appends what child_wait_all() is to watch (ChildWatch): buffers that fill between two ticks. Borrowed until the
 * recorder goes. */
void recorder_watches(Recorder *recorder, GArray *watches);
/* Moves what is in the ring buffers to the file. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean recorder_drain(Recorder *recorder, GError **error);
/* Drains the rest, completes the file and puts it into its place. After this only recorder_free(). Call frame
 * information that could not be read is a finding; the list is that of recorder_open(), borrowed until here. */
gboolean recorder_finish(Recorder *recorder, RecorderCounts *counts, GError **error);
