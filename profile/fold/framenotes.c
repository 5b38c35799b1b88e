/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/framenotes.h"

void frame_notes_init(FrameNotes *notes, const SymbolFrames *frames, guint wanted)
{
	*notes = (FrameNotes){.frames = frames, .wanted = wanted & NOTES_OF_FUNCTION};
	notes->first = g_array_new(FALSE, TRUE, sizeof(guint32));
	notes->notes = g_array_new(FALSE, FALSE, sizeof(FrameId));
	if (notes->wanted != 0)
		g_array_set_size(notes->first, symbolizer_n_addresses(frames->symbolizer));
}

void frame_notes_clear(FrameNotes *notes)
{
	g_array_unref(notes->first);
	g_array_unref(notes->notes);
}

static gboolean wants(const FrameNotes *notes, StackNote note)
{
	return (notes->wanted & 1u << note) != 0;
}

static void add_note(FrameNotes *notes, StackNote note, const char *text)
{
	FrameId frame = stack_note(notes->frames->table, note, text);
	g_array_append_val(notes->notes, frame);
}

static void add_line(FrameNotes *notes, const SymbolFrame *symbol)
{
	if (symbol == NULL || symbol->at_file == NULL || symbol->at_line == 0) {
		add_note(notes, NOTE_LINE, "");
		return;
	}
	NameId file = symbol_frames_source_file(notes->frames, symbol->at_file);
	g_autofree char *text = g_strdup_printf("%s:%u", stack_table_text(notes->frames->table, file), symbol->at_line);
	add_note(notes, NOTE_LINE, text);
}

/* `symbol` is that of the frame, or NULL where it has no name. */
static void add_notes(FrameNotes *notes, guint32 address, const SymbolFrame *symbol)
{
	g_autofree char *number = g_strdup_printf(
	        "0x%" G_GINT64_MODIFIER "x", symbolizer_address_offset(notes->frames->symbolizer, address));
	if (wants(notes, NOTE_ADDRESS))
		add_note(notes, NOTE_ADDRESS, number);
	if (wants(notes, NOTE_LINE))
		add_line(notes, symbol);
}

static void make_notes(FrameNotes *notes, guint32 address)
{
	guint n;
	const SymbolFrame *chain = symbolizer_frames(notes->frames->symbolizer, address, &n);
	g_array_index(notes->first, guint32, address) = notes->notes->len + 1;
	for (guint i = 0; i < n; i++)
		if (!chain[i].is_inlined || !notes->frames->no_inline)
			add_notes(notes, address, &chain[i]);
	if (n == 0)
		add_notes(notes, address, NULL);
}

StackId frame_notes_push_address(FrameNotes *notes, StackId stack, guint32 address)
{
	StackTable *table = notes->frames->table;
	const AddressFrames *row = symbol_frames_address(notes->frames, address);
	const FrameId *frames = symbol_frames_of(notes->frames, row);
	guint n_notes = (guint)__builtin_popcount(notes->wanted);
	if (n_notes > 0 && g_array_index(notes->first, guint32, address) == 0)
		make_notes(notes, address);
	guint32 at = n_notes > 0 ? g_array_index(notes->first, guint32, address) - 1 : 0;
	for (guint k = 0; k < row->n; k++) {
		stack = stack_table_push(table, stack, frames[k]);
		for (guint i = 0; i < n_notes; i++)
			stack = stack_table_push(table, stack, g_array_index(notes->notes, FrameId, at++));
	}
	return stack;
}

StackId frame_notes_push_frame(const FrameNotes *notes, StackId stack, FrameId frame)
{
	StackTable *table = notes->frames->table;
	FrameForm form = stack_table_frame_form(table, frame);
	stack = stack_table_push(table, stack, frame);
	if (form == FRAME_FORM_COMMAND || form == FRAME_FORM_NOTE)
		return stack;
	for (StackNote note = 0; note < N_STACK_NOTES; note++)
		if (wants(notes, note))
			stack = stack_table_push(table, stack, stack_note(table, note, ""));
	return stack;
}
