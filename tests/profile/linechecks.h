/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what must hold between a LineCosts and the profiles that it was asked about, whatever the program. */
#pragma once

#include "model/linecosts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* All frames of a table, to be asked for; owned by the caller. */
static inline FrameId *all_frames(const StackTable *table, guint *n)
{
	*n = stack_table_n_frames(table);
	FrameId *frames = g_new(FrameId, *n + 1);
	for (guint i = 0; i < *n; i++)
		frames[i] = (FrameId){i};
	return frames;
}

/* Of all runs, by frame, without the commands at the root of stacks; owned by the caller. */
typedef struct {
	double *self, *inclusive;
	gboolean *is_recursive; /* it is in some stack twice */
} FrameSums;

static inline void frame_sums_clear(FrameSums *sums)
{
	g_free(sums->self);
	g_free(sums->inclusive);
	g_free(sums->is_recursive);
}

static inline FrameSums frame_sums(const Profile *profile)
{
	const StackTable *table = profile->table;
	guint n = stack_table_n_frames(table) + 1;
	FrameSums sums = {g_new0(double, n), g_new0(double, n), g_new0(gboolean, n)};
	g_autofree guint *seen = g_new0(guint, n);
	for (guint i = 1; i < stack_table_n_stacks(table); i++) {
		double weight = (double)profile_stack_total(profile, (StackId){i}).weight;
		if (weight <= 0 || stack_table_depth(table, (StackId){i}) < 2)
			continue;
		sums.self[stack_table_leaf(table, (StackId){i}).index] += weight;
		for (StackId at = {i}; stack_table_depth(table, at) > 1; at = stack_table_parent(table, at)) {
			guint frame = stack_table_leaf(table, at).index;
			sums.inclusive[frame] += seen[frame] == i ? 0 : weight;
			sums.is_recursive[frame] |= seen[frame] == i;
			seen[frame] = i;
		}
	}
	return sums;
}

static inline void assert_close(double a, double b)
{
	if (a > b + 1e-6 * (1 + b) || b > a + 1e-6 * (1 + a))
		fail_msg("%.3f is not %.3f", a, b);
}

/* Sums of the lines of all frames, which must have been asked for, on a side: own costs add up to those of the profile.
 * No line costs more than all stacks with its frame, and together lines cost no less; just as much where no recursion
 * brings several of them into a stack. */
static inline void check_lines(const LineCosts *costs, const Profile *profile, guint side)
{
	guint n = stack_table_n_frames(profile->table);
	FrameSums sums = frame_sums(profile);
	g_autofree double *self = g_new0(double, n + 1);
	g_autofree double *total = g_new0(double, n + 1);
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *line = &g_array_index(costs->lines, LineCost, i);
		if (line->side != side)
			continue;
		self[line->frame.index] += line->self;
		total[line->frame.index] += line->total;
		assert_true(line->total <= sums.inclusive[line->frame.index] * (1 + 1e-9));
		assert_true(line->self <= line->total * (1 + 1e-9));
	}
	for (guint i = 0; i < n; i++) {
		assert_close(self[i], sums.self[i]);
		if (!sums.is_recursive[i])
			assert_close(total[i], sums.inclusive[i]);
		assert_true(total[i] >= sums.inclusive[i] * (1 - 1e-9));
	}
	frame_sums_clear(&sums);
}

/* Asserts that the rows are in the order that the header says, each once. */
static inline void check_order(const LineCosts *costs, const StackTable *table)
{
	for (guint i = 1; i < costs->lines->len; i++) {
		const LineCost *a = &g_array_index(costs->lines, LineCost, i - 1), *b = a + 1;
		int files = g_strcmp0(stack_table_text(table, a->file), stack_table_text(table, b->file));
		gboolean same = a->frame.index == b->frame.index, same_side = same && a->side == b->side;
		assert_true(a->frame.index <= b->frame.index && (!same || a->side <= b->side));
		assert_true(!same_side || files < 0 || (files == 0 && a->line < b->line));
	}
	for (guint i = 1; i < costs->instructions->len; i++) {
		const InstructionCost *a = &g_array_index(costs->instructions, InstructionCost, i - 1), *b = a + 1;
		gboolean same = a->frame.index == b->frame.index, same_side = same && a->side == b->side;
		assert_true(a->frame.index <= b->frame.index && (!same || a->side <= b->side));
		assert_true(!same_side || a->module < b->module || (a->module == b->module && a->offset < b->offset));
	}
}

/* The line of a frame by name on a side; the test fails if there is none. */
static inline const LineCost *find_line(
        const LineCosts *costs, const StackTable *table, guint side, const char *frame, guint32 line)
{
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *row = &g_array_index(costs->lines, LineCost, i);
		if (row->side == side && row->line == line &&
		        g_str_equal(stack_table_frame_name(table, row->frame), frame))
			return row;
	}
	fail_msg("no line %u of %s", line, frame);
	return NULL;
}
