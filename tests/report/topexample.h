/* SPDX-License-Identifier: Apache-2.0 */
/* A profile with a bit of everything that `top` shows, shared by the tests of its outputs. */
#pragma once

#include "report/json/topjson.h"

typedef struct {
	StackTable *table;
	Profile *profile;
	Hotspots *hotspots;
	HotGrouping grouping;
	HotGroups *groups;
	HotPatterns *patterns;
	FindingList *findings;
	HotspotCalls *calls;
	GArray *chosen;
	TopReport report;
} TopExample;

typedef struct {
	const char *path[4]; /* functions below main */
	const char *module[4];
	FrameKind kind[4];
	guint64 samples;
} TopExampleStack;

static inline void top_example_add(TopExample *e, const TopExampleStack *stack)
{
	StackId id =
	        stack_table_push(e->table, STACK_ROOT, stack_table_frame_named(e->table, "lexi", NULL, FRAME_COMMAND));
	id = stack_table_push(e->table, id, stack_table_frame_named(e->table, "main", "lexi", FRAME_USER));
	for (guint i = 0; i < 4 && stack->path[i] != NULL; i++)
		id = stack_table_push(e->table, id,
		        stack_table_frame_named(e->table, stack->path[i], stack->module[i], stack->kind[i]));
	profile_add(e->profile, 0, id, (ProfileCell){stack->samples, stack->samples * 1000000});
}

static inline TopExample *top_example_new(void)
{
	static const char *const files[] = {"one.data", "two.data", NULL};
	static const TopExampleStack stacks[] = {
	        {{"parse", "read_word"}, {"lexi", "lexi"}, {FRAME_USER, FRAME_INLINED}, 300},
	        {{"parse", "malloc", "_int_malloc"}, {"lexi", "libc.so.6", "libc.so.6"}, {FRAME_USER}, 150},
	        {{"parse"}, {"lexi"}, {FRAME_USER}, 50},
	        {{"score", "score", "score"}, {"lexi", "lexi", "lexi"}, {FRAME_USER}, 400},
	        {{"std::vector<std::pair<unsigned long, std::string>>::\033[31mpush_back\n"}, {"li;b.so"}, {FRAME_USER},
	                70},
	        {{"write", "vfs_write"}, {"libc.so.6", "[kernel.kallsyms]"}, {FRAME_USER, FRAME_KERNEL}, 20},
	        {{"[unknown]"}, {"plugin.so"}, {FRAME_SYNTHETIC}, 10},
	};
	TopExample *e = g_new0(TopExample, 1);
	e->table = stack_table_new();
	e->profile = profile_new(e->table, "cpu-clock:u", "ns");
	e->findings = finding_list_new();
	profile_add_run(e->profile);
	for (guint i = 0; i < G_N_ELEMENTS(stacks); i++)
		top_example_add(e, &stacks[i]);
	finding_add(e->findings, FINDING_WARNING, "samples_lost", NULL, "2 %% of the samples were lost");
	e->hotspots = hotspots_new(e->profile);
	e->patterns = hot_patterns_new(e->profile, FALSE);
	hot_grouping_init(&e->grouping);
	e->groups = hot_groups_new(e->profile, &e->grouping);
	e->report = (TopReport){.profile = e->profile,
	        .files = files,
	        .hotspots = e->hotspots,
	        .groups = e->groups,
	        .patterns = e->patterns,
	        .findings = e->findings,
	        .unknown = hot_patterns_unknown(e->profile),
	        .rows = 7};
	return e;
}

/* Shows other groups than functions. */
static inline void top_example_group(TopExample *e, const char *keys)
{
	hot_groups_free(e->groups);
	hot_grouping_set_keys(&e->grouping, keys, NULL);
	e->groups = hot_groups_new(e->profile, &e->grouping);
	e->report.groups = e->groups;
}

/* Adds callers and callees of the functions with that name. */
static inline void top_example_choose(TopExample *e, const char *name)
{
	g_autofree gboolean *chosen = g_new0(gboolean, e->hotspots->n_frames);
	e->chosen = hotspots_find(e->hotspots, name);
	for (guint i = 0; i < e->chosen->len; i++)
		chosen[g_array_index(e->chosen, FrameId, i).index] = TRUE;
	e->calls = hotspot_calls_new(e->profile, chosen);
	e->report.calls = e->calls;
	e->report.chosen = e->chosen;
}

static inline void top_example_free(TopExample *e)
{
	g_clear_pointer(&e->chosen, g_array_unref);
	hotspot_calls_free(e->calls);
	hot_patterns_free(e->patterns);
	hotspots_free(e->hotspots);
	hot_groups_free(e->groups);
	hot_grouping_clear(&e->grouping);
	finding_list_free(e->findings);
	profile_free(e->profile);
	stack_table_unref(e->table);
	g_free(e);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TopExample, top_example_free)
