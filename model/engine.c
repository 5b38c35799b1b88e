/* SPDX-License-Identifier: Apache-2.0 */
#include "model/engine.h"

#define PERF "perf"
#define CALLGRIND "callgrind"

const Engine engine_perf = {.name = PERF, .is_a_choice = TRUE};
const Engine engine_callgrind = {.name = CALLGRIND, .is_counted = TRUE, .is_a_choice = TRUE};
const Engine engine_benchmark = {.name = "benchmark"};

static const Engine *const engines[ENGINES] = {&engine_perf, &engine_callgrind, &engine_benchmark};

const char *const engine_choices[] = {PERF, CALLGRIND, NULL};

const Engine *engine_find(const char *name)
{
	for (guint i = 0; i < ENGINES; i++)
		if (g_strcmp0(name, engines[i]->name) == 0)
			return engines[i];
	return NULL;
}

gconstpointer engine_row(guint index)
{
	return engines[index];
}

int engine_order(const Engine *x, const Engine *y)
{
	return g_strcmp0(x != NULL ? x->name : NULL, y != NULL ? y->name : NULL);
}

gboolean engine_counts(const Engine *engine)
{
	return engine != NULL && engine->is_counted;
}

const Engine *engine_that(gboolean counts)
{
	return counts ? &engine_callgrind : &engine_perf;
}
