/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/lostcallers.h"

#include "model/numbers/number.h"

#include <string.h>

#define CALLED_TIMES 4. /* a function that lost its callers now and then is mostly seen with them */

/* The search while both sides are looked at; arrays by row of the stack table, or by frame. */
typedef struct {
	StackTable *table;
	guint n_stacks, n_frames;
	double *cost;              /* of the subtree, of both sides together */
	gboolean *entry;           /* the first function of a stack */
	double *as_entry, *called; /* by frame */
	gboolean *lost;            /* by frame */
} Search;

static double cost_of(const Profile *profile, guint row)
{
	return profile != NULL ? (double)profile_stack_total(profile, (StackId){row}).weight / (double)profile->scale
	                       : 0;
}

static void sum_costs(Search *search, const Profile *base, const Profile *head)
{
	for (guint i = 1; i < search->n_stacks; i++)
		search->cost[i] = cost_of(base, i) + cost_of(head, i);
	for (guint i = search->n_stacks - 1; i > 0; i--)
		search->cost[stack_table_parent(search->table, (StackId){i}).index] += search->cost[i];
}

static const char *name_of(const Search *search, guint row)
{
	return stack_table_frame_name(search->table, stack_table_leaf(search->table, (StackId){row}));
}

/* The functions that programs, threads, contexts and signal handlers begin with. Without what calls it `main` is a root
 * as good as any. */
static gboolean is_beginning(const char *name)
{
	static const char *const prefixes[] = {"_start", "__libc_start", "__libc_init", "start_thread", "clone",
	        "__clone", "__GI___clone", "__start_context", "__restore_rt", "thread_start", "timer_helper", "aio_"};
	for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return TRUE;
	return g_str_equal(name, "main");
}

/* The only row on the bottom if it is the name of the command, as stacks have it that were written as text: what
 * programs begin with stands on it. 0 if there is none. */
static guint sole_command(const Search *search)
{
	guint sole = 0;
	gboolean begins = FALSE;
	for (guint i = 1; i < search->n_stacks; i++) {
		guint parent = stack_table_parent(search->table, (StackId){i}).index;
		if (search->cost[i] > 0 && parent == 0 && sole != 0)
			return 0;
		if (search->cost[i] > 0 && parent == 0)
			sole = i;
		else if (search->cost[i] > 0 && parent == sole && sole != 0)
			begins = begins || is_beginning(name_of(search, i));
	}
	return begins ? sole : 0;
}

static FrameKind kind_of(const Search *search, guint row)
{
	return stack_table_get_frame(search->table, stack_table_leaf(search->table, (StackId){row}))->kind;
}

/* Functions of the program and its libraries: the kernel, buckets and generated code begin as they like. */
static gboolean can_lose_callers(const Search *search, guint row)
{
	FrameKind kind = kind_of(search, row);
	return kind == FRAME_USER || kind == FRAME_INLINED;
}

static void find_entries(Search *search)
{
	guint command = sole_command(search);
	for (guint i = 1; i < search->n_stacks; i++) {
		guint parent = stack_table_parent(search->table, (StackId){i}).index;
		gboolean on_command = parent != 0 && stack_table_depth(search->table, (StackId){parent}) == 1 &&
		                      (parent == command || kind_of(search, parent) == FRAME_COMMAND);
		gboolean first = (parent == 0 && i != command && kind_of(search, i) != FRAME_COMMAND) || on_command;
		search->entry[i] = search->cost[i] > 0 && first && can_lose_callers(search, i);
		if (search->entry[i])
			search->as_entry[stack_table_leaf(search->table, (StackId){i}).index] += search->cost[i];
	}
}

/* TRUE if the same function is further out on the stack: a call by itself says nothing of its callers. */
static gboolean is_below_itself(const Search *search, guint row)
{
	guint32 frame = stack_table_leaf(search->table, (StackId){row}).index;
	for (StackId up = stack_table_parent(search->table, (StackId){row}); up.index != 0;
	        up = stack_table_parent(search->table, up))
		if (stack_table_leaf(search->table, up).index == frame)
			return TRUE;
	return FALSE;
}

static void sum_called(Search *search)
{
	for (guint i = 1; i < search->n_stacks; i++) {
		guint32 frame = stack_table_leaf(search->table, (StackId){i}).index;
		if (search->cost[i] > 0 && !search->entry[i] && search->as_entry[frame] > 0 &&
		        !is_below_itself(search, i))
			search->called[frame] += search->cost[i];
	}
}

static gboolean is_of_libc(const Search *search, guint frame)
{
	const char *module = stack_table_frame_module(search->table, (FrameId){frame});
	return g_str_has_prefix(module, "libc.so") || g_str_has_prefix(module, "libm.so") ||
	       g_str_has_prefix(module, "libc-2.") || g_str_has_prefix(module, "libm-2.");
}

static gboolean judge(Search *search)
{
	gboolean any = FALSE;
	for (guint i = 0; i < search->n_frames; i++) {
		const char *name = stack_table_frame_name(search->table, (FrameId){i});
		if (!(search->as_entry[i] > 0) || is_beginning(name))
			continue;
		search->lost[i] = search->called[i] >= CALLED_TIMES * search->as_entry[i] || is_of_libc(search, i);
		any = any || search->lost[i];
	}
	return any;
}

/* Where each row goes: rows on a lost entry get a copy of their path on the frame that says so. */
static StackId *moved_rows(const Search *search)
{
	StackId *moved = g_new0(StackId, search->n_stacks);
	FrameId unknown = stack_table_frame_named(search->table, LOST_CALLERS_NAME, NULL, FRAME_SYNTHETIC);
	for (guint i = 1; i < search->n_stacks; i++) {
		StackId parent = stack_table_parent(search->table, (StackId){i}), on = moved[parent.index];
		FrameId frame = stack_table_leaf(search->table, (StackId){i});
		if (search->entry[i] && search->lost[frame.index])
			on = stack_table_push(search->table, parent, unknown);
		else if (on.index == parent.index) {
			moved[i] = (StackId){i};
			continue;
		}
		moved[i] = stack_table_push(search->table, on, frame);
	}
	return moved;
}

static Profile *copy_moved(const Profile *profile, const StackId *moved, guint n_stacks, double *share)
{
	double lost = 0, all = 0;
	if (profile == NULL)
		return NULL;
	Profile *copy = profile_new(profile->table, profile->event, profile->unit);
	copy->scale = profile->scale;
	for (guint run = 0; run < profile_n_runs(profile); run++) {
		profile_add_run(copy);
		for (guint i = 0; i < n_stacks; i++) {
			ProfileCell cell = profile_cell(profile, run, (StackId){i});
			if (cell.samples == 0 && cell.weight == 0)
				continue;
			all += (double)cell.weight;
			lost += moved[i].index != i ? (double)cell.weight : 0;
			profile_add(copy, run, moved[i], cell);
		}
	}
	*share = all > 0 ? lost / all : 0;
	return copy;
}

LostCallers lost_callers_find(const Profile *base, const Profile *head)
{
	StackTable *table = head != NULL ? head->table : base->table;
	guint n = stack_table_n_stacks(table), frames = stack_table_n_frames(table);
	LostCallers found = {0};
	g_autofree double *cost = g_new0(double, n), *as_entry = g_new0(double, frames),
	                  *called = g_new0(double, frames);
	g_autofree gboolean *entry = g_new0(gboolean, n), *lost = g_new0(gboolean, frames);
	Search search = {table, n, frames, cost, entry, as_entry, called, lost};
	sum_costs(&search, base, head);
	find_entries(&search);
	sum_called(&search);
	if (!judge(&search))
		return found;
	g_autofree StackId *moved = moved_rows(&search);
	found.base = copy_moved(base, moved, n, &found.base_share);
	found.head = copy_moved(head, moved, n, &found.head_share);
	return found;
}

void lost_callers_clear(LostCallers *lost)
{
	g_clear_pointer(&lost->base, profile_free);
	g_clear_pointer(&lost->head, profile_free);
}

char *lost_callers_remark(const LostCallers *lost)
{
	g_autofree char *base = number_share(lost->base_share), *head = number_share(lost->head_share);
	if (!(lost->base_share > 0) && !(lost->head_share > 0))
		return NULL;
	if (lost->base == NULL || lost->head == NULL)
		return g_strdup_printf("%s of the cost is in stacks that lost their callers: under " LOST_CALLERS_NAME,
		        lost->head != NULL ? head : base);
	return g_strdup_printf(
	        "%s of base and %s of head are in stacks that lost their callers: under " LOST_CALLERS_NAME, base,
	        head);
}
