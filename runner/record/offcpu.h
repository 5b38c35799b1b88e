/* SPDX-License-Identifier: Apache-2.0 */
/* Time spent blocked: from switches of threads to samples whose period is the time that a wait took.
 *
 *     sample of context-switches      thread 7 leaves the CPU, with the stack that led there     ) one wait,
 *     SWITCH out of thread 7          of its own will, or preempted (then it is no wait)         ) its period is
 *     SWITCH in of thread 7           it is back                                                 ) in - out
 *
 * A wait includes the time until a CPU was free again. It is handed out when it has ended: by the thread's return, its
 * exit, or the end of the recording. Records come in order of time, in the shape of runner/record/recordlayout.h. */
#pragma once

#include <glib.h>

typedef struct OffCpu OffCpu;

/* At most `max_waiting` threads are remembered at once. */
OffCpu *off_cpu_new(guint max_waiting);
void off_cpu_free(OffCpu *off_cpu);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OffCpu, off_cpu_free)

/* A thread is about to leave the CPU; the record is copied. */
void off_cpu_sample(OffCpu *off_cpu, const guint8 *record, gsize size, gboolean is_incomplete);
/* A SWITCH or EXIT record. Appends the sample of the wait that ended with it, if there is one. */
void off_cpu_record(OffCpu *off_cpu, const guint8 *record, gsize size, GByteArray *out);
/* Ends all waits now; their samples are appended. */
void off_cpu_close(OffCpu *off_cpu, guint64 now_ns, GByteArray *out);
/* Waits that were forgotten because too many threads waited, or because their end was not seen. */
guint64 off_cpu_lost(const OffCpu *off_cpu);
/* Of the waits that were handed out, those whose stack is incomplete. */
guint64 off_cpu_incomplete(const OffCpu *off_cpu);
