/* SPDX-License-Identifier: Apache-2.0 */
#include "model/exported.h"

#include <string.h>

ProfileCell exported_cell(const Profile *side, StackId stack)
{
	return side != NULL ? profile_stack_total(side, stack) : (ProfileCell){0};
}

static gint64 signed_weight(const Profile *side, StackId stack)
{
	return (gint64)MIN(exported_cell(side, stack).weight, (guint64)G_MAXINT64);
}

gint64 exported_weight(const ExportedProfile *exported, ExportedPart part, StackId stack)
{
	gint64 head = part != EXPORT_BASE ? signed_weight(exported->head, stack) : 0;
	gint64 base = part != EXPORT_HEAD ? signed_weight(exported->base, stack) : 0;
	switch (part) {
	case EXPORT_HEAD:
		return head;
	case EXPORT_BASE:
		return base;
	case EXPORT_INCREASE:
		return MAX(head - base, 0);
	case EXPORT_DIFFERENCE:
		return head - base;
	}
	g_assert_not_reached();
}

void exported_append_cost(GString *out, const ExportedProfile *exported, gint64 weight)
{
	if (weight < 0)
		g_string_append_c(out, '-');
	profile_append_cost(out, exported->head, (guint64)ABS(weight));
}

static void look_at_scale(ExportedScale *scale, ProfileCell cell)
{
	scale->has_weight = scale->has_weight || cell.weight > 0;
	scale->is_count = scale->is_count && cell.weight == cell.samples;
}

ExportedScale exported_scale(const ExportedProfile *exported)
{
	static const char *const of_samples[] = {"", "samples", "counts", NULL};
	ExportedScale scale = {
	        .is_count = TRUE,
	        .is_sampled = exported->head->scale == 1 && g_strv_contains(of_samples, exported->head->unit),
	};
	for (guint i = 1; i < stack_table_n_stacks(exported->head->table); i++) {
		look_at_scale(&scale, exported_cell(exported->head, (StackId){i}));
		look_at_scale(&scale, exported_cell(exported->base, (StackId){i}));
	}
	return scale;
}

/* --- rows --- */

static gboolean has_cost(const ExportedProfile *exported, StackId stack)
{
	ProfileCell head = exported_cell(exported->head, stack), base = exported_cell(exported->base, stack);
	return (head.samples | head.weight | base.samples | base.weight) > 0;
}

static void add_row(ExportedRows *rows, const StackTable *table, StackId stack)
{
	FrameId frame = stack_table_leaf(table, stack);
	rows->stack_rows[stack.index] = rows->stacks->len;
	g_array_append_val(rows->stacks, stack);
	if (rows->frame_rows[frame.index] != G_MAXUINT32)
		return;
	rows->frame_rows[frame.index] = rows->frames->len;
	g_array_append_val(rows->frames, frame);
}

void exported_rows_init(ExportedRows *rows, const ExportedProfile *exported)
{
	const StackTable *table = exported->head->table;
	guint n_stacks = stack_table_n_stacks(table), n_frames = stack_table_n_frames(table);
	g_assert(exported->base == NULL || exported->base->table == table);
	g_autofree gboolean *is_used = g_new0(gboolean, n_stacks);
	*rows = (ExportedRows){
	        .stacks = g_array_new(FALSE, FALSE, sizeof(StackId)),
	        .frames = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	        .stack_rows = g_new(guint32, n_stacks),
	        .frame_rows = g_new(guint32, MAX(1, n_frames)),
	};
	memset(rows->stack_rows, 0xff, n_stacks * sizeof(guint32));
	memset(rows->frame_rows, 0xff, MAX(1, n_frames) * sizeof(guint32));
	for (guint i = n_stacks; i-- > 1;)
		if (is_used[i] || has_cost(exported, (StackId){i})) {
			is_used[i] = TRUE;
			is_used[stack_table_parent(table, (StackId){i}).index] = TRUE;
		}
	for (guint i = 1; i < n_stacks; i++)
		if (is_used[i])
			add_row(rows, table, (StackId){i});
}

void exported_rows_clear(ExportedRows *rows)
{
	g_array_unref(rows->stacks);
	g_array_unref(rows->frames);
	g_free(rows->stack_rows);
	g_free(rows->frame_rows);
}

guint32 exported_rows_leaf(const ExportedRows *rows, const StackTable *table, guint row)
{
	return rows->frame_rows[stack_table_leaf(table, g_array_index(rows->stacks, StackId, row)).index];
}

/* --- texts --- */

void exported_texts_init(ExportedTexts *texts)
{
	texts->texts = g_ptr_array_new();
	texts->by_name = g_hash_table_new(NULL, NULL);
}

void exported_texts_clear(ExportedTexts *texts)
{
	g_ptr_array_unref(texts->texts);
	g_hash_table_unref(texts->by_name);
}

guint32 exported_texts_add(ExportedTexts *texts, const char *text)
{
	g_ptr_array_add(texts->texts, (gpointer)text);
	return texts->texts->len - 1;
}

guint32 exported_texts_name(ExportedTexts *texts, const StackTable *table, NameId name)
{
	gpointer key = GUINT_TO_POINTER(name.index + 1);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(texts->by_name, key));
	if (known != 0)
		return known - 1;
	guint32 number = exported_texts_add(texts, stack_table_text(table, name));
	g_hash_table_insert(texts->by_name, key, GUINT_TO_POINTER(number + 1));
	return number;
}

/* --- copies --- */

static FrameId copy_frame(const StackTable *from, FrameId id, StackTable *to)
{
	Frame frame = *stack_table_get_frame(from, id);
	NameId *const names[] = {&frame.name, &frame.module, &frame.raw_name, &frame.file};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		*names[i] = stack_table_name(to, stack_table_text(from, *names[i]), -1);
	return stack_table_frame(to, &frame);
}

Profile *exported_copy(const Profile *profile, StackTable *table)
{
	const StackTable *from = profile->table;
	guint n_frames = stack_table_n_frames(from), n_stacks = stack_table_n_stacks(from);
	g_autofree FrameId *frames = g_new0(FrameId, MAX(1, n_frames));
	g_autofree StackId *stacks = g_new0(StackId, n_stacks);
	Profile *copy = profile_new(table, profile->event, profile->unit);
	copy->scale = profile->scale;
	for (guint i = 0; i < n_frames; i++)
		frames[i] = copy_frame(from, (FrameId){i}, table);
	for (guint run = 0; run < profile_n_runs(profile); run++)
		profile_add_run(copy);
	for (guint i = 1; i < n_stacks; i++) {
		StackId parent = stacks[stack_table_parent(from, (StackId){i}).index];
		stacks[i] = stack_table_push(table, parent, frames[stack_table_leaf(from, (StackId){i}).index]);
		for (guint run = 0; run < profile_n_runs(profile); run++) {
			ProfileCell cell = profile_cell(profile, run, (StackId){i});
			if ((cell.samples | cell.weight) > 0)
				profile_add(copy, run, stacks[i], cell);
		}
	}
	return copy;
}
