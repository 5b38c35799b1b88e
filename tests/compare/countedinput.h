/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic measurements of counts: a call tree with the count of each function in each run of either side, and
 * the metrics that callgrind gives. */
#pragma once

#include <math.h>

#include "compare/counted/counted.h"

#define COUNTED_RUNS 8

/* Functions from the root, ";" between; "cmd" is a command, "[name]" no function, "name@module" one of another module
 * than "prog", "~name" an inlined one. */
typedef struct {
	const char *path;
	guint64 base[COUNTED_RUNS]; /* per run; a 0 after the first repeats the first */
	guint64 head[COUNTED_RUNS]; /* likewise */
} CountedFunction;

typedef struct {
	StackTable *table;
	Measurement *sides[2];
	MetricPolicy instructions;
	GPtrArray *policies;
	CountedInput input;
} Counted;

static inline Frame counted_frame(StackTable *table, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "@", 2);
	gboolean bucket = text[0] == '[', inlined = text[0] == '~';
	Frame frame = {
	        .name = stack_table_name(table, parts[0] + (inlined ? 1 : 0), -1),
	        .module = stack_table_name(table,
	                bucket             ? ""
	                : parts[1] != NULL ? parts[1]
	                                   : "prog",
	                -1),
	        .kind = bucket                     ? FRAME_SYNTHETIC
	                : inlined                  ? FRAME_INLINED
	                : g_str_equal(text, "cmd") ? FRAME_COMMAND
	                                           : FRAME_USER,
	};
	frame.raw_name = frame.name;
	return frame;
}

static inline StackId counted_stack(StackTable *table, const CountedFunction *function)
{
	g_auto(GStrv) names = g_strsplit(function->path, ";", -1);
	StackId stack = STACK_ROOT;
	for (guint i = 0; names[i] != NULL; i++) {
		Frame frame = counted_frame(table, names[i]);
		stack = stack_table_push(table, stack, stack_table_frame(table, &frame));
	}
	return stack;
}

/* Sets the value of a metric in one run. */
static inline void counted_value(Measurement *m, const char *name, const char *unit, guint run, double value)
{
	MetricSeries *series = measurement_add_metric(m, &engine_callgrind, name, unit, METRIC_DETERMINISTIC);
	while (series->values->len <= run) {
		double unknown = NAN;
		g_array_append_val(series->values, unknown);
	}
	g_array_index(series->values, double, run) = value;
}

static inline void counted_add_run(Measurement *m, const CountedFunction *functions, gboolean is_head)
{
	guint run = profile_add_run(m->profile);
	RunFacts facts = {.round = run + 1};
	double total = 0;
	for (const CountedFunction *f = functions; f->path != NULL; f++) {
		const guint64 *counts = is_head ? f->head : f->base;
		guint64 count = run > 0 && counts[run] == 0 ? counts[0] : counts[run];
		StackId stack = counted_stack(m->profile->table, f);
		if (count > 0)
			profile_add(m->profile, run, stack, (ProfileCell){count, count});
		total += (double)count;
	}
	g_array_append_val(m->runs, facts);
	counted_value(m, "instructions", "count", run, total);
}

/* Both sides with so many runs, and a policy on instructions with this margin, which gates. */
static inline Counted *counted_new(const CountedFunction *functions, guint base_runs, guint head_runs, double margin)
{
	const guint runs[] = {base_runs, head_runs};
	static const char *const commits[] = {"base", "head"};
	Counted *c = g_new0(Counted, 1);
	c->table = stack_table_new();
	for (guint side = 0; side < 2; side++) {
		c->sides[side] = measurement_new("catalog", commits[side], "tree");
		c->sides[side]->work = 1;
		c->sides[side]->profile = profile_new(c->table, "instructions", "instructions");
		for (guint i = 0; i < runs[side]; i++)
			counted_add_run(c->sides[side], functions, side == 1);
	}
	c->instructions = (MetricPolicy){
	        .metric = (char *)"instructions",
	        .engine = &engine_callgrind,
	        .margin = margin,
	        .pass_margin = margin,
	        .gates = TRUE,
	};
	c->policies = g_ptr_array_new();
	g_ptr_array_add(c->policies, &c->instructions);
	c->input = (CountedInput){
	        .base = c->sides[0], .head = c->sides[1], .policies = c->policies, .gate_functions = TRUE};
	return c;
}

static inline void counted_free(Counted *c)
{
	for (guint side = 0; side < 2; side++)
		measurement_free(c->sides[side]);
	stack_table_unref(c->table);
	g_ptr_array_unref(c->policies);
	g_free(c);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Counted, counted_free)

/* The comparison of a function by its name in head, or NULL. */
static inline FunctionComparison *counted_find(const BenchmarkComparison *c, const char *name)
{
	for (guint i = 0; i < c->functions->len; i++) {
		FunctionComparison *f = c->functions->pdata[i];
		if (g_str_equal(stack_table_frame_name(c->table, f->frame), name))
			return f;
	}
	return NULL;
}
