/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/recorder.h"

#include "core/clock.h"
#include "core/error.h"
#include "runner/record/eventset.h"
#include "runner/record/jitmaps.h"
#include "runner/record/kernelmaps.h"
#include "runner/record/offcpu.h"
#include "runner/record/perffile.h"
#include "runner/record/recordlayout.h"
#include "runner/record/ringset.h"
#include "runner/record/samplefilter.h"
#include "runner/record/waits.h"

#include <math.h>
#include <time.h>

#define MAX_WAITING_THREADS 65536

/* Counts of the samples of one event, by what became of them. */
typedef struct {
	guint64 samples, lost;
} EventTally;

struct Recorder {
	FindingList *findings; /* borrowed */
	EventSet *events;
	RingSet *rings;
	SampleFilter *filter;
	Sideband *sideband;
	OffCpu *off_cpu; /* NULL = not asked for */
	Waits *waits;    /* likewise */
	JitMaps *jit_maps;
	PerfFile *file;
	char **command;
	GByteArray *passed;   /* what the filter made of one record */
	GByteArray *finished; /* samples of waits that have ended */
	RecorderCounts counts;
	EventTally *tallies; /* one per event */
};

static gboolean wants_off_cpu(const RecorderPlan *plan)
{
	for (guint i = 0; i < plan->n_events; i++)
		if (plan->events[i].off_cpu)
			return TRUE;
	return FALSE;
}

/* Tells where the kernel lies, if any event can happen in it. */
static gboolean write_kernel_maps(Recorder *recorder, GError **error)
{
	g_autoptr(GByteArray) maps = g_byte_array_new();
	gboolean in_kernel = FALSE;
	for (guint i = 0; i < recorder->events->events->len; i++)
		in_kernel |= !event_set_get(recorder->events, i)->attr.exclude_kernel;
	if (in_kernel)
		kernel_maps_append(maps, event_set_get(recorder->events, 0)->ids[0]);
	for (gsize at = 0, size; at < maps->len; at += size) {
		size = record_header(maps->data + at).size;
		if (!perf_file_append(recorder->file, maps->data + at, size, error))
			return FALSE;
	}
	return TRUE;
}

Recorder *recorder_open(const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, const char *path,
        FindingList *findings, GError **error)
{
	g_autoptr(Recorder) recorder = g_new0(Recorder, 1);
	recorder->findings = findings;
	recorder->passed = g_byte_array_new();
	recorder->finished = g_byte_array_new();
	recorder->command = g_strdupv((char **)plan->command);
	recorder->jit_maps = jit_maps_new();
	recorder->sideband = sideband_new(plan->pinned_cpus, plan->n_pinned);
	recorder->off_cpu = wants_off_cpu(plan) ? off_cpu_new(MAX_WAITING_THREADS) : NULL;
	recorder->waits = plan->waits ? waits_new(pid, plan->start_disabled) : NULL;
	recorder->events = event_set_open(plan, pid, cpus, n_cpus, findings, error);
	if (recorder->events == NULL)
		return NULL;
	recorder->tallies = g_new0(EventTally, recorder->events->events->len);
	recorder->rings = ring_set_map(recorder->events, findings, error);
	if (recorder->rings == NULL)
		return NULL;
	recorder->filter = sample_filter_new(&event_set_get(recorder->events, 0)->attr, recorder->events->stacks);
	if (plan->weigh_pieces)
		sample_filter_weigh_pieces(recorder->filter);
	recorder->file = perf_file_create(path, recorder->events, error);
	if (recorder->file == NULL || !write_kernel_maps(recorder, error))
		return NULL;
	return g_steal_pointer(&recorder);
}

void recorder_free(Recorder *recorder)
{
	if (recorder == NULL)
		return;
	g_clear_pointer(&recorder->file, perf_file_free);
	g_clear_pointer(&recorder->filter, sample_filter_free);
	g_clear_pointer(&recorder->rings, ring_set_free);
	g_clear_pointer(&recorder->events, event_set_free);
	g_clear_pointer(&recorder->off_cpu, off_cpu_free);
	g_clear_pointer(&recorder->waits, waits_free);
	g_clear_pointer(&recorder->jit_maps, jit_maps_free);
	g_clear_pointer(&recorder->sideband, sideband_free);
	g_byte_array_unref(recorder->passed);
	g_byte_array_unref(recorder->finished);
	g_strfreev(recorder->command);
	g_free(recorder->tallies);
	g_free(recorder);
}

/* --- records --- */

/* Writes samples of waits that have ended. */
static gboolean write_finished(Recorder *recorder, GError **error)
{
	for (gsize at = 0; at < recorder->finished->len;) {
		const guint8 *record = recorder->finished->data + at;
		gsize size = record_header(record).size;
		recorder->counts.samples++;
		if (!perf_file_append(recorder->file, record, size, error))
			return FALSE;
		at += size;
	}
	g_byte_array_set_size(recorder->finished, 0);
	return TRUE;
}

/* A period that the kernel did not tell is the fixed one of the event. */
static void fill_period(const OpenEvent *event, guint8 *record)
{
	guint64 period = event->attr.sample_period;
	if ((event->attr.sample_type & PERF_SAMPLE_PERIOD) == 0)
		memcpy(record + SAMPLE_PERIOD_AT, &period, sizeof period);
}

/* Counts what is written: the sample of a thread that was preempted is not, that of a wait only when it has ended. */
static gboolean write_sample(Recorder *recorder, guint8 *record, gsize size, gboolean is_incomplete, GError **error)
{
	const OpenEvent *event = event_set_find(recorder->events, record_u64(record, SAMPLE_ID_AT));
	if (event != NULL)
		recorder->tallies[event - event_set_get(recorder->events, 0)].samples++;
	if (event != NULL && event->off_cpu) {
		off_cpu_sample(recorder->off_cpu, record, size, is_incomplete);
		return TRUE;
	}
	if (event != NULL)
		fill_period(event, record);
	recorder->counts.samples++;
	recorder->counts.incomplete += is_incomplete;
	return perf_file_append(recorder->file, record, size, error);
}

/* A process that begins to run a program may be, or have become, one of a container. One that was only forked may
 * generate code, too. */
static void note_program(Recorder *recorder, const guint8 *record, struct perf_event_header header)
{
	gboolean is_exec = header.type == PERF_RECORD_COMM && (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	gint32 pid = (gint32)record_u32(record, sizeof header);
	if (is_exec || (header.type == PERF_RECORD_FORK && pid != (gint32)record_u32(record, sizeof header + 4)))
		jit_maps_note(recorder->jit_maps, pid);
}

/* An event without a known identifier counts as the first: what decides is not to be overlooked. */
static void note_throttling(Recorder *recorder, guint64 id)
{
	const OpenEvent *event = event_set_find(recorder->events, id);
	recorder->counts.throttled++;
	recorder->counts.throttled_first += event == NULL || event == event_set_get(recorder->events, 0);
}

static gboolean write_other(Recorder *recorder, const guint8 *record, struct perf_event_header header, GError **error)
{
	/* The kernel ends each of these records with the trailer (sample_id_all), so the fields of its own have the
	 * room before it. */
	const gsize body = sizeof header, room = header.size - body - sizeof(RecordTrailer);
	note_program(recorder, record, header);
	if (header.type == PERF_RECORD_THROTTLE && room >= 24)
		note_throttling(recorder, record_u64(record, body + 8));
	else if (header.type == PERF_RECORD_LOST && room >= 16)
		recorder->counts.lost += record_u64(record, body + 8);
	else if (header.type == PERF_RECORD_LOST_SAMPLES && room >= 8)
		recorder->counts.lost += record_u64(record, body);
	if (recorder->off_cpu != NULL && (header.type == PERF_RECORD_SWITCH || header.type == PERF_RECORD_EXIT))
		off_cpu_record(recorder->off_cpu, record, header.size, recorder->finished);
	/* nobody who reads the file needs the switches of a run of which only the wait was wanted */
	if (recorder->off_cpu == NULL && recorder->waits != NULL && header.type == PERF_RECORD_SWITCH)
		return TRUE;
	return perf_file_append(recorder->file, record, header.size, error) && write_finished(recorder, error);
}

/* One record from a ring: through the filter, then to its place. */
static gboolean take_record(gpointer data, const guint8 *record, struct perf_event_header header, GError **error)
{
	Recorder *recorder = data;
	GByteArray *passed = recorder->passed;
	guint64 incomplete = 0;
	sideband_note(recorder->sideband, record, header);
	if (recorder->waits != NULL)
		waits_note(recorder->waits, record, header);
	g_byte_array_set_size(passed, 0);
	if (!sample_filter_pass(recorder->filter, record, header.size, passed, &incomplete, error))
		return FALSE;
	for (gsize at = 0; at < passed->len; at += header.size) {
		guint8 *whole = passed->data + at;
		header = record_header(whole);
		if (!(header.type == PERF_RECORD_SAMPLE
		                    ? write_sample(recorder, whole, header.size, incomplete > 0, error)
		                    : write_other(recorder, whole, header, error)))
			return FALSE;
	}
	return TRUE;
}

/* --- calls of the owner --- */

gboolean recorder_drain(Recorder *recorder, GError **error)
{
	return ring_set_drain(recorder->rings, FALSE, take_record, recorder, error);
}

static gboolean drain_when_ready(gpointer data, GError **error)
{
	return recorder_drain(data, error);
}

void recorder_watches(Recorder *recorder, GArray *watches)
{
	ring_set_watches(recorder->rings, drain_when_ready, recorder, watches);
}

/* Ends what is still waited for. */
static gboolean close_waits(Recorder *recorder, GError **error)
{
	if (recorder->off_cpu == NULL)
		return TRUE;
	off_cpu_close(recorder->off_cpu, (guint64)clock_now_ns(), recorder->finished);
	return write_finished(recorder, error);
}

/* Switches the recording of waits. Records of the time before are taken first. */
static gboolean turn_waits(Recorder *recorder, gboolean on, GError **error)
{
	/* The time is read before the buffers are drained, which takes a while that is no part of what is measured. */
	guint64 turned_ns = (guint64)clock_now_ns();
	if (!ring_set_drain(recorder->rings, TRUE, take_record, recorder, error))
		return FALSE;
	waits_count(recorder->waits, on, turned_ns);
	return TRUE;
}

gboolean recorder_enable(Recorder *recorder, gboolean on, GError **error)
{
	if (!event_set_enable(recorder->events, on, error))
		return FALSE;
	if (recorder->waits != NULL && !turn_waits(recorder, on, error))
		return FALSE;
	/* a wait that reaches over the end of what is measured counts up to there */
	return on ||
	       (ring_set_drain(recorder->rings, TRUE, take_record, recorder, error) && close_waits(recorder, error));
}

/* Sums up the kernel's own counts. */
static gboolean count_lost(Recorder *recorder, guint64 *sum, GError **error)
{
	*sum = 0;
	for (guint i = 0; i < recorder->events->events->len; i++) {
		if (!event_set_lost(recorder->events, i, &recorder->tallies[i].lost, error))
			return FALSE;
		*sum += recorder->tallies[i].lost;
	}
	return TRUE;
}

/* Samples of an event that comes often must not hide that those of another were lost. What no event is known for is
 * taken for that of the first one that samples, which is the one that decides. A tracker that only makes records of
 * maps and names has no samples, so it has lost everything as soon as one of them is missing. */
static double worst_lost_share(const Recorder *recorder)
{
	guint64 known = 0;
	guint n = recorder->events->events->len, first = n > 1 && event_set_get(recorder->events, 0)->always_on ? 1 : 0;
	double worst = 0;
	for (guint i = 0; i < n; i++)
		known += recorder->tallies[i].lost;
	for (guint i = 0; i < n; i++) {
		EventTally tally = recorder->tallies[i];
		if (i == first && recorder->counts.lost > known)
			tally.lost += recorder->counts.lost - known;
		if (tally.lost > 0)
			worst = MAX(worst, (double)tally.lost / (double)(tally.lost + tally.samples));
	}
	return worst;
}

/* Counts lost samples of which the file does not say anything yet, and has it say so. */
static gboolean write_lost(Recorder *recorder, guint index, guint64 lost, GError **error)
{
	const struct {
		struct perf_event_header header;
		guint64 lost;
		RecordTrailer trailer;
	} record = {
	        .header = {.type = PERF_RECORD_LOST_SAMPLES, .size = sizeof record},
	        .lost = lost,
	        .trailer = {.time_ns = (guint64)clock_now_ns(), .id = event_set_get(recorder->events, index)->ids[0]},
	};
	recorder->counts.lost += lost;
	return lost == 0 || perf_file_append(recorder->file, (const guint8 *)&record, sizeof record, error);
}

/* Waits that the kernel told of, and that were not followed to their end. */
static gboolean write_lost_waits(Recorder *recorder, GError **error)
{
	guint64 lost = recorder->off_cpu != NULL ? off_cpu_lost(recorder->off_cpu) : 0;
	guint of = 0;
	while (of + 1 < recorder->events->events->len && !event_set_get(recorder->events, of)->off_cpu)
		of++;
	recorder->tallies[of].lost += lost;
	return write_lost(recorder, of, lost, error);
}

/* The kernel writes a record of what was lost only when there is room again, so its own count may be larger: the file
 * is to say so, too. */
static gboolean write_rest_of_lost(Recorder *recorder, GError **error)
{
	guint64 lost;
	if (!count_lost(recorder, &lost, error))
		return FALSE;
	guint64 rest = lost > recorder->counts.lost ? lost - recorder->counts.lost : 0;
	return write_lost(recorder, 0, rest, error) && write_lost_waits(recorder, error);
}

static void note_problem(const Recorder *recorder)
{
	const GError *problem = sample_filter_problem(recorder->filter);
	if (problem != NULL)
		finding_add(recorder->findings, FINDING_WARNING, "unwinding_limited", NULL,
		        "some callers that frame pointers miss are missing in stacks: %s", problem->message);
}

gboolean recorder_finish(Recorder *recorder, RecorderCounts *counts, GError **error)
{
	if (!event_set_enable(recorder->events, FALSE, error) ||
	        !ring_set_drain(recorder->rings, TRUE, take_record, recorder, error) || !close_waits(recorder, error) ||
	        !write_rest_of_lost(recorder, error))
		return FALSE;
	if (recorder->off_cpu != NULL)
		recorder->counts.incomplete += off_cpu_incomplete(recorder->off_cpu);
	recorder->counts.worst_lost_share = worst_lost_share(recorder);
	gboolean is_cut = FALSE;
	g_autoptr(GByteArray) maps = jit_maps_collect(recorder->jit_maps, &is_cut);
	if (is_cut)
		finding_add(recorder->findings, FINDING_WARNING, "perf_maps_cut", NULL,
		        "names of generated code are missing: a /tmp/perf-PID.map is not text, or there are more than "
		        "64 MiB of them");
	const PerfFileTail tail = {
	        .command = (const char *const *)recorder->command,
	        .perf_maps = maps,
	        .completes_stacks = sample_filter_completes(recorder->filter),
	        .stacks = recorder->counts.samples,
	        .incomplete = recorder->counts.incomplete,
	};
	if (!perf_file_complete(recorder->file, &tail, error))
		return FALSE;
	recorder->counts.small_buffers = ring_set_is_limited(recorder->rings);
	recorder->counts.bytes = perf_file_bytes(recorder->file);
	recorder->counts.wait_ns = recorder->waits != NULL ? waits_total_ns(recorder->waits) : NAN;
	recorder->counts.sideband = *sideband_facts(recorder->sideband);
	recorder->counts.pieces = *sample_filter_pieces(recorder->filter);
	recorder->counts.pieces.buffer_bytes = ring_set_bytes(recorder->rings);
	*counts = recorder->counts;
	note_problem(recorder);
	return TRUE;
}
