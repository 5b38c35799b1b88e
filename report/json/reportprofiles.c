/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/reportprofiles.h"

#include "core/escape.h"
#include "profile/folded/folded.h"
#include "report/flame/flamediffdata.h"

#include <math.h>
#include <string.h>

/* Names of functions in the files -> FrameId + 1 in the report's table. */
typedef struct {
	StackTable *table;
	GHashTable *frames; /* char * -> index + 1 */
} Names;

static void add_name(Names *names, const char *name, FrameId frame)
{
	if (!g_hash_table_contains(names->frames, name))
		g_hash_table_insert(names->frames, g_strdup(name), GUINT_TO_POINTER(frame.index + 1));
}

/* As the function is called, and as folded stacks write it. Of several of one name it is the one with the largest
 * contribution, which comes first. */
static void add_function(Names *names, FrameId frame)
{
	const char *name = stack_table_frame_name(names->table, frame);
	g_autofree char *folded = escape_to_string(escape_folded, name);
	add_name(names, name, frame);
	add_name(names, folded, frame);
}

static void names_init(Names *names, StackTable *table, const BenchmarkComparison *comparison)
{
	names->table = table;
	names->frames = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		add_function(names, function->frame);
		add_function(names, function->renamed_from);
	}
}

static FrameId frame_of(Names *names, const Frame *frame, const char *name)
{
	gpointer at = frame->kind != FRAME_COMMAND ? g_hash_table_lookup(names->frames, name) : NULL;
	if (at != NULL)
		return (FrameId){GPOINTER_TO_UINT(at) - 1};
	return stack_table_frame_named(names->table, name, NULL, frame->kind);
}

/* Finds the stacks of a profile in the report's table; by StackId. Owned by the caller. */
static StackId *stacks_of(Names *names, const StackTable *source)
{
	guint n = stack_table_n_stacks(source);
	StackId *stacks = g_new0(StackId, n);
	for (guint i = 1; i < n; i++) {
		StackId stack = {i}, parent = stacks[stack_table_parent(source, stack).index];
		FrameId leaf = stack_table_leaf(source, stack);
		FrameId frame =
		        frame_of(names, stack_table_get_frame(source, leaf), stack_table_frame_name(source, leaf));
		stacks[i] = stack_table_push(names->table, parent, frame);
	}
	return stacks;
}

/* The factors of a cell of the source when it is added to a profile, for its weight and its samples. */
typedef struct {
	double weight, samples;
} Factors;

/* Run by run; `to` has at least as many. */
static void add_profile(Names *names, const Profile *source, Profile *to, Factors factors)
{
	guint n = stack_table_n_stacks(source->table);
	g_autofree StackId *stacks = stacks_of(names, source->table);
	for (guint i = 1; i < n; i++) {
		for (guint run = 0; run < profile_n_runs(source); run++) {
			ProfileCell cell = profile_cell(source, run, (StackId){i});
			ProfileCell scaled = {.samples = (guint64)round((double)cell.samples * factors.samples),
			        .weight = (guint64)round((double)cell.weight * factors.weight)};
			if (scaled.samples > 0 || scaled.weight > 0)
				profile_add(to, run, stacks[i], scaled);
		}
	}
}

static Profile *read_folded(const char *text)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "", "");
	profile_add_run(profile);
	if (text != NULL && folded_read(text, strlen(text), "folded stacks", NULL, profile, 0, NULL, NULL))
		return profile;
	profile_free(profile);
	return NULL;
}

static Profile *empty_profile(const Measurement *measurement)
{
	Profile *profile =
	        profile_new(measurement->profile->table, measurement->profile->event, measurement->profile->unit);
	profile_add_run(profile);
	return profile;
}

static guint runs_of(const Measurement *measurement)
{
	return MAX(measurement->runs->len, 1);
}

/* Weight of a sample, as far as the functions that have both tell it; all samples weigh alike then. */
static double weight_of_sample(const RestoredSides *sides, gboolean head)
{
	const Measurement *measurement = head ? sides->head : sides->base;
	double cost = 0, samples = 0;
	for (guint i = 0; i < sides->comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(sides->comparison->functions, i);
		cost += head ? function->head_cost : function->base_cost;
		samples += (double)(head ? function->head_samples : function->base_samples);
	}
	double work = measurement->work > 0 ? measurement->work : 1;
	return samples > 0 && cost > 0 ? cost * work * runs_of(measurement) / samples : 1;
}

/* Takes the profile; each of its runs is the sum of so many. */
static void set_profile(Measurement *measurement, Profile *profile, guint runs)
{
	profile_free(measurement->profile);
	measurement->profile = profile;
	measurement->work = (measurement->work > 0 ? measurement->work : 1) * MAX(runs, 1);
}

/* Costs from the picture, samples from the folded stacks; those of counts are the counts. */
static gboolean restore_from_picture(const RestoredSides *sides, const KeptProfiles *kept)
{
	FlameDiffData data;
	if (kept->picture == NULL ||
	        !flame_diff_data_read(kept->picture, strlen(kept->picture), "picture", &data, NULL))
		return FALSE;
	Names names;
	names_init(&names, sides->base->profile->table, sides->comparison);
	for (guint head = 0; head < 2; head++) {
		Measurement *measurement = head ? sides->head : sides->base;
		Profile *profile = empty_profile(measurement);
		Profile *samples = sides->counted ? NULL : read_folded(head ? kept->head_folded : kept->base_folded);
		const Profile *from = head ? data.head : data.base;
		while (profile_n_runs(profile) < profile_n_runs(from))
			profile_add_run(profile);
		add_profile(&names, from, profile, (Factors){1, sides->counted});
		if (samples != NULL)
			add_profile(&names, samples, profile, (Factors){0, 1});
		profile_free(samples);
		set_profile(measurement, profile, (head ? data.head_runs : data.base_runs) / profile_n_runs(profile));
	}
	g_hash_table_unref(names.frames);
	flame_diff_data_clear(&data);
	return TRUE;
}

/* Folded stacks of samples are sums over all runs, those of counts are of one run. */
static gboolean restore_from_folded(const RestoredSides *sides, const KeptProfiles *kept)
{
	Profile *read[] = {read_folded(kept->base_folded), read_folded(kept->head_folded)};
	gboolean complete = read[0] != NULL && read[1] != NULL;
	Names names;
	names_init(&names, sides->base->profile->table, sides->comparison);
	for (guint head = 0; head < 2 && complete; head++) {
		Measurement *measurement = head ? sides->head : sides->base;
		Profile *profile = empty_profile(measurement);
		double weight = sides->counted ? 1 : weight_of_sample(sides, head);
		add_profile(&names, read[head], profile, (Factors){weight, 1});
		set_profile(measurement, profile, sides->counted ? 1 : runs_of(measurement));
	}
	g_hash_table_unref(names.frames);
	profile_free(read[0]);
	profile_free(read[1]);
	return complete;
}

gboolean report_profiles_restore(const RestoredSides *sides, const KeptProfiles *kept)
{
	gboolean named = sides->base != NULL && sides->head != NULL && sides->comparison != NULL &&
	                 sides->base->profile != NULL && sides->head->profile != NULL;
	return named && (restore_from_picture(sides, kept) || restore_from_folded(sides, kept));
}
