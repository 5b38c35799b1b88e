/* SPDX-License-Identifier: Apache-2.0 */
/* From stored measurements of commits to the history of each metric and function (compare/history/history.h).
 *
 *     commit 1: Measurement ─┐                          ┌─ parse, callgrind, instructions: points, changes
 *     commit 2: Measurement ─┼─ history_builder_add() ──┼─ parse, perf, task-clock
 *     ...                    │  oldest first            └─ parse, perf, task-clock, function hash_word
 *     commit n: Measurement ─┘
 *
 * Only values that compare are in one line. The environment of a value is the fingerprint of what its kind of metric
 * needs equal; of counts the libraries count, too (compare/counted/countedbase.h). Environments that follow each
 * other are in one history, with a gap between them; those that alternate, as where a CI has machines of several kinds,
 * have a history each. Change points are looked for within one environment only. Metrics that compare from storage
 * (counted and replicable ones) follow the rule for counted values, if they repeat from run to run; all others that for
 * sampled values.
 *
 * Values are medians over the runs, per unit of work, where the metric grows with the work. A measurement is read when
 * it is added and not kept. Pure. */
#pragma once

#include "compare/history/history.h"
#include "model/measurement.h"

typedef struct HistoryBuilder HistoryBuilder;

/* The request. Texts are borrowed until history_builder_finish(). */
typedef struct {
	/* only these; NULL = all. Functions have the engine and the event of the profile */
	const char *metric;
	const Engine *engine;
	gboolean functions;   /* also of functions, so that measurements come with their stacks */
	const char *function; /* only those with this in their name; NULL = all */
	guint most_functions; /* of each benchmark, engine and kind of machine */
	gboolean no_metrics;  /* only functions */
} HistoryWanted;

/* The functions whose sampled cost is tested for changes together: the most expensive. */
#define HISTORY_TESTED_FUNCTIONS 10

/* A commit. Texts are copied. */
typedef struct {
	const char *sha, *subject;
	gint64 time_s;
	guint position; /* its distance from the oldest one along first parents; grows */
} HistoryCommit;

HistoryBuilder *history_builder_new(const HistoryWanted *wanted);
void history_builder_free(HistoryBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HistoryBuilder, history_builder_free)

/* The next commit; what is added after it was measured there. */
void history_builder_commit(HistoryBuilder *builder, const HistoryCommit *commit);
/* A measurement of that commit; several of one benchmark are of several environments or engines. Where one environment
 * has two, the one with more runs stays. */
void history_builder_add(HistoryBuilder *builder, const Measurement *measurement);

/* A value that was measured at that commit by other means. */
typedef struct {
	const char *benchmark, *metric, *unit;
	const char *environment; /* its name: values of different ones are never compared */
	const Engine *engine;
	gboolean higher_is_better;
	double value, lower, upper; /* lower and upper are NaN where not known */
} HistoryValue;

/* The same for one value; texts are copied. */
void history_builder_add_value(HistoryBuilder *builder, const HistoryValue *value);

/* All histories with a value: a GPtrArray of MetricHistory owned by the caller, by benchmark, engine and metric, the
 * environment with the newest point first; functions after the metrics of their benchmark, those that changed most
 * first, then by cost. */
GPtrArray *history_builder_finish(HistoryBuilder *builder);
