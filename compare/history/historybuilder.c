/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/historybuilder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison/comparison.h"
#include "compare/counted/countedbase.h"
#include "compare/statistics/changepoints.h"
#include "compare/statistics/order.h"
#include "model/engine.h"
#include "model/perwork.h"

#define FINGERPRINT_CHARS 16

typedef struct {
	char *sha, *subject;
	gint64 time_s;
	guint position;
} Commit;

/* A measurement that was added. */
typedef struct {
	guint commit;
	char *fingerprints[METRIC_DETERMINISTIC + 1]; /* by MetricClass */
	Environment *environment;
} Source;

typedef struct {
	guint source;
	double median, lower, upper;
	guint runs;
} Value;

/* A metric of one benchmark, or the cost of one function, over all environments. */
typedef struct {
	char *benchmark, *metric, *unit, *function, *module;
	const Engine *engine;
	MetricClass comparable;
	gboolean higher_is_better;
	GArray *values;         /* of Value, in the order of their commits */
	GHashTable *functions;  /* of Series by name and module, where this is the total of a profile */
	double highest, change; /* of a function: its largest value, and its largest change */
} Series;

struct HistoryBuilder {
	HistoryWanted wanted;
	GArray *commits;     /* of Commit */
	GArray *sources;     /* of Source */
	GHashTable *metrics; /* of Series, by benchmark, engine and metric */
	GHashTable *totals;  /* of Series, by benchmark, engine and event */
};

static void commit_clear(gpointer data)
{
	Commit *commit = data;
	g_free(commit->sha);
	g_free(commit->subject);
}

static void source_clear(gpointer data)
{
	Source *source = data;
	for (guint i = 0; i < G_N_ELEMENTS(source->fingerprints); i++)
		g_free(source->fingerprints[i]);
	environment_free(source->environment);
}

static void series_free(gpointer data)
{
	Series *series = data;
	g_free(series->benchmark);
	g_free(series->metric);
	g_free(series->unit);
	g_free(series->function);
	g_free(series->module);
	g_array_unref(series->values);
	g_clear_pointer(&series->functions, g_hash_table_unref);
	g_free(series);
}

HistoryBuilder *history_builder_new(const HistoryWanted *wanted)
{
	HistoryBuilder *builder = g_new0(HistoryBuilder, 1);
	builder->wanted = *wanted;
	builder->commits = g_array_new(FALSE, FALSE, sizeof(Commit));
	builder->sources = g_array_new(FALSE, FALSE, sizeof(Source));
	g_array_set_clear_func(builder->commits, commit_clear);
	g_array_set_clear_func(builder->sources, source_clear);
	builder->metrics = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, series_free);
	builder->totals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, series_free);
	return builder;
}

void history_builder_free(HistoryBuilder *builder)
{
	if (builder == NULL)
		return;
	g_array_unref(builder->commits);
	g_array_unref(builder->sources);
	g_hash_table_unref(builder->metrics);
	g_hash_table_unref(builder->totals);
	g_free(builder);
}

/* --- adding --- */

void history_builder_commit(HistoryBuilder *builder, const HistoryCommit *commit)
{
	Commit kept = {g_strdup(commit->sha), g_strdup(commit->subject), commit->time_s, commit->position};
	g_array_append_val(builder->commits, kept);
}

static guint add_source(HistoryBuilder *builder, const Environment *environment)
{
	Source source = {.commit = builder->commits->len - 1};
	source.environment = environment_copy(environment);
	source.fingerprints[METRIC_REPLICABLE] = environment_fingerprint(source.environment, METRIC_REPLICABLE);
	source.fingerprints[METRIC_DETERMINISTIC] = environment_fingerprint(source.environment, METRIC_DETERMINISTIC);
	/* Such values are of another campaign in any case. */
	source.fingerprints[METRIC_SAME_CAMPAIGN] = g_strdup(source.fingerprints[METRIC_REPLICABLE]);
	g_array_append_val(builder->sources, source);
	return builder->sources->len - 1;
}

/* The key of a series; texts may hold anything. Owned by the caller. */
static char *key_of(const char *first, const char *second, const char *third)
{
	return g_strdup_printf(
	        "%" G_GSIZE_FORMAT ":%s%" G_GSIZE_FORMAT ":%s%s", strlen(first), first, strlen(second), second, third);
}

/* Median and range of the finite ones among `n` values, which are sorted. FALSE if there is none. */
static gboolean summarize(double *values, guint n, Value *value)
{
	guint kept = 0;
	for (guint i = 0; i < n; i++)
		if (isfinite(values[i]))
			values[kept++] = values[i];
	if (kept == 0)
		return FALSE;
	qsort(values, kept, sizeof *values, order_compare);
	value->median = kept % 2 != 0 ? values[kept / 2] : order_midpoint(values[kept / 2 - 1], values[kept / 2]);
	value->lower = values[0];
	value->upper = values[kept - 1];
	value->runs = kept;
	return TRUE;
}

static const Source *source_of(const HistoryBuilder *builder, const Value *value)
{
	return &g_array_index(builder->sources, Source, value->source);
}

static const char *kind_of(const HistoryBuilder *builder, const Series *series, const Value *value)
{
	return source_of(builder, value)->fingerprints[series->comparable];
}

/* A commit has one value of each environment: that of the most runs. */
static void add_value(const HistoryBuilder *builder, Series *series, const Value *value)
{
	guint commit = source_of(builder, value)->commit;
	for (guint i = series->values->len; i-- > 0;) {
		Value *earlier = &g_array_index(series->values, Value, i);
		if (source_of(builder, earlier)->commit != commit)
			break;
		if (!g_str_equal(kind_of(builder, series, earlier), kind_of(builder, series, value)))
			continue;
		if (value->runs > earlier->runs)
			*earlier = *value;
		return;
	}
	g_array_append_val(series->values, *value);
}

static Series *find_or_add(GHashTable *table, char *key, const Series *like)
{
	Series *series = g_hash_table_lookup(table, key);
	if (series != NULL) {
		g_free(key);
		return series;
	}
	series = g_new0(Series, 1);
	*series = (Series){
	        .benchmark = g_strdup(like->benchmark),
	        .engine = like->engine,
	        .metric = g_strdup(like->metric),
	        .unit = g_strdup(like->unit),
	        .function = g_strdup(like->function),
	        .module = g_strdup(like->module),
	        .comparable = like->comparable,
	        .higher_is_better = like->higher_is_better,
	        .values = g_array_new(FALSE, FALSE, sizeof(Value)),
	};
	g_hash_table_insert(table, key, series);
	return series;
}

static void add_metric(
        HistoryBuilder *builder, const Measurement *measurement, const MetricSeries *metric, guint source)
{
	guint n = measurement_n_runs(measurement);
	g_autofree double *values = g_new(double, MAX(n, 1));
	Value value = {.source = source};
	for (guint run = 0; run < n; run++)
		values[run] =
		        metric_value(metric, run) /
		        (metric_is_per_work(metric->engine, metric->name) ? measurement_run_work(measurement, run) : 1);
	if (!summarize(values, n, &value))
		return;
	Series like = {.benchmark = measurement->benchmark,
	        .engine = metric->engine,
	        .metric = metric->name,
	        .unit = metric->unit,
	        .comparable = metric->comparable,
	        .higher_is_better = metric->higher_is_better};
	char *key = key_of(like.benchmark, like.engine->name, like.metric);
	add_value(builder, find_or_add(builder->metrics, key, &like), &value);
}

static gboolean is_wanted(const HistoryBuilder *builder, const Engine *engine, const char *metric)
{
	const HistoryWanted *wanted = &builder->wanted;
	return (wanted->engine == NULL || wanted->engine == engine) &&
	       (wanted->metric == NULL || g_str_equal(wanted->metric, metric));
}

static void add_metrics(HistoryBuilder *builder, const Measurement *measurement, guint source)
{
	for (guint i = 0; i < measurement->metrics->len; i++) {
		const MetricSeries *metric = measurement->metrics->pdata[i];
		if (is_wanted(builder, metric->engine, metric->name))
			add_metric(builder, measurement, metric, source);
	}
}

/* --- functions --- */

/* The engine whose profile a measurement has. */
static gboolean is_counted(const Measurement *measurement)
{
	for (guint i = 0; i < measurement->metrics->len; i++)
		if (engine_counts(((const MetricSeries *)measurement->metrics->pdata[i])->engine))
			return TRUE;
	return FALSE;
}

static gboolean has_cost(const ProfileCell *cells, guint n)
{
	for (guint run = 0; run < n; run++)
		if (cells[run].weight != 0)
			return TRUE;
	return FALSE;
}

static Value cost_of(const Measurement *measurement, const ProfileCell *cells, guint n, guint source)
{
	g_autofree double *values = g_new(double, MAX(n, 1));
	Value value = {source, 0, 0, 0, 0};
	for (guint run = 0; run < n; run++)
		values[run] = (double)cells[run].weight / measurement_run_work(measurement, run);
	summarize(values, n, &value);
	return value;
}

/* Adds what a function costs inlined in others to what it costs by itself, under which a history has it, and what a
 * command of that name costs: a history tells them apart by name and module only. */
static void join_inlined(const Profile *profile, ProfileCell *cells, guint n_frames, guint n)
{
	g_autoptr(GHashTable) own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint form = 0; form < N_FRAME_FORMS; form++)
		for (guint i = 0; i < n_frames; i++) {
			FrameId frame = {i};
			if (stack_table_frame_form(profile->table, frame) != (FrameForm)form)
				continue;
			g_autofree char *key = key_of(stack_table_frame_name(profile->table, frame),
			        stack_table_frame_module(profile->table, frame), "");
			guint same = GPOINTER_TO_UINT(g_hash_table_lookup(own, key));
			if (same == 0)
				g_hash_table_insert(own, g_steal_pointer(&key), GUINT_TO_POINTER(i + 1));
			for (guint run = 0; same != 0 && run < n; run++) {
				ProfileCell *from = &cells[(gsize)i * n + run];
				ProfileCell *to = &cells[(gsize)(same - 1) * n + run];
				to->samples += from->samples;
				to->weight += from->weight;
				*from = (ProfileCell){0};
			}
		}
}

static void add_functions(HistoryBuilder *builder, const Measurement *measurement, Series *total, guint source)
{
	const Profile *profile = measurement->profile;
	guint n_frames, n = profile_n_runs(profile);
	g_autofree ProfileCell *cells = profile_self_by_frame(profile, &n_frames);
	join_inlined(profile, cells, n_frames, n);
	Series like = *total;
	for (guint i = 0; i < n_frames; i++) {
		like.function = (char *)stack_table_frame_name(profile->table, (FrameId){i});
		like.module = (char *)stack_table_frame_module(profile->table, (FrameId){i});
		gboolean wanted =
		        builder->wanted.function == NULL || strstr(like.function, builder->wanted.function) != NULL;
		if (!wanted || !has_cost(cells + (gsize)i * n, n))
			continue;
		Value value = cost_of(measurement, cells + (gsize)i * n, n, source);
		Series *series = find_or_add(total->functions, key_of(like.function, like.module, ""), &like);
		/* Two measurements of one environment may both leave a value: function_lane() takes that of the one
		 * whose total stayed. */
		g_array_append_val(series->values, value);
	}
}

static void add_profile(HistoryBuilder *builder, const Measurement *measurement, guint source)
{
	const Profile *profile = measurement->profile;
	gboolean counted = is_counted(measurement);
	Series like = {.benchmark = measurement->benchmark,
	        .engine = engine_that(counted),
	        .metric = profile->event,
	        .unit = profile->unit,
	        .comparable = counted ? METRIC_DETERMINISTIC : METRIC_SAME_CAMPAIGN};
	guint n = profile_n_runs(profile);
	if (!is_wanted(builder, like.engine, like.metric) || n == 0 || n != measurement_n_runs(measurement))
		return;
	g_autofree ProfileCell *cells = g_new(ProfileCell, n);
	for (guint run = 0; run < n; run++)
		cells[run] = profile_run_total(profile, run);
	Value value = cost_of(measurement, cells, n, source);
	Series *total = find_or_add(builder->totals, key_of(like.benchmark, like.engine->name, like.metric), &like);
	if (total->functions == NULL)
		total->functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, series_free);
	add_value(builder, total, &value);
	add_functions(builder, measurement, total, source);
}

void history_builder_add(HistoryBuilder *builder, const Measurement *measurement)
{
	g_assert(builder->commits->len > 0);
	guint source = add_source(builder, measurement->environment);
	if (!builder->wanted.no_metrics)
		add_metrics(builder, measurement, source);
	if (builder->wanted.functions && measurement->profile != NULL)
		add_profile(builder, measurement, source);
}

/* The source of the values of an environment that is known by its name, at the newest commit. */
static guint named_source(HistoryBuilder *builder, const char *name)
{
	for (guint i = builder->sources->len; i-- > 0;) {
		const Source *source = &g_array_index(builder->sources, Source, i);
		if (source->commit != builder->commits->len - 1)
			break;
		if (g_strcmp0(environment_get(source->environment, "environment"), name) == 0)
			return i;
	}
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "environment", METRIC_DETERMINISTIC, name);
	return add_source(builder, environment);
}

void history_builder_add_value(HistoryBuilder *builder, const HistoryValue *value)
{
	g_assert(builder->commits->len > 0);
	if (!is_wanted(builder, value->engine, value->metric) || builder->wanted.no_metrics)
		return;
	Series like = {
	        .benchmark = (char *)value->benchmark,
	        .engine = value->engine,
	        .metric = (char *)value->metric,
	        .unit = (char *)value->unit,
	        .comparable = engine_counts(value->engine) ? METRIC_DETERMINISTIC : METRIC_SAME_CAMPAIGN,
	        .higher_is_better = value->higher_is_better,
	};
	Value kept = {named_source(builder, value->environment), value->value, value->lower, value->upper, 1};
	char *key = key_of(like.benchmark, like.engine->name, like.metric);
	add_value(builder, find_or_add(builder->metrics, key, &like), &kept);
}

/* --- environments --- */

/* Environments that follow each other, none of which begins before the one in front of it has ended. */
typedef struct {
	GArray *values; /* of Value, borrowed content */
	guint newest;   /* commit of the last one */
} Lane;

static void lane_free(gpointer data)
{
	Lane *lane = data;
	g_array_unref(lane->values);
	g_free(lane);
}

/* The last commit of an environment. */
static guint last_commit(const HistoryBuilder *builder, const Series *series, const char *kind)
{
	for (guint i = series->values->len; i-- > 0;) {
		const Value *value = &g_array_index(series->values, Value, i);
		if (g_str_equal(kind_of(builder, series, value), kind))
			return source_of(builder, value)->commit;
	}
	return 0;
}

static Lane *free_lane(GPtrArray *lanes, guint commit)
{
	for (guint i = 0; i < lanes->len; i++) {
		Lane *lane = lanes->pdata[i];
		if (lane->newest < commit)
			return lane;
	}
	Lane *lane = g_new0(Lane, 1);
	lane->values = g_array_new(FALSE, FALSE, sizeof(Value));
	g_ptr_array_add(lanes, lane);
	return lane;
}

static gint newest_lane_first(gconstpointer a, gconstpointer b)
{
	const Lane *x = *(Lane *const *)a, *y = *(Lane *const *)b;
	const Value *first_x = &g_array_index(x->values, Value, 0), *first_y = &g_array_index(y->values, Value, 0);
	if (x->newest != y->newest)
		return x->newest > y->newest ? -1 : 1;
	return (first_x->source > first_y->source) - (first_x->source < first_y->source);
}

/* A GPtrArray of Lane. */
static GPtrArray *lanes_of(const HistoryBuilder *builder, const Series *series)
{
	GPtrArray *lanes = g_ptr_array_new_with_free_func(lane_free);
	g_autoptr(GHashTable) by_kind = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < series->values->len; i++) {
		const Value *value = &g_array_index(series->values, Value, i);
		const char *kind = kind_of(builder, series, value);
		Lane *lane = g_hash_table_lookup(by_kind, kind);
		if (lane == NULL) {
			lane = free_lane(lanes, source_of(builder, value)->commit);
			lane->newest = last_commit(builder, series, kind);
			g_hash_table_insert(by_kind, (gpointer)kind, lane);
		}
		g_array_append_val(lane->values, *value);
	}
	g_ptr_array_sort(lanes, newest_lane_first);
	return lanes;
}

static gboolean is_described(const Source *source)
{
	return counted_base_is_described(source->environment);
}

static gboolean is_same_environment(
        const HistoryBuilder *builder, const Series *series, const Value *before, const Value *value)
{
	const Source *x = source_of(builder, before), *y = source_of(builder, value);
	if (!g_str_equal(kind_of(builder, series, before), kind_of(builder, series, value)))
		return FALSE;
	/* Where neither says which libraries and tools it had, nothing speaks against comparing them. */
	if (!engine_counts(series->engine) || (!is_described(x) && !is_described(y)))
		return TRUE;
	g_autofree char *foreign = counted_base_foreign(x->environment, y->environment);
	return foreign == NULL;
}

/* --- histories --- */

static void add_point(
        const HistoryBuilder *builder, const Series *series, const Lane *lane, guint index, MetricHistory *history)
{
	const Value *value = &g_array_index(lane->values, Value, index);
	const Value *before = index > 0 ? &g_array_index(lane->values, Value, index - 1) : NULL;
	const Commit *commit = &g_array_index(builder->commits, Commit, source_of(builder, value)->commit);
	g_autofree char *kind = g_strndup(kind_of(builder, series, value), FINGERPRINT_CHARS);
	HistoryPoint point = {
	        .sha = commit->sha,
	        .subject = commit->subject,
	        .time_s = commit->time_s,
	        .same_environment = before != NULL && is_same_environment(builder, series, before, value),
	        .median = value->median,
	        .lower = value->lower,
	        .upper = value->upper,
	        .runs = value->runs,
	        .fingerprint = kind,
	};
	if (before != NULL) {
		const Commit *last = &g_array_index(builder->commits, Commit, source_of(builder, before)->commit);
		point.unmeasured = commit->position - last->position - 1;
	}
	metric_history_add(history, &point);
}

static void add_change(MetricHistory *history, guint first, const ChangePoint *point)
{
	HistoryChange change = {
	        .point = first + point->index,
	        .before = point->before,
	        .after = point->after,
	        .change = point->change,
	        .p_value = point->p_value,
	        .earliest = first + point->earliest,
	        .latest = first + point->latest,
	        .drifts = point->drifts,
	        .worse = (point->after > point->before) != history->higher_is_better,
	};
	for (guint i = change.earliest; i <= change.latest; i++)
		change.candidates += g_array_index(history->points, HistoryPoint, i).unmeasured + 1;
	g_array_append_val(history->changes, change);
}

/* One environment after the other. `totals` has a value for each point, NULL = those of the history itself. */
static void find_changes(MetricHistory *history, const double *totals, guint tests)
{
	const GArray *points = history->points;
	g_autofree double *values = g_new(double, points->len);
	for (guint i = 0; i < points->len; i++)
		values[i] = g_array_index(points, HistoryPoint, i).median;
	for (guint first = 0, end; first < points->len; first = end) {
		for (end = first + 1; end < points->len; end++)
			if (!g_array_index(points, HistoryPoint, end).same_environment)
				break;
		ChangeSeries series = {values + first, totals != NULL ? totals + first : NULL, end - first, tests};
		g_autoptr(GArray) found =
		        history->counted ? change_points_counted(&series) : change_points_sampled(&series);
		for (guint i = 0; i < found->len; i++)
			add_change(history, first, &g_array_index(found, ChangePoint, i));
	}
}

static void replace(char **text, const char *with)
{
	g_free(*text);
	*text = g_strdup(with != NULL ? with : "");
}

/* TRUE if values repeat from run to run, as far as there is more than one. */
static gboolean repeats(const Lane *lane, const double *totals)
{
	g_autofree double *ranges = g_new(double, MAX(lane->values->len, 1));
	guint n = 0;
	for (guint i = 0; i < lane->values->len; i++) {
		const Value *value = &g_array_index(lane->values, Value, i);
		double range = value->upper - value->lower, total = fabs(totals != NULL ? totals[i] : value->median);
		if (value->runs > 1)
			ranges[n++] = range > 0 ? range / total : 0;
	}
	return !change_is_scattered(ranges, n);
}

/* Points of a series along a lane, without changes. `totals` as in find_changes(). */
static MetricHistory *history_of(
        const HistoryBuilder *builder, const Series *series, const Lane *lane, const double *totals)
{
	MetricHistory *history = metric_history_new(series->metric, series->engine, series->unit);
	replace(&history->benchmark, series->benchmark);
	replace(&history->function, series->function);
	replace(&history->module, series->module);
	history->counted = series->comparable != METRIC_SAME_CAMPAIGN && repeats(lane, totals);
	history->higher_is_better = series->higher_is_better;
	for (guint i = 0; i < lane->values->len; i++)
		add_point(builder, series, lane, i, history);
	return history;
}

static void add_metric_histories(const HistoryBuilder *builder, const Series *series, GPtrArray *histories)
{
	g_autoptr(GPtrArray) lanes = lanes_of(builder, series);
	for (guint i = 0; i < lanes->len; i++) {
		MetricHistory *history = history_of(builder, series, lanes->pdata[i], NULL);
		find_changes(history, NULL, 1);
		g_ptr_array_add(histories, history);
	}
}

/* The values of a function along the lane of its total: where it does not occur it costs nothing. */
static Lane *function_lane(const Series *function, const Lane *total)
{
	Lane *lane = g_new0(Lane, 1);
	guint at = 0;
	lane->values = g_array_new(FALSE, FALSE, sizeof(Value));
	for (guint i = 0; i < total->values->len; i++) {
		const Value *whole = &g_array_index(total->values, Value, i);
		Value value = {whole->source, 0, 0, 0, whole->runs};
		while (at < function->values->len && g_array_index(function->values, Value, at).source < whole->source)
			at++;
		if (at < function->values->len && g_array_index(function->values, Value, at).source == whole->source)
			value = g_array_index(function->values, Value, at);
		g_array_append_val(lane->values, value);
	}
	return lane;
}

static double *totals_of(const Lane *lane)
{
	double *totals = g_new0(double, lane->values->len);
	for (guint i = 0; i < lane->values->len; i++)
		totals[i] = g_array_index(lane->values, Value, i).median;
	return totals;
}

static double highest(const Lane *lane)
{
	double most = 0;
	for (guint i = 0; i < lane->values->len; i++)
		most = MAX(most, g_array_index(lane->values, Value, i).median);
	return most;
}

static double largest_change(const MetricHistory *history)
{
	double most = 0;
	for (guint i = 0; i < history->changes->len; i++)
		most = MAX(most, fabs(g_array_index(history->changes, HistoryChange, i).change));
	return most;
}

static gint compare_functions(gconstpointer a, gconstpointer b)
{
	const Series *x = *(Series *const *)a, *y = *(Series *const *)b;
	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	if (x->highest != y->highest)
		return x->highest > y->highest ? -1 : 1;
	int by_name = strcmp(x->function, y->function);
	return by_name != 0 ? by_name : strcmp(x->module, y->module);
}

/* Rates a function by its cost on this lane, and by its change where it was counted. */
static void rate_function(const HistoryBuilder *builder, Series *function, const Lane *total, const double *totals)
{
	Lane *lane = function_lane(function, total);
	function->highest = highest(lane);
	function->change = 0;
	/* Sampled functions are chosen by cost alone: those chosen for a change would be tested for it again
	 * afterwards, and chance would pass too often. */
	if (function->comparable != METRIC_SAME_CAMPAIGN) {
		g_autoptr(MetricHistory) history = history_of(builder, function, lane, totals);
		if (history->counted)
			find_changes(history, totals, 1);
		function->change = largest_change(history);
	}
	lane_free(lane);
}

static void add_lane_functions(
        const HistoryBuilder *builder, const Series *total, const Lane *lane, GPtrArray *histories)
{
	g_autofree double *totals = totals_of(lane);
	g_autoptr(GPtrArray) functions = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, total->functions);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		rate_function(builder, value, lane, totals);
		if (((Series *)value)->highest > 0)
			g_ptr_array_add(functions, value);
	}
	g_ptr_array_sort(functions, compare_functions);
	guint shown = MIN(functions->len, builder->wanted.most_functions);
	for (guint i = 0; i < shown; i++) {
		Lane *own = function_lane(functions->pdata[i], lane);
		MetricHistory *history = history_of(builder, functions->pdata[i], own, totals);
		if (history->counted || i < HISTORY_TESTED_FUNCTIONS)
			find_changes(history, totals, MIN(shown, HISTORY_TESTED_FUNCTIONS));
		g_ptr_array_add(histories, history);
		lane_free(own);
	}
}

static void add_function_histories(const HistoryBuilder *builder, const Series *total, GPtrArray *histories)
{
	g_autoptr(GPtrArray) lanes = lanes_of(builder, total);
	for (guint i = 0; i < lanes->len; i++)
		add_lane_functions(builder, total, lanes->pdata[i], histories);
}

/* --- order --- */

static gint compare_series(gconstpointer a, gconstpointer b)
{
	const Series *x = *(Series *const *)a, *y = *(Series *const *)b;
	int by_benchmark = strcmp(x->benchmark, y->benchmark), by_engine = engine_order(x->engine, y->engine);
	if (by_benchmark != 0)
		return by_benchmark;
	if ((x->functions != NULL) != (y->functions != NULL))
		return x->functions != NULL ? 1 : -1;
	return by_engine != 0 ? by_engine : strcmp(x->metric, y->metric);
}

static void take_series(GHashTable *table, GPtrArray *all)
{
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(all, value);
}

GPtrArray *history_builder_finish(HistoryBuilder *builder)
{
	GPtrArray *histories = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	take_series(builder->metrics, all);
	take_series(builder->totals, all);
	g_ptr_array_sort(all, compare_series);
	for (guint i = 0; i < all->len; i++) {
		const Series *series = all->pdata[i];
		if (series->functions != NULL)
			add_function_histories(builder, series, histories);
		else
			add_metric_histories(builder, series, histories);
	}
	return histories;
}
