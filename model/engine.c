#include "model/engine.h"

#define PERF "perf"
#define CALLGRIND "callgrind"

const Engine engine_perf = {.name = PERF, .is_a_choice = TRUE};
const Engine engine_callgrind = {.name = CALLGRIND, .is_counted = TRUE, .is_a_choice = TRUE};
const Engine engine_benchmark = {.name = "benchmark"};

static const Engine *const engines[] = {&engine_perf, &engine_callgrind, &engine_benchmark};

const char *const engine_choices[] = {PERF, CALLGRIND, NULL};

const Engine *engine_find(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(engines); i++)
		if (engine_is(name, engines[i]))
			return engines[i];
	return NULL;
}

gboolean engine_is(const char *name, const Engine *engine)
{
	return g_strcmp0(name, engine->name) == 0;
}

gboolean engine_counts(const char *name)
{
	const Engine *engine = engine_find(name);
	return engine != NULL && engine->is_counted;
}

const Engine *engine_that(gboolean counts)
{
	return counts ? &engine_callgrind : &engine_perf;
}
