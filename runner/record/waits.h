/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how long a run waited: the time in which every thread of its tree was blocked, so that no CPU would have
 * helped.
 *
 *     thread 7  ====____====----====      = runs   - could run, another program has the CPU   _ blocked
 *     thread 8  ______=====_____====
 *     waits         ..                    all of them are blocked
 *
 * A thread is blocked from a switch of its own will (sleep, read, futex, page from disk) until it is back on a CPU. One
 * that was preempted, or yielded, is not; so what the other run of a round takes is no part of it, and a wait that the
 * other run fills with its own work is all there. Until a woken thread gets the CPU passes up to a time slice of the
 * other run, which is counted; that is so on both sides.
 *
 * Source: PERF_RECORD_SWITCH, FORK and EXIT of the run's own events (linux/perf_event.h), in order of time and in the
 * shape of runner/record/recordlayout.h. It ends with the last thread of the main process: processes that it leaves
 * behind wait for nobody. Records that the kernel lost leave the wait unknown. */
#pragma once

#include <glib.h>
#include <linux/perf_event.h>
#include <sys/types.h>

typedef struct Waits Waits;

/* `main` is the process that the run begins with. With `paused` nothing counts until waits_count(). */
Waits *waits_new(pid_t main, gboolean paused);
void waits_free(Waits *waits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Waits, waits_free)

/* Takes one whole record. */
void waits_note(Waits *waits, const guint8 *record, struct perf_event_header header);
/* Counts from this moment on, or no longer. All records before it have been taken. */
void waits_count(Waits *waits, gboolean on, guint64 now_ns);
/* Nanoseconds in all up to the last record; NaN if records are missing. */
double waits_total_ns(const Waits *waits);
