/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/sideband.h"

#include "runner/record/privileges.h"
#include "runner/record/recordlayout.h"

#include <string.h>

/* As many names as processes and threads are likely to have; more are not known by name. */
#define MAX_NAMES 65536
#define MAX_PROGRAMS 4096
#define COMM_BYTES 16
#define NAME_CHARACTERS 15
#define FILE_CHARACTERS ((SIDEBAND_FILE_BYTES - 1) / 4)

enum { TASK_PID_AT = 8, TASK_PPID_AT = 12, COMM_TID_AT = 12, COMM_TEXT_AT = 16, EXIT_TID_AT = 16, MMAP2_FILE_AT = 72 };

struct Sideband {
	GArray *cpus;          /* of int; empty = any */
	GHashTable *names;     /* thread id -> name */
	GHashTable *programs;  /* paths of files that were executed */
	GHashTable *executing; /* ids of processes that have begun to execute a program and mapped nothing of it yet */
	SidebandFacts facts;
};

Sideband *sideband_new(const int *cpus, guint n_cpus)
{
	Sideband *sideband = g_new0(Sideband, 1);
	sideband->cpus = g_array_new(FALSE, FALSE, sizeof(int));
	g_array_append_vals(sideband->cpus, cpus, n_cpus);
	sideband->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	sideband->programs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	sideband->executing = g_hash_table_new(NULL, NULL);
	return sideband;
}

void sideband_free(Sideband *sideband)
{
	if (sideband == NULL)
		return;
	g_array_unref(sideband->cpus);
	g_hash_table_unref(sideband->names);
	g_hash_table_unref(sideband->programs);
	g_hash_table_unref(sideband->executing);
	g_free(sideband);
}

const SidebandFacts *sideband_facts(const Sideband *sideband)
{
	return &sideband->facts;
}

static const char *name_of(const Sideband *sideband, guint32 tid)
{
	const char *name = g_hash_table_lookup(sideband->names, GUINT_TO_POINTER(tid));
	return name != NULL ? name : "";
}

/* --- programs that drop out --- */

/* The text of a COMM record, which a program may have chosen. */
static char *comm_text(const guint8 *record, struct perf_event_header header)
{
	gsize room = header.size - sizeof(RecordTrailer);
	if (room <= COMM_TEXT_AT)
		return g_strdup("");
	g_autofree char *text = g_strndup((const char *)record + COMM_TEXT_AT, MIN(room - COMM_TEXT_AT, COMM_BYTES));
	return g_utf8_make_valid(text, -1);
}

static void note_name(Sideband *sideband, const guint8 *record, struct perf_event_header header)
{
	guint32 pid = record_u32(record, TASK_PID_AT), tid = record_u32(record, COMM_TID_AT);
	g_autofree char *name = comm_text(record, header);
	sideband->facts.kernel_workers |= g_str_has_prefix(name, "iou-");
	if (g_hash_table_size(sideband->names) < MAX_NAMES)
		g_hash_table_insert(sideband->names, GUINT_TO_POINTER(tid), g_steal_pointer(&name));
	if ((header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
		g_hash_table_add(sideband->executing, GUINT_TO_POINTER(pid));
}

/* The first map of a program is that of its file. */
static void note_program(Sideband *sideband, const guint8 *record, struct perf_event_header header)
{
	gsize body = header.size - sizeof(RecordTrailer);
	SidebandFacts *facts = &sideband->facts;
	if (header.type != PERF_RECORD_MMAP2 || body <= MMAP2_FILE_AT || facts->privileged_name[0] != '\0' ||
	        g_hash_table_size(sideband->programs) >= MAX_PROGRAMS)
		return;
	g_autofree char *path = g_strndup((const char *)record + MMAP2_FILE_AT, body - MMAP2_FILE_AT);
	if (g_hash_table_contains(sideband->programs, path))
		return;
	if (privileges_of_file(path)) {
		g_autofree char *name = g_path_get_basename(path), *valid = g_utf8_make_valid(name, -1);
		g_utf8_strncpy(facts->privileged_name, valid, FILE_CHARACTERS);
	}
	g_hash_table_add(sideband->programs, g_steal_pointer(&path));
}

static void note_end(Sideband *sideband, const guint8 *record)
{
	guint32 pid = record_u32(record, TASK_PID_AT), tid = record_u32(record, EXIT_TID_AT);
	SidebandFacts *facts = &sideband->facts;
	if (pid == tid && g_hash_table_remove(sideband->executing, GUINT_TO_POINTER(pid)) && facts->dropped_out++ == 0)
		g_utf8_strncpy(facts->dropped_name, name_of(sideband, tid), NAME_CHARACTERS);
	g_hash_table_remove(sideband->names, GUINT_TO_POINTER(tid));
}

static void note_task(Sideband *sideband, const guint8 *record, struct perf_event_header header)
{
	gsize body = header.size - sizeof(RecordTrailer);
	switch (header.type) {
	case PERF_RECORD_COMM:
		if (body >= COMM_TEXT_AT)
			note_name(sideband, record, header);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (body > TASK_PID_AT + 4 &&
		        g_hash_table_remove(sideband->executing, GUINT_TO_POINTER(record_u32(record, TASK_PID_AT))))
			note_program(sideband, record, header);
		break;
	case PERF_RECORD_FORK:
		if (body >= TASK_PPID_AT + 4)
			sideband->facts.forks += record_u32(record, TASK_PID_AT) != record_u32(record, TASK_PPID_AT);
		break;
	case PERF_RECORD_EXIT:
		if (body >= EXIT_TID_AT + 4)
			note_end(sideband, record);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		/* maps may be among what was lost */
		g_hash_table_remove_all(sideband->executing);
		break;
	default:
		break;
	}
}

/* --- processes that leave their CPUs --- */

static gboolean is_pinned_to(const Sideband *sideband, guint32 cpu)
{
	for (guint i = 0; i < sideband->cpus->len; i++)
		if ((guint32)g_array_index(sideband->cpus, int, i) == cpu)
			return TRUE;
	return sideband->cpus->len == 0;
}

static void note_cpu(Sideband *sideband, guint32 cpu, guint32 tid)
{
	SidebandFacts *facts = &sideband->facts;
	const char *name = name_of(sideband, tid);
	if (is_pinned_to(sideband, cpu) || g_str_has_prefix(name, "iou-"))
		return;
	if (facts->strays++ > 0)
		return;
	facts->stray_cpu = cpu;
	g_utf8_strncpy(facts->stray_name, name, NAME_CHARACTERS);
}

void sideband_note(Sideband *sideband, const guint8 *record, struct perf_event_header header)
{
	if (header.type == PERF_RECORD_SAMPLE) {
		note_cpu(sideband, record_u32(record, SAMPLE_CPU_AT), record_u32(record, SAMPLE_TID_AT));
		return;
	}
	RecordTrailer trailer = record_trailer(record, header.size);
	gboolean is_end = header.type == PERF_RECORD_EXIT;
	if (is_end)
		note_cpu(sideband, trailer.cpu, trailer.tid);
	note_task(sideband, record, header);
	if (!is_end)
		note_cpu(sideband, trailer.cpu, trailer.tid);
}
