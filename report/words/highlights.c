/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/highlights.h"

#include "compare/comparison/filelabels.h"
#include "compare/comparison/inlinedshown.h"
#include "compare/comparison/sentence.h"
#include "compare/counted/counted.h"
#include "model/engine.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-7    /* what sums of numbers that were read with ten digits leave */
#define REPORT_ALPHA .05 /* where a report does not say */

const Profile *highlights_profile(const Measurement *base, const Measurement *head)
{
	if (head != NULL && head->profile != NULL)
		return head->profile;
	return base != NULL ? base->profile : NULL;
}

const StackTable *highlights_table(const ResultBenchmark *benchmark)
{
	const Profile *profile = highlights_profile(benchmark->base, benchmark->head);
	return profile == NULL ? NULL : profile->table;
}

static FunctionList list_of(const BenchmarkComparison *comparison, const Measurement *base, const Measurement *head)
{
	const Profile *profile = highlights_profile(base, head);
	FunctionList list = {.comparison = comparison};
	if (profile == NULL)
		return list;
	list.table = profile->table;
	list.event = profile->event;
	list.unit = profile->unit;
	return list;
}

guint highlights_function_lists(const ResultBenchmark *benchmark, FunctionList lists[FUNCTION_LISTS])
{
	guint n = 0;
	if (benchmark->comparison != NULL)
		lists[n++] = list_of(benchmark->comparison, benchmark->base, benchmark->head);
	for (guint i = 0; i < benchmark->profiles->len && n < FUNCTION_LISTS; i++) {
		const ResultProfile *profile = benchmark->profiles->pdata[i];
		if (profile->decides && profile->comparison != NULL)
			lists[n++] = list_of(profile->comparison, profile->base, profile->head);
	}
	for (guint i = 0; i < n; i++)
		lists[i].beside_others = n > 1;
	return n;
}

char *highlights_list_title(const FunctionList *list)
{
	if (list->comparison->counted)
		return g_strconcat("functions by ", list->event != NULL ? list->event : "count", NULL);
	return g_strdup(list->beside_others ? "functions by time" : "functions");
}

const FunctionList *highlights_unstable(const FunctionList *lists, guint n_lists)
{
	for (guint i = 0; i < n_lists; i++)
		if (lists[i].comparison->unstable != NULL && lists[i].comparison->unstable->len > 0)
			return &lists[i];
	return NULL;
}

guint highlights_count_unstable(const FunctionList *list)
{
	g_autoptr(GHashTable) frames = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < list->comparison->unstable->len; i++) {
		FrameId frame = g_array_index(list->comparison->unstable, UnstableFunction, i).frame;
		g_hash_table_add(frames, GUINT_TO_POINTER(frame.index));
	}
	return g_hash_table_size(frames);
}

gboolean highlights_all_same(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		if (!function->repeats || function->klass != FUNCTION_UNCHANGED || function->contribution != 0)
			return FALSE;
	}
	return comparison->counted && comparison->functions->len > 0;
}

const char *highlights_base_source(const ResultBenchmark *benchmark)
{
	if (benchmark->base_source != BASE_STORED)
		return NULL;
	return engine_counts(benchmark->engine) ? "base: stored baseline" : "base: stored baseline for what is counted";
}

/* Contributions that are not known sort last. */
static double contribution_size(const FunctionComparison *function)
{
	return isnan(function->contribution) ? -1 : fabs(function->contribution);
}

static int by_reading_order(gconstpointer left, gconstpointer right)
{
	const FunctionComparison *a = *(FunctionComparison *const *)left, *b = *(FunctionComparison *const *)right;
	double x = contribution_size(a), y = contribution_size(b);
	return x > y ? -1 : x < y; /* the sort is stable: ties stay as the comparison has them */
}

/* A count that is the same on both sides says nothing, whereas a sample that happens to be the same does. */
static gboolean is_worth_showing(const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	return !comparison->counted || function->klass != FUNCTION_UNCHANGED || function->contribution != 0;
}

/* Tells which functions have been chosen so far, and how many more may be. */
typedef struct {
	guint limit, unchanged;
} Choice;

/* One that gates is the verdict, so it is never left out. */
static gboolean choose(Choice *choice, const FunctionComparison *function)
{
	gboolean unchanged = function->klass == FUNCTION_UNCHANGED;
	gboolean fits = choice->limit > 0 && (!unchanged || choice->unchanged > 0);
	if (fits) {
		choice->limit--;
		choice->unchanged -= unchanged;
	}
	return fits || function->gates;
}

GPtrArray *highlights_functions(const BenchmarkComparison *comparison, guint limit, guint unchanged)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	for (guint i = 0; i < comparison->functions->len; i++)
		if (is_worth_showing(comparison, g_ptr_array_index(comparison->functions, i)))
			g_ptr_array_add(all, g_ptr_array_index(comparison->functions, i));
	g_ptr_array_sort(all, by_reading_order);
	GPtrArray *functions = g_ptr_array_new();
	Choice choice = {limit, unchanged};
	for (guint i = 0; i < all->len; i++)
		if (choose(&choice, g_ptr_array_index(all, i)))
			g_ptr_array_add(functions, g_ptr_array_index(all, i));
	return functions;
}

/* The rest of a function that the parts leave: its own code, and what is too small to be a row. */
static InlinedPart *rest_of(const FunctionComparison *function, const GPtrArray *parts, double contribution)
{
	InlinedPart *rest = g_new0(InlinedPart, 1);
	*rest = (InlinedPart){.frame = function->frame,
	        .base_cost = function->base_cost,
	        .head_cost = function->head_cost,
	        .contribution = contribution,
	        .contribution_lower = NAN,
	        .contribution_upper = NAN,
	        .base_samples = function->base_samples,
	        .head_samples = function->head_samples};
	for (guint i = 0; i < parts->len; i++) {
		const InlinedPart *part = g_ptr_array_index(parts, i);
		rest->base_cost -= part->base_cost;
		rest->head_cost -= part->head_cost;
		rest->base_samples -= MIN(part->base_samples, rest->base_samples);
		rest->head_samples -= MIN(part->head_samples, rest->head_samples);
	}
	return rest;
}

GPtrArray *highlights_parts(const FunctionComparison *function)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	InlinedShown shown = inlined_parts_shown(function, INLINED_SHOWN);
	for (guint i = 0; i < shown.n; i++)
		g_ptr_array_add(parts, g_memdup2(g_ptr_array_index(function->inlined, i), sizeof(InlinedPart)));
	if (shown.rest != 0)
		g_ptr_array_add(parts, rest_of(function, parts, shown.rest));
	return parts;
}

gboolean highlights_is_rest(const FunctionComparison *function, const InlinedPart *part)
{
	return part->frame.index == function->frame.index;
}

double highlights_rest(const BenchmarkComparison *comparison, const GPtrArray *shown)
{
	double rest = comparison->total_change;
	for (guint i = 0; i < shown->len; i++)
		rest -= ((const FunctionComparison *)g_ptr_array_index(shown, i))->contribution;
	return fabs(rest) < ROUNDING ? 0 : rest;
}

/* A contribution is a difference of costs as share of that total, so any of them tells it; the largest does best. */
double highlights_base_total(const BenchmarkComparison *comparison)
{
	const FunctionComparison *largest = NULL;
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		gboolean usable = isfinite(function->contribution) && function->contribution != 0;
		if (usable && (largest == NULL || fabs(function->contribution) > fabs(largest->contribution)))
			largest = function;
	}
	double total = largest == NULL ? NAN : (largest->head_cost - largest->base_cost) / largest->contribution;
	return total > 0 ? total : NAN;
}

const char *highlights_name(const StackTable *table, FrameId frame)
{
	return table == NULL ? "?" : stack_table_frame_name(table, frame);
}

const char *highlights_module(const StackTable *table, FrameId frame)
{
	return table == NULL ? "" : stack_table_text(table, stack_table_get_frame(table, frame)->module);
}

static FunctionPlace place_of_frame(const StackTable *table, FrameId frame)
{
	const Frame *facts = stack_table_get_frame(table, frame);
	return (FunctionPlace){.file = facts->file, .line = facts->line};
}

static char *place_words(
        const BenchmarkComparison *comparison, const StackTable *table, FunctionPlace place, FrameId frame)
{
	const char *file = file_label(comparison, table, place.file);
	if (*file == '\0')
		return g_strdup(highlights_module(table, frame));
	return place.line == 0 ? g_strdup(file) : g_strdup_printf("%s:%u", file, place.line);
}

char *highlights_head_place(const BenchmarkComparison *comparison, const StackTable *table, FrameId frame)
{
	FunctionPlace place = benchmark_comparison_head_place(comparison, frame);
	if (table == NULL)
		return g_strdup("");
	return place_words(comparison, table, place.file.index != 0 ? place : place_of_frame(table, frame), frame);
}

FunctionPlace highlights_function_place(const StackTable *table, const FunctionComparison *function)
{
	if (table == NULL)
		return (FunctionPlace){0};
	return function->place.file.index != 0 ? function->place : place_of_frame(table, function->frame);
}

char *highlights_where(
        const BenchmarkComparison *comparison, const StackTable *table, const FunctionComparison *function)
{
	if (table == NULL)
		return g_strdup("");
	return place_words(comparison, table, highlights_function_place(table, function), function->frame);
}

char *highlights_part_where(const BenchmarkComparison *comparison, const StackTable *table, const InlinedPart *part)
{
	if (table == NULL || part->place.file.index == 0)
		return g_strdup("");
	return place_words(comparison, table, part->place, part->frame);
}

char *highlights_was(const StackTable *table, const FunctionComparison *function)
{
	if (table == NULL || !function_comparison_is_elsewhere(function))
		return NULL;
	const char *from = stack_table_text(table, function->base_place.file);
	g_autofree char *base = g_path_get_basename(from);
	g_autofree char *head = g_path_get_basename(stack_table_text(table, function->place.file));
	return g_str_equal(base, head) ? g_strdup(from) : g_steal_pointer(&base);
}

gboolean highlights_significant(const BenchmarkComparison *comparison, const FunctionComparison *function, double alpha)
{
	if (comparison->counted)
		return function->klass != FUNCTION_UNCHANGED;
	return function->tested && (function->p_adjusted <= alpha || function->p_adjusted_improvement <= alpha);
}

const char *highlights_class(const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	double alpha = comparison->report_alpha > 0 ? comparison->report_alpha : REPORT_ALPHA;
	gboolean excludes_0 = function->contribution_lower > 0 || function->contribution_upper < 0;
	gboolean judged = comparison->metrics != NULL && comparison->metrics->len > 0;
	if (judged && function->klass == FUNCTION_REGRESSION && comparison->verdict != VERDICT_REGRESSION)
		return "slower";
	if (function->klass != FUNCTION_UNCHANGED || comparison->counted || !function->tested)
		return function_class_name(function->klass);
	if (highlights_significant(comparison, function, alpha))
		return "small change";
	return excludes_0 ? "not significant" : function_class_name(function->klass);
}

gboolean highlights_accuses(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_REGRESSION || comparison->accepted != NULL ||
	       comparison->confirmation == CONFIRMATION_NOT_CONFIRMED ||
	       comparison->confirmation == CONFIRMATION_UNCLEAR;
}

gboolean highlights_is_accepted(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_PASS && comparison->accepted != NULL;
}

/* Sentences are made of what is not accepted, so they name no function of what is: the largest one, or NULL. */
static const FunctionComparison *accepted_function(const BenchmarkComparison *comparison, double alpha)
{
	const FunctionComparison *risen = NULL;
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = g_ptr_array_index(comparison->functions, i);
		gboolean dearer = f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_NEW;
		if (f->accepted)
			return f;
		if (risen == NULL && dearer && highlights_significant(comparison, f, alpha))
			risen = f;
	}
	return risen;
}

/* Its sentence begins with that of the list that regressed. */
const FunctionComparison *highlights_culprit(const ResultBenchmark *benchmark, FunctionList *list)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	gboolean accused = benchmark->comparison != NULL && highlights_accuses(benchmark->comparison);
	for (guint i = 0; accused && i < n; i++) {
		const BenchmarkComparison *comparison = lists[i].comparison;
		double alpha = comparison->report_alpha > 0 ? comparison->report_alpha : REPORT_ALPHA;
		const FunctionComparison *function = highlights_is_accepted(benchmark->comparison)
		                                             ? accepted_function(comparison, alpha)
		                                             : sentence_function(comparison, alpha);
		if (function == NULL)
			continue;
		*list = lists[i];
		return function;
	}
	return NULL;
}

/* The function that became cheaper by the most among those that are certain; NULL if there is none. */
static const FunctionComparison *largest_saving(const BenchmarkComparison *comparison)
{
	const FunctionComparison *best = NULL;
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		gboolean saves = f->klass == FUNCTION_IMPROVEMENT || f->klass == FUNCTION_REMOVED;
		if (saves && f->contribution < (best != NULL ? best->contribution : 0))
			best = f;
	}
	return best;
}

const FunctionComparison *highlights_saver(const ResultBenchmark *benchmark, FunctionList *list)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	for (guint i = 0; i < n; i++) {
		const BenchmarkComparison *comparison = lists[i].comparison;
		double alpha = comparison->report_alpha > 0 ? comparison->report_alpha : REPORT_ALPHA;
		const FunctionComparison *saver = sentence_function(comparison, alpha);
		const FunctionComparison *largest = largest_saving(comparison);
		gboolean is_little = saver == NULL || saver->contribution >= 0 || sentence_is_part(comparison, saver);
		if (is_little && largest != NULL)
			saver = largest;
		*list = lists[i];
		if (saver != NULL)
			return saver;
	}
	return NULL;
}

gboolean highlights_is_slower(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	return result->mode == CHECK_GATE && comparison != NULL && comparison->verdict == VERDICT_PASS &&
	       comparison->slower != NULL && *comparison->slower != '\0';
}

gboolean highlights_is_shift(const ResultBenchmark *benchmark)
{
	FunctionList list;
	return highlights_slower_function(benchmark, &list) != NULL && sentence_is_shift(list.comparison);
}

char *highlights_moved(const ResultBenchmark *benchmark)
{
	FunctionList list;
	return highlights_slower_function(benchmark, &list) != NULL ? sentence_moved(list.comparison) : NULL;
}

GPtrArray *highlights_slower(const CheckResult *result)
{
	GPtrArray *slower = g_ptr_array_new();
	for (guint i = 0; i < result->benchmarks->len; i++)
		if (highlights_is_slower(result, g_ptr_array_index(result->benchmarks, i)))
			g_ptr_array_add(slower, g_ptr_array_index(result->benchmarks, i));
	return slower;
}

const FunctionComparison *highlights_slower_function(const ResultBenchmark *benchmark, FunctionList *list)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	for (guint i = 0; i < n; i++) {
		const FunctionComparison *function = sentence_slower_function(lists[i].comparison);
		if (function == NULL)
			continue;
		if (list != NULL)
			*list = lists[i];
		return function;
	}
	return NULL;
}

gboolean highlights_has_relations(const GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(functions, i);
		if (function->relation != CHANGE_UNKNOWN || function->code == CODE_SAME)
			return TRUE;
	}
	return FALSE;
}

const char *highlights_advice(const CheckResult *result)
{
	for (guint i = 0; result->mode == CHECK_GATE && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const BenchmarkComparison *comparison = benchmark->comparison;
		if (comparison != NULL && comparison->verdict != VERDICT_ERROR && !comparison->counted &&
		        benchmark->calibration == NULL)
			return "the false-alarm rate on this kind of machine is unknown; `firebreak check --calibrate` "
			       "measures it";
	}
	return NULL;
}

/* 0 if it does not gate. */
static int gravity_of(const MetricComparison *metric)
{
	return metric->gates ? 1 + (int)verdict_gravity(metric->verdict) : 0;
}

static int by_gravity(gconstpointer left, gconstpointer right)
{
	const MetricComparison *a = *(MetricComparison *const *)left, *b = *(MetricComparison *const *)right;
	int graver = gravity_of(b) - gravity_of(a);
	return graver != 0 ? graver : (int)telling_rank(a) - (int)telling_rank(b);
}

GPtrArray *highlights_metrics(const BenchmarkComparison *comparison)
{
	GPtrArray *metrics = g_ptr_array_new();
	for (guint i = 0; i < comparison->metrics->len; i++)
		g_ptr_array_add(metrics, g_ptr_array_index(comparison->metrics, i));
	g_ptr_array_sort(metrics, by_gravity); /* stable */
	return metrics;
}

const char *highlights_unit(const MetricComparison *metric)
{
	return g_strcmp0(metric->unit, metric->name) == 0 ? NULL : metric->unit;
}

static gboolean has_gate(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		if (metric->gates)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_moved(const MetricComparison *metric)
{
	return !(fabs(metric->change_ratio - 1) < COUNTED_FLOOR) &&
	       (metric->lower_ratio > 1 || metric->upper_ratio < 1);
}

gboolean highlights_shows_metric(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	if (!metric->gates && engine_counts(metric->engine) && has_moved(metric))
		return TRUE;
	return metric->gates || metric->engine == &engine_benchmark || !has_gate(comparison);
}

const char *highlights_artifact(const ResultBenchmark *benchmark, const char *kind)
{
	for (guint i = 0; i + 1 < benchmark->artifacts->len; i += 2) {
		if (g_str_equal(g_ptr_array_index(benchmark->artifacts, i), kind))
			return g_ptr_array_index(benchmark->artifacts, i + 1);
	}
	return NULL;
}

GPtrArray *highlights_extra_diffs(const ResultBenchmark *benchmark)
{
	GPtrArray *files = g_ptr_array_new();
	for (guint i = 0; i + 1 < benchmark->artifacts->len; i += 2)
		if (g_str_has_suffix(g_ptr_array_index(benchmark->artifacts, i), ".diff_svg"))
			g_ptr_array_add(files, g_ptr_array_index(benchmark->artifacts, i + 1));
	return files;
}
