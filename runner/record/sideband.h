/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the records of a recording tell about its run besides samples: programs that dropped out of the counters,
 * and processes that left their CPUs.
 *
 * perf events are inherited by whatever a process starts, until it executes an image that the kernel will not dump: a
 * file that the user may not read, or one that runs as another user or group or with capabilities. Then the kernel
 * takes all events off the process, which works on uncounted, and says that it has ended (begin_new_exec() in
 * fs/exec.c):
 *
 *     FORK, COMM (exec) "cc", MMAP2, MMAP2, ..., EXIT     the usual way of a process
 *     FORK, COMM (exec) "helper", EXIT                    dropped out: no image was mapped before its "end"
 *
 * Threads that the kernel starts for io_uring run on any CPU, whatever the program was pinned to; they do not count as
 * having left. A program can give a thread of its own such a name; runner/perf/schedwatch.h sees through that. */
#pragma once

#include <glib.h>
#include <linux/perf_event.h>

#define SIDEBAND_NAME_BYTES 64   /* 15 characters of any kind */
#define SIDEBAND_FILE_BYTES 1024 /* 255 characters */

typedef struct {
	guint dropped_out;                      /* programs that are not counted from their exec on */
	char dropped_name[SIDEBAND_NAME_BYTES]; /* the first of them, as the kernel calls it (15 bytes), valid UTF-8 */
	/* the first program that would run with other privileges, if it could gain them; "" = none was seen */
	char privileged_name[SIDEBAND_FILE_BYTES];
	guint64 forks;                        /* processes that were started by the run */
	guint64 strays;                       /* records from CPUs that the run was not pinned to */
	guint stray_cpu;                      /* of the first of them */
	char stray_name[SIDEBAND_NAME_BYTES]; /* its process, "" = not known */
	gboolean kernel_workers;              /* there are threads for io_uring */
} SidebandFacts;

typedef struct Sideband Sideband;

/* `cpus`: those that the run is pinned to; n_cpus 0 = any will do. */
Sideband *sideband_new(const int *cpus, guint n_cpus);
void sideband_free(Sideband *sideband);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sideband, sideband_free)

/* Takes one whole record of the shape that runner/record/recordlayout.h says, in order of time. */
void sideband_note(Sideband *sideband, const guint8 *record, struct perf_event_header header);
/* The facts of the records so far; borrowed. */
const SidebandFacts *sideband_facts(const Sideband *sideband);
