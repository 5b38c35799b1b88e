/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatefold.h"

#include "core/error.h"
#include "gate/context/gateannotate.h"
#include "gate/steps/gatesources.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"
#include "model/engine.h"
#include "profile/valgrind/dhatread.h"
#include "runner/frameworks/frameworkcases.h"
#include "runner/valgrind/valgrindfiles.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* Columns of the dumps. */
#define INSTRUCTIONS "Ir"
#define SYSTEM_CALLS "sysCount"
/* Larger files are none that a run of a benchmark leaves. */
#define MAX_DHAT_BYTES (256u << 20)

typedef struct {
	const char *name, *unit;
	const char *column; /* of callgrind's dumps; NULL = from DHAT */
} CountedSource;

static const CountedSource sources[N_COUNTED] = {
        [COUNTED_SYSTEM_CALLS] = {"system-calls", "count", SYSTEM_CALLS},
        [COUNTED_ALLOCATIONS] = {"allocations", "count", CALLGRIND_ALLOCATIONS},
        [COUNTED_ALLOCATED_BYTES] = {"allocated-bytes", "bytes", NULL},
};

const char *counted_profile_name(CountedProfile counted)
{
	return sources[counted].name;
}

/* --- metrics --- */

/* A metric of run `run`, which is there already. */
static void set_metric(Measurement *measurement, guint run, const char *name, const char *unit, double value)
{
	MetricSeries *series = measurement_add_metric(measurement, &engine_callgrind, name, unit, METRIC_DETERMINISTIC);
	/* A metric that turns up in a later run only was not measured before: NaN, and never 0. */
	while (series->values->len <= run) {
		const double not_measured = NAN;
		g_array_append_val(series->values, not_measured);
	}
	g_array_index(series->values, double, run) = value;
}

/* Adds up some columns. */
static double sum_of(const CallgrindRunSummary *summary, const char *const *columns)
{
	double sum = 0;
	for (; *columns != NULL; columns++)
		sum += (double)callgrind_run_total(summary, *columns);
	return sum;
}

/* Penalties in cycles as KCachegrind estimates them. */
static void set_cache_metrics(Measurement *measurement, guint run, const CallgrindRunSummary *summary)
{
	static const char *const l1[] = {"I1mr", "D1mr", "D1mw", NULL}, *const ll[] = {"ILmr", "DLmr", "DLmw", NULL},
	                         *const branches[] = {"Bcm", "Bim", NULL};
	double l1_misses = sum_of(summary, l1), ll_misses = sum_of(summary, ll),
	       branch_misses = sum_of(summary, branches);
	double instructions = (double)callgrind_run_total(summary, INSTRUCTIONS);
	set_metric(measurement, run, "l1-misses", "count", l1_misses);
	set_metric(measurement, run, "ll-misses", "count", ll_misses);
	set_metric(measurement, run, "branch-misses", "count", branch_misses);
	set_metric(measurement, run, "estimated-cycles", "cycles",
	        instructions + 10 * l1_misses + 100 * ll_misses + 10 * branch_misses);
}

static void set_metrics(Measurement *measurement, guint run, const CallgrindRunSummary *summary, gboolean cache)
{
	set_metric(
	        measurement, run, "instructions", "instructions", (double)callgrind_run_total(summary, INSTRUCTIONS));
	for (int p = 0; p < N_COUNTED; p++)
		if (sources[p].column != NULL)
			set_metric(measurement, run, sources[p].name, sources[p].unit,
			        (double)callgrind_run_total(summary, sources[p].column));
	if (cache)
		set_cache_metrics(measurement, run, summary);
}

/* --- one side --- */

static Measurement *new_measurement(const GateCounts *counts, int side)
{
	const ConfigBenchmark *benchmark = counts->benchmarks[side];
	Measurement *measurement = gate_measurement_new(
	        &counts->gate->choices[side], benchmark, benchmark->counted_cases, counts->environments[side]);
	measurement->profile = profile_new(counts->table, "instructions", "instructions");
	return measurement;
}

static void start_side(GateCounts *counts, int side)
{
	if (side == SIDE_BASE && counts->base_is_stored)
		/* The stored counts are kept, as those that are made now are compared with them. */
		counts->replaced = g_steal_pointer(&counts->measurements[side]);
	counts->base_is_stored = counts->base_is_stored && side != SIDE_BASE;
	g_clear_pointer(&counts->measurements[side], measurement_free);
	counts->measurements[side] = new_measurement(counts, side);
	counts->facts[side] = (CountsFacts){0};
	for (int p = 0; p < N_COUNTED; p++) {
		g_clear_pointer(&counts->profiles[side][p], profile_free);
		if (sources[p].column != NULL || counts->benchmarks[side]->heap)
			counts->profiles[side][p] = profile_new(counts->table, sources[p].name, sources[p].unit);
	}
}

static void note_facts(CountsFacts *facts, const RunFacts *run, const CallgrindRunSummary *summary, guint n_runs)
{
	double instructions = (double)callgrind_run_total(summary, INSTRUCTIONS);
	facts->wall_s += (double)run->wall_ns / 1e9 / n_runs;
	facts->cut_share += instructions > 0 ? (double)summary->cut_cost / instructions / n_runs : 0;
	facts->threaded = facts->threaded || summary->threads > summary->processes;
}

/* Adds a run to all profiles of a side, and the targets for what callgrind counted. */
static guint add_targets(GateCounts *counts, int side, guint run, CallgrindTarget targets[1 + N_COUNTED])
{
	Profile *instructions = counts->measurements[side]->profile;
	guint n = 0;
	profile_add_run(instructions);
	targets[n++] = (CallgrindTarget){.event = INSTRUCTIONS, .profile = instructions, .run = run};
	for (int p = 0; p < N_COUNTED; p++) {
		Profile *profile = counts->profiles[side][p];
		if (profile == NULL)
			continue;
		profile_add_run(profile);
		if (sources[p].column != NULL)
			targets[n++] = (CallgrindTarget){.event = sources[p].column, .profile = profile, .run = run};
	}
	return n;
}

static gboolean fold_run(GateCounts *counts, int side, guint run, CallgrindFold *fold,
        const CallgrindFoldOptions *options, GError **error)
{
	const CountedRun *counted = counts->runs[side]->pdata[run];
	Measurement *measurement = counts->measurements[side];
	CallgrindTarget targets[1 + N_COUNTED];
	CallgrindRunSummary summary = {0};
	guint n = add_targets(counts, side, run, targets);
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(counted->recording, VALGRIND_CALLGRIND, error);
	gboolean ok = dumps != NULL && callgrind_fold_add(fold, dumps, targets, n, options, &summary, error);
	if (ok) {
		set_metrics(measurement, run, &summary, counts->benchmarks[side]->cache);
		note_facts(&counts->facts[side], &counted->facts, &summary, counts->runs[side]->len);
		g_array_append_val(measurement->runs, counted->facts);
		measurement_add_complaints(measurement, counted->complaints);
	}
	callgrind_run_summary_clear(&summary);
	return ok;
}

static gboolean fold_side(GateCounts *counts, int side, CallgrindFold *fold, GError **error)
{
	g_autoptr(GPtrArray) prefixes = gate_trees_prefixes(&counts->gate->trees);
	CallgrindFoldOptions options = {
	        .side = (guint)side,
	        .with_code = counts->gate->two_sides,
	        .strip_prefixes = (const char *const *)prefixes->pdata,
	};
	start_side(counts, side);
	for (guint run = 0; run < counts->runs[side]->len; run++)
		if (!fold_run(counts, side, run, fold, &options, error))
			return FALSE;
	measurement_settle_work(counts->measurements[side]);
	return TRUE;
}

/* --- heap memory, when the frames of the program are known --- */

static gboolean read_dhat(const char *path, DhatTarget *target, DhatSummary *summary, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	GStatBuf info;
	if (g_stat(path, &info) == 0 && info.st_size > MAX_DHAT_BYTES)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_INVALID, "%s is larger than %u bytes", path, MAX_DHAT_BYTES);
	return g_file_get_contents(path, &text, &length, error) &&
	       dhat_read(text, length, path, TRUE, target, 1, summary, error);
}

/* Reads the heap of all processes of a run, and sums up what lives at the peak of each. */
static gboolean heap_of_run(GateCounts *counts, int side, guint run, GError **error)
{
	const CountedRun *counted = counts->runs[side]->pdata[run];
	DhatTarget target = {
	        .weight = DHAT_BYTES, .profile = counts->profiles[side][COUNTED_ALLOCATED_BYTES], .run = run};
	double bytes = 0, peak_bytes = 0;
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(counted->recording, "dhat", error);
	for (guint i = 0; dumps != NULL && i < dumps->len; i++) {
		DhatSummary summary = {0};
		gboolean ok = read_dhat(dumps->pdata[i], &target, &summary, error);
		bytes += (double)summary.bytes;
		peak_bytes += (double)summary.peak_bytes;
		dhat_summary_clear(&summary);
		if (!ok)
			return FALSE;
	}
	set_metric(counts->measurements[side], run, sources[COUNTED_ALLOCATED_BYTES].name, "bytes", bytes);
	set_metric(counts->measurements[side], run, "peak-heap", "bytes", peak_bytes);
	return dumps != NULL;
}

static gboolean add_heap(GateCounts *counts, GError **error)
{
	for (int s = 0; s < N_SIDES; s++)
		for (guint run = 0; counts->benchmarks[s]->heap && run < counts->runs[s]->len; run++)
			if (!heap_of_run(counts, s, run, error))
				return FALSE;
	return TRUE;
}

/* --- what the runs were made with --- */

/* Files of the build that a copy was made from, as a path written down by the build names them, are those of the copy.
 * Owned by the caller. */
static GPtrArray *paths_in_copy(const Side *side, const GPtrArray *paths)
{
	GPtrArray *copies = g_ptr_array_new_with_free_func(g_free);
	gsize length = side->build_dir != NULL ? strlen(side->build_dir) : 0;
	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];
		gboolean in_build = length > 0 && strncmp(path, side->build_dir, length) == 0 && path[length] == '/';
		g_ptr_array_add(copies, in_build ? g_strconcat(side->tree_dir, path + length, NULL) : g_strdup(path));
	}
	return copies;
}

static void describe_modules(GateCounts *counts, const CallgrindFold *fold, int s)
{
	const Side *side = gate_trees_as_built(&counts->gate->trees, s);
	g_autoptr(GPtrArray) paths = callgrind_fold_modules(fold, (guint)s);
	g_autoptr(GPtrArray) copies = paths_in_copy(side, paths);
	counted_environment_add_modules(counts->measurements[s]->environment, copies, side->tree_dir);
}

gboolean gate_counts_fold(GateCounts *counts, GError **error)
{
	g_clear_pointer(&counts->fold, callgrind_fold_free);
	CallgrindFold *fold = counts->fold = callgrind_fold_new(counts->table);
	g_clear_pointer(&counts->findings, finding_list_free);
	g_clear_pointer(&counts->code, code_facts_free);
	counts->findings = finding_list_new();
	for (int s = 0; s < N_SIDES; s++)
		if (counts->runs[s]->len > 0 && !fold_side(counts, s, fold, error))
			return FALSE;
	if (!callgrind_fold_finish(fold, counts->findings, error))
		return FALSE;
	counts->code = callgrind_fold_code_facts(fold);
	gate_sources_mark(counts->gate, counts->gate->choices, counts->table, counts->code);
	for (int s = 0; s < N_SIDES; s++)
		if (counts->runs[s]->len > 0)
			describe_modules(counts, fold, s);
	return add_heap(counts, error);
}

/* --- its annotations --- */

static LineCosts *line_costs(gpointer fold, const LineCostQuery *query)
{
	return callgrind_fold_line_costs(fold, query);
}

GPtrArray *gate_counts_annotate(GateCounts *counts, const BenchmarkComparison *comparison)
{
	AnnotateOrder order = {
	        .gate = counts->gate,
	        .comparison = comparison,
	        .base = counts->measurements[SIDE_BASE],
	        .head = counts->measurements[SIDE_HEAD],
	        .base_is_stored = counts->base_is_stored,
	        .code = counts->code,
	        .line_costs = line_costs,
	        .fold = counts->fold,
	};
	GPtrArray *annotations = gate_annotate(&order);
	g_clear_pointer(&counts->fold, callgrind_fold_free);
	return annotations;
}
