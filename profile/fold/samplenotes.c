/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/samplenotes.h"

#define NOTE_BITS 3
G_STATIC_ASSERT(N_STACK_NOTES <= 1 << NOTE_BITS);

void sample_notes_init(SampleNotes *notes, StackTable *table, guint wanted)
{
	*notes = (SampleNotes){.table = table, .wanted = wanted & NOTES_OF_COMMAND};
	if (notes->wanted != 0)
		notes->known = g_hash_table_new(NULL, NULL);
}

void sample_notes_clear(SampleNotes *notes)
{
	g_clear_pointer(&notes->known, g_hash_table_unref);
}

static FrameId find_note(SampleNotes *notes, StackNote note, gint32 number)
{
	char text[16] = "";
	gpointer key = GSIZE_TO_POINTER((gsize)(guint32)number << NOTE_BITS | note);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(notes->known, key));
	if (known != 0)
		return (FrameId){known - 1};
	if (number >= 0)
		g_snprintf(text, sizeof text, "%d", number);
	FrameId frame = stack_note(notes->table, note, text);
	g_hash_table_insert(notes->known, key, GUINT_TO_POINTER(frame.index + 1));
	return frame;
}

void sample_notes_push(SampleNotes *notes, RawPath *path, const PerfDataRecord *record)
{
	const gint32 numbers[] = {
	        [NOTE_PROCESS] = record->pid, [NOTE_THREAD] = record->tid, [NOTE_CPU] = record->sample.cpu};
	if (notes->wanted == 0)
		return;
	for (StackNote note = 0; note < G_N_ELEMENTS(numbers); note++)
		if ((notes->wanted & 1u << note) != 0)
			raw_path_push(path, (RawFrame){.row = find_note(notes, note, numbers[note]).index});
}
