/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/waits.h"

#include "runner/record/recordlayout.h"

#include <math.h>

#define MAX_THREADS 65536

enum { TASK_PID_AT = 8, TASK_TID_AT = 16, TASK_BYTES = 32 };

/* The state of a thread, as the value in the table. */
enum { CAN_RUN = 1, BLOCKED };

struct Waits {
	guint32 main;
	GHashTable *threads; /* thread id -> CAN_RUN or BLOCKED */
	guint can_run;       /* how many of them */
	GHashTable *of_main; /* ids of threads of the main process */
	gboolean ended, unknown;
	gboolean counts;
	guint64 since_ns; /* when the present wait began; 0 = there is none */
	guint64 total_ns;
};

Waits *waits_new(pid_t main, gboolean paused)
{
	Waits *waits = g_new0(Waits, 1);
	waits->main = (guint32)main;
	waits->threads = g_hash_table_new(NULL, NULL);
	waits->of_main = g_hash_table_new(NULL, NULL);
	waits->counts = !paused;
	g_hash_table_insert(waits->threads, GUINT_TO_POINTER(waits->main), GUINT_TO_POINTER(CAN_RUN));
	g_hash_table_add(waits->of_main, GUINT_TO_POINTER(waits->main));
	waits->can_run = 1;
	return waits;
}

void waits_free(Waits *waits)
{
	if (waits == NULL)
		return;
	g_hash_table_unref(waits->threads);
	g_hash_table_unref(waits->of_main);
	g_free(waits);
}

static void stop(Waits *waits, guint64 now_ns)
{
	if (waits->since_ns > 0 && now_ns > waits->since_ns)
		waits->total_ns += now_ns - waits->since_ns;
	waits->since_ns = 0;
}

/* Begins or ends the wait of the whole tree, after something has changed. */
static void follow(Waits *waits, guint64 now_ns)
{
	gboolean waiting = waits->counts && !waits->ended && waits->can_run == 0;
	if (!waiting)
		stop(waits, now_ns);
	else if (waits->since_ns == 0)
		waits->since_ns = now_ns;
}

/* `what`: CAN_RUN, BLOCKED, or 0 for a thread that is gone. */
static void set_thread(Waits *waits, guint32 tid, guint what)
{
	guint was = GPOINTER_TO_UINT(g_hash_table_lookup(waits->threads, GUINT_TO_POINTER(tid)));
	waits->can_run += (what == CAN_RUN) - (was == CAN_RUN);
	if (what == 0)
		g_hash_table_remove(waits->threads, GUINT_TO_POINTER(tid));
	else
		g_hash_table_insert(waits->threads, GUINT_TO_POINTER(tid), GUINT_TO_POINTER(what));
	waits->unknown |= g_hash_table_size(waits->threads) > MAX_THREADS;
}

static void note_switch(Waits *waits, guint32 tid, guint16 misc)
{
	gboolean leaves = (misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	/* A thread that was preempted could go on: it waits for a CPU, not for anything else. */
	gboolean preempted = (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
	set_thread(waits, tid, leaves && !preempted ? BLOCKED : CAN_RUN);
}

static void note_fork(Waits *waits, guint32 pid, guint32 tid)
{
	set_thread(waits, tid, CAN_RUN);
	if (pid == waits->main)
		g_hash_table_add(waits->of_main, GUINT_TO_POINTER(tid));
}

static void note_exit(Waits *waits, guint32 tid)
{
	set_thread(waits, tid, 0);
	if (g_hash_table_remove(waits->of_main, GUINT_TO_POINTER(tid)) && g_hash_table_size(waits->of_main) == 0)
		waits->ended = TRUE;
}

void waits_note(Waits *waits, const guint8 *record, struct perf_event_header header)
{
	RecordTrailer trailer;
	gboolean is_task = header.type == PERF_RECORD_FORK || header.type == PERF_RECORD_EXIT;
	if (header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_LOST_SAMPLES)
		/* A lost record may have been a switch, and then the state of its thread is not known any more. */
		waits->unknown = TRUE;
	if (waits->ended || waits->unknown || (header.type != PERF_RECORD_SWITCH && !is_task) ||
	        (is_task && header.size < TASK_BYTES + sizeof trailer))
		return;
	trailer = record_trailer(record, header.size);
	if (header.type == PERF_RECORD_SWITCH)
		note_switch(waits, trailer.tid, header.misc);
	else if (header.type == PERF_RECORD_FORK)
		note_fork(waits, record_u32(record, TASK_PID_AT), record_u32(record, TASK_TID_AT));
	else
		note_exit(waits, record_u32(record, TASK_TID_AT));
	follow(waits, trailer.time_ns);
}

void waits_count(Waits *waits, gboolean on, guint64 now_ns)
{
	stop(waits, now_ns);
	waits->counts = on;
	follow(waits, now_ns);
}

double waits_total_ns(const Waits *waits)
{
	return waits->unknown ? NAN : (double)waits->total_ns;
}
