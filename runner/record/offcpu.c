/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/offcpu.h"

#include "runner/record/recordlayout.h"

/* Entries of a call chain from here on are markers: kernel, user, ... */
#define FIRST_MARKER ((guint64)-4095)

/* The wait of one thread. Slots are used again, so that waiting costs no allocation. */
typedef struct {
	guint32 tid;
	guint64 start_ns;
	GByteArray *sample;
	gboolean is_incomplete; /* its stack */
	gboolean waits;         /* else the slot is free */
} Wait;

struct OffCpu {
	guint max_waiting;
	GArray *slots;      /* of Wait */
	GArray *free_slots; /* of guint */
	GHashTable *by_tid; /* tid -> slot + 1 */
	guint64 lost, incomplete;
};

static void clear_wait(gpointer data)
{
	Wait *wait = data;
	g_byte_array_unref(wait->sample);
}

OffCpu *off_cpu_new(guint max_waiting)
{
	OffCpu *off_cpu = g_new0(OffCpu, 1);
	off_cpu->max_waiting = max_waiting;
	off_cpu->slots = g_array_new(FALSE, FALSE, sizeof(Wait));
	g_array_set_clear_func(off_cpu->slots, clear_wait);
	off_cpu->free_slots = g_array_new(FALSE, FALSE, sizeof(guint));
	off_cpu->by_tid = g_hash_table_new(NULL, NULL);
	return off_cpu;
}

void off_cpu_free(OffCpu *off_cpu)
{
	if (off_cpu == NULL)
		return;
	g_array_unref(off_cpu->slots);
	g_array_unref(off_cpu->free_slots);
	g_hash_table_unref(off_cpu->by_tid);
	g_free(off_cpu);
}

guint64 off_cpu_lost(const OffCpu *off_cpu)
{
	return off_cpu->lost;
}

guint64 off_cpu_incomplete(const OffCpu *off_cpu)
{
	return off_cpu->incomplete;
}

/* A slot for a wait that begins; NULL if there are too many. */
static Wait *take_slot(OffCpu *off_cpu, guint32 tid)
{
	guint index = off_cpu->slots->len;
	if (off_cpu->free_slots->len > 0) {
		index = g_array_index(off_cpu->free_slots, guint, off_cpu->free_slots->len - 1);
		g_array_set_size(off_cpu->free_slots, off_cpu->free_slots->len - 1);
	} else if (index < off_cpu->max_waiting) {
		Wait fresh = {.sample = g_byte_array_new()};
		g_array_append_val(off_cpu->slots, fresh);
	} else {
		return NULL;
	}
	g_hash_table_insert(off_cpu->by_tid, GUINT_TO_POINTER(tid), GUINT_TO_POINTER(index + 1));
	return &g_array_index(off_cpu->slots, Wait, index);
}

static Wait *find_wait(const OffCpu *off_cpu, guint32 tid)
{
	guint slot = GPOINTER_TO_UINT(g_hash_table_lookup(off_cpu->by_tid, GUINT_TO_POINTER(tid)));
	return slot > 0 ? &g_array_index(off_cpu->slots, Wait, slot - 1) : NULL;
}

static void forget(OffCpu *off_cpu, Wait *wait)
{
	guint index = (guint)(wait - &g_array_index(off_cpu->slots, Wait, 0));
	g_hash_table_remove(off_cpu->by_tid, GUINT_TO_POINTER(wait->tid));
	g_array_append_val(off_cpu->free_slots, index);
	wait->waits = FALSE;
}

/* Tells where the first address of the user part of the chain lies, 0 if it has none. */
static gsize first_user_address(const guint8 *sample, gsize size)
{
	guint64 n = size > SAMPLE_FIXED_BYTES ? record_u64(sample, SAMPLE_FIXED_BYTES) : 0;
	for (guint64 i = 0; i < n; i++) {
		gsize at = SAMPLE_FIXED_BYTES + (1 + i) * sizeof(guint64);
		if (at + sizeof(guint64) > size)
			return 0;
		if (record_u64(sample, at) < FIRST_MARKER)
			return at;
	}
	return 0;
}

/* The kernel's own place of switching says nothing: the sample stands where user code entered the kernel. */
static void move_to_user(guint8 *sample, gsize size)
{
	gsize at = first_user_address(sample, size);
	if (at == 0)
		return;
	struct perf_event_header header = record_header(sample);
	header.misc = (guint16)((header.misc & ~PERF_RECORD_MISC_CPUMODE_MASK) | PERF_RECORD_MISC_USER);
	memcpy(sample, &header, sizeof header);
	memcpy(sample + SAMPLE_IP_AT, sample + at, sizeof(guint64));
}

void off_cpu_sample(OffCpu *off_cpu, const guint8 *record, gsize size, gboolean is_incomplete)
{
	guint32 tid = record_u32(record, SAMPLE_TID_AT);
	Wait *wait = find_wait(off_cpu, tid);
	/* it left once more without having come back: its return was lost */
	if (wait != NULL)
		off_cpu->lost++;
	else
		wait = take_slot(off_cpu, tid);
	if (wait == NULL) {
		off_cpu->lost++;
		return;
	}
	wait->tid = tid;
	wait->waits = TRUE;
	wait->is_incomplete = is_incomplete;
	wait->start_ns = record_u64(record, SAMPLE_TIME_AT);
	g_byte_array_set_size(wait->sample, 0);
	g_byte_array_append(wait->sample, record, (guint)size);
	move_to_user(wait->sample->data, size);
}

/* A wait of no length has no weight; it is not lost. */
static void end_wait(OffCpu *off_cpu, Wait *wait, guint64 end_ns, GByteArray *out)
{
	guint64 period = end_ns > wait->start_ns ? end_ns - wait->start_ns : 0;
	memcpy(wait->sample->data + SAMPLE_PERIOD_AT, &period, sizeof period);
	if (period > 0) {
		g_byte_array_append(out, wait->sample->data, wait->sample->len);
		off_cpu->incomplete += wait->is_incomplete;
	}
	forget(off_cpu, wait);
}

void off_cpu_record(OffCpu *off_cpu, const guint8 *record, gsize size, GByteArray *out)
{
	struct perf_event_header header = record_header(record);
	RecordTrailer trailer = record_trailer(record, size);
	Wait *wait = find_wait(off_cpu, trailer.tid);
	if (wait == NULL)
		return;
	gboolean leaves = header.type == PERF_RECORD_SWITCH && (header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	if (!leaves)
		end_wait(off_cpu, wait, trailer.time_ns, out);
	else if ((header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0)
		forget(off_cpu, wait);
}

void off_cpu_close(OffCpu *off_cpu, guint64 now_ns, GByteArray *out)
{
	for (guint i = 0; i < off_cpu->slots->len; i++) {
		Wait *wait = &g_array_index(off_cpu->slots, Wait, i);
		if (wait->waits)
			end_wait(off_cpu, wait, now_ns, out);
	}
}
