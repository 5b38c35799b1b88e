/* The engines: what measures a benchmark, a row each. The rows are the only place that says what an engine is called
 * and what its values are; a new engine begins here.
 *
 * Data (measurements, results, files) keeps the name of an engine, so that what another version stored stays readable;
 * code asks the table. A name that is in no row belongs to no engine: nothing is true of it. */
#pragma once

#include <glib.h>

typedef struct {
	const char *name;     /* in firebreak.yml, report.json and baselines */
	gboolean is_counted;  /* its values are counts: no samples, no intervals, no tests */
	gboolean is_a_choice; /* `engines` may name it; FALSE of what a benchmark reports itself */
} Engine;

extern const Engine engine_perf;      /* perf events: time, counters and samples */
extern const Engine engine_callgrind; /* instructions counted by valgrind */
extern const Engine engine_benchmark; /* what a benchmark reports itself, collected in runs of engine_perf */

#define ENGINE_CHOICES 2 /* engines that `engines` may name */

/* The names of these, NULL-terminated: engine_perf first, which is the engine where nothing is said. */
extern const char *const engine_choices[ENGINE_CHOICES + 1];

/* The engine of that name, or NULL; NULL is no name. */
const Engine *engine_find(const char *name);
/* TRUE if that is the name of this engine; NULL is not. */
gboolean engine_is(const char *name, const Engine *engine);
/* TRUE if the engine of that name counts; NULL does not. */
gboolean engine_counts(const char *name);
/* The engine that decides where costs are counted, or where they are not. */
const Engine *engine_that(gboolean counts);
