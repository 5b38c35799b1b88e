/* SPDX-License-Identifier: Apache-2.0 */
/* Watches for processes of a run that change how they are scheduled: another nice value or policy than the run was
 * started with, or CPUs beyond those it was pinned to. Two runs that share a CPU are comparable only while the kernel
 * treats them alike.
 *
 * sched_watch_look() walks the tree of the main process, all threads of it, and asks the kernel about each; it is for
 * the tick while children run. What changes and changes back between two looks is not seen; the first thread of the
 * main process is asked again at its very end by firebreak-spawn (ChildResult), and records from other CPUs tell by
 * themselves (runner/record/sideband.h).
 *
 * Fewer CPUs than those of the run are fine: programs may pin their threads within them. Threads that the kernel starts
 * for io_uring run where it likes and are passed over. */
#pragma once

#include "core/child.h"

typedef enum { SCHED_UNCHANGED, SCHED_LEFT_CPUS, SCHED_OTHER_NICE, SCHED_OTHER_POLICY } SchedChangeKind;

/* The first change that was seen. */
typedef struct {
	SchedChangeKind kind;
	int from, to;  /* nice values or policies; of CPUs, `to` is one that the process may run on, -1 = not known */
	char name[64]; /* of the thread, valid UTF-8; "" = that of the main process */
} SchedChange;

typedef struct SchedWatch SchedWatch;

/* Remembers how `pid` is scheduled now, before it is released. */
SchedWatch *sched_watch_new(pid_t pid);
void sched_watch_free(SchedWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SchedWatch, sched_watch_free)

/* Looks at the tree if the last look was 20 ms ago or more, and if nothing has been seen yet. Up to 512 threads. */
void sched_watch_look(SchedWatch *watch);
/* The change that was seen; borrowed. */
const SchedChange *sched_watch_seen(const SchedWatch *watch);
/* The difference between a main process as it was started and as it ended. */
SchedChange sched_change_between(ChildSchedule began, ChildSchedule ended);
/* "changed its nice value from 0 to 10"; owned by the caller. */
char *sched_change_text(const SchedChange *change);
