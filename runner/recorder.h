/* Recording: samples with call chains of one process tree into a standard perf.data file.
 *
 * One event per CPU on a process that waits before exec; it starts with the exec, and threads and children inherit it.
 * Each CPU has a ring buffer that the kernel fills and recorder_drain() empties into the file as it comes; the record
 * bytes are those of the kernel (linux/perf_event.h), the file's head is that of perf's "PERFILE2" format
 * (tools/perf/Documentation/perf.data-file-format.txt). Records of different CPUs are not in order of time; every
 * record carries its time. Frames of user space come from frame pointers; kernel frames are excluded unless asked for.
 */
#pragma once

#include "runner/perfevent.h"

typedef struct {
	const PerfEventKind *event;
	guint64 frequency_hz; /* samples per second; 0 = fixed period */
	guint64 period;       /* with frequency 0: one sample every `period` units of the event */
	gboolean kernel;      /* also sample kernel mode */
} RecorderPlan;

typedef struct {
	guint64 samples, lost, throttled; /* seen in the stream, and the kernel's own count of lost samples */
	guint64 bytes;
} RecorderCounts;

typedef struct Recorder Recorder;

/* Opens the events of `pid` on these CPUs and starts the file (replaced if there). Where the locked-memory limit does
 * not allow the usual buffers, smaller ones are taken with a finding. */
Recorder *recorder_open(const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, const char *path,
        FindingList *findings, GError **error);
void recorder_free(Recorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Recorder, recorder_free)

/* Moves what is in the ring buffers to the file. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean recorder_drain(Recorder *recorder, GError **error);
/* Drains the rest and completes the head of the file. After this only recorder_free(). */
gboolean recorder_finish(Recorder *recorder, RecorderCounts *counts, GError **error);
