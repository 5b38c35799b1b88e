/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacknote.h"

#include <string.h>

static const char *const note_names[N_STACK_NOTES] = {
        [NOTE_PROCESS] = "process",
        [NOTE_THREAD] = "thread",
        [NOTE_CPU] = "cpu",
        [NOTE_ADDRESS] = "address",
        [NOTE_LINE] = "line",
};

FrameId stack_note(StackTable *table, StackNote note, const char *text)
{
	return stack_table_frame_named(table, text, note_names[note], FRAME_NOTE);
}

gboolean stack_note_is(const StackTable *table, FrameId frame, StackNote *note)
{
	if (stack_table_frame_form(table, frame) != FRAME_FORM_NOTE)
		return FALSE;
	const char *name = stack_table_frame_module(table, frame);
	for (*note = 0; *note < N_STACK_NOTES - 1 && strcmp(note_names[*note], name) != 0;)
		(*note)++;
	return TRUE;
}

FrameId stack_note_bearer(const StackTable *table, StackId stack)
{
	while (stack_table_frame_form(table, stack_table_leaf(table, stack)) == FRAME_FORM_NOTE)
		stack = stack_table_parent(table, stack);
	return stack_table_leaf(table, stack);
}

static void copy_stack(Profile *to, const Profile *from, StackId stack, StackId shorter)
{
	for (guint run = 0; run < profile_n_runs(from); run++) {
		ProfileCell cell = profile_cell(from, run, stack);
		if (cell.samples > 0 || cell.weight > 0)
			profile_add(to, run, shorter, cell);
	}
}

Profile *stack_notes_left_out(const Profile *profile)
{
	StackTable *table = profile->table;
	guint n = stack_table_n_stacks(table);
	Profile *result = profile_new(table, profile->event, profile->unit);
	g_autofree StackId *shorter = g_new0(StackId, n);
	result->scale = profile->scale;
	for (guint run = 0; run < profile_n_runs(profile); run++)
		profile_add_run(result);
	for (guint i = 1; i < n; i++) {
		FrameId leaf = stack_table_leaf(table, (StackId){i});
		shorter[i] = shorter[stack_table_parent(table, (StackId){i}).index];
		if (stack_table_frame_form(table, leaf) != FRAME_FORM_NOTE)
			shorter[i] = stack_table_push(table, shorter[i], leaf);
		copy_stack(result, profile, (StackId){i}, shorter[i]);
	}
	return result;
}
