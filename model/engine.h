/* SPDX-License-Identifier: Apache-2.0 */
/* The engines: what measures a benchmark, a row each. The rows are the only place that says what an engine is called
 * and what its values are; a new engine begins here.
 *
 * Code and data hold a row, which is compared by its address. Names stand at the borders alone: what is read (JSON,
 * configuration, options) is looked up there, and a name that is in no row is refused there. */
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

#define ENGINES 3        /* rows of the table: those that `engines` may name come first */
#define ENGINE_CHOICES 2 /* engines that `engines` may name */

/* Their names, NULL-terminated: engine_perf first, which is the engine where nothing is said. */
extern const char *const engine_choices[ENGINE_CHOICES + 1];

/* The engine of that name, or NULL; NULL is no name. */
const Engine *engine_find(const char *name);
/* The Engine of that row, of the first ENGINES; for tables of fields (core/json/fieldtable.h). */
gconstpointer engine_row(guint index);
/* Orders engines by their names; NULL, which stands for any engine, comes first. */
int engine_order(const Engine *x, const Engine *y);
/* TRUE if the engine counts; NULL does not. */
gboolean engine_counts(const Engine *engine);
/* The engine that decides where costs are counted, or where they are not. */
const Engine *engine_that(gboolean counts);
