/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotspots.h"

#include "profile/hotspots/labelsums.h"

#include <math.h>
#include <string.h>

#define NORMAL_97_5 1.96

Hotspots *hotspots_new(const Profile *profile)
{
	Hotspots *hotspots = g_new0(Hotspots, 1);
	hotspots->table = profile->table;
	hotspots->n_frames = stack_table_n_frames(profile->table);
	hotspots->self = g_new0(ProfileCell, MAX(1, hotspots->n_frames));
	hotspots->inclusive = g_new0(ProfileCell, MAX(1, hotspots->n_frames));
	guint n = stack_table_n_stacks(profile->table);
	g_autofree guint32 *leaves = g_new0(guint32, n);
	leaves[STACK_ROOT.index] = NO_STACK_LABEL;
	for (guint i = 1; i < n; i++)
		leaves[i] = stack_table_leaf(profile->table, (StackId){i}).index;
	const LabelSums sums = {leaves, hotspots->n_frames, hotspots->self, hotspots->inclusive};
	hotspots->total = label_sums_fill(&sums, profile);
	return hotspots;
}

void hotspots_free(Hotspots *hotspots)
{
	if (hotspots == NULL)
		return;
	g_free(hotspots->self);
	g_free(hotspots->inclusive);
	g_free(hotspots);
}

double hotspots_share(guint64 part, guint64 whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole;
}

double hotspots_half_width(double share, guint64 samples)
{
	if (samples == 0)
		return 1;
	double p = CLAMP(share, 0, 1), n = (double)samples, z = NORMAL_97_5;
	return z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
}

/* Bytes that are not UTF-8 count as one code point each. */
static const char *next_char(const char *at)
{
	gunichar c = g_utf8_get_char_validated(at, -1);
	return c == (gunichar)-1 || c == (gunichar)-2 ? at + 1 : g_utf8_next_char(at);
}

static const char *skip_chars(const char *at, gsize n)
{
	while (n-- > 0)
		at = next_char(at);
	return at;
}

char *hotspots_short_name(const char *name, gsize max_chars)
{
	gsize n = 0, head = max_chars / 2, tail = max_chars - 1 - head;
	for (const char *at = name; *at != '\0'; at = next_char(at))
		n++;
	if (n <= max_chars)
		return g_strdup(name);
	const char *end = skip_chars(name, head), *rest = skip_chars(end, n - head - tail);
	return g_strdup_printf("%.*s…%s", (int)(end - name), name, rest);
}

/* --- sorting --- */

typedef struct {
	const Hotspots *hotspots;
	HotspotOrder order;
} Sorting;

static int larger_first(guint64 a, guint64 b)
{
	return a == b ? 0 : a > b ? -1 : 1;
}

static gint compare_functions(gconstpointer left, gconstpointer right, gpointer data)
{
	const Sorting *sorting = data;
	FrameId a = *(const FrameId *)left, b = *(const FrameId *)right;
	const ProfileCell *self = sorting->hotspots->self, *inclusive = sorting->hotspots->inclusive;
	int by_self = larger_first(self[a.index].weight, self[b.index].weight);
	int by_inclusive = larger_first(inclusive[a.index].weight, inclusive[b.index].weight);
	int first = sorting->order == HOTSPOTS_BY_SELF ? by_self : by_inclusive;
	int second = sorting->order == HOTSPOTS_BY_SELF ? by_inclusive : by_self;
	if (first != 0 || second != 0)
		return first != 0 ? first : second;
	return stack_table_frame_order(sorting->hotspots->table, a, b);
}

static void sort_functions(const Hotspots *hotspots, HotspotOrder order, GArray *frames)
{
	Sorting sorting = {hotspots, order};
	g_array_sort_with_data(frames, compare_functions, &sorting);
}

GArray *hotspots_sorted(const Hotspots *hotspots, HotspotOrder order)
{
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint i = 0; i < hotspots->n_frames; i++) {
		FrameId frame = {i};
		if (hotspots->inclusive[i].weight > 0)
			g_array_append_val(frames, frame);
	}
	sort_functions(hotspots, order, frames);
	return frames;
}

static gboolean is_called(const char *name, const char *text, gboolean whole_name)
{
	return whole_name ? strcmp(name, text) == 0 : strstr(name, text) != NULL;
}

/* A command only if no function is called like that. */
static GArray *find_functions(const Hotspots *hotspots, const char *text, gboolean whole_name)
{
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint commands = 0; commands < 2 && frames->len == 0; commands++)
		for (guint i = 0; i < hotspots->n_frames; i++) {
			FrameId frame = {i};
			gboolean is_command = stack_table_frame_form(hotspots->table, frame) == FRAME_FORM_COMMAND;
			if (is_command == (commands == 1) && hotspots->inclusive[i].weight > 0 &&
			        is_called(stack_table_frame_name(hotspots->table, frame), text, whole_name))
				g_array_append_val(frames, frame);
		}
	sort_functions(hotspots, HOTSPOTS_BY_INCLUSIVE, frames);
	return frames;
}

GArray *hotspots_find(const Hotspots *hotspots, const char *text)
{
	GArray *frames = find_functions(hotspots, text, TRUE);
	if (frames->len > 0)
		return frames;
	g_array_unref(frames);
	return find_functions(hotspots, text, FALSE);
}

/* --- callers and callees --- */

#define NOBODY G_MAXUINT32       /* the function is not on the path */
#define ITSELF (G_MAXUINT32 - 1) /* it is the last frame of the path */

typedef struct {
	const StackTable *table;
	ProfileCell *callers, *callees; /* by FrameId */
	guint32 *callee;                /* by StackId: what the innermost occurrence called, or one of the above */
} CallSums;

static void sum_calls(CallSums *sums, const Profile *profile, const gboolean *chosen, HotspotCalls *calls)
{
	g_autofree ProfileCell *subtrees = label_sums_subtrees(profile);
	sums->callee[STACK_ROOT.index] = NOBODY;
	for (guint i = 1; i < stack_table_n_stacks(sums->table); i++) {
		StackId parent = stack_table_parent(sums->table, (StackId){i});
		guint32 leaf = stack_table_leaf(sums->table, (StackId){i}).index, above = sums->callee[parent.index];
		ProfileCell cost = profile_stack_total(profile, (StackId){i});
		sums->callee[i] = chosen[leaf] ? ITSELF : above == ITSELF ? leaf : above;
		if (chosen[leaf] && above == NOBODY) {
			label_sums_add(&calls->inclusive, subtrees[i]);
			label_sums_add(parent.index == STACK_ROOT.index
			                       ? &calls->from_root
			                       : &sums->callers[stack_table_leaf(sums->table, parent).index],
			        subtrees[i]);
		}
		if (sums->callee[i] == ITSELF)
			label_sums_add(&calls->self, cost);
		else if (sums->callee[i] != NOBODY)
			label_sums_add(&sums->callees[sums->callee[i]], cost);
	}
}

static gint compare_neighbours(gconstpointer left, gconstpointer right, gpointer table)
{
	const HotspotNeighbour *a = left, *b = right;
	int order = larger_first(a->cost.weight, b->cost.weight);
	return order != 0 ? order : stack_table_frame_order(table, a->frame, b->frame);
}

static GArray *neighbours(const StackTable *table, const ProfileCell *costs)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(HotspotNeighbour));
	for (guint i = 0; i < stack_table_n_frames(table); i++) {
		HotspotNeighbour neighbour = {{i}, costs[i]};
		if (costs[i].weight > 0)
			g_array_append_val(array, neighbour);
	}
	g_array_sort_with_data(array, compare_neighbours, (gpointer)table);
	return array;
}

HotspotCalls *hotspot_calls_new(const Profile *profile, const gboolean *chosen)
{
	const StackTable *table = profile->table;
	guint n_frames = MAX(1, stack_table_n_frames(table));
	g_autofree ProfileCell *callers = g_new0(ProfileCell, n_frames), *callees = g_new0(ProfileCell, n_frames);
	g_autofree guint32 *callee = g_new0(guint32, stack_table_n_stacks(table));
	CallSums sums = {table, callers, callees, callee};
	HotspotCalls *calls = g_new0(HotspotCalls, 1);
	sum_calls(&sums, profile, chosen, calls);
	calls->callers = neighbours(table, callers);
	calls->callees = neighbours(table, callees);
	return calls;
}

void hotspot_calls_free(HotspotCalls *calls)
{
	if (calls == NULL)
		return;
	g_array_unref(calls->callers);
	g_array_unref(calls->callees);
	g_free(calls);
}
