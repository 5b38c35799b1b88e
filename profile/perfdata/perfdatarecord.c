/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatarecord.h"

#include "profile/perfdata/perfdatasample.h"

enum {
	MISC_CPU_MODE_MASK = 7,
	MISC_SPECIAL = 1 << 13,      /* of MMAP: not executable; of COMM: by exec; of SWITCH: off the CPU */
	MISC_BUILD_ID = 1 << 14,     /* of MMAP2: a build-id instead of an inode */
	MISC_IS_PREEMPTED = 1 << 14, /* of SWITCH */
	TRAILER_FIELDS = PERF_FIELD_TID | PERF_FIELD_TIME | PERF_FIELD_ID | PERF_FIELD_STREAM_ID | PERF_FIELD_CPU |
	                 PERF_FIELD_IDENTIFIER,
};

static guint count_bits(guint64 value)
{
	return (guint)__builtin_popcountll(value);
}

gboolean perf_decoder_knows(guint32 type)
{
	switch (type) {
	case PERF_TYPE_SAMPLE:
	case PERF_TYPE_MMAP:
	case PERF_TYPE_MMAP2:
	case PERF_TYPE_COMM:
	case PERF_TYPE_FORK:
	case PERF_TYPE_EXIT:
	case PERF_TYPE_SWITCH:
	case PERF_TYPE_SWITCH_CPU_WIDE:
		return TRUE;
	default:
		return FALSE;
	}
}

/* The fields at the end of a record. */
typedef struct {
	gint32 pid, tid; /* -1 = not told */
	guint64 time_ns; /* 0 = not told */
} Trailer;

/* Records that the recorder made up belong to no event and have zeros instead of an id. */
static Trailer read_trailer(PerfDecoder *decoder, PerfBytes record)
{
	Trailer trailer = {-1, -1, 0};
	guint32 pid, tid;
	guint64 id = 0;
	guint event = 0;
	gsize id_bytes = 8 * (gsize)decoder->id_words_at_end;
	if (decoder->has_ids && record.size >= PERF_RECORD_HEADER_BYTES + id_bytes &&
	        perf_bytes_u64(record, record.size - id_bytes, &id))
		perf_decoder_find_event(decoder, id, &event);
	const PerfDataAttr *attr = perf_events_attr(decoder->events, event);
	gsize bytes = 8 * (gsize)count_bits(attr->sample_type & TRAILER_FIELDS);
	if (!attr->id_in_all || record.size < PERF_RECORD_HEADER_BYTES + bytes)
		return trailer;
	gsize at = record.size - bytes;
	if ((attr->sample_type & PERF_FIELD_TID) != 0 && perf_bytes_u32(record, at, &pid) &&
	        perf_bytes_u32(record, at + 4, &tid)) {
		trailer.pid = (gint32)pid;
		trailer.tid = (gint32)tid;
		at += 8;
	}
	if ((attr->sample_type & PERF_FIELD_TIME) != 0)
		perf_bytes_u64(record, at, &trailer.time_ns);
	return trailer;
}

guint64 perf_decoder_time(PerfDecoder *decoder, PerfBytes record)
{
	return read_trailer(decoder, record).time_ns;
}

/* Linux 3.12 to 3.15, and RHEL 7, wrote MMAP2 records without protection and flags: the path stands where these would.
 * The bits of a protection are none of a path's first byte, in either order of bytes. */
static gsize path_of_second_form(PerfBytes record)
{
	enum { PROTECTION_AT = 64, PATH_AT = 72, KNOWN_PROTECTION = 0x0300000f };
	guint32 protection;
	gboolean is_old = perf_bytes_u32(record, PROTECTION_AT, &protection) && (protection & ~KNOWN_PROTECTION) != 0;
	return is_old ? PROTECTION_AT : PATH_AT;
}

static gboolean decode_mmap(gboolean is_second_form, guint16 misc, PerfBytes record, PerfDataRecord *out)
{
	enum { START_AT = 16, BUILD_ID_LENGTH_AT = 40, BUILD_ID_AT = 44, INODE_AT = 40, PATH_AT = 40 };
	PerfDataMmap *mmap = &out->mmap;
	out->kind = PERF_DATA_MMAP;
	*mmap = (PerfDataMmap){.is_data = (misc & MISC_SPECIAL) != 0};
	mmap->path = perf_bytes_text(record, is_second_form ? path_of_second_form(record) : PATH_AT);
	if (mmap->path == NULL)
		return FALSE;
	perf_bytes_u64(record, START_AT, &mmap->start);
	perf_bytes_u64(record, START_AT + 8, &mmap->length);
	perf_bytes_u64(record, START_AT + 16, &mmap->page_offset);
	if (is_second_form && (misc & MISC_BUILD_ID) == 0) {
		mmap->has_inode = perf_bytes_u32(record, INODE_AT, &mmap->device_major) &&
		                  perf_bytes_u32(record, INODE_AT + 4, &mmap->device_minor) &&
		                  perf_bytes_u64(record, INODE_AT + 8, &mmap->inode);
	} else if (is_second_form) {
		mmap->build_id_length = MIN(record.bytes[BUILD_ID_LENGTH_AT], PERF_DATA_BUILD_ID_BYTES);
		memcpy(mmap->build_id, record.bytes + BUILD_ID_AT, mmap->build_id_length);
	}
	return TRUE;
}

static gboolean decode_comm(guint16 misc, PerfBytes record, PerfDataRecord *out)
{
	out->kind = PERF_DATA_COMM;
	out->comm.name = perf_bytes_text(record, 16);
	out->comm.is_exec = (misc & MISC_SPECIAL) != 0;
	return out->comm.name != NULL;
}

/* Body: pid, ppid, tid, ptid, time. Where the end of the record has no time, this one is of no use either, since it
 * could not be compared with the others. */
static gboolean decode_task(guint32 type, guint16 misc, PerfBytes record, PerfDataRecord *out)
{
	guint32 ids[4];
	for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
		if (!perf_bytes_u32(record, PERF_RECORD_HEADER_BYTES + i * 4, &ids[i]))
			return FALSE;
	out->kind = type == PERF_TYPE_FORK ? PERF_DATA_FORK : PERF_DATA_EXIT;
	out->pid = (gint32)ids[0];
	out->fork.parent_pid = (gint32)ids[1];
	out->tid = (gint32)ids[2];
	out->fork.parent_tid = (gint32)ids[3];
	out->fork.is_made_up = (misc & MISC_SPECIAL) != 0;
	return TRUE;
}

/* The thread is told by the end of the record alone: the body is empty, or names the other thread of the switch. */
static gboolean decode_switch(guint16 misc, const Trailer *trailer, PerfDataRecord *out)
{
	out->kind = PERF_DATA_SWITCH;
	out->pid = trailer->pid;
	out->tid = trailer->tid;
	out->switched.is_out = (misc & MISC_SPECIAL) != 0;
	out->switched.is_preempted = (misc & MISC_IS_PREEMPTED) != 0;
	return TRUE;
}

gboolean perf_decoder_decode(PerfDecoder *decoder, PerfBytes record, PerfDataRecord *out)
{
	guint32 type = 0, pid, tid;
	guint16 misc = 0;
	perf_bytes_u32(record, 0, &type);
	perf_bytes_u16(record, 4, &misc);
	guint mode = misc & MISC_CPU_MODE_MASK;
	*out = (PerfDataRecord){.cpu_mode = mode <= PERF_DATA_CPU_GUEST_USER ? mode : PERF_DATA_CPU_UNKNOWN};
	if (type == PERF_TYPE_SAMPLE)
		return perf_sample_decode(decoder, record, out);
	/* The kernel ends every record but a sample with the same fields (sample_id_all); only a sample has them in
	 * front. */
	Trailer trailer = read_trailer(decoder, record);
	out->time_ns = trailer.time_ns;
	if (type == PERF_TYPE_SWITCH || type == PERF_TYPE_SWITCH_CPU_WIDE)
		return decode_switch(misc, &trailer, out);
	if (type == PERF_TYPE_FORK || type == PERF_TYPE_EXIT)
		return decode_task(type, misc, record, out);
	if (!perf_bytes_u32(record, 8, &pid) || !perf_bytes_u32(record, 12, &tid))
		return FALSE;
	out->pid = (gint32)pid;
	out->tid = (gint32)tid;
	return type == PERF_TYPE_COMM ? decode_comm(misc, record, out)
	                              : decode_mmap(type == PERF_TYPE_MMAP2, misc, record, out);
}
