/* SPDX-License-Identifier: Apache-2.0 */
#include "model/profile.h"

static void unref_run(gpointer run)
{
	g_array_unref(run);
}

Profile *profile_new(StackTable *table, const char *event, const char *unit)
{
	Profile *profile = g_new0(Profile, 1);
	profile->table = stack_table_ref(table);
	profile->event = g_strdup(event);
	profile->unit = g_strdup(unit);
	profile->scale = 1;
	profile->runs = g_ptr_array_new_with_free_func(unref_run);
	return profile;
}

void profile_free(Profile *profile)
{
	if (profile == NULL)
		return;
	stack_table_unref(profile->table);
	g_free(profile->event);
	g_free(profile->unit);
	g_ptr_array_unref(profile->runs);
	g_free(profile);
}

guint profile_add_run(Profile *profile)
{
	g_ptr_array_add(profile->runs, g_array_new(FALSE, TRUE, sizeof(ProfileCell)));
	return profile->runs->len - 1;
}

guint profile_n_runs(const Profile *profile)
{
	return profile->runs->len;
}

static guint64 add_saturated(guint64 a, guint64 b)
{
	return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void add_cost(ProfileCell *cell, ProfileCell cost)
{
	cell->samples = add_saturated(cell->samples, cost.samples);
	cell->weight = add_saturated(cell->weight, cost.weight);
}

static GArray *run_column(const Profile *profile, guint run)
{
	g_assert(run < profile->runs->len);
	return profile->runs->pdata[run];
}

void profile_add(Profile *profile, guint run, StackId stack, ProfileCell cost)
{
	GArray *column = run_column(profile, run);
	g_assert(stack.index < stack_table_n_stacks(profile->table));
	if (stack.index >= column->len)
		g_array_set_size(column, stack.index + 1);
	add_cost(&g_array_index(column, ProfileCell, stack.index), cost);
}

void profile_append_cost(GString *out, const Profile *profile, guint64 weight)
{
	guint64 rest = weight % profile->scale;
	g_string_append_printf(out, "%" G_GUINT64_FORMAT, weight / profile->scale);
	if (rest == 0)
		return;
	g_string_append_c(out, '.');
	for (guint64 place = profile->scale / 10; rest > 0; rest %= place, place /= 10)
		g_string_append_c(out, (char)('0' + rest / place));
}

ProfileCell profile_run_total(const Profile *profile, guint run)
{
	const GArray *column = run_column(profile, run);
	ProfileCell total = {0};
	for (guint i = 0; i < column->len; i++)
		add_cost(&total, g_array_index(column, ProfileCell, i));
	return total;
}

static gboolean can_be_multiplied(const Profile *profile, guint64 factor)
{
	for (guint run = 0; factor > 1 && run < profile->runs->len; run++) {
		ProfileCell total = profile_run_total(profile, run);
		if (MAX(total.samples, total.weight) > G_MAXUINT64 / factor)
			return FALSE;
	}
	return TRUE;
}

gboolean profile_rescale(Profile *profile, guint64 scale)
{
	g_assert(scale >= profile->scale && scale % profile->scale == 0);
	guint64 factor = scale / profile->scale;
	if (!can_be_multiplied(profile, factor))
		return FALSE;
	for (guint run = 0; factor > 1 && run < profile->runs->len; run++) {
		GArray *column = run_column(profile, run);
		for (guint i = 0; i < column->len; i++) {
			ProfileCell *cell = &g_array_index(column, ProfileCell, i);
			cell->samples *= factor;
			cell->weight *= factor;
		}
	}
	profile->scale = scale;
	return TRUE;
}

gboolean profile_match_scales(Profile *a, Profile *b)
{
	guint64 scale = MAX(a->scale, b->scale);
	return profile_rescale(a, scale) && profile_rescale(b, scale);
}

ProfileCell profile_stack_total(const Profile *profile, StackId stack)
{
	ProfileCell total = {0};
	for (guint run = 0; run < profile->runs->len; run++)
		add_cost(&total, profile_cell(profile, run, stack));
	return total;
}

Profile *profile_of_samples(const Profile *profile)
{
	Profile *counted = profile_new(profile->table, profile->event, "samples");
	profile_add_run(counted);
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		guint64 samples = profile_cell(profile, 0, (StackId){i}).samples;
		if (samples > 0)
			profile_add(counted, 0, (StackId){i}, (ProfileCell){samples, samples});
	}
	return counted;
}

ProfileCell *profile_self_by_frame(const Profile *profile, guint *n_frames)
{
	guint n_runs = profile->runs->len;
	*n_frames = stack_table_n_frames(profile->table);
	ProfileCell *cells = g_new0(ProfileCell, MAX(1, (gsize)*n_frames * n_runs));
	for (guint run = 0; run < n_runs; run++) {
		const GArray *column = run_column(profile, run);
		for (guint i = 1; i < column->len; i++) {
			FrameId leaf = stack_table_leaf(profile->table, (StackId){i});
			add_cost(&cells[(gsize)leaf.index * n_runs + run], g_array_index(column, ProfileCell, i));
		}
	}
	return cells;
}
