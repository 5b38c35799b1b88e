/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic measurements: a call tree with a mean number of samples per run for each function on both sides, and noise
 * from a fixed generator. One sample weighs SAMPLE_NS, as with a user-space clock. */
#pragma once

#include <math.h>

#include "compare/policy.h"
#include "compare/timed/verdict.h"

#define SAMPLE_NS 500000

typedef struct {
	const char *path;  /* functions from the root, ";" between; the last one is the function; "~f" is inlined */
	double base, head; /* mean samples per run; 0 = not there */
	const char *file;
	guint line;
} SyntheticFunction;

typedef struct {
	const SyntheticFunction *functions; /* up to a path of NULL */
	guint rounds;
	guint64 seed;
	double noise;      /* standard deviation of a count of n is noise x sqrt(n); 0 = none */
	double time_noise; /* standard deviation of task-clock, relative */
} SyntheticPlan;

static inline guint64 synthetic_next(guint64 *state)
{
	guint64 z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* About standard normal: the sum of twelve uniform numbers, less six. */
static inline double synthetic_normal(guint64 *state)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += (double)(synthetic_next(state) >> 11) / 9007199254740992.0;
	return sum;
}

static inline StackId synthetic_stack(StackTable *table, const SyntheticFunction *function)
{
	g_auto(GStrv) names = g_strsplit(function->path, ";", -1);
	StackId stack = STACK_ROOT;
	for (guint i = 0; names[i] != NULL; i++) {
		gboolean bucket = names[i][0] == '[', inlined = names[i][0] == '~';
		Frame frame = {
		        .name = stack_table_name(table, names[i] + (inlined ? 1 : 0), -1),
		        .module = stack_table_name(table, bucket ? "" : "prog", -1),
		        .kind = bucket    ? FRAME_SYNTHETIC
		                : inlined ? FRAME_INLINED
		                          : FRAME_USER,
		};
		frame.raw_name = frame.name;
		if (names[i + 1] == NULL && function->file != NULL) {
			frame.file = stack_table_name(table, function->file, -1);
			frame.line = function->line;
		}
		stack = stack_table_push(table, stack, stack_table_frame(table, &frame));
	}
	return stack;
}

static inline void synthetic_value(Measurement *m, const char *name, const char *unit, guint run, double value)
{
	MetricSeries *series = measurement_add_metric(m, &engine_perf, name, unit, METRIC_SAME_CAMPAIGN);
	if (series->values->len <= run)
		g_array_set_size(series->values, run + 1);
	g_array_index(series->values, double, run) = value;
}

static inline void synthetic_run(const SyntheticPlan *plan, Measurement *m, gboolean is_head, guint64 *state)
{
	RunFacts facts = {.round = m->runs->len + 1, .started_first = (m->runs->len % 2 == 0) != is_head};
	guint run = profile_add_run(m->profile);
	double total = 0;
	for (const SyntheticFunction *f = plan->functions; f->path != NULL; f++) {
		double mean = is_head ? f->head : f->base;
		double count = mean + plan->noise * sqrt(mean) * synthetic_normal(state);
		guint64 samples = (guint64)(count > 0 ? count + .5 : 0);
		if (samples > 0)
			profile_add(m->profile, run, synthetic_stack(m->profile->table, f),
			        (ProfileCell){samples, samples * SAMPLE_NS});
		total += mean * SAMPLE_NS;
	}
	g_array_append_val(m->runs, facts);
	synthetic_value(m, "task-clock", "ns", run, total * 1.02 * exp(plan->time_noise * synthetic_normal(state)));
}

/* One side of a campaign. */
static inline Measurement *synthetic_side(const SyntheticPlan *plan, StackTable *table, gboolean is_head)
{
	guint64 state = plan->seed * 2 + (is_head ? 1 : 0);
	Measurement *m = measurement_new("catalog", is_head ? "head" : "base", "tree");
	m->work = 1;
	m->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint i = 0; i < plan->rounds; i++)
		synthetic_run(plan, m, is_head, &state);
	return m;
}

/* Both sides, the policy on task-clock, and what compare_benchmark() makes of them. */
typedef struct {
	StackTable *table;
	Measurement *base, *head;
	MetricPolicy policy;
	GPtrArray *policies;
	CompareInput input;
} Synthetic;

static inline Synthetic *synthetic_new(const SyntheticPlan *plan)
{
	Synthetic *s = g_new0(Synthetic, 1);
	s->table = stack_table_new();
	s->base = synthetic_side(plan, s->table, FALSE);
	s->head = synthetic_side(plan, s->table, TRUE);
	s->policy = (MetricPolicy){.metric = (char *)"task-clock", .engine = &engine_perf};
	default_policy("task-clock", "coscheduled", TRUE, &s->policy);
	s->policies = g_ptr_array_new();
	g_ptr_array_add(s->policies, &s->policy);
	s->input = (CompareInput){
	        .base = s->base,
	        .head = s->head,
	        .policies = s->policies,
	        .functions = default_function_policy(TRUE, 1),
	        .plan = look_plan_sequential(1),
	};
	return s;
}

static inline void synthetic_free(Synthetic *s)
{
	measurement_free(s->base);
	measurement_free(s->head);
	stack_table_unref(s->table);
	g_ptr_array_unref(s->policies);
	g_free(s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Synthetic, synthetic_free)

/* The comparison of a function by name, or NULL. */
static inline FunctionComparison *synthetic_find(const Synthetic *s, const BenchmarkComparison *c, const char *name)
{
	for (guint i = 0; i < c->functions->len; i++) {
		FunctionComparison *f = c->functions->pdata[i];
		if (g_str_equal(stack_table_frame_name(s->table, f->frame), name))
			return f;
	}
	return NULL;
}
