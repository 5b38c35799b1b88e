/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/namelessframes.h"

#include <string.h>

char *nameless_name(const char *file, const guint64 *address)
{
	gsize length = strlen(file);
	gboolean bracketed = length > 2 && file[0] == '[' && file[length - 1] == ']';
	GString *name = g_string_new("[");
	g_string_append_len(name, bracketed ? file + 1 : file, (gssize)(bracketed ? length - 2 : length));
	if (address != NULL)
		g_string_append_printf(name, " <%" G_GINT64_MODIFIER "x>", *address);
	g_string_append_c(name, ']');
	return g_string_free(name, FALSE);
}

static gboolean is_nameless(const StackTable *table, FrameId frame)
{
	return strcmp(stack_table_frame_name(table, frame), "[unknown]") == 0 &&
	       *stack_table_frame_module(table, frame) != '\0';
}

static gboolean has_nameless(const StackTable *table)
{
	for (guint i = 0; i < stack_table_n_frames(table); i++)
		if (is_nameless(table, (FrameId){i}))
			return TRUE;
	return FALSE;
}

static FrameId copy_frame(StackTable *to, const StackTable *from, FrameId id)
{
	Frame frame = *stack_table_get_frame(from, id);
	gboolean nameless = is_nameless(from, id);
	g_autofree char *name = nameless ? nameless_name(stack_table_frame_module(from, id), NULL) : NULL;
	const char *raw_name = stack_table_text(from, frame.raw_name);
	frame.raw_name = stack_table_name(to, nameless ? name : raw_name, -1);
	frame.name = stack_table_name(to, nameless ? name : stack_table_frame_name(from, id), -1);
	frame.module = stack_table_name(to, stack_table_frame_module(from, id), -1);
	frame.file = stack_table_name(to, stack_table_text(from, frame.file), -1);
	return stack_table_frame(to, &frame);
}

/* Parents come before their children, so one pass does. */
Profile *nameless_frames_named(const Profile *profile)
{
	const StackTable *from = profile->table;
	guint n_frames = stack_table_n_frames(from), n_stacks = stack_table_n_stacks(from);
	if (!has_nameless(from))
		return NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree FrameId *frames = g_new0(FrameId, MAX(1, n_frames));
	g_autofree StackId *stacks = g_new0(StackId, n_stacks);
	Profile *named = profile_new(table, profile->event, profile->unit);
	named->scale = profile->scale;
	profile_add_run(named);
	for (guint i = 0; i < n_frames; i++)
		frames[i] = copy_frame(table, from, (FrameId){i});
	for (guint i = 1; i < n_stacks; i++) {
		StackId parent = stacks[stack_table_parent(from, (StackId){i}).index];
		stacks[i] = stack_table_push(table, parent, frames[stack_table_leaf(from, (StackId){i}).index]);
		ProfileCell cell = profile_cell(profile, 0, (StackId){i});
		if (cell.samples > 0 || cell.weight > 0)
			profile_add(named, 0, stacks[i], cell);
	}
	return named;
}
